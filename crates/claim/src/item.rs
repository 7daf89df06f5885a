//! From the text of a value or a list item to names and a remark, split once.

mod piece;

use std::ops::Range;

use crate::frame::{counted, flow_list, labelled, object, unwrapped};
use crate::path::shape::{is_file, is_lone_extension, is_path, trim_end};
use crate::path::{Name, bare, leading_span};
use crate::plain_text::PlainText;
use crate::remark::{MAX_REMARK_BYTES, Sense};
use crate::split::{begins_with_name, is_ticked, pieces};
use crate::title::{Title, is_plan};
use crate::{Entry, Meaning, Operation, Remark, Unresolvable, words};
use piece::{Cut, Piece};

pub(crate) use piece::{begins_with_file, has_git_letter};

/// How many neighbours on each side are joined with a piece to form one name.
const JOINED_NEIGHBOURS: usize = 2;
/// A value of no more pieces than this is also read as one name.
const MAX_JOINED_PIECES: usize = 8;
/// The most paths of one claim. Paths beyond it prove nothing.
pub(crate) const MAX_ENTRIES: usize = 2_000;

/// Where the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemPlace {
    /// On the line of its key, where several remarks may follow each other: "a.py — adds x, b.py —
    /// adds y".
    Value,
    /// On a line of a list, which names files and then talks about them.
    Item,
}

/// Reads a text such as `a.py, b.py (new)`.
pub(crate) fn read(text: &str, operation: Operation, place: ItemPlace) -> Vec<Entry> {
    let plain = PlainText::of(text);
    let whole = unwrapped(plain.text());
    let (label, list) = labelled(whole).unwrap_or(("", whole));
    let (operation, title) = match Title::of(label, operation) {
        Title::Ends => return vec![no_path(list, operation, Unresolvable::Denied)],
        Title::Known(operation) => (operation, None),
        Title::Folder(_) | Title::Unknown => (operation, Some(label)),
    };
    let counted = counted(list);
    let flow = flow_list(counted);
    let list = flow.unwrap_or(counted);
    let reader = Reader {
        list,
        whole,
        plain: &plain,
        ranges: pieces(list),
        operation,
        is_item: place == ItemPlace::Item,
        is_marked: flow.is_some(),
        is_sentence: false,
        has_open_remark: false,
        is_denied: false,
        title: None,
        entries: Vec::new(),
        part: 0,
    };
    let mut entries = reader.read();
    put_below(&mut entries, title);
    entries
}

/// A value that is being read piece by piece.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about the text so far"
)]
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
    /// The label in front of a name and those behind it that is not understood.
    title: Option<&'a str>,
    entries: Vec<Entry>,
    /// The first entry since a semicolon or a stop.
    part: usize,
}

impl<'a> Reader<'a> {
    fn read(mut self) -> Vec<Entry> {
        for index in 0..self.ranges.len().min(MAX_ENTRIES) {
            let range = self.ranges[index].clone();
            let text = self.list[range.clone()].trim();
            // "a.py and b.py. Reviewed c.py, d.py."
            self.is_sentence |= self.list[..range.start].ends_with('.');
            if index > 0 && denies_all(text) {
                leave_open(&mut self.entries, text);
            }
            if !is_empty_form(text) {
                self.read_piece(index, text);
            } else if index > 0 || self.is_marked {
                self.extend_remark(text);
            } else {
                // "None, I only read a.py"
                break;
            }
        }
        if self.ranges.len() > MAX_ENTRIES {
            let more = no_path("…", self.operation, Unresolvable::AndMore);
            self.entries.push(more);
        }
        self.share_remark();
        self.entries
    }

