//! One name of an item, with the words in front of it and behind it.

use std::cmp::Reverse;

use crate::frame::labelled;
use crate::item::no_path;
use crate::outline::Outline;
use crate::path::shape::{is_file, is_path, trim_end};
use crate::path::{MAX_PATH_BYTES, Name, bare, is_spaced, is_sure, leading_span, without_position};
use crate::remark::{self, Sense};
use crate::split::{self, begins_with_name, sides};
use crate::title::Title;
use crate::words;
use crate::{Entry, Meaning, Operation, Unresolvable};

/// The most readings of one entry.
const MAX_READINGS: usize = 16;
/// The digits of a mode, as git prints it: "create mode 100644 a.py".
const MODE_DIGITS: usize = 6;
/// The most words in front of a name: "the new file".
const MAX_LABEL_WORDS: usize = 4;

/// One name with the words around it.
pub(super) struct Piece<'a> {
    pub(super) name: Result<Name, Unresolvable>,
    /// What the words in front of the name say was done.
    operation: Option<Operation>,
    /// The label in front of it and of those behind it, if it is not understood.
    pub(super) title: Option<&'a str>,
    pub(super) remark: &'a str,
    /// The remark has no end of its own.
    pub(super) is_open: bool,
    /// The words in front of the name deny it.
    pub(super) is_denial: bool,
}

impl<'a> Piece<'a> {
    /// Whether it names what can only be a path.
    pub(super) fn is_sure(&self) -> bool {
        self.name.as_ref().is_ok_and(|name| is_sure(&name.readings))
    }

    pub(super) fn of(whole: &'a str) -> Self {
        let whole = whole.trim();
        let shown = undecorated(whole);
        let mut piece = Self {
            name: Err(Unresolvable::Prose),
            operation: None,
            title: None,
            remark: "",
            is_open: false,
            is_denial: false,
        };
        // What was removed before and after it: "❌ a.py", "😴 a.py".
        let at = shown.as_ptr() as usize - whole.as_ptr() as usize;
        let signs = [&whole[..at], &whole[at + shown.len()..]];
        let is_open = signs.map(remark::read).contains(&Sense::Untouched);
        let is_struck = whole.starts_with("~~") || whole.starts_with("<del>");
        if is_open || signs[0].contains(words::is_face) || is_struck {
            piece.name = Err(Unresolvable::Denied);
        } else if whole.len() <= 2 * MAX_PATH_BYTES {
            piece.read(shown);
            // "`a.py` — ✅": the sign is what is said.
            let is_joint = !piece.remark.contains(char::is_alphanumeric);
            if is_joint
                && !piece.remark.is_empty()
                && matches!(remark::read(signs[1]), Sense::Work(_))
            {
                piece.remark = signs[1].trim();
            }
            if let Ok(name) = &mut piece.name {
                name.add_text(shown);
                name.add_text(whole);
            }
        }
        piece
    }

    fn read(&mut self, text: &'a str) {
        let (title, text) = labelled(text).unwrap_or(("", text));
        let label = Label::of(text);
        self.operation = label.operation;
        self.is_denial = label.is_denial;
        match Title::of(title, Operation::Changed) {
            Title::Known(operation) => self.operation = self.operation.or(Some(operation)),
            said => {
                self.title = Some(title);
                self.is_denial |= said == Title::Ends;
            }
        }
        if self.is_denial {
            self.name = Err(Unresolvable::Denied);
            return;
        }
        let rename = renamed(label.rest, label.is_rename);
        let cut = Cut::of(rename.map_or(label.rest, |(_, to)| to));
        (self.remark, self.is_open) = (cut.remark, cut.is_open);
        // "`a -> b`" has one span for both.
        let spanned = || renamed(bare(cut.name), label.is_rename).filter(|_| cut.is_marked);
        let rename = rename.map(|(from, _)| (from, cut.name));
        if let Some((from, to)) = rename.or_else(spanned) {
            self.name = Name::of_rename(trim_end(bare(from)), trim_end(bare(to)));
            return;
        }
        // What is said behind a word makes it the subject of a sentence rather than a name.
        let is_subject = cut.is_said || cut.is_marked && !cut.remark.is_empty();
        self.name = Name::of(cut.name, cut.is_marked, !is_subject);
    }

