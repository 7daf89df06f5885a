//! What the words beside a path say of it.
//!
//! Only what is understood can speak against an agent: that work was done on the file, or what the
//! file is. There are endless ways to say that a file is not here, so none of them is listed.

mod another;
mod clause;
mod goal;
mod token;

use serde::{Deserialize, Serialize};

use crate::Operation;
use crate::words;
use token::{Clause, clauses};

/// The words beside a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The words as the agent wrote them.
    pub text: String,
    /// How they are understood.
    pub sense: Sense,
}

/// How a remark about a path is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sense {
    /// It says that the file was worked on: "new", "+12 −3", "fixed the date picker".
    Work(Operation),
    /// It says what the file is or does: "unit tests for the parser".
    Description,
    /// It says plainly that nothing was done to the file: "unchanged".
    Untouched,
    /// It is not understood, so that the path proves nothing.
    Other,
}

impl Sense {
    /// Whether a path with such a remark is claimed as worked on.
    #[must_use]
    pub fn is_understood(self) -> bool {
        matches!(self, Self::Work(_) | Self::Description)
    }
}

impl Remark {
    /// Reads the words beside a path. `None` if there are none.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        // Many entries may have one remark: what is not read of it is not kept.
        let text = text.trim();
        let text = &text[..text.floor_char_boundary(MAX_REMARK_BYTES)];
        let is_other = |word: &str| !words::ROLES.has(word, "filler");
        let is_sign = || {
            let is_of_meaning = !text.is_ascii() || text.contains('?') || text == "-";
            is_of_meaning && !text.contains(char::is_alphanumeric)
        };
        let is_said = words::has_word(text, is_other) && !says_nothing(text) || is_sign();
        is_said.then(|| Self {
            text: undressed(text).to_owned(),
            sense: read(text),
        })
    }

    /// Words that may be about more than the name in front of them.
    pub(crate) fn not_understood(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_REMARK_BYTES)];
        Self {
            text: text.to_owned(),
            sense: Sense::Other,
        }
    }

    /// Whether it can only be about one file: "so I left it out", or "unchanged", which says that the file is there.
    pub(crate) fn is_of_one(&self) -> bool {
        let is_there = |clause: &Clause| clause.untouched() == Some("there");
        words::ROLES.is_in(&self.text, "single") || clauses(&self.text).iter().any(is_there)
    }
}

/// The words without the sign in front of them and the brackets around them.
fn undressed(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '—' | '–' | '-' | ':' | '|')
    });
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inside
        .filter(|inside| !inside.contains(['(', ')']))
        .unwrap_or(text)
}

/// "a.py only", "b.py (120)", "c.py 95%", "d.py — done": a number that is not zero, or that it is done.
pub(crate) fn says_nothing(text: &str) -> bool {
    let is_number = |word: &str| {
        let is_sign = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
        word.chars().all(is_sign) && word.contains(|c| matches!(c, '1'..='9'))
    };
    let is_nothing = |word: &String| {
        let is_filler = words::ROLES.has(word, "filler");
        is_filler || words::STATUS.class(word) == Some("done") || is_number(word)
    };
    let clauses = clauses(text);
    // "#12" may be where somebody else did it, and "[1]" what is said at the foot.
    let is_open = is_open(text) || text.starts_with("~~") || text.contains(['#', '[', '?']);
    !is_open && !clauses.is_empty() && clauses.iter().all(|it| it.words.iter().all(is_nothing))
}

/// How many bytes of a remark are read: what follows is no longer about the path.
pub(crate) const MAX_REMARK_BYTES: usize = 1_000;

/// Whether a sign or a box says that something is not done.
pub(crate) fn is_open(text: &str) -> bool {
    words::has_sign(text, "open") || text.contains("[ ]")
}

/// "2 by Bob"
pub(crate) fn is_by_another(text: &str) -> bool {
    clauses(text).iter().any(|clause| clause.is_by_another(0))
}

/// Understands a remark.
pub(crate) fn read(text: &str) -> Sense {
    let text = &text[..text.floor_char_boundary(MAX_REMARK_BYTES)];
    if is_open(text) || text.starts_with("~~") || is_none_of_several(text) {
        return Sense::Untouched;
    }
    if is_diff(text) {
        return Sense::Work(Operation::Changed);
    }
    let clauses = clauses(text);
    let senses: Vec<_> = clauses.iter().map(Clause::sense).collect();
    if senses.contains(&Sense::Untouched) {
        return Sense::Untouched;
    }
    if clauses.is_empty() && words::has_sign(text, "done") {
        return Sense::Work(Operation::Changed);
    }
    let takes_back = |clause: &Clause| clause.takes_back();
    if matches!(senses.first(), Some(Sense::Work(_))) && clauses.iter().skip(1).any(takes_back) {
        return Sense::Untouched;
    }
    whole(&clauses, &senses)
}

/// "0/2", "(0 of 3)"
fn is_none_of_several(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    let parts = text.split_once('/').or_else(|| text.split_once(" of "));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    parts.is_some_and(|(none, all)| none == "0" && is_number(all) && all != "0")
}

/// "+12 −3", "+12/-3": the figures of a diff, not all of them zero.
pub(crate) fn is_diff(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, '+' | '-' | '\u{2212}' | '±');
    let is_part = |c: char| {
        c.is_ascii_digit() || is_sign(c) || matches!(c, ' ' | '/' | ',' | '(' | ')' | '[' | ']')
    };
    text.contains(is_sign) && text.contains(|c| matches!(c, '1'..='9')) && text.chars().all(is_part)
}

/// What the clauses say together: work counts if it is not undone and all that is said behind it is understood, or goes
/// on with it; a description only if nothing else is said. Of another language few words are known, so that nothing
/// counts beside what is not understood.
fn whole(clauses: &[Clause], senses: &[Sense]) -> Sense {
    let is_undone =
        clauses.iter().skip(1).any(Clause::undoes) || clauses.iter().any(Clause::ends_undone);
    let is_foreign = clauses.iter().any(Clause::is_foreign);
    let is_open = is_foreign && !senses.iter().all(|sense| sense.is_understood());
    let is_relation = matches!(clauses, [clause] if clause.is_relation());
    if is_undone || is_open || is_relation || clauses.iter().any(|clause| clause.is_question) {
        return Sense::Other;
    }
    // "Twilio: tightened the check", "12 lines, adds the parser"
    let lead = senses
        .iter()
        .zip(clauses)
        .take_while(|(sense, clause)| match sense {
            Sense::Description => true,
            Sense::Other => clause.is_label(),
            _ => false,
        })
        .count();
    let mut behind = senses.iter().zip(clauses).skip(lead + 1);
    if behind.any(|(sense, clause)| *sense == Sense::Other && !clause.goes_on()) {
        return Sense::Other;
    }
    let is_described = !is_foreign && senses.contains(&Sense::Description);
    match senses.get(lead) {
        Some(work @ Sense::Work(_)) => *work,
        // "Unit tests (13 cases), parser and lexer": the parts of a list of things need not all be known.
        _ if is_described && clauses.iter().all(Clause::is_plain) => Sense::Description,
        _ => Sense::Other,
    }
}
