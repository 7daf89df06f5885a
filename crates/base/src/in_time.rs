//! A limit of time for commands that read a repository, which may be made so that reading it never ends: also
//! inside of a library, where no deadline is looked at.

use std::io::Write as _;
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use attest_snapshot::{Budget, Limits};
use thiserror::Error;

use crate::config::Config;
use crate::env;
use crate::error::CommandError;
use crate::ui::Ui;

/// What work that notices the deadline may take to say so itself.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Debug, Error)]
#[error("the repository could not be read within {limit:?}")]
struct NoEnd {
    limit: Duration,
}

/// The limits of a command, and what it says if they are passed.
pub struct InTime {
    limits: Limits,
    limit: Duration,
    complaint: String,
}

impl InTime {
    /// From now on.
    #[must_use]
    pub fn new(ui: &Ui, config: &Config) -> Self {
        let limit = config.command_deadline;
        let hint = format!("it may take six times {}", env::STOP_DEADLINE);
        Self {
            limits: config.limits(None),
            limit,
            complaint: ui.complaint(&CommandError::from(NoEnd { limit }).hinted(hint)),
        }
    }

    /// Does `work` within the limits, or ends the process with an error.
    pub fn run<T>(&self, work: impl FnOnce(&Limits) -> T) -> T {
        let (done, waiting) = mpsc::channel::<()>();
        let (time, complaint) = (self.limit + GRACE, self.complaint.clone());
        let watch = move || {
            // Nothing is ever sent: the other side is gone when the work is done.
            if waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                let _ = anstream::stderr().write_all(complaint.as_bytes());
                process::exit(1);
            }
        };
        // Without another thread there is no end, and the work is done all the same.
        let _ = thread::Builder::new().spawn(watch);
        let result = work(&Limits {
            budget: Budget::until(Some(Instant::now() + self.limit)),
            ..self.limits.clone()
        });
        drop(done);
        result
    }
}
