//! Folders that only look like a repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::canary::{mark, nothing_runs, plant};
use crate::common::TestContext;
use crate::common::agent::{Agent, done};
use crate::common::scene::settle;

/// A repository with a bare one kept as ordinary files in it, as a clone brings it. The inner one
/// has a work tree of its own, and a configuration whose programs leave a mark.
fn with_a_bare_one_inside(context: &TestContext) -> (PathBuf, PathBuf) {
    let origin = context.repository("origin", &[("a.py", "1")]);
    let program = context.folder().join("program");
    plant(context, &program);
    let inner = origin.join("vendor/data");
    fs::create_dir_all(&inner).unwrap();
    context.git(&inner, &["init", "--quiet", "--bare"]);
    fs::remove_dir_all(inner.join("hooks")).unwrap();
    let program = program.display();
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\
         \tfsmonitor = {program}\n[filter \"mark\"]\n\tclean = {program}\n\tprocess = {program}\n",
    );
    fs::write(inner.join("config"), config).unwrap();
    fs::create_dir_all(inner.join("info")).unwrap();
    fs::write(inner.join("info/attributes"), "* filter=mark\n").unwrap();
    // git keeps no empty folder.
    for folder in ["objects", "refs"] {
        fs::write(inner.join(folder).join("keep"), "").unwrap();
    }
    fs::write(origin.join("vendor/b.py"), "1").unwrap();
    context.git(&origin, &["add", "--all", "--force"]);
    context.git(&origin, &["commit", "--quiet", "--message", "data"]);
    let clone = context.folder().join("clone");
    context.git(
        context.folder(),
        &["clone", "--quiet", origin.to_str().unwrap(), "clone"],
    );
    (clone.clone(), clone.join("vendor/data"))
}

fn judged_by_the_outer_one(context: &TestContext, root: &Path, cwd: &Path) {
    settle();
    let liar = Agent::new("liar", cwd);
    let stop = nothing_runs(context, "a lie", || {
        liar.start(context);
        fs::write(root.join("made.py"), "x").unwrap();
        liar.stop(context, &done("made.py, ghost.py"))
    });
    let reason = stop.assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("made.py"),
        "{reason}"
    );
    fs::remove_file(root.join("made.py")).unwrap();
    let honest = Agent::new("honest", cwd);
    let stop = nothing_runs(context, "the truth", || {
        honest.start(context);
        fs::write(root.join("made.py"), "x").unwrap();
        honest.stop(context, &done("made.py"))
    });
    stop.assert_allowed("-> OK");
}

#[test]
fn a_bare_repository_among_the_files_of_a_clone_is_none() {
    let context = TestContext::enforcing();
    let (clone, inner) = with_a_bare_one_inside(&context);
    // git itself takes it for one: otherwise the test shows nothing.
    context.git(&inner, &["status"]);
    assert!(mark(&context).exists());
    judged_by_the_outer_one(&context, &clone, &inner);
}

#[test]
fn snapshot_and_verify_take_it_for_none_either() {
    let context = TestContext::enforcing();
    let (clone, inner) = with_a_bare_one_inside(&context);
    let document = nothing_runs(&context, "snapshot", || {
        let arguments = ["snapshot", "--repo", inner.to_str().unwrap()];
        context.attest(arguments).assert_success().stdout
    });
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let root = attest_snapshot::canonical(&clone).unwrap();
    assert_eq!(document["root"], root.to_str().unwrap());
    let before = context.folder().join("before.json");
    fs::write(&before, document.to_string()).unwrap();
    let claim = context.folder().join("claim.md");
    fs::write(&claim, done("ghost.py")).unwrap();
    let found = nothing_runs(&context, "verify", || {
        let mut verify = vec!["verify", "--repo", inner.to_str().unwrap()];
        verify.extend(["--before", before.to_str().unwrap()]);
        verify.extend(["--claim-file", claim.to_str().unwrap()]);
        context.attest(verify).assert_success().stdout
    });
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["false_done"], true, "{found}");
}

/// One outside of any other repository is not read at all.
#[test]
fn a_bare_repository_alone_is_not_read() {
    let context = TestContext::enforcing();
    let program = context.folder().join("program");
    plant(&context, &program);
    let bare = context.folder().join("bare");
    context.git(context.folder(), &["init", "--quiet", "--bare", "bare"]);
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = ../tree\n\tfsmonitor = {}\n",
        program.display()
    );
    fs::write(bare.join("config"), config).unwrap();
    fs::create_dir(context.folder().join("tree")).unwrap();
    let agent = Agent::new("a", &bare);
    let stop = nothing_runs(&context, "bare", || {
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"))
    });
    stop.assert_allowed("is a bare repository");
}

/// What `.git` names is a repository, whatever its folder is called.
#[test]
fn a_bare_repository_that_a_git_file_names_is_read() {
    let context = TestContext::enforcing();
    let seed = context.repository("seed", &[("a.py", "1")]);
    let project = context.folder().join("project");
    fs::create_dir(&project).unwrap();
    context.git(
        &project,
        &[
            "clone",
            "--quiet",
            "--bare",
            seed.to_str().unwrap(),
            ".bare",
        ],
    );
    fs::write(project.join(".git"), "gitdir: ./.bare\n").unwrap();
    context.git(
        &project,
        &["worktree", "add", "--quiet", "main-tree", "main"],
    );
    let tree = project.join("main-tree");
    judged_by_the_outer_one(&context, &tree, &tree);
}
