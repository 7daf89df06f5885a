//! Work that leaves no file of the work tree another: in the index, on a server, in a clone that was pushed, or under a
//! name that is written short. With every word of `ATTEST_STRICT` the honest are let through, and whoever claims one
//! file more is sent back with its name.

use serde_json::json;

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop};
use crate::common::scene::{Scene, settle, write};
use crate::places::transcript;

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("docs/guide.md", "guide\n"),
    ("src/deep/c.py", "three\n"),
    ("crates/core/src/n.rs", "fn n() {}\n"),
    (".github/workflows/n.yml", "on: push\n"),
];

/// What an agent ran, and with what its report lists its files.
struct Work {
    command: &'static str,
    /// Whether a shell runs it.
    is_run: bool,
    key: &'static str,
    file: &'static str,
    /// What the liar lists as well.
    ghost: &'static str,
}

impl Work {
    fn stop(&self, files: &str) -> Stop {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "all");
        let scene = Scene::of(context, FILES);
        scene.git_in(
            scene.context.folder(),
            "clone --quiet --bare repo origin.git",
        );
        scene.git_in(scene.context.folder(), "clone --quiet origin.git other");
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        if self.is_run {
            let mut shell = scene.context.command("bash");
            shell.current_dir(&scene.repo).args(["-c", self.command]);
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{}: {output:?}", self.command);
        }
        let message = format!("Status: DONE\n{}: {files}\n", self.key);
        let calls = [("Bash", json!({"command": self.command}))];
        let path = transcript(&scene, &calls, &message);
        let fields = json!({"agent_transcript_path": path});
        agent.stop_with(&scene.context, &message, &fields)
    }

    #[track_caller]
    fn check(&self) {
        let honest = self.stop(self.file);
        assert!(honest.block().is_none(), "{}: {honest:#?}", self.command);
        let liar = self.stop(&format!("{}, {}", self.file, self.ghost));
        let reason = liar.assert_blocked();
        assert!(reason.contains(self.ghost), "{}: {reason}", self.command);
        let named = format!("\"{}\"", self.file);
        assert!(!reason.contains(&named), "{}: {reason}", self.command);
    }
}

fn check(is_run: bool, key: &'static str, all: &[(&'static str, &'static str, &'static str)]) {
    for &(command, file, ghost) in all {
        Work {
            command,
            is_run,
            key,
            file,
            ghost,
        }
        .check();
    }
}

#[test]
fn work_in_the_index() {
    check(
        true,
        "Files changed",
        &[
            ("git rm -q --cached docs/guide.md", "docs/guide.md", "a.py"),
            ("git update-index --chmod=+x a.py", "a.py", "docs/guide.md"),
            (
                "git update-index --skip-worktree a.py",
                "a.py",
                "docs/guide.md",
            ),
            (
                "cd src && git update-index --assume-unchanged deep/c.py",
                "src/deep/c.py",
                "a.py",
            ),
        ],
    );
    check(
        true,
        "Files deleted",
        &[
            ("git rm -q --cached docs/guide.md", "docs/guide.md", "a.py"),
            (
                "git sparse-checkout set --no-cone '/*' '!/docs/'",
                "docs/guide.md",
                "a.py",
            ),
        ],
    );
}

/// What a checkout or a copy has put there is no work.
#[cfg(target_os = "linux")]
#[test]
fn work_in_another_work_tree_or_a_copy() {
    let (c, guide) = ("src/deep/c.py", "docs/guide.md");
    check(
        true,
        "Files changed",
        &[
            (
                "git worktree add -q ../wt -b wt && echo 2 > ../wt/a.py",
                "a.py",
                guide,
            ),
            (
                "git worktree add -q ../wt -b wt && cd ../wt && echo 2 > a.py && git commit -qam a",
                "a.py",
                guide,
            ),
            (
                "mkdir ../x && cp -r src docs ../x/ && echo 2 > ../x/docs/guide.md",
                guide,
                c,
            ),
            (
                "git clone -q . ../clone && echo 2 > ../clone/docs/guide.md",
                guide,
                c,
            ),
            (
                "git clone -q . clone && echo 2 > clone/docs/guide.md",
                guide,
                c,
            ),
            (
                "git checkout -qb side && echo 2 > a.py && git commit -qam a && git checkout -q main",
                "a.py",
                c,
            ),
        ],
    );
    check(
        true,
        "Files deleted",
        &[
            (
                "git worktree add -q ../wt -b wt && git -C ../wt rm -q a.py",
                "a.py",
                guide,
            ),
            (
                "git checkout -qb side && git rm -q a.py && git commit -qm a && git checkout -q main",
                "a.py",
                guide,
            ),
        ],
    );
}

