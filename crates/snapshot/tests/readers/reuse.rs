//! A reading takes from an earlier one what cannot have changed, and nothing else.
//!
//! A lie is told to it about the first one: where it is believed, nothing was looked at again.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::thread;

use attest_snapshot::{Fingerprint, RepoPath, WorkTree};

use crate::REST;
use crate::scratch::{Layout, Scratch, Who};

/// Something that happens to a repository between two readings.
type Change = fn(&Path);

fn path(text: &str) -> RepoPath {
    RepoPath::from_git(text.as_bytes()).unwrap()
}

/// A tracked `src/a`, an untracked `src/new` and an untracked folder, all at rest.
fn scratch() -> Scratch {
    let scratch = Scratch::new(Layout::Plain);
    for folder in ["src", "made"] {
        fs::create_dir(scratch.root.join(folder)).unwrap();
    }
    fs::write(scratch.root.join("src/a"), "tracked").unwrap();
    scratch.git(&["add", "--all"]);
    fs::write(scratch.root.join("src/new"), "one").unwrap();
    fs::write(scratch.root.join("made/new"), "one").unwrap();
    thread::sleep(REST);
    scratch
}

fn second(scratch: &Scratch, start: &WorkTree) -> WorkTree {
    scratch.read(Who::Fastest, Some(start))
}

#[test]
fn a_file_that_is_the_same_is_not_hashed_again() {
    let scratch = scratch();
    let mut start = scratch.read(Who::Fastest, None);
    let new = path("src/new");
    start.files.get_mut(&new).unwrap().fingerprint = Fingerprint::Special;
    let again = second(&scratch, &start);
    assert_eq!(again.files[&new].fingerprint, Fingerprint::Special);
    // The same size.
    fs::write(scratch.root.join("src/new"), "two").unwrap();
    let fresh = scratch.read(Who::Fastest, None);
    let second = second(&scratch, &start);
    assert_eq!(
        second.files[&new].fingerprint,
        fresh.files[&new].fingerprint
    );
}

#[test]
fn a_file_that_was_young_at_the_start_is_hashed_again() {
    let scratch = scratch();
    fs::write(scratch.root.join("src/new"), "two").unwrap();
    let mut start = scratch.read(Who::Fastest, None);
    let new = path("src/new");
    start.files.get_mut(&new).unwrap().fingerprint = Fingerprint::Special;
    let again = second(&scratch, &start);
    assert_ne!(again.files[&new].fingerprint, Fingerprint::Special);
}

#[test]
fn a_folder_with_the_names_of_before_is_not_listed_again() {
    for folder in ["src", "made"] {
        let scratch = scratch();
        let mut start = scratch.read(Who::Fastest, None);
        let ghost = path(&format!("{folder}/ghost"));
        start
            .files
            .insert(ghost.clone(), Fingerprint::Special.into());
        let knows = |tree: &WorkTree| tree.files.contains_key(&ghost);
        assert!(knows(&second(&scratch, &start)), "{folder}");
        fs::write(scratch.root.join(folder).join("other"), "new name").unwrap();
        assert!(!knows(&second(&scratch, &start)), "{folder}");
    }
}

#[test]
fn what_was_taken_over_can_be_taken_over_again() {
    let scratch = scratch();
    let mut again = second(&scratch, &scratch.read(Who::Fastest, None));
    let ghost = path("made/ghost");
    again
        .files
        .insert(ghost.clone(), Fingerprint::Special.into());
    assert!(second(&scratch, &again).files.contains_key(&ghost));
    // Only the first reading asked for this file of rules.
    fs::write(scratch.root.join(".gitignore"), "new\n").unwrap();
    let third = second(&scratch, &again);
    assert!(!third.files.contains_key(&ghost));
    assert!(!third.files.contains_key(&path("made/new")));
}

#[test]
fn nothing_is_taken_over_once_the_terms_are_others() {
    let changes: [(&str, Change); 5] = [
        ("rules of a folder", |root| {
            fs::write(root.join(".gitignore"), "x").unwrap();
        }),
        ("rules of the repository", |root| {
            fs::write(root.join(".git/info/exclude"), "x").unwrap();
        }),
        ("index", |root| {
            fs::remove_file(root.join(".git/index")).unwrap();
        }),
        ("settings", |root| {
            let config = root.join(".git/config");
            let text = fs::read_to_string(&config).unwrap();
            fs::write(config, text + "[core]\n\tignoreCase = true\n").unwrap();
        }),
        ("branch", |root| {
            fs::write(root.join(".git/HEAD"), "ref: refs/heads/main2").unwrap();
        }),
    ];
    for (name, change) in changes {
        let scratch = scratch();
        scratch.git(&["commit", "--quiet", "--message", "c"]);
        thread::sleep(REST);
        let mut start = scratch.read(Who::Fastest, None);
        let ghost = path("made/ghost");
        start
            .files
            .insert(ghost.clone(), Fingerprint::Special.into());
        let knows = |tree: &WorkTree| tree.files.contains_key(&ghost);
        assert!(knows(&second(&scratch, &start)), "{name}");
        change(&scratch.root);
        assert!(!knows(&second(&scratch, &start)), "{name}");
    }
}
