//! Repositories that are much larger than they look.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::limited::Limited;
use crate::common::scene::settle;
use crate::common::{TestContext, in_one_of_some_tries};

/// Runs git with something on standard input, and returns what it says.
fn git_with(context: &TestContext, root: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut git = context.command("git");
    git.current_dir(root).args(arguments);
    let mut child = git
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A commit of `tree`, to which `main` now leads.
fn commit(context: &TestContext, root: &Path, tree: &str) {
    let commit = context
        .git(root, &["commit-tree", "-m", "bomb", tree])
        .stdout;
    context.git(root, &["update-ref", "refs/heads/main", commit.trim()]);
}

/// A tree that names the same tree ten times, on ten levels.
fn tree_of_ten(context: &TestContext, root: &Path) -> String {
    let mut object = git_with(context, root, &["hash-object", "-w", "--stdin"], b"x");
    let mut kind = "100644 blob";
    for _ in 0..10 {
        let lines: Vec<_> = (0..10)
            .map(|at| format!("{kind} {object}\tn{at}\n"))
            .collect();
        let lines = lines.concat();
        object = git_with(context, root, &["mktree"], lines.as_bytes());
        kind = "040000 tree";
    }
    object
}

/// Nobody is blocked, because nothing can be read in full, and the report says why.
fn cannot_be_read(context: &TestContext, root: &Path, why: &str) {
    let honest = Limited::new(context, root, "honest");
    honest.start();
    fs::write(root.join("made.py"), "x").unwrap();
    let stop = honest.stop("made.py, ghost.py");
    stop.assert_allowed("UNVERIFIABLE");
    assert!(stop.0.stderr.contains(why), "{stop:#?}");
}

/// The bound is about this repository and not about all: one beside it is judged.
fn others_are_judged(context: &TestContext) {
    let root = context.repository("other", &[("a.py", "1")]);
    settle();
    let liar = Limited::new(context, &root, "liar");
    liar.start();
    assert!(liar.stop("ghost.py").assert_blocked().contains("ghost.py"));
}

#[test]
fn a_tree_of_ten_on_ten_levels() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let tree = tree_of_ten(&context, &root);
    commit(&context, &root, &tree);
    cannot_be_read(&context, &root, "paths that differ");
    others_are_judged(&context);
}

/// The same while the agent works: what came cannot be listed, so that nothing is disproved.
#[test]
fn a_tree_of_ten_that_comes_while_an_agent_works() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    settle();
    let honest = Limited::new(&context, &root, "honest");
    honest.start();
    let tree = tree_of_ten(&context, &root);
    let commit = context
        .git(&root, &["commit-tree", "-m", "bomb", &tree])
        .stdout;
    context.git(&root, &["branch", "bomb", commit.trim()]);
    let stop = honest.stop("n0/n1/n2, ghost.py");
    assert!(stop.block().is_none(), "{stop:#?}");
    others_are_judged(&context);
}

#[test]
fn a_blob_that_is_larger_than_memory() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_MAX_HASH_BYTES", "100000000000");
    let root = context.repository("repo", &[("a.py", "1"), ("large.bin", "1")]);
    let large = fs::File::create(root.join("large.bin")).unwrap();
    large.set_len(400 * 1024 * 1024).unwrap();
    context.git(
        &root,
        &[
            "-c",
            "core.compression=1",
            "commit",
            "--quiet",
            "-am",
            "large",
        ],
    );
    let liar = Limited::new(&context, &root, "liar");
    liar.start();
    fs::write(root.join("large.bin"), "2").unwrap();
    context.git(&root, &["commit", "--quiet", "-am", "small"]);
    fs::write(root.join("large.bin"), "3").unwrap();
    let stop = liar.stop("large.bin, ghost.py");
    let reason = stop.assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("large.bin"),
        "{reason}"
    );
}

/// Folders in folders, made one by one, since their path is longer than a system takes.
fn make_deep(root: &Path, levels: usize) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let open = |from: std::os::fd::BorrowedFd<'_>, name: &Path| {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat(from, name, flags, Mode::empty()).unwrap()
    };
    let mut here = open(CWD, root);
    for _ in 0..levels {
        mkdirat(&here, "d", Mode::RWXU).unwrap();
        here = open(std::os::fd::AsFd::as_fd(&here), Path::new("d"));
    }
    drop(openat(&here, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap());
}

#[test]
fn forty_thousand_folders_in_each_other() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    make_deep(&root, 40_000);
    cannot_be_read(&context, &root, "too long");
    others_are_judged(&context);
    // The library that removes the folder afterwards would go as deep.
    let mut remove = context.command("rm");
    assert!(remove.arg("-rf").arg(&root).status().unwrap().success());
}

/// As deep as a path can be: it is read.
#[test]
fn a_thousand_folders_in_each_other() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "dirty");
    let root = context.repository("repo", &[("a.py", "1"), (".gitignore", "*.o\n")]);
    make_deep(&root, 1_000);
    settle();
    let agent = Limited::new(&context, &root, "a");
    agent.start();
    fs::write(root.join("made.py"), "x").unwrap();
    let reason = agent.stop("made.py, ghost.py").assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("made.py"),
        "{reason}"
    );
}

/// Trees in trees, as objects alone.
#[test]
fn trees_that_are_deeper_than_git_follows() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let path = format!("{}f", "d/".repeat(2_100));
    let stream = format!(
        "commit refs/heads/main\ncommitter T <t@example.invalid> 1700000000 +0000\ndata 1\nx\n\
         M 100644 inline {path}\ndata 1\nx\n\ndone\n"
    );
    let arguments = ["fast-import", "--quiet", "--done", "--force"];
    git_with(&context, &root, &arguments, stream.as_bytes());
    cannot_be_read(&context, &root, "folders in each other");
}

