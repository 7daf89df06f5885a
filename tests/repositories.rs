//! Every kind of repository: a lie is proven, or the stop says why it cannot be. Never a hang,
//! never a false block, and never a write.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done};
use crate::common::scene::settle;
#[cfg(target_os = "linux")]
use crate::common::scene::write;

/// An honest agent and a liar, one after the other. Returns what the liar's stop printed.
fn both(context: &TestContext, cwd: &Path) -> Stop {
    let honest = Agent::new("honest", cwd);
    honest.start(context);
    fs::write(cwd.join("made.py"), "x").unwrap();
    let stop = honest.stop(context, &done("made.py"));
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(
        stop.0.stderr.contains("-> OK") || stop.0.stderr.contains("UNVERIFIABLE"),
        "{stop:#?}"
    );
    fs::remove_file(cwd.join("made.py")).unwrap();
    settle();
    let liar = Agent::new("liar", cwd);
    liar.start(context);
    liar.stop(context, &done("never-made.py"))
}

/// `git init` with one more option.
fn init(context: &TestContext, option: &str) -> PathBuf {
    let root = context.folder().join("special");
    let mut command = context.command("git");
    command.args(["init", "--quiet", option]).arg(&root);
    assert!(command.status().unwrap().success());
    fs::write(root.join("a.py"), "one\n").unwrap();
    context.git(&root, &["add", "--all"]);
    context.git(&root, &["commit", "--quiet", "--message", "start"]);
    root
}

#[test]
fn before_the_first_commit() {
    let context = TestContext::enforcing();
    let root = context.folder().join("unborn");
    fs::create_dir(&root).unwrap();
    context.git(&root, &["init", "--quiet"]);
    both(&context, &root).assert_blocked();
    let agent = Agent::new("first", &root);
    agent.start(&context);
    fs::write(root.join("x.py"), "x").unwrap();
    context.git(&root, &["add", "--all"]);
    context.git(&root, &["commit", "--quiet", "--message", "first"]);
    agent.stop(&context, &done("x.py")).assert_allowed("-> OK");
}

#[test]
fn detached() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.git(&repo, &["checkout", "--quiet", "--detach"]);
    both(&context, &repo).assert_blocked();
}

#[test]
fn bare() {
    let context = TestContext::enforcing();
    let root = context.folder().join("bare");
    fs::create_dir(&root).unwrap();
    context.git(&root, &["init", "--quiet", "--bare"]);
    let agent = Agent::new("a", &root);
    agent.start(&context);
    agent
        .stop(&context, &done("ghost.py"))
        .assert_allowed("UNVERIFIABLE");
}

#[test]
fn shallow() {
    let context = TestContext::enforcing();
    let origin = context.repository("origin", &[("a.py", "1")]);
    context.git(
        &origin,
        &["commit", "--quiet", "--allow-empty", "--message", "second"],
    );
    let url = format!("file://{}", origin.display());
    context.git(
        context.folder(),
        &["clone", "--quiet", "--depth=1", &url, "clone"],
    );
    // A pack that is as young as the start could be the agent's.
    settle();
    both(&context, &context.folder().join("clone")).assert_blocked();
}

#[test]
fn linked_worktree() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let linked = context.folder().join("linked");
    context.git(
        &repo,
        &["worktree", "add", "--quiet", linked.to_str().unwrap()],
    );
    both(&context, &linked).assert_blocked();
}

#[test]
fn worktrees_of_a_bare_repository() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.git(
        context.folder(),
        &[
            "clone",
            "--quiet",
            "--bare",
            repo.to_str().unwrap(),
            "bare.git",
        ],
    );
    let linked = context.folder().join("linked");
    context.git(
        &context.folder().join("bare.git"),
        &["worktree", "add", "--quiet", linked.to_str().unwrap()],
    );
    both(&context, &linked).assert_blocked();
}

#[test]
fn git_dir_elsewhere() {
    let context = TestContext::enforcing();
    let elsewhere = format!(
        "--separate-git-dir={}",
        context.folder().join("gitdir").display()
    );
    let root = init(&context, &elsewhere);
    both(&context, &root).assert_blocked();
}

#[test]
fn inside_a_submodule() {
    let context = TestContext::enforcing();
    let inner = context.repository("inner", &[("x.py", "x")]);
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.git(
        &repo,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            inner.to_str().unwrap(),
            "module",
        ],
    );
    both(&context, &repo.join("module")).assert_blocked();
}

#[test]
fn objects_by_sha256() {
    let context = TestContext::enforcing();
    both(&context, &init(&context, "--object-format=sha256")).assert_blocked();
}

