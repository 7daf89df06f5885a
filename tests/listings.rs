//! Every listing as a terminal of 40, 80 and 120 columns shows it: names that are long, wide or
//! written from right to left, and nothing cut that a person needs whole.

use std::fs::{self, File};
use std::io::Read as _;
use std::process::Stdio;

use attest_claim::Kind;
use attest_state::history::{Change, Detail, Judged, Listed, ToolCall};
use attest_verdict::{Finding, Side};
use unicode_width::UnicodeWidthStr as _;

use crate::common::recorded::{Recorded, record, state};
use crate::common::terminal::Terminal;
use crate::common::{BINARY, TestContext};

const WIDTHS: [u16; 3] = [40, 80, 120];

/// The verdicts: id, agent, type, outcome, reason, summary.
const VERDICTS: [[&str; 6]; 6] = [
    [
        "0a1b2c3d4e5f6071",
        "a0123456789abcdef",
        "general-purpose",
        "OK",
        "ALLOW_NOT_ENFORCING",
        "src/parser.py",
    ],
    [
        "1a1b2c3d4e5f6072",
        "0198f7c2-1111-7aaa-8bbb-0123456789ab",
        "a-type-of-agent-with-a-very-long-name-of-its-own",
        "MISMATCH",
        "ALLOW_NOT_ENFORCING",
        "services/payments/internal/adapters/persistence/transaction_repository_integration_test.go",
    ],
    [
        "2a1b2c3d4e5f6073",
        "0198f7c2-1112-7aaa-8bbb-0123456789ab",
        "資料整理代理人",
        "BLOCKED",
        "BLOCK_FALSE_DONE",
        "資料/日本語の長い名前のファイル.txt, 説明.md and 3 more",
    ],
    [
        "3a1b2c3d4e5f6074",
        "a0123456789abcde0",
        "مراجع الشيفرة",
        "WARN",
        "ALLOW_NOT_FALSE_DONE",
        "מסמכים/קובץ עם שם ארוך מאוד.txt",
    ],
    [
        "4a1b2c3d4e5f6075",
        "a9",
        "Explore",
        "UNVERIFIABLE",
        "ALLOW_DELTA_UNRELIABLE",
        "the index is of a version that is not known",
    ],
    [
        "5a1b2c3d4e5f6076",
        "b0",
        "Explore",
        "NO_CLAIM",
        "ALLOW_NOT_FALSE_DONE",
        "",
    ],
];

/// A home with these verdicts.
pub fn scene() -> TestContext {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1").set("TERM", "xterm");
    let state = state(&mut context);
    for (number, verdict) in VERDICTS.iter().enumerate() {
        let [id, agent, kind, outcome, reason, summary] = *verdict;
        let at = format!("2020-01-02T03:04:{number:02}.000000Z");
        let stop = Recorded {
            id,
            session: "session-1",
            agent,
            kind,
            started: &at,
            at: &at,
            outcome,
            reason,
            summary,
            repository: "/home/person/projects/a-repository-with-a-long-name",
            transcript: None,
        };
        record(&state, stop, &detail(outcome));
    }
    context
}

