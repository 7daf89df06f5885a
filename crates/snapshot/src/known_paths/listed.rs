//! The names that the git program lists, for repositories that only git can read.

use std::cell::OnceCell;
use std::collections::HashSet;

use attest_evidence::ends_in;

use super::ends::Ends;
use super::found::Found;
use crate::git::{Ask, GitError};
use crate::reader::git_with_index;
use crate::{Limits, RepoPath, Repository, Unreadable};

/// All names, in their folded form.
#[derive(Debug, Default)]
pub(super) struct Listed {
    files: HashSet<String>,
    folders: HashSet<String>,
    modules: HashSet<String>,
    /// The files by their last parts.
    ends: OnceCell<Ends<String>>,
}

impl Listed {
    /// Lists the index, and the tree of `commit`: one process for each.
    pub(super) fn read(
        repository: &Repository,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        let mut listed = Self::default();
        let git = git_with_index(repository, limits)?;
        // `-t` puts a tag before each name: `S` means left out of the checkout.
        let nothing: [&str; 0] = [];
        let index = git.ask_twice(Ask::Names, &nothing)?;
        for record in records(&index) {
            let (_, rest) = record.split_at_checked(2).ok_or(answer("ls-files"))?;
            listed.add(rest, "ls-files")?;
        }
        if let Some(commit) = commit {
            let git = repository.git(limits);
            let tree = git.ask_twice(Ask::Tree, &[commit])?;
            for record in records(&tree) {
                listed.add(record, "ls-tree")?;
            }
        }
        Ok(listed)
    }

    /// Both listings have the form `<mode> …\t<path>`.
    fn add(&mut self, record: &[u8], command: &'static str) -> Result<(), Unreadable> {
        let tab = record.iter().position(|byte| *byte == b'\t');
        let path = &record[tab.ok_or(answer(command))? + 1..];
        let Some(folded) = RepoPath::from_git(path).and_then(|path| path.folded()) else {
            return Ok(());
        };
        let mut rest = folded.as_str();
        while let Some((above, _)) = rest.rsplit_once('/') {
            if !self.folders.insert(above.to_owned()) {
                break;
            }
            rest = above;
        }
        if record.starts_with(b"160000 ") {
            self.modules.insert(folded);
        } else {
            self.files.insert(folded);
        }
        Ok(())
    }

    pub(super) fn ending_in(&self, path: &RepoPath, most: usize) -> Vec<RepoPath> {
        let Some(folded) = path.folded() else {
            return Vec::new();
        };
        let files = || {
            self.files
                .iter()
                .map(|file| (file.as_bytes(), file.clone()))
        };
        let ends = self.ends.get_or_init(|| Ends::of(files()));
        let known = ends.like(&folded).filter(|known| ends_in(known, &folded));
        let paths = known.filter_map(|known| RepoPath::from_git(known.as_bytes()));
        paths.take(most).collect()
    }

    pub(super) fn find(&self, path: &RepoPath) -> Found {
        let Some(folded) = path.folded() else {
            return Found {
                tracked: true,
                module: false,
            };
        };
        let ends = folded.match_indices('/').map(|(at, _)| at);
        let mut above = ends.chain([folded.len()]).map(|end| &folded[..end]);
        Found {
            tracked: self.files.contains(&folded) || self.folders.contains(&folded),
            module: above.any(|folder| self.modules.contains(folder)),
        }
    }
}

fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let records = output.split(|byte| *byte == 0);
    records.filter(|record| !record.is_empty())
}

fn answer(command: &'static str) -> GitError {
    GitError::Answer { command }
}
