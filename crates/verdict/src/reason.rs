//! The words that a blocked agent reads.

use attest_claim::Kind;
use attest_evidence::{Printable, Untrusted};

use crate::{ClaimFinding, Finding, Verdict};

/// How what attest says to a blocked agent begins.
pub const FEEDBACK: &str = "attest: the report says Status: DONE, but ";
/// Lines of one kind at most.
const MOST_LINES: usize = 20;
/// Characters of one name at most.
const LONGEST: usize = 200;

/// Who is sent back, and who worked beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Addressee {
    /// Whether it is the main agent, whose every message the person reads.
    pub(crate) is_main: bool,
    /// How many other agents worked in the same work tree.
    pub(crate) others_at_work: u32,
}

/// Says what does not hold, and what to send instead. Of a subagent the host keeps only the last text, so the
/// complete report is asked for again.
pub(crate) fn block_reason(verdict: &Verdict, to: Addressee) -> Printable {
    let mut text = FEEDBACK.to_owned();
    let proofs: Vec<_> = verdict.proofs().collect();
    let is_of_files = proofs.iter().all(|found| found.kind == Kind::Files);
    text.push_str(if is_of_files {
        "the git work tree disproves part of it:\n"
    } else {
        "part of it is disproved:\n"
    });
    list(&mut text, &proofs, |found| statement(found));
    if to.others_at_work > 0 && is_of_files {
        text.push_str(
            "Other agents worked in the same tree, and no change to it by anybody was found since you began.\n",
        );
    }
    ask_again(&mut text, to);
    Printable::new(&text)
}

/// What is asked of an agent that is sent back.
pub(crate) fn ask_again(text: &mut String, to: Addressee) {
    text.push_str("Make the missing change, or correct the claim. Then ");
    text.push_str(if to.is_main {
        "report again."
    } else {
        "send your complete final report again: only your last message is kept."
    });
}

/// One line for each of the first.
pub(crate) fn list<T>(text: &mut String, all: &[T], line: impl Fn(&T) -> String) {
    for one in all.iter().take(MOST_LINES) {
        text.push_str(&format!("- {}\n", line(one)));
    }
    if let Some(more) = all.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        text.push_str(&format!("- and {more} more\n"));
    }
}

/// What does not hold of one claim, in one line: what is claimed as data, and what was seen instead. Of a path that
/// is what the agent's tools say of it, where that is known, and what the disk shows.
#[must_use]
pub fn statement(found: &ClaimFinding) -> String {
    let name = quoted(&found.claimed);
    let why = found.why.as_ref();
    if let Some(why) = why.filter(|_| found.finding.tells_what_became()) {
        return format!("{name} {why}");
    }
    let doubt = found
        .doubt
        .as_ref()
        .filter(|_| found.finding == Finding::Absent);
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; {doubt}"));
    match &found.testimony {
        Some(testimony) => format!("{name}: {testimony}, {}{doubt}", found.finding.fact()),
        None if found.kind != Kind::Files => {
            let why = found.why.as_deref();
            format!("{name}: {}", why.unwrap_or_else(|| found.finding.meaning()))
        }
        None => format!("{name}: {}{doubt}", found.finding.told()),
    }
}

/// A name in quotes, as data: escaped, and not longer than a line.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", said(name).replace('"', "\\\""))
}

/// A text of somebody else, escaped, and not longer than a line.
pub(crate) fn said(text: &str) -> String {
    cut(Untrusted::new(text).to_string(), LONGEST)
}

/// The text, or so many characters of its beginning.
pub(crate) fn cut(mut text: String, most: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests;
