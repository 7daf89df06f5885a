//! Doubts that commands of every day leave: as narrow as they can be. Beside each work that was done, the ghost is
//! named; and where the doubt is about the claimed path itself, it stays, with its word.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use serde_json::json;

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done, told_person};
use crate::common::lines::Lines;
use crate::common::scene::{Scene, settle, write};

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("src/b.py", "two\n"),
    (".gitignore", "*.log\nbuild/\n"),
];
const GHOST: &str = "src/never_made.py";
const RULES_CHANGED: &str = "the ignore rules changed";

fn scene() -> Scene {
    let scene = Scene::of(TestContext::enforcing(), FILES);
    // A branch that goes straight on from here.
    scene.git("checkout --quiet -b feature");
    scene.write("feature.py");
    scene.commit();
    scene.git("checkout --quiet main");
    scene
}

fn stop(claim: &str, work: impl Fn(&Scene)) -> Stop {
    stop_in(&scene(), claim, work)
}

fn stop_in(scene: &Scene, claim: &str, work: impl Fn(&Scene)) -> Stop {
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    work(scene);
    agent.stop(&scene.context, &done(claim))
}

/// An agent that claims what it did is let through, and its twin is named who claims one file more.
#[track_caller]
fn twins(files: &str, work: impl Fn(&Scene)) {
    let honest = stop(files, &work);
    assert!(honest.block().is_none(), "{honest:#?}");
    assert!(!honest.0.stderr.contains("false DONE"), "{honest:#?}");
    let reason = stop(&format!("{files}, {GHOST}"), &work).assert_blocked();
    let named = reason.lines().filter(|line| line.starts_with("- \""));
    assert!(reason.contains(GHOST) && named.count() == 1, "{reason}");
}

/// An agent that did what it claims is let go in silence. Of its twin, who claims one file more, the person is told, with
/// what leaves it open; it is no proof.
#[track_caller]
fn told(ghost: &str, why: &str, work: impl Fn(&Scene)) {
    let stop = |files: &str| {
        let scene = scene();
        let stop = stop_in(&scene, files, |scene| {
            scene.write("src/made.py");
            work(scene);
        });
        assert!(stop.block().is_none(), "{stop:#?}");
        told_person(&scene.context)
    };
    assert_eq!(stop("src/made.py"), None);
    let told = stop(&format!("src/made.py, {ghost}")).unwrap();
    let line = format!("\"{ghost}\": not on disk, and no change of it was found; {why}");
    assert!(
        told.contains(&line) && !told.contains("made.py\""),
        "{told}"
    );
}

/// Of this claim nothing is proven or told, and the stop says why.
#[track_caller]
fn doubtful(claim: &str, doubt: &str, work: impl Fn(&Scene)) {
    let scene = scene();
    let stop = stop_in(&scene, claim, work);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert_eq!(told_person(&scene.context), None);
    let line = format!("DOUBT: \"{claim}\": ");
    assert!(
        stop.0.stderr.contains(&line) && stop.0.stderr.contains(&format!("({doubt})")),
        "{doubt}: {stop:#?}"
    );
}

#[test]
fn a_branch_that_is_merged_and_deleted() {
    twins("feature.py", |s| s.git("merge --quiet --ff-only feature"));
    twins("feature.py", |s| {
        s.git("merge --quiet feature");
        s.git("branch --quiet -d feature");
    });
    twins("feature.py, a.py", |s| {
        s.write("a.py");
        s.commit();
        s.git("merge --quiet --no-edit feature");
    });
}

#[test]
fn a_branch_without_history() {
    twins("only.py", |s| {
        s.git("checkout --quiet --orphan alone");
        s.git("rm --quiet -r --force .");
        s.write("only.py");
    });
    twins("only.py", |s| {
        s.git("checkout --quiet --orphan alone");
        s.git("rm --quiet -r --force .");
        s.write("only.py");
        s.commit();
        s.git("checkout --quiet main");
    });
}

#[test]
fn what_is_taken_from_the_index() {
    twins("a.py", |s| s.git("rm --quiet --cached a.py"));
    twins("a.py", |s| s.git("rm --quiet -r --cached ."));
    told("src/b.log", RULES_CHANGED, |s| {
        s.git("rm --quiet --cached .gitignore");
        fs::remove_file(s.repo.join(".gitignore")).unwrap();
    });
}

#[test]
fn objects_that_are_packed() {
    let work = |s: &Scene| {
        s.git("checkout --quiet -b side");
        s.write("side.py");
        s.commit();
        s.git("checkout --quiet main");
    };
    for pack in [
        "gc --quiet",
        "gc --quiet --auto",
        "repack -d -l --quiet",
        "repack -a -d --quiet",
    ] {
        twins("side.py", |s| {
            work(s);
            s.git(pack);
        });
    }
}

