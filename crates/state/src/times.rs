//! Times as they are stored.

use jiff::Timestamp;

/// Nanoseconds since the epoch.
pub(crate) fn nanoseconds(at: Timestamp) -> i64 {
    i64::try_from(at.as_nanosecond()).unwrap_or(i64::MAX)
}

/// Text of fixed width in UTC, so that times sort as text.
pub(crate) fn stored(at: Timestamp) -> String {
    format!("{at:.6}")
}
