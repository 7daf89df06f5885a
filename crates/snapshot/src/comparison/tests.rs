use super::*;
use crate::Change;
use crate::scratch::Scratch;
use std::fs;

fn stop<'a>(start: &'a WorkTree, cwd: &Path) -> Comparison<'a> {
    Comparison::with(start, cwd, &Limits::default()).unwrap()
}

#[test]
fn an_exact_sight_is_never_a_namesake_or_an_absence() {
    let scratch = Scratch::new(&["src/a.py", "README.md"]);
    let start = scratch.start();
    scratch.write("src/real.py", "new\n");
    let comparison = stop(&start, &scratch.root);
    for there in ["src/real.py", "SRC/Real.py", "src", "README.md"] {
        assert!(comparison.exact_evidence_for(there).is_some(), "{there}");
    }
    for not_there in ["ghost.py", "lib/real.py", "ghost.py, src/real.py", "/x/y"] {
        assert_eq!(
            comparison.exact_evidence_for(not_there),
            None,
            "{not_there}"
        );
    }
}

#[test]
fn a_folder_is_known_from_the_root_and_from_that_of_the_agent() {
    let scratch = Scratch::new(&["src/deep/a.py", "old/b.py"]);
    let start = scratch.start();
    fs::remove_dir_all(scratch.root.join("old")).unwrap();
    scratch.write("new/c.py", "new\n");
    let comparison = stop(&start, &scratch.root.join("src"));
    for known in [
        "src/ghost.py",
        "deep/ghost.py",
        "old/ghost.py",
        "new/ghost.py",
        "project/ghost.py",
        "./nowhere/ghost.py",
        "../nowhere/ghost.py",
        "/nowhere/ghost.py",
        "ghost.py",
    ] {
        assert!(comparison.has_folder(known), "{known}");
    }
    for unknown in ["login/logout", "nowhere/ghost.py"] {
        assert!(!comparison.has_folder(unknown), "{unknown}");
    }
}

#[test]
fn a_folder_of_another_work_tree_is_elsewhere() {
    let scratch = Scratch::new(&["src/a.py"]);
    let start = scratch.start();
    scratch.git(&["worktree", "add", "--quiet", "beside"]);
    fs::create_dir(scratch.root.join("beside/src")).unwrap_or_default();
    let root = scratch.root.to_str().unwrap().to_owned();
    let comparison = stop(&start, &scratch.root);
    for (folder, place) in [
        (root.as_str(), FolderPlace::Root),
        (".", FolderPlace::Root),
        ("src/..", FolderPlace::Root),
        ("src", FolderPlace::Below),
        (&format!("{root}/src"), FolderPlace::Below),
        ("beside", FolderPlace::Elsewhere),
        ("beside/src", FolderPlace::Elsewhere),
        ("..", FolderPlace::Elsewhere),
        ("/tmp", FolderPlace::Elsewhere),
    ] {
        assert_eq!(comparison.folder(folder), place, "{folder}");
    }
}

#[test]
fn a_folder_is_deleted_only_if_nothing_that_git_tracks_is_left() {
    let scratch = Scratch::new(&[
        "all/a.py",
        "all/b.py",
        "half/a.py",
        "half/b.py",
        ".gitignore",
    ]);
    scratch.write(".gitignore", "*.log\n");
    let start = scratch.start();
    for file in ["all/a.py", "all/b.py", "half/a.py"] {
        fs::remove_file(scratch.root.join(file)).unwrap();
    }
    // What git does not list may be left by whoever ran it.
    scratch.write("all/run.log", "1\n");
    let comparison = stop(&start, &scratch.root);
    for (folder, expected) in [("all/", Change::Deleted), ("half/", Change::Written)] {
        let seen = comparison.evidence_for(folder);
        let change = match seen {
            PathEvidence::Changed { change, .. } => Some(change),
            _ => None,
        };
        assert_eq!(change, Some(expected), "{folder}");
    }
}

/// What became of a file that was made, committed or stashed, and is not on disk.
fn became(commands: &[&[&str]]) -> PathEvidence {
    let scratch = Scratch::new(&["a.py"]);
    let start = scratch.start();
    scratch.write("new.py", "1\n");
    for command in commands {
        scratch.git(command);
    }
    let evidence = stop(&start, &scratch.root).evidence_for("new.py");
    assert!(!scratch.root.join("new.py").exists());
    evidence
}

