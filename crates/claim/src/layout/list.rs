//! The list below a files key.

use std::ops::Range;

use crate::assertion::Topic;
use crate::frame::labelled;
use crate::item::{self, ItemPlace, MAX_ENTRIES, is_empty_form, no_path};
use crate::key::{self, Key};
use crate::layout::group::Group;
use crate::layout::table::Columns;
use crate::layout::{put_into, tree};
use crate::markdown::{IN_TAGS, Line, LineKind};
use crate::path::is_one_path;
use crate::path::shape::trim_end;
use crate::split::{begins_with_name, pieces};
use crate::title::{Title, is_plan, label_of};
use crate::words::{self, has_word, is_tag};
use crate::{Entry, Operation, Unresolvable};

/// Reads the list that begins on line `first` and belongs to the key on line `key`, which is or stands below a heading
/// of the level `above`, or 0. Also returns the line after it.
pub(crate) fn below(
    lines: &[Line<'_>],
    key: usize,
    first: usize,
    operation: Operation,
    above: u8,
) -> (Vec<Entry>, usize) {
    let mut list = List {
        key: &lines[key],
        above,
        operation,
        item: None,
        groups: Vec::new(),
        columns: Columns::default(),
        notes: None,
        is_fresh: true,
        files_first: false,
        noted: 0,
        next: "",
        entries: Vec::new(),
    };
    let mut at = first;
    while let Some(line) = lines.get(at) {
        let next = lines.get(at + 1);
        let is_head = next.is_some_and(|next| list.is_head(line, next));
        list.next = next.filter(|next| next.is_text()).map_or("", |it| it.text);
        let named = named_below(lines, at).filter(|_| !list.names_file(line.text));
        let object = named.map(|text| Line {
            text,
            ..line.clone()
        });
        if !list.take(object.as_ref().unwrap_or(line), is_head) {
            break;
        }
        if object.is_some() {
            list.note_field(line.text);
        }
        at += 1;
    }
    (list.entries, at)
}

struct List<'a, 'b> {
    key: &'a Line<'b>,
    /// The level of the heading that the key is, or that stands above it; 0 without one.
    above: u8,
    /// What the key says about all files.
    operation: Operation,
    /// The column of the items of the list.
    item: Option<usize>,
    /// What the last labels say about the files below them, the innermost last.
    groups: Vec<Group>,
    columns: Columns,
    /// Each file has a line or a heading of its own: from this column on, text is a remark about it, and items are.
    notes: Option<usize>,
    /// Only titles were read so far, so a fence may hold the list.
    is_fresh: bool,
    /// The list began with files and not with a title.
    files_first: bool,
    /// The first of the files that what is said below the last line is about.
    noted: usize,
    /// The text of the next line.
    next: &'a str,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether a line is the title of the items that begin with the next: they are to the right of it, or right below it
    /// where titles are looked for.
    fn is_head(&self, line: &Line<'_>, next: &Line<'_>) -> bool {
        let is_apart = line.has_gap || self.entries.is_empty();
        let is_title = !line.is_item && !next.has_gap && is_apart && !self.files_first;
        next.is_text() && next.is_item && (next.indent > line.indent + 1 || is_title)
    }

    /// A list that begins with a title goes on with others.
    fn is_grouped(&self) -> bool {
        self.key.level().is_some() || !self.files_first
    }

    /// Whether the line belongs to the list. `is_head`: it is the title of the items below it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        match &line.kind {
            LineKind::Heading(level) => return self.take_heading(line, *level),
            _ if self.notes == Some(0) => return self.take_below_heading(line),
            // A quotation to the right of an item, or right below a file, is a remark; code is about it, whatever is in it.
            LineKind::Hidden if self.is_quoted_note(line) => {
                self.note(line.text.trim_start_matches(['>', ' ']));
            }
            LineKind::Fence(_) | LineKind::Hidden if self.is_note(line) => {}
            LineKind::Fence(fence) if self.is_fresh => {
                self.extend(|_, operation| tree::read(fence.content, operation));
            }
            LineKind::Fence(_) => return false,
            LineKind::Hidden => return self.take_tag(line.text),
            LineKind::Head(cells) => return self.take_head(cells),
            LineKind::Row(cells) => {
                self.extend(|list, operation| list.columns.entries(cells, operation));
            }
            LineKind::Text if line.is_item => return self.take_item(line, is_head),
            LineKind::Text => return self.take_plain(line, is_head),
        }
        true
    }

    /// Whether the line is to the right of an item.
    fn is_note(&self, line: &Line<'_>) -> bool {
        self.item.is_some_and(|item| line.indent > item + 1)
    }

    fn is_quoted_note(&self, line: &Line<'_>) -> bool {
        let is_right_below = !line.has_gap && !self.entries.is_empty();
        line.text.starts_with('>') && (is_right_below || self.is_note(line))
    }

    /// A deeper heading below a heading forms a group, or names a file. Below a key that is none, it has to be
    /// understood.
    fn take_heading(&mut self, line: &Line<'_>, level: u8) -> bool {
        let is_known = || Title::of(line.text, self.operation) != Title::Unknown;
        let is_below = self.key.level().is_some() || !self.files_first && is_known();
        if level <= self.above || !is_below || key::alone(line.text) == Some(Key::Status) {
            return false;
        }
        let Some(text) = title_of_file(line.text) else {
            return self.begin_group(line.text);
        };
        self.notes = Some(0);
        self.groups.clear();
        self.add(text, false);
        true
    }

    /// What stands below the heading of a file is about it, up to the next heading or key of the claim.
    fn take_below_heading(&mut self, line: &Line<'_>) -> bool {
        if !line.is_text() {
            return true;
        }
        let ends = key::line(line.text).is_some_and(|(key, value)| key.ends(value));
        if !ends {
            self.note(line.text);
        }
        !ends
    }

    /// The tags of a part that can be folded, and its title.
    fn take_tag(&mut self, tag: &str) -> bool {
        // The end of the part that the key is the title of.
        if self.key.level() == Some(IN_TAGS) && tag.starts_with("</") {
            return false;
        }
        let title = tag.split_once("<summary>").map_or("", |(_, text)| text);
        let title = title.split("</summary>").next().unwrap_or(title).trim();
        let ends = self.entries.is_empty() && Title::of(title, self.operation) == Title::Ends;
        is_tag(tag, "fold") && (title.is_empty() || ends || self.begin_other(title))
    }

    fn take_head(&mut self, cells: &[&str]) -> bool {
        let had_files = self.columns.file.is_some();
        let columns = Columns::of(cells);
        // A second table with other columns may be of something else.
        if had_files && !self.is_fresh && columns != self.columns {
            self.groups = vec![Group::of(Title::Unknown, &cells.join(" | "), None)];
        }
        self.columns = columns;
        !had_files || self.columns.file.is_some()
    }

    fn take_item(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        // "New file: src/a.py" is an item, "New files:" begins another list.
        let is_item = |(key, value): &(Key<'_>, &str)| {
            matches!(key, Key::Files(key) if key.is_single) && begins_with_name(value)
        };
        let found = key::line(line.text).filter(|found| !is_item(found));
        // "- Blockers:" among items is a title of what is not claimed.
        let is_key = found.is_some_and(|(key, value)| {
            key.ends(value) && (key != Key::Blockers || self.notes.is_some())
        });
        let is_sibling = self.key.is_item && line.indent <= self.key.indent;
        let is_nested = self.is_note(line);
        let label = label_of(line.text, is_head);
        // "- **Remarks**" beside "- **Files changed**" is a title of its own, unless it is of a group of files.
        let is_other = || {
            let title = label.map(|label| Title::of(label, self.operation));
            found.is_some() || title == Some(Title::Unknown) || !begins_with_name(line.text)
        };
        let is_of_others = label.is_some_and(|label| self.is_of_others(label));
        if (is_key || is_of_others) && !is_nested || is_sibling && is_other() {
            return false;
        }
        if self.notes.is_some() {
            if !line.has_gap {
                self.note(line.text);
            }
            return !line.has_gap;
        }
        if !is_nested {
            self.item = Some(line.indent);
        }
        // A deeper group ends with its items; a title applies until the next one.
        while self
            .groups
            .pop_if(|group| group.ends_at(line.indent))
            .is_some()
        {}
        let is_note = match self.groups.last_mut() {
            Some(group) => line.indent > *group.item.get_or_insert(line.indent) + 1,
            None => is_nested,
        };
        // What is below an item of a file is about it, and a list below that about the note.
        let is_title = |_: &&str| is_note && is_head || !is_note && !self.names_file(line.text);
        if let Some(label) = label.filter(is_title) {
            self.put_label(label, is_head.then_some(line.indent + 2));
            if let (true, Some(group)) = (is_note || line.is_unticked, self.groups.last_mut()) {
                group.title = Title::Ends;
            }
        } else if !is_note {
            self.add(line.text, line.is_unticked);
        } else if self.title() != Some(&Title::Ends) {
            self.note(line.text);
        }
        true
    }

    /// Whether an item is of a file, so that what is nested below it is about that one: "New: `src/a.py`".
    fn names_file(&self, text: &str) -> bool {
        let found = item::read(text, self.operation, ItemPlace::Item);
        found.iter().any(|entry| entry.file().is_some())
    }

    /// A remark below files is about all of their line.
    fn note(&mut self, text: &str) {
        for entry in self.entries.iter_mut().skip(self.noted) {
            entry.add_note(text);
        }
    }

    /// The same of a field of an object: "action: create", "lines: 12".
    fn note_field(&mut self, text: &str) {
        let name = text.split_once(':').map_or("", |(name, _)| name);
        let value = key::line(text).map_or(text, |(_, value)| value);
        if words::COLUMNS.is_in(name, "action") && words::change(value).is_some() {
            for entry in self.entries.iter_mut().skip(self.noted) {
                entry.put_action(value);
            }
        } else if field_of_file(text).is_none() {
            self.note(value);
        }
    }

    fn take_plain(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        let label = label_of(line.text, is_head);
        let key = key::line(line.text);
        // A map in YAML, "created:" with its own list, to the right of it or not; or a title in an item.
        let is_outside = self.item.is_none_or(|item| line.indent <= item);
        if let Some(label) = label.filter(|_| is_outside && line.indent > self.key.indent) {
            self.item = None;
            self.groups.clear();
            self.put_label(label, Some(line.indent));
            return true;
        }
        if self.item.is_some() {
            // What belongs to an item is to the right of it.
            if self.is_note(line) {
                self.note_field(line.text);
                return true;
            }
            let is_key = matches!(key, Some((Key::Status | Key::Files(_), _)));
            return match label {
                Some(label) if !is_key => self.begin_other(label),
                _ => !line.has_gap && key.is_none(),
            };
        }
        if key.is_some_and(|(key, _)| !matches!(key, Key::Other | Key::Asserts(..))) {
            return false;
        }
        let is_beside = self.notes.is_none_or(|column| line.indent < column);
        if !is_beside && !item::begins_with_file(line.text) {
            self.note(line.text);
            return true;
        }
        match label {
            Some(label) if self.entries.is_empty() && is_lead_in(label) => true,
            Some(label) => self.begin_other(label),
            None => self.take_name(line),
        }
    }

    /// A file on a line of its own: "src/a.py", "M  src/a.py", as git prints it, "📄 src/a.py", "new: a.py, b.py".
    fn take_name(&mut self, line: &Line<'_>) -> bool {
        let (label, list) = labelled(line.text).unwrap_or(("", line.text));
        // Pictures and other signs stand in place of a bullet.
        let is_sign = |c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ';
        let is_named = words::change(label).is_some()
            || item::begins_with_file(line.text.trim_start_matches(is_sign));
        let is_alone =
            || is_one_path(line.text) || self.key.level().is_some() && has_files_alone(list);
        let goes_on =
            !line.has_gap || self.entries.is_empty() || self.notes.is_some() && is_alone();
        if !goes_on || !is_named && !is_empty_form(line.text) {
            return false;
        }
        if is_named {
            self.notes = Some(line.indent + 2);
        }
        self.add(line.text, line.is_unticked);
        true
    }

    /// Whether a title is a key of something else, such as what git keeps, and no file begins the next line: "Commit:",
    /// and below it a hash and a message; but not "Committed:" above files. Below "Tests" a file may be one that passed.
    fn is_of_others(&self, text: &str) -> bool {
        let Some(topic) = topic_of(text).filter(|_| !self.entries.is_empty()) else {
            return false;
        };
        let leads_to_file =
            || item::begins_with_file(self.next) && topic.read(self.next).is_empty();
        (topic.is_of_git() || self.files_first && topic.is_of_checks()) && !leads_to_file()
    }

    /// Continues below a title, or ends.
    fn begin_group(&mut self, text: &str) -> bool {
        if self.is_of_others(text) {
            return false;
        }
        let title = Title::of(text, self.operation);
        // "Not changed", and then "Changed": only what stands below is not claimed.
        let ends = title == Title::Ends && self.key.level().is_none() && !is_plan(text);
        if ends || title == Title::Unknown && !self.is_grouped() {
            return false;
        }
        self.groups = vec![Group::of(title, text, None)];
        self.item = None;
        self.is_fresh = true;
        self.notes = None;
        true
    }

    /// The same for a title that is no heading. In a section of files, only one of checks begins something else.
    fn begin_other(&mut self, text: &str) -> bool {
        let follows = !self.is_grouped()
            || self.files_first && topic_of(text).is_some_and(Topic::is_of_checks);
        let goes_on = self.begin_group(text);
        if let Some(group) = self.groups.last_mut().filter(|_| goes_on && follows) {
            group.follow_files(text);
        }
        goes_on
    }

    /// Begins a group at the label of an item: below the folder of the group around it.
    fn put_label(&mut self, text: &str, least: Option<usize>) {
        let mut group = Group::of(Title::of(text, self.operation), text, least);
        match (self.title(), &mut group.title) {
            (Some(Title::Ends), title) => *title = Title::Ends,
            (Some(Title::Folder(around)), Title::Folder(folder)) if !folder.starts_with(around) => {
                *folder = format!("{around}/{folder}");
            }
            _ => {}
        }
        self.groups.push(group);
    }

    /// The innermost title.
    fn title(&self) -> Option<&Title> {
        self.groups.last().map(|group| &group.title)
    }

    /// Adds the files of a line.
    fn add(&mut self, text: &str, is_unticked: bool) {
        let first = self.entries.len();
        self.extend(|list, operation| {
            if is_unticked {
                return vec![no_path(text, operation, Unresolvable::Denied)];
            }
            let mut found = item::read(text, operation, ItemPlace::Item);
            if let Some(Title::Folder(folder)) = list.title() {
                put_into(&mut found, std::slice::from_ref(folder));
            }
            found
        });
        if first < self.entries.len() {
            self.noted = first;
        }
    }

    /// Adds the files that are read here, if they are claimed and there is room for them.
    fn extend(&mut self, read: impl Fn(&Self, Operation) -> Vec<Entry>) {
        self.is_fresh = false;
        let operation = match self.title() {
            Some(Title::Ends) => return,
            Some(Title::Known(operation)) => *operation,
            _ => self.operation,
        };
        if self.entries.len() > MAX_ENTRIES {
            return;
        }
        let mut found = read(self, operation);
        self.files_first |= self.entries.is_empty() && self.groups.is_empty();
        if let Some(group) = self.groups.last() {
            group.doubt(&mut found, operation);
        }
        self.entries.extend(found);
        self.noted = self.entries.len().saturating_sub(1);
    }
}

