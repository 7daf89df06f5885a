use serde_json::{Value, json};

use super::*;
use crate::{Shows, forms};

/// What a transcript of these lines says, in which this is looked for.
fn read_for(lines: &[Value], sought: Sought) -> Rc<Session> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    std::fs::write(file.path(), text).unwrap();
    let opened = SessionFile::open(file.path(), forms::ALL, sought, OwnChecks::default());
    let mut opened = opened.unwrap();
    opened.read_on(&mut |_| Whose::Own).unwrap();
    Rc::clone(opened.session())
}

fn read(lines: &[Value]) -> Rc<Session> {
    read_for(lines, Sought::default())
}

fn user(content: &Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content}})
}

fn said() -> Value {
    json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "Yes."}]}})
}

#[test]
fn the_first_words_are_the_prompt() {
    let first = |lines: &[Value]| read(lines).first_prompt().map(str::to_owned);
    let note = json!({"type": "attachment", "attachment": {"type": "hook_success"}});
    let asked = user(&json!("write a.py"));
    assert_eq!(first(&[note, asked.clone()]).as_deref(), Some("write a.py"));
    let blocks =
        user(&json!([{"type": "text", "text": "write"}, {"type": "text", "text": "a.py"}]));
    assert_eq!(first(&[blocks]).as_deref(), Some("write\na.py"));
    let of_team = "<teammate-message teammate_id=\"team-lead\" summary=\"work\">\nwrite a.py\n</teammate-message>";
    let of_team = first(&[user(&json!(of_team))]);
    assert_eq!(of_team.as_deref(), Some("write a.py"));
    assert_eq!(first(&[said(), asked.clone()]), None);
    assert_eq!(first(&[]), None);
    let notes = vec![json!({"type": "note"}); 100];
    assert_eq!(
        first(&[notes, vec![asked]].concat()),
        None,
        "it is too late"
    );
}

#[test]
fn what_hooks_tools_and_tasks_say_asks_for_nothing() {
    let asked = user(&json!("write a.py"));
    let mut feedback = user(&json!("Stop hook feedback:\nno"));
    feedback["isMeta"] = true.into();
    let result = user(&json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]));
    let ended = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";
    let told = user(&json!(ended));
    let queued = |text: &str| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": text}});
    let all = [asked.clone(), feedback, said(), result, told, queued(ended)];
    let all = read(&all);
    assert_eq!(all.first_prompt(), Some("write a.py"));
    assert!(all.has_one_prompt());
    for more in [user(&json!("and leave b.py out")), queued("stop")] {
        let more_asked = read(&[asked.clone(), said(), more.clone()]);
        assert!(!more_asked.has_one_prompt(), "{more}");
    }
}

#[test]
fn a_transcript_that_is_torn_may_ask_for_more() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{}\n{{\"ty", user(&json!("x")))).unwrap();
    let has_one = |budget: &Budget| {
        let session = Session::read(file.path(), forms::ALL, budget, &mut |_| Whose::Own);
        session.unwrap().has_one_prompt()
    };
    assert!(!has_one(&Budget::default()));
    assert!(!has_one(&Budget::until(Some(Instant::now()))));
    let spent = Budget::default();
    while spent.take_items(1_000).is_ok() {}
    let read = Session::read(file.path(), forms::ALL, &spent, &mut |_| Whose::Own).unwrap();
    assert_eq!(read.gap, Some("that would have been too much work"));
}

fn offers_no_writer(lines: &[Value]) -> bool {
    read(lines).offers_no_writer(forms::ALL)
}

/// As 2.1.330 writes them: for the model, and for the request.
#[test]
fn tools_that_only_read_and_one_that_may_write() {
    let snapshot = |tools: &[&str]| {
        let tools: Vec<_> = tools.iter().map(|name| json!({"name": name})).collect();
        json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "tools": tools}})
    };
    let later = json!({"type": "attachment", "attachment": {"type": "deferred_tools_delta",
        "addedNames": ["NotebookEdit"]}});
    let shape = json!({"type": "api-request-shape", "shape": {"tools": [{"name": "Edit"}]}});
    let reads = snapshot(&["Read", "Grep", "Glob"]);
    assert!(offers_no_writer(std::slice::from_ref(&reads)));
    for writes in [later, shape, snapshot(&["Bash"]), snapshot(&["mcp__x__y"])] {
        assert!(!offers_no_writer(&[reads.clone(), writes]));
    }
    assert!(!offers_no_writer(&[]), "nothing is named");
    assert!(!offers_no_writer(&[snapshot(&[])]));
}

fn left_running_in(lines: &[Value]) -> Vec<String> {
    let left = read(lines).left_running().unwrap();
    left.into_iter().map(|it| it.command).collect()
}

fn asked(call: &str, command: &str) -> Value {
    json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": call,
        "name": "Bash", "input": {"command": command, "run_in_background": true}}]}})
}

fn answered(call: &str, text: &str) -> Value {
    json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": call, "content": text}]}})
}

