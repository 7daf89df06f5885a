//! The list below a files key.

use std::ops::Range;

use crate::denial::is_denial;
use crate::document::{Document, Kind, Line};
use crate::elsewhere::is_elsewhere;
use crate::entry::{MAX_ENTRIES, Place, denied, entries, more};
use crate::frame::labelled;
use crate::group::{Group, Title, label_of, put_into};
use crate::keys::{self, Key};
use crate::label::{self, begins_with_name};
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
        group: None,
        columns: Columns::default(),
        has_gap: false,
        is_plain: false,
        is_fresh: true,
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
            while at < all.len() && all[at].range.start < end {
                at += 1;
            }
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

struct List<'a, 'b> {
    document: &'a Document<'b>,
    key: &'a Line<'b>,
    /// What the key says about all files.
    root: Group,
    /// The indentation of the items of the list.
    item: Option<usize>,
    /// What the last label says about the files below it.
    group: Option<Group>,
    columns: Columns,
    has_gap: bool,
    /// Each file is on a line of its own, and items are remarks about it.
    is_plain: bool,
    /// Only titles were read so far, so a fence may hold the list.
    is_fresh: bool,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list. `is_head`: a deeper list follows it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        match line.kind {
            Kind::Heading(level) => self.take_heading(line, level),
            // The tags of a list that can be folded.
            Kind::Hidden => ["<details", "</details", "<summary", "</summary"]
                .iter()
                .any(|tag| line.text.starts_with(tag)),
            Kind::Head => {
                let had_files = self.columns.names_files();
                self.columns = Columns::of(line.text);
                // Below a table of files, a table of something else is not part of the list.
                !had_files || self.columns.names_files()
            }
            Kind::Row => {
                self.is_fresh = false;
                if self.takes_more() {
                    let found = self.columns.entries(line.text, self.group().operation);
                    self.entries.extend(found);
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
            let found = fence::read(content, self.group().operation);
            self.entries.extend(found);
        }
        self.is_fresh = false;
        Some(fence.whole.end)
    }

    /// A deeper heading below a heading forms a group, or names a file.
    fn take_heading(&mut self, line: &Line<'_>, level: u8) -> bool {
        let Kind::Heading(above) = self.key.kind else {
            return false;
        };
        if level <= above || keys::bare(line.text) == Some(Key::Status) {
            return false;
        }
        if is_one_path(line.text) {
            self.is_plain = true;
            self.group = None;
            self.add(line);
            return true;
        }
        self.begin_group(self.title(line.text, None), true)
    }

    /// Continues below a title, or ends. `is_inside`: the title is below the key, not beside it.
    fn begin_group(&mut self, title: Title, is_inside: bool) -> bool {
        let group = match title {
            Title::Group(group) => group,
            Title::Unknown(group) if is_inside => group,
            Title::Unknown(_) | Title::End => return false,
        };
        self.group = Some(group);
        self.item = None;
        self.is_fresh = true;
        self.is_plain = false;
        true
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
        if !self.group.as_ref().is_some_and(is_below) {
            self.group = None;
        }
        if let Some(label) = label_of(line.text, is_head) {
            let is_ignored = self.group().is_ignored;
            let indent = is_head.then_some(line.indent);
            let (Title::Group(mut group) | Title::Unknown(mut group)) = self.title(label, indent)
            else {
                self.group = Some(Group {
                    is_ignored: true,
                    ..Group::new(self.root.operation, indent)
                });
                return true;
            };
            group.is_ignored |= is_ignored;
            self.group = Some(group);
            return true;
        }
        let is_note = match &mut self.group {
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
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        if is_denial(text) {
            entry.meaning = Meaning::Unresolvable(Unresolvable::Denied);
        } else if is_elsewhere(text) {
            entry.doubt();
        }
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        // A map in YAML: "created:" with its own list.
        let is_outside = self.item.is_none_or(|item| line.indent <= item);
        let label = label_of(line.text, false);
        if let Some(label) = label.filter(|_| is_outside && line.indent > self.key.indent)
            && let Title::Group(group) = self.title(label, Some(line.indent))
        {
            self.item = None;
            self.group = Some(group);
            return true;
        }
        let key = keys::key_line(line.text).map(|(key, _)| key);
        if let Some(item) = self.item {
            // What belongs to an item is to the right of it.
            if line.indent > item + 1 {
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

    fn title(&self, text: &str, indent: Option<usize>) -> Title {
        Title::of(text, self.root.operation, indent)
    }

    /// The group that the next file belongs to.
    fn group(&self) -> &Group {
        self.group.as_ref().unwrap_or(&self.root)
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
        self.entries.extend(found);
    }
}

/// The text behind pictures and other signs that stand in place of a bullet.
fn without_signs(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ')
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