    fn read_piece(&mut self, index: usize, text: &'a str) {
        let mut piece = Piece::of(object(text).unwrap_or(text));
        if index > 0 && is_lone_extension(text) {
            piece.name = Err(Unresolvable::Prose);
        }
        // "src/b.py, now src/a.py": two names of one file, of which one need not be there.
        if let (Some(last), true) = (self.entries.last_mut(), is_other_name(text)) {
            last.put_below(text);
        }
        let is_sure = piece.is_sure();
        // "a.py — created and removed", "a.py, later"
        let last = self.entries.last();
        let is_told = last.is_some_and(|last| last.remark.is_some());
        let is_no_name = |word: &str| words::closed(&word.to_lowercase()).is_some();
        let is_said = index > 0 && text.split_whitespace().all(is_no_name);
        if is_told && !is_sure && self.is_undone(index, text) {
            return self.extend_remark_of_last(text);
        }
        self.has_open_remark |= self.is_item && (is_told || is_said) && !is_sure;
        let is_plain = !is_told && !is_sure && !self.has_open_remark;
        if is_plain && self.is_said_behind(index, text) && self.tell_last(text) {
            return;
        }
        // "a.py, documents b.py"
        self.has_open_remark |= !self.entries.is_empty() && tells_of_file_in_front(text);
        let has_end = piece.is_open || text.ends_with([')', ']']);
        let goes_on = self.has_open_remark && (self.is_item || !has_end);
        // A word of a sentence or of a remark is not a name.
        if goes_on && !is_sure {
            return self.extend_remark(text);
        }
        if self.is_sentence && !is_sure && piece.name.is_ok() {
            self.extend_remark(text);
            piece.name = Err(Unresolvable::Prose);
        }
        if begins_with_name(text) {
            piece.title = piece.title.or(self.title);
        } else {
            self.is_denied = false;
        }
        self.title = piece.title;
        self.is_denied |= piece.is_denial;
        if self.is_denied {
            piece.name = Err(Unresolvable::Denied);
        }
        // "a.py now reads b.py and c.py", "a.py, made of b.py and c.py"
        let is_said = matches!(
            piece.name,
            Err(Unresolvable::Prose | Unresolvable::Reference)
        );
        let said = if is_said && !self.entries.is_empty() {
            text
        } else {
            piece.remark
        };
        self.has_open_remark |= ends_with_name(said);
        match &mut piece.name {
            Ok(name) => {
                if goes_on || self.is_sentence {
                    name.doubt();
                } else {
                    self.has_open_remark |= piece.is_open && !self.is_marked;
                }
                self.add_joined(name, index);
                // All of the text may be one name, and it may be spelled as it was written.
                if index == 0 {
                    name.add_likely(self.whole);
                }
                if let Some(original) = self.plain.original(text) {
                    name.add_likely(original);
                }
            }
            Err(Unresolvable::Prose) if text.contains(char::is_whitespace) => {
                if self.is_item && !self.entries.is_empty() {
                    return self.extend_remark(text);
                }
                self.is_sentence |= !self.is_marked && !self.has_open_remark;
            }
            Err(_) => {}
        }
        let before = self.list[..self.ranges[index].start].trim_end();
        let is_apart = before.ends_with([';', '.']);
        if is_apart && piece.name.is_ok() {
            self.part = self.entries.len();
        }
        let is_of_several = !self.is_item && self.is_of_several(index, text, piece.remark);
        self.entries.push(piece.into_entry(text, self.operation));
        if is_of_several {
            self.doubt_neighbours(self.entries.len() - 1);
        }
    }

    /// Whether what was done to the file in front is undone here: "a.py created and deleted again".
    fn is_undone(&self, index: usize, text: &str) -> bool {
        let before = self.list[..self.ranges[index].start].trim_end();
        let first = text.split_whitespace().next().unwrap_or_default();
        before.ends_with(" and") && words::ROLES.has(first, "undone")
    }

