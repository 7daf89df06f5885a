//! From the text of a value or a list item to names and a remark, split once.

use std::ops::Range;

use crate::frame::{counted, flow_list, labelled, object, unwrapped};
use crate::outline::Outline;
use crate::path::shape::{is_file, is_lone_extension, is_path, trim_end};
use crate::path::unresolvable::unresolvable;
use crate::path::written::{without_entities, without_tags};
use crate::path::{self, MAX_PATH_BYTES, Name, bare, leading_span, without_position};
use crate::plain_text::{PlainText, uncommented};
use crate::remark::Sense;
use crate::split::{self, begins_with_name, pieces};
use crate::words::TitleWord;
use crate::{Entry, Meaning, Operation, Unresolvable, title, words};

/// The most readings of one entry.
const MAX_READINGS: usize = 16;
/// How many neighbours on each side are joined with a piece to form one name.
const JOINED_NEIGHBOURS: usize = 2;
/// A value of no more pieces than this is also read as one name.
const MAX_JOINED_PIECES: usize = 8;
/// The most words in front of a name: "the new file".
const MAX_LABEL_WORDS: usize = 4;
/// The most paths of one claim. Paths beyond it prove nothing.
pub(crate) const MAX_ENTRIES: usize = 2_000;

/// Where the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the line of its key, where several remarks may follow each other: "a.py — adds x, b.py —
    /// adds y".
    Value,
    /// On a line of a list, which names files and then talks about them.
    Item,
}

/// Reads a text such as `a.py, b.py (new)`.
pub(crate) fn read(text: &str, operation: Operation, place: Place) -> Vec<Entry> {
    let text = uncommented(text);
    let text = without_tags(&text);
    let text = without_entities(&text);
    let plain = PlainText::of(&text);
    let whole = unwrapped(plain.text().trim());
    if is_empty_form(whole) {
        return Vec::new();
    }
    let (label, list) = labelled(whole);
    let label = label.map(|label| (label, title::of_label(label, operation)));
    if let Some((_, Err(Unresolvable::Denied))) = label {
        return vec![denied(list, operation)];
    }
    let is_announced = |(_, read): (&str, Result<Operation, Unresolvable>)| read.ok();
    let counted = counted(list);
    let flow = flow_list(counted);
    let list = flow.unwrap_or(counted);
    let mut reader = Reader {
        list,
        whole,
        plain: &plain,
        ranges: pieces(list),
        operation: label.and_then(is_announced).unwrap_or(operation),
        is_item: place == Place::Item,
        is_marked: flow.is_some(),
        is_sentence: false,
        has_open_remark: false,
        is_denied: false,
        entries: Vec::new(),
    };
    reader.read();
    let mut entries = reader.finish();
    if let Some((label, Err(_))) = label {
        entries.iter_mut().for_each(|entry| entry.put_below(label));
    }
    entries
}

/// A value that is being read piece by piece.
struct Reader<'a> {
    list: &'a str,
    /// The list with what stands before it: all of it may be one name.
    whole: &'a str,
    plain: &'a PlainText<'a>,
    ranges: Vec<Range<usize>>,
    operation: Operation,
    is_item: bool,
    /// Brackets around all of it show that it is a list.
    is_marked: bool,
    /// There were words between the separators: it is a sentence, and names in it are not claimed.
    is_sentence: bool,
    /// A remark that has no end of its own has begun: "a.py — adds x, y and z".
    has_open_remark: bool,
    /// Words in front of a name deny it and those behind it: "Skipped a.py, b.py".
    is_denied: bool,
    entries: Vec<Entry>,
}

