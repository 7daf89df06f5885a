//! How a program ended.

use std::time::Duration;
use std::{fmt, io};

use crate::stop::Stopped;
use crate::system::without_number;

/// How a program ended.
#[derive(Debug)]
pub enum End {
    /// With this status.
    Exited(i32),
    /// By this signal, which was not ours.
    #[cfg(unix)]
    Signalled(i32),
    /// By us, because it took this long.
    TimedOut(Duration),
    /// By us.
    Stopped(Stopped),
    /// It never started, or was lost.
    Failed(io::Error),
}

impl End {
    /// Whether it ended by itself, with status 0.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Exited(0))
    }
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(out, "exit status {code}"),
            #[cfg(unix)]
            Self::Signalled(signal) => write!(out, "ended by signal {signal}"),
            Self::TimedOut(limit) => write!(out, "timed out after {limit:?}"),
            Self::Stopped(stopped) => write!(out, "stopped: {stopped}"),
            Self::Failed(error) => {
                write!(out, "cannot run: {}", without_number(&error.to_string()))
            }
        }
    }
}
