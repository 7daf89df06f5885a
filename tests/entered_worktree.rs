//! An agent that goes on in another work tree of the repository, below its own, as after `EnterWorktree`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done};

const INSIDE: &str = ".claude/worktrees/x";

/// A repository with a branch that has a file more.
fn world(ignores: bool) -> (TestContext, PathBuf) {
    let context = TestContext::enforcing();
    let rules = if ignores { ".claude/\n" } else { "*.log\n" };
    let repo = context.repository("repo", &[("a.py", "1\n"), (".gitignore", rules)]);
    let git = |arguments: &[&str]| context.git(&repo, arguments).assert_success();
    git(&["checkout", "--quiet", "-b", "other"]);
    fs::write(repo.join("of_other.py"), "1\n").unwrap();
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "more"]);
    git(&["checkout", "--quiet", "-"]);
    (context, repo)
}

/// Makes the work tree, as the host does in the middle of a run.
fn enter(context: &TestContext, repo: &Path) -> PathBuf {
    let made = ["worktree", "add", "--quiet", INSIDE, "other"];
    context.git(repo, &made).assert_success();
    repo.join(INSIDE)
}

/// The stop, in the folder that the host names by then.
fn stop(context: &TestContext, agent: &Agent, folder: &Path, files: &str) -> Stop {
    agent.stop_with(context, &done(files), &json!({ "cwd": folder }))
}

#[test]
fn a_ghost_in_a_work_tree_that_was_made_since_the_start_is_sent_back() {
    for ignores in [false, true] {
        let (context, repo) = world(ignores);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        let tree = enter(&context, &repo);
        let reason = stop(&context, &agent, &tree, "ghost.py").assert_blocked();
        assert!(reason.contains("\"ghost.py\""), "{reason}");
        for (id, claim) in [
            ("below", "new/ghost.py".to_owned()),
            ("absolute", tree.join("ghost.py").display().to_string()),
        ] {
            let agent = Agent::new(id, &repo);
            context.git(&repo, &["worktree", "remove", "--force", INSIDE]);
            agent.start(&context);
            fs::create_dir_all(enter(&context, &repo).join("new")).unwrap();
            stop(&context, &agent, &tree, &claim).assert_blocked();
        }
    }
}

#[test]
fn what_was_done_there_counts() {
    for ignores in [false, true] {
        let (context, repo) = world(ignores);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        let tree = enter(&context, &repo);
        fs::create_dir(tree.join("new")).unwrap();
        fs::write(tree.join("new/b.py"), "2\n").unwrap();
        fs::write(tree.join("a.py"), "2\n").unwrap();
        fs::write(tree.join("c.py"), "2\n").unwrap();
        context.git(&tree, &["add", "c.py"]).assert_success();
        let commit = ["commit", "--quiet", "--message", "c", "c.py"];
        context.git(&tree, &commit).assert_success();
        fs::remove_file(tree.join("c.py")).unwrap();
        // In its first commit, and in none of the work tree that the agent began in.
        fs::remove_file(tree.join("of_other.py")).unwrap();
        let absolute = tree.join("new/b.py").display().to_string();
        for files in ["new/b.py, a.py, c.py", "of_other.py", &absolute] {
            let stopped = stop(&context, &agent, &tree, files);
            assert_eq!(stopped.block(), None, "{files}: {stopped:?}");
            agent.start(&context);
        }
        let below = stop(&context, &agent, &tree.join("new"), "b.py");
        assert_eq!(below.block(), None, "{below:?}");
    }
}

/// What was in it before is not known: a file that was never committed may have been there, and is gone.
#[test]
fn in_a_work_tree_that_was_there_before_an_absence_proves_nothing() {
    let (context, repo) = world(true);
    let tree = enter(&context, &repo);
    fs::write(tree.join("draft.py"), "1\n").unwrap();
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    fs::remove_file(tree.join("draft.py")).unwrap();
    stop(&context, &agent, &tree, "draft.py").assert_allowed("OTHER_WORKTREE");
    // The same claim of an agent that stayed where it began.
    let agent = Agent::new("a2", &repo);
    agent.start(&context);
    stop(&context, &agent, &repo, "ghost.py").assert_blocked();
}
