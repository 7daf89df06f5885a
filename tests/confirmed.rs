//! Agents whose commands are really run, with checks that note how they were called and how they ended: what is
//! confirmed, and what is said to have failed, is what they noted.

use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::common::forms::cases;
use crate::common::lines::Lines;
use crate::common::programs::make_program;
use crate::common::scene::write;
use crate::common::stage::Stage;

/// A check of 42 tests, which `$STATUS` decides. Some words have it run a part of them, or none.
const CHECK: &str = r#"#!/bin/bash
ran=whole count=42
case " $* " in
  *" -h "* | *--help* | *--version* | *--collect-only* | *--list* | *--no-run* | *--dry-run* | *" -n "*) ran=nothing ;;
  *two*) ran=part count=3 ;;
esac
[ $ran = nothing ] && status=0 || status=$(cat "$STATUS")
echo "${0##*/} $ran $status" >> "$NOTES"
[ "$status" = 0 ] && echo "$count passed" || echo "2 failed, 1 passed"
exit "$status"
"#;
/// Another program of its name, as an agent may put one there.
const DECOY: &str = "#!/bin/bash\necho '42 passed'\n";

/// Programs, each with commands that run all, and words with which it does less.
const CHECKS: &[(&str, &[&str], &[&str])] = &[
    (
        "pytest",
        &["pytest", "pytest -q", "pytest tests"],
        &[
            "-k two",
            "tests/two.py",
            "--collect-only",
            "--version",
            "-h",
        ],
    ),
    (
        "npm",
        &["npm test", "npm run test"],
        &["-- --grep two", "-- --list", "--help"],
    ),
    (
        "cargo",
        &["cargo test", "cargo test --workspace"],
        &["two", "--test two", "--no-run", "-- --list"],
    ),
    ("go", &["go test ./..."], &["-run two", "-h"]),
    ("make", &["make test"], &["-n", "--dry-run"]),
];

/// What may be around the command `{c}` of the program `{p}`. They are put into each other.
const AROUND: &[&str] = &[
    "{c} 2>&1",
    "{c} 2>&1 | tail -5",
    "{c} |& cat",
    "{c} | grep passed",
    "{c} | tee log.txt",
    "{c} > out.txt; cat out.txt",
    "{c} || true",
    "{c} || exit 1",
    "{c}; exit 0",
    "{c}; echo done",
    "{c} && echo ok",
    "{c}; code=$?; exit $code",
    "{c} &",
    "{c} & wait $!",
    "coproc {c}",
    "! {c}",
    "! cd src && {c}",
    "({c})",
    "{ {c}; }",
    "x=$({c})",
    "echo \"$({c})\"",
    "if {c}; then echo y; fi",
    "if false; then {c}; fi",
    "while ! {c}; do break; done",
    "for i in 1 2; do {c}; done",
    "case x in y) {c};; esac",
    "run() { {c}; return 0; }; run",
    "cd . && {c}",
    "cd nowhere; {c}",
    "true || {c}",
    "false && {c} || true",
    "test -f nothing && {c}",
    "test -f a.py || {c}",
    "exit 0; {c}",
    "trap 'exit 0' EXIT; {c}",
    "set -e; {c}; true",
    "set -o pipefail; {c} | tail -1",
    "set -n; {c}",
    "bash -c '{c}'",
    "bash -n -c '{c}'",
    "eval \"{c}\"",
    "# {c}",
    "echo {c}",
    "cat <<'END'\n{c}\nEND",
    "timeout 60 {c}",
    "env {c}",
    "command {c}",
    "nohup {c}",
    "echo two | xargs {c}",
    "{p}() { true; }; {c}",
    "shopt -s expand_aliases; alias {p}=true\n{c}",
    "hash -p /bin/true {p}; {c}",
    "PATH=$PWD/decoys:$PATH {c}",
    "export PATH=\"$PWD/decoys:$PATH\"; {c}",
    "read PATH <<< \"$PWD/decoys:$PATH\"; {c}",
    "source ./decoys/env.sh; {c}",
    "readonly PATH; PATH+=:decoys; {c}",
    "git status && {c}",
    "mkdir a/b/c && {c}",
    "CI=1 {c}",
];

