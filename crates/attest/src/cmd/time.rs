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