#[test]
fn only_what_something_leads_to_is_a_place_for_work() {
    let (add, commit): (&[&str], &[&str]) = (&["add", "new.py"], &["commit", "--quiet", "-m", "x"]);
    let stash: &[&str] = &["stash", "--quiet", "--include-untracked"];
    let back: &[&str] = &["reset", "--quiet", "--hard", "HEAD~1"];
    let dropped = [
        became(&[stash, &["stash", "drop", "--quiet"]]),
        became(&[add, commit, back]),
    ];
    for seen in dropped {
        assert_eq!(seen, PathEvidence::Inconclusive(Doubt::Dropped));
    }
    let kept = [
        became(&[stash]),
        became(&[add, commit, &["tag", "v1"], back]),
        became(&[add, commit, &["branch", "topic"], back]),
    ];
    for seen in kept {
        assert!(
            matches!(seen, PathEvidence::ChangedElsewhere(_)),
            "{seen:?}"
        );
    }
}

/// Only the log of their name leads to the older ones.
#[test]
fn each_stash_is_a_place_for_what_is_in_it_and_for_nothing_else() {
    let scratch = Scratch::new(&["a.py", "b.py"]);
    let start = scratch.start();
    for file in ["first.py", "second.py"] {
        scratch.write(file, "1\n");
        scratch.git(&["stash", "--quiet", "--include-untracked"]);
    }
    let comparison = stop(&start, &scratch.root);
    let is_landed = |file| {
        matches!(
            comparison.evidence_for(file),
            PathEvidence::ChangedElsewhere(_)
        )
    };
    assert!(is_landed("first.py") && is_landed("second.py"));
    assert!(!is_landed("b.py"));
}

#[test]
fn what_is_gone_is_told_from_what_only_has_the_name() {
    let scratch = Scratch::new(&["src/a.py", "src/b.py", "src/ui/c.py", "src/d.py"]);
    let start = scratch.start();
    for file in ["a.py", "b.py", "ui/c.py"] {
        fs::remove_file(scratch.root.join("src").join(file)).unwrap();
    }
    fs::remove_dir(scratch.root.join("src/ui")).unwrap();
    scratch.write("libs/b.py", "1\n");
    scratch.write("src/d.py", "2\n");
    let comparison = stop(&start, &scratch.root);
    for (text, expected) in [
        ("lib/a.py", true),
        ("lib/ui/", true),
        ("lib/b.py", false),
        ("lib/d.py", false),
    ] {
        let is_gone = match comparison.evidence_for(text) {
            PathEvidence::SameBasename { is_gone, .. } => Some(is_gone),
            _ => None,
        };
        assert_eq!(is_gone, Some(expected), "{text}");
    }
}

#[test]
fn a_name_that_is_short_for_a_changed_path_from_either_folder_is_so() {
    let scratch = Scratch::new(&["app/a.py", "users/b.py"]);
    let start = scratch.start();
    scratch.write("lib/app/users/new/page.tsx", "new\n");
    let comparison = stop(&start, &scratch.root.join("app"));
    for (text, expected) in [("users/page.tsx", true), ("other/page.tsx", false)] {
        let is_end = match comparison.evidence_for(text) {
            PathEvidence::SameBasename { is_suffix, .. } => Some(is_suffix),
            _ => None,
        };
        assert_eq!(is_end, Some(expected), "{text}");
    }
}

fn is_gone(comparison: &Comparison<'_>, text: &str) -> bool {
    matches!(comparison.evidence_for(text), PathEvidence::Absent(_))
}

#[test]
fn a_folder_of_which_nothing_is_there_and_nothing_was_done_is_gone() {
    let scratch = Scratch::new(&["src/a.py", ".gitignore"]);
    scratch.write(".gitignore", "out/\n");
    fs::create_dir(scratch.root.join("empty")).unwrap();
    scratch.settle();
    let start = scratch.start();
    // Made, committed and dropped again.
    scratch.git(&["checkout", "--quiet", "-b", "side"]);
    scratch.write("dropped/x.py", "new\n");
    scratch.git(&["add", "dropped"]);
    scratch.git(&["commit", "--quiet", "--message", "side"]);
    scratch.git(&["checkout", "--quiet", "-"]);
    scratch.git(&["branch", "--quiet", "-D", "side"]);
    scratch.write("new/deep/y.py", "new\n");
    fs::create_dir(scratch.root.join("made-empty")).unwrap();
    fs::remove_dir(scratch.root.join("empty")).unwrap();
    let comparison = stop(&start, &scratch.root);
    for ghost in ["ghost/", "src/ghost/", "ghost/deeper"] {
        assert!(is_gone(&comparison, ghost), "{ghost}");
    }
    // On the disk, dropped, of another folder's name, ignored, there at the start.
    for there in [
        "made-empty/",
        "new/",
        "dropped/",
        "lib/deep/",
        "out/",
        "empty/",
        "src/",
    ] {
        assert!(!is_gone(&comparison, there), "{there}");
    }
}

