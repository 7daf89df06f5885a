//! What changed of a folder.

use super::Comparison;
use crate::{Change, RepoPath, place};

impl Comparison<'_> {
    /// A change below `folder`, as one of the folder: it is deleted only if nothing that git has or would list is left.
    pub(super) fn changed_within(&self, folder: &RepoPath) -> Option<(&RepoPath, Change)> {
        let mut within = self.delta.within(folder);
        let (first, change) = within.next()?;
        let written = within.find(|(_, change)| *change == Change::Written);
        let is_left = change == Change::Deleted && written.is_none() && self.has_left(folder);
        Some(match written {
            _ if is_left => (first, Change::Written),
            Some(written) if change == Change::Deleted => written,
            _ => (first, change),
        })
    }

    /// Whether a file that git tracks is left in a folder. Of more than so many names none is looked at.
    fn has_left(&self, folder: &RepoPath) -> bool {
        const MOST: usize = 256;
        let root = &self.start.root;
        let mut open = Vec::from_iter(folder.under(root));
        let mut seen = 0;
        while let Some(place) = open.pop() {
            for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MOST {
                    return false;
                }
                let place = entry.path();
                if entry.file_type().is_ok_and(|it| it.is_dir()) {
                    open.push(place);
                    continue;
                }
                let inside = place.strip_prefix(root).ok();
                let path = inside.and_then(place::relative);
                if path.is_some_and(|path| self.is_tracked(&path)) {
                    return true;
                }
            }
        }
        false
    }
}
