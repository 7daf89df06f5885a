//! What becomes of a command whose output goes nowhere: a full disk, or a pipe that nobody reads.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::process::Stdio;

use crate::common::TestContext;
#[cfg(unix)]
use crate::common::agent::{Agent, done};
#[cfg(unix)]
use crate::common::{BINARY, Printed};

#[cfg(unix)]
/// A home with one verdict, a snapshot, a report and criteria, and each command that prints there.
fn scene() -> (TestContext, Vec<Vec<String>>) {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    context.attest(["install"]).assert_success();
    let folder = context.folder();
    fs::write(folder.join("report.md"), done("a.py")).unwrap();
    let before = context.attest(["snapshot", "--repo", "repo"]);
    fs::write(folder.join("before.json"), before.assert_success().stdout).unwrap();
    let criteria = "base_case:\n  checklist:\n    - item: there\n      check: {type: file, value: report.md}\n";
    fs::write(folder.join("criteria.yaml"), criteria).unwrap();
    let lines = [
        "snapshot --repo repo",
        "verify --claim-file report.md --before before.json --repo repo",
        "claim report.md",
        "agents",
        "agents --json",
        "log",
        "log --json",
        "show",
        "show --json",
        "explain",
        "stats",
        "stats --json",
        "report report.html",
        "gc --dry-run",
        "check criteria.yaml --yes",
        "check criteria.yaml --yes --json",
        "check criteria.yaml --yes --jsonl",
        "check --schema",
        "trust --show criteria.yaml",
        "install",
        "uninstall --dry-run",
        "doctor",
        "doctor --json",
        "--help",
        "--version",
    ];
    let words = |line: &str| line.split(' ').map(str::to_owned).collect();
    (context, lines.map(words).into())
}

