//! Where a claimed path may be beside the place that its text names, and what else excuses it. Each
//! honest agent has a twin who did the same and claims one file more, and that one is named.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
#[cfg(unix)]
use crate::common::agent::told_person;
use crate::common::agent::{Agent, Stop, done};
#[cfg(unix)]
use crate::common::programs::make_program;
use crate::common::scene::{Scene, settle, write};
use serde_json::{Value, json};

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("old.py", "old\n"),
    ("src/b.py", "two\n"),
    ("src/deep/c.py", "three\n"),
    ("lib/d.py", "four\n"),
    (".gitignore", "build/\n*.log\n"),
];
const GHOST: &str = "never-made.py";

impl Scene {
    pub(crate) fn strict(strict: &str) -> Self {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", strict);
        Self::of(context, FILES)
    }

    fn submodule(&self) {
        let inner = self
            .context
            .repository("inner", &[("x.py", "x"), ("y.py", "y")]);
        self.git(&format!(
            "-c protocol.file.allow=always submodule --quiet add {} module",
            inner.display()
        ));
        self.commit_in(&self.repo);
    }
}

/// An agent that is to be let through, beside one that did the same and claims a ghost as well.
struct Twins<Prepare, Work> {
    /// What the honest one claims.
    files: &'static str,
    /// What the liar claims more.
    ghost: &'static str,
    strict: &'static str,
    prepare: Prepare,
    work: Work,
}

impl<Prepare: Fn(&Scene) -> PathBuf, Work: Fn(&Scene)> Twins<Prepare, Work> {
    #[track_caller]
    fn check(&self) {
        let stop = self.stop(self.files);
        assert!(stop.block().is_none(), "{stop:#?}");
        assert!(!stop.0.stderr.contains("false DONE"), "{stop:#?}");
        let reason = self.stop(&format!("{}, {}", self.files, self.ghost));
        let reason = reason.assert_blocked();
        assert!(reason.contains(self.ghost), "{reason}");
        for honest in self.files.split(", ") {
            let honest = honest.rsplit(' ').next().unwrap();
            assert!(!reason.contains(&format!("`{honest}`")), "{reason}");
        }
    }

    fn stop(&self, files: &str) -> Stop {
        let scene = Scene::strict(self.strict);
        let agent = Agent::new("agent", &(self.prepare)(&scene));
        settle();
        agent.start(&scene.context);
        (self.work)(&scene);
        agent.stop(&scene.context, &done(files))
    }
}

/// Twins in the top folder of a repository that is as it was made.
#[track_caller]
fn twins(files: &'static str, ghost: &'static str, strict: &'static str, work: impl Fn(&Scene)) {
    prepared(files, ghost, strict, |_| {}, work);
}

#[track_caller]
fn prepared(
    files: &'static str,
    ghost: &'static str,
    strict: &'static str,
    prepare: impl Fn(&Scene),
    work: impl Fn(&Scene),
) {
    let prepare = |scene: &Scene| {
        prepare(scene);
        scene.repo.clone()
    };
    Twins {
        files,
        ghost,
        strict,
        prepare,
        work,
    }
    .check();
}

#[test]
fn an_untouched_file_of_a_changed_name() {
    // The end of a changed path, and under `basename` nothing less.
    twins("src/b.py", "src/deep/c.py", "untouched,basename", |s| {
        s.write("pkg/src/b.py");
    });
    twins("src/b.py", "old.py", "untouched", |s| s.write("other/b.py"));
    // Of two that changed only one is listed.
    twins("src/b.py, other/b.py", "old.py", "untouched", |s| {
        s.write("other/b.py");
        s.write("third/b.py");
    });
    // All that changed are listed, each by its own path.
    twins("other/b.py", "src/b.py", "untouched", |s| {
        s.write("other/b.py");
    });
    twins("app/home/page.tsx", "app/users/page.tsx", "", |s| {
        s.write("app/home/page.tsx");
    });
    let scene = Scene::strict("untouched,basename");
    let liar = Agent::new("liar", &scene.repo);
    settle();
    liar.start(&scene.context);
    scene.write("other/b.py");
    liar.stop(&scene.context, &done("src/b.py"))
        .assert_blocked();
}

