//! Lengths of time as people write them.

use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// A text that is not a length of time, or is a useless one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a length of time such as 90s, 2m or 1h 30m")]
pub struct BadDuration(String);

/// Reads `90s`, `500ms`, `2m` or `1h 30m`; a bare number is seconds. Zero is refused.
pub fn parse(text: &str) -> Result<Duration, BadDuration> {
    let bad = || BadDuration(text.to_owned());
    let duration = if let Ok(seconds) = text.trim().parse() {
        Duration::try_from_secs_f64(seconds).map_err(|_| bad())?
    } else {
        let signed: SignedDuration = text.trim().parse().map_err(|_| bad())?;
        Duration::try_from(signed).map_err(|_| bad())?
    };
    if duration.is_zero() {
        return Err(bad());
    }
    Ok(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write() {
        for (text, millis) in [
            ("60s", 60_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("1h 30m", 5_400_000),
            ("90", 90_000),
            ("0.5", 500),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in [
            "",
            "soon",
            "-1s",
            "0",
            "0s",
            "nan",
            "inf",
            "1e400",
            "5 parsecs",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
