//! Which files a message says, outside of any list, to have changed.
//!
//! A file is said to be changed in a sentence of the speaker ("Added the loop to src/a.py"), or where it begins a line
//! below a title of the speaker's own work ("Changes made"). Its name has a separator, so that it is no word of the
//! project. Nothing of this proves anything: it can only be told.

mod grammar;
mod insisted;
mod passive;
mod study;

use std::ops::Range;
use std::path::Path;

use crate::item::{self, ItemPlace};
use crate::key;
use crate::layout::table::Columns;
use crate::markdown::{Document, Line, LineKind};
use crate::own::{is_of_others, is_own};
use crate::path::shape::is_file;
use crate::path::{bare, without_position};
use crate::sentence::{Sentence, Token, sentences};
use crate::split::begins_with_name;
use crate::title::{begins_as_plan, is_example};
use crate::unwritten::titles_a_plan;
use grammar::{
    adds_tests, begins_with_file, changed, ends_in_front_of_a_file, heads, is_deed_of, is_number,
    reason, tells_of_deeds, tells_of_deeds_of_nobody,
};

use crate::{Claim, Entry, Form, MAX_MESSAGE_BYTES, Operation, Remark, Sense, remark};
pub(crate) use grammar::is_own_title;
pub use insisted::{insisted, repeats_done};
pub(crate) use study::{others, review, study};

/// The level of a line in bold letters as a title, and that of a line that ends with a colon.
const BOLD: u8 = 7;
const LEAD_IN: u8 = 8;
/// The most files that are taken from one message.
const MOST: usize = 200;
/// How much of a sentence is kept, in bytes.
const MAX_SENTENCE_BYTES: usize = 200;

/// A file that a message says to have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The file, with what is said to have happened to it.
    pub entry: Entry,
    /// Whether a sentence says so, and not a title above it.
    pub is_sentence: bool,
}

impl Said {
    /// Whether a sentence calls the file new, which counts beside whatever else the message is about.
    #[must_use]
    pub fn is_of_new_file(&self) -> bool {
        self.is_sentence && self.entry.operation == Operation::Created
    }

    /// What a message says to have changed, as a claim of it. None if that is nothing.
    #[must_use]
    pub fn claim(said: &[Self], message: &str) -> Option<Claim> {
        let entries: Vec<_> = said.iter().map(|said| said.entry.clone()).collect();
        (!entries.is_empty()).then(|| Claim {
            form: Form::Lines,
            says_what_was_done: true,
            entries,
            raw: message.to_owned(),
            ..crate::parse("")
        })
    }
}

/// What the sentences of a message tell of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The files that it says to have changed, each once, in its own order.
    pub files: Vec<Said>,
    /// The first sentence in which the speaker says to have added tests, as it is written.
    pub tests: Option<String>,
    /// Whether a sentence says that the speaker changed something, and names any file.
    pub tells_of_changed_file: bool,
}

/// The files that a message says to have changed, each once, in its own order.
#[must_use]
pub fn said(message: &str) -> Vec<Said> {
    told(message).files
}

/// Whether a sentence says that the speaker changed something, and names a file.
#[must_use]
pub fn tells_of_changed_file(message: &str) -> bool {
    told(message).tells_of_changed_file
}

/// All that the sentences of a message tell of.
#[must_use]
pub fn told(message: &str) -> Told {
    if message.len() > MAX_MESSAGE_BYTES {
        return Told::default();
    }
    let document = Document::parse(message);
    let mut reader = Reader::default();
    for line in &document.lines {
        reader.take(line);
    }
    let is_study = study(&document).is_some();
    let mut files = reader.found;
    // What a review calls changed need not be changed by who wrote the review; that itself is new.
    files.retain(|said| !is_study || said.is_of_new_file());
    Told {
        tells_of_changed_file: reader.heard.changed_file,
        files,
        tests: reader.tests,
    }
}

#[derive(Default)]
struct Reader {
    /// The level of the title of the speaker's own work that this is below.
    own: Option<u8>,
    /// The level of the heading that this is below which is not understood as one of the speaker's own work.
    open: Option<u8>,
    /// The level of the title that this is below of plans, examples, or what others did.
    silent: Option<u8>,
    /// Whether items stand below that title.
    has_items: bool,
    columns: Option<Columns>,
    /// Whether the first lines call all of it the speaker's own work: "Here is a summary of what was done."
    is_own: Option<bool>,
    /// Whether the line above says that something was written, and ends in front of the file's name.
    is_put: bool,
    /// Whether the line above may go on in this one.
    goes_on: bool,
    /// The column of the item that began with a file: what is nested below it is about that one.
    item: Option<usize>,
    found: Vec<Said>,
    heard: Heard,
    tests: Option<String>,
}

