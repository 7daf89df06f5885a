//! The names that the git program lists, for repositories that only git reads.

use std::collections::HashSet;

use crate::git::GitError;
use crate::{Limits, RepoPath, Repository, Unreadable};

use super::Found;

/// All names, in their folded form.
#[derive(Debug, Default)]
pub(super) struct Listed {
    files: HashSet<String>,
    folders: HashSet<String>,
    modules: HashSet<String>,
    /// Files of rules that are left out of the checkout.
    left_out_rules: HashSet<Vec<u8>>,
}

impl Listed {
    /// Lists the index, and the tree of `commit`: one process for each.
    pub(super) fn read(
        repository: &Repository,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        let mut listed = Self::default();
        let git = repository.git_with_index(limits)?;
        // `-t` puts a tag before each name: `S` means left out.
        let index = git.run(&["ls-files", "-z", "-t", "--stage"])?;
        for record in records(&index) {
            let (tag, rest) = record.split_at_checked(2).ok_or(answer("ls-files"))?;
            let path = listed.add(rest, "ls-files")?;
            if tag == b"S " && (path == b".gitignore" || path.ends_with(b"/.gitignore")) {
                listed.left_out_rules.insert(path.to_vec());
            }
        }
        if let Some(commit) = commit {
            let git = repository.git(limits);
            let tree = git.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
            for record in records(&tree) {
                listed.add(record, "ls-tree")?;
            }
        }
        Ok(listed)
    }

    /// Both listings are `<mode> …\t<path>`.
    fn add<'r>(&mut self, record: &'r [u8], command: &'static str) -> Result<&'r [u8], Unreadable> {
        let tab = record.iter().position(|byte| *byte == b'\t');
        let path = &record[tab.ok_or(answer(command))? + 1..];
        let Some(folded) = RepoPath::from_git(path).and_then(|path| path.folded()) else {
            return Ok(path);
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
        Ok(path)
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

    /// Fails if there are rules that would have to be read from the index.
    #[cfg(unix)]
    pub(super) fn left_out_rules(&self, path: &[u8]) -> Result<(), Unreadable> {
        if self.left_out_rules.contains(path) {
            let place = crate::path_of_bytes(path);
            let why = std::io::Error::other("left out of the checkout");
            return Err(Unreadable::io(&place, why));
        }
        Ok(())
    }
}

fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let records = output.split(|byte| *byte == 0);
    records.filter(|record| !record.is_empty())
}

fn answer(command: &'static str) -> GitError {
    GitError::Answer { command }
}