#[test]
fn a_file_that_was_made_anew() {
    let anew = |s: &Scene| {
        fs::remove_file(s.repo.join("old.py")).unwrap();
        write(&s.repo.join("old.py"), "old\n");
    };
    twins("none\nFiles deleted: old.py", "a.py", "deleted", anew);
    twins("old.py", "a.py", "untouched", anew);
}

#[test]
fn work_in_the_main_work_tree_and_in_a_linked_one() {
    let linked = |s: &Scene| {
        let linked = s.path("linked");
        s.git(&format!(
            "worktree add --quiet -b side {}",
            linked.display()
        ));
        linked
    };
    for (files, strict) in [
        ("a.py", "untouched"),
        ("none\nFiles deleted: old.py", "deleted"),
    ] {
        let work = |root: &Path| {
            write(&root.join("a.py"), "changed\n");
            fs::remove_file(root.join("old.py")).unwrap();
        };
        Twins {
            files,
            ghost: "src/b.py",
            strict,
            prepare: linked,
            work: |s: &Scene| work(&s.repo),
        }
        .check();
        prepared(
            files,
            "src/b.py",
            strict,
            |s| drop(linked(s)),
            |s| {
                work(&s.path("linked"));
            },
        );
    }
}

#[test]
fn a_path_from_a_folder_between_the_root_and_that_of_the_agent() {
    // Written again as it was, so that only where it is says that it was written.
    Twins {
        files: "b.py",
        ghost: "d.py",
        strict: "untouched",
        prepare: |s: &Scene| s.repo.join("src/deep"),
        work: |s: &Scene| write(&s.repo.join("src/b.py"), "two\n"),
    }
    .check();
}

#[test]
fn work_in_a_submodule() {
    let prepare = Scene::submodule;
    prepared("new.py", GHOST, "", prepare, |s| s.write("module/new.py"));
    prepared("x.py", GHOST, "", prepare, |s| {
        fs::remove_file(s.repo.join("module/x.py")).unwrap();
    });
    prepared("x.py", GHOST, "", prepare, |s| {
        fs::remove_file(s.repo.join("module/x.py")).unwrap();
        s.commit_in(&s.repo.join("module"));
    });
    // Of the submodule nothing was touched.
    let scene = Scene::strict("untouched");
    scene.submodule();
    let liar = Agent::new("liar", &scene.repo);
    settle();
    liar.start(&scene.context);
    let stop = liar.stop(&scene.context, &done("gone.py, module/ghost.py"));
    let reason = stop.assert_blocked();
    assert!(reason.contains("gone.py") && !reason.contains("ghost.py"));
}

#[test]
fn work_in_a_nested_repository() {
    let prepare = |s: &Scene| {
        let nested = [("x.py", "x"), ("src/y.py", "y")];
        s.context.repository("repo/vendor/nested", &nested);
    };
    prepared("src/new.py", GHOST, "dirty", prepare, |s| {
        s.write("vendor/nested/src/new.py");
    });
    prepared("nested/src/y.py", GHOST, "dirty", prepare, |s| {
        let nested = s.repo.join("vendor/nested");
        s.git_in(&nested, "rm --quiet src/y.py");
        s.commit_in(&nested);
    });
}

#[test]
fn work_in_an_ignored_folder() {
    let prepare = |s: &Scene| s.write("build/keep");
    prepared("report.txt, sub/deep.txt", GHOST, "", prepare, |s| {
        s.write("build/report.txt");
        s.write("build/sub/deep.txt");
    });
}

#[test]
fn a_stop_in_another_repository_with_a_history() {
    for (files, ghost) in [("made.py", None), ("made.py, never-made.py", Some(GHOST))] {
        let scene = Scene::strict("");
        let other = scene.context.repository("other", &[("x.py", "x")]);
        let agent = Agent::new("agent", &scene.repo);
        settle();
        agent.start(&scene.context);
        write(&other.join("made.py"), "x");
        scene.commit_in(&other);
        fs::remove_file(other.join("made.py")).unwrap();
        scene.commit_in(&other);
        let moved = Agent {
            cwd: other,
            ..agent
        };
        let reason = moved.stop(&scene.context, &done(files)).block();
        assert_eq!(reason.is_some(), ghost.is_some(), "{reason:?}");
        assert!(reason.is_none_or(|reason| !reason.contains("`made.py`")));
    }
}

