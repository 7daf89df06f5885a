//! `attest install` and `attest uninstall` for hosts that load a plugin: files that are attest's own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{BINARY, TestContext};

/// A host, the folder in the home folder that its files go to, and their names.
const PLUGINS: [(&str, &str, &[&str]); 3] = [
    (
        "openclaw",
        ".openclaw/extensions/attest",
        &["index.js", "openclaw.plugin.json", "package.json"],
    ),
    ("opencode", ".config/opencode/plugin", &["attest.js"]),
    ("kilo", ".config/kilo/plugin", &["attest.js"]),
];

fn files(context: &TestContext, folder: &str, names: &[&str]) -> Vec<PathBuf> {
    let folder = context.home().join(folder);
    names.iter().map(|name| folder.join(name)).collect()
}

fn contents(files: &[PathBuf]) -> Vec<String> {
    files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect()
}

fn names_in(folder: &Path) -> usize {
    let names = fs::read_dir(folder).into_iter().flatten();
    let is_of_the_plugin = |name: &std::ffi::OsString| name != ".made-by-attest";
    names
        .map(|entry| entry.unwrap().file_name())
        .filter(is_of_the_plugin)
        .count()
}

#[test]
fn every_file_is_written_once_and_goes_again() {
    for (host, folder, names) in PLUGINS {
        let context = TestContext::with_home("my home");
        let files = files(&context, folder, names);
        let install = ["install", "--host", host];
        let printed = context.attest(install).assert_success();
        for name in names {
            assert!(
                printed.stdout.contains(&format!("added {name}")),
                "{printed:?}"
            );
        }
        let written = contents(&files);
        let program = serde_json::to_string(BINARY).unwrap();
        assert!(written[0].contains(&program), "{}", written[0]);
        let again = context.attest(install).assert_success();
        let count = again.stdout.matches("nothing to change").count();
        assert_eq!(count, names.len(), "{again:?}");
        assert_eq!(contents(&files), written);
        assert_eq!(names_in(files[0].parent().unwrap()), names.len());
        // A folder of our own goes with the last file, one of the host's stays with what is in it.
        let is_own = folder.ends_with("attest");
        if !is_own {
            fs::write(context.home().join(folder).join("theirs.js"), "").unwrap();
        }
        context.attest(["uninstall"]).assert_success();
        assert!(files.iter().all(|file| !file.exists()), "{host}");
        assert_ne!(context.home().join(folder).exists(), is_own, "{host}");
    }
}

#[test]
fn a_file_of_another_version_is_replaced_and_kept_beside() {
    for (host, folder, names) in PLUGINS {
        let context = TestContext::new();
        let files = files(&context, folder, names);
        context.attest(["install", "--host", host]).assert_success();
        let written = contents(&files);
        let older = written[0].replace(BINARY, "/old/attest") + "\n// of an older version\n";
        fs::write(&files[0], &older).unwrap();
        let printed = context.attest(["install", "--host", host]).assert_success();
        assert!(printed.stdout.contains("updated"), "{printed:?}");
        assert!(printed.stdout.contains("backup: "), "{printed:?}");
        assert_eq!(contents(&files), written);
        // What a person changed is not thrown away when it goes.
        fs::write(&files[0], &older).unwrap();
        let printed = context
            .attest(["uninstall", "--host", host])
            .assert_success();
        assert!(printed.stdout.contains("backup: "), "{printed:?}");
        assert!(!files[0].exists());
    }
}

#[test]
fn a_file_of_somebody_else_is_left_alone() {
    for (host, folder, names) in PLUGINS {
        let context = TestContext::new();
        let files = files(&context, folder, names);
        fs::create_dir_all(files[0].parent().unwrap()).unwrap();
        fs::write(&files[0], "export default {};\n").unwrap();
        let printed = context.attest(["install", "--host", host]).assert_failure();
        assert!(printed.stderr.contains("did not write"), "{printed:?}");
        context
            .attest(["uninstall", "--host", host])
            .assert_success();
        assert_eq!(contents(&files[..1]), ["export default {};\n"]);
    }
}

#[test]
fn a_dry_run_writes_nothing_and_no_file_can_be_named() {
    for (host, folder, _) in PLUGINS {
        let context = TestContext::new();
        let printed = context.attest(["install", "--host", host, "--dry-run"]);
        let printed = printed.assert_success();
        assert!(printed.stdout.contains("+++ "), "{printed:?}");
        assert!(!context.home().join(folder).exists());
        let named = ["install", "--host", host, "--settings", "x.js"];
        let printed = context.attest(named).assert_failure();
        assert!(
            printed.stderr.contains("leave out --settings"),
            "{printed:?}"
        );
    }
}

#[test]
fn a_folder_with_something_of_others_stays_and_is_named() {
    let context = TestContext::new();
    context
        .attest(["install", "--host", "openclaw"])
        .assert_success();
    let folder = context.home().join(".openclaw/extensions/attest");
    fs::write(folder.join("mine.md"), "mine").unwrap();
    let printed = context.attest(["uninstall"]).assert_success();
    let left = format!("left {}: something else is in it", folder.display());
    assert!(printed.stdout.contains(&left), "{printed:?}");
    assert_eq!(fs::read_to_string(folder.join("mine.md")).unwrap(), "mine");
}
