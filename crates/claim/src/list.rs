//! The list below a files key.

mod titles;

use std::ops::Range;

use crate::denial::is_denial;
use crate::document::{Document, Kind, Line};
use crate::entry::{MAX_ENTRIES, Place, denied, entries, more};
use crate::frame::labelled;
use crate::group::{Group, Title, Trust, label_of, put_into};
use crate::hedge::note_leaves_doubt;
use crate::keys::{self, Key};
use crate::label::{self, begins_with_name};
use crate::list_line::{has_other_label, is_lead_in, summary, without_signs};
use crate::meta::is_about_the_work;
use crate::name::is_one_path;
use crate::table::Columns;
use crate::words::is_empty_form;
use crate::{Entry, Meaning, Operation, Unresolvable, fence, lexicon};

/// Reads the list that begins in the range of lines and belongs to the key on line `key`. Also
/// returns the line after it.
pub(crate) fn below(
    document: &Document<'_>,
    key: usize,
    lines: Range<usize>,
    operation: Operation,
) -> (Vec<Entry>, usize) {
    let all = &document.lines[..lines.end];
    let mut list = List {
        document,
        key: &all[key],
        root: Group::new(operation, None),
        item: None,
        groups: Vec::new(),
        columns: Columns::default(),
        has_gap: false,
        is_plain: false,
        is_fresh: true,
        seen: Seen::default(),
        entries: Vec::new(),
    };
    let mut next = lines.start;
    let mut at = lines.start;
    while at < all.len() {
        let line = &all[at];
        at += 1;
        if line.is_blank() {
            list.has_gap = true;
            continue;
        }
        let mut behind = all[at..].iter().skip_while(|line| line.is_blank());
        let is_head = behind.next().is_some_and(|next| {
            next.kind == Kind::Text && next.is_item && next.indent > line.indent + 1
        });
        if line.kind == Kind::Hidden
            && list.is_fresh
            && let Some(end) = list.take_fence(line)
        {
            at += lines_before(&all[at..], end);
        } else if list.is_note(line) {
            let fence = document.fences_in(&line.range).next();
            let end = fence.map_or(line.range.end, |fence| fence.whole.end);
            at += lines_before(&all[at..], end);
        } else if !list.take(line, is_head) {
            break;
        }
        list.has_gap = false;
        next = at;
    }
    if list.entries.len() > MAX_ENTRIES {
        list.entries.truncate(MAX_ENTRIES);
        list.entries.push(more(operation));
    }
    (list.entries, next)
}

