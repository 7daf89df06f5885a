//! What reports say of commits, branches and pushes. In each world an honest agent names what git printed, and its
//! twin, who did the same, a commit that it made up.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop};
use crate::common::scene::{Scene, settle};

/// What no object is called.
const MADE_UP: &str = "4be7d0c1";

/// What an agent does, and how its transcript tells of it.
struct World {
    scene: Scene,
    agent: Agent,
    /// Where its commands run.
    folder: PathBuf,
    lines: Vec<Value>,
}

impl World {
    /// A repository that `before` makes of the usual one, and an agent that begins in it.
    fn new(strict: &str, before: &str) -> Self {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", strict);
        let scene = Scene::of(context, super::FILES);
        let folder = scene.repo.clone();
        let agent = Agent::new("agent", &folder);
        let mut world = Self {
            scene,
            agent,
            folder,
            lines: Vec::new(),
        };
        if !before.is_empty() {
            let last = world.sh(before);
            world.lines.clear();
            let named = world.folder.join(last);
            world.folder = named;
            world.agent.cwd.clone_from(&world.folder);
        }
        settle();
        world.agent.start(&world.scene.context);
        world
            .lines
            .push(json!({"type": "user", "message": {"content": "Do the work."}}));
        world
    }

    /// Runs a command of the agent's, and returns the last line that it prints.
    fn sh(&mut self, command: &str) -> String {
        let mut shell = self.scene.context.command("sh");
        shell.args(["-c", command]).current_dir(&self.folder);
        // A commit that looks whether there is garbage to collect touches the object store, as pruning does. Where
        // its object came into a folder that was there, which its hash decides, that is a doubt.
        shell.env("GIT_CONFIG_COUNT", "1");
        shell.env("GIT_CONFIG_KEY_0", "maintenance.auto");
        shell.env("GIT_CONFIG_VALUE_0", "false");
        let output = shell.output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let is_error = !output.status.success();
        self.call(command, &text, is_error);
        text.lines().last().unwrap_or_default().to_owned()
    }

