//! Where HEAD and the branches point.

use std::collections::BTreeMap;

use git2::{ErrorCode, Repository};
use serde::{Deserialize, Serialize};

use crate::escaped;

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// The commit; absent before the first one.
    #[serde(rename = "head")]
    pub oid: Option<String>,
    /// The full name of the branch; absent when HEAD is detached.
    pub branch: Option<String>,
}

impl Head {
    /// Asks libgit2.
    pub(super) fn read(opened: &Repository) -> Result<Self, git2::Error> {
        let branch = match opened.find_reference("HEAD") {
            Ok(head) => head.symbolic_target_bytes().map(escaped),
            Err(error) if error.code() == ErrorCode::NotFound => None,
            Err(error) => return Err(error),
        };
        let oid = match opened.head() {
            Ok(head) => Some(head.peel_to_commit()?.id().to_string()),
            Err(error) if error.code() == ErrorCode::UnbornBranch => None,
            Err(error) => return Err(error),
        };
        Ok(Self { oid, branch })
    }
}

/// Local and remote-tracking branches and the stash, asked of libgit2: full name and object id.
pub(super) fn refs(opened: &Repository) -> Result<BTreeMap<String, String>, git2::Error> {
    let mut refs = BTreeMap::new();
    for pattern in ["refs/heads/*", "refs/remotes/*", "refs/stash"] {
        for reference in opened.references_glob(pattern)? {
            let reference = reference?;
            if let Some(oid) = reference.target() {
                refs.insert(escaped(reference.name_bytes()), oid.to_string());
            }
        }
    }
    Ok(refs)
}
