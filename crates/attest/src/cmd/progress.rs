//! A sign that work goes on, for a person at a terminal.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work that is done sooner needs no sign.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the sign moves.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, and says on standard error what goes on once it takes longer than a second. Says
/// nothing where that is no terminal.
pub(super) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_elapsed(PATIENCE);
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                    spinner.set_style(style);
                }
                spinner.set_message(what.to_owned());
                spinner.enable_steady_tick(TICK);
                // Nothing is ever sent: it ends when the other side is gone.
                let _ = waiting.recv();
                spinner.finish_and_clear();
            }
        };
        // Without another thread there is no sign, and the work is done all the same.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(done);
        result
    })
}
