//! From one piece of text to the paths that it may mean.

use crate::label::{Label, begins_with_name, is_denial, label, operation_of};
use crate::name::{Readings, bare, leading_span, link, without_position};
use crate::shape::{has_extension, is_path, trim_end, unresolvable};
use crate::split::{arrow, closed_remark, remark, to};
use crate::words::{is_remark, is_stop_word};
use crate::written::unquoted;
use crate::{Operation, Target, Unresolvable};

/// Words of a text that may still be one path with spaces in it.
const MOST_WORDS: usize = 6;

/// What a piece means.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) readings: Readings,
    pub(crate) operation: Option<Operation>,
    /// A remark begins in the piece and has no end of its own.
    pub(crate) is_open: bool,
}

/// Reads one piece.
pub(crate) fn read(whole: &str) -> Result<Piece, Unresolvable> {
    let whole = whole.trim();
    let (label, text) = label(undecorated(whole));
    let mut piece = Piece {
        operation: label.operation,
        ..Piece::default()
    };
    if let Some((from, to)) = renamed(text, label) {
        piece.read_rename(from, to)?;
    } else {
        let parts = Parts::of(text);
        if is_denial(parts.remark) {
            return Err(Unresolvable::Denied);
        }
        piece.is_open = parts.is_open;
        piece.operation = operation_of(parts.remark).or(piece.operation);
        if let Err(why) = piece.read_name(&parts) {
            // "Parser: src/a.py" names the path behind the colon.
            let path = lone_path(parts.remark)
                .filter(|_| parts.is_open)
                .ok_or(why)?;
            piece.readings.add_name(path);
            piece.is_open = false;
        }
    }
    for other in [text, whole] {
        piece.readings.add(bare(other));
        // A quotation that holds a quote is not found as a span: "'it's.py':12".
        piece.readings.add(bare(without_position(trim_end(other))));
        piece.readings.add(other);
    }
    if piece.readings.targets.is_empty() {
        return Err(Unresolvable::Prose);
    }
    Ok(piece)
}

/// A name and what is said about it.
#[derive(Debug)]
struct Parts<'a> {
    name: &'a str,
    remark: &'a str,
    is_open: bool,
    /// Whether marks around the name say where it ends.
    is_marked: bool,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let mark = remark(text);
        let is_open = mark.is_some();
        if let Some((name, remark)) = leading_span(text) {
            let is_marked = true;
            return Self {
                name,
                remark,
                is_open,
                is_marked,
            };
        }
        let before = mark.as_ref().map_or(text, |mark| text[..mark.start].trim());
        let (name, closed) = match closed_remark(before) {
            // "page(1).tsx" and "a(new)": only white space parts a remark from a name.
            Some(at) if before[..at].ends_with(char::is_whitespace) => before.split_at(at),
            _ => (before, ""),
        };
        let (name, counts) = without_counts(name.trim());
        let open = mark.map_or("", |mark| &text[mark.end..]);
        Self {
            name,
            remark: [closed, open, counts]
                .into_iter()
                .find(|remark| !remark.is_empty())
                .unwrap_or_default(),
            is_open,
            is_marked: false,
        }
    }
}

