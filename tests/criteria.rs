//! `attest check`, `attest trust` and criteria at a stop, through the binary.

// The criteria of these tests are for `sh`.

#[path = "criteria/trust.rs"]
mod trust;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

#[cfg(target_os = "linux")]
use crate::common::SOON;
use crate::common::agent::{Agent, done, told_person};
use crate::common::{BINARY, Printed, TestContext, assert_within};
use serde_json::Value;

fn folder(context: &TestContext, criteria: &str) -> PathBuf {
    let folder = context.folder().join("work");
    fs::create_dir_all(folder.join(".attest")).unwrap();
    fs::write(folder.join(".attest/criteria.yaml"), criteria).unwrap();
    folder
}

fn attest(context: &TestContext, folder: &Path, args: &[&str]) -> Printed {
    let mut command = context.command(BINARY);
    Printed::of(command.current_dir(folder).args(args).output().unwrap())
}

fn json(context: &TestContext, folder: &Path, args: &[&str]) -> Value {
    let all = [&["check", "--yes", "--json"], args].concat();
    let printed = attest(context, folder, &all);
    assert_eq!(printed.stderr, "");
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"))
}

mod document {
    use super::*;

    /// A fenced block of the document: its language and its text.
    fn blocks(text: &str) -> Vec<(String, String)> {
        let mut blocks: Vec<(String, String)> = Vec::new();
        let mut open = false;
        for line in text.lines() {
            match (line.strip_prefix("```"), open) {
                (Some(language), false) => {
                    blocks.push((language.to_owned(), String::new()));
                    open = true;
                }
                (Some(_), true) => open = false,
                (None, true) => {
                    let (_, text) = blocks.last_mut().unwrap();
                    text.push_str(line);
                    text.push('\n');
                }
                (None, false) => {}
            }
        }
        blocks
    }

    /// Runs the commands of a console block and gives it with what they print.
    fn transcript(context: &TestContext, folder: &Path, block: &str) -> String {
        let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
        let mut shown = String::new();
        for line in commands {
            let mut shell = context.command("sh");
            shell
                .current_dir(folder)
                .arg("-c")
                .arg(format!("PATH=$(dirname {BINARY}):$PATH; exec 2>&1; {line}"));
            let printed = Printed::of(shell.output().unwrap());
            let expected = if printed.stdout.contains("\nnot passed: ") {
                3
            } else {
                0
            };
            assert_eq!(printed.code, Some(expected), "{line}: {printed:?}");
            shown.push_str(&format!("$ {line}\n{}", printed.stdout));
        }
        shown
    }

    #[test]
    fn every_example_gives_the_documented_result() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/CRITERIA.md");
        let context = TestContext::new();
        let work = folder(&context, "");
        fs::create_dir(work.join("src")).unwrap();
        fs::write(work.join("src/main.rs"), "fn main() {}\n").unwrap();
        fs::write(work.join("README.md"), "All is in src/main.rs.\n").unwrap();
        fs::write(work.join("CHANGELOG.md"), "# Changes\n\n## [Unreleased]\n").unwrap();
        let mut examples = 0;
        for (language, text) in blocks(&fs::read_to_string(path).unwrap()) {
            match language.as_str() {
                "yaml" => drop(folder(&context, &text)),
                "json" => fs::write(work.join("scores.json"), text).unwrap(),
                "console" => {
                    examples += 1;
                    assert_eq!(transcript(&context, &work, &text), text);
                }
                _ => {}
            }
        }
        assert_eq!(examples, 6);
        let question = fs::read_to_string(work.join("question.json")).unwrap();
        let question: Value = serde_json::from_str(&question).unwrap();
        assert_eq!(question["files"], serde_json::json!(["src/main.rs"]));
    }

    #[test]
    fn what_is_let_in_is_what_the_document_lists() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/CRITERIA.md");
        let text = fs::read_to_string(path).unwrap();
        let (_, list) = text.split_once("<!-- variables -->\n").unwrap();
        let (list, _) = list.split_once("\n\n").unwrap();
        let listed: BTreeSet<_> = list.split('`').skip(1).step_by(2).collect();
        assert_eq!(listed, attest_checklist::allowed().collect());
    }
}

