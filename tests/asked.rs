//! What a prompt asks for below "Done when:", held at the stop of the agent, through the binary.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done, told_person};

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("docs/index.md", "# Index\n")];
const PROMPT: &str = "Write the guide and its tests.\n\nDone when:\n\n- `docs/guide.md`\n- docs/index.md contains \"guide.md\"\n- `cargo test` passes\n\nKeep it short.";
/// What an agent says whatever it did.
const REPORT: &str = "docs/index.md";

fn user(text: &str) -> Value {
    json!({"type": "user", "timestamp": "2026-01-01T12:00:00Z", "message": {"role": "user", "content": text}})
}

/// A transcript that begins with the prompt and ends with the report.
fn transcript(context: &TestContext, between: &[Value], prompt: &str) -> PathBuf {
    let block = json!({"type": "text", "text": done(REPORT).trim()});
    let end = json!({"type": "assistant",
        "message": {"id": "last", "stop_reason": "end_turn", "content": [block]}});
    let first = user(prompt);
    let input = json!({"file_path": REPORT});
    let wrote = json!({"type": "assistant", "message": {"id": "w", "stop_reason": "tool_use",
        "content": [{"type": "tool_use", "id": "w", "name": "Write", "input": input}]}});
    let written = json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "w", "content": "File created successfully"}]}});
    let lines = [&first, &wrote, &written].into_iter();
    let lines = lines.chain(between).chain([&end]);
    let text: String = lines.map(|line| line.to_string() + "\n").collect();
    let path = context.folder().join("transcript.jsonl");
    fs::write(&path, text).unwrap();
    path
}

/// An agent that does `work` and reports it, whose transcript is at `path`.
fn run(context: &TestContext, repo: &Path, work: impl FnOnce(&Path), path: &Path) -> Stop {
    let agent = Agent::new("a1", repo);
    agent.start(context);
    work(repo);
    agent.stop_with(
        context,
        &done(REPORT),
        &json!({"agent_transcript_path": path}),
    )
}

fn honest(repo: &Path) {
    fs::write(repo.join("docs/guide.md"), "# Guide\n").unwrap();
    liar(repo);
}

/// Leaves the guide out.
fn liar(repo: &Path) {
    fs::write(repo.join("docs/index.md"), "# Index\n\n- guide.md\n").unwrap();
}

/// Leaves the text out.
fn forgetful(repo: &Path) {
    fs::write(repo.join("docs/guide.md"), "# Guide\n").unwrap();
    fs::write(repo.join("docs/index.md"), "# Index of all\n").unwrap();
}

fn strict() -> TestContext {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_CHECK", "block");
    context
}

#[test]
fn an_agent_that_does_what_the_prompt_asks_for_hears_nothing() {
    for context in [TestContext::new(), strict()] {
        let repo = context.repository("repo", FILES);
        let path = transcript(&context, &[], PROMPT);
        let stop = run(&context, &repo, honest, &path);
        assert_eq!(stop.block(), None, "{stop:?}");
        assert!(!format!("{stop:?}").contains("CRITERIA"), "{stop:?}");
        assert_eq!(told_person(&context), None);
    }
}

#[test]
fn what_is_left_out_is_told_and_blocks_nobody() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let path = transcript(&context, &[], PROMPT);
    let stop = run(&context, &repo, liar, &path);
    stop.assert_allowed(
        "attest: stop: a1: CRITERIA not met: of the prompt: docs/guide.md (it is not on disk)",
    );
    let told = told_person(&context).unwrap();
    let line =
        "- general-purpose a1: criterion of the prompt \"docs/guide.md\": it is not on disk\n";
    assert!(told.contains(line), "{told}");
    let shown = |arguments: &[&str]| context.attest(arguments).assert_success().stdout;
    let explain = shown(&["explain"]);
    for sentence in [
        "- The criterion \"docs/guide.md\" of the prompt is not met: it is not on disk.",
        "- The prompt asks for \"docs/guide.md\".",
        "- `ATTEST_CHECK=block` sends such a report of DONE back, with enforcement.",
    ] {
        assert!(explain.contains(sentence), "{explain}");
    }
    let show = shown(&["show"]);
    assert!(show.contains("of the prompt: it is not on disk"), "{show}");
}

#[test]
fn a_text_that_is_left_out_is_told() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let path = transcript(&context, &[], PROMPT);
    run(&context, &repo, forgetful, &path);
    let told = told_person(&context).unwrap();
    let line = r#"criterion of the prompt "docs/index.md contains \"guide.md\"": the file does not contain it"#;
    assert!(told.contains(line), "{told}");
    assert!(!told.contains("\"docs/guide.md\":"), "{told}");
}

/// A line that breaks, marks of code, the kind of a quote and the first letter are no part of what is meant.
#[test]
fn a_text_is_found_in_another_style() {
    let wanted = "Done when:\n- docs/index.md contains `See the \"guide\" of all`";
    for (written, is_there) in [
        ("see the “guide”\n  of `all`\n", true),
        ("See the 'guide' of all\n", true),
        ("See The guide of all\n", false),
        ("see the guide\n", false),
    ] {
        let context = TestContext::new();
        let repo = context.repository("repo", FILES);
        let path = transcript(&context, &[], wanted);
        let work = |repo: &Path| fs::write(repo.join("docs/index.md"), written).unwrap();
        run(&context, &repo, work, &path);
        assert_eq!(told_person(&context).is_none(), is_there, "{written}");
    }
}

