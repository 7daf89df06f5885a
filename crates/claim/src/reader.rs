//! The keys of a report, and what belongs to each.

use std::cell::OnceCell;
use std::iter;
use std::ops::Range;

use crate::assertion::Topic;
use crate::item::{self, ItemPlace, put_below};
use crate::key::{self, FilesKey, Key};
use crate::layout::list;
use crate::markdown::{Line, LineKind};
use crate::own::keep_own;
use crate::path::is_one_path;
use crate::path::unresolvable::unresolvable;
use crate::place::{Block, Place, items_around, leads_in};
use crate::plain_text::PlainText;
use crate::remark;
use crate::report::{Files, Report};
use crate::split::begins_with_name;
use crate::unclaimed::Headings;
use crate::{Checked, Entry, Operation, Unresolvable, status};

/// Reads the lines from the one at `start`.
pub(crate) fn read(lines: &[Line<'_>], start: usize) -> Report {
    let headings = Headings::of(lines);
    let mut reader = Reader {
        lines,
        headings: &headings,
        section: None,
        around: Vec::new(),
        lead: None,
        is_led: false,
        run: 0,
        part: 0,
        report: Report::default(),
        beside: OnceCell::new(),
    };
    let mut at = start;
    while at < lines.len() {
        at = reader.take(at);
    }
    let mut report = reader.report;
    keep_own(&mut report, lines, &headings, start);
    report
}

struct Reader<'a, 'b> {
    lines: &'b [Line<'a>],
    headings: &'b Headings<'b, 'a>,
    /// The line of the heading above.
    section: Option<usize>,
    /// The lines of the headings whose sections are open, the innermost last.
    around: Vec<usize>,
    /// The label or the sentence that leads in what is read now.
    lead: Option<usize>,
    /// Whether the line before was that one, or a key below it.
    is_led: bool,
    /// How many lines that are no keys were passed.
    run: usize,
    /// How many titles were passed.
    part: usize,
    report: Report,
    beside: OnceCell<Vec<bool>>,
}