/// What one verdict of each kind rests on.
fn detail(outcome: &str) -> Detail {
    let files = "src/parser.py, 資料/日本語の長い名前のファイル.txt, services/payments/internal/adapters/repository_test.go";
    let claim = attest_claim::parse(&format!("Status: DONE\nFiles changed: {files}"));
    let judged = |claimed: &str, finding, is_proof: bool| Judged {
        kind: Kind::Files,
        claimed: claimed.into(),
        finding,
        why: None,
        doubt: None,
        testimony: is_proof.then(|| "Write of it reported success".into()),
        is_proof,
    };
    let is_false = matches!(outcome, "MISMATCH" | "BLOCKED");
    let is_ok = outcome == "OK";
    let side = || Side {
        taken_at: 1_577_934_245_000_000_000,
        head: Some("0123456789abcdef0123456789abcdef01234567".into()),
        branch: Some("refs/heads/a-branch-with-a-long-name".into()),
        differing: 0,
        of_hosts: 0,
    };
    Detail {
        source: Some("payload".into()),
        claim: (outcome != "NO_CLAIM").then_some(claim),
        has_agent_id: true,
        findings: vec![
            judged("src/parser.py", Finding::Changed, false),
            judged(
                "資料/日本語の長い名前のファイル.txt",
                if is_ok {
                    Finding::Changed
                } else {
                    Finding::Present
                },
                false,
            ),
            judged(
                "services/payments/internal/adapters/repository_test.go",
                if is_false {
                    Finding::Absent
                } else {
                    Finding::LandedElsewhere
                },
                is_false,
            ),
        ],
        calls: Listed::of(["src/parser.py", "קובץ.txt"].iter(), |path| ToolCall {
            tool: "Write".into(),
            path: Some((*path).to_owned()),
            at: Some("2020-01-02T03:04:01Z".into()),
            is_ok: Some(true),
        }),
        delta: Listed::of(
            ["src/parser.py", "src/a_file_that_was_not_claimed.py"].iter(),
            |path| Change {
                path: (*path).to_owned(),
                is_deleted: false,
            },
        ),
        unclaimed: Listed::of(
            ["src/a_file_that_was_not_claimed.py"]
                .iter()
                .filter(|_| !is_ok),
            |path| (*path).to_owned(),
        ),
        start: Some(side()),
        stop: Some(side()),
        unreadable: (outcome == "UNVERIFIABLE")
            .then(|| "the index is of a version that is not known".into()),
        block: (outcome == "BLOCKED").then(|| {
            "attest: the report says Status: DONE, but the git work tree disproves part of it"
                .into()
        }),
        ..Detail::default()
    }
}

