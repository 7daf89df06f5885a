//! The list below a files key.

use std::ops::Range;

use crate::denial::{is_denial, is_denying_label, is_elsewhere};
use crate::document::{Document, Kind, Line};
use crate::entry::{MOST_ENTRIES, Place, denied, entries, more};
use crate::keys::{self, Key};
use crate::label::begins_with_name;
use crate::name::{bare, without_position};
use crate::shape::{certainty, has_extension, is_path, trim_end};
use crate::table::Columns;
use crate::words::is_empty_form;
use crate::{Certainty, Entry, Meaning, Operation, Reading, Target, Unresolvable, fence, lexicon};

/// Reads the list that begins in the range of lines and belongs to the key on line `key`; returns the
/// line after it as well.
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
        operation,
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
        let is_head = all.get(at).is_some_and(|next| {
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
    if list.entries.len() > MOST_ENTRIES {
        list.entries.truncate(MOST_ENTRIES);
        list.entries.push(more(operation));
    }
    (list.entries, next)
}

/// A label such as "Created:", "Backend (3)" or "src/components/" with the files below it.
#[derive(Debug, Clone)]
struct Group {
    /// Where a label stands that has a deeper list; `None` for a title with a list at its own depth.
    indent: Option<usize>,
    operation: Operation,
    /// Where the items below it begin.
    item: Option<usize>,
    /// What stands below it is not claimed.
    is_ignored: bool,
    /// The folder that the names below it are in.
    folder: Option<String>,
}

/// What a title among the files means.
enum Title {
    Group(Group),
    /// A title that tells nothing: whether it belongs to the list depends on where it stands.
    Unknown(Group),
    /// Something else begins.
    End,
}

struct List<'a, 'b> {
    document: &'a Document<'b>,
    key: &'a Line<'b>,
    operation: Operation,
    /// Where the items of the list begin.
    item: Option<usize>,
    group: Option<Group>,
    columns: Columns,
    has_gap: bool,
    /// Each file stands on a line of its own, and items are what is said about it.
    is_plain: bool,
    /// Nothing but titles was read so far, so a fence may hold the list.
    is_fresh: bool,
    entries: Vec<Entry>,
}

impl List<'_, '_> {
    /// Whether the line belongs to the list. `is_head`: a deeper list follows it.
    fn take(&mut self, line: &Line<'_>, is_head: bool) -> bool {
        match line.kind {
            Kind::Heading(level) => self.take_heading(line, level),
            // The tags around a list that can be folded.
            Kind::Hidden => ["<details", "</details", "<summary", "</summary"]
                .iter()
                .any(|tag| line.text.starts_with(tag)),
            Kind::Head => {
                let had_files = self.columns.names_files();
                self.columns = Columns::of(line.text);
                // Below a table of files, one of something else is not the list any more.
                !had_files || self.columns.names_files()
            }
            Kind::Row => {
                self.is_fresh = false;
                let rule = line
                    .text
                    .chars()
                    .all(|c| matches!(c, '|' | '-' | ':' | ' '));
                if !rule && self.entries.len() <= MOST_ENTRIES {
                    let group = self.group.clone();
                    let operation = group
                        .as_ref()
                        .map_or(self.operation, |group| group.operation);
                    if group.is_none_or(|group| !group.is_ignored) {
                        self.entries
                            .extend(self.columns.entries(line.text, operation));
                    }
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
        let group = self.group.as_ref();
        let operation = group.map_or(self.operation, |group| group.operation);
        let (content, end) = (fence.content.clone(), fence.whole.end);
        if group.is_none_or(|group| !group.is_ignored) {
            self.entries
                .extend(fence::read(&self.document.source[content], operation));
        }
        self.is_fresh = false;
        Some(end)
    }

    /// A deeper heading below a heading groups, or names a file.
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
            self.add(line, None);
            return true;
        }
        self.begin_group(self.title(line.text, None), true)
    }

    /// Goes on below a title, or ends. `is_inside`: the title stands below the key, and not beside it.
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
        // A deeper group ends where its items do; a title goes on until the next.
        let is_below = |group: &Group| group.indent.is_none_or(|indent| line.indent > indent + 1);
        if !self.group.as_ref().is_some_and(is_below) {
            self.group = None;
        }
        if let Some(label) = label_of(line.text, is_head) {
            let is_ignored = self.group.as_ref().is_some_and(|group| group.is_ignored);
            let group = match self.title(label, is_head.then_some(line.indent)) {
                Title::Group(group) | Title::Unknown(group) => group,
                Title::End if is_head => self.ignored(Some(line.indent)),
                Title::End => self.ignored(None),
            };
            self.group = Some(Group {
                is_ignored: is_ignored || group.is_ignored,
                ..group
            });
            return true;
        }
        match self.group.clone() {
            Some(mut group) if group.indent.is_some() || !is_nested => {
                let item = *group.item.get_or_insert(line.indent);
                if line.indent > item + 1 {
                    self.note(line.text);
                } else if !group.is_ignored {
                    self.add(line, Some(&group));
                }
                self.group = Some(group);
            }
            _ if is_nested => self.note(line.text),
            _ => self.add(line, None),
        }
        true
    }

    /// What is said below a file is about the file: "not done yet" takes it away.
    fn note(&mut self, text: &str) {
        if is_denial(text)
            && let Some(entry) = self.entries.last_mut()
        {
            entry.meaning = Meaning::Unresolvable(Unresolvable::Denied);
        }
    }

    fn take_plain(&mut self, line: &Line<'_>) -> bool {
        // A map in YAML: "created:" with a list of its own.
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
            // What belongs to an item stands to the right of it.
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
        if key.is_some() && !begins_with_name(line.text) {
            return false;
        }
        let is_listed = begins_with_name(line.text) || is_empty_form(line.text);
        let goes_on =
            !self.has_gap || self.entries.is_empty() || self.is_plain && is_one_path(line.text);
        if !is_listed || !goes_on {
            return false;
        }
        self.is_plain |= begins_with_name(line.text);
        let group = self.group.clone();
        if group.as_ref().is_none_or(|group| !group.is_ignored) {
            self.add(line, group.as_ref());
        }
        true
    }

    /// What a title among the files says of those below it.
    fn title(&self, text: &str, indent: Option<usize>) -> Title {
        let (text, count) = without_count(text);
        let text = bare(bare(text.trim_end_matches([':', ' '])).trim_end_matches([':', ' ']));
        let (text, count) = match without_count(text) {
            (text, true) => (text, true),
            (text, false) => (text, count),
        };
        let group = Group {
            indent,
            operation: self.operation,
            item: None,
            is_ignored: false,
            folder: None,
        };
        if is_denying_label(text) || is_elsewhere(text) {
            return Title::Group(Group {
                is_ignored: true,
                ..group
            });
        }
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let first = words
            .clone()
            .find(|word| !matches!(*word, "Files" | "files"));
        if let Some(operation) = first.and_then(lexicon::change) {
            return Title::Group(Group { operation, ..group });
        }
        if text.contains('/') && !text.contains(' ') && !has_extension(text) {
            let folder = text.trim_matches('/').to_owned();
            return Title::Group(Group {
                folder: Some(folder),
                ..group
            });
        }
        if words.clone().any(lexicon::ends_a_list) {
            return Title::End;
        }
        if count || text.starts_with('@') || words.any(lexicon::is_area) {
            return Title::Group(group);
        }
        Title::Unknown(group)
    }

    fn ignored(&self, indent: Option<usize>) -> Group {
        Group {
            indent,
            operation: self.operation,
            item: None,
            is_ignored: true,
            folder: None,
        }
    }

    fn add(&mut self, line: &Line<'_>, group: Option<&Group>) {
        self.is_fresh = false;
        if self.entries.len() > MOST_ENTRIES {
            return;
        }
        let operation = group.map_or(self.operation, |group| group.operation);
        if line.is_unticked {
            self.entries.push(denied(line.text, operation));
            return;
        }
        let mut found = entries(line.text, operation, Place::Item);
        if let Some(folder) = group.and_then(|group| group.folder.as_deref()) {
            for entry in &mut found {
                put_into(entry, folder);
            }
        }
        self.entries.extend(found);
    }
}

/// A name below the label of a folder may be in that folder.
fn put_into(entry: &mut Entry, folder: &str) {
    let Meaning::Paths(readings) = &mut entry.meaning else {
        return;
    };
    if let Some(Reading {
        target: Target::File(name),
        certainty: sure,
    }) = readings.first().cloned()
    {
        let path = format!("{folder}/{name}");
        let certainty = if sure > Certainty::Likely {
            certainty(&path)
        } else {
            Certainty::Likely
        };
        // What has folders of its own may as well be named from the root.
        let at = usize::from(name.contains(['/', '\\']));
        readings.insert(
            at,
            Reading {
                target: Target::File(path),
                certainty,
            },
        );
    }
}

/// The text of a line that is a label: it ends with a colon, is bold, or has a deeper list, and names no file.
fn label_of(text: &str, is_head: bool) -> Option<&str> {
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ');
    let (plain, _) = without_count(text);
    let whole = plain.trim_end_matches([':', ' ']);
    let name = bare(bare(whole).trim_end_matches([':', ' ']));
    let is_bold = name.len() < whole.len() && whole.starts_with(['*', '_']) && !name.contains("**");
    let ends = text.trim_end_matches(['*', '_', ' ']).ends_with(':');
    let is_label = ends || is_bold || is_head;
    (is_label && !names_file(without_count(name).0)).then_some(text)
}

/// Whether a label is, or begins with, a name that is not only a word in quotes.
fn names_file(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    let first = bare(first).trim_matches(['`', '"', '\'', '[', '*']);
    is_path(trim_end(without_position(first))) && has_extension(trim_end(without_position(first)))
        || name.starts_with('[') && name.contains("](")
}

/// A title and whether a number of files stands behind it: "Backend (3 files)".
fn without_count(text: &str) -> (&str, bool) {
    let text = text.trim();
    match text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
    {
        Some((title, count)) if count.starts_with(|c: char| c.is_ascii_digit()) => {
            (title.trim_end(), true)
        }
        _ => (text, false),
    }
}

/// Whether all of a line is one marked or plain path, but for a colon at its end.
pub(crate) fn is_one_path(text: &str) -> bool {
    let name = bare(bare(text).trim_end_matches(':'));
    is_path(name) && has_extension(name)
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
