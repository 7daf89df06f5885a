use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[cfg(unix)]
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::Scores;

static RUNNING: AtomicBool = AtomicBool::new(false);

fn environment() -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]
}

fn settings<'a>(folder: &'a TempDir, environment: &'a [(OsString, OsString)]) -> Settings<'a> {
    Settings {
        folder: folder.path(),
        environment,
        timeout: Duration::from_mins(5),
        jobs: NonZeroUsize::new(4).unwrap(),
        deadline: None,
        cancelled: &RUNNING,
        grading: Grading::Nobody,
        allow_skipped: false,
    }
}

/// The outcome and the evidence of one check, given as its YAML.
fn one(folder: &TempDir, check: &str, change: impl Fn(&mut Settings<'_>)) -> (Outcome, String) {
    let criteria = Criteria::parse(&format!("base_case: {check}")).unwrap();
    let environment = environment();
    let mut settings = settings(folder, &environment);
    change(&mut settings);
    let report = evaluate(&criteria, &settings, &|_| {});
    (
        report.checklist[0].outcome,
        report.checklist[0].evidence.clone(),
    )
}

#[cfg(unix)]
#[test]
fn commands_and_their_negation() {
    use Outcome::{Error, Fail, Pass};
    let folder = TempDir::new().unwrap();
    for (line, plain, negated, evidence) in [
        ("true", Pass, Fail, "exit status 0"),
        ("exit 7", Fail, Pass, "exit status 7"),
        ("true && false", Fail, Pass, "exit status 1"),
        (
            "no-such-program-here",
            Error,
            Error,
            "command not found (exit status 127)",
        ),
        (
            "./not-executable",
            Error,
            Error,
            "the command cannot be executed (exit status 126)",
        ),
        ("sleep 300", Error, Error, "timed out after 300ms"),
    ] {
        fs::write(folder.path().join("not-executable"), "").unwrap();
        let limit = if line == "sleep 300" { "300ms" } else { "5m" };
        let yaml = |kind: &str| format!("{{type: {kind}, value: {line:?}, timeout: {limit}}}");
        let slow = |settings: &mut Settings<'_>| settings.timeout = Duration::from_secs(10);
        assert_eq!(
            one(&folder, &yaml("command"), slow),
            (plain, evidence.into()),
            "{line}"
        );
        assert_eq!(
            one(&folder, &yaml("not_command"), slow),
            (negated, evidence.into()),
            "{line}"
        );
    }
}

#[test]
fn files_and_their_negation() {
    use Outcome::{Fail, Pass};
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), "hello").unwrap();
    for (rest, plain, negated, evidence) in [
        ("value: a.txt", Pass, Fail, "found a.txt"),
        ("value: '*.txt'", Pass, Fail, "found a.txt"),
        ("value: '*.md'", Fail, Pass, "nothing found at *.md"),
        ("value: a.txt, contains: hell", Pass, Fail, "found a.txt"),
        (
            "value: a.txt, min_bytes: 6",
            Fail,
            Pass,
            "a.txt has 5 bytes, fewer than 6",
        ),
    ] {
        let yaml = |kind: &str| format!("{{type: {kind}, {rest}}}");
        assert_eq!(
            one(&folder, &yaml("file"), |_| {}),
            (plain, evidence.into()),
            "{rest}"
        );
        assert_eq!(
            one(&folder, &yaml("not_file"), |_| {}),
            (negated, evidence.into()),
            "{rest}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_assertion_is_supported_and_never_confirmed() {
    let folder = TempDir::new().unwrap();
    let evidence = |commands: &str| {
        one(
            &folder,
            &format!("{{type: assertion, value: it is fine{commands}}}"),
            |_| {},
        )
    };
    assert_eq!(
        evidence(", test_commands: ['true', 'echo x']"),
        (
            Outcome::Pass,
            "for a person to confirm: it is fine (`true`: exit status 0; `echo x`: exit status 0)"
                .into()
        )
    );
    assert_eq!(
        evidence(", test_commands: ['true', 'false']").0,
        Outcome::Fail
    );
    assert_eq!(
        evidence(", test_commands: ['no-such-program']").0,
        Outcome::Error
    );
    assert_eq!(
        evidence(""),
        (
            Outcome::Skipped,
            "for a person to confirm: it is fine".into()
        )
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_a_command_makes_is_found() {
    let folder = TempDir::new().unwrap();
    let criteria = Criteria::parse(
        "base_case: {checklist: [
           {item: made, check: {type: file, value: out.txt}},
           {item: make, check: {type: command, value: sleep 0.2 && echo x > out.txt}}]}",
    )
    .unwrap();
    let environment = environment();
    assert!(evaluate(&criteria, &settings(&folder, &environment), &|_| {}).passed);
}

#[cfg(unix)]
#[test]
fn checks_run_side_by_side_and_stay_in_order() {
    let folder = TempDir::new().unwrap();
    let items: Vec<_> = (0..8)
        .map(|n| {
            // Each but the last waits for the one after it.
            let waits = format!("until [ {n} = 7 ] || [ -e {} ]; do sleep 0.02; done", n + 1);
            format!("{{item: i{n}, check: {{type: command, value: \"{waits}; touch {n}\"}}}}")
        })
        .collect();
    let yaml = format!("base_case: {{checklist: [{}]}}", items.join(", "));
    let criteria = Criteria::parse(&yaml).unwrap();
    let environment = environment();
    let mut settings = settings(&folder, &environment);
    settings.jobs = NonZeroUsize::new(8).unwrap();
    let finished = Mutex::new(Vec::new());
    let report = evaluate(&criteria, &settings, &|event| {
        if let Event::Finished { index, .. } = event {
            finished.lock().unwrap().push(index);
        }
    });
    assert!(report.passed, "{report:?}");
    let names: Vec<_> = report
        .checklist
        .iter()
        .map(|one| one.item.as_str())
        .collect();
    assert_eq!(names, ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"]);
    assert_ne!(finished.into_inner().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn what_is_not_done_in_time_is_an_error_and_no_failure() {
    let folder = TempDir::new().unwrap();
    let late = |settings: &mut Settings<'_>| settings.deadline = Some(Instant::now());
    for check in [
        "{type: command, value: exit 1}",
        "{type: not_command, value: exit 0}",
        "{type: file, value: '**/missing'}",
        "{type: file, value: missing}",
        "{type: not_file, value: missing}",
    ] {
        let (outcome, evidence) = one(&folder, check, late);
        assert_eq!(outcome, Outcome::Error, "{check}: {evidence}");
        assert!(evidence.contains("no time is left"), "{evidence}");
    }
}

const RUBRIC: &str = "{type: quality, pass_threshold: 3.5, scope: ['src/**/*.rs'], rubric: [
    {criterion: clear, description: reads well, weight: 3, levels: {1: no, 5: yes}},
    {criterion: safe, weight: 1, levels: {1: no, 5: yes}}]}";

#[test]
fn quality_is_skipped_counted_up_or_judged() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/a.rs"), "").unwrap();
    assert_eq!(one(&folder, RUBRIC, |_| {}).0, Outcome::Skipped);
    for (json, outcome) in [
        (
            r#"{"clear": {"score": 4, "reason": "ok"}, "safe": {"score": 2}}"#,
            Outcome::Pass,
        ),
        (
            r#"{"clear": {"score": 3}, "safe": {"score": 4}}"#,
            Outcome::Fail,
        ),
        (r#"{"clear": {"score": 3}}"#, Outcome::Error),
        (
            r#"{"clear": {"score": 9}, "safe": {"score": 4}}"#,
            Outcome::Error,
        ),
        ("{}", Outcome::Skipped),
    ] {
        let scores = Scores::parse(json.as_bytes()).unwrap();
        let criteria = Criteria::parse(&format!("base_case: {RUBRIC}")).unwrap();
        let environment = environment();
        let mut settings = settings(&folder, &environment);
        settings.grading = Grading::Scores(&scores);
        let report = evaluate(&criteria, &settings, &|_| {});
        assert_eq!(report.checklist[0].outcome, outcome, "{json}: {report:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_judge_gets_the_rubric_and_the_files() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/a.rs"), "").unwrap();
    let judge = |command: &str, check: &str| {
        let criteria = Criteria::parse(&format!("base_case: {check}")).unwrap();
        let environment = environment();
        let mut settings = settings(&folder, &environment);
        let changed = || vec![PathBuf::from("changed.rs")];
        settings.grading = Grading::Judge {
            command,
            environment: &environment,
            changed: &changed,
        };
        let report = evaluate(&criteria, &settings, &|_| {});
        (
            report.checklist[0].outcome,
            report.checklist[0].evidence.clone(),
        )
    };
    let scores = r#"echo '{"clear": {"score": 5}, "safe": {"score": 3}}'"#;
    let (outcome, evidence) = judge(
        &format!("cat > asked.json; {scores}; echo noise >&2"),
        RUBRIC,
    );
    assert_eq!(
        (outcome, evidence.as_str()),
        (
            Outcome::Pass,
            "weighted average 4.50, threshold 3.5: clear 5, safe 3"
        )
    );
    let asked = fs::read_to_string(folder.path().join("asked.json")).unwrap();
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(
        asked,
        json!({
            "item": "base_case",
            "criteria": null,
            "rubric": [
                {"criterion": "clear", "description": "reads well", "weight": 3.0, "levels": {"1": "no", "5": "yes"}},
                {"criterion": "safe", "description": null, "weight": 1.0, "levels": {"1": "no", "5": "yes"}},
            ],
            "pass_threshold": 3.5,
            "files": ["src/a.rs"],
        })
    );
    let sentence = "{type: quality, criteria: it is good, pass_threshold: 3}";
    let (outcome, _) = judge(
        r#"grep -q '"files":\["changed.rs"\]' && echo '{"overall": {"score": 4}}'"#,
        sentence,
    );
    assert_eq!(outcome, Outcome::Pass);
    for (command, evidence) in [
        ("echo broken >&2; exit 2", "the judge: exit status 2"),
        (
            "echo not json",
            "the judge: what it printed is not an object of the form {\"criterion\": {\"score\": 4, \
             \"reason\": \"…\"}}: line 1, column 2: a JSON value should be here",
        ),
        ("no-such-judge", "the judge: command not found"),
        (
            "yes | head -c 3000000",
            "the judge: it printed more than 1 MiB",
        ),
    ] {
        let (outcome, found) = judge(command, sentence);
        assert_eq!(outcome, Outcome::Error, "{command}: {found}");
        assert!(found.contains(evidence), "{command}: {found}");
    }
}