impl Reader<'_> {
    fn read(&mut self) {
        for index in 0..self.ranges.len().min(MAX_ENTRIES) {
            let range = self.ranges[index].clone();
            let text = self.list[range.clone()].trim();
            // "a.py and b.py. Reviewed c.py, d.py."
            self.is_sentence |= self.list[..range.start].ends_with('.');
            if is_empty_form(text) {
                // "None, I only read a.py"
                if index == 0 && !self.is_marked {
                    return;
                }
                self.extend_remark(text);
                continue;
            }
            self.read_piece(index, text);
        }
    }

    fn read_piece(&mut self, index: usize, text: &str) {
        let mut piece = Piece::of(object(text).unwrap_or(text));
        if index > 0 && is_lone_extension(text) {
            piece.name = Err(Unresolvable::Prose);
        }
        let is_short = text.split_whitespace().nth(1).is_none();
        // "a.py — created and removed"
        let is_told = self.is_item
            && self
                .entries
                .last()
                .is_some_and(|last| last.remark.is_some());
        self.has_open_remark |= is_told && !is_sure_name(&piece);
        let goes_on = self.has_open_remark
            && (self.is_item || !(piece.is_open || text.ends_with([')', ']'])));
        let is_sure = is_sure_name(&piece);
        // A word of a sentence or of a remark is not a name.
        if goes_on && !is_sure || self.is_sentence && !is_sure && piece.name.is_ok() {
            self.extend_remark(text);
            if goes_on {
                return;
            }
            piece.name = Err(Unresolvable::Prose);
        }
        self.is_denied = piece.is_denial || self.is_denied && begins_with_name(text);
        if self.is_denied {
            piece.name = Err(Unresolvable::Denied);
        }
        if let Ok(name) = &mut piece.name {
            if goes_on || self.is_sentence {
                name.doubt();
            } else {
                self.has_open_remark |= piece.is_open && !self.is_marked;
            }
            self.add_joined(name, index);
            self.add_whole(name, index, text);
        } else {
            let is_prose = piece.name.as_ref().err() == Some(&Unresolvable::Prose) && !is_short;
            if is_prose && self.is_item && !self.entries.is_empty() {
                return self.extend_remark(text);
            }
            self.is_sentence |= is_prose && !self.is_marked && !self.has_open_remark;
        }
        self.entries.push(piece.into_entry(text, self.operation));
    }

    /// A remark continues after a comma or an "and": "a.py — tried and discarded".
    fn extend_remark(&mut self, text: &str) {
        let is_path =
            |entry: &&mut Entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose);
        let Some(entry) = self
            .entries
            .iter_mut()
            .rev()
            .find(is_path)
            .filter(|_| self.is_item || self.has_open_remark)
        else {
            return;
        };
        // "a.py, did not touch b.py" is about another file.
        if text.split_whitespace().any(begins_with_name) {
            return;
        }
        let text = match &entry.remark {
            Some(remark) => format!("{}, {text}", remark.text),
            None => text.to_owned(),
        };
        entry.put_remark(&text);
    }

    fn finish(mut self) -> Vec<Entry> {
        if self.ranges.len() > MAX_ENTRIES {
            self.entries.push(more(self.operation));
        }
        self.share_remark();
        self.entries
    }

    /// In a list, the remark behind several names is about all of them; on the line of the key only if its words
    /// say so: "a.py and b.py (both unchanged)".
    fn share_remark(&mut self) {
        const OF_SEVERAL: &[&str] = &[
            "both", "all", "neither", "none", "these", "those", "were", "are", "they", "them",
        ];
        let Some(remark) = self.entries.last().and_then(|last| last.remark.clone()) else {
            return;
        };
        let of_several = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| OF_SEVERAL.contains(&word))
        };
        if !self.is_item && !of_several(&remark.text) {
            return;
        }
        let is_of_two = !self.is_item && remark.text.contains("both");
        let most = if is_of_two { 1 } else { MAX_ENTRIES };
        let before = self.entries.iter_mut().rev().skip(1).take(most);
        for entry in before.take_while(|entry| entry.remark.is_none()) {
            entry.put_remark(&remark.text);
        }
    }

    /// A comma or an "and" may be part of a name, so the piece is also read together with its
    /// neighbours.
    fn add_joined(&self, name: &mut Name, index: usize) {
        let end = self.ranges.len() - 1;
        let text =
            |from: usize, to: usize| self.list[self.ranges[from].start..self.ranges[to].end].trim();
        // Quotes show where each name ends.
        if end == 0 || leading_span(text(index, index)).is_some() {
            return;
        }
        if end < MAX_JOINED_PIECES {
            name.add_likely(text(0, end));
        }
        for from in index.saturating_sub(JOINED_NEIGHBOURS)..=index {
            for to in index..=(index + JOINED_NEIGHBOURS).min(end) {
                if from != to {
                    let joined = text(from, to);
                    name.add_likely(joined);
                    // "src/a,b.py — new": the remark is of the whole name.
                    let whole = Cut::of(joined).name;
                    if whole.len() > text(from, to - 1).len() {
                        name.add_likely(whole);
                    }
                }
            }
        }
    }

    /// All of the text may be one name, and it may be spelled as it was written.
    fn add_whole(&self, name: &mut Name, index: usize, text: &str) {
        if index == 0 {
            name.add_likely(self.whole);
        }
        let start = text.as_ptr() as usize - self.plain.text().as_ptr() as usize;
        if let Some(original) = self.plain.original(&(start..start + text.len())) {
            name.add_likely(original);
        }
    }
}

