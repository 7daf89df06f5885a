//! The captured fixtures are the conversation alone, and the README accounts for each of them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// The files below a folder, as paths from it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn captured() -> Vec<(PathBuf, String)> {
    let folder = root().join("claude-code");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(folder.join(&path)).unwrap();
        (path, text)
    };
    files(&folder).into_iter().map(read).collect()
}

#[test]
fn transcripts_hold_only_what_was_said_and_done() {
    for (path, text) in captured() {
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            let kinds: BTreeSet<_> = text
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].to_string())
                .collect();
            assert!(
                kinds
                    .iter()
                    .all(|kind| kind == "\"user\"" || kind == "\"assistant\""),
                "{}: {kinds:?}",
                path.display()
            );
        }
    }
}

#[test]
fn the_readme_has_a_line_for_every_file() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let named: BTreeSet<_> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| PathBuf::from(name))
        .collect();
    // The files of Claude Code, and the folders of the others.
    let (named, folders): (BTreeSet<_>, BTreeSet<_>) = named
        .into_iter()
        .partition(|path| !root().join(path).is_dir());
    assert_eq!(folders, folders_of_other_hosts());
    let there: BTreeSet<PathBuf> = captured()
        .into_iter()
        .map(|(path, _)| path.iter().skip(1).collect())
        .collect();
    assert_eq!(named, there);
}

/// The folder of each version of a host that is not Claude Code.
fn folders_of_other_hosts() -> BTreeSet<PathBuf> {
    let below = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let not_hosts = ["claims", "parity", "claude-code"].map(|name| root().join(name));
    let hosts = below(&root()).into_iter();
    let hosts = hosts.filter(|path| !not_hosts.contains(path));
    let versions = hosts.flat_map(|host| below(&host));
    versions
        .map(|path| path.strip_prefix(root()).unwrap().to_owned())
        .collect()
}
