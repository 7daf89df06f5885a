//! One name of an item, with the words in front of it and behind it.

use crate::outline::Outline;
use crate::path::shape::{has_optional_letters, is_file, is_path, trim_end};
use crate::path::unresolvable::unresolvable;
use crate::path::{MAX_PATH_BYTES, Name, bare, is_spaced, leading_span, without_position};
use crate::remark::{self, Sense};
use crate::split::{self, begins_with_name};
use crate::words::{self, TitleWord};
use crate::{Entry, Meaning, Operation, Unresolvable, title};

/// The most readings of one entry.
const MAX_READINGS: usize = 16;
/// The most words in front of a name: "the new file".
const MAX_LABEL_WORDS: usize = 4;

/// One name with the words around it.
pub(super) struct Piece<'a> {
    pub(super) name: Result<Name, Unresolvable>,
    /// What the words in front of the name say was done.
    operation: Option<Operation>,
    /// Words in front of the name that are not understood.
    label: Option<&'a str>,
    pub(super) remark: &'a str,
    /// The remark has no end of its own.
    pub(super) is_open: bool,
    /// The words in front of the name deny it.
    pub(super) is_denial: bool,
}

impl<'a> Piece<'a> {
    /// Whether it names what can only be a path.
    pub(super) fn is_sure(&self) -> bool {
        self.name.as_ref().is_ok_and(Name::is_sure)
    }

    pub(super) fn of(whole: &'a str) -> Self {
        let whole = whole.trim();
        let shown = undecorated(whole);
        let mut piece = Self {
            name: Err(Unresolvable::Prose),
            operation: None,
            label: None,
            remark: "",
            is_open: false,
            is_denial: false,
        };
        // What was removed before and after it: "❌ a.py".
        let at = shown.as_ptr() as usize - whole.as_ptr() as usize;
        let signs = [&whole[..at], &whole[at + shown.len()..]].map(remark::read);
        if signs.contains(&Sense::Untouched)
            || whole.starts_with("~~")
            || whole.starts_with("<del>")
        {
            piece.name = Err(Unresolvable::Denied);
        } else if whole.len() <= 2 * MAX_PATH_BYTES {
            piece.read(shown);
            if let Ok(name) = &mut piece.name {
                name.add_text(shown);
                name.add_text(whole);
            }
        }
        piece
    }

    fn read(&mut self, text: &'a str) {
        let label = Label::of(text);
        self.operation = label.operation;
        if label.is_denial {
            self.name = Err(Unresolvable::Denied);
            self.is_denial = true;
            return;
        }
        if let Some((from, to)) = renamed(label.rest, label.is_rename) {
            let cut = Cut::of(to);
            (self.remark, self.is_open) = (cut.remark, cut.is_open);
            self.name = Name::of_rename(trim_end(bare(from)), trim_end(bare(cut.name)));
            return;
        }
        let cut = Cut::of(label.rest);
        (self.remark, self.is_open) = (cut.remark, cut.is_open);
        self.name = Name::of(cut.name, cut.is_marked, !cut.is_subject());
        if self.name.is_err() && cut.is_said {
            // In "Parser: src/a.py" the path is after the sign.
            let inner = Cut::of(
                cut.remark
                    .trim_start_matches(['-', '=', '>', '→', '➜', '⟶', '#', '/', ' ']),
            );
            let path = trim_end(bare(inner.name));
            if is_file(path) && unresolvable(path).is_none() {
                match title::of_label(cut.name, Operation::Changed) {
                    Ok(_) => {}
                    Err(Unresolvable::Denied) => return,
                    Err(_) => self.label = Some(cut.name),
                }
                (self.remark, self.is_open) = (inner.remark, false);
                self.name = Name::of(path, false, true);
            }
        }
    }

    pub(super) fn into_entry(self, raw: &str, operation: Operation) -> Entry {
        let mut entry = Entry {
            raw: raw.to_owned(),
            operation: self
                .operation
                .filter(|said| *said != Operation::Changed)
                .unwrap_or(operation),
            meaning: match self.name {
                Ok(name) => Meaning::Paths(name.into_readings(MAX_READINGS)),
                Err(why) => Meaning::Unresolvable(why),
            },
            remark: None,
            title: self.label.map(str::to_owned),
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
        let sign = split::remark(text);
        let is_long = |from: usize| text[from..].split_whitespace().nth(1).is_some();
        let is_said = sign.is_some();
        let is_open = sign.as_ref().is_some_and(|sign| is_long(sign.end));
        if let Some((name, remark)) = leading_span(text) {
            return Self {
                name,
                remark,
                is_said,
                is_open,
                is_marked: true,
            };
        }
        let end = sign.as_ref().map_or(text.len(), |sign| sign.start);
        let name = text[..end].trim_end();
        let name = &name[..bracket(name)
            .or_else(|| words_behind(name))
            .unwrap_or(name.len())];
        let name = &name[..words_behind(name).unwrap_or(name.len())];
        let remark = text[name.len()..].trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, '—' | '–' | ':' | '|' | '=')
        });
        Self {
            name: name.trim(),
            remark,
            is_said,
            is_open,
            is_marked: false,
        }
    }

    /// Whether what is said behind a word makes it the subject of a sentence rather than a name.
    fn is_subject(&self) -> bool {
        self.is_said || self.is_marked && !self.remark.is_empty()
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
    let is_apart = name.len() < last.start || is_file(bare(name)) && !has_optional_letters(text);
    (is_apart && !name.is_empty()).then_some(last.start)
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
struct Label<'a> {
    operation: Option<Operation>,
    is_rename: bool,
    pub(super) is_denial: bool,
    rest: &'a str,
}

