//! Snapshots as JSON: attest's versioned document, and the flat map of the Python tool.

use std::collections::BTreeMap;

use attest_json::Fault;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fingerprint::{hex, unhex};
use crate::text::Name;
use crate::{FileState, Fingerprint, Moment, RepoPath, UnknownFingerprint, WorkTree};

/// Version of the document; raised when an older reader would misread it.
const VERSION: u32 = 1;
/// What the flat map contains for a deleted file.
const FLAT_DELETED: &str = "\u{0}DELETED\u{0}";

/// How a snapshot is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The versioned document.
    Json,
    /// A map from path to hash.
    Flat,
}

/// A document that is not a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Not JSON, or not of the form of a snapshot.
    #[error(transparent)]
    Json(#[from] Fault),
    /// JSON, but not an object.
    #[error("a snapshot is a JSON object, not {0}")]
    NotAnObject(&'static str),
    /// Written by a newer attest.
    #[error("snapshot version {found} is newer than {VERSION}")]
    Newer {
        /// The version found.
        found: u64,
    },
    /// A path that leaves the work tree.
    #[error("{0:?} is not a path inside a work tree")]
    Path(String),
    /// A fingerprint of unknown form.
    #[error(transparent)]
    Fingerprint(#[from] UnknownFingerprint),
    /// A value of the flat map that is not text.
    #[error("the value of {0:?} is not a string")]
    FlatValue(String),
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    #[serde(flatten)]
    tree: WorkTree,
    files: Vec<FileEntry>,
}

#[derive(Serialize, Deserialize)]
struct FileEntry {
    path: Name,
    fingerprint: String,
}

/// Prints a snapshot. The same tree always gives the same files in the same order.
pub fn document(tree: &WorkTree, format: Format) -> Result<String, DocumentError> {
    let text = match format {
        Format::Flat => serde_json::to_string_pretty(&flat(tree)),
        Format::Json => serde_json::to_string_pretty(&Document {
            version: VERSION,
            tree: tree.clone(),
            files: tree
                .files
                .iter()
                .map(|(path, state)| FileEntry {
                    path: Name::of(path.as_bytes()),
                    fingerprint: state.fingerprint.to_string(),
                })
                .collect(),
        }),
    };
    Ok(text.map_err(Fault::from)?)
}

fn flat(tree: &WorkTree) -> BTreeMap<String, String> {
    tree.files
        .iter()
        .map(|(path, state)| {
            let value = match &state.fingerprint {
                Fingerprint::File { sha256, .. } => hex(sha256),
                Fingerprint::Deleted => FLAT_DELETED.to_owned(),
                other => other.to_string(),
            };
            (String::from_utf8_lossy(path.as_bytes()).into_owned(), value)
        })
        .collect()
}

/// Reads either format. `now` supplies what a flat map lacks: the repository and its current
/// commits.
pub fn from_document(text: &str, now: &WorkTree) -> Result<(WorkTree, Format), DocumentError> {
    let value: Value = serde_json::from_str(text).map_err(Fault::from)?;
    let Value::Object(map) = value else {
        return Err(DocumentError::NotAnObject(kind(&value)));
    };
    if let Some(found) = map.get("version").and_then(Value::as_u64) {
        if found > u64::from(VERSION) {
            return Err(DocumentError::Newer { found });
        }
        // From the text again, in which a fault has a place.
        let document: Document = serde_json::from_str(text).map_err(Fault::from)?;
        let mut tree = document.tree;
        for entry in document.files {
            let path = entry.path.bytes().as_deref().and_then(RepoPath::from_git);
            let path = path.ok_or_else(|| DocumentError::Path(entry.path.shown()))?;
            let fingerprint: Fingerprint = entry.fingerprint.parse()?;
            tree.files.insert(path, fingerprint.into());
        }
        return Ok((tree, Format::Json));
    }
    let tree = WorkTree {
        files: files_of_flat(&map, now)?,
        // Its moment is not known: no file time is compared with it, and whatever is there may have come since.
        taken_at: Moment {
            wall_ns: 0,
            boot_ns: None,
        },
        ..now.clone()
    };
    Ok((tree, Format::Flat))
}

/// The flat map has no execute bit, so the one of `now` is taken: it never counts as a change.
fn files_of_flat(
    map: &Map<String, Value>,
    now: &WorkTree,
) -> Result<BTreeMap<RepoPath, FileState>, DocumentError> {
    let mut files = BTreeMap::new();
    for (name, value) in map {
        let path = RepoPath::from_git(name.as_bytes());
        let path = path.ok_or_else(|| DocumentError::Path(name.clone()))?;
        let text = value.as_str();
        let text = text.ok_or_else(|| DocumentError::FlatValue(name.clone()))?;
        let fingerprint = match (text, unhex(text)) {
            (FLAT_DELETED, _) => Fingerprint::Deleted,
            (_, Some(sha256)) => Fingerprint::File {
                sha256,
                executable: now.files.get(&path).is_some_and(is_executable),
            },
            (other, None) => other.parse()?,
        };
        files.insert(path, fingerprint.into());
    }
    Ok(files)
}

fn is_executable(state: &FileState) -> bool {
    matches!(
        state.fingerprint,
        Fingerprint::File {
            executable: true,
            ..
        }
    )
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
