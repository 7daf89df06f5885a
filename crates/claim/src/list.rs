//! The list below a files key.

use crate::document::{Kind, Line};
use crate::entry::{MOST_ENTRIES, entries, more, prose};
use crate::keys::{self, Key};
use crate::label::begins_with_name;
use crate::name::bare;
use crate::shape::{has_extension, is_path, trim_end};
use crate::words::is_activity;
use crate::words::is_empty_form;
use crate::{Entry, Operation};

/// Reads the list that begins at line `first` and belongs to the key on line `key`; returns the
/// line after it as well.
pub(crate) fn below(
    lines: &[Line<'_>],
    key: usize,
    first: usize,
    operation: Operation,
) -> (Vec<Entry>, usize) {
    let mut list = List {
        key: &lines[key],
        operation,
        item: None,
        group: None,
        has_gap: false,
        is_plain: false,
        entries: Vec::new(),
    };
    let mut next = first;
    let mut at = first;
    while at < lines.len() {
        let line = &lines[at];
        at += 1;
        if line.is_blank() {
            list.has_gap = true;
            continue;
        }
        let is_head = lines.get(at).is_some_and(|next| {
            next.kind == Kind::Text && next.is_item && next.indent > line.indent + 1
        });
        if !list.take(line, is_head) {
            break;
        }
        list.has_gap = false;
        next = at;
    }
    if list.entries.len() > MOST_ENTRIES {
        list.entries.truncate(MOST_ENTRIES);
        list.entries.push(more(operation));
    }
    (list.entries, next)
}

/// A label such as "Created:" or "Backend" with a list of its own below it.
#[derive(Clone, Copy)]
struct Group {
    indent: usize,
    operation: Operation,
    /// Where the items below it begin.
    item: Option<usize>,
}

struct List<'a, 'b> {
    key: &'a Line<'b>,
    operation: Operation,
    /// Where the items of the list begin.
    item: Option<usize>,
    group: Option<Group>,
    has_gap: bool,
    /// Each file stands on a line of its own, and items are what is said about it.
    is_plain: bool,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list. `is_head`: a deeper list follows it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        match line.kind {
            Kind::Heading(_) => false,
            // The head of a table is hidden as well, and ends nothing.
            Kind::Hidden => line.text.starts_with('|'),
            Kind::Row => {
                self.take_row(line.text);
                true
            }
            Kind::Text if line.is_item => self.take_item(line, is_head),
            Kind::Text => self.take_plain(line),
        }
    }

    fn take_item(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        let key = keys::key_line(line.text).map(|(key, _)| key);
        let is_sibling = self.key.is_item && line.indent <= self.key.indent;
        if is_sibling && (key.is_some() || !begins_with_name(line.text)) {
            return false;
        }
        let is_nested = self.item.is_some_and(|item| line.indent > item + 1);
        if matches!(key, Some(Key::Status | Key::Files(_))) && !is_nested {
            return false;
        }
        if self.is_plain {
            return !self.has_gap && !matches!(key, Some(Key::Blockers | Key::RanTests));
        }
        if !is_nested {
            self.item = Some(line.indent);
        }
        let group = self.group.filter(|group| line.indent > group.indent + 1);
        self.group = group;
        if let Some(operation) = self.head_of_group(line, is_head, group) {
            self.group = Some(Group {
                indent: line.indent,
                operation,
                item: None,
            });
            return true;
        }
        match group {
            Some(mut group) => {
                let item = *group.item.get_or_insert(line.indent);
                self.group = Some(group);
                if line.indent <= item + 1 {
                    self.add(line.text, group.operation);
                }
            }
            // What is said about the file above.
            None if is_nested => {}
            None => self.add(line.text, self.operation),
        }
        true
    }

    /// What the items below a label are said to be, if the line is a label.
    fn head_of_group(
        &self,
        line: &Line<'_>,
        is_head: bool,
        outer: Option<Group>,
    ) -> Option<Operation> {
        let text = line.text.trim_end_matches('*');
        let label = text.strip_suffix(':');
        if let Some(operation) = label.or(is_head.then_some(text)).and_then(keys::group) {
            return Some(operation);
        }
        let is_label = (label.is_some() || is_head) && !begins_with_name(bare(text));
        is_label.then(|| outer.map_or(self.operation, |group| group.operation))
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        // A map in YAML: "created:" with a list of its own.
        let is_outside = self.item.is_none_or(|item| line.indent <= item);
        let label = line.text.strip_suffix(':').and_then(keys::group);
        if let Some(operation) = label.filter(|_| is_outside && line.indent > self.key.indent) {
            self.item = None;
            self.group = Some(Group {
                indent: line.indent,
                operation,
                item: None,
            });
            return true;
        }
        if let Some(item) = self.item {
            // What belongs to an item stands to the right of it.
            if line.indent > item + 1 {
                return true;
            }
            let is_title = line.text.trim_end_matches(['*', '_']).ends_with(':');
            return !self.has_gap && !is_title && keys::key_line(line.text).is_none();
        }
        if keys::key_line(line.text).is_some_and(|(key, _)| key != Key::Other)
            || keys::key_line(line.text).is_some() && !begins_with_name(line.text)
        {
            return false;
        }
        if self.entries.is_empty() && is_lead_in(line.text) {
            return true;
        }
        let is_listed = begins_with_name(line.text) || is_empty_form(line.text);
        if !is_listed || (self.has_gap && !self.entries.is_empty()) {
            return false;
        }
        self.is_plain |= begins_with_name(line.text);
        self.add(line.text, self.operation);
        true
    }

    fn take_row(&mut self, row: &str) {
        let path = row
            .trim_matches('|')
            .split('|')
            .map(str::trim)
            .find(|cell| {
                let name = trim_end(bare(cell));
                is_path(name) && has_extension(name)
                    || cell.starts_with(['`', '[']) && begins_with_name(cell)
            });
        if let Some(cell) = path {
            self.add(cell, self.operation);
        }
    }

    fn add(&mut self, text: &str, operation: Operation) {
        if is_activity(text) {
            self.entries.push(prose(text, operation));
        } else if self.entries.len() <= MOST_ENTRIES {
            self.entries.extend(entries(text, operation));
        }
    }
}

/// "The following files were changed:", but not "Files that I did not touch:".
fn is_lead_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let speaks_of_files = lower.contains("files") || lower.contains("following");
    let says_changed = ["change", "modif", "creat", "add", "touch", "edit", "updat"]
        .iter()
        .any(|word| lower.contains(word));
    let denies = [
        "not", "n't", "n’t", "without", "never", "un", "read", "should", "would", "could",
    ]
    .iter()
    .any(|word| lower.contains(word));
    text.ends_with(':') && speaks_of_files && says_changed && !denies
}