#[test]
fn a_repository_beside_may_be_meant_if_it_has_the_file_since_the_start() {
    let scratch = Scratch::new(&["src/a.py"]);
    let beside = |folder: &str, file: &str| scratch.write(&format!("../{folder}/{file}"), "new\n");
    beside("infra/.git", "HEAD");
    beside("infra", "envs/old.tf");
    beside("plain", "envs/plain.tf");
    scratch.settle();
    let start = scratch.start();
    beside("infra", "envs/new/prod.tf");
    beside("plain", "envs/plain.tf");
    let mut comparison = stop(&start, &scratch.root);
    let meant = comparison.evidence_for("envs/new/prod.tf");
    assert_eq!(meant, PathEvidence::Inconclusive(Doubt::OtherRepository));
    assert!(comparison.has_left_out());
    for ghost in ["envs/old/prod.tf", "envs/plain.tf", "new/prod.tf"] {
        assert!(is_gone(&comparison, ghost), "{ghost}");
    }
    // Who calls a tool for a place is known to work there.
    let written = Mention::Written(scratch.root.join("src/a.py"));
    comparison.add_mentions(&Searched::all(vec![written]));
    assert!(is_gone(&comparison, "envs/new/prod.tf"));
}

#[test]
fn what_another_reader_does_not_note_is_a_doubt() {
    let scratch = Scratch::new(&["src/a.py"]);
    scratch.write("cache/.gitignore", "*\n");
    scratch.write("cache/data.json", "x");
    scratch.settle();
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    let repository = repository.through_program("to test it");
    let start = WorkTree::read(&repository, &limits, None).unwrap();
    fs::remove_dir_all(scratch.root.join("cache")).unwrap();
    let comparison = stop(&start, &scratch.root);
    for doubtful in ["cache/", "cache", "cache/data.json"] {
        assert!(!is_gone(&comparison, doubtful), "{doubtful}");
    }
    for ghost in ["ghost.py", "src/ghost.py", "missing/ghost.py"] {
        assert!(is_gone(&comparison, ghost), "{ghost}");
    }
}

/// A repository with another one in it, of which the newest commit is damaged.
#[cfg(target_os = "linux")]
fn with_a_damaged_one_inside() -> (Scratch, std::path::PathBuf) {
    let scratch = Scratch::new(&["src/a.py"]);
    let inner = scratch.root.join("inner");
    scratch.write("inner/src/old.py", "old\n");
    scratch.git(&["-C", "inner", "init", "--quiet"]);
    scratch.git(&["-C", "inner", "add", "--all"]);
    scratch.git(&["-C", "inner", "commit", "--quiet", "--message=x"]);
    let oid = scratch.ask(&["-C", "inner", "rev-parse", "HEAD"], b"");
    let object = inner.join(".git/objects").join(&oid[..2]).join(&oid[2..]);
    fs::remove_file(&object).unwrap();
    fs::write(&object, "damaged").unwrap();
    scratch.settle();
    (scratch, inner)
}

/// What an honest agent did in one keeps every claim unproven, whatever it was.
#[cfg(target_os = "linux")]
#[test]
fn a_nested_repository_that_cannot_be_read_is_no_doubt_while_it_rests() {
    let (scratch, _) = with_a_damaged_one_inside();
    let start = scratch.start();
    let comparison = stop(&start, &scratch.root);
    assert!(is_gone(&comparison, "ghost.py"));
    assert!(!is_gone(&comparison, "inner/ghost.py"), "in it");
    let works: [fn(&Path); 7] = [
        |inner| fs::write(inner.join("src/new.py"), "new").unwrap(),
        |inner| fs::write(inner.join("src/old.py"), "new").unwrap(),
        |inner| fs::remove_file(inner.join("src/old.py")).unwrap(),
        |inner| fs::rename(inner.join("src/old.py"), inner.join("b.py")).unwrap(),
        |inner| fs::create_dir(inner.join("made")).unwrap(),
        |inner| fs::write(inner.join(".git/refs/heads/side"), "x").unwrap(),
        |inner| {
            let moved = inner.with_file_name("moved");
            fs::rename(inner.join(".git"), &moved).unwrap();
            std::os::unix::fs::symlink(&moved, inner.join(".git")).unwrap();
        },
    ];
    for (number, work) in works.into_iter().enumerate() {
        let (scratch, inner) = with_a_damaged_one_inside();
        let start = scratch.start();
        work(&inner);
        let comparison = stop(&start, &scratch.root);
        for claimed in ["ghost.py", "src/ghost.py", "other/old.py"] {
            assert!(!is_gone(&comparison, claimed), "{number}: {claimed}");
        }
    }
}

fn end_of(comparison: &Comparison<'_>, text: &str) -> Option<(String, Touch)> {
    match comparison.evidence_for(text) {
        PathEvidence::EndOf { path, touch } => Some((path.to_string(), touch)),
        _ => None,
    }
}