    pub(super) fn into_entry(self, raw: &str, operation: Operation) -> Entry {
        let said = self.operation.filter(|said| *said != Operation::Changed);
        let mut entry = no_path(raw, said.unwrap_or(operation), Unresolvable::Prose);
        entry.title = self.title.map(str::to_owned);
        entry.meaning = match self.name {
            Ok(mut name) => {
                // Certain readings come first, and are never cut off.
                name.readings
                    .sort_by_key(|reading| Reverse(reading.certainty));
                name.readings.truncate(MAX_READINGS);
                Meaning::Paths(name.readings)
            }
            Err(why) => Meaning::Unresolvable(why),
        };
        entry.put_remark(self.remark);
        entry
    }
}

/// A name and what is said behind it.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    pub(super) name: &'a str,
    pub(super) remark: &'a str,
    /// A sign stands between the name and the remark.
    is_said: bool,
    /// The remark behind the sign goes on to the end of the text.
    pub(super) is_open: bool,
    /// Marks around the name show where it ends.
    is_marked: bool,
}

impl<'a> Cut<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let sign = split::remark(text).unwrap_or(text.len()..text.len());
        let is_open = text[sign.end..].split_whitespace().nth(1).is_some();
        let span = leading_span(text);
        let (name, remark) = span.unwrap_or_else(|| {
            let name = text[..sign.start].trim_end();
            let name = &name[..bracket(name).unwrap_or(name.len())];
            let name = &name[..words_behind(name).unwrap_or(name.len())];
            let is_sign = |c: char| c.is_whitespace() || matches!(c, '—' | '–' | ':' | '|' | '=');
            (name.trim(), text[name.len()..].trim_start_matches(is_sign))
        });
        Self {
            name,
            remark,
            is_said: !sign.is_empty(),
            is_open,
            is_marked: span.is_some(),
        }
    }
}

/// Where a remark in brackets begins: "a.py (new)", "a.py [new]", "b.py(planned)"; but not in "page(1).tsx".
fn bracket(text: &str) -> Option<usize> {
    if !text.ends_with([')', ']']) {
        return None;
    }
    let last = Outline::of(text)
        .spans
        .pop()
        .filter(|last| last.end == text.len())?;
    let name = text[..last.start].trim_end();
    let is_apart = name.len() < last.start || is_file(bare(name));
    is_apart.then_some(last.start)
}

/// Where the words begin that follow a file: "a.py added x", "a.py +12/-3", "a.py line 12".
fn words_behind(text: &str) -> Option<usize> {
    let (first, rest) = text.trim_start().split_once(char::is_whitespace)?;
    let mut behind = rest.split_whitespace();
    let (second, third) = (behind.next()?, behind.next().unwrap_or_default());
    let is_name = is_file(without_position(trim_end(first))) && !first.contains('{');
    let is_other = rest.split_whitespace().any(|word| is_file(trim_end(word)));
    // "a.py to replace b.py", but not "a.py to b.py"
    let is_joint = words::closed(second).is_some()
        && !(matches!(second, "to" | "and") && is_file(trim_end(third)));
    let is_said = is_name && (!is_other || is_joint || words::change(second).is_some());
    is_said.then(|| text.len() - rest.len() - 1)
}

/// The words in front of a name.
#[derive(Default)]
struct Label<'a> {
    operation: Option<Operation>,
    is_rename: bool,
    is_denial: bool,
    rest: &'a str,
}

impl<'a> Label<'a> {
    /// Splits them off: "Created `a.py`", "M a.py", "[NEW] a.py", "New file: a.py", "Skipped a.py".
    fn of(text: &'a str) -> Self {
        let mut label = Self {
            rest: without_figures(text).unwrap_or(text),
            ..Self::default()
        };
        for index in 0..MAX_LABEL_WORDS {
            let words = label.rest.split_once(char::is_whitespace);
            match words.filter(|_| index == 0 || !begins_with_name(label.rest)) {
                Some((word, after)) if label.take(word, index == 0) => {
                    label.rest = after.trim_start();
                }
                _ => break,
            }
        }
        if begins_with_name(label.rest) {
            return label;
        }
        let mut ends = text
            .match_indices(char::is_whitespace)
            .take(MAX_LABEL_WORDS);
        let end = ends.find(|(at, _)| begins_with_name(text[*at..].trim_start()));
        let is_denial = end.is_some_and(|(end, _)| {
            let words = text[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
            remark::read(words) == Sense::Untouched
        });
        Self {
            is_denial,
            rest: text,
            ..Self::default()
        }
    }

    /// Whether the word is part of a label.
    fn take(&mut self, word: &str, is_first: bool) -> bool {
        let plain = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        let title = words::TITLES.class(&plain);
        // "Imports a.py" and "Documented in a.py" mention it.
        let is_mention = matches!(title, Some("ends" | "plan"));
        if word.contains("()") || is_mention || plain == "in" && self.operation.is_some() {
            return false;
        }
        let letter = git_letter(word).filter(|_| is_first);
        self.is_rename |= matches!(plain.as_str(), "renamed" | "rename" | "moved" | "move")
            || word.starts_with('R') && letter.is_some();
        // "#14 src/a.py"
        let is_number = plain.bytes().all(|byte| byte.is_ascii_digit())
            && (word.starts_with('#') && is_first || plain.len() == MODE_DIGITS);
        let is_beside = words::ROLES.has(&plain, "beside") && letter.is_none();
        // "(+55/-0) src/a.py"
        let is_figure = is_first && remark::is_diff(word);
        if is_beside || is_number || is_figure {
            return true;
        }
        let change = || words::change(&plain).filter(|_| plain.chars().count() > 1);
        let said = letter.or_else(change);
        self.operation = self.operation.or(said);
        said.is_some()
    }
}

/// The name behind the figures of `git diff --numstat`: "12  3  src/a.py".
fn without_figures(text: &str) -> Option<&str> {
    let (added, rest) = text.split_once(char::is_whitespace)?;
    let (removed, name) = rest.trim_start().split_once(char::is_whitespace)?;
    let is_figure = |text: &str| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit());
    (is_figure(added) && is_figure(removed)).then(|| name.trim_start())
}