/// In the words of 2.1.138 and of 2.1.330.
fn begun(call: &str, task: &str) -> Value {
    let text =
        format!("Command running in background with ID: {task}. Output is being written to: /t");
    answered(call, &text)
}

const NOTIFICATION: &str =
    "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>";

#[test]
fn a_command_runs_until_its_end_is_told() {
    let begun = [asked("t1", "make all"), begun("t1", "b1")];
    assert_eq!(left_running_in(&begun[..1]), ["make all"], "no answer yet");
    assert_eq!(left_running_in(&begun), ["make all"]);
    for end in [
        json!({"type": "user", "message": {"content": NOTIFICATION}}),
        json!({"type": "queue-operation", "operation": "enqueue", "content": NOTIFICATION}),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": NOTIFICATION}}),
        json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t2",
            "name": "TaskStop", "input": {"task_id": "b1"}}]}}),
        json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t2",
            "name": "KillShell", "input": {"shell_id": "b1"}}]}}),
    ] {
        assert_eq!(left_running_in(&[&begun[..], &[end]].concat()), [""; 0]);
    }
    let other = json!({"type": "user", "message": {"content": NOTIFICATION.replace("b1", "b2")}});
    assert_eq!(
        left_running_in(&[&begun[..], &[other]].concat()),
        ["make all"]
    );
}

#[test]
fn a_command_that_was_refused_or_is_in_the_foreground_does_not_run() {
    let refused = answered("t1", "Permission denied");
    assert_eq!(left_running_in(&[asked("t1", "make"), refused]), [""; 0]);
    let mut foreground = asked("t1", "make");
    foreground["message"]["content"][0]["input"]["run_in_background"] = json!(false);
    assert_eq!(left_running_in(&[foreground]), [""; 0]);
}

const FEEDBACK: &str = "the report says";

fn is_shown(lines: &[Value], source: Source) -> Shown {
    let sought = Sought {
        texts: vec!["1A2b3c4".to_owned()],
        feedback: FEEDBACK,
        ..Sought::default()
    };
    read_for(lines, sought).shown("1a2b3c4", source)
}

fn says(block: &Value) -> Value {
    json!({"type": "assistant", "message": {"content": [block]}})
}

fn text(text: &str) -> Value {
    says(&json!({"type": "text", "text": text}))
}

fn call(command: &str) -> Value {
    says(&json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}))
}

fn answers(text: &str) -> Value {
    json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "t", "content": text}]}})
}

fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"content": text}})
}

const OTHERS: Source = Source::Others;

#[test]
fn what_others_say_is_shown_and_what_the_agent_says_is_not() {
    let begin = prompt("Fix it.");
    for (line, others, calls) in [
        (answers("[main 1A2B3C4d] x"), Shown::Yes, Shown::Yes),
        (prompt("Look at 1a2b3c4."), Shown::Yes, Shown::Yes),
        (
            json!({"type": "attachment", "a": "1a2b3c4"}),
            Shown::Yes,
            Shown::Yes,
        ),
        (text("Commit: 1a2b3c4"), Shown::No, Shown::No),
        (call("git show 1a2b3c4"), Shown::No, Shown::Yes),
        (
            prompt("attest: the report says 1a2b3c4"),
            Shown::No,
            Shown::Yes,
        ),
        (
            answers("attest: the report says 1a2b3c4"),
            Shown::Yes,
            Shown::Yes,
        ),
        (answers("1a2b3c5"), Shown::No, Shown::No),
    ] {
        let lines = [begin.clone(), line];
        assert_eq!(is_shown(&lines, OTHERS), others, "{lines:?}");
        assert_eq!(is_shown(&lines, Source::Calls), calls, "{lines:?}");
    }
}

#[test]
fn what_cannot_be_searched_is_not_known() {
    let head = json!({"type": "mode", "mode": "x"});
    let begin = prompt("Fix it.");
    assert_eq!(is_shown(&[head.clone(), begin.clone()], OTHERS), Shown::No);
    let other = json!({"type": "summary", "summary": "1a2b3c4"});
    assert_eq!(is_shown(&[begin.clone(), other], OTHERS), Shown::Unknown);
    let picture = json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}]}});
    assert_eq!(is_shown(&[begin, picture], OTHERS), Shown::Unknown);
    assert_eq!(is_shown(&[], OTHERS), Shown::Unknown, "nothing is there");
    let other = json!({"opencode": "text", "role": "assistant", "text": "x"});
    assert_eq!(
        is_shown(&[other], OTHERS),
        Shown::Unknown,
        "not of a form that keeps it"
    );
}

#[test]
fn what_other_hosts_keep_of_answers_is_searched() {
    for [said, answer] in [
        [
            json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "1a2b3c4"}]}}),
            json!({"type": "message", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": "1a2b3c4"}]}}),
        ],
        [
            json!({"type": "assistant.message", "data": {"content": "1a2b3c4"}}),
            json!({"type": "tool.execution_complete", "data": {"toolCallId": "t", "success": true,
                "result": {"content": "1a2b3c4"}}}),
        ],
    ] {
        assert_eq!(
            is_shown(std::slice::from_ref(&said), OTHERS),
            Shown::No,
            "{said}"
        );
        assert_eq!(
            is_shown(&[said, answer.clone()], OTHERS),
            Shown::Yes,
            "{answer}"
        );
    }
    let silent =
        json!({"type": "tool.execution_complete", "data": {"toolCallId": "t", "success": true}});
    assert_eq!(is_shown(&[silent], OTHERS), Shown::Unknown);
}

