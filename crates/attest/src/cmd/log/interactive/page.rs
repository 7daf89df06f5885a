//! A verdict on the whole screen: explained, or what was claimed beside what was seen.

use super::{Step, compare};
use crate::cmd::explain;
use crate::cmd::history::{Found, SHORT_ID};
use crate::ui::NARROWEST;

pub(super) const KEYS: &[&str] = &["d compare or explain", "/ find", "y copy id", "q back"];

/// How a verdict is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Explained,
    Compared,
}

pub(super) struct Page {
    found: Found,
    shown: Shown,
    /// The first line that is seen.
    top: usize,
    /// How many lines were seen at once.
    seen: usize,
    /// How many there were.
    all: usize,
}

impl Page {
    pub(super) fn of(found: Found, shown: Shown) -> Self {
        Self {
            found,
            shown,
            top: 0,
            seen: 1,
            all: 1,
        }
    }

    pub(super) fn is_compared(&self) -> bool {
        self.shown == Shown::Compared
    }

    pub(super) fn go(&mut self, step: Step) {
        let last = self.all.saturating_sub(self.seen);
        self.top = step.from(self.top, last, self.seen);
    }

    pub(super) fn title(&self) -> String {
        let what = match self.shown {
            Shown::Explained => "explained",
            Shown::Compared => "compared",
        };
        let end = (self.top + self.seen).min(self.all);
        let place = if self.all > self.seen {
            format!(", {} to {end} of {}", self.top + 1, self.all)
        } else {
            String::new()
        };
        let id: String = self.found.entry.id.chars().take(SHORT_ID).collect();
        format!("{id} {what}{place}")
    }

    pub(super) fn lines(&mut self, width: usize, room: usize) -> Vec<String> {
        let width = Some(width.max(NARROWEST));
        let text = match self.shown {
            Shown::Explained => explain::text(&self.found, width),
            Shown::Compared => compare::text(&self.found, width),
        };
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        (self.all, self.seen) = (lines.len(), room);
        self.top = self.top.min(self.all.saturating_sub(room));
        lines.into_iter().skip(self.top).take(room).collect()
    }
}
