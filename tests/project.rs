//! What this repository itself has to be for those who clone it.

use std::path::{Path, PathBuf};

use crate::common::TestContext;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A clone as one gets it on Windows, where git turns LF to CRLF unless it is told not to.
fn clone_with_crlf(context: &TestContext, of: &Path) -> PathBuf {
    let place = context.folder().join("clone");
    let mut clone = context.command("git");
    clone
        .args(["clone", "--quiet", "--shared", "--no-tags"])
        .args([
            "--config",
            "core.autocrlf=true",
            "--config",
            "core.eol=crlf",
        ])
        .arg(of)
        .arg(&place);
    assert!(clone.status().unwrap().success());
    place
}

/// The files whose ends of lines are others than those which were committed.
fn changed(context: &TestContext, clone: &Path) -> Vec<String> {
    let listed = context.git(clone, &["ls-files", "--eol"]).stdout;
    assert_ne!(listed, "");
    let is_changed = |line: &&str| {
        let mut words = line.split_whitespace();
        let committed = words.next().and_then(|word| word.strip_prefix("i/"));
        let has = words.next().and_then(|word| word.strip_prefix("w/"));
        committed.is_none() || committed != has
    };
    listed
        .lines()
        .filter(is_changed)
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_clone_of_windows_has_the_same_bytes() {
    let context = TestContext::new();
    let clone = clone_with_crlf(&context, Path::new(TOP));
    let changed = changed(&context, &clone);
    assert_eq!(changed.len(), 0, "{:?}", changed.first());
    // Nor does git find something to correct in what was committed.
    context.git(&clone, &["add", "--renormalize", "."]);
    let status = context.git(&clone, &["status", "--porcelain"]).stdout;
    assert_eq!(status, "");
}

#[test]
fn a_clone_without_our_attributes_has_others() {
    let context = TestContext::new();
    let repository = context.repository("repo", &[("script.sh", "echo 1\n"), ("none", "")]);
    let clone = clone_with_crlf(&context, &repository);
    let changed = changed(&context, &clone);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].ends_with("script.sh"), "{changed:?}");
}

fn read(file: &str) -> toml::Table {
    let text = std::fs::read_to_string(Path::new(TOP).join(file)).unwrap();
    text.parse().unwrap()
}

/// So what is promised to build is what is built every day.
#[test]
fn the_rust_of_this_repository_is_the_least() {
    let least = &read("Cargo.toml")["workspace"]["package"]["rust-version"];
    let ours = &read("rust-toolchain.toml")["toolchain"]["channel"];
    assert_eq!(
        ours.as_str(),
        Some(format!("{}.0", least.as_str().unwrap()).as_str())
    );
}