/// Whether any sentence so far tells of others, and of a file that the speaker changed.
#[derive(Default)]
struct Heard {
    others: bool,
    changed_file: bool,
}

impl Reader {
    fn take(&mut self, line: &Line<'_>) {
        if !matches!(line.kind, LineKind::Row(_)) {
            self.columns = None;
        }
        let goes_on = std::mem::take(&mut self.goes_on);
        let continues = goes_on && !line.is_item && !line.has_gap;
        match &line.kind {
            LineKind::Fence(_) | LineKind::Hidden => {}
            LineKind::Head(cells) => {
                let columns = Columns::of(cells);
                let counts = self.own.is_some() || columns.has_action();
                let is_of_files = columns.file.is_some() && self.silent.is_none();
                self.columns = Some(columns).filter(|_| counts && is_of_files);
            }
            LineKind::Row(cells) => {
                if let Some(columns) = &self.columns {
                    let entries = columns.entries(cells, Operation::Changed);
                    let first = entries.into_iter().next();
                    if let Some(entry) = first.and_then(named) {
                        self.push(entry, false);
                    }
                }
            }
            LineKind::Heading(level) => {
                self.title(line, *level);
                self.text(line, false);
            }
            LineKind::Text if line.is_unticked => {}
            LineKind::Text => {
                let text = line.text.trim();
                if !line.is_item && (is_bold(text) || leads_in(text)) {
                    self.title(line, if is_bold(text) { BOLD } else { LEAD_IN });
                }
                self.text(line, continues);
            }
        }
    }

    /// What a title says of all below it.
    fn title(&mut self, line: &Line<'_>, level: u8) {
        self.item = None;
        let ends = |at: Option<u8>| at.filter(|at| *at < level);
        let text = collapsed(line.text.trim());
        let all: Vec<_> = sentences(&text).collect();
        let Some(last) = all.iter().rfind(|it| !it.tokens.is_empty()) else {
            return;
        };
        let words: Vec<_> = last.tokens.iter().map(|token| token.text).collect();
        let words = words.join(" ");
        let is_others = level < BOLD && is_of_others(&text);
        let is_of_others =
            is_others || last.has("others") || last.is_guarded() && !is_own_title(last);
        // Whose the deeds are that a sentence leads to is to be said in it.
        let is_open = || level == LEAD_IN && !is_understood(line, last, &all);
        self.silent = ends(self.silent);
        self.open = ends(self.open);
        if level < BOLD && !heads_own(line, last) {
            self.open.get_or_insert(level);
        } else if level < BOLD {
            // "# Cart totals" is the title of all.
            self.open = self.open.filter(|at| *at > 1);
        }
        self.has_items = false;
        let is_plan = begins_as_plan(&words) || level < BOLD && titles_a_plan(&text);
        if is_plan || is_example(&text) {
            self.silent.get_or_insert(level);
            self.own = ends(self.own);
        } else if is_of_others || is_open() {
            self.silent.get_or_insert(level);
            self.own = ends(self.own);
            if last.has("others") {
                self.is_own = Some(false);
            }
        } else if is_own_title(last) {
            self.own = Some(ends(self.own).unwrap_or(level));
            // "Changes to `src/a.py`:"
            let is_first_person = last
                .tokens
                .iter()
                .any(|it| matches!(&*it.word, "i" | "i've"));
            for token in last.tokens.iter().filter(|token| token.is_file) {
                self.take_token(token, Operation::Changed, is_first_person);
            }
        } else if !begins_with_file(last) {
            self.own = ends(self.own);
        }
    }

