//! Text for a person: coloured where that is wanted, as wide as the terminal, in a pager where it
//! is long. Piped text is plain and as wide as it likes.

use std::io::{self, IsTerminal, Write};
use std::process::{Child, Command, Stdio};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use attest_verdict::Outcome;
use tabled::builder::Builder;
use tabled::settings::peaker::Priority;
use tabled::settings::{Padding, Style as Lines, Width};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::env::{self, Env};

pub(super) const STRONG: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dimmed();

/// Narrower than this nothing is cut: such a terminal wraps.
const NARROWEST: usize = 40;

/// Standard output.
pub(super) struct Screen {
    /// Columns and lines, where it is a terminal.
    size: Option<(usize, usize)>,
}

impl Screen {
    pub(super) fn of_stdout() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let size = is_terminal.then(terminal_size::terminal_size).flatten();
        Self {
            size: size.map(|(width, height)| (width.0.into(), height.0.into())),
        }
    }

    /// How wide a line may be; `None` where nobody minds.
    pub(super) fn width(&self) -> Option<usize> {
        self.size
            .map(|(width, _)| width)
            .filter(|width| *width >= NARROWEST)
    }

    /// Prints text that may hold styles. A reader that has seen enough is no error.
    pub(super) fn show(&self, text: &str, env: &Env) {
        let colour = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let plain;
        let text = if colour {
            text
        } else {
            plain = strip_str(text).to_string();
            &plain
        };
        let is_long = self
            .size
            .is_some_and(|(_, height)| text.lines().count() >= height);
        if let Some(mut pager) = is_long.then(|| pager(env)).flatten() {
            if let Some(mut pipe) = pager.stdin.take() {
                let _ = pipe.write_all(text.as_bytes());
            }
            let _ = pager.wait();
        } else {
            let mut out = io::stdout().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

/// The person's pager, or `less` so that it leaves short text and colours alone.
#[expect(
    clippy::disallowed_methods,
    reason = "a pager is the person's: it has the terminal, and ends when they are done"
)]
fn pager(env: &Env) -> Option<Child> {
    let line = env.text(env::PAGER).unwrap_or("less");
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words).stdin(Stdio::piped());
    if env.get(env::LESS).is_none() {
        command.env(env::LESS, "FRX");
    }
    command.spawn().ok()
}

/// A table without lines: a header, and columns as wide as they have to be. Where it is too wide
/// the widest columns are cut.
pub(super) fn table(header: &[&str], rows: Vec<Vec<String>>, width: Option<usize>) -> String {
    let mut builder = Builder::with_capacity(rows.len() + 1, header.len());
    builder.push_record(header.iter().map(|name| styled(STRONG, name)));
    for row in rows {
        builder.push_record(row);
    }
    let mut table = builder.build();
    table.with(Lines::empty()).with(Padding::new(0, 2, 0, 0));
    if let Some(width) = width {
        table.with(
            Width::truncate(width)
                .suffix("…")
                .priority(Priority::max(true)),
        );
    }
    let lines = table.to_string();
    let lines = lines.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

pub(super) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of an outcome: red is proven false, yellow is worth a look.
pub(super) fn style_of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Ok => AnsiColor::Green.on_default(),
        Outcome::Mismatch | Outcome::Blocked => AnsiColor::Red.on_default().bold(),
        Outcome::Warn | Outcome::ScopeCreep | Outcome::Unverifiable => {
            AnsiColor::Yellow.on_default()
        }
        Outcome::NoClaim | Outcome::NoSnapshot => FAINT,
    }
}

/// `text` in exactly `width` columns, cut at its end where it is longer.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let mut text = cut(text, width);
    let missing = width.saturating_sub(text.width());
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// `text` in at most `width` columns.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let kept = text.chars().take_while(|c| {
        taken += c.width().unwrap_or(0);
        taken < width
    });
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns_and_not_by_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(fitted("漢", 4), "漢  ");
        assert_eq!(fitted("abcdef", 4), "abc…");
    }

    #[test]
    fn the_widest_column_of_a_table_is_cut() {
        let rows = vec![vec!["a".into(), "b".repeat(60)]];
        let text = strip_str(&table(&["ONE", "TWO"], rows, Some(40))).to_string();
        for line in text.lines() {
            assert!(line.width() <= 40, "{line:?}");
        }
        assert!(text.contains('…') && text.contains("ONE"), "{text}");
    }
}