/// What the report says of it.
const OUTCOMES: &[&str] = &[
    "42 passed",
    "all passed",
    "3 passed",
    "OK",
    "42/42 tests pass",
];

/// One call that runs the check, or seems to.
#[derive(Debug, Clone)]
struct Call {
    /// Which of the words it has with which it does less.
    less: Option<usize>,
    around: Vec<&'static str>,
    /// Whether the agent changes something behind it, and what the check says from then on.
    is_edited: bool,
    ends_otherwise: bool,
}

#[derive(Debug, Clone)]
struct Session {
    check: usize,
    claimed: usize,
    outcome: &'static str,
    fails_at_first: bool,
    calls: Vec<Call>,
}

fn sessions() -> impl Strategy<Value = Session> {
    let less = proptest::option::weighted(0.2, 0..8_usize);
    let call = (
        less,
        vec(select(AROUND), 0..3),
        proptest::bool::weighted(0.15),
        any::<bool>(),
    );
    let call = call.prop_map(|(less, around, is_edited, ends_otherwise)| Call {
        less,
        around,
        is_edited,
        ends_otherwise,
    });
    let report = (0..CHECKS.len(), 0..8_usize, select(OUTCOMES));
    (report, proptest::bool::weighted(0.3), vec(call, 1..3)).prop_map(
        |((check, claimed, outcome), fails_at_first, calls)| Session {
            check,
            claimed,
            outcome,
            fails_at_first,
            calls,
        },
    )
}

/// What a session came to.
struct Played {
    /// Its verdict, as a person sees it.
    shown: String,
    /// All that was run and how it ended.
    commands: String,
    /// Whether the last whole run passed as it is claimed, and nothing was changed behind it.
    is_true: bool,
    /// Whether the last run of anything failed.
    has_failed: bool,
}

/// An agent in a world where one check notes its runs.
struct World {
    stage: Stage,
    lines: Lines,
    /// What all commands printed, with how they ended.
    commands: String,
    edits: u32,
    /// What the last whole run printed, if it passed and nothing was changed since.
    passed: Option<String>,
}

impl World {
    fn new(program: &'static str) -> Self {
        let mut stage = Stage::new(&[("a.py", "1\n"), ("src/b.py", "2\n")]);
        let programs = stage.scene.path("programs");
        let decoys = stage.scene.repo.join("decoys");
        for (place, text) in [
            (programs.join(program), CHECK),
            (decoys.join(program), DECOY),
        ] {
            make_program(&place, text);
        }
        write(
            &decoys.join("env.sh"),
            &format!("{program}() {{ true; }}\n"),
        );
        let (status, notes) = (stage.scene.path("status"), stage.scene.path("notes"));
        let context = &mut stage.scene.context;
        context.look_first_in(&programs);
        context.set("STATUS", status).set("NOTES", notes);
        let lines = stage.begin("agent", "Do it.");
        Self {
            stage,
            lines,
            commands: String::new(),
            edits: 0,
            passed: None,
        }
    }

    /// What the check says from now on.
    fn set_status(&self, fails: bool) {
        write(
            &self.stage.scene.path("status"),
            if fails { "1" } else { "0" },
        );
    }

    fn edit(&mut self) {
        self.edits += 1;
        self.passed = None;
        let content = format!("{}\n", self.edits);
        let place = self.stage.scene.repo.join("made.py");
        write(&place, &content);
        let input = json!({"file_path": place, "content": content});
        self.lines.call("Write", &input, Some(Ok("")));
    }