/// How many of the lines begin before this place.
fn lines_before(lines: &[Line<'_>], end: usize) -> usize {
    let before = lines.iter().take_while(|line| line.range.start < end);
    before.count()
}

struct List<'a, 'b> {
    document: &'a Document<'b>,
    key: &'a Line<'b>,
    /// What the key says about all files.
    root: Group,
    /// The indentation of the items of the list.
    item: Option<usize>,
    /// What the last labels say about the files below them, the innermost last.
    groups: Vec<Group>,
    columns: Columns,
    has_gap: bool,
    /// Each file is on a line of its own, and items are remarks about it.
    is_plain: bool,
    /// Only titles were read so far, so a fence may hold the list.
    is_fresh: bool,
    seen: Seen,
    entries: Vec<Entry>,
}

/// What was read before, on which the meaning of what follows depends.
#[derive(Default)]
struct Seen {
    /// The list began with files and not with a title.
    files_first: bool,
    /// An item without a label.
    bare_item: bool,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list. `is_head`: a deeper list follows it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        match line.kind {
            Kind::Heading(level) => self.take_heading(line, level),
            // The tags of a list that can be folded, and its title.
            Kind::Hidden => {
                let is_tag = ["<details", "</details", "<summary", "</summary"]
                    .iter()
                    .any(|tag| line.text.starts_with(tag));
                is_tag && summary(line.text).is_none_or(|title| self.take_summary(title))
            }
            Kind::Head => {
                let had_files = self.columns.names_files();
                let columns = Columns::of(line.text);
                // So is a second one with other columns.
                if had_files && !self.is_fresh && columns != self.columns {
                    self.groups = vec![Group {
                        trust: Trust::Nothing,
                        ..Group::new(self.root.operation, None)
                    }];
                }
                self.columns = columns;
                // Below a table of files, a table of something else is not part of the list.
                !had_files || self.columns.names_files()
            }
            Kind::Row => {
                self.is_fresh = false;
                if self.takes_more() {
                    let found = self.columns.entries(line.text, self.group().operation);
                    self.extend(found);
                }
                true
            }
            Kind::Text if line.is_item => self.take_item(line, is_head),
            Kind::Text => self.take_plain(line),
        }
    }

    /// Reads the fenced block that begins at the line, and returns where it ends.
    fn take_fence(&mut self, line: &Line<'_>) -> Option<usize> {
        let fence = self.document.fences_in(&line.range).next()?;
        if self.takes_more() {
            let content = &self.document.source[fence.content.clone()];
            let mut found = fence::read(content, self.group().operation);
            // Below "Tests" is what was printed.
            if self.group().trust != Trust::Full {
                found.iter_mut().for_each(Entry::doubt);
            }
            self.extend(found);
        }
        self.is_fresh = false;
        Some(fence.whole.end)
    }

    /// Code or a quotation that is to the right of an item: a remark about it, whatever is in it.
    fn is_note(&self, line: &Line<'_>) -> bool {
        line.kind == Kind::Hidden && self.item.is_some_and(|item| line.indent > item)
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
        // A deeper group ends with its items; a title applies until the next one.
        let is_below = |group: &Group| group.indent.is_none_or(|indent| line.indent > indent + 1);
        while self.groups.last().is_some_and(|group| !is_below(group)) {
            self.groups.pop();
        }
        if let Some(label) = label_of(line.text, is_head) {
            let is_ignored = self.group().is_ignored;
            let indent = is_head.then_some(line.indent);
            let (Title::Group(mut group) | Title::Unknown(mut group)) = self.title(label, indent)
            else {
                self.put(Group {
                    is_ignored: true,
                    ..Group::new(self.root.operation, indent)
                });
                return true;
            };
            group.is_ignored |= is_ignored;
            self.put(group);
            return true;
        }
        let is_note = match self.groups.last_mut() {
            Some(group) => line.indent > *group.item.get_or_insert(line.indent) + 1,
            None => is_nested,
        };
        if is_note {
            self.note(line.text);
        } else {
            self.add(line);
        }
        true
    }

    /// A remark below a file is about the file: "not done yet" takes the file away.
    fn note(&mut self, text: &str) {
        self.deny(text);
        // "it was unused" is why a file was deleted.
        let is_open = |operation| {
            note_leaves_doubt(text) || operation != Operation::Deleted && is_about_the_work(text)
        };
        if let Some(entry) = self
            .entries
            .last_mut()
            .filter(|entry| is_open(entry.operation))
        {
            entry.doubt();
        }
    }

    fn deny(&mut self, text: &str) {
        if let Some(entry) = self.entries.last_mut().filter(|_| is_denial(text)) {
            entry.meaning = Meaning::Unresolvable(Unresolvable::Denied);
        }
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        // A map in YAML: "created:" with its own list.
        let is_outside = self.item.is_none_or(|item| line.indent <= item);
        let label = label_of(line.text, false);
        if let Some(label) = label.filter(|_| is_outside && line.indent > self.key.indent)
            && let Title::Group(mut group) = self.title(label, Some(line.indent))
        {
            self.item = None;
            group.trust = Trust::Full;
            self.groups = vec![group];
            return true;
        }
        let key = keys::key_line(line.text).map(|(key, _)| key);
        if let Some(item) = self.item {
            // What belongs to an item is to the right of it.
            if line.indent > item + 1 {
                // "change: skipped", in YAML
                if let Some((_, value)) = keys::key_line(line.text) {
                    self.deny(value);
                }
                return true;
            }
            if let Some(label) = label.filter(|_| !matches!(key, Some(Key::Status | Key::Files(_))))
            {
                let is_inside = matches!(self.key.kind, Kind::Heading(_));
                return self.begin_group(self.title(label, None), is_inside);
            }
            return !self.has_gap && key.is_none();
        }
        if key.is_some_and(|key| key != Key::Other) {
            return false;
        }
        if self.entries.is_empty() && is_lead_in(line.text) {
            return true;
        }
        if let Some(label) = label.filter(|_| !is_one_path(line.text)) {
            let is_inside =
                self.is_fresh && !self.has_gap || matches!(self.key.kind, Kind::Heading(_));
            return self.begin_group(self.title(label, None), is_inside);
        }
        // "new: a.py, b.py"
        let (label, _) = labelled(line.text);
        let is_sorted = label.is_some_and(|label| lexicon::change(label).is_some());
        if key.is_some() && !is_sorted && !begins_with_name(line.text) {
            return false;
        }
        // "M  src/a.py", as git prints it, and "📄 src/a.py".
        let is_named = is_sorted || begins_with_name(label::label(without_signs(line.text)).1);
        let is_listed = is_named || is_empty_form(line.text);
        let goes_on =
            !self.has_gap || self.entries.is_empty() || self.is_plain && is_one_path(line.text);
        if !is_listed || !goes_on {
            return false;
        }
        self.is_plain |= is_named;
        self.add(line);
        true
    }

    /// The group that the next file belongs to.
    fn group(&self) -> &Group {
        self.groups.last().unwrap_or(&self.root)
    }

    fn takes_more(&self) -> bool {
        !self.group().is_ignored && self.entries.len() <= MAX_ENTRIES
    }

    fn add(&mut self, line: &Line<'_>) {
        self.is_fresh = false;
        if !self.takes_more() {
            return;
        }
        let group = self.group();
        if line.is_unticked {
            let entry = denied(line.text, group.operation);
            self.entries.push(entry);
            return;
        }
        let mut found = entries(line.text, group.operation, Place::Item);
        if let Some(folder) = &group.folder {
            for entry in &mut found {
                put_into(entry, folder);
            }
        }
        // In "src/a.py", "Entry point: src/b.py" only one item is sure to be a file.
        let is_mentioned = has_other_label(line.text);
        if is_mentioned && self.seen.bare_item {
            found.iter_mut().for_each(Entry::doubt);
        }
        self.seen.bare_item |= !is_mentioned && line.is_item;
        self.extend(found);
    }

    fn extend(&mut self, mut found: Vec<Entry>) {
        self.seen.files_first |= self.entries.is_empty() && self.groups.is_empty();
        let trust = self.group().trust;
        for entry in found.iter_mut().filter(|entry| !trust.covers(entry)) {
            entry.doubt();
        }
        self.entries.extend(found);
    }
}