    /// A line of text, which may continue the one above: "… the names in" "`src/a.py` and others".
    fn text(&mut self, line: &Line<'_>, continues: bool) {
        self.has_items |= line.is_item;
        let is_behind_items = self.has_items && !line.is_item && line.has_gap && line.indent == 0;
        if is_behind_items && self.silent.is_some_and(|level| level >= BOLD) {
            self.silent = None;
        }
        if self.silent.is_some() {
            self.heard.others |= sentences(line.text).any(|it| it.is_ascribed());
            return;
        }
        let is_nested = self.item.is_some_and(|column| line.indent > column);
        if !is_nested {
            self.item = None;
        }
        self.take_inline(line.text);
        let text = collapsed(line.text);
        let begins_own = || sentences(&text).any(|it| is_own_title(&it));
        let is_own = *self.is_own.get_or_insert_with(begins_own);
        let is_put = std::mem::replace(&mut self.is_put, ends_in_front_of_a_file(&text));
        let (mut is_first, mut begins) = (true, false);
        let mut is_other_half = false;
        for sentence in sentences(&text) {
            let is_behind_other =
                std::mem::replace(&mut is_other_half, is_half_of_nothing(&sentence));
            if sentence.tokens.iter().all(|token| is_number(&token.word)) {
                continue;
            }
            let is_begin = std::mem::take(&mut is_first) && !is_nested;
            let heads = Some(heads(&sentence)).filter(|it| is_begin && !it.is_empty());
            // Below a title that is not understood, what a line says of its file may be the work of others.
            let is_open = heads.is_some() && self.own.is_none() && !is_own;
            if let Some(heads) = heads {
                // Behind a label the line says something, which may go on in the next one.
                begins = heads.start == 0;
                let is_alone = sentence.tokens.len() == 1;
                if is_put && is_alone {
                    self.take_token(&sentence.tokens[0], Operation::Created, true);
                } else if continues {
                    // It is in the middle of a sentence.
                } else {
                    let is_deed = is_deed_of(&sentence, &heads);
                    if self.own.is_some() || is_own && (is_deed || is_marked_title(line)) {
                        self.item = line.is_item.then_some(line.indent);
                        self.take_line(&sentence, heads, line.text, is_deed);
                    }
                }
            }
            if self.tests.is_none() && adds_tests(&sentence) {
                self.tests = Some(as_written(&sentence));
            }
            let is_below_open = self.open.is_some_and(|level| line.level() != Some(level));
            let is_adrift = is_below_open || is_behind_other;
            let is_adrift = is_adrift && tells_of_deeds_of_nobody(&sentence);
            let of_others = self.heard.others;
            self.heard.changed_file |= !is_adrift && sentence.tells_of_changed_file(of_others);
            self.heard.others |= sentence.is_ascribed();
            let is_open = is_open || is_adrift;
            for (at, operation) in changed(&sentence).into_iter().filter(|_| !is_open) {
                self.take_token(&sentence.tokens[at], operation, true);
            }
        }
        let ends = |text: &str| {
            text.trim_end_matches(['*', '_', ')'])
                .ends_with(['.', ':', '!', '?', ';'])
        };
        self.goes_on = line.is_text() && (continues || !begins) && !ends(line.text.trim_end());
    }

    /// "Created: `src/a.py`, `src/b.py`": as if they stood below it.
    fn take_inline(&mut self, text: &str) {
        let Some((key, value)) = key::deed(text).filter(|(_, value)| begins_with_name(value))
        else {
            return;
        };
        let operation = key.operation();
        let entries = item::read(value, operation, ItemPlace::Value);
        for entry in entries.into_iter().filter_map(named) {
            self.push(entry, operation == Operation::Created);
        }
    }

    /// A line that is about the files at these places: "`src/a.py` — the loop".
    fn take_line(
        &mut self,
        sentence: &Sentence<'_>,
        files: Range<usize>,
        text: &str,
        is_deed: bool,
    ) {
        let files = &sentence.tokens[files];
        let last = files.last().map_or("", |file| file.text);
        let remark = text.split_once(last).map_or("", |(_, remark)| remark);
        if sentence.is_guarded_before(reason(sentence)) || takes_back(remark) {
            return;
        }
        for file in files {
            self.take_token(file, Operation::Changed, is_deed);
        }
    }

    fn take_token(&mut self, token: &Token<'_>, operation: Operation, is_sentence: bool) {
        let mut entries = item::read(name_in(token.text), operation, ItemPlace::Value);
        if let (Some(entry), true) = (entries.pop(), entries.is_empty())
            && let Some(entry) = named(entry)
        {
            self.push(entry, is_sentence);
        }
    }

    /// Each file once; what a sentence says of it counts more than that a line is about it.
    fn push(&mut self, entry: Entry, is_sentence: bool) {
        let has_room = self.found.len() < MOST;
        let mut found = self.found.iter_mut();
        let known = found.find(|said| said.entry.file() == entry.file());
        let said = Said { entry, is_sentence };
        match known {
            Some(known) if is_sentence && !known.is_sentence => *known = said,
            None if has_room => self.found.push(said),
            Some(_) | None => {}
        }
    }
}

