//! The claim lines of a stretch of a message, and what belongs to each.

use crate::document::{Kind, Line};
use crate::entry::entries;
use crate::keys::{self, FilesKey, Key};
use crate::shape::{is_empty_form, is_path, unresolvable};
use crate::{Entry, Operation, Status, Unresolvable, status};

/// Lines that a list in brackets may run over.
const LONGEST_FLOW: usize = 500;

/// What was found, in the order of the message. Positions are numbers of lines.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) statuses: Vec<(usize, Option<Status>)>,
    pub(crate) files: Vec<Files>,
    pub(crate) blockers: Option<String>,
    pub(crate) ran_tests: Option<String>,
    /// Every line that the claim was read from.
    pub(crate) lines: Vec<usize>,
}

/// One files key with its entries.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) at: usize,
    pub(crate) key: FilesKey,
    pub(crate) entries: Vec<Entry>,
}

impl Found {
    pub(crate) fn is_empty(&self) -> bool {
        self.statuses.is_empty()
            && self.files.is_empty()
            && self.blockers.is_none()
            && self.ran_tests.is_none()
    }

    /// The status, where no two of them differ.
    pub(crate) fn status(&self) -> Option<Status> {
        let mut known = self.statuses.iter().filter_map(|(_, status)| *status);
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
}

/// Reads the lines from `first` to before `end`.
pub(crate) fn collect(lines: &[Line<'_>], first: usize, end: usize) -> Found {
    let mut found = Found::default();
    let mut at = first;
    while at < end {
        at = found.read_line(&lines[..end], at);
    }
    found
}

impl Found {
    /// Reads one line with what belongs to it, and returns the next one.
    fn read_line(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let line = &lines[at];
        if matches!(line.kind, Kind::Hidden | Kind::Row) {
            return at + 1;
        }
        let is_title = matches!(line.kind, Kind::Heading(_)) || is_bold(line.text);
        let (key, value) = match keys::key_line(line.text) {
            Some(found) => found,
            None => match keys::bare(line.text).filter(|_| is_title) {
                Some(key) => (key, ""),
                None => return at + 1,
            },
        };
        self.lines.push(at);
        match key {
            Key::Status => {
                let value = if value.is_empty() {
                    next_text(lines, at)
                } else {
                    value
                };
                self.statuses.push((at, status::read(value)));
            }
            Key::Blockers => self.blockers = Some(value.to_owned()),
            Key::RanTests => self.ran_tests = Some(value.to_owned()),
            Key::Files(key) => return self.read_files(lines, at, key, value),
            Key::Other => {
                self.lines.pop();
            }
        }
        at + 1
    }

    fn read_files(&mut self, lines: &[Line<'_>], at: usize, key: FilesKey, value: &str) -> usize {
        let operation = key.operation();
        let (value, mut next) = whole_value(lines, at, value);
        let mut found = entries(&value, operation);
        let is_block = matches!(value.as_str(), "|" | ">" | "|-" | ">-");
        let announces = value.is_empty()
            || is_block
            || matches!(
                unresolvable(&value),
                Some(Unresolvable::Count | Unresolvable::Reference)
            );
        if announces {
            if is_block {
                found.clear();
            }
            let (below, after) = below(lines, at, next, operation);
            found.extend(below);
            next = after;
        }
        self.lines.extend(at + 1..next);
        self.files.push(Files {
            at,
            key,
            entries: found,
        });
        next
    }
}

fn is_bold(text: &str) -> bool {
    (text.starts_with("**") && text.trim_end_matches(':').ends_with("**"))
        || (text.starts_with("__") && text.trim_end_matches(':').ends_with("__"))
}

fn next_text<'a>(lines: &[Line<'a>], at: usize) -> &'a str {
    lines[at + 1..]
        .iter()
        .find(|line| !line.is_blank())
        .filter(|line| line.kind == Kind::Text)
        .map_or("", |line| line.text)
}