#[test]
fn what_a_remote_lost_or_gained() {
    let prepare = |s: &Scene| {
        let bare = s.path("bare.git");
        s.git(&format!("init --quiet --bare {}", bare.display()));
        s.git(&format!("remote add origin {}", bare.display()));
        s.git("checkout --quiet -b side");
        s.write("side.py");
        s.commit_in(&s.repo);
        s.git("push --quiet origin side");
        s.git("checkout --quiet main");
        s.git("branch --quiet -D side");
    };
    prepared("side.py", GHOST, "", prepare, |s| {
        s.git("push --quiet origin --delete side");
    });
    prepared("other.py", GHOST, "", prepare, |s| {
        s.git("checkout --quiet -b other");
        s.write("other.py");
        s.commit_in(&s.repo);
        s.git("push --quiet origin other");
        s.git("checkout --quiet main");
        s.git("branch --quiet -D other");
    });
}

#[test]
fn what_was_there_and_never_listed() {
    // Ignored, self-ignoring and empty folders, removed.
    let prepare = |s: &Scene| {
        s.write("build/out.bin");
        write(&s.repo.join("cache/.gitignore"), "*\n");
        s.write("cache/data.json");
        s.write("src/cache/data.json");
        write(&s.repo.join("src/cache/.gitignore"), "*\n");
        fs::create_dir_all(s.repo.join("empty/inner")).unwrap();
    };
    let files = "build, build/out.bin, cache, cache/data.json, src/cache/data.json, empty/inner";
    // Of the folders from which a name went nothing is proven without a transcript.
    prepared(files, "lib/never-made.py", "", prepare, |s| {
        for folder in ["build", "cache", "src/cache", "empty"] {
            fs::remove_dir_all(s.repo.join(folder)).unwrap();
        }
    });
    // A folder that stands as it did hides nothing.
    prepared("a.py", "empty/ghost.py", "", prepare, |s| s.write("a.py"));
    // The start took over what an earlier one saw.
    let scene = Scene::strict("");
    prepare(&scene);
    settle();
    for name in ["first", "second"] {
        let agent = Agent::new(name, &scene.repo);
        agent.start(&scene.context);
        if name == "second" {
            fs::remove_dir_all(scene.repo.join("build")).unwrap();
            fs::remove_dir_all(scene.repo.join("src/cache")).unwrap();
        }
        let files = "build, src/cache/data.json";
        let stop = agent.stop(&scene.context, &done(files));
        assert!(stop.block().is_none(), "{stop:#?}");
    }
}

#[test]
fn a_submodule_that_was_removed_or_moved() {
    let prepare = Scene::submodule;
    prepared("module, module/x.py", GHOST, "", prepare, |s| {
        s.git("rm --quiet module");
    });
    prepared("module, module/x.py, lib/module", GHOST, "", prepare, |s| {
        s.git("mv module lib/module");
    });
}

/// The transcript of an agent that made some calls of tools and said `message`.
pub(crate) fn transcript(scene: &Scene, calls: &[(&str, Value)], message: &str) -> PathBuf {
    let mut text = String::new();
    let mut line = |value: Value| text.push_str(&format!("{value}\n"));
    let assistant = |block: Value| json!({"type": "assistant", "message": {"content": [block]}});
    for (number, (tool, input)) in calls.iter().enumerate() {
        let id = format!("t{number}");
        line(assistant(
            json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        ));
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
        line(json!({"type": "user", "message": {"content": [result]}}));
    }
    line(assistant(json!({"type": "text", "text": message})));
    let path = scene.path("agent.jsonl");
    fs::write(&path, text).unwrap();
    path
}