/// What differed at the start was put into the index, or taken out of it, and is as it was.
#[test]
fn what_is_only_staged() {
    for (command, is_work) in [
        ("git add wip.py", true),
        ("git add -A", true),
        ("git reset -q a.py && git add wip.py", true),
        ("git restore --staged a.py; git add .", true),
        ("git add docs/guide.md", false),
        ("git status", false),
    ] {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "all");
        let scene = Scene::of(context, FILES);
        write(&scene.repo.join("wip.py"), "begun\n");
        write(&scene.repo.join("a.py"), "other\n");
        scene.git("add a.py");
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        let message = "Status: DONE\nFiles changed: wip.py\n";
        let calls = [("Bash", json!({"command": command}))];
        let path = transcript(&scene, &calls, message);
        let fields = json!({"agent_transcript_path": path});
        let stop = agent.stop_with(&scene.context, message, &fields);
        assert_eq!(stop.block().is_none(), is_work, "{command}: {stop:#?}");
    }
}

#[test]
fn work_on_a_server() {
    let api = "docs/guide.md";
    check(
        false,
        "Files changed",
        &[
            (
                "gh api -X PUT repos/o/r/contents/docs/guide.md -f message=x -f content=y",
                api,
                "a.py",
            ),
            (
                "gh api repos/o/r/contents/docs/new.md --method PUT --input body.json",
                "docs/new.md",
                "docs/ghost.md",
            ),
            (
                "curl -sS -X PUT https://api.example.org/repos/o/r/contents/docs/guide.md -d @-",
                api,
                "a.py",
            ),
            (
                "curl --request PUT 'https://git.example.org/projects/1/files/docs%2Fguide.md' --data a=b",
                api,
                "a.py",
            ),
            (
                "curl -T docs/guide.md https://files.example.org/site/",
                api,
                "a.py",
            ),
            (
                "wget --method=PUT --body-file=x https://api.example.org/f/docs/guide.md",
                api,
                "a.py",
            ),
            (
                "for f in docs/guide.md; do gh api -XPUT repos/o/r/contents/$f -f content=\"$(base64 $f)\"; done",
                api,
                "a.py",
            ),
        ],
    );
    check(
        false,
        "Files deleted",
        &[(
            "gh api --method DELETE repos/o/r/contents/docs/guide.md -f sha=x",
            api,
            "a.py",
        )],
    );
    // What is only looked at, or asked of a server on this machine, changes nothing.
    for command in [
        "gh api repos/o/r/contents/docs/guide.md",
        "gh api -X GET repos/o/r/contents/docs/guide.md -f ref=x",
        "curl -sS https://api.example.org/repos/o/r/contents/docs/guide.md",
        "curl -X POST http://localhost:3000/docs/guide.md -d @body.json",
    ] {
        let work = Work {
            command,
            is_run: false,
            key: "Files changed",
            file: api,
            ghost: "",
        };
        work.stop(api).assert_blocked();
    }
}

#[test]
fn work_in_another_clone() {
    check(
        true,
        "Files deleted",
        &[
            (
                "cd ../other && git rm -q docs/guide.md && git commit -qm x && git push -q",
                "docs/guide.md",
                "a.py",
            ),
            (
                "git -C ../other rm -q docs/guide.md && git -C ../other commit -qm x",
                "docs/guide.md",
                "a.py",
            ),
            (
                "cd ../other && rm -r docs && git commit -qam x",
                "docs/guide.md",
                "a.py",
            ),
            (
                "cd ../other && git mv docs/guide.md moved.md && git commit -qm x",
                "docs/guide.md",
                "a.py",
            ),
        ],
    );
    check(
        true,
        "Files changed",
        &[
            (
                "cd .. && git clone -q origin.git c && cd c && echo x >> docs/guide.md && git commit -qam x && git push -q \
                 && cd .. && rm -rf c",
                "docs/guide.md",
                "a.py",
            ),
            (
                "cd ../other && echo x > docs/new.md && git add -A && git commit -qm x && git push -q && rm docs/new.md",
                "docs/new.md",
                "docs/ghost.md",
            ),
            // With the name of the other repository in front, which is no folder here.
            (
                "cd .. && git clone -q origin.git c && cd c && mkdir core && echo x > core/n.rs && git add -A \
                 && git commit -qm x && git push -q && cd .. && rm -rf c",
                "origin/core/n.rs",
                "docs/core/n.rs",
            ),
            (
                "cd ../other && mkdir core && echo x > core/n.rs",
                "origin/core/n.rs",
                "origin/core/never.rs",
            ),
        ],
    );
}

#[test]
fn a_name_that_is_written_short() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "all");
    let scene = Scene::of(context, FILES);
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    for path in ["crates/core/src/n.rs", ".github/workflows/n.yml"] {
        write(&scene.repo.join(path), "changed\n");
    }
    let stop = |files: &str| {
        let report = format!("Status: DONE\nFiles changed: {files}\n");
        agent.stop(&scene.context, &report)
    };
    for short in [
        "core/n.rs",
        "repo/crates/core/src/n.rs",
        "github/workflows/n.yml",
    ] {
        assert!(stop(short).block().is_none(), "{short}");
    }
    // A folder that is there names a file of its own, and another one is another.
    let reason = stop("core/n.rs, docs/n.rs, gitlab/workflows/n.yml").assert_blocked();
    for ghost in ["docs/n.rs", "gitlab/workflows/n.yml"] {
        assert!(reason.contains(ghost), "{reason}");
    }
    assert!(!reason.contains("\"core/n.rs\""), "{reason}");
}