/// The value with the lines that it goes on over: an open bracket, or a comma at the end.
fn whole_value(lines: &[Line<'_>], at: usize, value: &str) -> (String, usize) {
    let mut value = value.to_owned();
    let mut next = at + 1;
    let is_flow = value.starts_with('[') && !value.contains(']');
    while next < lines.len() && next - at < LONGEST_FLOW {
        let goes_on = if is_flow {
            !value.ends_with("],") && !value.ends_with(']')
        } else {
            value.ends_with(',')
        };
        let line = &lines[next];
        if !goes_on || line.kind != Kind::Text || line.is_blank() && !is_flow {
            break;
        }
        // A JSON object ends each of its fields with a comma.
        if keys::key_line(line.text).is_some() || matches!(line.text, "}" | "},") {
            break;
        }
        value.push(' ');
        value.push_str(line.text);
        next += 1;
    }
    (value, next)
}

/// The list below a files key.
fn below(
    lines: &[Line<'_>],
    key: usize,
    first: usize,
    operation: Operation,
) -> (Vec<Entry>, usize) {
    let mut list = List {
        key: &lines[key],
        operation,
        group: None,
        indent: None,
        has_gap: false,
        entries: Vec::new(),
    };
    let mut next = first;
    for (at, line) in lines.iter().enumerate().skip(first) {
        if line.is_blank() {
            list.has_gap = true;
            continue;
        }
        if !list.take(line) {
            break;
        }
        next = at + 1;
    }
    (list.entries, next)
}

struct List<'a, 'b> {
    key: &'a Line<'b>,
    operation: Operation,
    /// What a label such as "Created:" says of the items below it.
    group: Option<Operation>,
    /// Where the items of the list begin.
    indent: Option<usize>,
    has_gap: bool,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list.
    fn take(&mut self, line: &Line<'_>) -> bool {
        match line.kind {
            Kind::Heading(_) => false,
            // The head of a table is hidden as well, and ends nothing.
            Kind::Hidden => line.text.starts_with('|'),
            Kind::Row => {
                self.take_row(line.text);
                true
            }
            Kind::Text if line.is_item => self.take_item(line),
            Kind::Text => self.take_plain(line),
        }
    }

    fn take_item(&mut self, line: &Line<'_>) -> bool {
        let is_sibling = self.key.is_item && line.indent <= self.key.indent;
        if is_sibling && (keys::key_line(line.text).is_some() || !is_path(first_word(line.text))) {
            return false;
        }
        if matches!(
            keys::key_line(line.text),
            Some((Key::Status | Key::Files(_), _))
        ) {
            return false;
        }
        let indent = *self.indent.get_or_insert(line.indent);
        let is_nested = line.indent > indent + 1;
        if let Some(group) = line.text.strip_suffix([':', '*']).and_then(keys::group) {
            self.group = Some(group);
            return true;
        }
        if !is_nested && self.indent != Some(line.indent) {
            self.indent = Some(line.indent);
        }
        match (is_nested, self.group) {
            // What is said about the file above.
            (true, None) => {}
            (true, Some(group)) => self.add(line.text, group),
            (false, _) => self.add(line.text, self.operation),
        }
        true
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        if keys::key_line(line.text).is_some() {
            return false;
        }
        // An item that goes on over the line.
        if self.indent.is_some() {
            return !self.has_gap;
        }
        let is_listed = is_path(first_word(line.text)) || is_empty_form(line.text);
        if !is_listed || (self.has_gap && !self.entries.is_empty()) {
            return false;
        }
        self.add(line.text, self.operation);
        true
    }

    fn take_row(&mut self, row: &str) {
        let cell = row
            .trim_matches('|')
            .split('|')
            .map(str::trim)
            .find(|cell| !cell.is_empty());
        if let Some(cell) = cell.filter(|cell| is_path(first_word(cell))) {
            self.add(cell, self.operation);
        }
    }

    fn add(&mut self, text: &str, operation: Operation) {
        self.entries.extend(entries(text, operation));
    }
}

fn first_word(text: &str) -> &str {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.trim_matches(|c: char| matches!(c, '`' | '*' | '"' | '\'' | ':' | ',' | '[' | '('))
}