impl<'a> Reader<'a, '_> {
    /// Reads one line with everything that belongs to it, and returns the next line.
    fn take(&mut self, at: usize) -> usize {
        let line = &self.lines[at];
        let mut above = self.section;
        let is_heading = line.level().is_some();
        if is_heading {
            // A section ends at the next heading of its level.
            let is_over = |open: &mut usize| self.lines[*open].level() >= line.level();
            while self.around.pop_if(is_over).is_some() {}
            above = self.around.last().copied();
            self.around.push(at);
            self.section = Some(at);
        } else if !line.is_text() {
            let next = self.take_row(at);
            self.lead = None;
            return next;
        }
        let is_title = is_heading || is_bold(line.text);
        let alone = || {
            let key = key::alone(line.text)?;
            let is_key = is_title || matches!(key, Key::Files(_)) && self.leads(at);
            is_key.then_some((key, ""))
        };
        let below_files = || {
            let above = self.lines[above.filter(|_| is_title)?].text;
            let key = key::below_files(line.text, above)?;
            let is_claimed = |open: &usize| self.headings.below(*open).is_none();
            self.around.iter().all(is_claimed).then_some((key, ""))
        };
        let key = self.deed(at).or_else(below_files);
        let key = key.or_else(|| key::line(line.text)).or_else(alone);
        self.pass(at, key.map(|(key, _)| key), is_title);
        match key {
            // "## Status", and below it "Status: DONE"
            Some((Key::Status, "")) if self.has_status_below(at) => {}
            Some((Key::Status, value)) => {
                let value = if value.is_empty() {
                    self.next_text(at)
                } else {
                    value
                };
                self.report.push_status(at, above, self.place(at), value);
            }
            Some((Key::Blockers, value)) => self.report.blockers = Some(self.text_of(at, value)),
            Some((Key::RanTests(said), value)) => {
                let text = self.text_of(at, value);
                let topic = Topic::Checks(Checked::Tests);
                let place = self.place(at);
                self.report.assert(topic, &place, said, [&*text]);
                self.report.ran_tests = Some(text);
            }
            Some((Key::Files(key), value)) => return self.take_files(at, key, value),
            key => {
                if let Some((Key::Asserts(topic, said), value)) = key
                    && !line.is_unticked
                {
                    self.take_assertions(at, topic, said, value);
                }
                let is_begin = || is_title || line.text.ends_with(':');
                let begins = key.map_or_else(is_begin, |(_, value)| value.is_empty());
                self.part += usize::from(begins);
                return at + 1;
            }
        }
        self.report.lines.push(at);
        at + 1
    }

    /// Keeps in mind what leads in the lines below this one.
    fn pass(&mut self, at: usize, key: Option<Key<'_>>, is_title: bool) {
        let line = &self.lines[at];
        let is_report = matches!(key, Some(Key::Status | Key::Files(_)));
        if line.level().is_some() {
            self.lead = None;
        } else if line.has_gap && !line.is_item {
            let is_first = self.lead.is_some_and(|lead| lead + 1 == at);
            let goes_on = self.is_led && matches!(key, Some(Key::Files(_)));
            self.lead = self.lead.filter(|_| is_first || goes_on);
        }
        let leads =
            leads_in(line) && matches!(key, None | Some(Key::Other)) || key.is_none() && is_title;
        let is_prose = key.is_none() && !line.is_item && line.has_gap;
        self.run += usize::from(leads || is_prose);
        if leads && line.level().is_none() {
            self.lead = Some(at);
        }
        self.is_led = is_report;
    }

    fn place(&self, at: usize) -> Place {
        let around = self.around.iter().copied().filter(|open| *open != at);
        let titles = around.chain(items_around(self.lines, at)).collect();
        let block = Block {
            titles,
            lead: self.lead,
            run: self.run,
        };
        Place { at, block }
    }

    /// A row of two cells, of which the first is a key: "| Status | DONE |"; or the head of a table whose first column
    /// is one.
    fn take_row(&mut self, at: usize) -> usize {
        let (LineKind::Head(cells) | LineKind::Row(cells)) = &self.lines[at].kind else {
            return at + 1;
        };
        let value = cells.get(1).filter(|_| cells.len() == 2).copied();
        match cells.first().and_then(|name| key::alone(name)) {
            Some(Key::Status)
                if let Some(value) = value.filter(|it| status::read(it).is_some()) =>
            {
                self.report
                    .push_status(at, self.section, self.place(at), value);
                self.report.lines.push(at);
            }
            Some(Key::Files(key)) => {
                let operation = key.operation();
                let mut next = at + 1;
                let mut entries =
                    item::read(value.unwrap_or_default(), operation, ItemPlace::Value);
                if !entries.iter().any(|entry| entry.file().is_some()) {
                    if !matches!(self.lines[at].kind, LineKind::Head(_)) {
                        return next;
                    }
                    (entries, next) = self.list_below(at, at, operation);
                }
                return self.push_files(at..next, key, cells[0], entries);
            }
            _ => {}
        }
        at + 1
    }

    fn list_below(&self, key: usize, first: usize, operation: Operation) -> (Vec<Entry>, usize) {
        let above = self.section.and_then(|at| self.lines[at].level());
        list::below(self.lines, key, first, operation, above.unwrap_or_default())
    }

    /// Adds what was read from these lines, and returns the next line.
    fn push_files(
        &mut self,
        of: Range<usize>,
        key: FilesKey<'_>,
        name: &str,
        mut entries: Vec<Entry>,
    ) -> usize {
        item::put_below(&mut entries, key.doubt);
        self.report.files.push(Files {
            at: of.start,
            of: of.clone(),
            place: self.place(of.start),
            section: self.section,
            verb: key.verb,
            said: key::beside(name),
            part: self.part,
            is_doubtful: key.doubt.is_some(),
            entries,
        });
        self.report.lines.extend(of.clone());
        of.end
    }

    /// "Changed: a.py", if it stands among keys of which one is a status, without a blank line between them.
    fn deed(&self, at: usize) -> Option<(Key<'a>, &'a str)> {
        let (key, value) = key::deed(self.lines[at].text)?;
        let below = self.lines.get(at + 1).filter(|_| value.is_empty());
        let names_file = begins_with_name(below.map_or(value, |below| below.text));
        let beside = self.beside.get_or_init(|| beside_status(self.lines));
        (names_file && beside[at]).then_some((Key::Files(key), value))
    }

    /// Whether a line stands by itself right above a list, a table, a fence or a file, as a title that nothing marks does.
    fn leads(&self, at: usize) -> bool {
        let line = &self.lines[at];
        let above = at.checked_sub(1).map(|above| &self.lines[above]);
        let goes_on =
            |above: &Line<'_>| !line.has_gap && above.is_text() && key::line(above.text).is_none();
        let is_begun = |next: &Line<'_>| match next.kind {
            LineKind::Head(_) | LineKind::Fence(_) => true,
            _ => next.is_item || next.is_text() && is_one_path(next.text),
        };
        !line.is_item && !above.is_some_and(goes_on) && self.lines.get(at + 1).is_some_and(is_begun)
    }

    fn take_files(&mut self, at: usize, key: FilesKey<'a>, value: &str) -> usize {
        self.part += usize::from(key.is_single);
        let operation = key.operation();
        let text = self.lines[at].text;
        let name = text.rsplit_once(value).map_or(text, |(name, _)| name);
        // YAML has comments.
        let value = if value.starts_with("# ") { "" } else { value };
        let (written, mut next) = whole_value(self.lines, at, value);
        let mut entries = item::read(&written, operation, ItemPlace::Value);
        let plain = PlainText::of(&written);
        let is_elsewhere = matches!(
            unresolvable(plain.text()),
            Some(Unresolvable::Count | Unresolvable::Reference)
        );
        if is_bare(plain.text()) || is_elsewhere {
            let (mut below, after) = self.list_below(at, next, operation);
            if remark::is_by_another(plain.text()) {
                put_below(&mut below, Some(plain.text()));
            }
            entries.extend(below);
            next = after;
        }
        self.push_files(at..next, key, name, entries)
    }

    /// What stands behind the key, or, if that is nothing, on each of the lines below it.
    fn take_assertions(&mut self, at: usize, topic: Topic, said: &str, value: &str) {
        let lines = self.lines[at + 1..].iter();
        // "1a2b3c4 fix: dates" has a colon, and is no key.
        let is_other = |text: &str| match key::line(text) {
            _ if is_bold(text) => true,
            Some((Key::Other, _)) => topic.read(text).is_empty(),
            key => key.is_some(),
        };
        let is_below = |(number, line): &(usize, &Line<'_>)| {
            value.is_empty()
                && line.is_text()
                && (*number == 0 || !line.has_gap)
                && !is_other(line.text)
        };
        let below: Vec<_> = lines.enumerate().take_while(is_below).collect();
        let ticked = below.iter().filter(|(_, line)| !line.is_unticked);
        let texts = iter::once(value).filter(|value| !value.is_empty());
        let texts = texts.chain(ticked.map(|(_, line)| line.text));
        let place = self.place(at);
        self.report.assert(topic, &place, said, texts);
        self.report.lines.extend(at..=at + below.len());
    }

    /// Whether the line below has a status of its own.
    fn has_status_below(&self, at: usize) -> bool {
        let key = key::line(self.next_text(at));
        matches!(key, Some((Key::Status, value)) if !value.is_empty())
    }

    fn next_text(&self, at: usize) -> &'a str {
        self.lines
            .get(at + 1)
            .filter(|line| line.is_text())
            .map_or("", |line| line.text)
    }

    /// The value of a key that is only displayed: on its line, or on the line below.
    fn text_of(&self, at: usize, value: &str) -> String {
        let below = self.next_text(at);
        let is_below = is_bare(value) && key::line(below).is_none();
        (if is_below { below } else { value }).to_owned()
    }
}

