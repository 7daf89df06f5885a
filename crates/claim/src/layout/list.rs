//! The list below a files key.

mod group;
mod line;

use crate::frame::labelled;
use crate::item::{self, MAX_ENTRIES, Place, denied, is_empty_form, more};
use crate::key::{self, Key};
use crate::layout::table::Columns;
use crate::layout::tree;
use crate::markdown::{Kind, Line};
use crate::path::is_one_path;
use crate::split::begins_with_name;
use crate::title::{Title, is_plan, label_of};
use crate::words::{has_word, is_tag};
use crate::{Entry, Operation, words};
use group::{Group, put_into, words_of_area};
use line::{is_lead_in, title_of_file, without_signs};

/// Reads the list that begins on line `first` and belongs to the key on line `key`. Also returns the line after it.
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
        groups: Vec::new(),
        columns: Columns::default(),
        is_plain: false,
        is_fresh: true,
        files_first: false,
        entries: Vec::new(),
    };
    let mut next = first;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let is_head = lines
            .get(at + 1)
            .is_some_and(|next| next.is_text() && next.is_item && next.indent > line.indent + 1);
        if !list.take(line, is_head) {
            break;
        }
        next = at + 1;
    }
    if list.entries.len() > MAX_ENTRIES {
        list.entries.truncate(MAX_ENTRIES);
        list.entries.push(more(operation));
    }
    (list.entries, next)
}

