//! What is said once about several names: "a.py and b.py (skipped)", "Skipped a.py, b.py".

use crate::denial::is_denial;
use crate::hedge::part_leaves_doubt;
use crate::label::begins_with_name;
use crate::name::{bare, leading_span};
use crate::parts::Parts;
use crate::shape::{is_path, trim_end};
use crate::{Entry, lexicon};

/// Where words take a name away, its neighbours may be meant too, and prove nothing.
///
/// On the line of a key a remark in brackets belongs to one name: "a.py, b.py (unchanged)".
pub(crate) fn spread_doubts(entries: &mut [Entry], brackets_are_of_one: bool) {
    let said: Vec<_> = entries
        .iter()
        .map(|entry| Said::of(entry, brackets_are_of_one))
        .collect();
    for (at, here) in said.iter().enumerate() {
        match here {
            Said::OfAllBefore => (0..at)
                .rev()
                .take_while(|other| said[*other] == Said::Nothing)
                .for_each(|other| entries[other].doubt()),
            Said::OfAllBehind => (at + 1..said.len())
                .take_while(|other| begins_with_name(&entries[*other].raw))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|other| entries[other].doubt()),
            Said::Nothing | Said::OfItself => {}
        }
    }
}

/// What the text of an entry says beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// It is a name and nothing else.
    Nothing,
    /// Something about this name alone.
    OfItself,
    /// Behind the name: that it, and perhaps those before it, were not worked on or are not here.
    OfAllBefore,
    /// In front of the name: that it, and perhaps those behind it, were not worked on.
    OfAllBehind,
}

impl Said {
    fn of(entry: &Entry, brackets_are_of_one: bool) -> Self {
        let text = entry.raw.trim();
        // "`my docs/read me.md`" is a name, whatever its words are.
        let is_marked = leading_span(text).is_some_and(|(_, rest)| rest.is_empty());
        if is_marked || is_path(trim_end(bare(text))) {
            return Self::Nothing;
        }
        let first = text.split_whitespace().next().unwrap_or_default();
        let is_in_front = !begins_with_name(text) && text.split_whitespace().any(begins_with_name);
        if is_in_front
            && (entry.is_denied() || lexicon::refers(first) || lexicon::ends_a_list(first))
        {
            return Self::OfAllBehind;
        }
        let parts = Parts::of(text);
        // "a.py did not need changes"
        let remark = match parts.remark {
            "" => text
                .strip_prefix(first)
                .filter(|_| begins_with_name(text))
                .unwrap_or(text),
            remark => remark,
        };
        // "a.py; b.py is the stock one"
        let is_singular = |word: &str| {
            matches!(
                word,
                "is" | "was" | "has" | "comes" | "stays" | "ist" | "wurde"
            )
        };
        let is_of_one = brackets_are_of_one && text.ends_with([')', ']'])
            || remark.split_whitespace().next().is_some_and(is_singular);
        if !is_of_one && (entry.is_denied() || is_denial(remark) || part_leaves_doubt(remark)) {
            Self::OfAllBefore
        } else {
            Self::OfItself
        }
    }
}