/// Whether nothing stands behind a key: in YAML, a single sign says that the value is the text below.
fn is_bare(value: &str) -> bool {
    matches!(value, "" | "|" | ">" | "|-" | ">-")
}

/// Which lines are keys, beside others that are keys and of which one is a status.
fn beside_status(lines: &[Line<'_>]) -> Vec<bool> {
    let goes_on =
        |above: &Line<'_>, line: &Line<'_>| !line.has_gap && above.is_text() && line.is_text();
    let blocks = lines.chunk_by(goes_on);
    let of_block = blocks.flat_map(|block| {
        let is_beside =
            |line: &&Line<'_>| line.indent == block[0].indent && line.is_item == block[0].is_item;
        let keys = block.iter().filter(is_beside);
        let keys: Vec<_> = keys
            .map(|line| key::line(line.text).map(|(key, _)| key))
            .collect();
        let is_beside_status = keys.contains(&Some(Key::Status)) && !keys.contains(&None);
        block
            .iter()
            .map(move |line| is_beside_status && is_beside(&line))
    });
    of_block.collect()
}

fn is_bold(text: &str) -> bool {
    // "📝 **Files changed** 📝"
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ');
    let is_within =
        |mark: &str| text.starts_with(mark) && text.trim_end_matches(':').ends_with(mark);
    is_within("**") || is_within("__")
}

/// The value with the lines that it continues on: behind an open bracket or a comma, or with paths alone.
fn whole_value(lines: &[Line<'_>], at: usize, value: &str) -> (String, usize) {
    let mut value = value.to_owned();
    let mut next = at + 1;
    let mut is_flow = value.starts_with('[') && !value.contains(']');
    while let Some(line) = lines.get(next) {
        let flow = value.trim_end_matches(',').strip_prefix('[');
        let inside = flow.and_then(|flow| flow.strip_suffix(']'));
        is_flow &= inside.is_none();
        // Each field of a JSON object ends with a comma.
        let is_other = key::line(line.text).is_some() || matches!(line.text, "}" | "},");
        let is_path = is_one_path(line.text) && begins_with_name(&value);
        let goes_on = is_flow || !line.has_gap && (value.ends_with([',', ';']) || is_path);
        if !goes_on || !line.is_text() || is_other {
            break;
        }
        if let Some(inside) = inside {
            value = inside.trim().to_owned();
        }
        let ends = is_flow || value.ends_with([',', ';']);
        value.push_str(if ends { " " } else { ", " });
        value.push_str(line.text);
        next += 1;
    }
    (value, next)
}
