//! Whether git would trust a repository, judging by its owner (see git-config(1) on
//! `safe.directory`).

use std::path::Path;

#[cfg(unix)]
use crate::git::{Ask, Git};
use crate::{Limits, Unreadable};

/// Fails if the work tree, its `.git` or the folder that this names belongs to somebody else,
/// unless the person has declared the work tree safe.
#[cfg(unix)]
pub(super) fn check(
    work_tree: &Path,
    git_dir: &Path,
    named_by: Option<&Path>,
    limits: &Limits,
) -> Result<(), Unreadable> {
    use std::os::unix::fs::MetadataExt;
    for place in named_by.into_iter().chain([work_tree, git_dir]) {
        let metadata = std::fs::symlink_metadata(place);
        let owner = metadata
            .map_err(|error| Unreadable::io(place, error))?
            .uid();
        if !is_trusted(owner) && !is_safe(work_tree, limits) {
            return Err(Unreadable::ForeignOwner {
                path: place.to_owned(),
                owner,
            });
        }
    }
    Ok(())
}

/// libgit2 asks the system.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub(super) fn check(
    _work_tree: &Path,
    _git_dir: &Path,
    _named_by: Option<&Path>,
    _limits: &Limits,
) -> Result<(), Unreadable> {
    Ok(())
}

/// The person and, for root, the person who became root by sudo.
#[cfg(unix)]
fn is_trusted(owner: u32) -> bool {
    let user = rustix::process::geteuid();
    owner == user.as_raw() || (user.is_root() && sudo_user() == Some(owner))
}

#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "git's own rule for whom root trusts; no setting of attest"
)]
fn sudo_user() -> Option<u32> {
    std::env::var("SUDO_UID").ok()?.parse().ok()
}

/// Whether `safe.directory` of the system or of the person names the work tree. git is asked,
/// because only git knows where the configuration of the system is; the configuration of a
/// repository does not count.
#[cfg(unix)]
fn is_safe(work_tree: &Path, limits: &Limits) -> bool {
    let nothing: [&str; 0] = [];
    let values = Git::nowhere(work_tree, limits).ask(Ask::SafeDirectories, &nothing);
    values.is_ok_and(|values| {
        let values = values.split(|byte| *byte == 0);
        // Each value is followed by a NUL.
        let mut values: Vec<_> = values.collect();
        values.pop();
        named_by(&values, work_tree)
    })
}

/// What the values, the strongest last, say about the work tree, whose links are resolved.
#[cfg(unix)]
fn named_by(values: &[&[u8]], work_tree: &Path) -> bool {
    let mut is_safe = false;
    for value in values {
        is_safe = match *value {
            // It revokes all values before it.
            b"" => false,
            b"*" => true,
            value => is_safe || names(value, work_tree),
        };
    }
    is_safe
}

#[cfg(unix)]
fn names(value: &[u8], work_tree: &Path) -> bool {
    let (folder, is_above) = match value.strip_suffix(b"/*") {
        Some(folder) => (folder, true),
        None => (value, false),
    };
    let folder = crate::path_of_bytes(if folder.is_empty() { b"/" } else { folder });
    if !folder.is_absolute() {
        return false;
    }
    let Ok(folder) = crate::canonical(&folder) else {
        return false;
    };
    if is_above {
        work_tree != folder && work_tree.starts_with(&folder)
    } else {
        work_tree == folder
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn values_count_in_their_order() {
        let folder = TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap();
        let tree = root.join("work/tree");
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::create_dir(root.join("work/tree2")).unwrap();
        symlink(root.join("work"), root.join("link")).unwrap();
        let at = |name: &str| crate::path_bytes(&root.join(name)).into_owned();
        let [exact, slash, above, linked, other, inner] = [
            "work/tree",
            "work/tree/",
            "work/*",
            "link/tree",
            "work/tree2",
            "work/tree/*",
        ]
        .map(at);
        for (values, expected) in [
            (vec![], false),
            (vec![&exact[..]], true),
            (vec![&slash[..]], true),
            (vec![&above[..]], true),
            (vec![&linked[..]], true),
            (vec![b"*"], true),
            (vec![b"/*"], true),
            (vec![&other[..]], false),
            (vec![&inner[..]], false),
            (vec![b"work/tree"], false),
            (vec![b"."], false),
            (vec![b"*", b""], false),
            (vec![&exact[..], b"", &other[..]], false),
            (vec![b"", &other[..], &exact[..]], true),
        ] {
            assert_eq!(named_by(&values, &tree), expected, "{values:?}");
        }
    }
}