#[test]
fn a_rollout_repeats_what_the_agent_says() {
    let item = |payload: Value| json!({"type": "response_item", "payload": payload});
    let said = item(json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "Commit: 1a2b3c4"}]}));
    let again =
        json!({"type": "event_msg", "payload": {"type": "agent_message", "message": "1a2b3c4"}});
    let thought = item(json!({"type": "reasoning", "summary": [{"text": "1a2b3c4"}]}));
    let answer = item(json!({"type": "function_call_output", "call_id": "t", "output": "1a2b3c4"}));
    let lines = [said, again, thought];
    assert_eq!(is_shown(&lines, OTHERS), Shown::No);
    assert_eq!(
        is_shown(&[&lines[..], &[answer]].concat(), OTHERS),
        Shown::Yes
    );
}

const TEXT: &str = "def parse(text):\n    return text.split()\n";

fn is_given(lines: &[Value], name: &str, text: &str) -> bool {
    let file = SoughtFile {
        file: format!("src/{name}"),
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let sought = Sought {
        files: vec![file],
        ..Sought::default()
    };
    read_for(lines, sought).is_given(&format!("src/{name}"))
}

fn is_given_by(line: &Value) -> bool {
    let first = json!({"type": "user", "message": {"content": "Review src/a.py."}});
    is_given(&[first, line.clone()], "a.py", TEXT)
}

#[test]
fn whoever_was_given_a_file_need_not_open_it() {
    for line in [
        json!({"type": "user", "message": {"content": "It has:\n    return text.split()\n"}}),
        json!({"type": "queue-operation", "content": "    return text.split()"}),
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "Before."}}),
        json!({"type": "attachment", "attachment": {"type": "file", "filename": "/w/src/a.py"}}),
        json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "src/a.py\nsrc/b.py"}]}}),
    ] {
        assert!(is_given_by(&line), "{line}");
    }
}

#[test]
fn its_name_alone_gives_nothing() {
    for line in [
        json!({"type": "user", "message": {"content": "Look at src/a.py again."}}),
        json!({"type": "assistant", "message": {"content": "I read src/a.py: def parse(text):"}}),
        json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "text": "Review src/a.py."}}),
        json!({"type": "queue-operation", "content": "Look at src/a.py again."}),
        json!({"type": "attachment", "attachment": {"type": "file", "filename": "/w/src/b.py"}}),
    ] {
        assert!(!is_given_by(&line), "{line}");
    }
}

#[test]
fn a_file_without_lines_of_its_own_may_be_known() {
    assert!(is_given(&[], "a.py", "}\n"));
    assert!(is_given(&[], "ä.py", TEXT));
    assert!(!is_given(&[], "a.py", TEXT));
    assert!(read(&[]).is_given("src/b.py"), "it was not looked for");
}

#[test]
fn a_command_runs_where_the_line_of_its_call_was_written() {
    let mut number = 0;
    let mut call = |folder: &str, command: &str| {
        number += 1;
        let block = json!({"type": "tool_use", "id": format!("t{number}"), "name": "Bash", "input": {"command": command}});
        json!({"type": "assistant", "cwd": folder, "message": {"content": [block]}})
    };
    let lines = [
        call("/w", "pytest"),
        call("/w/web", "pytest"),
        call("/w", "cd lib && pytest"),
        // As the command before it says itself.
        call("/w/lib", "pytest"),
        call("/w/other", "cd sub && pytest"),
    ];
    let session = read(&lines);
    let ran = session.tool_calls.ran().iter().flatten();
    let folders = ran.flat_map(|ran| &ran.runs).map(|run| run.folder.as_str());
    let expected = ["", "/w/web", "lib", "lib", "/w/other/sub"];
    assert_eq!(folders.collect::<Vec<_>>(), expected);
}

#[test]
fn a_file_is_shown_by_its_lines_and_not_by_what_is_said_of_it() {
    let shows = |answer: &str| {
        let input = json!({"file_path": "/w/a.py", "offset": 900});
        let block = json!({"type": "tool_use", "id": "t", "name": "Read", "input": input});
        let called = json!({"type": "assistant", "message": {"content": [block]}});
        let answered =
            user(&json!([{"type": "tool_result", "tool_use_id": "t", "content": answer}]));
        read(&[called, answered]).tool_calls.calls[0].shows.clone()
    };
    let note =
        "<system-reminder>Warning: the file exists but is shorter than the provided offset (900).";
    assert_eq!(shows(note), Some(Shows::Folder));
    let lines = "   900\tx = 1\n\n<system-reminder>\nMind what it does.";
    assert_eq!(shows(lines), Some(Shows::File("/w/a.py".to_owned())));
}