/// The agent whose commit nothing leads to any more, and is dropped.
#[test]
fn objects_that_are_dropped_with_what_led_to_them() {
    for collect in ["gc --quiet --prune=now", "prune --expire=now"] {
        doubtful("kept/lost.py", "OBJECTS_PACKED", |s| {
            let linked = s.path("linked");
            s.git(&format!(
                "worktree add --quiet -b temporary {}",
                linked.display()
            ));
            write(&linked.join("kept/lost.py"), "lost\n");
            s.commit_in(&linked);
            s.git(&format!("worktree remove --force {}", linked.display()));
            s.git("branch --quiet -D temporary");
            s.git(collect);
        });
        doubtful("kept/lost.py", "OBJECTS_PACKED", |s| {
            s.write("kept/lost.py");
            s.git("stash --quiet --include-untracked");
            s.git("stash drop --quiet");
            s.git(collect);
        });
        doubtful("kept/lost.py", "OBJECTS_PACKED", |s| {
            s.git("checkout --quiet -b temporary");
            s.write("kept/lost.py");
            s.commit();
            s.git("checkout --quiet main");
            s.git("branch --quiet -D temporary");
            s.git("reflog expire --expire=now --all");
            s.git(collect);
        });
    }
}

#[test]
fn rules_that_change() {
    let add = |s: &Scene, text: &str| write(&s.repo.join(".gitignore"), text);
    twins(".gitignore", |s| add(s, "*.log\nbuild/\n*.tmp\n"));
    twins(".gitignore", |s| add(s, "*.tmp\n"));
    // It may have been there when it was ignored, and nobody can know.
    told("src/run.log", RULES_CHANGED, |s| add(s, "build/\n"));
    told("build/x.py", RULES_CHANGED, |s| add(s, "*.log\n"));
    doubtful(GHOST, "IGNORED", |s| {
        add(s, "*.log\nbuild/\nsrc/never*\n");
    });
}

/// Writes a file of this name, which a report cannot give as it is.
#[cfg(unix)]
fn put(s: &Scene, name: &[u8]) {
    use std::os::unix::ffi::OsStrExt;
    fs::write(s.repo.join(std::ffi::OsStr::from_bytes(name)), "odd\n").unwrap();
}

/// Such a file does not matter to what is said of another.
#[cfg(unix)]
fn twins_beside(name: &[u8]) {
    twins("a.py", |s| {
        put(s, name);
        s.write("a.py");
    });
    twins("a.py", |s| {
        put(s, name);
        s.write("a.py");
        s.commit();
    });
}

#[cfg(unix)]
#[test]
fn names_that_text_cannot_carry() {
    twins_beside(b"two\nlines.txt");
    twins_beside(b"a\"quote.txt");
}

#[cfg(unix)]
#[attest_needs::needs(any_name)]
#[test]
fn a_name_that_is_no_text() {
    const NAME: &[u8] = b"caf\xe9.txt";
    twins_beside(NAME);
    for claim in ["caf\u{e9}.txt", "caf?.txt"] {
        let honest = stop(claim, |s| put(s, NAME));
        assert!(honest.block().is_none(), "{honest:#?}");
    }
    doubtful("caf\u{e9}.txt", "UNSPEAKABLE_NAME", |s| put(s, NAME));
}

/// A file that may not be read, and nobody else's business: hooks as a person who is not root.
#[cfg(unix)]
#[attest_needs::needs(root)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let run = |claim: &str, locked: &str| {
        let scene = scene();
        fs::write(scene.repo.join("locked.txt"), "secret\n").unwrap();
        let no_one = fs::Permissions::from_mode(0o000);
        fs::set_permissions(scene.repo.join(locked), no_one).unwrap();
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(scene.context.folder(), open).unwrap();
        let mut give = scene.context.command("chown");
        let folder = scene.context.folder();
        assert!(
            give.args(["-R", "65534"])
                .arg(folder)
                .status()
                .unwrap()
                .success()
        );
        settle();
        let hook = |event: &str, payload: serde_json::Value| {
            let mut hook = scene.context.hook_command(["hook", event]);
            hook.uid(NOBODY).env("ATTEST_STRICT", "dirty");
            let file = scene.context.home().join("payload");
            fs::write(&file, payload.to_string()).unwrap();
            let hook = hook.stdin(fs::File::open(file).unwrap());
            Stop(crate::common::Printed::of(hook.output().unwrap()))
        };
        let agent = Agent::new("agent", &scene.repo);
        hook("start", agent.start_payload());
        write(&scene.repo.join("made.py"), "made\n");
        hook(
            "stop",
            agent.stop_payload(&done(claim), &serde_json::json!({})),
        )
    };
    // Where others may not enter the folder of the program, there is nothing to test.
    let may_run = |binary: &Path| {
        let is_open = |folder: &Path| {
            fs::metadata(folder).is_ok_and(|it| it.permissions().mode() & 0o001 != 0)
        };
        binary.ancestors().skip(1).all(is_open)
    };
    if !may_run(Path::new(crate::common::BINARY)) {
        return;
    }
    for locked in ["locked.txt", "a.py"] {
        let honest = run("made.py", locked);
        assert!(
            honest.block().is_none() && honest.0.stderr.contains("-> "),
            "{honest:#?}"
        );
        assert!(!honest.0.stderr.contains("UNVERIFIABLE"), "{honest:#?}");
        let reason = run(&format!("made.py, {locked}, {GHOST}"), locked).assert_blocked();
        assert!(
            reason.contains(GHOST) && !reason.contains(locked),
            "{reason}"
        );
    }
}

