//! Moments as people say them: `yesterday`, `tuesday 15:00`, `3pm`, `2 weeks ago`.
//!
//! A history lies behind us, so `tuesday` is the last one. Libraries that read such words follow `date`, to which it
//! is the next one, and each of their answers would have to be turned around; what is left of the work is less than
//! what they bring along.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{Span, Timestamp, ToSpan as _, Zoned};

use crate::near::did_you_mean;
use crate::time::parse_age;

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const OTHERS: [&str; 7] = [
    "today",
    "yesterday",
    "last",
    "week",
    "weeks",
    "month",
    "days",
];
/// Letters of a name at least.
const SHORTEST: usize = 3;

/// What is no moment.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an age such as 2h or 7d, `yesterday`, `tuesday 15:00`, `3pm`, a date, or a time as lists print them{0}"
)]
pub struct NoMoment(String);

/// A moment that somebody has named. What names no zone is local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The last time that is called so.
    pub at: Timestamp,
    /// The one after it, for a name that returns.
    next: Option<Timestamp>,
}

impl Moment {
    /// What a person wrote.
    pub fn parse(text: &str) -> Result<Self, NoMoment> {
        let text = text.trim();
        read(text, &Zoned::now()).ok_or_else(|| NoMoment(meant(text)))
    }

    /// The end of a time that begins then: of `--since monday --until friday`, on a Wednesday, the Friday to come.
    #[must_use]
    pub fn after(self, begin: Option<Timestamp>) -> Timestamp {
        let is_before = begin.is_some_and(|begin| self.at <= begin);
        self.next.filter(|_| is_before).unwrap_or(self.at)
    }

    fn once(at: Timestamp) -> Self {
        Self { at, next: None }
    }
}

/// What was probably meant.
fn meant(text: &str) -> String {
    let weekdays = WEEKDAYS.iter().map(|(name, _)| *name);
    let known: Vec<_> = weekdays.chain(MONTHS).chain(OTHERS).collect();
    let is_unknown = |word: &&str| {
        let word = word.to_lowercase();
        let is_name = word.len() >= SHORTEST && word.chars().all(char::is_alphabetic);
        is_name && !known.iter().any(|name| name.starts_with(&word))
    };
    let word = text.split_whitespace().find(is_unknown);
    word.map_or_else(String::new, |word| {
        did_you_mean(word, known.iter().copied())
    })
}

fn read(text: &str, now: &Zoned) -> Option<Moment> {
    let small = text.to_lowercase();
    if small == "now" {
        return Some(Moment::once(now.timestamp()));
    }
    if let Ok(at) = text.parse() {
        return Some(Moment::once(at));
    }
    if let Ok(at) = text.parse() {
        return local(at, now).map(Moment::once);
    }
    // An age may have the form of a time of day as well, which nobody types.
    in_words(&small, now).or_else(|| long_ago(&small, now).map(Moment::once))
}

fn local(at: DateTime, now: &Zoned) -> Option<Timestamp> {
    Some(at.to_zoned(now.time_zone().clone()).ok()?.timestamp())
}

/// An age. Days and weeks are of 24 hours, months and years are those of the calendar.
fn long_ago(text: &str, now: &Zoned) -> Option<Timestamp> {
    let age = text.strip_suffix("ago").map_or(text, str::trim_end);
    let one = age.strip_prefix("a ").or_else(|| age.strip_prefix("an "));
    let age = one.map_or_else(|| age.to_owned(), |unit| format!("1 {unit}"));
    if let Ok(age) = parse_age(&age) {
        return now.timestamp().saturating_sub(age).ok();
    }
    let age: Span = age.parse().ok().filter(|age: &Span| !age.is_negative())?;
    Some(now.checked_sub(age).ok()?.timestamp())
}

/// A day, a time of day, or both.
fn in_words(text: &str, now: &Zoned) -> Option<Moment> {
    let joined = text.replace(" am", "am").replace(" pm", "pm");
    let words = joined.split([' ', ',']);
    let words: Vec<_> = words
        .filter(|word| !["", "at", "on"].contains(word))
        .collect();
    let (first, behind) = words.split_first()?;
    let (last, before) = words.split_last()?;
    let (days, time) = match (time_of_day(last), time_of_day(first)) {
        (Some(time), _) => (before, time),
        (None, Some(time)) => (behind, time),
        (None, None) => (&*words, Time::midnight()),
    };
    let (date, step) = day(days, now.date())?;
    let at = local(date.to_datetime(time), now)?;
    let Some(step) = step else {
        return Some(Moment::once(at));
    };
    let moved = |date: Option<Date>| local(date?.to_datetime(time), now);
    if at > now.timestamp() {
        let before = moved(date.checked_sub(step).ok())?;
        return Some(Moment {
            at: before,
            next: Some(at),
        });
    }
    let next = moved(date.checked_add(step).ok());
    Some(Moment { at, next })
}