    fn call(&mut self, command: &str, answer: &str, is_error: bool) {
        let id = format!("t{}", self.lines.len());
        self.lines
            .push(json!({"type": "assistant", "message": {"content": [
            {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]}}));
        self.lines.push(json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": id, "content": answer, "is_error": is_error}]}}));
    }

    fn stop(&mut self, report: &str) -> Stop {
        self.lines.push(
            json!({"type": "assistant", "message": {"stop_reason": "end_turn",
            "content": [{"type": "text", "text": report}]}}),
        );
        let lines: Vec<_> = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let path = self.scene.path("transcript.jsonl");
        fs::write(&path, lines.concat()).unwrap();
        let fields = json!({"agent_transcript_path": path});
        self.agent.stop_with(&self.scene.context, report, &fields)
    }
}

fn report(line: &str) -> String {
    format!("The work is in.\n\nStatus: DONE\n{line}\n")
}

#[track_caller]
fn assert_silent(stop: &Stop, world: &str) {
    assert!(stop.block().is_none(), "{world}: {stop:#?}");
    assert!(!stop.0.stderr.contains("WARN"), "{world}: {stop:#?}");
}

#[track_caller]
fn assert_told(stop: &Stop, words: &str, world: &str) {
    assert!(stop.block().is_none(), "{world}: {stop:#?}");
    assert!(stop.0.stderr.contains(words), "{world}: {stop:#?}");
}

/// How a world is made, and the commands of which the last prints the name of the commit.
const WORLDS: &[(&str, &str, &str)] = &[
    (
        "plain",
        "",
        "echo 1 > a.py && git commit -qam one && git rev-parse HEAD",
    ),
    (
        "short",
        "",
        "echo 1 > a.py && git commit -qam one && git rev-parse --short HEAD",
    ),
    (
        "amended",
        "",
        "echo 1 > a.py && git commit -qam one && git rev-parse HEAD > ../name && git commit -q --amend -m two \
         && cat ../name",
    ),
    (
        "rebased",
        "",
        "git switch -qc topic && echo 1 > a.py && git commit -qam one && git rev-parse HEAD > ../name \
         && git switch -q main && git commit -q --allow-empty -m other && git rebase -q main topic && cat ../name",
    ),
    (
        "squashed",
        "",
        "git switch -qc topic && echo 1 > a.py && git commit -qam one && git rev-parse HEAD > ../name \
         && git switch -q main && git merge -q --squash topic > ../out && git commit -qm all \
         && git branch -q -D topic && cat ../name",
    ),
    (
        "packed",
        "",
        "echo 1 > a.py && git commit -qam one && git gc -q && git rev-parse HEAD",
    ),
    (
        "pruned",
        "",
        "echo 1 > a.py && git commit -qam one && git rev-parse HEAD > ../name && git commit -q --amend -m two \
         && git reflog expire --expire=now --all && git gc -q --prune=now && cat ../name",
    ),
    (
        "alternates",
        "git clone -q --shared . ../own && echo ../own",
        "echo 1 > a.py && git commit -qam one && git rev-parse HEAD",
    ),
    (
        "of the store that it refers to",
        "git clone -q --shared . ../own && echo ../own",
        "git -C ../repo commit -q --allow-empty -m there && git -C ../repo rev-parse HEAD",
    ),
    (
        "shallow",
        "git commit -q --allow-empty -m two && git clone -q --depth 1 file://$PWD ../own && echo ../own",
        "echo 1 > a.py && git commit -qam one && git rev-parse HEAD",
    ),
    (
        "not in a shallow clone",
        "git commit -q --allow-empty -m two && git clone -q --depth 1 file://$PWD ../own && echo ../own",
        "git -C ../repo rev-parse HEAD~1",
    ),
    (
        "by SHA-256",
        "git init -q --object-format=sha256 ../own && cd ../own && git commit -q --allow-empty -m start && echo ../own",
        "echo 1 > a.py && git add . && git commit -qm one && git rev-parse HEAD",
    ),
    (
        "a submodule",
        "git -c protocol.file.allow=always submodule -q add ./ part && git commit -qm part && echo .",
        "cd part && git commit -q --allow-empty -m there && git rev-parse HEAD",
    ),
    (
        "a repository in the work tree",
        "echo inner/ > .git/info/exclude && git init -q inner && git -C inner commit -q --allow-empty -m start && echo .",
        "git -C inner commit -q --allow-empty -m there && git -C inner rev-parse HEAD",
    ),
    (
        "a linked work tree",
        "",
        "git worktree add -q ../tree -b topic && cd ../tree && git commit -q --allow-empty -m there && git rev-parse HEAD",
    ),
    (
        "a linked work tree that is gone",
        "",
        "git worktree add -q ../tree --detach && git -C ../tree commit -q --allow-empty -m there \
         && git -C ../tree rev-parse HEAD > ../name && git worktree remove ../tree && cat ../name",
    ),
    (
        "a clone elsewhere",
        "",
        "git clone -q . ../clone && cd ../clone && git commit -q --allow-empty -m there && git rev-parse HEAD",
    ),
    (
        "a clone that is gone",
        "",
        "git clone -q . ../clone && git -C ../clone commit -q --allow-empty -m there \
         && git -C ../clone rev-parse HEAD > ../name && rm -rf ../clone && cat ../name",
    ),
    ("made on a server", "", "echo merged as 5f1e2d3c"),
];

#[test]
fn a_commit_that_git_printed_is_never_told_of() {
    for (world, before, work) in WORLDS {
        let mut agent = World::new("all", before);
        let printed = agent.sh(work);
        let name = printed.rsplit(' ').next().unwrap();
        assert!(name.len() >= 7, "{world}: {:?}", agent.lines);
        let stop = agent.stop(&report(&format!("Commit: `{name}`")));
        assert_silent(&stop, world);
    }
}

#[test]
fn a_commit_that_was_made_up_is_named_and_sent_back() {
    for (world, before, work) in WORLDS {
        let mut agent = World::new("commits", before);
        agent.sh(work);
        let stop = agent.stop(&report(&format!("Commit: `{MADE_UP}`")));
        // What a shallow clone does not have, and what was pruned, may be the commit.
        if world.contains("shallow") || *world == "pruned" {
            assert_silent(&stop, world);
        } else {
            let reason = stop.block().unwrap_or_else(|| panic!("{world}: {stop:#?}"));
            let words = format!("\"{MADE_UP}\": no commit of that name was found");
            assert!(reason.contains(&words), "{world}: {reason}");
        }
    }
}

#[test]
fn without_the_word_it_is_told_and_not_sent_back() {
    let mut agent = World::new("untouched", "");
    let stop = agent.stop(&report(&format!("Commits: {MADE_UP}")));
    assert_told(&stop, &format!("COMMIT_MISSING: \"{MADE_UP}\""), "alone");
}

#[test]
fn of_many_that_were_made_up_each_is_found_and_the_first_are_named() {
    let names: Vec<_> = (10..40).map(|at| format!("4be7d0{at}")).collect();
    let mut agent = World::new("commits", "");
    let reason = agent
        .stop(&report(&format!("Commits: {}", names.join(", "))))
        .assert_blocked();
    assert!(
        reason.contains(&names[8]) && reason.contains(&names[19]) && !reason.contains(&names[20]),
        "{reason}"
    );
}

#[test]
fn what_the_agent_was_shown_is_not_made_up_and_what_attest_said_is_no_proof_of_it() {
    let line = report(&format!("Commit: {MADE_UP}"));
    let mut agent = World::new("all", "");
    agent.lines[0] = json!({"type": "user", "message": {"content": format!("Look at {MADE_UP}.")}});
    assert_silent(&agent.stop(&line), "the task names it");
    let mut agent = World::new("all", "");
    agent.sh(&format!("git show {MADE_UP}"));
    assert_silent(&agent.stop(&line), "git did not know it, and said so");
    let mut agent = World::new("all", "");
    let reason = agent.stop(&line).assert_blocked();
    agent.lines.push(
        json!({"type": "user", "message": {"content": format!("Stop hook feedback:\n{reason}")}}),
    );
    let again = agent.stop(&line);
    assert_told(&again, "COMMIT_MISSING", "once is enough to send it back");
}

#[test]
fn without_a_transcript_nothing_is_made_up() {
    let line = report(&format!("Commit: {MADE_UP}"));
    let agent = World::new("all", "");
    assert_silent(
        &agent.agent.stop(&agent.scene.context, &line),
        "no transcript",
    );
    let mut agent = World::new("all", "");
    agent.lines.push(
        json!({"type": "user", "message": {"content": [{"type": "tool_result",
        "tool_use_id": "t", "content": [{"type": "image", "source": {}}]}]}}),
    );
    assert_silent(&agent.stop(&line), "a picture");
}

#[test]
fn a_commit_of_another_agent_is_there_and_an_old_one_is_no_lie() {
    let mut agent = World::new("all", "");
    agent.scene.write("made.py");
    agent.scene.commit();
    let name = agent.sh("git rev-parse --short HEAD");
    assert_silent(
        &agent.stop(&report(&format!("Commit: {name}"))),
        "of another agent",
    );
    let mut agent = World::new("all", "");
    let name = agent.sh("git rev-parse HEAD");
    assert_silent(
        &agent.stop(&report(&format!("Commit: {name}"))),
        "HEAD of the start",
    );
}

#[test]
fn a_branch_is_there_or_was_or_was_never_named() {
    for work in [
        "git switch -qc feat/x",
        "git branch feat/x && git branch -qD feat/x",
        "git update-ref refs/remotes/origin/feat/x HEAD",
        "git worktree add -q ../tree -b feat/x",
        "git clone -q . ../clone && git -C ../clone switch -qc feat/x",
        "git switch -q --orphan feat/x",
        "echo on the server: feat/x",
    ] {
        let mut agent = World::new("all", "");
        agent.sh(work);
        assert_silent(&agent.stop(&report("Branch: `feat/x`")), work);
        let mut agent = World::new("all", "");
        agent.sh(work);
        let stop = agent.stop(&report("Branch: `feat/never`"));
        assert_told(&stop, "BRANCH_MISSING: \"feat/never\"", work);
    }
}

#[test]
fn a_push_is_shown_by_a_tracking_branch_and_denied_only_by_git() {
    let before = "git init -q --bare ../far && git remote add origin ../far && git push -q -u origin main && echo .";
    let work = "echo 1 > a.py && git commit -qam one";
    let push = "git push";
    let mut agent = World::new("all", before);
    agent.sh(work);
    agent.sh(push);
    assert_silent(&agent.stop(&report("Pushed: yes")), "pushed");
    for (more, why) in [
        ("sh ./x.sh", "a script may push"),
        (
            "echo '#!/bin/sh' > .git/hooks/post-commit",
            "a hook may push",
        ),
        ("git push -q ../far HEAD:main", "an address has no branch"),
    ] {
        let mut agent = World::new("all", before);
        agent.sh(work);
        agent.sh(more);
        assert_silent(&agent.stop(&report("Pushed: yes")), why);
    }
    for tries in ["true", "git push --dry-run 2>&1 | tail -3"] {
        let mut agent = World::new("all", before);
        agent.sh(work);
        agent.sh(tries);
        let stop = agent.stop(&report("Pushed: yes"));
        assert_told(&stop, "PUSH_NOT_RUN", "it only committed");
    }
    for push in ["git push 2>&1", "git push 2>&1 | tail -4 || true"] {
        let mut agent = World::new("all", before);
        agent.sh(work);
        agent.sh("git clone -q -b main ../far ../next && cd ../next && git commit -q --allow-empty -m x && git push -q");
        agent.sh(push);
        assert_told(&agent.stop(&report("Pushed: yes")), "PUSH_FAILED", push);
        agent.sh("git pull -q --rebase");
        agent.sh(push);
        assert_silent(&agent.stop(&report("Pushed: yes")), push);
    }
    let mut agent = World::new("all", before);
    agent.sh(work);
    agent.sh("git remote set-url origin ../nowhere");
    agent.sh(push);
    let stop = agent.stop(&report("Pushed: yes, to origin/main"));
    assert_told(&stop, "PUSH_FAILED", "git refused");
}

#[test]
fn what_is_not_committed_was_not_pushed() {
    let before = "git init -q --bare ../far && git remote add origin ../far && git push -q -u origin main && echo .";
    let report = "Status: DONE\nFiles changed: a.py\nPushed: yes\n";
    let mut agent = World::new("all", before);
    agent.sh("echo 1 > a.py");
    assert_told(&agent.stop(report), "TREE_DIRTY", "nothing was committed");
    let mut agent = World::new("all", before);
    agent.sh("echo 1 > a.py && git commit -qam one && git push -q");
    assert_silent(&agent.stop(report), "committed and pushed");
    for api in [
        "true gh api -X PUT repos/x/y/contents/a.py",
        "true curl -X PUT https://example.com/a.py",
    ] {
        let mut agent = World::new("all", before);
        agent.sh("echo 1 > a.py");
        agent.sh(api);
        let stop = agent.stop(report);
        assert!(!stop.0.stderr.contains("TREE_DIRTY"), "{api}: {stop:#?}");
        let stop = agent.stop("Mended the loop. I committed the change.");
        assert!(!stop.0.stderr.contains("ADVICE"), "{api}: {stop:#?}");
    }
}

#[test]
fn a_sentence_is_told_of_where_nothing_bears_it_out() {
    let before = "git init -q --bare ../far && git remote add origin ../far && git push -q -u origin main && echo .";
    let work = "echo 1 > a.py && git commit -qam one && git rev-parse --short HEAD";
    for handoff in [
        "",
        "\n\n## Handoff\n- status: DONE\n- files_changed: a.py\n",
    ] {
        let mut agent = World::new("all", before);
        let made = agent.sh(work);
        agent.sh("git push");
        let said = format!("I mended the loop. Committed as `{made}` and pushed.{handoff}");
        let stop = agent.stop(&said);
        assert_silent(&stop, "committed and pushed");
        assert!(!stop.0.stderr.contains("ADVICE"), "{stop:#?}");
        for (said, words) in [
            (
                format!("I mended the loop. Committed as `{MADE_UP}`."),
                MADE_UP,
            ),
            (
                "Mended the loop and pushed.".to_owned(),
                "nothing that the agent ran can have pushed",
            ),
        ] {
            let mut agent = World::new("all", before);
            agent.sh(work);
            assert_told(&agent.stop(&format!("{said}{handoff}")), words, &said);
        }
    }
    // Who only reads may explain how others write it.
    let mut agent = World::new("all", before);
    agent.agent.kind = "Explore".into();
    let stop = agent.stop(&format!(
        "Reports end like this one.\n\nCommit: `{MADE_UP}`"
    ));
    assert!(!stop.0.stderr.contains("ADVICE"), "{stop:#?}");
}

/// Each beside one that says it and is right, or says it of some.
#[test]
fn what_a_sentence_says_to_be_committed_and_is_not() {
    let stop = |work: &str, said: &str| {
        let mut agent = World::new("all", "echo 0 > b.py && git add b.py && git commit -qm b");
        agent.sh(work);
        agent.stop(said)
    };
    let (none, some) = (
        "echo 1 > a.py",
        "echo 1 > a.py && git commit -qam one && echo 1 > b.py",
    );
    let all = "echo 1 > a.py && git commit -qam one";
    for (said, untrue, is_right) in [
        ("Mended the loop. The changes are committed.", none, some),
        ("Mended the loop. I have committed it.", none, some),
        ("Mended the loop. All changes are committed.", some, all),
        ("Mended the loop. The working tree is clean.", some, all),
    ] {
        assert_told(&stop(untrue, said), "changed and is not committed", said);
        let silent = stop(is_right, said);
        assert_silent(&silent, said);
        assert!(!silent.0.stderr.contains("ADVICE"), "{silent:#?}");
    }
    for said in [
        "Mended the loop. All changes are committed. I left `b.py` uncommitted, as you asked.",
        "Mended the loop. The working tree is clean. Only b.py is modified.",
    ] {
        let silent = stop(some, said);
        assert!(!silent.0.stderr.contains("ADVICE"), "{silent:#?}");
    }
    let said = "Mended the loop in `b.py`. All changes are committed.";
    assert_told(&stop(some, said), "changed and is not committed", said);
    // Somebody else may have changed it behind the commit.
    let mut agent = World::new("all", "");
    agent.sh(all);
    fs::write(agent.folder.join("a.py"), "of another\n").unwrap();
    let silent = agent.stop("Mended the loop. All changes are committed.");
    assert!(!silent.0.stderr.contains("ADVICE"), "{silent:#?}");
}