#[test]
fn results_as_json() {
    let context = TestContext::new();
    let work = folder(
        &context,
        "base_case:
  checklist:
    - item: g
      group:
        - item: ok
          check: {type: command, value: echo fine}
        - item: bad
          check: {type: command, value: echo wrong >&2; exit 4}
    - item: person
      check: {type: assertion, value: It is nice.}
",
    );
    let report = json(&context, &work, &[]);
    insta::assert_json_snapshot!(report, @r#"
    {
      "checklist": [
        {
          "evidence": "1 of 2 passed",
          "exit_code": null,
          "group": [
            {
              "evidence": "exit status 0",
              "exit_code": 0,
              "item": "ok",
              "outcome": "pass",
              "output_summary": "fine",
              "passed": true,
              "type": "command"
            },
            {
              "evidence": "exit status 4",
              "exit_code": 4,
              "item": "bad",
              "outcome": "fail",
              "output_summary": "wrong",
              "passed": false,
              "type": "command"
            }
          ],
          "item": "g",
          "outcome": "fail",
          "output_summary": null,
          "passed": false,
          "type": "group"
        },
        {
          "evidence": "for a person to confirm: It is nice.",
          "exit_code": null,
          "item": "person",
          "outcome": "skipped",
          "output_summary": null,
          "passed": false,
          "requires_user_confirmation": true,
          "type": "assertion"
        }
      ],
      "errors": [],
      "evidence": "0 of 2 passed; skipped: person",
      "failures": [
        "g > bad"
      ],
      "outcome": "fail",
      "passed": false,
      "requires_user_confirmation": true,
      "skipped": [
        "person"
      ]
    }
    "#);
    let lines = attest(&context, &work, &["check", "--yes", "--jsonl"]);
    assert_eq!(lines.code, Some(3));
    let lines: Vec<Value> = lines
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<_> = lines.iter().map(|line| line["item"].as_str()).collect();
    assert_eq!(
        names,
        [Some("g > ok"), Some("g > bad"), Some("person"), None]
    );
    assert_eq!(
        (&lines[0]["event"], &lines[3]["event"]),
        (&"check".into(), &"report".into())
    );
}

#[test]
fn values_arrive_at_the_shell_unchanged() {
    let context = TestContext::new();
    for (yaml, output) in [
        (
            r#"'printf %s "a && b: \"c\" $((40+2)) ✅ grün"'"#,
            r#"a && b: "c" 42 ✅ grün"#,
        ),
        (
            r#""printf '%s' 'two: words && $HOME # \u00e4'""#,
            "two: words && $HOME # ä",
        ),
        ("printf '%s' 'plain && $1 ä'", "plain && $1 ä"),
        (
            "|\n    printf '%s' \"line: one\n    line && two\"",
            "line: one\nline && two",
        ),
    ] {
        let work = folder(
            &context,
            &format!("base_case:\n  type: command\n  value: {yaml}\n"),
        );
        let report = json(&context, &work, &[]);
        assert_eq!(report["checklist"][0]["output_summary"], output, "{yaml}");
    }
}

#[test]
fn commands_get_only_what_is_known_and_what_the_person_adds() {
    let mut context = TestContext::new();
    for name in [
        "ANTHROPIC_API_KEY",
        "GITHUB_PAT",
        "PGPASSWORD",
        "DATABASE_URL",
        "OP_SESSION_me",
        "SSH_AUTH_SOCK",
        "MADE_UP",
    ] {
        context.set(name, "s3cret");
    }
    context
        .set("JAVA_HOME", "/java")
        .set("MY_ONE", "1")
        .set("MY_TWO", "2")
        .set("ATTEST_CHECK_ENV", "MY_*");
    let work = folder(
        &context,
        "base_case: {checklist: [
           {item: env, check: {type: command, value: env}},
           {item: q, check: {type: quality, criteria: x, pass_threshold: 1}}]}",
    );
    let judge = r#"test "$ANTHROPIC_API_KEY" = s3cret && echo '{"overall": {"score": 1}}'"#;
    let report = json(&context, &work, &["--judge", judge]);
    let output = report["checklist"][0]["output_summary"].as_str().unwrap();
    assert!(!output.contains("s3cret"), "{output}");
    for line in ["JAVA_HOME=/java", "MY_ONE=1", "MY_TWO=2"] {
        assert!(output.contains(line), "{output}");
    }
    assert_eq!(
        report["checklist"][1]["passed"], true,
        "the judge is the person's own: {report}"
    );
}