/// The day that words name, and after how long it returns.
fn day(words: &[&str], today: Date) -> Option<(Date, Option<Span>)> {
    let monday = || today.checked_sub(i64::from(today.weekday().since(Weekday::Monday)).days());
    let once = |date: Result<Date, jiff::Error>| Some((date.ok()?, None));
    match words {
        [] => Some((today, Some(1.day()))),
        ["today"] => once(Ok(today)),
        ["yesterday"] => once(today.yesterday()),
        ["this", "week"] => once(monday()),
        ["last", "week"] => once(monday().and_then(|date| date.checked_sub(7.days()))),
        ["this", "month"] => once(Ok(today.first_of_month())),
        ["last", "month"] => once(today.first_of_month().checked_sub(1.month())),
        ["last", name] => {
            let back = today.weekday().since(weekday(name)?);
            let back = if back == 0 { 7 } else { back };
            once(today.checked_sub(i64::from(back).days()))
        }
        [name] | ["this", name] if weekday(name).is_some() => {
            let back = today.weekday().since(weekday(name)?);
            let date = today.checked_sub(i64::from(back).days()).ok()?;
            Some((date, Some(7.days())))
        }
        // More than a day would be dropped without a word.
        [date] if !date.contains([':', '+', 'z']) => match date.parse() {
            Ok(date) => once(Ok(date)),
            Err(_) => of_this_year(date, today),
        },
        [before, behind] => {
            let (month, day) = match (month(before), month(behind)) {
                (Some(month), _) => (month, behind),
                (None, Some(month)) => (month, before),
                (None, None) => return None,
            };
            let day: u8 = day
                .trim_end_matches(['.', 't', 'h', 's', 'n', 'd', 'r'])
                .parse()
                .ok()?;
            of_this_year(&format!("{month:02}-{day:02}"), today)
        }
        _ => None,
    }
}

/// A month and a day, of this year or of the last.
fn of_this_year(text: &str, today: Date) -> Option<(Date, Option<Span>)> {
    let of = |year| format!("{year:04}-{text}").parse().ok();
    let date: Option<Date> = of(today.year());
    match date.filter(|date| *date <= today) {
        Some(date) => Some((date, Some(1.year()))),
        None => Some((of(today.year() - 1)?, Some(1.year()))),
    }
}

fn weekday(name: &str) -> Option<Weekday> {
    let mut days = WEEKDAYS.iter();
    let found = days.find(|(day, _)| name.len() >= SHORTEST && day.starts_with(name));
    found.map(|(_, weekday)| *weekday)
}

/// Its number.
fn month(name: &str) -> Option<usize> {
    let mut months = MONTHS.iter();
    let place = months.position(|month| name.len() >= SHORTEST && month.starts_with(name));
    place.map(|place| place + 1)
}

/// `15:00`, `9:30`, `3pm`, `noon`.
fn time_of_day(word: &str) -> Option<Time> {
    match word {
        "noon" => return Time::new(12, 0, 0, 0).ok(),
        "midnight" => return Some(Time::midnight()),
        _ => {}
    }
    let half = word.strip_suffix("am").map(|rest| (rest, 0));
    let half = half.or_else(|| word.strip_suffix("pm").map(|rest| (rest, 12)));
    let (clock, add) = half.map_or((word, None), |(clock, add)| (clock, Some(add)));
    let parts: Vec<i8> = clock
        .split(':')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let is_whole = clock
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b':');
    let (hour, minute, second) = match (&*parts, add) {
        ([hour], Some(_)) => (*hour, 0, 0),
        ([hour, minute], _) => (*hour, *minute, 0),
        ([hour, minute, second], _) => (*hour, *minute, *second),
        _ => return None,
    };
    let hour = match add {
        Some(add) if (1..=12).contains(&hour) => hour % 12 + add,
        Some(_) => return None,
        None => hour,
    };
    Time::new(hour, minute, second, 0).ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests;