    /// The check's own notes of its runs: whether each was of all, and whether it passed.
    fn notes(&self) -> Vec<(bool, bool)> {
        let notes = fs::read_to_string(self.stage.scene.path("notes")).unwrap_or_default();
        let runs = notes.lines().filter(|line| !line.contains("nothing"));
        runs.map(|line| (line.contains("whole"), line.ends_with(" 0")))
            .collect()
    }

    fn bash(&mut self, command: &str) {
        let before = self.notes().len();
        let mut shell = self.stage.scene.context.command("bash");
        shell.args(["-c", command]);
        let ended = shell.current_dir(&self.stage.scene.repo).output().unwrap();
        let printed = [ended.stdout, ended.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let status = ended.status.code().unwrap_or(137);
        self.lines.bash(command, status, &printed);
        self.commands += &format!("$ {command}\n{printed}-> {status}\n");
        let notes = self.notes();
        let last = notes[before..].iter().rfind(|(is_whole, _)| *is_whole);
        if let Some((_, passed)) = last {
            self.passed = passed.then_some(printed);
        }
    }

    fn report(mut self, check: &str, outcome: &str) -> Played {
        let report = format!(
            "Status: DONE\nFiles changed: made.py\n\n## Verification\n- `{check}` — {outcome}\n"
        );
        self.lines.end(&report);
        self.stage.keep("agent", &self.lines);
        let running = json!({"background_tasks": []});
        self.stage.stop_as_kept("agent", &report, running);
        let shown = self.stage.scene.context.attest(["show"]);
        let number = outcome.split(|c: char| !c.is_ascii_digit()).next();
        let has_number = |printed: String| number.is_none_or(|number| printed.contains(number));
        Played {
            shown: shown.assert_success().stdout,
            has_failed: self.notes().last().is_some_and(|(_, passed)| !passed),
            commands: self.commands,
            is_true: self.passed.is_some_and(has_number),
        }
    }
}

fn play(session: &Session) -> Played {
    let (program, commands, less) = CHECKS[session.check];
    let claimed = commands[session.claimed % commands.len()];
    let mut fails = session.fails_at_first;
    let mut world = World::new(program);
    world.set_status(fails);
    world.edit();
    for call in &session.calls {
        let less = call.less.map(|index| less[index % less.len()]);
        let command = less.map_or(claimed.to_owned(), |less| format!("{claimed} {less}"));
        let command = call.around.iter().fold(command, |inner, around| {
            around.replace("{c}", &inner).replace("{p}", program)
        });
        world.bash(&command);
        if call.is_edited {
            world.edit();
            fails ^= call.ends_otherwise;
            world.set_status(fails);
        }
    }
    world.report(claimed, session.outcome)
}

/// How many were confirmed of those that are true, and named of those that failed.
fn run(few: u32, many: u32) -> [(u32, u32); 2] {
    let mut runner = TestRunner::new(cases(few, many));
    let (strategy, mut counts) = (sessions(), [(0, 0); 2]);
    for _ in 0..runner.config().cases {
        let session = strategy.new_tree(&mut runner).unwrap().current();
        let played = play(&session);
        let says = |words: &[&str]| words.iter().any(|word| played.shown.contains(word));
        let outcomes = [
            (says(&["CHECK_SEEN"]), played.is_true),
            (
                says(&["CHECK_FAILED", "CHECK_SAYS_FAILED"]),
                played.has_failed,
            ),
        ];
        for ((is_said, is_so), count) in outcomes.into_iter().zip(&mut counts) {
            let Played {
                shown, commands, ..
            } = &played;
            assert!(is_so || !is_said, "{session:?}\n{commands}\n{shown}");
            count.0 += u32::from(is_said);
            count.1 += u32::from(is_so);
        }
    }
    counts
}

#[test]
fn what_is_said_of_a_check_is_what_it_noted() {
    let [(confirmed, passed), (named, failed)] = run(24, 400);
    println!("figure confirmed {confirmed} of {passed}");
    println!("figure named {named} of {failed}");
    assert!(confirmed > 0 && named > 0, "{confirmed} {named}");
}