impl<'a> Label<'a> {
    /// Splits them off: "Created `a.py`", "M a.py", "[NEW] a.py", "New file: a.py", "Skipped a.py".
    fn of(text: &'a str) -> Self {
        let none = Self {
            operation: None,
            is_rename: false,
            is_denial: false,
            rest: text,
        };
        let mut label = Self { ..none };
        for index in 0..MAX_LABEL_WORDS {
            let Some((word, after)) = label.rest.split_once(char::is_whitespace) else {
                break;
            };
            if index > 0 && begins_with_name(label.rest) || !label.take(word, index == 0) {
                break;
            }
            label.rest = after.trim_start();
        }
        if begins_with_name(label.rest) {
            return label;
        }
        let ends = text
            .match_indices(char::is_whitespace)
            .take(MAX_LABEL_WORDS)
            .map(|(at, _)| at);
        let end = ends
            .into_iter()
            .find(|at| begins_with_name(text[*at..].trim_start()));
        let is_denial = end.filter(|_| !begins_with_name(text)).is_some_and(|end| {
            remark::read(text[..end].trim_end_matches(|c: char| !c.is_alphanumeric()))
                == Sense::Untouched
        });
        Self {
            is_denial,
            operation: None,
            is_rename: false,
            rest: text,
        }
    }

    fn take(&mut self, word: &str, is_first: bool) -> bool {
        const FILLERS: &[&str] = &[
            "a", "also", "and", "both", "config", "done", "existing", "file", "filename", "files",
            "in", "just", "mode", "name", "ok", "only", "path", "script", "source", "test",
            "tests", "the",
        ];
        let plain = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        // "Imports a.py" mentions it.
        let is_mention = matches!(
            words::title(&plain),
            Some(TitleWord::Ends | TitleWord::Plan)
        );
        // So does "Documented in a.py".
        if word.contains("()") || is_mention || plain == "in" && self.operation.is_some() {
            return false;
        }
        let letter = git_letter(word).filter(|_| is_first);
        // "#14 src/a.py"
        let is_number = || word.starts_with('#') && plain.bytes().all(|byte| byte.is_ascii_digit());
        self.is_rename |= matches!(plain.as_str(), "renamed" | "rename" | "moved" | "move")
            || is_first && word.starts_with('R') && letter.is_some();
        let is_filler = FILLERS.contains(&plain.as_str()) && letter.is_none();
        let said = if is_filler || is_first && is_number() {
            None
        } else if let Some(said) =
            letter.or_else(|| words::change(&plain).filter(|_| plain.chars().count() > 1))
        {
            Some(said)
        } else {
            return false;
        };
        self.operation = self.operation.or(said);
        true
    }
}

/// Whether a line begins with a name, perhaps behind words that say what was done to it.
pub(crate) fn begins_with_file(text: &str) -> bool {
    begins_with_name(Label::of(text).rest)
}

/// The first column of `git status --short` and `git diff --name-status`.
fn git_letter(word: &str) -> Option<Operation> {
    Some(match word.trim_matches(['[', ']', '(', ')', '`', ':']) {
        "A" | "AM" | "??" | "+" | "+++" => Operation::Created,
        "D" | "-" | "---" => Operation::Deleted,
        "M" | "MM" | "R" | "RM" | "C" | "T" | "U" => Operation::Changed,
        // A box with this sign in it is half ticked.
        "~" if !word.starts_with('[') => Operation::Changed,
        word => {
            let score = word.strip_prefix(['R', 'C'])?;
            (score.len() == 3 && score.bytes().all(|b| b.is_ascii_digit()))
                .then_some(Operation::Changed)?
        }
    })
}

/// "a -> b", "renamed a to b"; but not "src/a.py: x -> y", which describes a change in the file.
fn renamed(text: &str, is_rename: bool) -> Option<(&str, &str)> {
    let two_names = || {
        let (from, to) = text.split_once(char::is_whitespace)?;
        is_path(from).then_some((from, to.trim_start()))
    };
    let (from, target) = split::arrow(text)
        .or_else(|| split::to(text).filter(|_| is_rename))
        .or_else(|| two_names().filter(|_| is_rename))?;
    let is_name = |side: &str| {
        let inner = bare(Cut::of(side).name);
        let is_one = !inner.contains(char::is_whitespace) && !inner.ends_with("()");
        inner.chars().any(char::is_alphanumeric) && (is_one || is_spaced(inner, false))
    };
    let is_whole =
        split::remark(from).is_none() && leading_span(from).is_none_or(|(_, rest)| rest.is_empty());
    // "src/a.py → faster" is a remark, "a -> b" a rename.
    let is_path_like = |side: &str| is_path(trim_end(bare(Cut::of(side).name)));
    let are_alike = is_path_like(from) == is_path_like(target);
    (is_whole && are_alike && is_name(from) && is_name(target)).then_some((from, target))
}

/// Removes pictures and other signs before and after the text.
fn undecorated(text: &str) -> &str {
    let mut text = text.trim_end_matches([' ', '\\']).trim();
    while let Some(rest) = text.strip_prefix("&nbsp;") {
        text = rest.trim_start();
    }
    let is_picture = |c: char| !c.is_alphanumeric() && !c.is_ascii() && c != '…';
    let is_joint = |c: char| matches!(c, '—' | '–' | '→');
    text.trim_start_matches(|c: char| is_picture(c) || c.is_whitespace())
        .trim_end_matches(|c: char| is_picture(c) && !is_joint(c) || c.is_whitespace())
}
