//! Why a file may have lost its content, by what the report says and by what else changed: read once for all files.

use std::cell::OnceCell;

use attest_claim::{Loss, loss_in};
use attest_evidence::Before;

use super::super::Sources;
use crate::Verdict;

/// Changed files among which lost content is looked for.
const MOST_CHANGED: usize = 500;
/// The longest line, in bytes, that is read again without a name that itself speaks of a loss.
const LONGEST_LINE: usize = 4096;

pub(super) struct Excuses<'a> {
    sources: Sources<'a>,
    verdict: &'a Verdict,
    /// The most that the report says of lost content.
    said: OnceCell<Option<Loss>>,
    /// Its lines, and what each says of it.
    lines: OnceCell<Vec<(&'a str, Option<Loss>)>>,
    /// By how many bytes changed files grew; `None` if there are too many to say.
    growth: OnceCell<Option<u64>>,
}

impl<'a> Excuses<'a> {
    pub(super) fn of(sources: Sources<'a>, verdict: &'a Verdict) -> Self {
        Self {
            sources,
            verdict,
            said: OnceCell::new(),
            lines: OnceCell::new(),
            growth: OnceCell::new(),
        }
    }

    /// Whether the report speaks of an empty file anywhere, or of lost content on a line with the file's name. That it
    /// holds the same in fewer words explains it only if others grew.
    pub(super) fn explain_emptiness(&self, path: &str, lost: u64) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_plain = loss_in(name).is_none();
        let lines = || {
            let lines = self.sources.message.lines();
            lines.map(|line| (line, loss_in(line))).collect()
        };
        let of_it = |(line, said): &(&str, Option<Loss>)| match said {
            Some(_) if !line.contains(name) => None,
            Some(_) if !is_plain && line.len() <= LONGEST_LINE => loss_in(&line.replace(name, " ")),
            said => *said,
        };
        let lines = self.lines.get_or_init(lines).iter();
        match lines.filter_map(of_it).max().max(self.said_of_all()) {
            None => false,
            Some(Loss::Shorter) => self.have_grown(lost),
            Some(Loss::Less | Loss::Empty) => true,
        }
    }

    /// An empty file of which the report speaks may be any.
    fn said_of_all(&self) -> Option<Loss> {
        self.said().filter(|said| *said == Loss::Empty)
    }

    /// Whether the report speaks of lost content, or other files grew by so much that what one lost may be in them.
    pub(super) fn cover_a_loss(&self, lost: u64) -> bool {
        self.said().is_some() || self.have_grown(lost)
    }

    fn have_grown(&self, lost: u64) -> bool {
        self.growth().is_none_or(|growth| growth >= lost / 2)
    }

    fn said(&self) -> Option<Loss> {
        *self.said.get_or_init(|| loss_in(self.sources.message))
    }

    fn growth(&self) -> Option<u64> {
        let grown = || {
            let changed = &self.verdict.observed;
            if changed.len() > MOST_CHANGED {
                return None;
            }
            let changed: Vec<_> = changed.iter().map(|(path, _)| path).collect();
            let now = self.sources.repository.held_now(&changed, 0).into_iter();
            let before = self.sources.repository.held_before(&changed);
            let growth = now.zip(before).filter_map(|(now, before)| {
                let now = now?.size;
                Some(match before? {
                    Before::Missing | Before::Some => now,
                    Before::Bytes(before) => now.saturating_sub(before),
                })
            });
            Some(growth.sum())
        };
        *self.growth.get_or_init(grown)
    }
}
