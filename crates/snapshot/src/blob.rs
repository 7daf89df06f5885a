//! What a work tree holds at a path, by the name that git has for it.

use std::io;
use std::path::Path;

use attest_evidence::RepoPath;
use git2::{ObjectType, Oid};

use crate::Limits;
use crate::beneath::{EntryKind, Root};
use crate::regular::read_at_most;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// A file with these bytes: the name of a blob, in hex, whether or not git has it. git may store them with other
    /// line endings, or through a filter, under another name.
    Blob(String),
}

impl Content {
    /// What each path holds; `None` of what is no file, is larger than is hashed, or cannot be read.
    #[must_use]
    pub fn of(root: &Path, paths: &[RepoPath], limits: &Limits) -> Vec<Option<Self>> {
        let Ok(root) = Root::open(root) else {
            return vec![None; paths.len()];
        };
        let contents = paths.iter();
        contents.map(|path| at(&root, path, limits).ok()?).collect()
    }
}

fn at(root: &Root, path: &RepoPath, limits: &Limits) -> io::Result<Option<Content>> {
    limits.budget.take_items(1).map_err(io::Error::other)?;
    match root.look(path)? {
        None => return Ok(Some(Content::Nothing)),
        Some((EntryKind::File, _)) => {}
        Some(_) => return Ok(None),
    }
    let Some(file) = root.file(path)? else {
        return Ok(None);
    };
    let metadata = file.metadata()?;
    let most = limits.max_hash_bytes;
    if !metadata.is_file() || metadata.len() > most || limits.budget.is_over() {
        return Ok(None);
    }
    let bytes = read_at_most(file, &metadata, most)?;
    limits.budget.take(bytes.len()).map_err(io::Error::other)?;
    let oid = Oid::hash_object(ObjectType::Blob, &bytes).map_err(io::Error::other)?;
    Ok(Some(Content::Blob(oid.to_string())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_has_the_name_that_git_gives_it() {
        let scratch = Scratch::new(&[]);
        scratch.write("a.txt", "one\n");
        fs::create_dir(scratch.root.join("folder")).unwrap();
        let named = scratch.ask(&["hash-object", "a.txt"], b"");
        let paths = ["a.txt", "folder", "gone.txt", "folder/gone.txt"];
        let paths = paths.map(|path| RepoPath::from_git(path.as_bytes()).unwrap());
        assert_eq!(
            Content::of(&scratch.root, &paths, &Limits::default()),
            [
                Some(Content::Blob(named)),
                None,
                Some(Content::Nothing),
                Some(Content::Nothing),
            ]
        );
    }

    #[test]
    fn what_is_not_hashed_is_not_known() {
        let scratch = Scratch::new(&["a.txt"]);
        let paths = [RepoPath::from_git(b"a.txt").unwrap()];
        let limits = Limits {
            max_hash_bytes: 3,
            ..Limits::default()
        };
        assert_eq!(Content::of(&scratch.root, &paths, &limits), [None]);
    }
}
