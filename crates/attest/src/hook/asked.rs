//! What the prompt of a subagent says has to be there in the end, below "Done when:". It is read at the stop, from
//! the agent's transcript, since no host sends it with the start. Nothing of a prompt is run.

use std::path::{Path, PathBuf};

use attest_checklist::{Sought, are_nowhere};
use attest_claim::{Status, Wanted, done_when};
use attest_snapshot::{Change, Comparison, PathEvidence, Touch, canonical, read_regular_whole};
use attest_state::{Agent, Store};
use attest_verdict::{EvidenceSource as _, Unmet};

use super::background::may_still_write;
use super::context::Context;
use super::transcript::{Transcript, question_deadline};
use super::whereabouts::Search;
use attest_base::log::Level;

/// The largest file that is searched for a text, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// What a file in UTF-16 begins with: a text is not found in it byte by byte.
const UTF_16: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// What the prompt asks for and is certainly not there.
pub(super) fn unmet(
    (store, agent): (&Store, &Agent),
    transcript: &Transcript<'_>,
    comparison: &mut Comparison<'_>,
) -> Vec<Unmet> {
    let context = transcript.context;
    // An agent that says it is not done may leave something out.
    if let None | Some(Status::Done) = transcript.claim.status
        && context.turn.is_none()
        && let Some(session) = transcript.as_it_is()
    {
        let wanted = session.first_prompt().map_or_else(Vec::new, done_when);
        let mut open = open(context, comparison, wanted);
        if !open.is_empty() {
            exonerate(transcript, comparison, &mut open);
            let search = Search::new(store, agent, transcript, comparison);
            open.retain(|it| it.is_there || !search.may_have_been(&it.wanted.path));
        }
        return open.into_iter().map(Open::told).collect();
    }
    Vec::new()
}

/// Something that is asked for and was not found.
struct Open {
    wanted: Wanted,
    /// Whether the file is there, without the text.
    is_there: bool,
}

impl Open {
    fn told(self) -> Unmet {
        let why = if self.is_there {
            "the file does not contain it"
        } else {
            "it is not on disk"
        };
        Unmet {
            name: self.wanted.name(),
            why: why.to_owned(),
            is_of_prompt: true,
        }
    }
}

/// What of it was not found, as far as the work tree alone tells.
fn open(context: &Context, comparison: &Comparison<'_>, wanted: Vec<Wanted>) -> Vec<Open> {
    let mut last = None;
    let open = wanted.into_iter().filter_map(|wanted| {
        let path = match comparison.evidence_for(&wanted.path) {
            PathEvidence::Absent(_) => {
                let is_there = false;
                return Some(Open { wanted, is_there });
            }
            PathEvidence::Changed {
                path,
                change: Change::Written,
            } => path.under(&comparison.start().root)?,
            PathEvidence::OnDisk {
                path,
                touch: Touch::Untouched,
                ..
            } => path,
            _ => return None,
        };
        let text = wanted.contains.as_deref()?;
        lacks(context, comparison, (&path, text), &mut last).then_some(Open {
            wanted,
            is_there: true,
        })
    });
    open.collect()
}

/// Whether it is a file of the work tree that certainly does not contain the text. Several texts of one file are looked
/// for in what was read `last`; what the budget leaves out may be there.
fn lacks(
    context: &Context,
    comparison: &Comparison<'_>,
    (path, text): (&Path, &str),
    last: &mut Option<(PathBuf, Option<String>)>,
) -> bool {
    if last.as_ref().is_none_or(|(known, _)| known != path) {
        let root = &comparison.start().root;
        let is_inside = canonical(path).is_ok_and(|path| path.starts_with(root));
        let held = is_inside.then(|| text_of(context, path)).flatten();
        *last = Some((path.to_owned(), held));
    }
    let held = last.as_ref().and_then(|(_, held)| held.as_deref());
    held.is_some_and(|held| {
        let cut = context.limits.budget.take(held.len());
        if let Err(why) = &cut {
            context.log.write(Level::Info, "PROMPT_NOT_HELD", why);
        }
        cut.is_ok() && !says(held, &of_one_style(text))
    })
}

/// Whether the text stands there, its first letter in either case. One that is all marks may stand anywhere.
fn says(held: &str, text: &str) -> bool {
    let mut rest = text.chars();
    let Some(first) = rest.next() else {
        return true;
    };
    let rest = rest.as_str();
    let small: String = first.to_lowercase().chain(rest.chars()).collect();
    let large: String = first.to_uppercase().chain(rest.chars()).collect();
    held.contains(&small) || held.contains(&large)
}

/// A text without what people do not mean by it: where a line breaks, marks of code and the kind of a quote.
fn of_one_style(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().filter(|c| *c != '`').map(|c| match c {
            '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => '"',
            c => c,
        }));
    }
    plain
}

/// The text of a regular file that is not too large and not in UTF-16, in the style in which it is looked for.
fn text_of(context: &Context, path: &Path) -> Option<String> {
    let (bytes, _) = read_regular_whole(path, MAX_BYTES).ok()??;
    context.limits.budget.take(bytes.len()).ok()?;
    let is_text = !UTF_16.iter().any(|mark| bytes.starts_with(mark));
    is_text.then(|| of_one_style(&String::from_utf8_lossy(&bytes)))
}

/// Leaves out what may have been done elsewhere or may still be done, and all of it if the agent was told more than
/// its prompt.
fn exonerate(
    transcript: &Transcript<'_>,
    comparison: &mut Comparison<'_>,
    open_now: &mut Vec<Open>,
) {
    let context = transcript.context;
    let session = transcript.as_it_is();
    if !session.is_some_and(|session| session.has_one_prompt()) {
        let why =
            "the agent was told more than its prompt, or its transcript could not be read whole";
        context.log.write(Level::Info, "PROMPT_NOT_HELD", why);
        open_now.clear();
        return;
    }
    comparison.add_mentions(&transcript.mentions(comparison.start()));
    let wanted = std::mem::take(open_now).into_iter().map(|it| it.wanted);
    let mut left = open(context, comparison, wanted.collect());
    let may_write = may_still_write(transcript);
    left.retain(|open| !may_write(&open.wanted.path));
    if left.is_empty() {
        return;
    }
    // A prompt may name a file from a folder that it speaks of elsewhere.
    let names: Vec<_> = left
        .iter()
        .map(|open| comparison.name(&open.wanted.path))
        .collect();
    let sought: Vec<_> = left
        .iter()
        .zip(&names)
        .map(|(open, path)| Sought {
            path,
            contains: open.wanted.contains.as_deref(),
        })
        .collect();
    let root = &comparison.start().root;
    let nowhere = are_nowhere(root, &sought, Some(question_deadline(context)));
    let left = left.into_iter().zip(nowhere);
    open_now.extend(left.filter_map(|(open, is_nowhere)| is_nowhere.then_some(open)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_marks_alone_is_not_missing() {
        let is_there = |held, text| says(&of_one_style(held), &of_one_style(text));
        assert!(is_there("no mark at all", "`"));
        assert!(is_there("see the\n  guide", "`See` the guide"));
        assert!(!is_there("see the", "See the guide"));
    }
}