#[test]
fn the_end_of_a_path_that_is_there_is_not_gone() {
    let scratch = Scratch::new(&["cmd/cli/hooks.go", "lib/api/hooks.go", "notes/plan.md"]);
    scratch.write("loose/extra.txt", "old\n");
    scratch.settle();
    let start = scratch.start();
    let comparison = stop(&start, &scratch.root);
    for (text, path) in [
        ("cli/hooks.go", "cmd/cli/hooks.go"),
        ("CLI/Hooks.go", "cmd/cli/hooks.go"),
        ("hooks.go", "cmd/cli/hooks.go"),
        ("extra.txt", "loose/extra.txt"),
    ] {
        let found = end_of(&comparison, text).map(|(path, _)| path);
        assert_eq!(found.as_deref(), Some(path), "{text}");
    }
    // Their twins end no path, or say where they begin.
    for text in [
        "i/hooks.go",
        "ghost.go",
        "cmd/hooks.go",
        "plan.mdx",
        "other/extra.txt",
    ] {
        assert!(is_gone(&comparison, text), "{text}");
    }
    let whole = scratch.root.join("hooks.go");
    assert!(is_gone(&comparison, whole.to_str().unwrap()));
}

/// Who describes a work tree tells of what was in it.
#[test]
fn the_end_of_a_path_that_differed_at_the_start_may_have_been_written() {
    let scratch = Scratch::new(&["cmd/cli/hooks.go", "lib/api/calls.go"]);
    scratch.write("lib/api/calls.go", "dirty\n");
    scratch.settle();
    let start = scratch.start();
    let comparison = stop(&start, &scratch.root);
    for (text, touch) in [
        ("hooks.go", Touch::Untouched),
        ("calls.go", Touch::Possible),
    ] {
        let found = end_of(&comparison, text).map(|(_, touch)| touch);
        assert_eq!(found, Some(touch), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn of_a_file_that_git_does_not_track_it_noted_nothing() {
    let scratch = Scratch::new(&["old.py", "dirty.py"]);
    scratch.write("dirty.py", "dirty\n");
    let start = scratch.start();
    scratch.write("new.py", "new\n");
    scratch.write("dirty.py", "more\n");
    let comparison = stop(&start, &scratch.root);
    let noted = |text: &str| {
        let path = RepoPath::from_git(text.as_bytes()).unwrap();
        comparison.noted_size(&path)
    };
    assert_eq!(noted("new.py"), Some(0));
    // It was not what git noted of it.
    assert_eq!(noted("dirty.py"), None);
}

#[cfg(target_os = "linux")]
#[test]
fn a_part_of_a_name_stands_for_something_only_if_nothing_has_that_name() {
    let scratch = Scratch::new(&["src/part_N.py"]);
    scratch.settle();
    let start = scratch.start();
    scratch.write("src/part_1.py", "new\n");
    scratch.write("src/page_1.py", "new\n");
    let comparison = stop(&start, &scratch.root);
    let there = comparison.evidence_for("src/part_N.py");
    assert!(
        matches!(
            there,
            PathEvidence::OnDisk {
                touch: Touch::Untouched,
                ..
            }
        ),
        "{there:?}"
    );
    let missing = comparison.evidence_for("src/page_N.py");
    assert_eq!(missing, PathEvidence::Inconclusive(Doubt::Pattern));
    // What stands for several names is not read as one, unless that is asked for.
    assert!(comparison.names_several("src/part_1/page_1.py"));
    assert!(!comparison.names_several("src/part_1/2.py"));
    assert!(is_gone(&comparison, "src/part_1/2.py"));
    let end = comparison.evidence_for("_1.py");
    assert_eq!(end, PathEvidence::Inconclusive(Doubt::Pattern));
    assert!(is_gone(&comparison, "_2.py"));
}

/// Its twin of a clone beside the work tree has no path of its own there, and may be what is meant.
#[test]
fn a_file_of_the_work_tree_that_a_call_wrote_is_no_other_one() {
    let scratch = Scratch::new(&["src/lib.rs", "core/src/lib.rs"]);
    scratch.settle();
    let start = scratch.start();
    for path in ["core/src/lib.rs", "../clone/src/lib.rs"] {
        scratch.write(path, "new\n");
    }
    let evidence = |written: &str| {
        let mut comparison = stop(&start, &scratch.root);
        let written = Mention::Written(scratch.root.with_file_name(written));
        comparison.add_mentions(&Searched::all(vec![written]));
        comparison.evidence_for("src/lib.rs")
    };
    let root = scratch.root.file_name().unwrap().to_str().unwrap();
    let own = evidence(&format!("{root}/core/src/lib.rs"));
    assert!(
        matches!(&own, PathEvidence::OnDisk { namesakes, .. } if namesakes.len() == 1),
        "{own:?}"
    );
    let clone = evidence("clone/src/lib.rs");
    assert!(
        matches!(&clone, PathEvidence::ChangedElsewhere(_)),
        "{clone:?}"
    );
}
