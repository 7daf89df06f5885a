//! `snapshot`, `verify`, `claim` and `gc` through the binary.

use std::fs;
use std::path::Path;

use crate::common::agent::{Agent, done};
#[cfg(unix)]
use crate::common::in_one_of_some_tries;
use crate::common::{Printed, TestContext};
use serde_json::Value;

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("src/b.py", "two\n")];

fn snapshot(context: &TestContext, repo: &Path, extra: &[&str]) -> String {
    let mut arguments = vec!["snapshot", "--repo", repo.to_str().unwrap()];
    arguments.extend(extra);
    context.attest(arguments).assert_success().stdout
}

/// `verify` of a message against a snapshot that was taken before.
fn verify(
    context: &TestContext,
    repo: &Path,
    before: &str,
    message: &str,
    extra: &[&str],
) -> Printed {
    let (claim, snapshot) = (
        context.folder().join("claim.md"),
        context.folder().join("before.json"),
    );
    fs::write(&claim, message).unwrap();
    fs::write(&snapshot, before).unwrap();
    let mut arguments = vec!["verify", "--repo", repo.to_str().unwrap()];
    arguments.extend(["--claim-file", claim.to_str().unwrap()]);
    arguments.extend(["--before", snapshot.to_str().unwrap()]);
    arguments.extend(extra);
    context.attest(arguments)
}

fn json(printed: Printed) -> Value {
    serde_json::from_str(&printed.assert_success().stdout).unwrap()
}

#[test]
fn the_document_is_versioned_sorted_and_the_same_again() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    fs::write(repo.join("z.txt"), "new").unwrap();
    fs::write(repo.join("a.py"), "changed").unwrap();
    fs::remove_file(repo.join("src/b.py")).unwrap();
    let document: Value = serde_json::from_str(&snapshot(&context, &repo, &[])).unwrap();
    assert_eq!(document["version"], 1);
    assert_eq!(
        document["root"],
        attest_snapshot::canonical(&repo).unwrap().to_str().unwrap()
    );
    assert_eq!(document["branch"], "refs/heads/main");
    assert_eq!(document["head"], document["refs"]["refs/heads/main"]);
    assert!(document["refs"]["refs/heads/main"].is_string());
    insta::assert_json_snapshot!(document["files"], @r#"
    [
      {
        "fingerprint": "sha256:d67e2e944994496c8d8ec76eed0cf9f09679448d584b532bebf941852a37f5ed",
        "path": "a.py"
      },
      {
        "fingerprint": "deleted",
        "path": "src/b.py"
      },
      {
        "fingerprint": "sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437",
        "path": "z.txt"
      }
    ]
    "#);
    let again: Value =
        serde_json::from_str(&snapshot(&context, &repo.join("src/.."), &[])).unwrap();
    assert_eq!(document["files"], again["files"]);
    assert!(
        !context.home().join(".attest").exists(),
        "needs no state file and makes none"
    );
}

#[cfg(unix)]
#[test]
fn the_flat_map_is_that_of_the_python_tool() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    context.set("ATTEST_MAX_HASH_BYTES", "10");
    context.git(&repo, &["mv", "src/b.py", "c.py"]);
    fs::write(repo.join("large"), "more than ten bytes").unwrap();
    std::os::unix::fs::symlink("nowhere", repo.join("link")).unwrap();
    let map: Value =
        serde_json::from_str(&snapshot(&context, &repo, &["--format", "flat"])).unwrap();
    let map = map.as_object().unwrap();
    assert_eq!(
        map.keys().collect::<Vec<_>>(),
        ["c.py", "large", "link", "src/b.py"]
    );
    assert_eq!(map["src/b.py"], "\u{0}DELETED\u{0}");
    assert_eq!(
        map["c.py"],
        "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"
    );
    assert!(map["link"].as_str().unwrap().starts_with("link:"));
    let large: Vec<_> = map["large"].as_str().unwrap().split(':').collect();
    assert_eq!((large[0], large[1], large[3].len()), ("meta", "19", 16));
}

