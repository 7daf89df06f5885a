//! The whole terminal: a screen that is drawn anew after each key, and given back as it was.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers};
use termina::{Event, PlatformTerminal, Terminal as _};
use thiserror::Error;
use unicode_width::UnicodeWidthChar as _;

use crate::env::{self, Env};

/// Between two looks whether a signal came.
const PAUSE: Duration = Duration::from_millis(200);
/// What a terminal that does not say it is taken for.
const USUAL_SIZE: (u16, u16) = (80, 24);

/// Begins a screen of its own, without a cursor.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
/// Shows the cursor, and what was there before.
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";
/// Between these a terminal shows nothing half drawn, if it knows them.
const BEGIN_FRAME: &str = "\u{1b}[?2026h";
const END_FRAME: &str = "\u{1b}[?2026l";

/// Why there is no screen.
#[derive(Debug, Error)]
pub(crate) enum ScreenError {
    #[error("this needs a terminal, and standard {0} is not one")]
    NotATerminal(&'static str),
    #[error("this needs a terminal that can be drawn on, and TERM is {0:?}")]
    Dumb(String),
    #[error("cannot use the terminal")]
    Failed(#[from] io::Error),
}

/// What a person pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Escape,
    Backspace,
    Char(char),
    Control(char),
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happened {
    Pressed(Key),
    /// The terminal has another size.
    Resized,
    /// A signal asks the program to end.
    Ended,
}

/// The terminal, until this is dropped.
pub(crate) struct Screen {
    terminal: PlatformTerminal,
    is_plain: bool,
    /// The number of the signal that came; 0 if none did.
    signal: Arc<AtomicUsize>,
}

impl Screen {
    /// Whether there is a terminal that can be drawn on.
    pub(crate) fn is_possible(env: &Env) -> Result<(), ScreenError> {
        if !io::stdin().is_terminal() {
            return Err(ScreenError::NotATerminal("input"));
        }
        if !io::stdout().is_terminal() {
            return Err(ScreenError::NotATerminal("output"));
        }
        let term = env.text(env::TERM).unwrap_or_default();
        // Windows sets it nowhere.
        if term == "dumb" || (term.is_empty() && cfg!(unix)) {
            return Err(ScreenError::Dumb(term.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn open() -> Result<Self, ScreenError> {
        let signal = Arc::default();
        watch(&signal);
        // Whatever happens from here on, it is given back.
        let mut screen = Self {
            terminal: PlatformTerminal::new()?,
            is_plain: AutoStream::choice(&io::stdout()) == ColorChoice::Never,
            signal,
        };
        screen.terminal.enter_raw_mode()?;
        screen.send(ENTER)?;
        Ok(screen)
    }

    /// Columns and lines.
    pub(crate) fn size() -> (usize, usize) {
        let size = terminal_size::terminal_size();
        let size = size.map(|(width, height)| (width.0, height.0));
        let size = size.filter(|(width, height)| *width > 0 && *height > 0);
        let (width, height) = size.unwrap_or(USUAL_SIZE);
        (width.into(), height.into())
    }

    /// Shows the lines, which may hold styles, from the top on.
    pub(crate) fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        let (width, height) = Self::size();
        let mut frame = BEGIN_FRAME.to_owned();
        for row in 0..height {
            let line = lines.get(row).map_or("", String::as_str);
            let plain = self.is_plain.then(|| strip_str(line).to_string());
            let line = clipped(plain.as_deref().unwrap_or(line), width);
            // To the beginning of the line, which is cleared.
            frame += &format!("\u{1b}[{};1H\u{1b}[2K{line}", row + 1);
        }
        self.send(&(frame + END_FRAME))
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.terminal.write_all(text.as_bytes())?;
        self.terminal.flush()
    }

    /// Whether something has come already.
    pub(crate) fn has_next(&self) -> io::Result<bool> {
        let has_signal = self.signal.load(Ordering::Relaxed) != 0;
        Ok(has_signal || self.terminal.poll(|_| true, Some(Duration::ZERO))?)
    }

    /// Waits for what comes next.
    pub(crate) fn next(&self) -> io::Result<Happened> {
        loop {
            if self.signal.load(Ordering::Relaxed) != 0 {
                return Ok(Happened::Ended);
            }
            if !self.terminal.poll(|_| true, Some(PAUSE))? {
                continue;
            }
            match self.terminal.read(|_| true)? {
                Event::WindowResized(_) => return Ok(Happened::Resized),
                Event::Key(event) if event.kind != KeyEventKind::Release => {
                    if let Some(key) = key(event) {
                        return Ok(Happened::Pressed(key));
                    }
                }
                _ => {}
            }
        }
    }

    /// Asks the terminal to put `text` into the clipboard, which works from another machine as well. Whether it did is
    /// not said.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        let text = BASE64_STANDARD.encode(text);
        self.send(&format!("\u{1b}]52;c;{text}\u{7}"))
    }

    /// Gives the terminal back. If a signal has come the program ends by it, as it would have without a screen.
    pub(crate) fn close(self) {
        let signal = Arc::clone(&self.signal);
        drop(self);
        end_by(signal.load(Ordering::Relaxed));
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // There may be no terminal any more.
        let _ = self.send(LEAVE);
        let _ = self.terminal.enter_cooked_mode();
    }
}

#[cfg(unix)]
fn watch(signal: &Arc<AtomicUsize>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for number in [SIGHUP, SIGINT, SIGTERM] {
        let value = usize::try_from(number).unwrap_or(usize::MAX);
        // Without it the signal ends the program at once, and the terminal stays as it is.
        let _ = signal_hook::flag::register_usize(number, Arc::clone(signal), value);
    }
}

#[cfg(not(unix))]
fn watch(_: &Arc<AtomicUsize>) {}

#[cfg(unix)]
fn end_by(signal: usize) {
    if let Ok(number @ 1..) = i32::try_from(signal) {
        let _ = signal_hook::low_level::emulate_default_handler(number);
    }
}

#[cfg(not(unix))]
fn end_by(_: usize) {}

fn key(event: KeyEvent) -> Option<Key> {
    let is_control = event.modifiers.contains(Modifiers::CONTROL);
    Some(match event.code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Escape => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Char(char) if is_control => Key::Control(char),
        KeyCode::Char(char) => Key::Char(char),
        _ => return None,
    })
}

/// The beginning of a line with styles, as wide as the screen.
fn clipped(line: &str, width: usize) -> String {
    let (mut text, mut used) = (String::new(), 0);
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        if char == '\u{1b}' {
            // A style is all that is printed of these: it ends in a letter.
            text.push(char);
            for char in chars.by_ref() {
                text.push(char);
                if char.is_ascii_alphabetic() {
                    break;
                }
            }
            continue;
        }
        used += char.width().unwrap_or(0);
        if used > width {
            // A style may have begun that ends in the rest.
            let has_styles = text.contains('\u{1b}');
            return text + if has_styles { "\u{1b}[0m" } else { "" };
        }
        text.push(char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_clipped_by_columns_and_ends_its_styles() {
        assert_eq!(clipped("abc", 3), "abc");
        assert_eq!(clipped("abcd", 3), "abc");
        assert_eq!(clipped("漢字漢字", 5), "漢字");
        assert_eq!(
            clipped("\u{1b}[31mred\u{1b}[0m", 2),
            "\u{1b}[31mre\u{1b}[0m"
        );
        assert_eq!(clipped("", 0), "");
    }
}
