//! What git knows by name. Asked only for a path that is about to be called absent.

use std::collections::HashSet;

use crate::git::{Git, GitError};
use crate::{RepoPath, Unreadable};

/// The names in the index and in a commit, in their folded form.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    names: HashSet<String>,
    folders: HashSet<String>,
    submodules: Vec<RepoPath>,
}

impl Tracked {
    /// Lists the index, and the tree of `commit` where it is given.
    pub(crate) fn list(git: &Git<'_>, commit: Option<&str>) -> Result<Self, Unreadable> {
        let mut tracked = Self::default();
        tracked.add(&git.run(&["ls-files", "-z", "--stage"])?, "ls-files")?;
        if let Some(commit) = commit {
            let tree = git.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
            tracked.add(&tree, "ls-tree")?;
        }
        Ok(tracked)
    }

    /// Both listings are `<mode> …\t<path>`.
    fn add(&mut self, output: &[u8], command: &'static str) -> Result<(), Unreadable> {
        for record in output.split(|byte| *byte == 0).filter(|r| !r.is_empty()) {
            let tab = record.iter().position(|byte| *byte == b'\t');
            let tab = tab.ok_or(GitError::Answer { command })?;
            let Some(path) = RepoPath::from_git(&record[tab + 1..]) else {
                continue;
            };
            if record.starts_with(b"160000 ") {
                self.submodules.push(path);
            } else if let Some(folded) = path.folded() {
                self.add_folders(&folded);
                self.names.insert(folded);
            }
        }
        Ok(())
    }

    /// The folders above one that is known are known.
    fn add_folders(&mut self, path: &str) {
        let mut rest = path;
        while let Some((folder, _)) = rest.rsplit_once('/') {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
            rest = folder;
        }
    }

    /// Whether git has a file in a folder of this name, in any case or Unicode form.
    pub(crate) fn has_within(&self, folder: &RepoPath) -> bool {
        folder
            .folded()
            .is_none_or(|folded| self.folders.contains(&folded))
    }

    /// Whether git has a file of this name, in any case or Unicode form.
    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        path.folded()
            .is_none_or(|folded| self.names.contains(&folded))
    }

    /// Whether the path is a submodule or in one.
    pub(crate) fn in_submodule(&self, path: &RepoPath) -> bool {
        self.submodules.iter().any(|module| path.is_within(module))
    }
}

/// Whether an ignore rule covers the path, as a file or as a folder.
pub(crate) fn is_ignored(git: &Git<'_>, path: &RepoPath) -> Result<bool, Unreadable> {
    let arguments = ["check-ignore", "-z", "--no-index", "--stdin"];
    // 1: no rule covers any of them.
    let both = [path.as_bytes(), b"\0", path.as_bytes(), b"/"].concat();
    let covered = git.run_with(&arguments, &both, &[0, 1])?;
    Ok(!covered.is_empty())
}