#[cfg(unix)]
fn run(context: &TestContext, arguments: &[String], stdout: Stdio) -> Printed {
    let mut command = context.command(BINARY);
    command
        .args(arguments)
        .stdout(stdout)
        .stderr(Stdio::piped());
    Printed::of(command.spawn().unwrap().wait_with_output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_command() {
    let (context, commands) = scene();
    for arguments in commands {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let printed = run(&context, &arguments, full.into());
        assert_eq!(printed.code, Some(1), "{arguments:?}: {printed:?}");
        assert!(
            printed.stderr.contains("No space left"),
            "{arguments:?}: {printed:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error_of_any_command() {
    let (context, commands) = scene();
    for arguments in commands {
        let usual = run(&context, &arguments, Stdio::piped());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let printed = run(&context, &arguments, writer.into());
        assert_eq!(printed.code, usual.code, "{arguments:?}: {printed:?}");
        assert_eq!(printed.stderr, usual.stderr, "{arguments:?}");
        assert_eq!(printed.code, Some(0), "{arguments:?}: {printed:?}");
    }
}

/// Every error has the same form, and nothing in it that means nothing to a person.
#[test]
fn errors_have_one_voice() {
    let mut context = TestContext::new();
    let missing = context.folder().join("no/folder/report.html");
    let printed = context
        .attest(["report".as_ref(), missing.as_os_str()])
        .assert_failure();
    let stderr = context.named(&printed.stderr);
    assert_eq!(
        stderr,
        "error: cannot write \"[FOLDER]/no/folder/report.html\"\n\
         caused by: No such file or directory\n"
    );
    for (typed, meant) in [("lgo", "log"), ("explian", "explain"), ("doctr", "doctor")] {
        let printed = context.attest([typed]);
        assert_eq!(printed.code, Some(2));
        let tip = format!("tip: a similar subcommand exists: '{meant}'");
        assert!(printed.stderr.contains(&tip), "{printed:?}");
    }
    assert!(!context.attest(["xyzzy"]).stderr.contains("tip:"));
    context.set("CLICOLOR_FORCE", "1");
    let printed = context.attest(["show"]).assert_failure();
    for label in ["error:", "hint:"] {
        let (before, _) = printed.stderr.split_once(label).unwrap();
        let begins = before.rfind("\u{1b}[").unwrap();
        assert!(before[begins..].ends_with('m'), "{printed:?}");
    }
}

#[test]
fn help_is_in_groups_and_its_long_form_says_more() {
    let context = TestContext::new();
    let short = context.attest(["-h"]).assert_success().stdout;
    let long = context.attest(["--help"]).assert_success().stdout;
    for title in [
        "Set up:",
        "Watch:",
        "Completion criteria:",
        "Plumbing:",
        "Options:",
    ] {
        assert!(short.contains(title) && long.contains(title), "{title}");
    }
    assert!(long.contains("Begin with:") && !short.contains("Begin with:"));
    for command in ["claim", "snapshot", "verify", "report"] {
        let of = |option| context.attest([command, option]).assert_success().stdout;
        let (short, long) = (of("-h"), of("--help"));
        assert!(
            long.contains("Examples:") && !short.contains("Examples:"),
            "{command}"
        );
    }
}

/// A terminal shows JSON too: what turns the text around it, or hides, is an escape in it, and means the same.
#[test]
fn nothing_hidden_is_in_json() {
    let context = TestContext::new();
    let name = "a\u{202e}gpj.py";
    let repo = context.repository("repo", &[("a.py", "1")]);
    std::fs::write(repo.join(name), "x").unwrap();
    let message = format!("Status: DONE\nFiles changed: {name}\n");
    let claim = context.attest_with_input(["claim", "--json"], message.as_bytes());
    let snapshot = context.attest(["snapshot", "--json", "--repo", "repo"]);
    let flat = context.attest(["snapshot", "--format", "flat", "--repo", "repo"]);
    let error = context.attest(["verify", "--json", "--before", name, "--claim-file", name]);
    for text in [claim.stdout, snapshot.stdout, flat.stdout, error.stderr] {
        assert!(!text.contains('\u{202e}'), "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let meant = value.to_string();
        assert!(
            meant.contains(name) || meant.contains("\\\\u{202e}"),
            "{meant}"
        );
    }
}

/// Nor in what is said of the words of a command line, which others may have chosen; each is quoted on its line. What can
/// be seen stays as it is.
#[test]
fn nothing_hidden_is_said_of_a_command_line() {
    let context = TestContext::new();
    let word = "é✅\u{202e}\u{200b}\u{9b}31m\r\nerror: \u{1b}[2J";
    for words in [
        &[word][..],
        &["--", word],
        &[&format!("--{word}")],
        &["log", "--since", word],
        &["log", "-n", word],
        &["install", "--host", word],
        &["hook", "start", "--harness", word],
        &[
            "enforce",
            "on",
            "--dry-run",
            "--host",
            "codex",
            "--agent",
            word,
        ],
        &["uninstall", "--dry-run", "--settings", word],
    ] {
        let printed = context.attest(words);
        let text = printed.stdout + &printed.stderr;
        let is_hidden = |char| "\u{202e}\u{200b}\u{9b}\r\u{1b}".contains(char);
        assert!(!text.contains(is_hidden), "{words:?}: {text:?}");
        let forged = text.lines().filter(|line| line.starts_with("error: "));
        assert!(forged.count() <= 1, "{words:?}: {text}");
        assert!(
            text.contains("é✅\\u{202e}") || words[0] == "hook",
            "{words:?}: {text}"
        );
    }
}

#[cfg(unix)]
/// Nor what others chose that is recorded, in any listing.
#[test]
fn nothing_hidden_is_in_json_of_what_is_recorded() {
    const HIDDEN: &str = "\u{202e}\u{200b}\u{2066}\u{e0041}";
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let mut agent = Agent::new("a1", &repo);
    agent.kind = format!("plan✅{HIDDEN}");
    agent.session = "s".to_owned();
    agent.start(&context);
    std::fs::write(repo.join(format!("é{HIDDEN}.py")), "x").unwrap();
    let claim = done(&format!("é{HIDDEN}.py, src/{HIDDEN}ghost.py"));
    agent.stop(&context, &claim);
    for words in [
        &["log", "--json"][..],
        &["agents", "--json"],
        &["show", "--json"],
        &["stats", "--json", "--by", "type"],
        &["stats", "--json"],
        &["doctor", "--json"],
    ] {
        let mut command = context.command(BINARY);
        let output = command.args(words).current_dir(&repo).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            !text.contains(|char| HIDDEN.contains(char)),
            "{words:?}: {text}"
        );
        for value in serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>() {
            let meant = value.unwrap().to_string();
            // What can be seen stays as it is.
            if meant.contains("plan") {
                assert!(text.contains('✅'), "{words:?}: {text}");
            }
        }
        assert!(!text.is_empty(), "{words:?}");
    }
}
