//! Work of an agent that somebody takes back behind it: told once, to parent and person, with its cause, unless somebody
//! answers for it.

use serde_json::json;

use crate::common::agent::{done, told_person};
use crate::common::lines::Lines;
use crate::common::scene::write;
use crate::common::stage::Stage;

/// What the first agent leaves.
const NEW: &str = "src/new.py";
const OLD: &str = "src/old.py";

/// A session in which one agent has done its work.
fn made() -> Stage {
    let stage = Stage::new(&[(OLD, "old\n"), ("src/other.py", "1\n")]);
    let mut maker = stage.begin("maker", "Write src/new.py and change src/old.py.");
    for file in [NEW, OLD] {
        let place = stage.scene.repo.join(file);
        write(&place, "made\n");
        let input = json!({"file_path": place, "content": "made\n"});
        maker.call("Write", &input, Some(Ok("")));
    }
    assert_eq!(
        stage.stop("maker", maker, &done("src/new.py, src/old.py")),
        ""
    );
    assert_eq!(told_person(&stage.scene.context), None);
    stage
}

/// What another agent does behind the first, and how its parent hears of it.
#[derive(Clone, Copy)]
struct Other<'a> {
    prompt: &'a str,
    command: &'a str,
    report: &'a str,
}

const OTHER: Other<'_> = Other {
    prompt: "Run the tests of the lexer.",
    command: "true",
    report: "The tests pass.",
};

/// A session in which another agent comes behind the first.
fn play(other: Other<'_>) -> (Stage, String) {
    let stage = made();
    let mut lines = stage.begin("other", other.prompt);
    stage.sh(other.command);
    lines.bash(other.command, 0, "");
    let told = stage.stop("other", lines, other.report);
    (stage, told)
}

/// How it is told of.
fn gone(told: &str, file: &str) -> Option<String> {
    let line = format!("attest: \"{file}\", which agent maker had changed (seen at ");
    let mut lines = told.lines().filter(|it| it.starts_with(&line));
    let found = lines.next().map(str::to_owned);
    assert_eq!(lines.next(), None, "once: {told}");
    found
}

#[test]
fn what_was_taken_back_is_told_with_its_cause() {
    for (command, files, says) in [
        (
            "git checkout -q -- src/old.py",
            &[OLD][..],
            "is again what it was before: at ",
        ),
        ("git clean -fdq", &[NEW], "is not on disk any more: at "),
        (
            "rm src/new.py",
            &[NEW],
            " UTC no branch, stash or other work tree has the change; `",
        ),
        (
            "git stash -qu",
            &[NEW, OLD],
            " UTC the change is in a stash; `",
        ),
        (
            "git stash -qu && git stash drop -q",
            &[NEW, OLD],
            "; `git show ",
        ),
        (
            "git add -A && git reset -q --hard",
            &[NEW, OLD],
            "; `git show ",
        ),
        (
            "git add -A && git commit -qm w && git reset -q --hard HEAD~1",
            &[NEW, OLD],
            "; `git show ",
        ),
    ] {
        let (stage, told) = play(Other { command, ..OTHER });
        let person = told_person(&stage.scene.context).unwrap_or_default();
        for file in [NEW, OLD] {
            let line = gone(&told, file);
            assert_eq!(line.is_some(), files.contains(&file), "{command}: {told}");
            if let Some(line) = line {
                assert!(line.contains(says), "{command}: {line}");
                let cause = format!("; `{command}` of the agent itself at ");
                assert!(line.contains(&cause), "{command}: {line}");
                assert!(person.contains(&line), "{person}");
            }
        }
        // It says nothing of a report, and nobody hears it twice.
        assert!(
            !told.contains("Look at this") && !person.contains("to look at"),
            "{told}"
        );
        let lines = stage.begin("later", "Look at the tree.");
        assert_eq!(
            stage.stop("later", lines, "It is in order."),
            "",
            "{command}"
        );
        assert_eq!(told_person(&stage.scene.context), None);
    }
}

/// A task that names a file is none that the whole tree goes back.
#[test]
fn what_was_named_and_taken_back_with_all_the_rest_is_told() {
    let (_, told) = play(Other {
        prompt: "Write the tests of src/old.py.",
        command: "git checkout -q .",
        ..OTHER
    });
    assert!(gone(&told, OLD).is_some(), "{told}");
}

/// Nobody's call has done it.
#[test]
fn what_nobody_is_seen_to_take_back_is_told_without_a_cause() {
    let stage = made();
    stage.sh("git checkout -q src/old.py");
    let lines = stage.begin("other", OTHER.prompt);
    let told = stage.stop("other", lines, OTHER.report);
    let line = gone(&told, OLD).unwrap();
    assert!(
        line.ends_with(" UTC no branch, stash or other work tree has the change"),
        "{line}"
    );
    let shown = stage
        .scene
        .context
        .attest(["show", "other"])
        .assert_success();
    assert!(
        shown.stdout.contains("seen beside the report"),
        "{}",
        shown.stdout
    );
}

