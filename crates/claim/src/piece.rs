//! From one piece of text to the paths that it may mean.

use crate::denial::{is_denial, is_denying_label, is_of_others};
use crate::elsewhere::is_elsewhere;
use crate::hedge::leaves_doubt;
use crate::label::{Label, label, operation_of};
use crate::name::{MAX_PATH_BYTES, Readings, bare, leading_span, link, without_position};
use crate::parts::{Parts, is_aside};
use crate::shape::{has_extension, has_optional_letters, is_file, is_path, trim_end};
use crate::split::{arrow, closed_remark, remark, to};
use crate::unresolvable::unresolvable;
use crate::written::{in_latin, unquoted};
use crate::{Certainty, Operation, Unresolvable, lexicon};

/// The most words of a text that may still be one path with spaces.
const MAX_PATH_WORDS: usize = 6;

/// What a piece means.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) readings: Readings,
    pub(crate) operation: Option<Operation>,
    /// A remark begins in the piece and has no end of its own.
    pub(crate) is_open: bool,
}

impl Piece {
    /// Whether any reading is more than likely.
    pub(crate) fn is_sure(&self) -> bool {
        let readings = &self.readings.readings;
        readings
            .iter()
            .any(|reading| reading.certainty > Certainty::Likely)
    }

    /// Makes every reading unable to prove anything.
    pub(crate) fn doubt(&mut self) {
        for reading in &mut self.readings.readings {
            reading.certainty = Certainty::Likely;
        }
    }
}

/// Reads one piece.
pub(crate) fn read(whole: &str) -> Result<Piece, Unresolvable> {
    let whole = whole.trim();
    if whole.len() > 2 * MAX_PATH_BYTES {
        return Err(Unresolvable::Prose);
    }
    if whole.starts_with("~~") || whole.starts_with("<del>") {
        return Err(Unresolvable::Denied);
    }
    let shown = undecorated(whole);
    // What was removed before and after it.
    let signs = whole.split(shown).next().unwrap_or_default();
    if is_denial(signs)
        || is_denial(
            whole
                .strip_prefix(signs)
                .and_then(|w| w.strip_prefix(shown))
                .unwrap_or_default(),
        )
    {
        return Err(Unresolvable::Denied);
    }
    let (label, text) = label(shown);
    if label.is_denial {
        return Err(Unresolvable::Denied);
    }
    let mut piece = Piece {
        operation: label.operation,
        ..Piece::default()
    };
    let mut is_away = false;
    if let Some((from, to)) = renamed(text, label) {
        piece.read_rename(from, to)?;
    } else {
        let parts = Parts::of(text);
        if is_denial(parts.remark) {
            return Err(Unresolvable::Denied);
        }
        is_away = leaves_doubt(parts.remark);
        piece.is_open = parts.is_open;
        piece.operation = operation_of(parts.remark).or(piece.operation);
        if let Err(why) = piece.read_name(&parts) {
            // In "Parser: src/a.py" the path is after the colon.
            let path = lone_path(parts.remark)
                .filter(|_| parts.is_said && !names_no_change(parts.name))
                .ok_or(why)?;
            piece.readings.add_name(path);
            piece.is_open = false;
        }
    }
    if is_away {
        piece.doubt();
    }
    for other in [text, whole] {
        piece.readings.add_likely(bare(other));
        // A quotation that contains a quote is not found as a span: "'it's.py':12".
        piece
            .readings
            .add_likely(bare(without_position(trim_end(other))));
        piece.readings.add_likely(other);
    }
    if piece.readings.readings.is_empty() {
        return Err(Unresolvable::Prose);
    }
    Ok(piece)
}

impl Piece {
    fn read_rename(&mut self, from: &str, to: &str) -> Result<(), Unresolvable> {
        let parts = Parts::of(to);
        if is_denial(parts.remark) {
            return Err(Unresolvable::Denied);
        }
        self.is_open = parts.is_open;
        let (from, to) = (trim_end(bare(from)), trim_end(bare(parts.name)));
        if let Some(why) = unresolvable(from).or_else(|| unresolvable(to)) {
            return Err(why);
        }
        let both = [from, to].map(crate::shape::certainty);
        self.readings.push_rename(from, to, both[0].min(both[1]));
        Ok(())
    }