#[test]
fn a_false_done_is_found_against_both_formats() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for format in ["json", "flat"] {
        let before = snapshot(&context, &repo, &["--format", format]);
        fs::write(repo.join("a.py"), format).unwrap();
        fs::write(repo.join("extra.py"), format).unwrap();
        let verdict = json(verify(
            &context,
            &repo,
            &before,
            &done("a.py, ghost.py"),
            &[],
        ));
        assert_eq!(verdict["false_done"], true, "{verdict:#}");
        assert_eq!(
            verdict["claimed_but_unchanged"],
            serde_json::json!(["ghost.py"])
        );
        assert_eq!(
            verdict["observed_but_unclaimed"],
            serde_json::json!(["extra.py"])
        );
        assert_eq!(verdict["ambiguous"], false);
        assert_eq!(verdict["findings"][1]["finding"], "ABSENT");
        context.git(&repo, &["add", "--all"]);
        context.git(&repo, &["commit", "--quiet", "--message", format]);
    }
}

#[test]
fn committed_work_is_work_in_our_format_and_a_doubt_in_the_flat_one() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let (ours, flat) = (
        snapshot(&context, &repo, &[]),
        snapshot(&context, &repo, &["--format", "flat"]),
    );
    fs::write(repo.join("gone.py"), "x").unwrap();
    context.git(&repo, &["add", "--all"]);
    context.git(&repo, &["commit", "--quiet", "--message", "add"]);
    context.git(&repo, &["rm", "--quiet", "gone.py"]);
    context.git(&repo, &["commit", "--quiet", "--message", "remove"]);
    for before in [ours, flat] {
        let verdict = json(verify(&context, &repo, &before, &done("gone.py"), &[]));
        assert_eq!(verdict["false_done"], false, "{verdict:#}");
    }
}

#[test]
fn the_folder_may_be_relative_and_below_the_root() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let before = context.folder().join("before.json");
    let claim = context.folder().join("claim.md");
    fs::write(&claim, done("new/deep/x.py, ghost.py")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = context.command(crate::common::BINARY);
        command.current_dir(repo.join("src")).args(arguments);
        Printed::of(command.output().unwrap())
            .assert_success()
            .stdout
    };
    fs::write(&before, run(&["snapshot"])).unwrap();
    fs::create_dir_all(repo.join("src/new/deep")).unwrap();
    fs::write(repo.join("src/new/deep/x.py"), "x").unwrap();
    let (claim, before) = (claim.to_str().unwrap(), before.to_str().unwrap());
    let verdict: Value =
        serde_json::from_str(&run(&["verify", "--claim-file", claim, "--before", before])).unwrap();
    assert_eq!(
        verdict["claimed_but_unchanged"],
        serde_json::json!(["ghost.py"]),
        "{verdict:#}"
    );
    assert_eq!(verdict["false_done"], true);
}

#[test]
fn exit_status_tells_a_false_done_only_when_asked() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let before = snapshot(&context, &repo, &[]);
    let run = |message: &str, extra: &[&str]| verify(&context, &repo, &before, message, extra).code;
    assert_eq!(run(&done("ghost.py"), &[]), Some(0));
    assert_eq!(run(&done("ghost.py"), &["--exit-code"]), Some(3));
    assert_eq!(run(&done("a.py"), &["--exit-code"]), Some(0));
}

#[test]
fn bad_input_is_one_json_object_on_standard_error() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let before = snapshot(&context, &repo, &[]);
    let plain = context.folder().join("plain");
    fs::create_dir(&plain).unwrap();
    let bad = context.folder().join("bad");
    fs::write(&bad, b"Status: \xff").unwrap();
    let bad = bad.to_str().unwrap();
    let missing = context.folder().join("missing");
    let all = [
        context.attest(["snapshot", "--repo", plain.to_str().unwrap()]),
        context.attest(["snapshot", "--repo", missing.to_str().unwrap()]),
        context.attest(["claim", bad]),
        context.attest(["claim", missing.to_str().unwrap()]),
        context.attest(["claim", plain.to_str().unwrap()]),
        verify(&context, &repo, "[]", "Status: DONE", &[]),
        verify(&context, &repo, "{\"a\": 7}", "Status: DONE", &[]),
        verify(&context, &repo, "{\"../a\": \"\"}", "Status: DONE", &[]),
        verify(&context, &repo, "{", "Status: DONE", &[]),
        verify(&context, &repo, "{\"version\": 99}", "Status: DONE", &[]),
        verify(&context, &plain, &before, "Status: DONE", &[]),
    ];
    for printed in all {
        let printed = printed.assert_failure();
        assert_eq!(printed.stdout, "");
        let error: Value = serde_json::from_str(&printed.stderr).unwrap();
        assert!(error["error"].is_string(), "{printed:?}");
    }
}