/// Whether a heading is understood as one of the speaker's own work; a number alone may be a day or a version.
fn heads_own(line: &Line<'_>, last: &Sentence<'_>) -> bool {
    let is_own = || line.text.contains(char::is_alphabetic) && is_own(line, "own");
    is_own_title(last) || begins_with_file(last) || is_own()
}

/// Whether a line that leads in is known to lead to the speaker's own work, or to what is in a file.
fn is_understood(line: &Line<'_>, last: &Sentence<'_>, all: &[Sentence<'_>]) -> bool {
    let tells = |it: &Sentence<'_>| tells_of_deeds(it) || !changed(it).is_empty();
    let is_titled = is_own_title(last) || begins_with_file(last) || all.iter().any(tells);
    is_titled || ends_in_front_of_a_file(line.text) || is_own(line, "own")
}

/// Whether the words behind a file say that nothing was done to it, or leave that open: those in brackets that are not
/// understood, since they may say that it is elsewhere.
fn takes_back(remark: &str) -> bool {
    let within = remark
        .trim_start_matches(['`', '*', '_', ' '])
        .strip_prefix('(');
    let within = within.and_then(|text| text.split(')').next());
    let is_open = within.is_some_and(|text| remark::read(text) == Sense::Other);
    is_open || remark::read(remark) == Sense::Untouched
}

/// The entry, if it can only name one file and that with a separator.
fn named(entry: Entry) -> Option<Entry> {
    let name = entry.file()?;
    let below = name.trim_start_matches("./");
    // A command in one piece of code, "`run 'src/a.py'`", is no name.
    if name.contains(SPACE_OF_CODE) {
        return None;
    }
    // "a.py/b.py" are two.
    let mut folders = below.rsplit(['/', '\\']).skip(1);
    let is_one = !folders.any(|folder| !folder.starts_with('.') && is_file(folder));
    // A log is what programs write when they run.
    let is_log = Path::new(below).extension().is_some_and(|it| it == "log");
    let is_named = is_one && !is_log && below.contains(['/', '\\']) && is_file(below);
    // Words beside it that are not understood may say that it is elsewhere. The others take nothing back.
    let is_understood = |remark: &Remark| remark.sense.is_understood();
    if !entry.remark.as_ref().is_none_or(is_understood) {
        return None;
    }
    let (remark, title) = (None, None);
    is_named.then_some(Entry {
        remark,
        title,
        ..entry
    })
}

/// A heading, or a line that begins in bold letters.
fn is_marked_title(line: &Line<'_>) -> bool {
    line.level().is_some() || !line.is_item && line.text.starts_with("**")
}

fn is_bold(text: &str) -> bool {
    text.starts_with("**") && text.trim_end_matches(':').ends_with("**")
}

fn leads_in(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ']).ends_with(':')
}

/// The name in a token of prose, without what stands around it.
fn name_in(token: &str) -> &str {
    let link = token
        .split_once("](")
        .map(|(_, target)| target.trim_end_matches(|c: char| !c.is_alphanumeric()));
    let name = link.unwrap_or(token);
    let name = name.trim_start_matches(['(', '[', '*', '`', '"', '\'', '“', ':']);
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    without_position(bare(name))
}

/// The words of a sentence whose code is one word each.
fn as_written(sentence: &Sentence<'_>) -> String {
    let words: Vec<_> = sentence.tokens.iter().map(|token| token.text).collect();
    let text = words.join(" ").replace(SPACE_OF_CODE, " ");
    text[..text.floor_char_boundary(MAX_SENTENCE_BYTES)].to_owned()
}

/// Whether it ends in a semicolon, and does not tell of a change: "Old keys are in `src/a.py`; added ones in `src/b.py`".
fn is_half_of_nothing(sentence: &Sentence<'_>) -> bool {
    let last = sentence.tokens.last();
    last.is_some_and(|it| it.text.ends_with(';')) && changed(sentence).is_empty()
}

/// What stands for a space in a piece of code.
const SPACE_OF_CODE: char = '\u{b7}';

/// A line in which a piece of code is one word.
fn collapsed(text: &str) -> String {
    let mut within = None;
    let replaced = |c: char| {
        match within {
            Some(mark) if mark == c => within = None,
            None if matches!(c, '`' | '"') => within = Some(c),
            Some(_) if c.is_whitespace() => return SPACE_OF_CODE,
            _ => {}
        }
        c
    };
    text.chars().map(replaced).collect()
}

#[cfg(test)]
mod tests;