    fn read_name(&mut self, parts: &Parts<'_>) -> Result<(), Unresolvable> {
        if let Some((words, destination)) = link(bare(parts.name)) {
            return self.read_link(bare(words), destination);
        }
        // "**`a.py`:** what was done"
        let inner = bare(bare(parts.name).trim_end_matches(':'));
        let inner = inner.strip_prefix("file://").unwrap_or(inner);
        if let Some((words, destination)) = link(inner) {
            return self.read_link(bare(words), destination);
        }
        if let Some(why) = unresolvable(inner) {
            return Err(why);
        }
        if parts.name.starts_with('"') && inner.contains('\\') && !inner.contains(":\\") {
            // git quotes a name if it has to write escapes in it.
            let name = unquoted(inner).ok_or(Unresolvable::Garbled)?;
            self.readings.add_name(&name);
            self.readings.add_likely(inner);
            return Ok(());
        }
        match inner.split_whitespace().take(2).count() {
            1 if parts.stands_alone() && is_path_in_latin(trim_end(without_position(inner))) => {
                self.readings.add_name(inner);
            }
            1 if is_name(inner, parts) => self.read_likely_word(inner),
            _ => self.read_words(inner, parts)?,
        }
        if let Some(at) = closed_remark(inner) {
            // "a.py(new)" or the route "a(b)": the shorter name is a reading too.
            if has_optional_letters(inner) {
                self.readings.add_doubtful(&inner[..at]);
            } else {
                self.readings.add_name(&inner[..at]);
            }
        }
        Ok(())
    }

    /// A word that stands next to others, or that does not have the shape of a path.
    fn read_likely_word(&mut self, word: &str) {
        self.readings.add_doubtful(word);
    }

    /// Several words that may be one path: "my docs/a file.md", "/home/me/My Documents/x".
    fn read_words(&mut self, text: &str, parts: &Parts<'_>) -> Result<(), Unresolvable> {
        if text.contains(" => ") {
            self.readings.add_name(text);
        } else if is_certain_with_spaces(text, parts) {
            self.readings.add_certain(text);
        } else if is_spaced_path(text, parts.is_marked) {
            self.read_likely_word(text);
            for word in text
                .split_whitespace()
                .filter(|word| is_path(trim_end(word)))
            {
                self.read_likely_word(word);
            }
        } else {
            return Err(Unresolvable::Prose);
        }
        Ok(())
    }

    /// The path of a link is in its text, in its destination, or in both.
    fn read_link(&mut self, words: &str, destination: &str) -> Result<(), Unresolvable> {
        let is_name =
            |text: &str| unresolvable(text).is_none() && is_path(trim_end(without_position(text)));
        let is_remote = unresolvable(destination) == Some(Unresolvable::Url);
        if is_name(words) && is_remote {
            // It may be the file of that name in another repository.
            self.readings.add_doubtful(words);
        } else if is_name(words) {
            self.readings.add_name(words);
        }
        if is_name(destination) {
            self.readings.add_name(destination);
        }
        if !self.readings.readings.is_empty() {
            self.readings.add_likely(words);
            return Ok(());
        }
        Err(unresolvable(destination)
            .or_else(|| unresolvable(words))
            .unwrap_or(Unresolvable::Prose))
    }
}

/// Whether a word is a path, or would be one if all its letters were Latin.
fn is_path_in_latin(word: &str) -> bool {
    is_path(word) || in_latin(word).is_some_and(|latin| is_path(&latin))
}

/// Whether a single word may be a name: without the shape of a path, only if it stands alone.
fn is_name(word: &str, parts: &Parts<'_>) -> bool {
    let is_said = parts.is_said || (parts.is_marked && !is_aside(parts.remark));
    is_path(word) || !is_said && word.chars().any(char::is_alphanumeric)
}