    /// Whether words stand behind a comma where a name is expected: "a.py, not written yet", "a.py; later".
    fn is_said_behind(&self, index: usize, text: &str) -> bool {
        let before = self.list[..self.ranges[index].start].trim_end();
        let is_word = |word: &str| word.chars().all(|c| c.is_lowercase() || c == '\'');
        let mut words = text.split_whitespace();
        !self.is_item
            && !self.is_marked
            && before.ends_with([',', ';'])
            && words.next().is_some_and(is_word)
            && !text.split_whitespace().any(begins_with_name)
    }

    /// Puts such words beside the last name, if they say that it was not worked on, or when that will be. Whether they do.
    fn tell_last(&mut self, text: &str) -> bool {
        let is_closed = |word: &str| words::closed(word).is_some() || is_plan(word);
        let is_later = text.starts_with("to ") || text.split_whitespace().all(is_closed);
        let said = Remark::of(text).filter(|it| it.sense == Sense::Untouched || is_later);
        let last = self
            .entries
            .iter_mut()
            .rev()
            .find(|it| it.first().is_some());
        let (Some(said), Some(last)) = (said, last) else {
            return false;
        };
        last.put_remark(&said.text);
        true
    }

    /// Whether words right behind a name are about those joined with it as well: "b.py and c.py would be next".
    fn is_of_several(&self, index: usize, text: &str, remark: &str) -> bool {
        let before = self.list[..self.ranges[index].start].trim_end();
        let name = text.strip_suffix(remark).unwrap_or_default();
        let is_end = |c: char| c.is_alphanumeric() || matches!(c, '`' | '*' | '"');
        let is_apart = name.len() > name.trim_end().len() && name.trim_end().ends_with(is_end);
        is_apart && remark.starts_with(char::is_alphanumeric) && before.ends_with(" and")
    }

    /// Words behind a name that are not understood leave those in front of it open, back to a semicolon, unless another
    /// one has words of its own.
    fn doubt_neighbours(&mut self, last: usize) {
        let part = self.entries.get_mut(self.part..=last);
        let Some((entry, before)) = part.and_then(<[_]>::split_last_mut) else {
            return;
        };
        let is_open = |remark: &&Remark| !remark.sense.is_understood();
        if let Some(remark) = entry.remark.as_ref().filter(is_open)
            && before.iter().all(|entry| entry.remark.is_none())
        {
            leave_open(before, &remark.text);
        }
    }

    /// A remark continues after a comma or an "and": "a.py — tried and discarded".
    fn extend_remark(&mut self, text: &str) {
        let is_path =
            |entry: &&mut Entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose);
        let is_open = self.is_item || self.has_open_remark;
        let last = self.entries.iter_mut().rev().find(is_path);
        // "a.py, did not touch b.py" is about another file, and "a.py: created, then folded into b.py" is not.
        let mut words = text.split_whitespace();
        let is_later = words
            .next()
            .is_some_and(|word| words::ROLES.has(word, "then"))
            && words.next().is_some_and(|word| word.ends_with("ed"));
        let is_about_it = || is_later || !text.split_whitespace().any(begins_with_name);
        let Some(entry) = last.filter(|_| is_open && is_about_it()) else {
            return;
        };
        let text = match &entry.remark {
            // More words would not be read.
            Some(remark) if remark.text.len() >= MAX_REMARK_BYTES - 8 => return,
            Some(remark) => format!("{}, {text}", remark.text),
            None => text.to_owned(),
        };
        entry.put_remark(&text);
    }

    /// The same of words that are about the last name whatever stands around the list.
    fn extend_remark_of_last(&mut self, text: &str) {
        let was_open = std::mem::replace(&mut self.has_open_remark, true);
        self.extend_remark(text);
        self.has_open_remark = was_open;
    }

    /// In a list, the remark behind several names is about all of them; on the line of the key only if its words
    /// say so: "a.py and b.py (both unchanged)". Otherwise it may be.
    fn share_remark(&mut self) {
        let is_name = |entry: &Entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose);
        let Some(last) = self.entries.iter().rposition(is_name) else {
            return;
        };
        let Some(remark) = self.entries[last].remark.clone() else {
            return;
        };
        if !self.is_item && !words::ROLES.is_in(&remark.text, "several") {
            // Nothing parts "layout.ts(x)" from its remark.
            let is_apart = self.entries[last].raw.contains(char::is_whitespace);
            if is_apart && !remark.is_of_one() {
                self.doubt_neighbours(last);
            }
            return;
        }
        let is_of_two = !self.is_item && remark.text.contains("both");
        let most = if is_of_two { 1 } else { MAX_ENTRIES };
        let before = self.entries[..last].iter_mut().rev().take(most);
        let has_no_other = |it: &&mut Entry| {
            let own = it.remark.as_ref();
            own.is_none_or(|own| own.text == remark.text)
        };
        for entry in before.take_while(has_no_other) {
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
                    if !is_bare_name(text(to, to)) {
                        let whole = Cut::of(joined).name;
                        if whole.len() > text(from, to - 1).len() {
                            name.add_likely(whole);
                        }
                    }
                }
            }
        }
    }
}