/// Whether a process runs whose command line has `text` in it.
#[cfg(target_os = "linux")]
fn runs(text: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    let context = TestContext::new();
    let stubborn = "trap \"\" TERM HUP INT; while :; do sleep 0.1; done";
    for (mark, limit, expected, line) in [
        (
            "left-in-group",
            "1s",
            "error",
            format!("sh -c '{stubborn}; # left-in-group' & wait"),
        ),
        (
            "left-session",
            "1s",
            "error",
            format!("setsid sh -c '{stubborn}; # left-session' & sleep 60"),
        ),
        (
            "left-after-end",
            "5m",
            "pass",
            format!("sh -c '{stubborn}; # left-after-end' & sleep 0.3"),
        ),
    ] {
        let work = folder(
            &context,
            &format!("base_case:\n  type: command\n  timeout: {limit}\n  value: |\n    {line}\n"),
        );
        let report = json(&context, &work, &[]);
        assert_eq!(report["outcome"], expected, "{report}");
        let give_up = Instant::now() + SOON;
        while runs(mark) && Instant::now() < give_up {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!runs(mark), "{mark} still runs");
    }
}

/// A program inherits from whoever starts it that the ends of its children are not told.
#[test]
fn a_host_that_does_not_care_for_its_children_changes_nothing() {
    let context = TestContext::new();
    let work = folder(
        &context,
        "base_case: {type: command, value: 'sleep 0.1; exit 3'}",
    );
    let mut shell = context.command("bash");
    let line = format!("trap '' CHLD; exec {BINARY} check --yes");
    shell.current_dir(&work).args(["-c", &line]);
    let printed = Printed::of(shell.output().unwrap());
    assert!(
        printed.stdout.contains("base_case: exit status 3"),
        "{printed:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_within_a_check_leaves_nothing_behind_either() {
    let context = TestContext::new();
    let inner = context.folder().join("inner.yaml");
    fs::write(
        &inner,
        "base_case: {type: command, value: 'sleep 72.5 # nested-one'}",
    )
    .unwrap();
    let line = format!("{BINARY} check --yes {}", inner.display());
    let work = folder(
        &context,
        &format!("base_case: {{type: command, timeout: 1s, value: {line}}}"),
    );
    assert_eq!(json(&context, &work, &[])["outcome"], "error");
    let give_up = Instant::now() + SOON;
    while runs("nested-one") && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!runs("nested-one"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_commands_too() {
    use std::process::Stdio;
    let context = TestContext::new();
    let work = folder(
        &context,
        "base_case: {type: command, value: 'sleep 71.5 # interrupted-one'}",
    );
    let mut command = context.command(BINARY);
    command
        .current_dir(&work)
        .args(["check", "--yes"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !runs("interrupted-one") {
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = context
        .command("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let printed = Printed::of(child.wait_with_output().unwrap());
    assert_eq!(
        (printed.code, printed.stderr.as_str()),
        (Some(1), "error: interrupted\n")
    );
    assert!(!runs("interrupted-one"));
}

#[test]
fn what_cannot_be_used_is_refused_before_anything_runs() {
    let context = TestContext::new();
    let work = folder(
        &context,
        "base_case:\n  type: command\n  value: touch ran\n  timout: 3\n",
    );
    let error = |args: &[&str]| {
        let printed = attest(&context, &work, args).assert_failure();
        assert_eq!(printed.stdout, "");
        printed.stderr
    };
    let syntax = error(&["check", "--yes"]);
    assert!(
        syntax.contains("line 4, column 3") && syntax.contains("timout"),
        "{syntax}"
    );
    folder(&context, "base_case: {type: command, value: touch ran}");
    assert!(
        error(&["check", "--yes", "--item", "nobody"]).contains("no item is called \"nobody\"")
    );
    fs::write(work.join("scores.json"), r#"{"typo": {"score": 1}}"#).unwrap();
    assert!(error(&["check", "--yes", "--scores", "scores.json"]).contains("typo"));
    fs::write(work.join("scores.json"), "[]").unwrap();
    assert!(
        error(&["check", "--yes", "--scores", "scores.json"]).contains("cannot use the scores")
    );
    assert!(error(&["check", "--yes", "missing.yaml"]).contains("cannot read"));
    assert!(!work.join("ran").exists());
    let usage = attest(&context, &work, &["check", "--timeout", "soon"]);
    assert_eq!(usage.code, Some(2));
    let nowhere = context.folder().join("elsewhere");
    fs::create_dir(&nowhere).unwrap();
    let none = attest(&context, &nowhere, &["check"]).assert_failure();
    assert!(none.stderr.contains("attest check --init"), "{none:?}");
}

#[test]
fn the_file_is_found_from_below_and_checks_its_own_folder() {
    let context = TestContext::new();
    let work = folder(&context, "base_case: {type: file, value: here.txt}");
    fs::write(work.join("here.txt"), "").unwrap();
    fs::create_dir_all(work.join("deep/er")).unwrap();
    attest(&context, &work.join("deep/er"), &["check", "--yes"]).assert_success();
}

#[test]
fn a_starter_file_is_written_once_and_works() {
    let context = TestContext::new();
    let work = context.folder().join("new");
    fs::create_dir(&work).unwrap();
    fs::write(work.join("Makefile"), "test:\n\t@echo tested\n").unwrap();
    attest(&context, &work, &["check", "--init"]).assert_success();
    let again = attest(&context, &work, &["check", "--init"]).assert_failure();
    assert!(again.stderr.contains("is there already"), "{again:?}");
    let report = attest(&context, &work, &["check", "--yes"]);
    if context.command("make").arg("--version").output().is_ok() {
        report.assert_success();
    }
    let schema = attest(&context, &work, &["check", "--schema"])
        .assert_success()
        .stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["required"], serde_json::json!(["base_case"]));
}

mod at_a_stop {
    use super::*;

    fn log(context: &TestContext) -> String {
        fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
    }

    /// A repository with a criteria file, which is trusted, and an enforcing world that checks it.
    fn world(criteria: &str) -> (TestContext, PathBuf) {
        let mut context = TestContext::enforcing();
        let repo = context.repository(
            "repo",
            &[("a.py", "one\n"), (".attest/criteria.yaml", criteria)],
        );
        attest(&context, &repo, &["trust"]).assert_success();
        context.set("ATTEST_CHECK", "1");
        (context, repo)
    }

    /// An honest agent that changes `a.py`.
    fn run(context: &TestContext, repo: &Path) -> crate::common::agent::Stop {
        let agent = Agent::new("a1", repo);
        agent.start(context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        agent.stop(context, &done("a.py"))
    }

    const FAILS: &str = "base_case: {checklist: [{item: tests, check: {type: command, value: 'touch ../ran; exit 1'}}]}";

    fn has_run(context: &TestContext) -> bool {
        context.folder().join("ran").exists()
    }

    #[test]
    fn a_failed_criterion_is_told_and_blocks_nobody() {
        let (context, repo) = world(FAILS);
        let stop = run(&context, &repo);
        stop.assert_allowed("attest: stop: a1: CRITERIA not met: tests (exit status 1)");
        assert!(has_run(&context));
        assert!(log(&context).contains("WARN stop REPORT attest: stop: a1: CRITERIA not met"));
    }

    /// What the person is shown of a criterion that is not met and does not count.
    #[test]
    fn a_failed_criterion_is_in_everything_that_shows_the_stop() {
        let (context, repo) = world(FAILS);
        run(&context, &repo);
        let shown = |arguments: &[&str]| context.attest(arguments).assert_success().stdout;
        let log = shown(&["log"]);
        assert!(
            log.contains("✓ OK") && log.contains("; criteria not met: tests"),
            "{log}"
        );
        let show = shown(&["show"]);
        assert!(show.contains("  not met\n"), "{show}");
        assert!(show.contains("  tests      exit status 1\n"), "{show}");
        let explain = shown(&["explain"]);
        for sentence in [
            "- The criterion \"tests\" is not met: exit status 1.",
            "- `attest check` shows why \"tests\" fails.",
            "- `ATTEST_CHECK=block` sends such a report of DONE back, with enforcement.",
        ] {
            assert!(explain.contains(sentence), "{explain}");
        }
        let whole: Value = serde_json::from_str(&shown(&["show", "--json"])).unwrap();
        let expected = serde_json::json!({"result": "not_met",
            "not_met": [{"name": "tests", "why": "exit status 1"}]});
        assert_eq!(whole["criteria"], expected);
        let page = shown(&["report", "-"]);
        assert!(page.contains("Criteria that were not met"), "{page}");
        let (honest, repo) = world(&FAILS.replace("exit 1", "exit 0"));
        run(&honest, &repo);
        let page = honest.attest(["report", "-"]).assert_success().stdout;
        assert!(!page.contains("Criteria that were not met"), "{page}");
        let show = honest.attest(["show"]).assert_success().stdout;
        assert!(show.contains("  met: 1 of 1 passed"), "{show}");
    }

    /// One that only looks at files can do no harm, and one that runs a command may.
    #[test]
    fn criteria_that_run_nothing_need_no_trust() {
        const LOOKS: &str =
            "base_case: {checklist: [{item: notes, check: {type: file, value: NOTES.md}}]}";
        for (criteria, is_checked) in [(LOOKS, true), (FAILS, false)] {
            let mut context = TestContext::enforcing();
            let files = [("a.py", "one\n"), (".attest/criteria.yaml", criteria)];
            let repo = context.repository("repo", &files);
            let printed = attest(&context, &repo, &["check"]);
            assert_eq!(
                printed.code,
                Some(if is_checked { 3 } else { 1 }),
                "{printed:?}"
            );
            context.set("ATTEST_CHECK", "1");
            let stop = run(&context, &repo);
            let said = stop.0.stderr.contains("CRITERIA not met: notes");
            assert_eq!(said, is_checked, "{stop:#?}");
            assert!(!has_run(&context));
        }
    }

    #[test]
    fn criteria_that_block_send_a_done_back_once() {
        let (mut context, repo) = world(FAILS);
        context.set("ATTEST_CHECK", "block");
        let reason = run(&context, &repo).assert_blocked();
        insta::assert_snapshot!(reason, @r#"
        attest: the report says Status: DONE, but criteria of .attest/criteria.yaml are not met:
        - "tests": exit status 1
        Make the missing change, or correct the claim. Then send your complete final report again: only your last message is kept.
        "#);
        let agent = Agent::new("a1", &repo);
        agent
            .stop(&context, &done("a.py"))
            .assert_allowed("CRITERIA not met: tests");
        let log = context.attest(["log", "--json"]).assert_success().stdout;
        let verdicts = log.lines().map(|line| serde_json::from_str(line).unwrap());
        let verdicts: Vec<Value> = verdicts.collect();
        let reasons: Vec<_> = verdicts.iter().map(|it| &it["reason"]).collect();
        assert_eq!(reasons, ["ALLOW_RETRY_CAP", "BLOCK_GATE"], "{log}");
        assert_eq!(verdicts[1]["outcome"], "SENT_BACK", "{log}");
    }

    #[test]
    fn criteria_that_block_send_nothing_back_but_a_done() {
        let (mut context, repo) = world(FAILS);
        context.set("ATTEST_CHECK", "block");
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        let stop = agent.stop(&context, "Status: DONE_WITH_CONCERNS\nFiles changed: a.py");
        stop.assert_allowed("CRITERIA not met: tests");
    }

    #[test]
    fn what_passes_or_proves_nothing_blocks_nobody() {
        for (check, report) in [
            (
                "{type: command, value: 'true'}",
                "CRITERIA passed: 1 of 1 passed",
            ),
            (
                "{type: command, value: no-such-program}",
                "CRITERIA not checked: c",
            ),
            (
                "{type: assertion, value: nice}",
                "CRITERIA 0 of 1 passed; skipped: c",
            ),
        ] {
            let (mut context, repo) = world(&format!(
                "base_case: {{checklist: [{{item: c, check: {check}}}]}}"
            ));
            context.set("ATTEST_CHECK", "block");
            run(&context, &repo).assert_allowed(report);
        }
    }

    #[test]
    fn an_agent_cannot_move_its_own_goal() {
        let (mut context, repo) = world(FAILS);
        context.set("ATTEST_CHECK", "block");
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        fs::write(
            repo.join(".attest/criteria.yaml"),
            "base_case: {type: command, value: touch ../ran}",
        )
        .unwrap();
        // Not even by trusting what it wrote.
        attest(&context, &repo, &["trust"]).assert_success();
        let stop = agent.stop(&context, &done("a.py, .attest/criteria.yaml"));
        stop.assert_allowed("CRITERIA not run: the criteria file changed since the start");
        let told = told_person(&context).unwrap();
        assert!(told.contains("CRITERIA_CHANGED"), "{told}");
        assert!(!has_run(&context));
        fs::remove_file(repo.join(".attest/criteria.yaml")).unwrap();
        agent.start(&context);
        let stop = agent.stop(&context, &done("a.py"));
        stop.assert_allowed("CRITERIA not run: the criteria file changed since the start");
    }

    /// An agent that claims nothing has nothing to be checked against criteria, so nothing runs and nobody hears of it; the
    /// same agent with a claim is told of.
    #[test]
    fn an_agent_that_claims_nothing_is_not_held_against_criteria() {
        for (message, is_told) in [
            ("The entry point is in `a.py`; I changed nothing.", false),
            (
                "I'm ready to help. What would you like me to search for?",
                false,
            ),
            ("Status: DONE\nFiles changed: none", true),
        ] {
            let (mut context, repo) = world(FAILS);
            context.unset("ATTEST_ENFORCE");
            let mut agent = Agent::new("a1", &repo);
            agent.kind = "Explore".into();
            agent.start(&context);
            let stop = agent.stop(&context, message);
            assert_eq!(stop.0.stdout.contains("CRITERIA"), is_told, "{stop:?}");
            assert_eq!(has_run(&context), is_told, "{message}");
            let told = told_person(&context).unwrap_or_default();
            assert_eq!(told.contains("criterion \"tests\""), is_told, "{told}");
        }
    }

    /// A doubt about the criteria is in everything that shows the stop, with the command that mends it; the
    /// person hears of it once in a session, and not where a person trusts them.
    #[test]
    fn criteria_that_are_not_trusted_are_a_doubt_that_is_told_once() {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_CHECK", "block");
        let passes = FAILS.replace("exit 1", "exit 0");
        let files = [("a.py", "one\n"), (".attest/criteria.yaml", &*passes)];
        let repo = context.repository("repo", &files);
        let command = format!("attest trust {}/.attest/criteria.yaml", repo.display());
        run(&context, &repo).assert_allowed(&command);
        let told = told_person(&context).unwrap();
        assert!(
            told.contains("CRITERIA_UNTRUSTED") && told.contains(&command),
            "{told}"
        );
        assert!(!told.contains("to look at"), "{told}");
        let agent = Agent::new("a2", &repo);
        agent.start(&context);
        fs::write(repo.join("b.py"), "new\n").unwrap();
        agent.stop(&context, &done("b.py"));
        assert_eq!(told_person(&context), None);
        let shown = |arguments: &[&str]| attest(&context, &repo, arguments).stdout;
        let log = shown(&["log"]);
        assert!(log.contains("criteria not checked"), "{log}");
        for words in [&["show"][..], &["explain"]] {
            let text = shown(words)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            assert!(
                text.contains("not trusted") && text.contains(&command),
                "{text}"
            );
        }
        let stats = shown(&["stats"]);
        assert!(stats.contains("2 CRITERIA_UNTRUSTED"), "{stats}");
        let doctor = shown(&["doctor"]);
        assert!(
            doctor.contains("FAIL  criteria") && doctor.contains(&command),
            "{doctor}"
        );
        attest(&context, &repo, &["trust"]).assert_success();
        let agent = Agent::new("a3", &repo);
        agent.start(&context);
        fs::write(repo.join("c.py"), "new\n").unwrap();
        let stop = agent.stop(&context, &done("c.py"));
        stop.assert_allowed("CRITERIA passed");
        assert_eq!(told_person(&context), None);
        let doctor = shown(&["doctor"]);
        assert!(doctor.contains("pass  criteria"), "{doctor}");
    }

    /// Trust that a person gives while the agent is at work counts, if the file is still what it was.
    #[test]
    fn criteria_that_are_trusted_before_the_stop_are_checked() {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_CHECK", "block");
        let files = [("a.py", "one\n"), (".attest/criteria.yaml", FAILS)];
        let repo = context.repository("repo", &files);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        attest(&context, &repo, &["trust"]).assert_success();
        agent.stop(&context, &done("a.py")).assert_blocked();
    }

    #[test]
    fn nothing_runs_that_was_not_asked_for_or_is_not_trusted() {
        let (mut context, repo) = world(FAILS);
        context.unset("ATTEST_CHECK");
        let stop = run(&context, &repo);
        assert!(!stop.0.stderr.contains("CRITERIA"), "{stop:?}");
        context.set("ATTEST_CHECK", "true");
        run(&context, &repo);
        assert!(!has_run(&context));

        let mut context = TestContext::enforcing();
        context.set("ATTEST_CHECK", "1");
        let repo = context.repository("repo", &[("a.py", "1"), (".attest/criteria.yaml", FAILS)]);
        let stop = run(&context, &repo);
        stop.assert_allowed("CRITERIA not run: the criteria file is not trusted");
        assert!(!has_run(&context));
        assert!(log(&context).contains("CRITERIA_UNTRUSTED"));
    }

    /// The work tree of an isolated agent is the repository's, a folder that holds the same is not.
    #[test]
    fn an_agent_in_a_work_tree_of_its_own_is_measured_and_a_stranger_is_not_run() {
        let (mut context, repo) = world(FAILS);
        context.set("ATTEST_CHECK", "block");
        let linked = repo.join(".claude/worktrees/agent-1");
        let name = linked.to_str().unwrap();
        context
            .git(&repo, &["worktree", "add", "--quiet", name])
            .assert_success();
        let reason = run(&context, &linked).assert_blocked();
        assert!(reason.contains("\"tests\": exit status 1"), "{reason}");

        let files = [("a.py", "one\n"), (".attest/criteria.yaml", FAILS)];
        let strangers = context.repository("strangers", &files);
        let agent = Agent::new("a2", &strangers);
        agent.start(&context);
        fs::write(strangers.join("a.py"), "two\n").unwrap();
        let stop = agent.stop(&context, &done("a.py"));
        stop.assert_allowed("CRITERIA not run: the criteria file is not trusted");
        assert!(!has_run(&context));
        assert!(log(&context).contains("CRITERIA_UNTRUSTED"));
    }

    #[test]
    fn a_command_that_hangs_does_not_keep_the_hook() {
        // Others may play this test, too.
        let mark = format!("hanging-criterion-{}", std::process::id());
        let hangs = format!(
            "base_case: {{type: command, value: 'sh -c \"trap : TERM; sleep 300\" & sleep 300 # {mark}'}}"
        );
        let (mut context, repo) = world(&hangs);
        context
            .set("ATTEST_STOP_DEADLINE", "3")
            .set("ATTEST_CHECK", "block");
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        assert_within(Duration::from_secs(3), |_| {
            let stop = agent.stop(&context, &done("a.py"));
            stop.assert_allowed("CRITERIA not checked: base_case");
        });
        #[cfg(target_os = "linux")]
        assert!(!runs(&mark));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_host_that_ends_the_hook_ends_the_commands() {
        use std::process::Stdio;
        let hangs = "base_case: {type: command, value: 'sleep 73.5 # ended-with-the-hook'}";
        let (mut context, repo) = world(hangs);
        context.set("ATTEST_CHECK", "block");
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        let hook = agent.spawn_stop(&context, &done("a.py"), Stdio::piped());
        while !runs("ended-with-the-hook") {
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut kill = context.command("kill");
        assert!(
            kill.args(["-TERM", &hook.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let printed = Printed::of(hook.wait_with_output().unwrap()).assert_success();
        assert_eq!(printed.stdout, "", "{printed:?}");
        assert!(!runs("ended-with-the-hook"));
    }

    #[test]
    fn what_a_broken_off_command_was_to_make_proves_nothing() {
        let slow = "base_case: {checklist: [
          {item: build, check: {type: command, value: sleep 300 && touch out}},
          {item: built, check: {type: file, value: out}}]}";
        let (mut context, repo) = world(slow);
        context
            .set("ATTEST_STOP_DEADLINE", "2")
            .set("ATTEST_CHECK", "block");
        run(&context, &repo).assert_allowed("CRITERIA not checked: build, built");
    }

    /// As with any gate, enforcement and the types that it covers come first.
    #[test]
    fn criteria_send_nobody_back_without_enforcement_or_out_of_scope() {
        for (variable, value) in [
            ("ATTEST_ENFORCE", "0"),
            ("ATTEST_ENFORCE_AGENTS", "reviewer"),
        ] {
            let (mut context, repo) = world(FAILS);
            context.set("ATTEST_CHECK", "block").set(variable, value);
            let stop = run(&context, &repo);
            assert_eq!(stop.block(), None, "{stop:?}");
            assert!(
                format!("{stop:?}").contains("CRITERIA not met: tests"),
                "{stop:?}"
            );
            let told = told_person(&context).unwrap();
            assert!(told.contains("criterion \"tests\""), "{told}");
        }
    }
}