/// What a title that is the key of something else is about.
fn topic_of(text: &str) -> Option<Topic> {
    match key::alone(text)? {
        Key::Asserts(topic, _) => Some(topic),
        _ => None,
    }
}

/// The name of a file in the fields below the first one of an object: "- action: created", and below it "path: src/a.py".
fn named_below<'a>(lines: &[Line<'a>], at: usize) -> Option<&'a str> {
    let item = lines.get(at).filter(|line| line.is_item)?;
    let is_field = |line: &&Line<'_>| {
        line.is_text() && !line.is_item && !line.has_gap && line.indent > item.indent
    };
    let mut fields = lines[at + 1..].iter().take_while(is_field);
    let file = fields.find_map(|line| field_of_file(line.text))?;
    let (key, value) = key::line(item.text)?;
    (!value.is_empty() && !matches!(key, Key::Files(_))).then_some(file)
}

/// The file that a field names: "path: src/a.py".
fn field_of_file(text: &str) -> Option<&str> {
    let (name, value) = text.split_once(": ")?;
    let is_of_file =
        words::words_of(name, "").all(|it| words::COLUMNS.has_any(it, &["file", "field"]));
    Some(value).filter(|value| is_of_file && is_one_path(value))
}

/// The name of a file, or of several, in a heading, perhaps with a remark, without its number: "1. `src/a.py` (new)".
fn title_of_file(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = number.strip_prefix(['.', ')']);
    let text = behind
        .and_then(|text| text.strip_prefix(' '))
        .unwrap_or(text);
    has_files_alone(text).then_some(text)
}

/// Whether a text has files and nothing else but remarks in brackets: "`a.py` (new), `b.py`."
fn has_files_alone(text: &str) -> bool {
    let is_file = |piece: Range<usize>| {
        let name = text[piece].trim();
        is_one_path(trim_end(name.split(" (").next().unwrap_or(name)))
    };
    pieces(text).into_iter().all(is_file)
}

/// "The following files were changed:", but not "Files that I did not touch:".
fn is_lead_in(text: &str) -> bool {
    let is_other = |word: &str| {
        let is_known = matches!(words::KEYS.class(word), Some("noun" | "filler"));
        !is_known && words::change(word).is_none() && !words::ROLES.has(word, "lead-in")
    };
    text.ends_with(':') && !has_word(text, is_other)
}
