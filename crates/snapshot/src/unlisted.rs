//! Folders that exist in a work tree and in which git lists nothing.
//!
//! What was in one of them at the start is not known, so its absence now proves nothing; and a path
//! that an agent names may be relative to one of them.

use serde::{Deserialize, Serialize};

use crate::RepoPath;
use crate::identity::Digest;

/// The folders of one reading, each list sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unlisted {
    /// Submodules in the index, whether or not they are checked out.
    pub(crate) modules: Vec<RepoPath>,
    /// Folders that an ignore rule covers as a whole; what is below them is not listed.
    pub(crate) ignored: Vec<RepoPath>,
    /// The topmost folders that no rule covers and in which git still saw no file: empty ones, and
    /// those that ignore their content by a rule of their own.
    pub(crate) hollow: Vec<RepoPath>,
    /// The rules that are stored outside the folders of the work tree, if the reader knows them.
    pub(crate) rules: Option<Digest>,
}

impl Unlisted {
    /// `folders` are those without anything in the index, and `files` is what git lists there.
    #[cfg(unix)]
    pub(crate) fn of(
        modules: Vec<RepoPath>,
        ignored: Vec<RepoPath>,
        mut folders: Vec<RepoPath>,
        mut files: Vec<&[u8]>,
        rules: Digest,
    ) -> Self {
        files.sort_unstable();
        folders.retain(|folder| !holds_any(folder.as_bytes(), &files));
        Self {
            modules: sorted(modules),
            ignored: sorted(ignored),
            hollow: topmost(&sorted(folders)),
            rules: Some(rules),
        }
    }

    /// From what git lists as ignored, where a folder covered by a rule ends in a slash. Empty
    /// folders are not reported, and submodules are those of the commit.
    #[cfg(not(unix))]
    pub(crate) fn of_ignored(paths: &[&[u8]]) -> Self {
        let folders = paths.iter().filter(|path| path.ends_with(b"/"));
        let own_rules = paths
            .iter()
            .filter_map(|path| path.strip_suffix(b"/.gitignore"));
        Self {
            modules: Vec::new(),
            ignored: sorted(
                folders
                    .filter_map(|path| RepoPath::from_git(path))
                    .collect(),
            ),
            hollow: topmost(&sorted(own_rules.filter_map(RepoPath::from_git).collect())),
            rules: None,
        }
    }

    /// The one of these folders that is `path` or lies above it.
    pub(crate) fn around(&self, path: &RepoPath) -> Option<&RepoPath> {
        let lists = [&self.modules, &self.ignored, &self.hollow];
        std::iter::once(path.clone())
            .chain(path.ancestors())
            .find_map(|folder| lists.iter().find_map(|list| entry(list, &folder)))
    }
}

fn entry<'a>(list: &'a [RepoPath], folder: &RepoPath) -> Option<&'a RepoPath> {
    list.binary_search(folder).ok().map(|at| &list[at])
}

fn sorted(mut folders: Vec<RepoPath>) -> Vec<RepoPath> {
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// Whether a file is the folder itself, as a nested repository is listed, or lies in it.
#[cfg(unix)]
fn holds_any(folder: &[u8], files: &[&[u8]]) -> bool {
    let inside = [folder, b"/"].concat();
    let next = files.partition_point(|file| *file < inside.as_slice());
    files.binary_search(&folder).is_ok()
        || files
            .get(next)
            .is_some_and(|file| file.starts_with(&inside))
}

/// Leaves out folders inside another one. A folder does not always come right before those in it.
fn topmost(folders: &[RepoPath]) -> Vec<RepoPath> {
    let is_inner = |folder: &RepoPath| folder.ancestors().any(|it| entry(folders, &it).is_some());
    folders.iter().filter(|it| !is_inner(it)).cloned().collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn paths(texts: &[&str]) -> Vec<RepoPath> {
        let path = |text: &&str| RepoPath::from_git(text.as_bytes()).unwrap();
        texts.iter().map(path).collect()
    }

    #[test]
    fn the_topmost_folders_without_a_file_are_hollow() {
        let folders = paths(&["a", "a-b", "a/b", "full", "full/empty", "nested", "z"]);
        let files: Vec<&[u8]> = vec![b"full/x.py", b"nested", b"z.py"];
        let unlisted = Unlisted::of(Vec::new(), Vec::new(), folders, files, Digest::UNSTABLE);
        assert_eq!(unlisted.hollow, paths(&["a", "a-b", "full/empty", "z"]));
    }

    #[test]
    fn what_lies_in_such_a_folder_is_found() {
        let unlisted = Unlisted {
            modules: paths(&["module"]),
            ignored: paths(&["build"]),
            hollow: paths(&["tmp"]),
            rules: None,
        };
        let around = |text: &str| {
            let found = unlisted.around(&paths(&[text])[0]);
            found.map(ToString::to_string)
        };
        assert_eq!(around("build").as_deref(), Some("build"));
        assert_eq!(around("module/deep/x.py").as_deref(), Some("module"));
        assert_eq!(around("tmp/x").as_deref(), Some("tmp"));
        assert_eq!(around("builds/x"), None);
    }
}