/// One name with the words around it.
struct Piece<'a> {
    name: Result<Name, Unresolvable>,
    /// What the words in front of the name say was done.
    operation: Option<Operation>,
    /// Words in front of the name that are not understood.
    label: Option<&'a str>,
    remark: &'a str,
    /// The remark has no end of its own.
    is_open: bool,
    /// The words in front of the name deny it.
    is_denial: bool,
}

impl<'a> Piece<'a> {
    fn of(whole: &'a str) -> Self {
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
        let signs = [&whole[..at], &whole[at + shown.len()..]].map(crate::remark::read);
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

    fn into_entry(self, raw: &str, operation: Operation) -> Entry {
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

fn is_sure_name(piece: &Piece<'_>) -> bool {
    piece.name.as_ref().is_ok_and(Name::is_sure)
}

/// A name and what is said behind it.
#[derive(Debug)]
struct Cut<'a> {
    name: &'a str,
    remark: &'a str,
    /// A sign stands between the name and the remark.
    is_said: bool,
    /// The remark behind the sign goes on to the end of the text.
    is_open: bool,
    /// Marks around the name show where it ends.
    is_marked: bool,
}

impl<'a> Cut<'a> {
    fn of(text: &'a str) -> Self {
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
    let is_apart =
        name.len() < last.start || is_file(bare(name)) && !path::shape::has_optional_letters(text);
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
    is_denial: bool,
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
            crate::remark::read(text[..end].trim_end_matches(|c: char| !c.is_alphanumeric()))
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
        let said = if FILLERS.contains(&plain.as_str()) && !(is_first && letter.is_some()) {
            None
        } else if is_first && is_number() {
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
        inner.chars().any(char::is_alphanumeric) && (is_one || path::is_spaced(inner, false))
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

/// Stands for everything that is too much to read.
pub(crate) fn more(operation: Operation) -> Entry {
    entry("…", operation, Unresolvable::AndMore)
}

/// An entry that is said not to have been worked on.
pub(crate) fn denied(text: &str, operation: Operation) -> Entry {
    entry(text, operation, Unresolvable::Denied)
}

fn entry(raw: &str, operation: Operation, why: Unresolvable) -> Entry {
    Entry {
        raw: raw.to_owned(),
        operation,
        meaning: Meaning::Unresolvable(why),
        remark: None,
        title: None,
    }
}

/// Nothing was changed, said in one of the usual ways.
pub(crate) fn is_empty_form(text: &str) -> bool {
    let lower = text
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    let mut words = lower
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return true;
    };
    let second = words.next().unwrap_or_default();
    let rest = [second].into_iter().chain(words);
    match trim_end(first) {
        "none" | "nothing" | "n/a" | "n.a" | "nil" | "null" => !rest.into_iter().any(is_named),
        "no" | "zero" | "0" => match trim_end(second) {
            "" => true,
            "file" | "files" | "change" | "changes" | "code" | "source" | "new" | "edits"
            | "modifications" | "repo" | "repository" => !rest.into_iter().any(is_named),
            _ => false,
        },
        "not" => trim_end(second) == "applicable" && !rest.into_iter().any(is_named),
        "na" | "empty" => second.is_empty(),
        _ => false,
    }
}

fn is_named(word: &str) -> bool {
    is_path(trim_end(word.trim_matches(['`', '(', ')', '"'])))
}