#[test]
fn wrong_usage_is_status_two() {
    let context = TestContext::new();
    for arguments in [&["snapshot", "--bogus"][..], &["verify"], &["nonsense"]] {
        assert_eq!(context.attest(arguments).code, Some(2), "{arguments:?}");
    }
    assert!(
        context
            .attest(["--version"])
            .assert_success()
            .stdout
            .starts_with("attest 0.")
    );
}

/// No verdict comes when nobody reads any more, so that nothing is written that would find out.
#[cfg(unix)]
#[test]
fn a_follower_ends_when_nobody_reads_it_any_more() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let mut command = context.command(crate::common::BINARY);
    let command = command.args(["log", "--follow"]);
    let mut follower = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = std::io::BufReader::new(follower.stdout.take().unwrap());
    agent.stop(&context, &done("ghost.py"));
    // As long as it is read it goes on.
    let mut line = String::new();
    while !line.contains("ghost.py") {
        assert!(std::io::BufRead::read_line(&mut reader, &mut line).unwrap() > 0);
    }
    drop(reader);
    let began = std::time::Instant::now();
    while follower.try_wait().unwrap().is_none() {
        if began.elapsed() > crate::common::SOON {
            follower.kill().unwrap();
            panic!("it goes on without a reader");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(follower.wait().unwrap().success());
}

#[test]
fn a_setting_that_cannot_be_read_is_said_by_every_command_and_by_the_log_of_the_hooks() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let before = snapshot(&context, &repo, &[]);
    context.set("ATTEST_STRICT", "untoched");
    context.set("ATTEST_MAX_RETRIES", "x");
    let repo_name = repo.to_str().unwrap();
    let html = context.folder().join("page.html");
    let all = [
        context.attest(["snapshot", "--repo", repo_name]),
        verify(&context, &repo, &before, "Status: DONE", &["--exit-code"]),
        context.attest(["gc"]),
        context.attest(["agents"]),
        context.attest(["log"]),
        context.attest(["show"]),
        context.attest(["explain"]),
        context.attest(["stats"]),
        context.attest(["report", html.to_str().unwrap()]),
    ];
    for printed in all {
        for (name, value) in [("ATTEST_STRICT", "untoched"), ("ATTEST_MAX_RETRIES", "x")] {
            let warning = format!("warning: {name}={value:?}: ");
            assert_eq!(printed.stderr.matches(&warning).count(), 1, "{printed:?}");
            assert!(!printed.stdout.contains("warning"), "{printed:?}");
        }
    }
    Agent::new("a1", &repo).start(&context);
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    assert_eq!(
        log.matches("WARN start BAD_VARIABLE ATTEST_").count(),
        2,
        "{log}"
    );
}

/// What a host does that does not know `args`: the bare program, with a payload on standard input.
#[test]
fn the_bare_program_is_harmless_as_a_hook() {
    let context = TestContext::new();
    let printed = context.attest_with_input::<_, &str>([], b"{\"prompt\": \"hello\"}");
    assert_eq!(
        (
            printed.code,
            printed.stdout.as_str(),
            printed.stderr.as_str()
        ),
        (Some(0), "", "")
    );
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    assert!(log.contains("WARN hook NO_COMMAND "), "{log}");
}

