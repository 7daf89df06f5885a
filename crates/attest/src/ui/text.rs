//! Styles, tables and columns.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use attest_verdict::Outcome;
use tabled::builder::Builder;
use tabled::settings::peaker::Priority;
use tabled::settings::{Padding, Style as Lines, Width};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A line of a difference.
pub(crate) const ADDED: Style = GOOD;
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();

/// A table without lines: a header, and columns as wide as they have to be. Where it is too wide
/// the widest columns are cut.
pub(crate) fn table(header: &[&str], rows: Vec<Vec<String>>, width: Option<usize>) -> String {
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

pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of an outcome: red is proven false, yellow is worth a look.
pub(crate) fn style_of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Ok => GOOD,
        Outcome::Mismatch | Outcome::Blocked => BAD,
        Outcome::Warn | Outcome::ScopeCreep | Outcome::Unverifiable => DOUBTFUL,
        Outcome::NoClaim | Outcome::NoSnapshot => FAINT,
    }
}

/// `text` in exactly `width` columns, cut at its end where it is longer.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    let mut text = cut(text, width);
    let missing = width.saturating_sub(text.width());
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// `text` in at most `width` columns.
pub(crate) fn cut(text: &str, width: usize) -> String {
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
    use anstream::adapter::strip_str;

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