#[attest_needs::needs(reftable)]
#[test]
fn refs_in_tables() {
    let context = TestContext::enforcing();
    both(&context, &init(&context, "--ref-format=reftable")).assert_blocked();
}

#[test]
fn other_indexes() {
    for arguments in [
        &["update-index", "--split-index"][..],
        &["update-index", "--index-version", "4"],
        &["sparse-checkout", "set", "--cone", "--sparse-index", "src"],
    ] {
        let context = TestContext::enforcing();
        let repo = context.repository(
            "repo",
            &[("a.py", "1"), ("src/b.py", "1"), ("lib/c.py", "1")],
        );
        context.git(&repo, arguments);
        both(&context, &repo).assert_blocked();
    }
}

#[cfg(unix)]
#[attest_needs::needs(root)]
#[test]
fn of_somebody_else() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let mut chown = context.command("chown");
    let status = chown.args(["-R", "65534"]).arg(&repo).status().unwrap();
    assert!(status.success());
    let agent = Agent::new("a", &repo);
    agent.start(&context);
    agent
        .stop(&context, &done("ghost.py"))
        .assert_allowed("UNVERIFIABLE");
}

#[test]
fn damaged() {
    for (file, content) in [
        ("HEAD", "nonsense"),
        ("index", "nonsense"),
        ("refs/heads/main", "nonsense\n"),
    ] {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", &[("a.py", "1")]);
        fs::write(repo.join(".git").join(file), content).unwrap();
        let agent = Agent::new("a", &repo);
        agent.start(&context);
        let stop = agent.stop(&context, &done("ghost.py"));
        assert!(
            stop.block().is_none() && stop.0.stderr.contains("UNVERIFIABLE"),
            "{file}: {stop:#?}"
        );
    }
}

#[test]
fn another_repository_in_the_environment() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let other = context.repository("other", &[("b.py", "1")]);
    context
        .set("GIT_DIR", other.join(".git"))
        .set("GIT_WORK_TREE", &other)
        .set("GIT_INDEX_FILE", other.join("nowhere"))
        .set("GIT_CONFIG_COUNT", "1")
        .set("GIT_CONFIG_KEY_0", "core.worktree")
        .set("GIT_CONFIG_VALUE_0", &other);
    both(&context, &repo).assert_blocked();
}

/// git's list has what a person edited before the agent began; a file that was clean is on it only in a lie.
#[cfg(target_os = "linux")]
#[test]
fn what_git_lists_may_be_older_than_the_agent() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "untouched,dirty");
    let repo = context.repository("repo", &[("a.py", "1"), ("clean.py", "1")]);
    write(&repo.join("a.py"), "a person's edit");
    settle();
    let stop = |listed: &str| {
        let agent = Agent::new(listed, &repo);
        agent.start(&context);
        write(&repo.join("new.py"), listed);
        let report = format!("Status: DONE\nFiles changed:\n\n```\n M {listed}\n?? new.py\n```\n");
        agent.stop(&context, &report)
    };
    let stopped = stop("a.py");
    stopped.assert_allowed("WARN");
    assert!(stopped.0.stderr.contains("LISTED_BEFORE"), "{stopped:#?}");
    let reason = stop("clean.py").assert_blocked();
    assert!(reason.contains("\"clean.py\": on disk"), "{reason}");
}

/// `untouched` needs the change time of a file, which only some systems tell.
#[cfg(target_os = "linux")]
#[test]
fn an_edit_that_never_happened_is_proven_only_when_asked() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    settle();
    let lie = |context: &TestContext, id: &str| {
        let agent = Agent::new(id, &repo);
        agent.start(context);
        agent.stop(context, &done("a.py"))
    };
    lie(&context, "default").assert_allowed("WARN: a.py claimed but not in delta (status=DONE)");
    context.set("ATTEST_STRICT", "untouched");
    let reason = lie(&context, "strict").assert_blocked();
    assert!(reason.contains("not written since the start"), "{reason}");
    let agent = Agent::new("rewrite", &repo);
    agent.start(&context);
    fs::write(repo.join("a.py"), "1").unwrap();
    agent.stop(&context, &done("a.py")).assert_allowed("WARN");
}

#[test]
fn a_deletion_that_never_happened_is_proven_only_when_asked() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let message = "Status: DONE\nFiles deleted: a.py\n";
    // A file that is as young as the start could be another one.
    settle();
    let agent = Agent::new("default", &repo);
    agent.start(&context);
    agent.stop(&context, message).assert_allowed("WARN");
    context.set("ATTEST_STRICT", "deleted");
    let agent = Agent::new("strict", &repo);
    agent.start(&context);
    agent.stop(&context, message).assert_blocked();
}
