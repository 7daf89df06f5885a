//! Ages and times, as a person types them and as lists show them.

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

/// An age such as `30d`, `12h` or `1 week`. Days and weeks are of 24 hours: nothing here depends on
/// a time zone.
pub(super) fn parse_age(text: &str) -> Result<SignedDuration, NoAge> {
    let span: jiff::Span = text.trim().parse().map_err(|_| NoAge)?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours());
    age.ok().filter(|age| !age.is_negative()).ok_or(NoAge)
}

/// What is not an age.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an age such as 30d, 12h or 1 week")]
pub(super) struct NoAge;

/// The time that lies so long ago; the earliest there is where that is before it.
pub(crate) fn before_now(age: SignedDuration) -> Timestamp {
    Timestamp::now()
        .saturating_sub(age)
        .unwrap_or(Timestamp::MIN)
}

/// What is no moment.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an age such as 2h or 7d, `today`, `yesterday`, a date, or a time as lists print them"
)]
pub(super) struct NoMoment;

/// A moment: an age, a day, or a time in any of the forms that are printed. What names no zone is
/// local.
pub(super) fn parse_moment(text: &str) -> Result<Timestamp, NoMoment> {
    moment(text.trim(), &Zoned::now()).ok_or(NoMoment)
}

fn moment(text: &str, now: &Zoned) -> Option<Timestamp> {
    let local = |at: DateTime| Some(at.to_zoned(now.time_zone().clone()).ok()?.timestamp());
    match text {
        "now" => return Some(now.timestamp()),
        "today" => return local(now.date().into()),
        "yesterday" => return local(now.date().yesterday().ok()?.into()),
        _ => {}
    }
    // An age may have this form as well, which nobody types.
    let is_time = text.contains(':') && !text.contains('-');
    if let (true, Ok(time)) = (is_time, text.parse::<Time>()) {
        return local(now.date().to_datetime(time));
    }
    let age = text.strip_suffix("ago").map_or(text, str::trim_end);
    if let Ok(age) = parse_age(age) {
        return now.timestamp().saturating_sub(age).ok();
    }
    if let Ok(at) = text.parse() {
        return Some(at);
    }
    if let Ok(at) = text.parse::<DateTime>() {
        return local(at);
    }
    // The form of a day of this year.
    let at = local(format!("{:04}-{text}", now.year()).parse().ok()?)?;
    if at <= now.timestamp() {
        return Some(at);
    }
    local(format!("{:04}-{text}", now.year() - 1).parse().ok()?)
}

/// A local time to the second.
pub(super) fn second(at: Timestamp) -> String {
    let at = at.to_zoned(TimeZone::system());
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The same in UTC.
pub(super) fn utc_second(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The local times of a list: whole if a line is wide, else as short as they can be told from each
/// other.
pub(super) struct Clock {
    now: Zoned,
    is_short: bool,
}

/// A list in less has short times.
const WIDE: usize = 110;

impl Clock {
    pub(super) fn new(width: Option<usize>) -> Self {
        Self {
            now: Zoned::now(),
            is_short: width.is_some_and(|width| width < WIDE),
        }
    }

    pub(super) fn show(&self, at: Timestamp) -> String {
        let at = at.to_zoned(self.now.time_zone().clone());
        let form = if !self.is_short {
            "%Y-%m-%d %H:%M:%S"
        } else if at.date() == self.now.date() {
            "%H:%M:%S"
        } else if at.year() == self.now.year() {
            "%m-%d %H:%M"
        } else {
            "%Y-%m-%d"
        };
        at.strftime(form).to_string()
    }
}

/// How long ago something was, in words.
pub(super) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(at).as_secs();
    let units = [
        (86_400, "days"),
        (3600, "hours"),
        (60, "minutes"),
        (1, "seconds"),
    ];
    // Of two and more the unit is plural, and a larger one would say too little.
    let unit = units.iter().find(|(length, _)| seconds >= 2 * length);
    match unit {
        Some((length, name)) if seconds >= 10 => format!("{} {name} ago", seconds / length),
        _ => "just now".to_owned(),
    }
}

/// How long something took, in at most two units.
pub(super) fn duration(length: SignedDuration) -> String {
    let seconds = length.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) if seconds < 10 => format!("{:.1}s", length.as_secs_f64().max(0.0)),
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, minutes) => format!("{minutes}m {}s", seconds % 60),
        (0, hours, minutes) => format!("{hours}h {minutes}m"),
        (days, hours, _) => format!("{days}d {hours}h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Zoned {
        "2026-03-10T12:00:00+01:00[Europe/Berlin]".parse().unwrap()
    }

    #[test]
    fn moments_are_ages_days_or_times() {
        for (text, expected) in [
            ("2h", "2026-03-10T09:00:00Z"),
            ("3 minutes ago", "2026-03-10T10:57:00Z"),
            ("now", "2026-03-10T11:00:00Z"),
            ("today", "2026-03-09T23:00:00Z"),
            ("yesterday", "2026-03-08T23:00:00Z"),
            ("2026-01-31", "2026-01-30T23:00:00Z"),
            ("2026-01-31T01:00:00Z", "2026-01-31T01:00:00Z"),
            ("2026-01-31T01:00:00+02:00", "2026-01-30T23:00:00Z"),
            ("2026-01-31 01:00:05", "2026-01-31T00:00:05Z"),
            ("08:15:01", "2026-03-10T07:15:01Z"),
            ("03-09 08:15", "2026-03-09T07:15:00Z"),
            ("12-31 08:15", "2025-12-31T07:15:00Z"),
        ] {
            let found = moment(text, &now()).map(|at| at.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        for bad in ["someday", "-1h", "2026-13-01", "", "13-01 00:00"] {
            assert_eq!(moment(bad, &now()), None, "{bad}");
        }
    }

    #[test]
    fn every_time_that_a_list_prints_can_be_typed() {
        for is_short in [true, false] {
            let clock = Clock {
                now: now(),
                is_short,
            };
            for ago in ["1m", "11h", "20h", "40d", "100d", "900d"] {
                let at = moment(ago, &now()).unwrap();
                let shown = clock.show(at);
                let read = moment(&shown, &now()).unwrap();
                assert!(read <= at, "{shown}");
                let lost = at.duration_since(read).as_secs();
                assert!(lost < 86_400, "{shown}");
            }
        }
        let clock = Clock {
            now: now(),
            is_short: true,
        };
        let shown = ["1m", "20h", "900d"].map(|ago| clock.show(moment(ago, &now()).unwrap()));
        assert_eq!(shown, ["11:59:00", "03-09 16:00", "2023-09-22"]);
    }

    #[test]
    fn how_long_ago_has_one_unit() {
        let now = now().timestamp();
        for (seconds, text) in [
            (3, "just now"),
            (-5, "just now"),
            (45, "45 seconds ago"),
            (180, "3 minutes ago"),
            (86_399, "23 hours ago"),
            (864_000, "10 days ago"),
        ] {
            let at = now - SignedDuration::from_secs(seconds);
            assert_eq!(ago(at, now), text);
        }
    }

    #[test]
    fn durations_have_two_units() {
        let cases = [
            (400, "0.4s"),
            (42_000, "42s"),
            (61_000, "1m 1s"),
            (3_660_000, "1h 1m"),
            (90_000_000, "1d 1h"),
            (-5000, "0.0s"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(duration(SignedDuration::from_millis(milliseconds)), text);
        }
    }
}
