#![allow(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use attest_evidence::Budget;
use tempfile::TempDir;

use super::*;
use crate::Outcome;
use crate::{Session, SessionFile, Sought, TranscriptError, Whose, forms};

const NOW: Duration = Duration::ZERO;

/// What a hook reads that waits so long.
fn read_for(
    path: &Path,
    wait: Duration,
    wants_more: impl Fn(&ToolCalls) -> bool,
) -> Result<ToolCalls, TranscriptError> {
    let give_up = Instant::now() + wait;
    let asked = (Sought::default(), OwnChecks::default());
    let mut file = SessionFile::open_until(path, forms::ALL, asked, give_up)?;
    file.read_on(&mut |_| Whose::Own)?;
    while wants_more(&file.session().tool_calls) && file.wait_for_more(give_up)? {}
    Ok(file.session().tool_calls.clone())
}

fn call(id: &str, tool: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-01-01T00:00:01Z","message":{{"id":"m{id}","stop_reason":"tool_use","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}]}}}}"#
    )
}

fn write(id: &str, path: &str) -> String {
    call(id, "Write", &format!(r#"{{"file_path":"{path}"}}"#))
}

fn result(id: &str, is_error: bool) -> String {
    format!(
        r#"{{"type":"user","timestamp":"2026-01-01T00:00:02Z","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{is_error}}}]}}}}"#
    )
}

fn text(text: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"last","stop_reason":"end_turn","content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

fn file(lines: &[String]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    (folder, path)
}

fn read(lines: &[String]) -> ToolCalls {
    let (_folder, path) = file(lines);
    read_for(&path, NOW, |_| true).unwrap()
}

fn kinds(tool_calls: &ToolCalls) -> Vec<(CallKind, Outcome)> {
    tool_calls
        .calls
        .iter()
        .map(|call| (call.kind, call.result))
        .collect()
}

#[test]
fn results_are_joined_to_their_calls() {
    let tool_calls = read(&[
        write("1", "/a"),
        write("2", "/b"),
        result("2", true),
        result("1", false),
        write("3", "/c"),
    ]);
    let seen = tool_calls.calls.iter().map(|call| {
        (
            call.path.as_deref().unwrap(),
            call.result,
            call.at.as_deref().unwrap(),
        )
    });
    let seen: Vec<_> = seen.collect();
    let (made, answered) = ("2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z");
    let expected = [
        ("/a", Outcome::Ok, answered),
        ("/b", Outcome::Error, answered),
        ("/c", Outcome::Unknown, made),
    ];
    assert_eq!(seen, expected);
    assert!(tool_calls.is_whole);
}

#[test]
fn what_is_not_known_to_read_only_may_write() {
    for (tool, kind) in [
        ("Bash", CallKind::MayWrite),
        ("Agent", CallKind::MayWrite),
        ("mcp__disk__put", CallKind::MayWrite),
        ("mcp__disk__get", CallKind::NoFile),
        ("Write", CallKind::MayWrite),
        ("Read", CallKind::Other),
        ("update_plan", CallKind::Other),
    ] {
        let tool_calls = read(&[call("1", tool, "{}")]);
        assert_eq!(kinds(&tool_calls), [(kind, Outcome::Unknown)], "{tool}");
    }
}

#[test]
fn places_are_those_of_calls_that_may_write_anywhere() {
    let calls = read(&[
        call("1", "Bash", r#"{"command":"cd /srv && touch x/y"}"#),
        call("2", "Write", r#"{"file_path":"/a/b","content":"/c/d"}"#),
        call("3", "Grep", r#"{"path":"/e/f"}"#),
    ]);
    let place = Place::Exact("/srv/x/y".to_owned());
    let expected = [Written::Place(&place), Written::File("/a/b")];
    assert_eq!(calls.written().complete(), Ok(&expected.to_vec()));
}

#[test]
fn a_program_that_is_not_read_is_known_by_the_first_call_that_ran_it() {
    let run = |id: &str, command: &str| call(id, "Bash", &format!(r#"{{"command":"{command}"}}"#));
    let calls = read(&[
        run("1", "ls"),
        run("2", "./gen.sh"),
        run("3", "cd src && ./gen.sh; ./gen.sh"),
        run("4", "./gen.sh"),
    ]);
    let found = calls.programs().into_iter();
    let found: Vec<_> = found.map(|(call, it)| (call, it.path, it.folder)).collect();
    let first = (1, "./gen.sh", "");
    assert_eq!(found[0], first);
    assert!(found.contains(&(2, "src/./gen.sh", "src")), "{found:?}");
    assert_eq!(found.iter().filter(|it| it.1 == "./gen.sh").count(), 1);
}

#[test]
fn a_program_that_could_not_be_opened_did_not_run() {
    let programs = |command: &str, printed: &str| {
        let input = format!(r#"{{"command":"{command}"}}"#);
        let answer = result("1", true).replace(
            r#""is_error""#,
            &format!(r#""content":"Exit code 2\n{printed}","is_error""#),
        );
        let calls = read(&[call("1", "Bash", &input), answer]);
        let names: Vec<_> = calls
            .programs()
            .iter()
            .map(|it| it.1.path.to_owned())
            .collect();
        (names, calls.written().is_complete())
    };
    let absent = "python3: can't open file '/repo/src/a.py': [Errno 2] No such file or directory";
    assert_eq!(programs("python3 src/a.py", absent), (vec![], true));
    assert_eq!(
        programs("cd src && python3 a.py -x", absent),
        (vec![], true)
    );
    let run = |path: &str| (vec![path.to_owned()], false);
    // What it opens itself, and another one of that name.
    let inside = "FileNotFoundError: [Errno 2] No such file or directory: 'src/a.py'";
    assert_eq!(programs("python3 src/a.py", inside), run("src/a.py"));
    assert_eq!(programs("python3 src/b.py", absent), run("src/b.py"));
    let (both, is_complete) = programs("python3 a.py; python3 src/a.py", absent);
    assert_eq!((both.len(), is_complete), (2, false));
}

#[test]
fn a_body_is_what_the_call_right_before_has_written() {
    let body = r#"{"file_path":"/srv/q.json","content":"docs/a.md"}"#;
    let send = r#"{"command":"gh api graphql --input /srv/q.json"}"#;
    let edit = r#"{"file_path":"/srv/q.json","old_string":"a","new_string":"b"}"#;
    let begin = || vec![call("1", "Write", body), result("1", false)];
    let after = |more: &[String]| read(&[&begin()[..], more].concat()).written().is_complete();
    assert!(after(&[call("3", "Bash", send)]));
    assert!(after(&[call("2", "Read", body), call("3", "Bash", send)]));
    let run = r#"{"command":"sed -i s/a/b/ /srv/q.json"}"#;
    assert!(!after(&[
        call("2", "Edit", edit),
        result("2", false),
        call("3", "Bash", send)
    ]));
    assert!(!after(&[call("2", "Bash", run), call("3", "Bash", send)]));
    assert!(
        !read(&[
            call("1", "Write", body),
            result("1", true),
            call("3", "Bash", send)
        ])
        .written()
        .is_complete()
    );
}

#[test]
fn every_gap_in_a_transcript_is_a_doubt_with_a_reason() {
    let bash = |command: &str| {
        let input = serde_json::json!({ "command": command }).to_string();
        call("1", "Bash", &input)
    };
    let why = |lines: &[String]| {
        let (_folder, path) = file(lines);
        let calls = read_for(&path, NOW, |_| true).unwrap();
        let written = calls.written();
        written.complete().err().map(ToString::to_string)
    };
    assert_eq!(
        why(&[bash("touch a"), write("2", "/a"), text("done")]),
        None
    );
    for (lines, reason) in [
        (vec!["{".to_owned()], "a line is not understood"),
        (vec!["x".repeat(9 * 1024 * 1024)], "a line is too long"),
        (
            vec![bash("touch $X/a")],
            "by what only a shell knows ($X/a)",
        ),
        (
            vec![call("1", "mcp__disk__put", r#"{"key":"a"}"#)],
            "(mcp__disk__put)",
        ),
        (
            vec![bash(&format!("touch /{}", "x".repeat(5_000)))],
            "4096 bytes in the name of a place",
        ),
    ] {
        let why = why(&lines).unwrap_or_default();
        assert!(why.contains(reason), "{reason}: {why}");
    }
    // More calls than are kept, which costs no more time for each of them.
    let many: Vec<_> = (0..50_001).map(|n| write(&n.to_string(), "/a")).collect();
    assert!(why(&many).unwrap().contains("more than 50000 tool calls"));
    // A tool that failed wrote nothing, whatever it was; one that names its file says where.
    assert_eq!(why(&[call("1", "mcp__disk__put", r#"{"path":"a"}"#)]), None);
    assert_eq!(
        why(&[call("1", "mcp__slack__update_status", r#"{"path":"a"}"#)]),
        None
    );
}

#[test]
fn a_codex_rollout_is_read_alike() {
    let item = |payload: &str| {
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{payload}}}"#
        )
    };
    let tool_calls = read(&[
        r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned(),
        item(
            r#"{"type":"custom_tool_call","name":"apply_patch","call_id":"1","input":"*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch"}"#,
        ),
        item(
            r#"{"type":"custom_tool_call_output","call_id":"1","output":"{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"}"#,
        ),
        item(r#"{"type":"function_call","name":"exec_command","call_id":"2","arguments":"{}"}"#),
        item(r#"{"type":"function_call_output","call_id":"2","output":"Exit code: 3\nOutput:"}"#),
        item(
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}"#,
        ),
    ]);
    let expected = [
        (CallKind::Write, Outcome::Ok),
        (CallKind::MayWrite, Outcome::Ok),
        (CallKind::MayWrite, Outcome::Error),
    ];
    assert_eq!(kinds(&tool_calls), expected);
    assert_eq!(tool_calls.calls[1].path.as_deref(), Some("b.py"));
    assert!(tool_calls.ends_with("done"));
}

#[test]
fn a_line_that_cannot_be_read_costs_that_line_and_is_remembered() {
    let tool_calls = read(&[
        write("1", "/a"),
        r#"{"type":"assistant","message":{"content":[{"type":"tool"#.to_owned(),
        "\0\u{fffd}".to_owned(),
        String::new(),
        result("1", false),
    ]);
    assert_eq!(kinds(&tool_calls), [(CallKind::Write, Outcome::Ok)]);
    assert!(!tool_calls.is_whole);
}

#[test]
fn odd_results_change_nothing() {
    let tool_calls = read(&[
        result("1", false),
        write("1", "/a"),
        result("2", false),
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":7}]}}"#
            .to_owned(),
        r#"{"type":"user","message":7}"#.to_owned(),
    ]);
    assert_eq!(kinds(&tool_calls), [(CallKind::Write, Outcome::Unknown)]);
}

#[test]
fn the_end_is_the_newest_word() {
    assert!(read(&[text(" all done\\n")]).ends_with("all done"));
    assert!(!read(&[text("all done"), write("1", "/a")]).ends_with("all done"));
    assert!(!read(&[text("all done"), result("1", false)]).ends_with("all done"));
    let thinking = r#"{"type":"assistant","message":{"content":[{"type":"thinking"}]}}"#;
    assert!(read(&[text("all done"), thinking.to_owned()]).ends_with("all done"));
    assert!(!read(&[]).ends_with(""));
    let error = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 529"}]}}"#;
    let tool_calls = read(&[write("1", "/a"), error.to_owned()]);
    assert!(tool_calls.ends_in_host_error("API Error: 529 ") && tool_calls.ends_in_host_error(""));
    assert!(!tool_calls.ends_in_host_error("newer") && !tool_calls.ends_with("API Error: 529"));
}

#[test]
fn the_end_of_a_growing_file_is_waited_for() {
    let (_folder, path) = file(&[write("1", "/a")]);
    let growing = path.clone();
    let writer = thread::spawn(move || {
        let mut file = OpenOptions::new().append(true).open(growing).unwrap();
        let rest = format!("{}\n{}\n", result("1", false), text("done"));
        let (first, second) = rest.split_at(40);
        for part in [first, second] {
            thread::sleep(Duration::from_millis(30));
            file.write_all(part.as_bytes()).unwrap();
        }
    });
    let wants_more = |tool_calls: &ToolCalls| !tool_calls.ends_with("done");
    let tool_calls = read_for(&path, Duration::from_mins(5), wants_more).unwrap();
    writer.join().unwrap();
    assert_eq!(kinds(&tool_calls), [(CallKind::Write, Outcome::Ok)]);
    assert!(tool_calls.is_whole);
}

#[test]
fn waiting_and_reading_have_their_ends() {
    let begun = Instant::now();
    let (folder, path) = file(&[write("1", "/a")]);
    let wait = Duration::from_millis(50);
    assert_eq!(read_for(&path, wait, |_| true).unwrap().calls.len(), 1);
    let missing = read_for(&folder.path().join("missing"), wait, |_| true);
    assert!(matches!(missing, Err(TranscriptError::Missing { .. })));
    let folder = read_for(folder.path(), Duration::from_mins(1), |_| true);
    assert!(matches!(folder, Err(TranscriptError::NotAFile { .. })));
    let late = Session::read(&path, forms::ALL, &Budget::until(Some(begun)), &mut |_| {
        Whose::Own
    });
    assert!(!late.unwrap().is_whole());
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let opened = read_for(&pipe, Duration::from_mins(1), |_| true);
    assert!(matches!(opened, Err(TranscriptError::NotAFile { .. })));
}

#[test]
fn what_is_given_to_calls_is_kept_up_to_a_bound() {
    let long = format!(r#"{{"command":"touch a # {}"}}"#, "x".repeat(3_000_000));
    let calls = (0..6).map(|n| call(&n.to_string(), "Bash", &long));
    let tool_calls = read(&calls.collect::<Vec<_>>());
    assert!(tool_calls.is_whole && tool_calls.written().complete().is_err());
}

/// Calls of a shell: the command, and what it answers if it fails.
fn has_failed(calls: &[(&str, Option<&str>)]) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut text = String::new();
    for (at, (command, error)) in calls.iter().enumerate() {
        let id = format!("t{at}");
        let call = serde_json::json!({"type": "assistant", "message": {"content": [
            {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]}});
        let result = serde_json::json!({"type": "user", "message": {"content": [{"type": "tool_result",
            "tool_use_id": id, "content": error.unwrap_or("ok"), "is_error": error.is_some()}]}});
        text += &format!("{call}\n{result}\n");
    }
    fs::write(file.path(), text).unwrap();
    read_for(file.path(), NOW, |_| false)
        .unwrap()
        .has_failed_push()
}

const REFUSED: Option<&str> = Some("error: failed to push some refs to 'x'");

#[test]
fn a_push_that_git_refused_and_nothing_behind_it() {
    for calls in [
        &[("git push", REFUSED)][..],
        &[("git commit -m x && git push -u origin topic", REFUSED)],
        &[("git push", None), ("git push", REFUSED)],
        &[("git push", REFUSED), ("git status", None)],
        &[("git -C x push", Some("fatal: no remote"))],
        &[("git push origin main 2>&1", REFUSED)],
        &[("git push 2>&1 | tail -1", REFUSED)],
        &[("git push || true", REFUSED)],
        &[("git push", REFUSED), ("git push --dry-run", None)],
    ] {
        assert!(has_failed(calls), "{calls:?}");
    }
    for calls in [
        &[("git push", None)][..],
        &[("git push", REFUSED), ("git push --force", None)],
        &[("git push", REFUSED), ("make release", None)],
        &[("git push", REFUSED), ("git pull && git push; true", None)],
        &[(
            "git push",
            Some("the command was stopped after two minutes"),
        )],
        &[("git push 2>&1 | tail -1", None)],
        &[("git push || git push origin HEAD:topic", REFUSED)],
        &[("git push; git log x", Some("fatal: bad revision 'x'"))],
        &[("git push --dry-run", REFUSED)],
        &[("git commit -m x", Some("fatal: x"))],
        &[],
    ] {
        assert!(!has_failed(calls), "{calls:?}");
    }
}

#[test]
fn a_command_that_failed_is_no_success_whatever_its_tool_says() {
    let of = |exit: &str| {
        let call = r#"{"opencode":"call","id":"1","tool":"bash","input":{"command":"git push"}}"#;
        let result = format!(
            r#"{{"opencode":"result","id":"1","status":"completed"{exit},"output":"error: failed to push some refs"}}"#
        );
        let calls = read(&[call.to_owned(), result]);
        (calls.calls[0].result, calls.has_failed_push())
    };
    assert_eq!(of(r#","exit":1"#), (Outcome::Error, true));
    assert_eq!(of(r#","exit":0"#), (Outcome::Ok, false));
    assert_eq!(of(""), (Outcome::Ok, false));
}

#[test]
fn what_a_command_only_waits_for_it_does_not_write() {
    let places = places_of("sleep 60", ".");
    assert!(places.is_complete() && places.found().is_empty());
    let places = places_of("sleep 1 && echo x > made.py", ".");
    assert_ne!(places.found().as_slice(), []);
}

#[test]
fn code_that_names_a_file_may_have_written_it_and_a_check_or_a_failure_has_not() {
    let has_written = |command: &str, is_error: bool| {
        let input = serde_json::json!({ "command": command }).to_string();
        let calls = read(&[call("1", "Bash", &input), result("1", is_error)]);
        calls.may_have_written("src/a.py")
    };
    for command in [
        "python3 -c \"open('src/a.py', 'w')\"",
        "node - <<'EOF'\nwriteFileSync('a.py')\nEOF",
        "./make-it src/a.py",
    ] {
        assert!(has_written(command, false), "{command}");
        assert!(!has_written(command, true), "{command}");
    }
    for command in [
        "cat src/a.py",
        "echo 'a.py is done' > notes",
        "pytest src/a.py",
        "python3 -c \"open('src/b.py', 'w')\"",
    ] {
        assert!(!has_written(command, false), "{command}");
    }
    let code = "text(await tools.apply_patch(`*** Begin Patch\n*** Add File: src/a.py`))";
    let code = serde_json::json!(code).to_string();
    let rollout = format!(
        r#"{{"type":"response_item","payload":{{"type":"custom_tool_call","name":"exec","call_id":"1","input":{code}}}}}"#
    );
    assert!(read(&[rollout]).may_have_written("src/a.py"));
    let prompt = call("1", "Agent", r#"{"prompt":"write src/a.py"}"#);
    assert!(!read(&[prompt]).may_have_written("src/a.py"));
}
