//! A work tree in its stored form: a header in JSON, and a content that is cheap to write and to
//! read. Neither has the end of a line in it: names of the repository are in both.

use attest_evidence::{of_one_line, one_line};
use attest_json::Fault;
use serde::{Deserialize, Serialize};

use crate::reader::ScanCache;
use crate::{FileState, RepoPath, WorkTree};

/// What a content begins with that is on one line. No number of files begins so.
const ONE_LINE: [u8; 11] = [0xff; 11];

/// Why a stored work tree cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// The header is not in this version's format.
    #[error("the stored snapshot has a damaged header")]
    Header(#[source] Fault),
    /// The files are not in this version's format.
    // No `source`: that one speaks of bytes and of types.
    #[error("the stored snapshot has a damaged content, {}", damage(.0))]
    Content(postcard::Error),
}

impl From<serde_json::Error> for StoredError {
    fn from(error: serde_json::Error) -> Self {
        Self::Header(error.into())
    }
}

impl From<postcard::Error> for StoredError {
    fn from(error: postcard::Error) -> Self {
        Self::Content(error)
    }
}

fn damage(error: &postcard::Error) -> &'static str {
    match error {
        postcard::Error::DeserializeUnexpectedEnd => "which is cut off",
        _ => "which is not as attest writes it",
    }
}

/// A work tree in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What it was, in JSON.
    pub header: String,
    /// What it contained.
    pub content: Vec<u8>,
}

impl WorkTree {
    /// Converts to the stored form.
    pub fn to_stored(&self) -> Result<Stored, StoredError> {
        let content = Content {
            files: &self.files,
            memory: &self.memory,
        };
        let content = postcard::to_stdvec(&(content, &self.unlisted, &self.store, &self.trail))?;
        Ok(Stored {
            header: serde_json::to_string(self)?,
            content: [&ONE_LINE[..], &*one_line(&content)].concat(),
        })
    }

    /// The reverse, also for the format of an earlier version.
    pub fn from_stored(header: &str, content: &[u8]) -> Result<Self, StoredError> {
        let tree: Self = serde_json::from_str(header)?;
        let content = match content.strip_prefix(&ONE_LINE) {
            Some(line) => of_one_line(line).ok_or(postcard::Error::DeserializeBadEncoding)?,
            // An earlier version kept it as it is.
            None => content.into(),
        };
        let (content, rest) = postcard::take_from_bytes::<Read>(&content)?;
        // A baseline that an earlier version wrote ends here.
        let ((unlisted, store), rest) = match rest {
            [] => ((None, None), rest),
            rest => postcard::take_from_bytes(rest)?,
        };
        let trail = match rest {
            [] => None,
            rest => postcard::from_bytes(rest)?,
        };
        Ok(Self {
            files: content.files.into_iter().collect(),
            unlisted,
            store,
            trail,
            memory: content.memory,
            ..tree
        })
    }
}

/// The part that is compared, in a form that is cheap to write and to read.
#[derive(Serialize, Deserialize)]
struct Content<Files, Kept> {
    /// In the order of the paths.
    files: Files,
    memory: Kept,
}

/// The content for reading.
type Read = Content<Vec<(RepoPath, FileState)>, Option<ScanCache>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Store;
    use crate::unlisted::Unlisted;

    #[test]
    fn what_an_earlier_version_stored_is_read() {
        let none: Vec<(RepoPath, FileState)> = Vec::new();
        let content = Content {
            files: none,
            memory: None::<ScanCache>,
        };
        let unlisted = Unlisted {
            modules: Vec::new(),
            ignored: Vec::new(),
            hollow: Vec::new(),
            rules: None,
        };
        let old = postcard::to_stdvec(&content).unwrap();
        let new = postcard::to_stdvec(&(content, Some(unlisted), None::<Store>)).unwrap();
        let header = r#"{"root":"/r","common_dir":"/r/.git","head":null,"branch":null,"refs":{},
            "worktrees":[],"taken_at":{"wall_ns":1},"reader":{"name":"fast"}}"#;
        for (content, is_told) in [(old, false), (new, true)] {
            let tree = WorkTree::from_stored(header, &content).unwrap();
            assert_eq!(tree.unlisted.is_some(), is_told);
        }
    }
}
