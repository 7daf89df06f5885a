//! The moment of a snapshot, on the wall clock and on a clock that cannot be set.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// How far the two clocks may drift apart before the wall clock is considered set.
const DRIFT: Duration = Duration::from_millis(100);

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Nanoseconds since the epoch, on the wall clock.
    pub wall_ns: i64,
    /// Nanoseconds since the machine started, including sleep; absent if there is no such clock.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub boot_ns: Option<i64>,
}

impl Moment {
    /// Reads both clocks.
    #[must_use]
    pub fn now() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            wall_ns: wall.map_or(0, |since| {
                i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
            }),
            boot_ns: boot_ns(),
        }
    }

    /// Whether the wall clock ran undisturbed from `self` to `later`. Also `false` if that cannot
    /// be known.
    #[must_use]
    pub fn runs_on_to(&self, later: &Self) -> bool {
        let (Some(start), Some(end)) = (self.boot_ns, later.boot_ns) else {
            return false;
        };
        let wall = i128::from(later.wall_ns) - i128::from(self.wall_ns);
        let boot = i128::from(end) - i128::from(start);
        boot >= 0 && (wall - boot).unsigned_abs() < DRIFT.as_nanos()
    }
}

/// The clock that goes on while the machine sleeps, and that is not set with the other one.
#[cfg(target_os = "linux")]
const BOOT: rustix::time::ClockId = rustix::time::ClockId::Boottime;
#[cfg(target_os = "macos")]
const BOOT: rustix::time::ClockId = rustix::time::ClockId::Monotonic;

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such clock")]
fn boot_ns() -> Option<i64> {
    let time = rustix::time::clock_gettime(BOOT);
    Some(
        time.tv_sec
            .saturating_mul(1_000_000_000)
            .saturating_add(time.tv_nsec),
    )
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn boot_ns() -> Option<i64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(wall_ms: i64, boot_ms: i64) -> Moment {
        Moment {
            wall_ns: wall_ms * 1_000_000,
            boot_ns: Some(boot_ms * 1_000_000),
        }
    }

    #[test]
    fn a_set_clock_is_noticed() {
        let start = moment(1_000_000, 5_000);
        assert!(start.runs_on_to(&moment(1_060_000, 65_000)));
        assert!(!start.runs_on_to(&moment(1_060_000, 5_010)));
        assert!(!start.runs_on_to(&moment(940_000, 65_000)));
    }

    #[test]
    fn a_restart_is_noticed() {
        assert!(!moment(1_000, 5_000).runs_on_to(&moment(2_000, 10)));
    }
}