/// "Reference: docs/a.md" and "Next step: a.py" name a path without claiming it.
pub(crate) fn names_no_change(label: &str) -> bool {
    let mut words = label.split(|c: char| !c.is_alphanumeric());
    words.any(|word| lexicon::ends_a_list(word) || lexicon::refers(word))
        || is_denying_label(label)
        || is_elsewhere(label)
        || is_of_others(label)
        || lexicon::is_pointer(label)
}

fn lone_path(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['—', '–', '-', ':', ' ']);
    let parts = Parts::of(text);
    let path = trim_end(bare(parts.name));
    if !parts.stands_alone() || is_denial(parts.remark) {
        return None;
    }
    (is_file(path) && unresolvable(path).is_none()).then_some(path)
}

/// Whether a text with spaces is a path and cannot be a sentence or a command: it is marked as one
/// name and begins with a folder.
fn is_certain_with_spaces(text: &str, parts: &Parts<'_>) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(last)) = (words.next(), words.next_back()) else {
        return false;
    };
    let is_below = first.contains(['/', '\\']) && !has_extension(first);
    let ends = is_file(trim_end(last));
    let is_rooted = first.starts_with(['/', '.', '\\']) || first.contains(":\\");
    let is_one = words.all(|word| {
        !lexicon::is_stop_word(word) && !has_extension(word) && !word.contains(['/', '\\'])
    });
    // "bin/rails db/seeds.rb" is a command.
    let is_command = first.starts_with("./") || last.contains(['/', '\\']) && !is_rooted;
    is_below
        && ends
        && is_one
        && !is_command
        && (parts.is_marked && parts.stands_alone() || is_rooted)
}

/// Whether several words can be one path: "my docs/a file.md", "/home/me/My Documents/x".
fn is_spaced_path(text: &str, is_marked: bool) -> bool {
    let words: Vec<_> = text.split_whitespace().take(MAX_PATH_WORDS + 1).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_rooted = first.starts_with(['/', '.', '\\']) || first.contains(":\\");
    let ends_as_path = is_file(trim_end(last));
    let ends_as_folder = text.ends_with('/') && words.iter().all(|w| !lexicon::is_stop_word(w));
    let is_sentence =
        !is_marked && !is_rooted && words.iter().any(|word| lexicon::is_stop_word(word));
    words.len() <= MAX_PATH_WORDS && !is_sentence && (is_rooted || ends_as_path || ends_as_folder)
}

/// Removes pictures and other signs before and after the text.
fn undecorated(text: &str) -> &str {
    let mut text = text.trim_end_matches([' ', '\\']).trim();
    while let Some(rest) = text.strip_prefix("&nbsp;") {
        text = rest.trim_start();
    }
    let is_picture =
        |c: char| !c.is_alphanumeric() && !c.is_ascii() && !matches!(c, '—' | '–' | '→' | '…');
    text = text.trim_matches(|c: char| is_picture(c) || c.is_whitespace());
    text
}

/// The names after "R100" in a line of `git diff --name-status`.
fn two_names(text: &str) -> Option<(&str, &str)> {
    let (from, to) = text.split_once(char::is_whitespace)?;
    is_path(from).then_some((from, to.trim_start()))
}

/// "a -> b", "renamed a to b"; but not "src/a.py: x -> y", which describes a change in the file.
fn renamed(text: &str, label: Label) -> Option<(&str, &str)> {
    let (from, target) = arrow(text)
        .or_else(|| to(text).filter(|_| label.is_rename))
        .or_else(|| two_names(text).filter(|_| label.is_rename))?;
    let is_name = |side: &str| {
        let parts = Parts::of(side);
        let inner = bare(parts.name);
        let is_one = !inner.chars().any(char::is_whitespace) && !inner.ends_with("()");
        inner.chars().any(char::is_alphanumeric) && (is_one || is_spaced_path(inner, false))
    };
    let is_whole = remark(from).is_none() && leading_span(from).is_none_or(|(_, r)| r.is_empty());
    // "src/a.py → faster" is a remark, "a -> b" a rename.
    let is_path_like = |side: &str| is_path(trim_end(bare(Parts::of(side).name)));
    let are_alike = is_path_like(from) == is_path_like(target);
    (is_whole && are_alike && is_name(from) && is_name(target)).then_some((from, target))
}