/// What a terminal of this width shows.
fn on_terminal(context: &TestContext, arguments: &[&str], width: u16) -> String {
    let terminal = Terminal::of_width(width);
    let mut command = context.command(BINARY);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(terminal.end()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let person = terminal.leave();
    let shown = std::thread::spawn(move || read(person));
    child.wait().unwrap();
    shown.join().unwrap().replace("\r\n", "\n")
}

/// Everything until nobody has the other end any more, which is an error to Linux.
fn read(mut person: File) -> String {
    let (mut shown, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = person.read(&mut part) {
        shown.extend_from_slice(&part[..length]);
    }
    String::from_utf8(shown).unwrap()
}

fn assert_fits(text: &str, width: u16, what: &[&str]) {
    assert!(!text.is_empty(), "{what:?} at {width}");
    for line in text.lines() {
        assert!(
            line.width() <= width.into(),
            "{what:?} at {width}: {line:?}"
        );
        assert_eq!(line, line.trim_end(), "{what:?} at {width}");
    }
}

const LISTINGS: [(&str, &[&str]); 10] = [
    ("status", &["status"]),
    ("questions", &["explain", "questions"]),
    ("agents", &["agents"]),
    ("log", &["log"]),
    ("stats", &["stats"]),
    ("show_false", &["show", "1a1b"]),
    ("show_blocked", &["show", "2a1b"]),
    ("explain_ok", &["explain", "0a1b"]),
    ("explain_false", &["explain", "1a1b"]),
    (
        "nothing",
        &[
            "log",
            "--agent-type",
            "nobody",
            "--outcome",
            "scope-creep",
            "--since",
            "2019-01-01",
        ],
    ),
];

#[test]
fn every_listing_fits_a_terminal_of_any_width() {
    let context = scene();
    for (name, arguments) in LISTINGS {
        for width in WIDTHS {
            let text = on_terminal(&context, arguments, width);
            assert_fits(&text, width, arguments);
            insta::with_settings!({
                filters => vec![(r"\d+(\s+)days ago", "[N]${1}days ago")],
                omit_expression => true,
            }, {
                insta::assert_snapshot!(format!("{name}_{width}"), text);
            });
        }
    }
}

#[test]
fn what_names_no_place_of_the_run_fits_as_well() {
    let context = scene();
    for width in 40..130 {
        for arguments in [&["log"][..], &["agents"], &["stats"]] {
            let text = on_terminal(&context, arguments, width);
            assert_fits(&text, width, arguments);
        }
    }
    for arguments in [
        &["doctor"][..],
        &["--help"],
        &["log", "--help"],
        &["check", "--help"],
    ] {
        for width in WIDTHS {
            let text = on_terminal(&context, arguments, width);
            assert_fits(&text, width, arguments);
        }
    }
}

/// Every id and time that a list shows can be typed.
#[test]
fn what_a_list_shows_can_be_asked_for() {
    let context = scene();
    for width in WIDTHS {
        let log = on_terminal(&context, &["log"], width);
        for [id, agent, ..] in VERDICTS {
            let shown = log
                .split_whitespace()
                .find(|word| id.starts_with(word) && word.len() > 3);
            let found = context
                .attest(["show", shown.unwrap(), "--json"])
                .assert_success();
            assert!(found.stdout.contains(id), "{found:?}");
            let agents = on_terminal(&context, &["agents"], width);
            let shown = agents
                .lines()
                .filter_map(|line| line.split_whitespace().next());
            let shown = shown
                .filter(|word| agent.starts_with(word))
                .max_by_key(|word| word.len());
            let found = context
                .attest(["show", shown.unwrap(), "--json"])
                .assert_success();
            assert!(found.stdout.contains(agent), "{found:?}");
        }
        let since = ["log", "--json", "--since", "2020-01-02"];
        assert_eq!(
            context
                .attest(since)
                .assert_success()
                .stdout
                .lines()
                .count(),
            6
        );
    }
}

/// A claim, a snapshot and a judgement are for the person at the terminal, and JSON for everybody else.
#[test]
fn what_is_printed_on_a_terminal_is_for_a_person() {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1").set("TERM", "xterm");
    let repo = context.repository("repo", &[("a.py", "1\n")]);
    let folder = context.folder();
    let before = context
        .attest(["snapshot", "--repo", "repo"])
        .assert_success();
    fs::write(folder.join("before.json"), before.stdout).unwrap();
    fs::write(repo.join("a.py"), "2\n").unwrap();
    fs::write(repo.join("b.py"), "2\n").unwrap();
    let report = "Status: DONE\nFiles changed: a.py, ghost.py, *.rs";
    fs::write(folder.join("report.md"), report).unwrap();
    let verify = [
        "verify",
        "--claim-file",
        "report.md",
        "--before",
        "before.json",
        "--repo",
        "repo",
    ];
    for (arguments, words) in [
        (
            &["claim", "report.md"][..],
            &["status  DONE", "ghost.py", "nothing: a pattern"][..],
        ),
        (
            &["snapshot", "--repo", "repo"],
            &["2 paths differ from HEAD", "written  a.py", "(main)"],
        ),
        (
            &verify,
            &[
                "✗ MISMATCH: DONE is disproved",
                "ABSENT",
                "CHANGED, NOT CLAIMED",
                "b.py",
            ],
        ),
    ] {
        for width in WIDTHS {
            let text = on_terminal(&context, arguments, width);
            assert_fits(&text, width, arguments);
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for word in words {
                let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(flat.contains(&word), "{word} at {width}: {text}");
            }
        }
        let asked = [arguments, &["--json"]].concat();
        let json = on_terminal(&context, &asked, 80);
        let piped = context.attest(arguments).assert_success();
        for text in [&json, &piped.stdout] {
            let object: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(object.is_object(), "{text}");
        }
    }
}

#[test]
fn a_person_who_has_to_type_a_message_is_told_so() {
    let context = TestContext::new();
    let terminal = Terminal::open();
    let mut command = context.command(BINARY);
    command
        .arg("claim")
        .stdin(terminal.end())
        .stdout(Stdio::null());
    command.stderr(terminal.end());
    let mut child = command.spawn().unwrap();
    terminal.type_in("Status: DONE\n\u{4}");
    assert!(child.wait().unwrap().success());
    assert!(
        terminal.shown().contains("standard input"),
        "{}",
        terminal.shown()
    );
}