struct List<'a, 'b> {
    key: &'a Line<'b>,
    /// What the key says about all files.
    operation: Operation,
    /// The column of the items of the list.
    item: Option<usize>,
    /// What the last labels say about the files below them, the innermost last.
    groups: Vec<Group>,
    columns: Columns,
    /// Each file is on a line of its own, and items are remarks about it.
    is_plain: bool,
    /// Only titles were read so far, so a fence may hold the list.
    is_fresh: bool,
    /// The list began with files and not with a title.
    files_first: bool,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list. `is_head`: a deeper list follows it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        let is_note = self.item.is_some_and(|item| line.indent > item);
        match &line.kind {
            Kind::Heading(level) => self.take_heading(line, *level),
            // Code or a quotation to the right of an item is a remark about it, whatever is in it.
            Kind::Fence(_) | Kind::Hidden if is_note => true,
            Kind::Fence(fence) if self.is_fresh => {
                self.take_fence(fence.content);
                true
            }
            Kind::Fence(_) => false,
            Kind::Hidden => self.take_tag(line.text),
            Kind::Head(cells) => self.take_head(cells),
            Kind::Row(cells) => {
                self.is_fresh = false;
                if self.takes_more() {
                    let found = self.columns.entries(cells, self.group_operation());
                    self.extend(found);
                }
                true
            }
            Kind::Text if line.is_item => self.take_item(line, is_head),
            Kind::Text => self.take_plain(line),
        }
    }

    /// A deeper heading below a heading forms a group, or names a file.
    fn take_heading(&mut self, line: &Line<'_>, level: u8) -> bool {
        let is_below = self.key.level().is_some_and(|above| level > above);
        if !is_below || key::alone(line.text) == Some(Key::Status) {
            return false;
        }
        if let Some(text) = title_of_file(line.text) {
            self.is_plain = true;
            self.groups.clear();
            self.add(&Line {
                text,
                ..line.clone()
            });
            return true;
        }
        self.begin_group(line.text, true, true)
    }

    /// The tags of a part that can be folded, and its title.
    fn take_tag(&mut self, tag: &str) -> bool {
        let is_fold = is_tag(tag, "fold");
        let title = tag
            .split_once("<summary>")
            .map(|(_, text)| text.split("</summary>").next().unwrap_or(text).trim());
        is_fold
            && title.is_none_or(|title| {
                let is_first =
                    self.entries.is_empty() && Title::of(title, self.operation) == Title::Ends;
                is_first || self.begin_group(title, true, false)
            })
    }

    fn take_head(&mut self, cells: &[&str]) -> bool {
        let had_files = self.columns.names_files();
        let columns = Columns::of(cells);
        // A second table with other columns may be of something else.
        if had_files && !self.is_fresh && columns != self.columns {
            self.groups = vec![Group {
                doubt: Some(cells.join(" | ")),
                ..self.new_group(None)
            }];
        }
        self.columns = columns;
        !had_files || self.columns.names_files()
    }

    fn take_fence(&mut self, content: &str) {
        if self.takes_more() {
            let mut found = tree::read(content, self.group_operation());
            // Below "Tests" is what was printed.
            if self.groups.last().is_some_and(|group| group.is_of_tests) {
                for entry in &mut found {
                    entry.put_below("tests");
                }
            }
            self.extend(found);
        }
        self.is_fresh = false;
    }

    fn take_item(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        // "New file: src/a.py" is an item, "New files:" begins another list.
        let is_item = |(key, value): &(Key<'_>, &str)| {
            matches!(key, Key::Files(key) if key.is_single) && begins_with_name(value)
        };
        let key = key::line(line.text)
            .filter(|found| !is_item(found))
            .map(|(key, _)| key);
        let is_sibling = self.key.is_item && line.indent <= self.key.indent;
        if is_sibling && (key.is_some() || !begins_with_name(line.text)) {
            return false;
        }
        let is_nested = self.item.is_some_and(|item| line.indent > item + 1);
        if matches!(key, Some(Key::Status | Key::Files(_))) && !is_nested {
            return false;
        }
        if self.is_plain {
            if line.has_gap || matches!(key, Some(Key::Blockers | Key::RanTests)) {
                return false;
            }
            self.note(line.text);
            return true;
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
            self.put_label(label, is_head.then_some(line.indent));
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

    /// A remark below a file is about the file.
    fn note(&mut self, text: &str) {
        if let Some(entry) = self.entries.last_mut() {
            entry.add_note(text);
        }
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        let label = label_of(line.text, false);
        // A map in YAML: "created:" with its own list.
        let is_outside = self.item.is_none_or(|item| line.indent <= item);
        if let Some(label) = label.filter(|_| is_outside && line.indent > self.key.indent)
            && Title::of(label, self.operation) != Title::Unknown
        {
            self.item = None;
            self.groups.clear();
            self.put_label(label, Some(line.indent));
            return true;
        }
        let key = key::line(line.text).map(|(key, _)| key);
        if let Some(item) = self.item {
            // What belongs to an item is to the right of it.
            if line.indent > item + 1 {
                self.note(key::line(line.text).map_or(line.text, |(_, value)| value));
                return true;
            }
            if let Some(label) = label.filter(|_| !matches!(key, Some(Key::Status | Key::Files(_))))
            {
                return self.begin_group(label, self.key.level().is_some(), false);
            }
            return !line.has_gap && key.is_none();
        }
        if key.is_some_and(|key| key != Key::Other) {
            return false;
        }
        if self.entries.is_empty() && is_lead_in(line.text) {
            return true;
        }
        if let Some(label) = label.filter(|_| !is_one_path(line.text)) {
            let is_inside = self.is_fresh && !line.has_gap || self.key.level().is_some();
            return self.begin_group(label, is_inside, false);
        }
        self.take_name(line, key)
    }

    /// A file on a line of its own: "src/a.py", "M  src/a.py", as git prints it, "📄 src/a.py", "new: a.py, b.py".
    fn take_name(&mut self, line: &Line<'_>, key: Option<Key<'_>>) -> bool {
        let (label, _) = labelled(line.text);
        let is_sorted = label.is_some_and(|label| words::change(label).is_some());
        if key.is_some() && !is_sorted && !begins_with_name(line.text) {
            return false;
        }
        let is_named = is_sorted || item::begins_with_file(without_signs(line.text));
        let is_listed = is_named || is_empty_form(line.text);
        let goes_on =
            !line.has_gap || self.entries.is_empty() || self.is_plain && is_one_path(line.text);
        if !is_listed || !goes_on {
            return false;
        }
        self.is_plain |= is_named;
        self.add(line);
        true
    }

    fn new_group(&self, indent: Option<usize>) -> Group {
        Group {
            indent,
            operation: self.operation,
            item: None,
            is_ignored: false,
            doubt: None,
            is_of_tests: false,
            folder: None,
        }
    }

    fn group_of(&self, title: Title, text: &str, indent: Option<usize>) -> Group {
        let group = self.new_group(indent);
        match title {
            Title::Known(operation) => Group { operation, ..group },
            Title::Folder(folder) => Group {
                folder: Some(folder),
                ..group
            },
            Title::Unknown => Group {
                doubt: Some(text.to_owned()),
                ..group
            },
            Title::Ends => Group {
                is_ignored: true,
                ..group
            },
        }
    }

    /// Continues below a title, or ends. `is_inside`: the title is below the key, not beside it.
    fn begin_group(&mut self, text: &str, is_inside: bool, is_deeper: bool) -> bool {
        let title = Title::of(text, self.operation);
        match &title {
            // "Not changed", and then "Changed": only what stands below is not claimed.
            Title::Ends if !is_deeper && !is_plan(text) && self.key.level().is_none() => {
                return false;
            }
            Title::Unknown if !is_inside => return false,
            _ => {}
        }
        // A list that began without titles may be followed by one of something else.
        let is_beside = self.files_first && !is_deeper && self.key.level().is_none();
        let is_sure = matches!(title, Title::Known(_)) && words_of_area(text)
            || matches!(title, Title::Folder(_) | Title::Ends);
        let mut group = self.group_of(title, text, None);
        if is_beside && !is_sure {
            group.doubt = Some(text.to_owned());
        }
        group.is_of_tests = is_beside
            && has_word(text, |word| {
                matches!(word, "test" | "tests" | "spec" | "specs")
            });
        self.groups = vec![group];
        self.item = None;
        self.is_fresh = true;
        self.is_plain = false;
        true
    }

    /// Begins a group at the label of an item: below the folder of the group around it.
    fn put_label(&mut self, text: &str, indent: Option<usize>) {
        let mut group = self.group_of(Title::of(text, self.operation), text, indent);
        let around = self.groups.last();
        group.is_ignored |= around.is_some_and(|around| around.is_ignored);
        if indent.is_none() {
            self.groups.clear();
        } else if let (Some(around), Some(folder)) = (
            around.and_then(|group| group.folder.as_deref()),
            &group.folder,
        ) && !folder.starts_with(around)
        {
            group.folder = Some(format!("{around}/{folder}"));
        }
        self.groups.push(group);
    }

    fn group_operation(&self) -> Operation {
        self.groups
            .last()
            .map_or(self.operation, |group| group.operation)
    }

    fn takes_more(&self) -> bool {
        self.groups.last().is_none_or(|group| !group.is_ignored)
            && self.entries.len() <= MAX_ENTRIES
    }

    fn add(&mut self, line: &Line<'_>) {
        self.is_fresh = false;
        if !self.takes_more() {
            return;
        }
        let operation = self.group_operation();
        if line.is_unticked {
            self.entries.push(denied(line.text, operation));
            return;
        }
        let mut found = item::read(line.text, operation, Place::Item);
        if let Some(folder) = self.groups.last().and_then(|group| group.folder.as_deref()) {
            for entry in &mut found {
                put_into(entry, folder);
            }
        }
        self.extend(found);
    }

    fn extend(&mut self, mut found: Vec<Entry>) {
        self.files_first |= self.entries.is_empty() && self.groups.is_empty();
        if let Some(group) = self.groups.last() {
            for entry in &mut found {
                let is_test = group.is_of_tests && !entry.raw.contains(['/', '\\']);
                if let Some(doubt) = group.doubt.as_deref().or(is_test.then_some("tests")) {
                    entry.put_below(doubt);
                }
            }
        }
        self.entries.extend(found);
    }
}
