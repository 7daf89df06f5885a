//! Ages as a person types them, and times as lists show them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

/// An age such as `30d`, `12h` or `1 week`. Days and weeks are of 24 hours: nothing here depends on
/// a time zone.
pub fn parse_age(text: &str) -> Result<SignedDuration, NoAge> {
    let span: jiff::Span = text.trim().parse().map_err(|_| NoAge)?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours());
    age.ok().filter(|age| !age.is_negative()).ok_or(NoAge)
}

/// What is not an age.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an age such as 30d, 12h or 1 week")]
pub struct NoAge;

/// The time that lies so long ago; the earliest there is where that is before it.
#[must_use]
pub fn before_now(age: SignedDuration) -> Timestamp {
    Timestamp::now()
        .saturating_sub(age)
        .unwrap_or(Timestamp::MIN)
}

/// A local time to the second.
#[must_use]
pub fn second(at: Timestamp) -> String {
    let at = at.to_zoned(TimeZone::system());
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The local times of a list: whole if a line is wide, else as short as they can be told from each
/// other.
pub struct Clock {
    now: Zoned,
    is_short: bool,
}

/// A list in less has short times.
const WIDE: usize = 110;

impl Clock {
    /// For lines of this width, if there is a terminal.
    #[must_use]
    pub fn new(width: Option<usize>) -> Self {
        Self {
            now: Zoned::now(),
            is_short: width.is_some_and(|width| width < WIDE),
        }
    }

    /// The time as it is shown.
    #[must_use]
    pub fn show(&self, at: Timestamp) -> String {
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
#[must_use]
pub fn ago(at: Timestamp, now: Timestamp) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Zoned {
        "2026-03-10T12:00:00+01:00[Europe/Berlin]".parse().unwrap()
    }

    #[test]
    fn a_narrow_list_has_short_times() {
        let clock = Clock {
            now: now(),
            is_short: true,
        };
        let shown = ["PT1M", "PT20H", "PT21600H"].map(|age| {
            let age: SignedDuration = age.parse().unwrap();
            clock.show(now().timestamp() - age)
        });
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
}