#[cfg(unix)]
#[test]
fn the_bare_program_shows_a_person_how_it_is_used() {
    let context = TestContext::new();
    let terminal = crate::common::terminal::Terminal::open();
    let mut command = context.command(crate::common::BINARY);
    command.stdin(terminal.end()).stdout(terminal.end());
    let status = command.stderr(terminal.end()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(terminal.shown().contains("Usage: attest"));
    assert!(!context.home().join(".attest").exists());
}

#[test]
fn a_hook_with_words_of_another_version_does_nothing_and_says_so_in_the_log() {
    for (arguments, code) in [
        (&["hook"][..], "NO_EVENT"),
        (&["hook", "subagent-idle"], "UNKNOWN_EVENT"),
        (&["hook", "stop", "--harness", "other"], "UNKNOWN_HARNESS"),
        (&["hook", "stop", "more"], "UNKNOWN_ARGUMENT"),
        (&["hook", "start", "--new-option"], "UNKNOWN_ARGUMENT"),
        (&["hook", "--new-option", "start"], "UNKNOWN_ARGUMENT"),
    ] {
        let context = TestContext::new();
        let printed = context.attest_with_input(arguments, b"{}");
        assert_eq!(
            (
                printed.code,
                printed.stdout.as_str(),
                printed.stderr.as_str()
            ),
            (Some(0), "", ""),
            "{arguments:?}"
        );
        let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(log.contains(&format!(" WARN hook {code} ")), "{log}");
    }
}

#[test]
fn the_claim_is_printed_with_its_fields() {
    let context = TestContext::new();
    let message = "## Handoff\nstatus: DONE\nfiles_changed: a.py, `src/b.py`\nblockers: none\nran_tests: yes\n";
    let claim = json(context.attest_with_input(["claim"], message.as_bytes()));
    assert_eq!(claim["status"], "DONE");
    assert_eq!(claim["source"], "handoff");
    assert_eq!(
        claim["files_changed"],
        serde_json::json!(["a.py", "src/b.py"])
    );
    assert_eq!(claim["ran_tests"], "yes");
    assert!(claim["raw"].as_str().unwrap().contains("files_changed"));
    assert_eq!(claim["entries"].as_array().unwrap().len(), 2);
    let file = context.folder().join("report.md");
    fs::write(&file, message).unwrap();
    let file = file.to_str().unwrap();
    for arguments in [&["claim", file][..], &["claim", "--file", file]] {
        assert_eq!(json(context.attest(arguments)), claim, "{arguments:?}");
    }
    let piped = context.attest_with_input(["claim", "--file", "-"], message.as_bytes());
    assert_eq!(json(piped), claim);
    let none = json(context.attest_with_input(["claim", "-"], b"I am DONE with a.py"));
    assert_eq!(none["source"], "none");
    assert_eq!(none["status"], Value::Null);
}

#[test]
fn agents_that_were_never_heard_of_again_are_collected() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for id in ["a1", "a2"] {
        Agent::new(id, &repo).start(&context);
    }
    let gc = |arguments: &[&str]| {
        let all = ["gc"].iter().chain(arguments).copied().collect::<Vec<_>>();
        context.attest(all).assert_success().stdout
    };
    assert_eq!(gc(&[]), "forgot 0 agents and 0 verdicts\n");
    assert_eq!(
        gc(&["--older-than", "0s", "--dry-run"]),
        "would forget 2 agents and 0 verdicts\n"
    );
    assert_eq!(
        gc(&["--older-than", "0s"]),
        "forgot 2 agents and 0 verdicts\n"
    );
    assert_eq!(
        gc(&["--older-than", "0s"]),
        "forgot 0 agents and 0 verdicts\n"
    );
    assert_eq!(context.attest(["gc", "--older-than", "soon"]).code, Some(2));
    assert_eq!(context.attest(["gc", "--older-than", "-1d"]).code, Some(2));
}

/// Reads a repository that only git itself understands, with a git that takes its time.
#[test]
#[cfg(unix)]
fn a_long_reading_shows_on_a_terminal_that_it_goes_on() {
    use crate::common::programs::make_program;
    let mut context = TestContext::new();
    // What only the git program reads.
    let repo = context.folder().join("repo");
    fs::create_dir(&repo).unwrap();
    context.git(&repo, &["init", "--quiet", "--object-format=sha256"]);
    context.git(
        &repo,
        &["commit", "--quiet", "--allow-empty", "--message", "start"],
    );
    let tools = context.folder().join("tools");
    let slow = "#!/bin/sh\nsleep 0.7\nPATH=${PATH#*:} exec git \"$@\"\n";
    make_program(&tools.join("git"), slow);
    let run = |context: &TestContext, terminal: &crate::common::terminal::Terminal| {
        let mut command = context.command(crate::common::BINARY);
        command.args(["snapshot", "--repo"]).arg(&repo);
        command.stderr(terminal.end());
        Printed::of(command.output().unwrap()).assert_success();
        // So that there is always something to read.
        terminal.type_in("end\n");
        terminal.shown()
    };
    let terminal = crate::common::terminal::Terminal::open();
    in_one_of_some_tries(|_| !run(&context, &terminal).contains("reading the work tree"));
    let path = context.command("sh").args(["-c", "echo $PATH"]).output();
    let path = Printed::of(path.unwrap()).stdout;
    let path = format!("{}:{}", tools.display(), path.trim_end());
    context.set("PATH", path).set("TERM", "xterm");
    assert!(run(&context, &terminal).contains("reading the work tree"));
}
