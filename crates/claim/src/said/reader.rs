//! A message, line by line: whose work the titles say it is, and which files the sentences say to have changed.

use std::ops::Range;

use attest_shell::text;

use super::grammar::{
    adds_tests, begins_with_file, changed, ends_in_front_of_a_file, heads, is_deed_of, is_number,
    is_own_title, puts_report_into, reason, tells_of_deeds, tells_of_deeds_of_nobody,
};
use super::kept::kept;
use super::passing::passing;
use super::prose::{as_written, collapsed, is_bold, is_marked_title, leads_in, name_in, named};
use super::{Said, Told};
use crate::item::{self, ItemPlace};
use crate::key;
use crate::layout::table::Columns;
use crate::markdown::{Line, LineKind};
use crate::own::{is_of_others, is_own, names_others};
use crate::sentence::{Sentence, Token, sentences};
use crate::split::begins_with_name;
use crate::title::{begins_as_plan, is_example};
use crate::unwritten::titles_a_plan;
use crate::{Assertion, Entry, Operation, Says, Sense, remark};

/// The level of a line in bold letters as a title, and that of a line that ends with a colon.
const BOLD: u8 = 7;
const LEAD_IN: u8 = 8;
/// The most files that are taken from one message.
const MOST: usize = 200;

#[derive(Default)]
struct Reader {
    /// The level of the title of the speaker's own work that this is below.
    own: Option<u8>,
    /// The level of the heading that this is below which is not understood as one of the speaker's own work.
    open: Option<u8>,
    /// The same of any title, a line that leads in among them, that may be of what is to be: "Definition of done:".
    wanted: Option<u8>,
    /// The level of the title that this is below of plans, examples, or what others did.
    silent: Option<u8>,
    /// The level of the title that this is below of an example or of somebody else, where the report itself is not heard of
    /// either.
    deaf: Option<u8>,
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
    passing: Vec<Assertion>,
    kept: Vec<Assertion>,
}

/// Whether any sentence so far tells of others, and of a file that the speaker changed.
#[derive(Default)]
struct Heard {
    others: bool,
    changed_file: bool,
}

/// What is known of a line when its sentences are read.
struct Around<'l, 'a> {
    line: &'l Line<'a>,
    /// Whether it goes on with the sentence of the line above.
    continues: bool,
    /// Whether all of the message is the speaker's own work.
    is_own: bool,
    /// Whether the line above says that something was written, and ends in front of the file's name.
    is_put: bool,
}

