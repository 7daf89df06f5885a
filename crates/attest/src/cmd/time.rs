//! Ages and times, as a person types them and as lists show them.

use jiff::{SignedDuration, Timestamp};

/// An age such as `30d`, `12h` or `1 week`. Days and weeks are of 24 hours: nothing here depends on
/// a time zone.
pub(super) fn parse_age(text: &str) -> Result<SignedDuration, jiff::Error> {
    let span: jiff::Span = text.parse()?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours())?;
    if age.is_negative() {
        return Err(jiff::Error::from_args(format_args!(
            "an age is not negative"
        )));
    }
    Ok(age)
}

/// The time that lies so long ago; the earliest there is where that is before it.
pub(crate) fn before_now(age: SignedDuration) -> Timestamp {
    Timestamp::now()
        .saturating_sub(age)
        .unwrap_or(Timestamp::MIN)
}

/// A moment: an age, a date (its midnight in UTC), or a time in RFC 3339.
pub(super) fn parse_moment(text: &str) -> Result<Timestamp, jiff::Error> {
    if let Ok(age) = parse_age(text) {
        return Ok(before_now(age));
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && text.len() == "2026-01-31".len()
    {
        return Ok(date.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp());
    }
    text.parse()
}

/// A time to the second, in UTC.
pub(super) fn second(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
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

    #[test]
    fn moments_are_ages_dates_or_times() {
        let hour_ago = parse_moment("1h").unwrap();
        let ago = Timestamp::now().duration_since(hour_ago).as_secs();
        assert!((3600..3700).contains(&ago), "{ago}");
        assert_eq!(
            parse_moment("2026-01-31").unwrap().to_string(),
            "2026-01-31T00:00:00Z"
        );
        assert_eq!(
            parse_moment("2026-01-31T01:00:00+01:00")
                .unwrap()
                .to_string(),
            "2026-01-31T00:00:00Z"
        );
        for bad in ["yesterday", "-1h", "2026-13-01", ""] {
            assert!(parse_moment(bad).is_err(), "{bad}");
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