/// The twin: a program that nobody reads may have written it anew.
#[test]
fn what_a_build_may_have_done_is_not_told() {
    let stage = made();
    let mut lines = stage.begin("other", OTHER.prompt);
    stage.sh("git checkout -q src/old.py");
    lines.bash("npm run build", 0, "");
    assert_eq!(stage.stop("other", lines, OTHER.report), "");
    assert_eq!(told_person(&stage.scene.context), None);
}

/// What came later is not the cause, and hides none: the build ran when it was there.
#[test]
fn what_came_later_stands_for_no_build() {
    let mut stage = made();
    stage.main.bash("npm run build", 0, "");
    stage.keep_main();
    stage.sh("git checkout -q src/old.py");
    let mut lines = stage.begin("other", OTHER.prompt);
    stage.sh("git stash -q -u");
    lines.bash("git stash -q -u", 0, "");
    let told = stage.stop("other", lines, OTHER.report);
    assert_eq!(gone(&told, OLD), None, "{told}");
    assert!(gone(&told, NEW).is_some(), "{told}");
}

/// The twins: the same loss, for which somebody answers, and work that is not lost.
#[test]
fn nobody_is_told_of_what_was_asked_for_or_said_or_is_kept() {
    let undo = "git checkout -q -- src/old.py && rm src/new.py";
    for (other, why) in [
        (OTHER, "it is there"),
        (
            Other {
                prompt: "Revert what the last agent did.",
                command: undo,
                ..OTHER
            },
            "it was asked for",
        ),
        (
            Other {
                prompt: "Remove src/new.py and all that src/old.py has of it.",
                command: undo,
                ..OTHER
            },
            "it was asked for by name",
        ),
        (
            Other {
                prompt: "Make src/old.py what it was, without src/new.py.",
                command: undo,
                ..OTHER
            },
            "the task names what the command names",
        ),
        (
            Other {
                command: undo,
                report: "I reverted old.py, and removed new.py: they broke the build.",
                ..OTHER
            },
            "it is said",
        ),
        (
            Other {
                prompt: "Write \"old\" into src/old.py.",
                command: "echo old > src/old.py",
                report: "Status: DONE\nFiles changed: src/old.py",
            },
            "it is among what it worked on",
        ),
        (
            Other {
                command: undo,
                report: "I restored the last commit, and the build passes again.",
                ..OTHER
            },
            "it is said of all",
        ),
        (
            Other {
                command: "git add -A && git commit -qm work",
                ..OTHER
            },
            "it is in a commit",
        ),
        (
            Other {
                command: "git checkout -qb side && git add -A && git commit -qm w && git checkout -q -",
                ..OTHER
            },
            "it is on another branch",
        ),
        (
            Other {
                command: "git stash -qu && git stash pop -q",
                ..OTHER
            },
            "it is back from the stash",
        ),
        (
            Other {
                command: "mv src/new.py src/lexer.py",
                ..OTHER
            },
            "it has another name",
        ),
        (
            Other {
                command: "echo more >> src/new.py; echo 2 > src/old.py",
                ..OTHER
            },
            "it was worked on",
        ),
    ] {
        let (stage, told) = play(other);
        assert_eq!(told, "", "{why}");
        assert_eq!(told_person(&stage.scene.context), None, "{why}");
    }
}

#[test]
fn nobody_is_told_of_what_the_person_or_the_main_agent_does() {
    for by_main in [true, false] {
        let mut stage = made();
        if by_main {
            stage.main.bash("git checkout -q -- src/old.py", 0, "");
            stage.keep_main();
        } else {
            stage.asked("Go on with the parser.");
        }
        stage.sh("git checkout -q -- src/old.py");
        let lines = stage.begin("other", OTHER.prompt);
        assert_eq!(stage.stop("other", lines, OTHER.report), "", "{by_main}");
        assert_eq!(told_person(&stage.scene.context), None, "{by_main}");
    }
}

/// Whoever is still at work may put it back, and may have been asked to take it away.
#[test]
fn it_is_left_to_the_last_agent_at_work() {
    let stage = made();
    let mut beside = stage.begin("beside", "Check the lexer.");
    let lines = stage.begin("other", OTHER.prompt);
    stage.sh("git stash -qu");
    beside.bash("git stash -qu", 0, "");
    assert_eq!(stage.stop("other", lines, OTHER.report), "");
    let told = stage.stop("beside", beside, "It is right.");
    for file in [NEW, OLD] {
        let line = gone(&told, file).unwrap();
        assert!(
            line.contains("the change is in a stash; `git stash -qu` of "),
            "{line}"
        );
    }
}

/// What is not known is not told: what the agent was asked, and what the main agent did.
#[test]
fn without_all_transcripts_nobody_is_told() {
    for is_main in [true, false] {
        let stage = made();
        let mut lines = stage.begin("other", OTHER.prompt);
        stage.sh("git checkout -q -- src/old.py");
        lines.end(OTHER.report);
        let missing = if is_main {
            stage.keep("other", &lines);
            stage.main_transcript()
        } else {
            stage.keep("other", &Lines::default());
            stage.transcript_of("other")
        };
        std::fs::remove_file(missing).unwrap();
        stage.stop_as_kept("other", OTHER.report, json!({}));
        assert_eq!(stage.told_parent("other"), "", "{is_main}");
    }
}
