//! The reports of `fixtures/claims`: whole messages, each with what a careful reader says that it claims, and the
//! forms in which generated tests write a list of files.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "only tests read it, and a fixture that is wrong ends them"
)]

mod form;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

pub use form::{Form, forms};

/// A message, and its reading.
#[derive(Debug)]
pub struct Case {
    /// Its category and its own name, with a slash between.
    pub name: String,
    /// The message as the agent sends it; `{root}` stands for the repository and `{home}` for the home folder.
    pub message: String,
    /// What a careful reader says that it claims.
    pub expected: Expected,
}

/// What is expected of a message. All paths are relative to the root of the repository.
#[derive(Debug, Default)]
pub struct Expected {
    /// The word of its status, if it has one.
    pub status: Option<String>,
    /// Files that are committed before the agent starts.
    pub existing: Vec<String>,
    /// Files that the report claims as changed or created.
    pub written: Vec<String>,
    /// Files that it claims as gone.
    pub deleted: Vec<String>,
    /// Those that have to be named if they alone were not made.
    pub must_name: Vec<String>,
    /// Those of them for which the agent may be sent back; the others are told of with the words that are not
    /// understood.
    pub may_block: Vec<String>,
}

/// A case as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[expect(dead_code, reason = "for who reads the file")]
    why: String,
    status: Option<String>,
    #[serde(default)]
    existing: Vec<String>,
    #[serde(default)]
    written: Vec<String>,
    #[serde(default)]
    deleted: Vec<String>,
    must_name: Option<Vec<String>>,
    may_block: Option<Vec<String>>,
    message: Option<String>,
    base64: Option<String>,
}

/// Where the corpus is.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claims")
}

/// All cases, by category and name.
///
/// # Panics
///
/// If a file of the corpus cannot be read, or has a case that is not one.
#[must_use]
pub fn cases() -> Vec<Case> {
    let entries = fs::read_dir(folder()).expect("the corpus is there");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a file of the corpus").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    files.iter().flat_map(|file| category(file)).collect()
}

fn category(file: &Path) -> impl Iterator<Item = Case> {
    let category = file.file_stem().expect("a name").display().to_string();
    let text = fs::read_to_string(file).expect("a category is text");
    let cases: BTreeMap<String, Raw> =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    cases
        .into_iter()
        .map(move |(name, raw)| raw.into_case(format!("{category}/{name}")))
}

impl Raw {
    fn into_case(self, name: String) -> Case {
        let message = match (self.message, self.base64) {
            (Some(message), None) => message,
            (None, Some(bytes)) => BASE64_STANDARD
                .decode(bytes)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())
                .unwrap_or_else(|| panic!("{name}: base64 of a text")),
            _ => panic!("{name}: either a message or its base64"),
        };
        let must_name = self.must_name.unwrap_or_else(|| self.written.clone());
        Case {
            name,
            message,
            expected: Expected {
                status: self.status,
                existing: self.existing,
                may_block: self.may_block.unwrap_or_else(|| must_name.clone()),
                must_name,
                written: self.written,
                deleted: self.deleted,
            },
        }
    }
}
