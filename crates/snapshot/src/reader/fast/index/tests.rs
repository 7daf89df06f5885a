#![expect(clippy::disallowed_methods, reason = "tests start what they need")]

use std::process::Command;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// An index as git writes it, with folders, a long path and the `TREE` extension.
fn written_by_git(version: &str) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"])
            .args(arguments)
            .current_dir(folder.path())
            .output();
        assert!(done.unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["config", "index.version", version]);
    let long = format!("{}end", "long/".repeat(1100));
    for path in ["a", "b/c", "b/d/e", "b/d/f", "g", &long] {
        let entry = format!("100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,{path}");
        git(&["update-index", "--add", "--cacheinfo", &entry]);
    }
    git(&["hash-object", "-w", "--stdin"]);
    git(&["write-tree"]);
    std::fs::read(folder.path().join(".git/index")).unwrap()
}

/// Looks at everything that an index can be asked for.
fn look_through(index: &Index) -> usize {
    for folder in &index.folders {
        assert!(!index.folder_path(folder).ends_with(b"/"));
    }
    let _ = (index.tree(), index.cache_tree());
    let found = index.entries().filter(|entry| {
        let _ = (entry.recorded(), entry.oid());
        index.find(entry.path).is_some()
    });
    found.count()
}

#[test]
fn every_entry_is_found() {
    for version in ["2", "4"] {
        let index = Index::read(written_by_git(version), OID).unwrap();
        assert_eq!((index.len(), look_through(&index)), (6, 6), "{version}");
        assert!(index.tree().is_some(), "{version}");
    }
}

proptest! {
    #[test]
    fn a_damaged_file_is_read_or_refused(
        is_second in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        static WRITTEN: std::sync::LazyLock<[Vec<u8>; 2]> =
            std::sync::LazyLock::new(|| ["2", "4"].map(written_by_git));
        let mut bytes = WRITTEN[usize::from(is_second)].clone();
        for (at, byte) in changes {
            // Most of the file is one long path, so half of the changes go before it.
            let length = if byte % 2 == 0 { bytes.len() } else { 400 };
            bytes[at.index(length)] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(index) = Index::read(bytes, OID) {
            look_through(&index);
        }
    }
}