fn index_of(root: &Path) -> PathBuf {
    root.join(".git/index")
}

#[test]
fn an_index_that_claims_every_number_of_entries() {
    for version in [2_u32, 4] {
        for is_sparse in [false, true] {
            let context = TestContext::enforcing();
            let root = context.repository("repo", &[("a.py", "1")]);
            let mut bytes = b"DIRC".to_vec();
            bytes.extend(version.to_be_bytes());
            bytes.extend(u32::MAX.to_be_bytes());
            if is_sparse {
                bytes.extend(b"sdir\0\0\0\0");
            }
            bytes.extend([0; 20]);
            fs::write(index_of(&root), &bytes).unwrap();
            cannot_be_read(&context, &root, "index");
            let index = fs::File::options()
                .write(true)
                .open(index_of(&root))
                .unwrap();
            index.set_len(100 * 1024 * 1024).unwrap();
            cannot_be_read(&context, &root, "index");
        }
    }
}

/// Each entry of version 4 adds a few bytes to a long path.
#[test]
fn an_index_whose_paths_are_longer_than_itself() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let mut bytes = b"DIRC\0\0\0\x04".to_vec();
    let count: u32 = 100_000;
    bytes.extend(count.to_be_bytes());
    let long = "d/".repeat(20_000);
    for number in 0..count {
        bytes.extend([0; 24]);
        bytes.extend(0o100_644_u32.to_be_bytes());
        bytes.extend([0; 12 + 20]);
        bytes.extend(0x0fff_u16.to_be_bytes());
        // How much of the path before goes, and what comes in its place.
        bytes.push(if number == 0 { 0 } else { 8 });
        if number == 0 {
            bytes.extend(long.as_bytes());
        }
        bytes.extend(format!("{number:08}\0").as_bytes());
    }
    bytes.extend([0; 20]);
    fs::write(index_of(&root), &bytes).unwrap();
    cannot_be_read(&context, &root, "index");
}

#[test]
fn more_ignore_rules_than_anybody_has() {
    for (name, text, why) in [
        (".gitignore", "a\n".repeat(500_000), "lines of ignore rules"),
        (".gitignore", "a\n".repeat(3_000_000), "larger than"),
        (".git/info/exclude", "x".repeat(5_000_000), "larger than"),
    ] {
        let context = TestContext::enforcing();
        let root = context.repository("repo", &[("a.py", "1")]);
        fs::write(root.join(name), text).unwrap();
        cannot_be_read(&context, &root, why);
    }
}

#[test]
fn more_branches_than_anybody_has() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let oid = context.git(&root, &["rev-parse", "HEAD"]).stdout;
    let lines = (0..400_000).map(|at| format!("{} refs/heads/b{at}\n", oid.trim()));
    fs::write(root.join(".git/packed-refs"), lines.collect::<String>()).unwrap();
    cannot_be_read(&context, &root, "branches");
}

#[test]
fn a_commit_that_is_cut_short() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let oid = context.git(&root, &["rev-parse", "HEAD"]).stdout;
    let (folder, rest) = oid.trim().split_at(2);
    let file = root.join(".git/objects").join(folder).join(rest);
    let bytes = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    cannot_be_read(&context, &root, "it is damaged");
    others_are_judged(&context);
}

/// How much later than its deadline a hook may end.
const LATE: Duration = Duration::from_millis(100);

/// A file of which no hook reaches the end, and a list that takes its time.
fn make_endless(context: &TestContext, root: &Path) {
    let large = fs::File::create(root.join("large.bin")).unwrap();
    large.set_len(1 << 40).unwrap();
    let oid = context.git(root, &["rev-parse", "HEAD"]).stdout;
    let lines = (0..250_000).map(|at| format!("{} refs/heads/b{at}\n", oid.trim()));
    fs::write(root.join(".git/packed-refs"), lines.collect::<String>()).unwrap();
}

#[test]
fn a_hook_ends_at_its_deadline_whatever_there_is_to_read() {
    let deadline = Duration::from_millis(500);
    let mut context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    Limited::new(&context, &root, "stopping").start();
    make_endless(&context, &root);
    context.set("ATTEST_MAX_HASH_BYTES", "100000000000000");
    context.set("ATTEST_STOP_DEADLINE", deadline.as_secs_f64().to_string());
    let is_in_time = |took: Duration| {
        assert!(
            took >= deadline / 3,
            "there was too little to read: {took:?}"
        );
        // As long as a program that does nothing waits for a processor, so may this one: at its start, and at its end.
        let began = Instant::now();
        context.attest(["--version"]).assert_success();
        took <= deadline + LATE + 4 * began.elapsed()
    };
    in_one_of_some_tries(|at| {
        let id = format!("starting{at}");
        is_in_time(Limited::new(&context, &root, &id).timed_start())
    });
    in_one_of_some_tries(|_| {
        let (stop, took) = Limited::new(&context, &root, "stopping").timed_stop("ghost.py");
        assert!(stop.block().is_none(), "{stop:#?}");
        is_in_time(took)
    });
}

/// Text that an agent calls a path costs nothing, however long it is.
#[test]
fn a_claimed_path_without_end() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    settle();
    let agent = Limited::new(&context, &root, "a");
    agent.start();
    let long = format!("{}x.py", "d/".repeat(200_000));
    let stop = agent.stop(&long);
    assert!(stop.block().is_none());
    let stop = agent.stop(&format!("{long}, ghost.py"));
    assert!(stop.assert_blocked().contains("ghost.py"));
}
