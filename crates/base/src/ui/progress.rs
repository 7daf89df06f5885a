//! Signs that work goes on, for a person at a terminal: lines below all else, on standard error, drawn again and
//! again until the work is done.
//!
//! indicatif draws more, but takes `pow` from the C library's libm, which every hook would load for it.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use attest_snapshot::escaped;
use jiff::SignedDuration;
use terminal_size::{Height, Width, terminal_size_of};

use super::prose::cut;
use super::text::{duration, mark, megabytes};

/// Work that is done sooner needs no sign.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the lines are drawn.
const TICK: Duration = Duration::from_millis(100);
/// Columns.
const BAR: u64 = 20;

/// Does `work`, and says what goes on once it takes longer than a second.
pub fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let _signs = Signs::new(PATIENCE, [(0, spinner(what))]);
    work()
}

/// How much of a known amount is done.
pub struct Bar {
    done: Arc<AtomicU64>,
    _signs: Signs,
}

impl Bar {
    /// Of so many bytes in all.
    #[must_use]
    pub fn of_bytes(all: u64, what: &'static str) -> Self {
        let done = Arc::<AtomicU64>::default();
        let read = Arc::clone(&done);
        let text = move |passed| bar(what, read.load(Ordering::Relaxed), all, passed);
        Self {
            done,
            _signs: Signs::new(TICK, [(0, Box::new(text) as Text)]),
        }
    }

    /// So many more are done.
    pub fn add(&self, part: u64) {
        self.done.fetch_add(part, Ordering::Relaxed);
    }
}

/// Signs for several works at once, told apart by number.
pub struct Spinners(Signs);

impl Default for Spinners {
    fn default() -> Self {
        Self(Signs::new(TICK, []))
    }
}

impl Spinners {
    /// One of the steps has begun.
    pub fn begin(&mut self, number: usize, name: &str) {
        self.0.lines().add(number, spinner(name));
    }

    /// It has ended.
    pub fn end(&mut self, number: usize) {
        self.0.lines().all.remove(&number);
    }

    /// Does what prints, while no sign is on the screen.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut lines = self.0.lines();
        write(&lines.erased());
        print()
    }
}

/// What a line says after so much time.
type Text = Box<dyn Fn(Duration) -> String + Send>;

fn spinner(what: &str) -> Text {
    let what = escaped(what.as_bytes());
    Box::new(move |passed| {
        let turns = mark("⠁⠂⠄⡀⢀⠠⠐⠈", "-\\|/");
        let turn = usize::try_from(passed.as_millis() / TICK.as_millis()).unwrap_or_default();
        let sign = turns.chars().nth(turn % turns.chars().count());
        format!("{} {what} {}", sign.unwrap_or_default(), in_words(passed))
    })
}

fn bar(what: &str, done: u64, all: u64, passed: Duration) -> String {
    let full = (done * BAR).checked_div(all).unwrap_or(BAR).min(BAR);
    let signs = (0..BAR).map(|column| {
        if column < full {
            mark("█", "#")
        } else {
            mark("░", "-")
        }
    });
    let rest = passed.as_millis() * u128::from(all.saturating_sub(done));
    let left = rest.checked_div(done.into());
    let left = left.and_then(|left| Some(Duration::from_millis(left.try_into().ok()?)));
    let left = left.map_or_else(String::new, |left| format!(", {} left", in_words(left)));
    let signs: String = signs.collect();
    format!(
        "{what} {signs} {} of {}{left}",
        megabytes(done),
        megabytes(all)
    )
}

fn in_words(length: Duration) -> String {
    duration(SignedDuration::try_from(length).unwrap_or(SignedDuration::MAX))
}

