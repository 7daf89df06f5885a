//! The titles and labels of a list: headings, what stands above a folded part, and items with a list of
//! their own.

use super::List;
use crate::document::{Kind, Line};
use crate::group::{Group, Title, Trust};
use crate::keys::{self, Key};
use crate::list_line::title_of_file;

impl List<'_, '_> {
    /// A deeper heading below a heading forms a group, or names a file.
    pub(super) fn take_heading(&mut self, line: &Line<'_>, level: u8) -> bool {
        let Kind::Heading(above) = self.key.kind else {
            return false;
        };
        if level <= above || keys::bare(line.text) == Some(Key::Status) {
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
        if !self.begin_group(self.title(line.text, None), true) {
            return false;
        }
        // A deeper heading is certainly part of the list.
        self.groups
            .iter_mut()
            .for_each(|group| group.trust = Trust::Full);
        true
    }

    /// The title of a list that can be folded: "2 files", "Files considered".
    pub(super) fn take_summary(&mut self, title: &str) -> bool {
        let title = self.title(title, None);
        let is_first = self.entries.is_empty() && matches!(title, Title::End);
        is_first || self.begin_group(title, true)
    }

    /// Continues below a title, or ends. `is_inside`: the title is below the key, not beside it.
    pub(super) fn begin_group(&mut self, title: Title, is_inside: bool) -> bool {
        let mut group = match title {
            Title::Group(group) => group,
            Title::Unknown(group) if is_inside => group,
            Title::Unknown(_) | Title::End => return false,
        };
        // A list that began without titles may be followed by one of something else.
        if !self.seen.files_first {
            group.trust = Trust::Full;
        }
        self.groups = vec![group];
        self.item = None;
        self.is_fresh = true;
        self.is_plain = false;
        true
    }

    /// Begins a group at the label of an item: below the folder of the group around it.
    pub(super) fn put(&mut self, mut group: Group) {
        group.trust = Trust::Full;
        if group.indent.is_none() {
            self.groups.clear();
        }
        let around = self.groups.last().and_then(|group| group.folder.as_deref());
        if let (Some(around), Some(folder)) = (around, &group.folder)
            && !folder.starts_with(around)
        {
            group.folder = Some(format!("{around}/{folder}"));
        }
        self.groups.push(group);
    }

    pub(super) fn title(&self, text: &str, indent: Option<usize>) -> Title {
        Title::of(text, self.root.operation, indent)
    }
}