/// Gives words that are not understood to all of these that are not open yet.
fn leave_open(entries: &mut [Entry], text: &str) {
    let certain = entries.iter_mut().filter(|entry| entry.doubt().is_none());
    for entry in certain {
        entry.remark = Some(Remark::not_understood(text));
    }
}

/// "none of them written by me", "nothing of this is there yet"
fn denies_all(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<_> = words::words_of(&text, "'").collect();
    words.windows(3).any(
        |it| matches!(it, ["none" | "nothing", "of", all] if words::CLOSED.has(all, "pronoun")),
    )
}

/// Whether a text gives the file in front of it another name: "now src/a.py".
fn is_other_name(text: &str) -> bool {
    let (first, name) = text.split_once(' ').unwrap_or_default();
    words::ROLES.has(&first.to_lowercase(), "renamed") && begins_with_name(name)
}

/// Whether a text goes on with what the file in front of it does, so that its names are of others: "documents b.py".
fn tells_of_file_in_front(text: &str) -> bool {
    let (verb, rest) = text.split_once(' ').unwrap_or_default();
    let is_present = verb.ends_with('s') && words::verb(verb).is_some();
    is_present && !words::ROLES.has(verb, "beside") && begins_with_name(rest)
}

/// Whether words end with the name of another file, to which more names may be joined.
fn ends_with_name(words: &str) -> bool {
    let (_, last) = words.rsplit_once(' ').unwrap_or_default();
    is_ticked(last) || is_file(bare(trim_end(last)))
}

/// Whether there can be no remark in a text, because it is one plain word.
fn is_bare_name(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte))
}

/// Sets the words above all of these that are not understood, if there are any.
pub(crate) fn put_below<'a>(entries: impl IntoIterator<Item = &'a mut Entry>, title: Option<&str>) {
    let Some(title) = title else {
        return;
    };
    for entry in entries {
        entry.put_below(title);
    }
}

/// An entry that names no path.
pub(crate) fn no_path(raw: &str, operation: Operation, why: Unresolvable) -> Entry {
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
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| c.is_whitespace() || c == '_');
    let words: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(trim_end)
        .collect();
    let is_what_changes =
        |word: &str| words::KEYS.class(word) == Some("noun") || words::ROLES.has(word, "changed");
    let rest = match words.as_slice() {
        [] | ["no" | "zero" | "0" | "na" | "empty"] => return true,
        [
            "none" | "nothing" | "n/a" | "n.a" | "nil" | "null",
            rest @ ..,
        ]
        | ["not", "applicable", rest @ ..] => rest,
        ["no" | "zero" | "0", what, rest @ ..] if is_what_changes(what) => rest,
        _ => return false,
    };
    let is_named = |word: &&str| is_path(trim_end(word.trim_matches(['`', '(', ')', '"'])));
    !rest.iter().any(is_named)
}
