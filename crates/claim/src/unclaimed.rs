//! Headings below which nothing is claimed.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::key;
use crate::markdown::Line;
use crate::title::{begins_as_plan, is_example};
use crate::unwritten::titles_a_plan;

/// Why nothing is claimed below a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unclaimed {
    /// All of it is a plan: "Migration plan".
    Planned,
    /// It tells of what is not done: "Planned changes".
    Open,
    /// It is not the report itself: "Previous attempt".
    Shown,
}

/// The headings of a message. Many keys may be below one, which may be long, so that each is read once.
pub(crate) struct Headings<'l, 'a> {
    lines: &'l [Line<'a>],
    read: RefCell<HashMap<usize, Option<Unclaimed>>>,
}

impl<'l, 'a> Headings<'l, 'a> {
    pub(crate) fn of(lines: &'l [Line<'a>]) -> Self {
        Self {
            lines,
            read: RefCell::default(),
        }
    }

    /// Why nothing is claimed right below the heading on this line.
    pub(crate) fn below(&self, at: usize) -> Option<Unclaimed> {
        let mut read = self.read.borrow_mut();
        *read
            .entry(at)
            .or_insert_with(|| unclaimed(self.lines[at].text))
    }

    /// The same below those that are headings among these lines, the innermost last.
    pub(crate) fn below_all(&self, titles: &[usize]) -> Option<Unclaimed> {
        let is_heading = |at: &&usize| self.lines[**at].level().is_some();
        let mut last = None;
        for at in titles.iter().filter(is_heading) {
            last = self.below(*at);
            if last == Some(Unclaimed::Planned) {
                break;
            }
        }
        last
    }
}

fn unclaimed(title: &str) -> Option<Unclaimed> {
    let is_key = || key::line(title).is_some();
    if titles_a_plan(title) && !is_key() {
        Some(Unclaimed::Planned)
    } else if is_example(title) {
        Some(Unclaimed::Shown)
    } else {
        (begins_as_plan(title) && !is_key()).then_some(Unclaimed::Open)
    }
}
