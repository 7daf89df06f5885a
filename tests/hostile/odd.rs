//! Something that is no file, in place of each file that is opened.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::limited::Limited;
use crate::common::{TestContext, size};

/// Files of a repository, and whether a proof is possible without them.
const FILES: &[&str] = &[
    ".git/HEAD",
    ".git/index",
    ".git/config",
    ".git/commondir",
    ".git/packed-refs",
    ".git/refs/heads/main",
    ".git/refs/remotes/origin/side",
    ".git/refs/stash",
    ".git/shallow",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/info/grafts",
    ".git/objects/info/alternates",
    ".git/worktrees/linked/gitdir",
    ".git/worktrees/linked/HEAD",
    ".git/worktrees/linked/commondir",
    ".gitignore",
    ".gitattributes",
    "src/.gitignore",
    "src/.gitattributes",
    "src/deep/.gitignore",
    "a.py",
    "src/b.py",
    "new/.git",
];

/// What is put there.
const KINDS: &[&str] = &[
    "fifo", "socket", "zero", "folder", "loop", "huge", "empty", "noise",
];

fn put(context: &TestContext, kind: &str, place: &Path) {
    if place.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        fs::remove_dir_all(place).unwrap();
    } else {
        drop(fs::remove_file(place));
    }
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    match kind {
        "fifo" => {
            let mut mkfifo = context.command("mkfifo");
            assert!(mkfifo.arg(place).status().unwrap().success());
        }
        // The address of a socket has an end.
        "socket" => {
            let short = context.folder().join("s");
            drop(UnixListener::bind(&short).unwrap());
            fs::rename(short, place).unwrap();
        }
        "zero" => symlink("/dev/zero", place).unwrap(),
        "folder" => fs::create_dir(place).unwrap(),
        "loop" => symlink(place.file_name().unwrap(), place).unwrap(),
        "huge" => fs::File::create(place).unwrap().set_len(8 << 30).unwrap(),
        "empty" => fs::write(place, "").unwrap(),
        "noise" => fs::write(place, "\0\u{1}\u{fffd} nonsense\n\n= [\n").unwrap(),
        other => panic!("{other}"),
    }
}

fn repository(context: &TestContext, is_foreign: bool) -> std::path::PathBuf {
    if is_foreign {
        let mut init = context.command("git");
        init.args(["init", "--quiet", "--object-format=sha256"]);
        assert!(init.arg("repo").status().unwrap().success());
    }
    let files = [
        ("a.py", "1"),
        ("src/b.py", "1"),
        ("src/deep/c.py", "1"),
        ("src/.gitignore", "*.o\n"),
        (".gitignore", "*.log\n"),
    ];
    let root = context.repository("repo", &files);
    let linked = context.folder().join("linked");
    context.git(
        &root,
        &["worktree", "add", "--quiet", linked.to_str().unwrap()],
    );
    root
}

/// At each place and of each kind, there before the agent starts or put there while it works. Only
/// what is known in full is a proof, and what an honest agent did is never disproved. In `.ci/full` all are tried, else
/// one of `sample`, which leaves no place and no kind out.
fn every_kind_at_every_place(is_foreign: bool, kinds: &[&str], sample: usize) {
    let (mut number, mut tried, mut blocked) = (0, 0, 0);
    for place in FILES {
        for kind in kinds {
            for is_early in [true, false] {
                number += 1;
                if number % size(sample, 1) != 0 {
                    continue;
                }
                tried += 1;
                let context = TestContext::enforcing();
                let root = repository(&context, is_foreign);
                let honest = Limited::new(&context, &root, "honest");
                let liar = Limited::new(&context, &root, "liar");
                if is_early {
                    put(&context, kind, &root.join(place));
                }
                honest.start();
                liar.start();
                if !is_early {
                    put(&context, kind, &root.join(place));
                }
                fs::write(root.join("made.py"), "x").unwrap();
                drop(fs::remove_file(root.join("src/deep/c.py")));
                let name = format!("{kind} at {place}, early: {is_early}");
                let stop = honest.stop("made.py, src/deep/c.py");
                assert!(stop.block().is_none(), "{name}: {stop:#?}");
                let stop = liar.stop("made.py, ghost.py");
                match stop.block() {
                    Some(reason) => {
                        assert!(!reason.contains("made.py"), "{name}: {reason}");
                        blocked += 1;
                    }
                    None => assert!(!stop.0.stderr.is_empty(), "{name}: {stop:#?}"),
                }
            }
        }
    }
    // Most of these places do not matter to most of these kinds.
    assert!(blocked > tried / 8, "{blocked} of {tried}");
}

#[test]
fn pipes_and_sockets() {
    every_kind_at_every_place(false, &KINDS[..2], 5);
}

#[test]
fn devices_folders_and_loops() {
    every_kind_at_every_place(false, &KINDS[2..5], 7);
}

#[test]
fn huge_empty_and_damaged_files() {
    every_kind_at_every_place(false, &KINDS[5..], 7);
}

#[test]
fn where_git_hands_over_the_objects() {
    every_kind_at_every_place(true, KINDS, 17);
}
