//! A column of a table, and what is in it.

use anstyle::Style;
use attest_verdict::Outcome;
use unicode_width::UnicodeWidthStr;

use crate::ui::prose::{cut, cut_brief, cut_path};
use crate::ui::text::{BAD, FAINT, mark, shown_as, styled};

/// What may be done to the cells of a column where there is little room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Nothing.
    Whole,
    /// Nothing; it is at the right of its column.
    Number,
    /// What is left tells it from every other in the column.
    Id,
    /// Cut at its end.
    Name,
    /// Without folders of its middle: the file at its end says most.
    Path,
    /// The same with a line about paths, which may also be below its row.
    Brief,
    /// Wrapped, or below its row.
    Prose,
    /// As long as there is room for.
    Bar,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    pub(super) title: &'static str,
    pub(super) kind: ColumnKind,
    /// The columns that are worth least go first.
    pub(super) worth: u8,
    /// How wide it is whatever is in it.
    pub(super) least: usize,
    /// Whether others go before a name at the end of a path is cut.
    pub(super) has_whole_names: bool,
}

impl Column {
    const fn new(title: &'static str, kind: ColumnKind, worth: u8) -> Self {
        Self {
            title,
            kind,
            worth,
            least: 0,
            has_whole_names: false,
        }
    }

    /// Nothing of it is ever cut.
    #[must_use]
    pub const fn whole(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Whole, worth)
    }

    /// A number, at the right.
    #[must_use]
    pub const fn number(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Number, worth)
    }

    /// An id, of which the beginning is enough.
    #[must_use]
    pub const fn id(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Id, worth)
    }

    /// A name.
    #[must_use]
    pub const fn name(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Name, worth)
    }

    /// A path.
    #[must_use]
    pub const fn path(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Path, worth)
    }

    /// A short text.
    #[must_use]
    pub const fn brief(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Brief, worth)
    }

    /// A text that may take several lines.
    #[must_use]
    pub const fn prose(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Prose, worth)
    }

    /// A bar, as wide as there is room.
    #[must_use]
    pub const fn bar(title: &'static str, worth: u8) -> Self {
        Self::new(title, ColumnKind::Bar, worth)
    }

    /// Not so narrow that a name at the end of a path is cut.
    #[must_use]
    pub const fn with_whole_names(mut self) -> Self {
        self.has_whole_names = true;
        self
    }

    /// At least so wide, for rows that are still to come.
    #[must_use]
    pub const fn at_least(mut self, width: usize) -> Self {
        self.least = width;
        self
    }
}

/// What is in a column of a row. It is printed as it is: it has to be safe to print.
#[derive(Debug, Clone)]
pub struct Cell {
    style: Style,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Text(String),
    Bar { part: u32, whole: u32 },
}

impl Cell {
    /// A text in a style.
    pub fn styled(style: Style, text: impl Into<String>) -> Self {
        Self {
            style,
            content: Content::Text(text.into()),
        }
    }

    /// A text.
    pub fn new(text: impl Into<String>) -> Self {
        Self::styled(Style::new(), text)
    }

    /// The text, or a dash.
    pub fn or_dash(text: Option<impl Into<String>>) -> Self {
        text.map_or_else(Self::dash, Self::new)
    }

    /// Stands for what is not known.
    #[must_use]
    pub fn dash() -> Self {
        Self::styled(FAINT, "-")
    }

    /// An outcome with its mark, so that it can be told without colours.
    #[must_use]
    pub fn outcome(outcome: Outcome, is_to_look_at: bool) -> Self {
        let (style, mark) = shown_as(outcome, is_to_look_at);
        Self::styled(style, format!("{mark} {outcome}"))
    }

    /// A bar of which `part` of `whole` is filled; empty if there is no whole.
    #[must_use]
    pub fn bar(part: u32, whole: u32) -> Self {
        Self {
            style: BAD,
            content: Content::Bar { part, whole },
        }
    }

    pub(super) fn text(&self) -> &str {
        match &self.content {
            Content::Text(text) => text,
            Content::Bar { .. } => "",
        }
    }

    pub(super) fn is_bar(&self) -> bool {
        matches!(self.content, Content::Bar { .. })
    }

    /// One line of the cell, and how wide it is.
    pub(super) fn line(&self, kind: ColumnKind, width: usize) -> (String, usize) {
        let text = match (&self.content, kind) {
            (Content::Bar { part, whole }, _) => return bar(self.style, *part, *whole, width),
            (Content::Text(text), ColumnKind::Path) => cut_path(text, width),
            (Content::Text(text), ColumnKind::Brief) => cut_brief(text, width),
            // An id that is cut is one that can be typed, unlike words.
            (Content::Text(text), ColumnKind::Id) if !text.contains(' ') => {
                text.chars().take(width).collect()
            }
            (Content::Text(text), _) => cut(text, width),
        };
        let used = text.width();
        (self.dressed(&text), used)
    }

    pub(super) fn dressed(&self, text: &str) -> String {
        if self.style == Style::new() || text.is_empty() {
            return text.to_owned();
        }
        styled(self.style, text)
    }
}

/// A bar whose filled part is the share; what is not nothing is seen.
fn bar(style: Style, part: u32, whole: u32, width: usize) -> (String, usize) {
    if whole == 0 {
        return (String::new(), 0);
    }
    let cells = u64::try_from(width).unwrap_or(0);
    let filled = (u64::from(part) * cells).div_ceil(u64::from(whole));
    let filled = usize::try_from(filled).unwrap_or(0).min(width);
    let (full, empty) = (mark("█", "#"), mark("░", "-"));
    let text = format!(
        "{}{}",
        styled(style, full.repeat(filled)),
        styled(FAINT, empty.repeat(width - filled))
    );
    (text, width)
}