#[test]
fn what_is_left_out_is_sent_back_if_criteria_block() {
    let context = strict();
    let repo = context.repository("repo", FILES);
    let path = transcript(&context, &[], PROMPT);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    liar(&repo);
    let fields = json!({"agent_transcript_path": path});
    let block = agent.stop_with(&context, &done(REPORT), &fields).block();
    let expected = "criteria of the prompt (\"Done when:\") are not met:\n- \"docs/guide.md\": it is not on disk\n";
    assert!(
        block.as_deref().unwrap_or_default().contains(expected),
        "{block:?}"
    );
    honest(&repo);
    let mut feedback = user("Stop hook feedback:\nno");
    feedback["isMeta"] = true.into();
    let path = transcript(&context, &[feedback], PROMPT);
    let fields = json!({"agent_transcript_path": path, "stop_hook_active": true});
    let again = agent.stop_with(&context, &done(REPORT), &fields);
    assert_eq!(again.block(), None, "{again:?}");
    assert!(!format!("{again:?}").contains("CRITERIA"), "{again:?}");
}

/// The twin of each is the liar above: the same work, with nothing that excuses it.
#[test]
fn what_excuses_a_gap_is_heard() {
    let queued = json!({"type": "attachment", "attachment":
        {"type": "queued_command", "prompt": "leave the guide to somebody else"}});
    let ran = json!({"type": "assistant", "message": {"id": "m1", "stop_reason": "tool_use", "content": [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input":
            {"command": "sleep 60; echo x > docs/guide.md", "run_in_background": true}}]}});
    let began = json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1",
        "content": "Command running in background with ID: b1. Output is being written to: /t"}]}});
    let mut coordinator = user("leave the guide out");
    coordinator["isMeta"] = true.into();
    coordinator["origin"] = json!({"kind": "coordinator"});
    let cases: [(&str, &[Value], &[&str]); 6] = [
        ("told more", &[user("leave the guide out")], &[]),
        ("told more by a coordinator", &[coordinator], &[]),
        ("told more while at work", &[queued], &[]),
        ("still being written", &[ran, began], &[]),
        ("meant from another folder", &[], &["manual/docs/guide.md"]),
        ("of another folder and older", &[], &["other/docs/guide.md"]),
    ];
    for (name, between, files) in cases {
        let context = strict();
        let old: Vec<_> = files.iter().map(|file| (*file, "x\n")).collect();
        let is_old = name.ends_with("older");
        let all = [FILES, if is_old { &old[..] } else { &[] }].concat();
        let repo = context.repository("repo", &all);
        let path = transcript(&context, between, PROMPT);
        let work = |repo: &Path| {
            liar(repo);
            for file in files.iter().filter(|_| !is_old) {
                fs::create_dir_all(repo.join(file).parent().unwrap()).unwrap();
                fs::write(repo.join(file), "x\n").unwrap();
            }
        };
        let stop = run(&context, &repo, work, &path);
        assert_eq!(stop.block(), None, "{name}: {stop:?}");
        assert!(
            !format!("{stop:?}").contains("CRITERIA"),
            "{name}: {stop:?}"
        );
    }
}

#[test]
fn a_prompt_that_only_speaks_of_a_list_asks_for_nothing() {
    for prompt in [
        "Write the guide. It is done when docs/guide.md is there.",
        "> Done when:\n> - docs/guide.md",
        "You only plan. The list of the one who writes it:\n\nDone when:\n- docs/guide.md",
        "```\nDone when:\n- docs/guide.md\n```",
        "<example>\n\nDone when:\n\n- docs/guide.md\n\n</example>",
        "Done when:\n- `touch docs/guide.md` was run\n- ../outside.md\n- /outside.md\n- docs/*.rst",
    ] {
        let context = strict();
        let repo = context.repository("repo", FILES);
        let path = transcript(&context, &[], prompt);
        let stop = run(&context, &repo, liar, &path);
        assert_eq!(stop.block(), None, "{prompt}: {stop:?}");
        assert_eq!(told_person(&context), None, "{prompt}");
        assert!(!repo.join("docs/guide.md").exists(), "nothing is run");
    }
}

#[test]
fn an_agent_that_is_not_done_may_leave_something_out() {
    let context = strict();
    let repo = context.repository("repo", FILES);
    let path = transcript(&context, &[], PROMPT);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let report = "Status: BLOCKED\nFiles changed: none\nBlockers: no network";
    agent.stop_with(&context, report, &json!({"agent_transcript_path": path}));
    assert_eq!(told_person(&context), None);
}

/// A link may lead to where the file is.
#[cfg(unix)]
#[test]
fn what_lies_behind_a_link_is_not_missing() {
    let context = strict();
    let repo = context.repository("repo", FILES);
    let elsewhere = context.folder().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let path = transcript(
        &context,
        &[],
        "Done when:\n- shared/guide.md\n- shared/b.md contains \"x\"",
    );
    let work = |repo: &Path| {
        liar(repo);
        std::os::unix::fs::symlink(&elsewhere, repo.join("shared")).unwrap();
        fs::write(elsewhere.join("b.md"), "y\n").unwrap();
    };
    let stop = run(&context, &repo, work, &path);
    assert_eq!(stop.block(), None, "{stop:?}");
    assert!(!format!("{stop:?}").contains("CRITERIA"), "{stop:?}");
}