#[track_caller]
fn told(files: &str, is_blocked: bool, calls: impl Fn(&Scene) -> Vec<(&'static str, Value)>) {
    told_in(&Scene::strict(""), files, is_blocked, calls);
}

#[track_caller]
fn told_in(
    scene: &Scene,
    files: &str,
    is_blocked: bool,
    calls: impl Fn(&Scene) -> Vec<(&'static str, Value)>,
) {
    let agent = Agent::new("agent", &scene.repo);
    settle();
    agent.start(&scene.context);
    let calls = calls(scene);
    let message = done(files);
    let path = transcript(scene, &calls, &message);
    let stop = agent.stop_with(
        &scene.context,
        &message,
        &json!({"agent_transcript_path": path}),
    );
    assert_eq!(stop.block().is_some(), is_blocked, "{stop:#?}");
}

#[test]
fn what_a_tool_wrote_elsewhere_on_this_machine() {
    let wrote = |place: &str| {
        let place = place.to_owned();
        move |s: &Scene| {
            let place = s.path(&place);
            write(&place, "x");
            vec![("Write", json!({"file_path": place, "content": "x"}))]
        }
    };
    // A sibling, the home folder, another repository's ignored folder: wherever the tool was sent.
    for place in [
        "notes/plan.md",
        "home/notes/plan.md",
        "repo/x/notes/plan.md",
    ] {
        told("notes/plan.md", false, wrote(place));
        told("plan.md", false, wrote(place));
        told("notes/plan.md, notes/ghost.md", true, wrote(place));
        told("other/plan.md", !place.contains("repo"), wrote(place));
    }
    // It is not there any more, which is told of and proves nothing.
    told("notes/plan.md", false, |s| {
        let place = s.path("notes/plan.md");
        vec![("Write", json!({"file_path": place, "content": "x"}))]
    });
}

#[test]
fn what_a_command_wrote_elsewhere_on_this_machine() {
    let infra = |s: &Scene| s.path("infra").display().to_string();
    let cases: [fn(&str) -> String; 5] = [
        |infra| format!("mkdir -p {infra} && cd {infra} && echo x > main.tf"),
        |_| "mkdir ../infra; cd ../infra; echo x > main.tf".to_owned(),
        |infra| format!("cat > \"{infra}/main.tf\" <<'EOF'\nit's\nEOF"),
        |infra| format!("git -C {infra} init && false"),
        |infra| format!("sh -c 'touch {infra}/main.tf'"),
    ];
    for command in cases {
        for (claim, is_blocked) in [
            ("main.tf", false),
            ("infra/main.tf", false),
            ("ghost.tf", true),
            ("main.tf, infra/ghost.tf", true),
            // It was there before, and is what the command may have read.
            ("old.tf", true),
        ] {
            let scene = Scene::strict("");
            write(&scene.path("infra/old.tf"), "x");
            settle();
            told_in(&scene, claim, is_blocked, |s| {
                write(&s.path("infra/main.tf"), "x");
                vec![("Bash", json!({ "command": command(&infra(s)) }))]
            });
        }
    }
    // However many folders of the work tree the commands before it name.
    told("infra/main.tf", false, |s| {
        write(&s.path("infra/main.tf"), "x");
        let folders: Vec<_> = (0..1_000).map(|n| format!("made/{n}")).collect();
        for folder in &folders {
            std::fs::create_dir_all(s.repo.join(folder)).unwrap();
        }
        let calls = folders.chunks(50).map(|some| some.join("/ "));
        let calls = calls.chain([format!("touch {}/main.tf", infra(s))]);
        calls
            .map(|command| ("Bash", json!({ "command": command })))
            .collect()
    });
    // A command that names no other place: it wrote one that is not there any more, and no other.
    for (claim, is_blocked) in [("main.tf", false), ("ghost.tf", true)] {
        told(claim, is_blocked, |s| {
            write(&s.path("infra/main.tf"), "x");
            vec![("Bash", json!({"command": "echo x > main.tf"}))]
        });
    }
}

#[test]
fn what_a_tool_of_a_server_wrote() {
    let wrote = |tool: &'static str| {
        move |_: &Scene| {
            let input = json!({"path": "src/remote.py", "content": "x"});
            vec![(tool, input)]
        }
    };
    told(
        "src/remote.py",
        false,
        wrote("mcp__github__create_or_update_file"),
    );
    told(
        "src/remote.py, src/ghost.py",
        true,
        wrote("mcp__github__push_files"),
    );
    told(
        "src/remote.py",
        true,
        wrote("mcp__github__get_file_contents"),
    );
}

#[cfg(unix)]
/// An agent that ran `command`, beside which somebody else wrote `theirs`.
#[track_caller]
fn ran(command: &str, theirs: &str, claim: &str, is_blocked: bool) {
    let scene = Scene::strict("");
    for old in ["proto/src/ghost.py", "scratch/tmp/OLD.md", "other/x.py"] {
        write(&scene.path(old), "old");
    }
    settle();
    told_in(&scene, claim, is_blocked, |s| {
        let outside = |text: &str| text.replace('@', &s.context.folder().display().to_string());
        let command = outside(command);
        let mut shell = s.context.command("sh");
        let shell = shell.current_dir(&s.repo).args(["-c", &command]);
        assert!(shell.output().unwrap().status.success(), "{command}");
        write(&s.path(theirs), "theirs");
        vec![("Bash", json!({ "command": command }))]
    });
}

#[cfg(unix)]
#[test]
fn a_place_counts_if_the_agent_may_have_written_there() {
    for command in [
        "cat @/other/x.py",
        "ls ../other; grep -r old ../other | head -1",
        "cd ../other && ls && cat x.py",
        "(cd ../other; git log || true)",
        "cp ../other/x.py y.py",
    ] {
        ran(command, "other/ghost.py", "ghost.py", true);
        ran(command, "other/ghost.py", "other/ghost.py", true);
    }
    // The same words in a command that writes there, and in one that may.
    for command in [
        "touch ../other/ghost.py",
        "cp a.py @/other/ghost.py",
        "cd ../other; git add . || true",
    ] {
        ran(command, "other/ghost.py", "ghost.py", false);
        ran(command, "other/ghost.py", "other/ghost.py", false);
        ran(command, "other/ghost.py", "phantom.py", true);
    }
}

#[cfg(unix)]
#[test]
fn a_file_in_a_scratch_folder_counts_if_it_is_of_this_run() {
    // Of an earlier run, or beside what a command wrote.
    ran(
        "cd ../proto && git add . || true",
        "x",
        "src/ghost.py",
        true,
    );
    ran(
        "echo x > @/scratch/tmp/out.log",
        "scratch/tmp/NOTES.md",
        "NOTES.md",
        true,
    );
    ran(
        "tar cf @/scratch/tmp/out.log a.py",
        "scratch/tmp/NOTES.md",
        "NOTES.md",
        true,
    );
    ran("echo x > @/scratch/tmp/out.log", "x", "OLD.md", true);
    // Made there, changed there, and moved there.
    ran(
        "cd ../proto && touch src/ghost.py",
        "x",
        "src/ghost.py",
        false,
    );
    ran(
        "cd ../proto && env true > src/ghost.py",
        "x",
        "proto/src/ghost.py",
        false,
    );
    ran("echo x > @/scratch/tmp/NOTES.md", "x", "NOTES.md", false);
    ran("mv @/proto @/made", "x", "made/src/ghost.py", false);
    ran("mv @/proto @/other/", "x", "src/ghost.py", false);
}

#[test]
fn what_a_tool_wrote_in_an_earlier_run_is_not_of_this_one() {
    for is_old in [true, false] {
        let scene = Scene::strict("");
        write(&scene.path("notes/plan.md"), "old");
        settle();
        told_in(&scene, "notes/plan.md", is_old, |s| {
            let place = s.path("notes/plan.md");
            if !is_old {
                write(&place, "new");
            }
            vec![("Write", json!({"file_path": place, "content": "x"}))]
        });
    }
}

#[test]
fn a_tool_of_a_server_excuses_by_what_it_does() {
    let called = |tool: &'static str, input: Value| move |_: &Scene| vec![(tool, input.clone())];
    let named = json!({"path": "src/ghost.py", "text": "x"});
    for tool in [
        "mcp__slack__update_status",
        "mcp__x__list_updates",
        "mcp__x__getUpdates",
        "mcp__jira__create_issue",
    ] {
        told("src/ghost.py", true, called(tool, named.clone()));
    }
    for tool in [
        "mcp__disk__update",
        "mcp__x__updateFile",
        "mcp__x__frobnicate",
    ] {
        told("src/ghost.py", false, called(tool, named.clone()));
        told(
            "src/ghost.py, src/phantom.py",
            true,
            called(tool, named.clone()),
        );
        // Where it writes cannot be read.
        told("src/ghost.py", false, called(tool, json!({"key": "1"})));
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_text_cannot_carry_excuses_what_it_may_be() {
    for (made, honest) in [
        ("say \"hi\".py", "say_hi.py"),
        ("say \"hi\".py", "'say hi'.py"),
        ("it`s.py", "its.py"),
        ("two\nlines.py", "two_lines.py"),
    ] {
        for (claim, is_blocked) in [(honest, false), ("src/ghost.py", true), ("hi.py", true)] {
            told(claim, is_blocked, |s| {
                s.write(made);
                Vec::new()
            });
        }
    }
}

/// Hosts keep the folder of the shell, and name the one that it is in at the end.
#[test]
fn a_relative_place_is_one_of_the_folder_that_the_agent_began_in() {
    for end in ["repo/src/deep", "repo/src", "other", "repo"] {
        for (claim, is_blocked) in [
            ("main.tf", false),
            ("infra/main.tf", false),
            ("ghost.tf", true),
        ] {
            let scene = Scene::strict("");
            fs::create_dir_all(scene.path("other")).unwrap();
            let agent = Agent::new("agent", &scene.repo);
            settle();
            agent.start(&scene.context);
            write(&scene.path("infra/main.tf"), "x");
            let calls = [("Bash", json!({"command": "echo x > ../infra/main.tf"}))];
            let message = done(claim);
            let path = transcript(&scene, &calls, &message);
            let moved = Agent {
                cwd: scene.path(end),
                ..agent
            };
            let fields = json!({ "agent_transcript_path": path });
            let stop = moved.stop_with(&scene.context, &message, &fields);
            assert_eq!(stop.block().is_some(), is_blocked, "{end}: {stop:#?}");
        }
    }
}

/// Each of them is a doubt with its reason, which the person is told; and without it the same agent is blocked.
#[test]
fn every_bound_is_a_doubt_with_its_reason() {
    let bash = |command: String| vec![("Bash", json!({ "command": command }))];
    let folders = |count: usize| {
        move |s: &Scene| {
            for number in 0..count {
                fs::create_dir_all(s.repo.join(format!("empty-{number}"))).unwrap();
            }
            Vec::new()
        }
    };
    let many = |count: usize| {
        (0..count)
            .map(|n| format!("/nowhere/{n}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    check_bound(
        folders(1_100),
        "more than 1000 folders in which git lists nothing",
    );
    check_bound(
        |_| bash(format!("touch {}", many(10_001))),
        "more than 10000 places in one call",
    );
    check_bound(
        |_| bash("touch $INFRA/main.tf".into()),
        "by what only a shell knows ($INFRA/main.tf)",
    );
    check_bound(
        |_| bash("cd $(mktemp -d) && touch main.tf".into()),
        "by what only a shell knows",
    );
    check_bound(
        |_| bash("./deploy.sh".into()),
        "a program ran that was not read and may have written it elsewhere: ./deploy.sh",
    );
    check_bound(|_| bash("ssh host touch x".into()), "on another machine");
    told("ghost.py", true, folders(100));
    told("ghost.py", true, |_| bash(format!("touch {}", many(1_000))));
    told("ghost.py", true, |_| {
        bash("npm test; ./run_tests.sh; D=../infra; touch $D/main.tf".into())
    });
}

#[track_caller]
fn check_bound(calls: impl Fn(&Scene) -> Vec<(&'static str, Value)>, reason: &str) {
    let scene = Scene::strict("basename");
    told_in(&scene, "ghost.py", false, calls);
    let shown = scene.context.attest(["show", "--json"]).assert_success();
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let why = shown.to_string();
    assert!(why.contains(reason), "{reason}: {why}");
}

/// What a script of the work tree does is read, one deep, if it is what ran.
#[test]
fn what_a_script_wrote_that_is_read_whole() {
    let stop = |script: &str, command: &str, files: &str, is_blocked: bool| {
        let scene = Scene::strict("");
        write(&scene.repo.join("tools/gen.sh"), script);
        scene.commit();
        settle();
        told_in(&scene, files, is_blocked, |s| {
            let mut shell = s.context.command("bash");
            shell.current_dir(&s.repo).args(["-c", command]);
            assert!(shell.status().unwrap().success());
            vec![("Bash", json!({ "command": command }))]
        });
    };
    let run = "bash tools/gen.sh";
    for (script, command, made) in [
        ("mkdir -p src && echo x > src/made.py", run, "src/made.py"),
        (
            "#!/bin/sh\nset -e\ntouch made.py",
            "cd src && bash ../tools/gen.sh",
            "src/made.py",
        ),
        (
            "mkdir -p ../infra; touch ../infra/made.py",
            run,
            "infra/made.py",
        ),
    ] {
        stop(script, command, made, false);
        stop(script, command, &format!("{made}, src/ghost.py"), true);
    }
    // One that takes words, runs another or was written by then is not read to its end.
    for (script, command) in [
        ("touch \"$1\"", "bash tools/gen.sh src/made.py"),
        ("touch src/made.py; [ -z \"$X\" ] || ./more.sh", run),
        (
            "touch src/made.py",
            "bash tools/gen.sh && echo 'touch /srv/x' > tools/gen.sh",
        ),
    ] {
        stop(script, command, "src/made.py, src/ghost.py", false);
    }
}

/// The agent may have begun in another folder than the one that the host names in the end, so it is not known which ran.
#[test]
fn of_two_scripts_that_a_path_may_mean_both_are_read() {
    for (other, is_blocked) in [("touch src/made.py", true), ("touch \"$OUT/x\"", false)] {
        let scene = Scene::strict("");
        write(&scene.repo.join("src/gen.sh"), "touch src/made.py");
        write(&scene.repo.join("gen.sh"), other);
        scene.commit();
        settle();
        let folder = scene.repo.join("src");
        let agent = Agent::new("agent", &folder);
        agent.start(&scene.context);
        write(&folder.join("made.py"), "x");
        let message = done("src/made.py, src/ghost.py");
        let calls = [("Bash", json!({"command": "bash gen.sh"}))];
        let path = transcript(&scene, &calls, &message);
        let fields = json!({"agent_transcript_path": path});
        let stop = agent.stop_with(&scene.context, &message, &fields);
        assert_eq!(stop.block().is_some(), is_blocked, "{other}: {stop:#?}");
    }
}

/// A program of the work tree that is not read has mostly written there: what it did not write is told of, and is no
/// proof. One of another place, or a place that only a shell knows, leaves nothing to be told.
#[cfg(unix)]
#[test]
fn a_ghost_beside_a_program_that_was_not_read_is_told_of() {
    let stop = |command: &str, files: &str| {
        let scene = Scene::strict("");
        told_in(&scene, files, false, |s| {
            s.write("src/made.py");
            vec![("Bash", json!({ "command": command }))]
        });
        told_person(&scene.context)
    };
    for (command, program) in [
        ("./gen.sh", "./gen.sh"),
        ("python3 tools/gen.py --all", "tools/gen.py"),
        ("cd src && node x.js", "x.js"),
        ("make new-service", "make new-service"),
        ("cargo run -- x", "cargo run -- x"),
    ] {
        assert_eq!(stop(command, "src/made.py"), None, "{command}");
        let told = stop(command, "src/made.py, src/ghost.py").unwrap();
        let line = format!(
            "the file is not on disk; a program ran that was not read and may have written it elsewhere: {program}"
        );
        assert!(told.contains("\"src/ghost.py\": "), "{told}");
        assert!(told.contains(&line), "{told}");
        assert!(!told.contains("src/made.py"), "{told}");
    }
    for command in [
        "sh ../infra/gen.sh",
        "make -C ../infra new-service",
        "./gen.sh; touch $INFRA/a",
        "docker exec x sh",
    ] {
        assert_eq!(
            stop(command, "src/made.py, src/ghost.py"),
            None,
            "{command}"
        );
    }
}

#[test]
fn rules_that_do_not_hold_for_the_path() {
    let prepare = |s: &Scene| {
        write(&s.repo.join("src/.gitignore"), "*.tmp\n");
        s.commit_in(&s.repo);
        s.write("src/x.tmp");
    };
    let change = |s: &Scene| {
        fs::remove_file(s.repo.join("src/x.tmp")).unwrap();
        write(&s.repo.join("src/.gitignore"), "\n");
    };
    prepared("src/x.tmp", GHOST, "", prepare, change);
    prepared("src/.gitignore", "lib/ghost.py", "", prepare, change);
    // Those of the repository stand in no folder.
    let scene = Scene::strict("");
    let exclude = scene.repo.join(".git/info/exclude");
    fs::write(&exclude, "*.tmp\n").unwrap();
    scene.write("x.tmp");
    let agent = Agent::new("honest", &scene.repo);
    settle();
    agent.start(&scene.context);
    fs::remove_file(scene.repo.join("x.tmp")).unwrap();
    fs::write(&exclude, "\n").unwrap();
    let stop = agent.stop(&scene.context, &done("x.tmp"));
    assert!(stop.block().is_none(), "{stop:#?}");
}

#[test]
fn objects_that_are_not_work() {
    // A tree that lists an old name once more.
    twins("src/deep/c.py", "lib/b.py", "", |s| {
        s.write("src/deep/c.py");
        s.commit_in(&s.repo);
    });
    // A pack that came, of which all is read.
    prepared(
        "fetched.py",
        GHOST,
        "",
        |s| {
            let bare = s.path("bare.git");
            s.git(&format!("clone --quiet --bare . {}", bare.display()));
            s.git(&format!("remote add origin {}", bare.display()));
            s.git("config fetch.unpackLimit 1");
            let other = s.path("other");
            s.git(&format!(
                "clone --quiet {} {}",
                bare.display(),
                other.display()
            ));
            write(&other.join("fetched.py"), "x");
            s.commit_in(&other);
            s.git_in(&other, "push --quiet");
        },
        |s| s.git("fetch --quiet origin"),
    );
    // A pack that was only touched.
    prepared(
        "a.py",
        GHOST,
        "",
        |s| s.git("repack --quiet -a -d"),
        |s| {
            s.write("a.py");
            for file in fs::read_dir(s.repo.join(".git/objects/pack")).unwrap() {
                let path = file.unwrap().path();
                let mut permissions = fs::metadata(&path).unwrap().permissions();
                let is_readonly = permissions.readonly();
                permissions.set_readonly(!is_readonly);
                fs::set_permissions(&path, permissions.clone()).unwrap();
                permissions.set_readonly(is_readonly);
                fs::set_permissions(&path, permissions).unwrap();
            }
        },
    );
}

/// No answer costs more for each path than some look-ups.
#[cfg(unix)]
#[test]
fn git_is_asked_as_often_about_many_absent_paths_as_about_few() {
    assert_eq!(times_that_git_is_asked(1_200), times_that_git_is_asked(12));
}

#[cfg(unix)]
fn times_that_git_is_asked(paths: usize) -> usize {
    let mut scene = Scene::strict("");
    scene.submodule();
    let (programs, asked) = (scene.path("programs"), scene.path("asked"));
    let git = format!(
        "#!/bin/sh\necho >> '{}'\nPATH=${{PATH#*:}} exec git \"$@\"\n",
        asked.display()
    );
    make_program(&programs.join("git"), &git);
    scene.context.look_first_in(&programs);
    let linked = scene.path("linked");
    scene.git(&format!(
        "worktree add --quiet -b side {}",
        linked.display()
    ));
    let agent = Agent::new("liar", &scene.repo.join("src/deep"));
    settle();
    agent.start(&scene.context);
    scene.write("a.py");
    scene.commit_in(&scene.repo);
    let ghosts = (0..paths).map(|number| format!("- src/part{}/ghost{number}.py\n", number / 10));
    let message = format!(
        "Status: DONE\nFiles changed:\n{}",
        ghosts.collect::<String>()
    );
    // The commit has asked it.
    fs::remove_file(&asked).unwrap();
    let stop = agent.stop(&scene.context, &message);
    assert!(stop.block().is_some(), "{stop:#?}");
    fs::read_to_string(asked).map_or(0, |asked| asked.lines().count())
}
