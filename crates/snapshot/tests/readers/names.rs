//! What is tracked and what is ignored is what git says, on generated work trees.

use std::collections::BTreeSet;
use std::fs;

use attest_snapshot::{KnownPaths, Limits, RepoPath};
use proptest::prelude::*;

use crate::scratch::{Scratch, Who};
use crate::step::{FOLDERS, NAMES};
use crate::{config, layout, steps};

/// The names of the steps, others of the same kind, and other spellings of all of them.
fn asked() -> Vec<RepoPath> {
    let mut names: Vec<String> = NAMES.iter().map(ToString::to_string).collect();
    for folder in FOLDERS
        .iter()
        .chain(&["gone", "gone/build", "deep/er/and/gone", "nested"])
    {
        let slash = if folder.is_empty() { "" } else { "/" };
        for name in [
            "ghost",
            "ghost.log",
            "g.txt",
            "c.md",
            "module",
            "build",
            "build/o",
            "deeper",
        ] {
            names.push(format!("{folder}{slash}{name}"));
        }
        names.push((*folder).to_owned());
    }
    let upper: Vec<_> = names.iter().map(|name| name.to_uppercase()).collect();
    names.extend(upper);
    let paths = names
        .iter()
        .filter_map(|name| RepoPath::from_git(name.as_bytes()));
    paths.collect()
}

fn fold(path: &[u8]) -> String {
    use unicode_normalization::UnicodeNormalization;
    let text: String = String::from_utf8_lossy(path).nfc().collect();
    text.to_lowercase().nfc().collect()
}

/// What git lists in the index and in a commit: the folded names of files and folders, and those
/// of submodules.
fn listed(scratch: &Scratch, commit: Option<&str>) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut output = scratch.git(&["ls-files", "-z", "--stage"]);
    if let Some(commit) = commit {
        output.extend(scratch.git(&["ls-tree", "-r", "-z", "--full-tree", commit]));
    }
    let (mut names, mut modules) = (BTreeSet::new(), BTreeSet::new());
    for record in output.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
        let tab = record.iter().position(|byte| *byte == b'\t').unwrap();
        let name = fold(&record[tab + 1..]);
        for (end, _) in name.match_indices('/') {
            names.insert(name[..end].to_owned());
        }
        if record.starts_with(b"160000") {
            modules.insert(name);
        } else {
            names.insert(name);
        }
    }
    (names, modules)
}

/// Which of the paths git ignores. Each is asked for by itself, because git ends at the first one
/// that lies behind a link or in a submodule; those are `None`.
fn ignored(scratch: &Scratch, paths: &[RepoPath]) -> Vec<Option<bool>> {
    let is_asked = |path: &RepoPath| {
        let text = String::from_utf8(path.as_bytes().to_vec()).unwrap();
        let mut above: Vec<_> = text.match_indices('/').map(|(at, _)| &text[..at]).collect();
        let repository = above
            .iter()
            .any(|folder| scratch.root.join(folder).join(".git").exists());
        above.push(&text);
        let is_link = |name: &&str| {
            fs::symlink_metadata(scratch.root.join(name)).is_ok_and(|it| it.is_symlink())
        };
        let module = above.iter().any(|name| name.ends_with("module"));
        !repository && !module && !above.iter().any(is_link)
    };
    let mut input = Vec::new();
    for path in paths.iter().filter(|path| is_asked(path)) {
        input.extend_from_slice(path.as_bytes());
        input.push(0);
    }
    let mut arguments = vec!["check-ignore", "-z", "--stdin"];
    // Without the index git does not know the rules that are left out of the checkout; with it, it
    // ignores nothing that is tracked.
    if !scratch.is_sparse {
        arguments.push("--no-index");
    }
    let output = scratch.git_with_input(&arguments, &input);
    let covered: BTreeSet<&[u8]> = output.split(|byte| *byte == 0).collect();
    let answer = |path: &RepoPath| is_asked(path).then(|| covered.contains(path.as_bytes()));
    paths.iter().map(answer).collect()
}

fn agrees(scratch: &Scratch, who: Who, commit: Option<&str>) -> Result<(), TestCaseError> {
    let limits = Limits::default();
    let repository = scratch.repository(who);
    let known = KnownPaths::read(repository, commit, &limits);
    let known = match (who, known) {
        // A hook never lets git read a split index.
        (Who::Program, Err(_)) => return Ok(()),
        (_, known) => known.map_err(|why| TestCaseError::fail(why.to_string()))?,
    };
    let paths = asked();
    let (names, modules) = listed(scratch, commit);
    let ignored = ignored(scratch, &paths);
    for (path, ignored) in paths.iter().zip(ignored) {
        let name = fold(path.as_bytes());
        prop_assert_eq!(
            known.is_tracked(path).unwrap(),
            names.contains(&name),
            "{:?} {}",
            who,
            path
        );
        let ends = name
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([name.len()]);
        let module = ends.clone().any(|end| modules.contains(&name[..end]));
        prop_assert_eq!(
            known.in_submodule(path).unwrap(),
            module,
            "{:?} {}",
            who,
            path
        );
        match (known.is_ignored(path), ignored) {
            (Ok(_), _) if scratch.is_sparse && names.contains(&name) => {}
            (Ok(got), Some(expected)) => prop_assert_eq!(got, expected, "{:?} {}", who, path),
            (Err(why), Some(_)) if matches!(who, Who::Fastest) => {
                return Err(TestCaseError::fail(why.to_string()));
            }
            _ => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_known_by_name_is_what_git_says(layout in layout(), first in steps(20), second in steps(20)) {
        let scratch = Scratch::new(layout);
        scratch.apply_all(&first);
        let head = String::from_utf8(scratch.git(&["rev-parse", "--verify", "-q", "HEAD"])).unwrap();
        scratch.apply_all(&second);
        let commit = Some(head.trim_end()).filter(|commit| !commit.is_empty());
        agrees(&scratch, Who::Fastest, None)?;
        agrees(&scratch, Who::Fastest, commit)?;
        agrees(&scratch, Who::Program, commit)?;
    }
}