/// Lines on the screen, and the thread that draws them. They are gone when it is.
struct Signs {
    lines: Arc<Mutex<Lines>>,
    /// Nothing is sent: the thread ends when this side is gone. `None` where nobody looks.
    painter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Signs {
    /// Lines that are drawn for the first time after `patience`.
    fn new(patience: Duration, lines: impl IntoIterator<Item = (usize, Text)>) -> Self {
        let mut all = Lines::default();
        for (number, text) in lines {
            all.add(number, text);
        }
        let lines = Arc::new(Mutex::new(all));
        let painter = is_looked_at().then(|| painter(patience, Arc::clone(&lines)));
        Self {
            lines,
            painter: painter.flatten(),
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Signs {
    fn drop(&mut self) {
        if let Some((working, thread)) = self.painter.take() {
            drop(working);
            // It has nothing to say.
            let _ = thread.join();
        }
        write(&self.lines().erased());
    }
}

/// Without another thread there is no sign, and the work is done all the same.
fn painter(patience: Duration, lines: Arc<Mutex<Lines>>) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (working, ended) = mpsc::channel();
    let paint = move || {
        let mut wait = patience;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            let (Width(columns), Height(rows)) =
                terminal_size_of(io::stderr()).unwrap_or((Width(80), Height(24)));
            write(&lines.drawn(columns.into(), rows.into(), Instant::now()));
            wait = TICK;
        }
    };
    let thread = thread::Builder::new().spawn(paint).ok()?;
    Some((working, thread))
}

/// Whether standard error is a terminal in which the cursor can be moved.
fn is_looked_at() -> bool {
    io::stderr().is_terminal()
        && anstyle_query::term_supports_ansi_color()
        && anstyle_query::windows::enable_ansi_colors() != Some(false)
}

/// A terminal that is gone needs no sign.
fn write(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Lines by their numbers, with the time at which each began.
#[derive(Default)]
struct Lines {
    all: BTreeMap<usize, (Instant, Text)>,
    /// How many of them are on the screen. The cursor is at the end of the last.
    on_screen: usize,
}

impl Lines {
    fn add(&mut self, number: usize, text: Text) {
        self.all.insert(number, (Instant::now(), text));
    }

    /// What takes them from the screen.
    fn erased(&mut self) -> String {
        match std::mem::take(&mut self.on_screen) {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            lines => format!("\r\x1b[{}A\x1b[J", lines - 1),
        }
    }

    /// What puts them on the screen as they are now. They never fill it: what was scrolled away cannot be erased.
    fn drawn(&mut self, columns: usize, rows: usize, now: Instant) -> String {
        let erased = self.erased();
        let lines = self.all.values().take(rows.saturating_sub(1));
        let lines: Vec<_> = lines
            .map(|(begun, text)| cut(&text(now.duration_since(*begun)), columns.saturating_sub(1)))
            .collect();
        self.on_screen = lines.len();
        erased + &lines.join("\r\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &'static str) -> Text {
        Box::new(move |_| text.to_owned())
    }

    #[test]
    fn lines_are_drawn_over_those_before_and_leave_nothing() {
        let mut lines = Lines::default();
        let show = |lines: &mut Lines| lines.drawn(12, 4, Instant::now());
        for number in 0..2 {
            lines.add(number, text("is wider than this"));
        }
        assert_eq!(show(&mut lines), "is wider t…\r\nis wider t…");
        lines.add(0, text("one"));
        assert_eq!(show(&mut lines), "\r\x1b[1A\x1b[Jone\r\nis wider t…");
        lines.all.remove(&1);
        assert_eq!(show(&mut lines), "\r\x1b[1A\x1b[Jone");
        for number in 0..9 {
            lines.add(number, text("more"));
        }
        let drawn = show(&mut lines);
        assert_eq!(drawn, "\r\x1b[Jmore\r\nmore\r\nmore", "room for the cursor");
        assert_eq!(lines.erased(), "\r\x1b[2A\x1b[J");
        assert_eq!(lines.erased(), "");
    }

    #[test]
    fn a_spinner_turns_and_says_how_long_it_takes() {
        let spinner = spinner("reading\n");
        let at = |milliseconds| spinner(Duration::from_millis(milliseconds));
        assert_eq!(at(0), "⠁ reading\\u{a} 0.0s");
        assert_eq!(at(1100), "⡀ reading\\u{a} 1.1s");
    }

    #[test]
    fn a_bar_shows_what_is_done_and_the_time_that_is_left() {
        let second = Duration::from_secs(1);
        for (done, text) in [
            (0, "x ░░░░░░░░░░░░░░░░░░░░ 0.0 MB of 2.0 MB"),
            (
                500_000,
                "x █████░░░░░░░░░░░░░░░ 0.5 MB of 2.0 MB, 3.0s left",
            ),
            (
                2_000_000,
                "x ████████████████████ 2.0 MB of 2.0 MB, 0.0s left",
            ),
            (
                3_000_000,
                "x ████████████████████ 3.0 MB of 2.0 MB, 0.0s left",
            ),
        ] {
            assert_eq!(bar("x", done, 2_000_000, second), text);
        }
        assert_eq!(
            bar("x", 0, 0, second),
            "x ████████████████████ 0.0 MB of 0.0 MB"
        );
    }
}