/// The words are counted, and each leads to its page.
#[test]
fn doubts_are_recorded_shown_and_counted() {
    let mut scene = scene();
    scene.context.set("ATTEST_LOG", "info");
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    write(&scene.repo.join(".gitignore"), "build/\n");
    agent.stop(&scene.context, &done("src/run.log"));
    let word = "IGNORE_RULES_CHANGED";
    for command in [
        &["show"][..],
        &["explain"],
        &["show", "--json"],
        &["stats", "--all"],
        &["explain", word],
    ] {
        let said = scene.context.attest(command).assert_success().stdout;
        assert!(said.contains(word), "{command:?}: {said}");
    }
    let json = scene.context.attest(["stats", "--all", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["doubts"], serde_json::json!({ word: 1 }));
    let log = fs::read_to_string(scene.context.home().join(".attest/attest.log")).unwrap();
    assert!(log.contains(&format!("({word})")), "{log}");
}

/// Who was to write a file looked at the pull request for that.
#[test]
fn a_write_that_failed_is_more_than_a_look_at_the_work_of_others() {
    for (has_failed, is_blocked) in [(true, true), (false, false)] {
        let scene = scene();
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        let message = format!("Verdict on PR 7: approve.\n\n{}", done(GHOST));
        let mut lines = Lines::default();
        lines.bash("gh pr diff 7", 0, "");
        if has_failed {
            let input = json!({"file_path": scene.repo.join(GHOST), "content": "x"});
            lines.call("Write", &input, Some(Err("permission denied")));
        }
        lines.end(&message);
        let transcript = scene.path("agent.jsonl");
        write(&transcript, &lines.0);
        let fields = json!({"agent_transcript_path": transcript});
        let stop = agent.stop_with(&scene.context, &message, &fields);
        assert_eq!(stop.block().is_some(), is_blocked, "{stop:#?}");
    }
}

/// Beside each one that names none of it, one that wrote a file by a command, and one that may write.
#[test]
fn a_reader_lists_what_it_looked_at() {
    let stop = |kind: &str, command: &str, above: &str| {
        let scene = scene();
        settle();
        let agent = Agent {
            kind: kind.to_owned(),
            ..Agent::new("agent", &scene.repo)
        };
        agent.start(&scene.context);
        let (mut lines, message) = (Lines::default(), format!("{above}\n\n{}", done(GHOST)));
        lines.bash(command, 0, "");
        lines.end(&message);
        let transcript = scene.path("agent.jsonl");
        write(&transcript, &lines.0);
        let fields = json!({"agent_transcript_path": transcript});
        agent.stop_with(&scene.context, &message, &fields)
    };
    let look = "grep -rn never src";
    let title = "Verdict on PR 7: approve.";
    let reader = stop("Explore", look, title);
    assert!(reader.block().is_none(), "{reader:#?}");
    assert!(reader.0.stderr.contains("(WORK_OF_OTHERS)"), "{reader:#?}");
    stop("Explore", look, "All is done.").assert_blocked();
    stop("Explore", "echo x > src/other.py", title).assert_blocked();
    stop("general-purpose", look, title).assert_blocked();
}

/// One that was cut off left its work to the next, which lists the files of both.
#[test]
fn who_goes_on_with_the_work_of_an_agent_lists_the_files_of_both() {
    let stop = |claim: &str| {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "all");
        let scene = Scene::of(context, FILES);
        settle();
        Agent::new("first", &scene.repo).start(&scene.context);
        scene.write("src/new.py");
        scene.write("src/b.py");
        stop_in(&scene, claim, |scene| scene.write("src/test_b.py"))
    };
    let both = "src/new.py, src/b.py, src/test_b.py";
    assert!(stop(both).block().is_none());
    for untrue in [GHOST, "a.py"] {
        let reason = stop(&format!("{both}, {untrue}")).assert_blocked();
        let named: Vec<_> = reason.lines().filter(|it| it.starts_with("- \"")).collect();
        assert!(named.len() == 1 && named[0].contains(untrue), "{reason}");
    }
}
