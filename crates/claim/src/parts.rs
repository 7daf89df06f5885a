//! A name, separated from what is said about it.

use crate::denial::is_denial;
use crate::hedge::leaves_doubt;
use crate::lexicon;
use crate::list_line::without_signs;
use crate::name::{bare, leading_span, without_position};
use crate::shape::{is_file, is_path, trim_end};
use crate::split::{closed_remark, remark};

/// A name and what is said about it.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    pub(crate) remark: &'a str,
    pub(crate) is_open: bool,
    /// Whether a mark stands between the name and the remark.
    pub(crate) is_said: bool,
    /// Whether marks around the name show where it ends.
    pub(crate) is_marked: bool,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mark = remark(text);
        // "a.py — new, b.py": a single word ends by itself.
        let is_open = mark
            .as_ref()
            .is_some_and(|mark| text[mark.end..].split_whitespace().nth(1).is_some());
        let is_said = mark.is_some();
        if let Some((name, remark)) = leading_span(text) {
            return Self {
                name,
                remark,
                is_open,
                is_said,
                is_marked: true,
            };
        }
        let before = mark.as_ref().map_or(text, |mark| text[..mark.start].trim());
        let (name, closed) = match closed_remark(before) {
            // "page(1).tsx" and "a(new)": only white space separates a remark from a name.
            Some(at) if before[..at].ends_with(char::is_whitespace) => before.split_at(at),
            _ => (before, ""),
        };
        let (name, said) = without_words(name.trim());
        let open = mark.map_or("", |mark| &text[mark.end..]);
        let remarks = [closed, said, open];
        // A denial in any of the remarks counts, and so does a doubt.
        let said = || remarks.into_iter().filter(|remark| !remark.is_empty());
        let remark = said()
            .find(|remark| is_denial(remark))
            .or_else(|| said().find(|remark| leaves_doubt(remark)))
            .or_else(|| said().next());
        Self {
            name,
            remark: remark.unwrap_or_default(),
            is_open,
            is_said,
            is_marked: false,
        }
    }

    /// Whether the name stands alone, except for a remark of a known shape.
    pub(crate) fn stands_alone(&self) -> bool {
        !self.is_marked
            || self.remark.is_empty()
            || bare(self.name).ends_with(':')
            || is_aside(self.remark)
    }
}

/// Whether a remark has a recognisable shape: in brackets, after a dash or a colon, or beginning
/// with what was done.
pub(crate) fn is_aside(remark: &str) -> bool {
    // "`a.py` *(new)*"
    let remark = remark.trim_start().trim_start_matches(['*', '_']);
    // "`a.py` ✏️ modified"
    let first = without_signs(remark)
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    trim_end(remark).is_empty()
        || remark.starts_with([
            '(', '[', '—', '–', '-', ':', '#', '|', '=', '→', ',', '+', '⟵', '←', '<', '/', '{',
        ])
        || lexicon::change(first).is_some()
        || lexicon::is_predicate(first)
        || lexicon::is_preposition(first)
        || remark.split_whitespace().all(is_figure)
}

fn is_figure(word: &str) -> bool {
    matches!(
        word,
        "line" | "lines" | "L" | "only" | "too" | "as" | "well" | "also" | "itself"
    ) || !word.chars().any(char::is_alphabetic)
        || word
            .trim_start_matches(['L', '+', '-', '−'])
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | 'L'))
}

/// The name without the words or figures after it that say what was done to it: "a.py added x",
/// "a.py +12/-3", "a.py line 12".
fn without_words(name: &str) -> (&str, &str) {
    let Some((first, rest)) = name.split_once(char::is_whitespace) else {
        return (name, "");
    };
    if !is_file(without_position(trim_end(first))) {
        return (name, "");
    }
    let verb = rest.split_whitespace().next().unwrap_or_default();
    let next = rest.split_whitespace().nth(1).unwrap_or_default();
    let is_said = (lexicon::change(verb).is_some() || lexicon::is_predicate(verb))
        && !is_path(rest.trim())
        // "a.py to parse the input", but not "a.py to b.py"
        || matches!(verb, "for" | "from" | "with" | "using" | "via" | "because")
        || verb == "to" && !is_path(trim_end(bare(next)))
        || rest.starts_with(['*', '_', '<', '(', '[', '{', '"']);
    if is_said || rest.split_whitespace().all(is_figure) {
        (first, rest)
    } else {
        (name, "")
    }
}