impl Piece {
    fn read_rename(&mut self, from: &str, to: &str) -> Result<(), Unresolvable> {
        let parts = Parts::of(to);
        self.is_open = parts.is_open;
        let (from, to) = (trim_end(bare(from)), trim_end(bare(parts.name)));
        if let Some(why) = unresolvable(from).or_else(|| unresolvable(to)) {
            return Err(why);
        }
        self.readings.add_name(to);
        self.readings.add_name(from);
        self.readings.push_first(Target::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        Ok(())
    }

    fn read_name(&mut self, parts: &Parts<'_>) -> Result<(), Unresolvable> {
        if let Some((words, destination)) = link(parts.name) {
            return self.read_link(bare(words), destination);
        }
        let inner = bare(parts.name);
        let inner = inner.strip_prefix("file://").unwrap_or(inner);
        if let Some(why) = unresolvable(inner) {
            return Err(why);
        }
        let words = inner.split_whitespace().count();
        let is_name = match words {
            0 => false,
            1 => is_name(inner, parts),
            _ => is_spaced_path(inner, parts.is_marked) || inner.contains(" => "),
        };
        if !is_name {
            return Err(Unresolvable::Prose);
        }
        self.readings.add_name(inner);
        if words > 1 {
            for word in inner.split_whitespace().filter(|w| is_path(trim_end(w))) {
                self.readings.add_name(word);
            }
        }
        if let Some(at) = closed_remark(inner) {
            // "a.py(new)" or the route "a(b)": the shorter name is a reading as well.
            self.readings.add(&inner[..at]);
        }
        if parts.name.starts_with('"') && inner.contains('\\') {
            match unquoted(inner) {
                Some(plain) => self.readings.add(&plain),
                // "C:\new" in quotes is no name that git has quoted.
                None if inner.contains(":\\") => {}
                None => return Err(Unresolvable::Garbled),
            }
        }
        Ok(())
    }

    fn read_link(&mut self, words: &str, destination: &str) -> Result<(), Unresolvable> {
        for text in [words, destination] {
            if unresolvable(text).is_none() && is_path(trim_end(text)) {
                self.readings.add_name(text);
            }
        }
        if !self.readings.targets.is_empty() {
            self.readings.add(words);
            return Ok(());
        }
        Err(unresolvable(destination)
            .or_else(|| unresolvable(words))
            .unwrap_or(Unresolvable::Prose))
    }
}

/// Whether a single word is a name. One without the shape of a path is, where it stands alone:
/// "Parser — faster now" speaks of a part of the program, and a word with "()" of a function.
fn is_name(word: &str, parts: &Parts<'_>) -> bool {
    let word = trim_end(word);
    if is_path(word) {
        return true;
    }
    let is_said = parts.is_open || (parts.is_marked && !is_aside(parts.remark));
    word.chars().any(char::is_alphanumeric) && !is_said && !is_remark(word) && !is_code(word)
}

fn is_code(word: &str) -> bool {
    word.ends_with("()") || word.contains("::")
}

fn lone_path(text: &str) -> Option<&str> {
    let path = trim_end(bare(text.trim_start_matches(['—', '–', '-', ':', ' '])));
    (is_path(path) && has_extension(path) && unresolvable(path).is_none()).then_some(path)
}

fn is_aside(remark: &str) -> bool {
    trim_end(remark).is_empty() || remark.starts_with(['(', '['])
}

/// Whether several words can be one path: "my docs/a file.md", "/home/me/My Documents/x".
fn is_spaced_path(text: &str, is_marked: bool) -> bool {
    let words: Vec<_> = text.split_whitespace().take(MOST_WORDS + 1).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_rooted = first.starts_with(['/', '.', '\\']) || first.contains(":\\");
    let ends_as_path = is_path(trim_end(last)) && has_extension(trim_end(last));
    let ends_as_folder = text.ends_with('/') && words.iter().all(|w| !is_stop_word(w));
    let is_sentence = !is_marked && !is_rooted && words.iter().any(|word| is_stop_word(word));
    words.len() <= MOST_WORDS && !is_sentence && (is_rooted || ends_as_path || ends_as_folder)
}

/// Without pictures and other signs before and behind the text.
fn undecorated(text: &str) -> &str {
    let mut text = text.trim_end_matches([' ', '\\']).trim();
    while let Some(rest) = text.strip_prefix("&nbsp;") {
        text = rest.trim_start();
    }
    let is_picture = |word: &str| {
        word.chars()
            .all(|c| !c.is_alphanumeric() && !c.is_ascii() && !matches!(c, '—' | '–' | '→' | '…'))
    };
    while let Some((word, rest)) = text.split_once(' ')
        && is_picture(word)
    {
        text = rest.trim_start();
    }
    while let Some((rest, word)) = text.rsplit_once(' ')
        && is_picture(word)
    {
        text = rest.trim_end();
    }
    text
}

/// Without the figures behind a path: "a.py +12/-3", "a.py line 12".
fn without_counts(name: &str) -> (&str, &str) {
    let Some((first, rest)) = name.split_once(char::is_whitespace) else {
        return (name, "");
    };
    let is_count = |word: &str| {
        matches!(word, "line" | "lines" | "L" | "only" | "too")
            || !word.chars().any(char::is_alphabetic)
    };
    if is_path(first) && has_extension(first) && rest.split_whitespace().all(is_count) {
        (first, rest)
    } else {
        (name, "")
    }
}

/// "a -> b", "renamed a to b"; but not "src/a.py: x -> y", which tells what changed in the file.
fn renamed(text: &str, label: Label) -> Option<(&str, &str)> {
    let (from, target) = arrow(text).or_else(|| to(text).filter(|_| label.is_rename))?;
    let is_name = |side: &str| {
        let parts = Parts::of(side);
        let inner = bare(parts.name);
        let is_one = !inner.chars().any(char::is_whitespace) && !inner.ends_with("()");
        inner.chars().any(char::is_alphanumeric) && (is_one || is_spaced_path(inner, false))
    };
    let is_whole = remark(from).is_none() && leading_span(from).is_none_or(|(_, r)| r.is_empty());
    // "src/a.py → faster" is a remark, "a -> b" a rename.
    let are_alike = begins_with_name(from) == begins_with_name(target);
    (is_whole && are_alike && is_name(from) && is_name(target)).then_some((from, target))
}