/// Reads all lines of a message.
pub(super) fn read(lines: &[Line<'_>]) -> Told {
    let mut reader = Reader::default();
    for line in lines {
        reader.take(line);
    }
    Told {
        files: reader.found,
        tests: reader.tests,
        passing: reader.passing,
        kept: reader.kept,
        tells_of_changed_file: reader.heard.changed_file,
    }
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
                    if let Some(entry) = first.and_then(|entry| named(entry, false)) {
                        self.push(entry, false);
                    }
                }
            }
            LineKind::Heading(level) => {
                self.title(line, *level);
                self.text(line, false);
            }
            LineKind::Text if line.is_unticked || is_open(line.text) => {}
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
        let is_own_heading = heads_own(line, last);
        self.wanted = ends(self.wanted);
        if !is_own_heading && !all.iter().any(tells_of_deeds) {
            self.wanted.get_or_insert(level);
        }
        if level < BOLD && !is_own_heading {
            self.open.get_or_insert(level);
        } else if level < BOLD {
            // "# Cart totals" is the title of all.
            self.open = self.open.filter(|at| *at > 1);
            self.wanted = self.wanted.filter(|at| *at > 1);
        }
        self.has_items = false;
        self.deaf = ends(self.deaf);
        if level == LEAD_IN || is_example(&text) || names_others(&text) {
            self.deaf.get_or_insert(level);
        }
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
        if is_behind_items {
            self.silent = self.silent.filter(|level| *level < BOLD);
            self.wanted = self.wanted.filter(|level| *level < BOLD);
            self.deaf = self.deaf.filter(|level| *level < BOLD);
        }
        if self.silent.is_some() {
            self.heard.others |= sentences(line.text).any(|it| it.is_ascribed());
            let is_plain = line.is_text() && !line.is_item && line.indent == 0;
            if self.deaf.is_none() && is_plain {
                self.take_report(line.text);
            }
            return;
        }
        self.item = self.item.filter(|column| line.indent > *column);
        self.take_inline(line.text);
        let text = collapsed(line.text);
        let all: Vec<_> = sentences(&text).collect();
        let begins_own = || all.iter().any(is_own_title);
        let around = Around {
            line,
            continues,
            is_own: *self.is_own.get_or_insert_with(begins_own),
            is_put: std::mem::replace(&mut self.is_put, ends_in_front_of_a_file(&all)),
        };
        // What is nested below a file begins with no other.
        let mut is_first = self.item.is_none();
        let (mut begins, mut is_behind_other) = (false, false);
        for (at, sentence) in all.iter().enumerate() {
            let is_half = is_half_of_nothing(sentence);
            let is_behind_other = std::mem::replace(&mut is_behind_other, is_half);
            if sentence.tokens.iter().all(|token| is_number(&token.word)) {
                continue;
            }
            let is_begin = std::mem::take(&mut is_first);
            let heads = Some(heads(sentence)).filter(|it| is_begin && !it.is_empty());
            // Below a title that is not understood, what a line says of its file may be the work of others.
            let is_open = heads.is_some() && self.own.is_none() && !around.is_own;
            if let Some(heads) = heads {
                // Behind a label the line says something, which may go on in the next one.
                begins = heads.start == 0;
                self.take_begin(sentence, heads, &around);
            }
            let is_below = |title: Option<u8>| title.is_some_and(|at| line.level() != Some(at));
            let is_taken_back = all.get(at + 1).is_some_and(takes_back_what_passed);
            self.take_state(sentence, !is_below(self.wanted) && !is_taken_back);
            self.take_sentence(sentence, is_open, is_below(self.open), is_behind_other);
        }
        let ends = |text: &str| {
            text.trim_end_matches(['*', '_', ')'])
                .ends_with(['.', ':', '!', '?', ';'])
        };
        self.goes_on = line.is_text() && (continues || !begins) && !ends(line.text.trim_end());
    }

    /// The first sentence of a line, which names the files at `heads` in front of what it says of them.
    fn take_begin(
        &mut self,
        sentence: &Sentence<'_>,
        heads: Range<usize>,
        around: &Around<'_, '_>,
    ) {
        let line = around.line;
        if let (true, [name]) = (around.is_put, &sentence.tokens[..]) {
            self.take_token(name, Operation::Created, true);
            return;
        }
        // What continues the line above is in the middle of a sentence.
        let is_deed = is_deed_of(sentence, &heads);
        let counts = || around.is_own && (is_deed || is_marked_title(line));
        if !around.continues && (self.own.is_some() || counts()) {
            self.item = line.is_item.then_some(line.indent);
            self.take_line(sentence, heads, line.text, is_deed);
        }
    }

    /// What a sentence tells. `is_open`: the deeds may be of others. `is_below_open`, `is_behind_other`: so may those of
    /// which it does not say whose they are.
    fn take_sentence(
        &mut self,
        sentence: &Sentence<'_>,
        is_open: bool,
        is_below_open: bool,
        is_behind_other: bool,
    ) {
        if self.tests.is_none() && adds_tests(sentence) {
            self.tests = Some(as_written(sentence));
        }
        let is_adrift = (is_below_open || is_behind_other) && tells_of_deeds_of_nobody(sentence);
        let of_others = self.heard.others;
        let has_changed_file = !is_adrift && sentence.tells_of_changed_file(of_others);
        self.heard.changed_file |= has_changed_file;
        if has_changed_file {
            // A tree that was clean before that says nothing of it.
            self.kept.retain(|it| it.says != Says::CleanTree);
        }
        self.heard.others |= sentence.is_ascribed();
        if is_open || is_adrift {
            return;
        }
        for (at, operation) in changed(sentence) {
            self.take_token(&sentence.tokens[at], operation, true);
        }
    }

    /// What a sentence says of checks and of git. How things are now is heard only if nothing may take it back.
    fn take_state(&mut self, sentence: &Sentence<'_>, is_heard: bool) {
        for passing in is_heard.then(|| passing(sentence)).into_iter().flatten() {
            if !self.passing.iter().any(|it| it.says == passing.says) {
                self.passing.push(passing);
            }
        }
        if self.kept.len() < MOST {
            let kept = kept(sentence).into_iter();
            self.kept
                .extend(kept.filter(|it| is_heard || !is_of_state(&it.says)));
        }
    }

    /// "The review has been written to `docs/a.md`", which is no part of what stands below a title.
    fn take_report(&mut self, text: &str) {
        for sentence in sentences(&collapsed(text)) {
            if let Some(at) = puts_report_into(&sentence) {
                self.take_token(&sentence.tokens[at], Operation::Created, true);
            }
        }
    }

    /// "Created: `src/a.py`, `src/b.py`": as if they stood below it.
    fn take_inline(&mut self, text: &str) {
        let Some((key, value)) = key::deed(text).filter(|(_, value)| begins_with_name(value))
        else {
            return;
        };
        let operation = key.operation();
        let entries = item::read(value, operation, ItemPlace::Value);
        for entry in entries.into_iter().filter_map(|entry| named(entry, false)) {
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
        // A new file in the folder of the project, which no word of prose is taken for.
        let is_marked = is_sentence && operation == Operation::Created && token.text.contains('`');
        let mut entries = item::read(name_in(token.text), operation, ItemPlace::Value);
        if let (Some(entry), true) = (entries.pop(), entries.is_empty())
            && let Some(entry) = named(entry, is_marked)
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
    const WANTED: &str = "definition criterion criteria acceptance checklist";
    let is_wanted = |it: &Token<'_>| text::is_one_of(WANTED, &it.word);
    let is_to_be_done = last.tokens.first().is_some_and(|it| it.word == "to");
    let is_of = |kind| is_own(line, kind);
    let is_own = || line.text.contains(char::is_alphabetic) && (is_of("own") || is_of("checks"));
    let is_asked = is_to_be_done || last.tokens.iter().any(is_wanted);
    !is_asked && (is_own_title(last) || begins_with_file(last) || is_own())
}

/// Whether a line that leads in is known to lead to the speaker's own work, or to what is in a file.
fn is_understood(line: &Line<'_>, last: &Sentence<'_>, all: &[Sentence<'_>]) -> bool {
    let tells = |it: &Sentence<'_>| tells_of_deeds(it) || !changed(it).is_empty();
    let is_titled = is_own_title(last) || begins_with_file(last) || all.iter().any(tells);
    is_titled || ends_in_front_of_a_file(all) || is_own(line, "own")
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

/// Whether it ends in a semicolon, and does not tell of a change: "Old keys are in `src/a.py`; added ones in `src/b.py`".
fn is_half_of_nothing(sentence: &Sentence<'_>) -> bool {
    sentence.goes_on() && changed(sentence).is_empty()
}

/// Whether a sign says that what a line tells is not done: "❌ All tests pass", "[~] Added", "~~Created `src/a.py`~~".
fn is_open(text: &str) -> bool {
    let text = text.trim_start();
    let is_box = text.starts_with('[') && text[1..].chars().nth(1) == Some(']');
    let is_ticked = || text[1..].starts_with(['x', 'X', '✓', '✔', '✅', '☑']);
    remark::is_open(text)
        || text.starts_with("~~")
        || text.starts_with('×')
        || is_box && !is_ticked()
}

/// Whether it says how things are, and not what was done.
fn is_of_state(says: &Says) -> bool {
    matches!(says, Says::CleanTree | Says::Committed)
}

/// Whether a sentence takes back what the one in front of it says of checks or of the work: "That was before my change",
/// "Not.", "I could not confirm it here".
fn takes_back_what_passed(sentence: &Sentence<'_>) -> bool {
    const OF_IT: &str = "that this these so not one";
    const SEEN: &str =
        "run ran confirm confirmed verify verified check checked tests anything nothing it them";
    let is_one_of = |list: &str| {
        sentence
            .tokens
            .iter()
            .any(|it| text::is_one_of(list, &it.word))
    };
    let first = sentence.tokens.first();
    first.is_some_and(|it| text::is_one_of(OF_IT, &it.word))
        || sentence.is_guarded() && is_one_of(SEEN)
}