/// Whether a line begins with a name, perhaps behind words that say what was done to it.
pub(crate) fn begins_with_file(text: &str) -> bool {
    begins_with_name(Label::of(text).rest)
}

/// The first column of `git status --short` and `git diff --name-status`.
fn git_letter(word: &str) -> Option<Operation> {
    let letter = word.trim_matches(['[', ']', '(', ')', '`', ':']);
    // "R100" has a score behind it.
    let score = letter.strip_prefix(['R', 'C']).unwrap_or_default();
    let is_score = score.len() == 3 && score.bytes().all(|b| b.is_ascii_digit());
    let class = words::LETTERS.class(if is_score { "R" } else { letter });
    // A box with this sign in it is half ticked.
    class.filter(|_| word != "[~]").map(words::operation)
}

/// Whether a name stands behind such a letter: "M src/a.py".
pub(crate) fn has_git_letter(text: &str) -> bool {
    let words = text.trim_start().split_once(char::is_whitespace);
    words.is_some_and(|(word, rest)| {
        let is_letter = word.contains(|c: char| c.is_ascii_alphabetic() || c == '?');
        is_letter && git_letter(word).is_some() && begins_with_name(rest.trim_start())
    })
}

/// "a -> b", "renamed a to b"; but not "src/a.py: x -> y", which describes a change in the file.
fn renamed(text: &str, is_rename: bool) -> Option<(&str, &str)> {
    let two_names = || {
        let (from, to) = text.split_once(char::is_whitespace)?;
        is_path(from).then_some((from, to.trim_start()))
    };
    let joined = || {
        let (from, to) = sides(text, split::TO).or_else(two_names)?;
        // "src/a.py renamed to src/b.py"
        let renamed = from.strip_suffix(" renamed");
        let renamed = renamed.map(|from| from.strip_suffix(" was").unwrap_or(from));
        let renamed = renamed.filter(|from| !from.ends_with([':', '-', '–', '—']));
        is_rename.then_some(from).or(renamed).map(|from| (from, to))
    };
    let (from, to) = sides(text, split::ARROWS).or_else(joined)?;
    let is_whole =
        split::remark(from).is_none() && leading_span(from).is_none_or(|(_, rest)| rest.is_empty());
    let names = [from, to].map(|side| bare(Cut::of(side).name));
    let is_name = |name: &str| {
        let is_one = !name.contains(char::is_whitespace) && !name.ends_with("()");
        name.chars().any(char::is_alphanumeric) && (is_one || is_spaced(name, false))
    };
    // "src/a.py → faster" is a remark, "a -> b" a rename.
    let are_alike = is_path(trim_end(names[0])) == is_path(trim_end(names[1]));
    (is_whole && are_alike && names.into_iter().all(is_name)).then_some((from, to))
}

/// Removes pictures and other signs before and after the text.
fn undecorated(text: &str) -> &str {
    let text = text.trim_end_matches([' ', '\\']);
    let is_picture = |c: char| !c.is_alphanumeric() && !c.is_ascii() && c != '…';
    let is_joint = |c: char| matches!(c, '—' | '–' | '→');
    text.trim_start_matches(|c: char| is_picture(c) || c.is_whitespace())
        .trim_end_matches(|c: char| is_picture(c) && !is_joint(c) || c.is_whitespace())
}
