//! A sign that work goes on, for a person at a terminal.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use attest_snapshot::escaped;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::text::mark;

/// Work that is done sooner needs no sign.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the sign moves.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, and says on standard error what goes on once it takes longer than a second. Says
/// nothing if that is not a terminal.
pub(crate) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_elapsed(PATIENCE);
                turn(&spinner, what.to_owned());
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

fn turn(spinner: &ProgressBar, message: String) {
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        let ticks = mark("⠁⠂⠄⡀⢀⠠⠐⠈ ", "-\\|/ ");
        spinner.set_style(style.tick_chars(ticks));
    }
    spinner.set_message(message);
    spinner.enable_steady_tick(TICK);
}

/// How much of a known amount is done. On standard error, and only if that is a terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn of_bytes(all: u64, what: &str) -> Self {
        let bar = ProgressBar::new(all);
        let style = ProgressStyle::with_template("{msg} {bar:20} {bytes}/{total_bytes} {eta}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars(mark("█░", "#-")));
        }
        bar.set_message(what.to_owned());
        Self(bar)
    }

    pub(crate) fn add(&self, part: u64) {
        self.0.inc(part);
    }

    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}

/// Signs for several works at once, told apart by number. On standard error, and only if that is a
/// terminal.
#[derive(Default)]
pub(crate) struct Spinners {
    all: MultiProgress,
    running: BTreeMap<usize, ProgressBar>,
}

impl Spinners {
    pub(crate) fn begin(&mut self, number: usize, name: &str) {
        let spinner = self.all.add(ProgressBar::new_spinner());
        turn(&spinner, escaped(name.as_bytes()));
        self.running.insert(number, spinner);
    }

    pub(crate) fn end(&mut self, number: usize) {
        if let Some(spinner) = self.running.remove(&number) {
            spinner.finish_and_clear();
        }
    }

    /// Does what prints, while nothing else is on the screen.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.all.suspend(print)
    }
}
