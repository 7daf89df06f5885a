use std::fs::File;
use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::forms;

const META: &str =
    r#"{"type":"user","isMeta":true,"message":{"content":"Stop hook feedback:\nx"}}"#;
const RESULT: &str =
    r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}"#;
const NOTE: &str = r#"{"type":"attachment","attachment":{"type":"hook_success"}}"#;

fn line(id: &str, stop_reason: &str, block: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","stop_reason":{stop_reason},"content":[{block}]}}}}"#
    )
}

fn text(id: &str, stop_reason: &str, text: &str) -> String {
    line(
        id,
        stop_reason,
        &format!(r#"{{"type":"text","text":"{text}"}}"#),
    )
}

fn end(text_: &str) -> String {
    text("end", r#""end_turn""#, text_)
}

fn call(id: &str) -> String {
    line(id, r#""tool_use""#, r#"{"type":"tool_use","name":"Write"}"#)
}

fn thinking(id: &str, stop_reason: &str) -> String {
    line(id, stop_reason, r#"{"type":"thinking","thinking":"t"}"#)
}

fn final_message(
    path: &Path,
    forms: Forms<'_>,
    wait: Duration,
) -> Result<Option<String>, TranscriptError> {
    let deadline = Instant::now() + Duration::from_hours(1);
    super::final_message(path, forms, ReadLimits { wait, deadline }, &|_| false)
}

fn judged_bytes(file: &[u8]) -> Answer {
    answer_from(
        BackwardLines::new(io::Cursor::new(file)).unwrap(),
        forms::ALL,
        &|_| false,
    )
    .unwrap()
}

fn judged(lines: &[&str]) -> Answer {
    judged_bytes((lines.join("\n") + "\n").as_bytes())
}

fn final_answer(text: &str) -> Answer {
    Answer {
        text: Some(text.into()),
        is_final: true,
    }
}

fn pending(text: Option<&str>) -> Answer {
    Answer {
        text: text.map(str::to_owned),
        is_final: false,
    }
}

#[test]
fn the_last_text_of_a_finished_reply_is_the_message() {
    let (first, last) = (end("first"), end(" last\\n"));
    assert_eq!(judged(&[RESULT, &first, &last]), final_answer("last"));
    assert_eq!(
        judged(&[&call("a"), RESULT, &last, NOTE, NOTE]),
        final_answer("last")
    );
    assert_eq!(
        judged(&[RESULT, &thinking("end", "null"), &last]),
        final_answer("last")
    );
}

#[test]
fn whoever_speaks_after_the_agent_makes_its_message_stale() {
    let said = end("Status: DONE");
    let prompt = r#"{"type":"user","message":{"content":"go on"}}"#;
    for newest in [
        META,
        RESULT,
        prompt,
        &call("b"),
        &text("b", r#""tool_use""#, "let me see"),
    ] {
        assert_eq!(judged(&[&said, newest]), pending(None), "{newest}");
        assert_eq!(judged(&[&said, newest, NOTE]), pending(None), "{newest}");
    }
    assert_eq!(
        judged(&[&said, META, &end("BLOCKED")]),
        final_answer("BLOCKED")
    );
}

/// The host writes late: what the file ends with may be older than what the agent was asked.
#[test]
fn what_was_said_too_early_is_not_the_message() {
    let at = |time: &str| end("DONE").replacen('{', &format!(r#"{{"timestamp":"{time}","#), 1);
    let judged = |lines: &[String]| {
        let file = lines.join("\n") + "\n";
        let lines = BackwardLines::new(io::Cursor::new(file.as_bytes())).unwrap();
        answer_from(lines, forms::ALL, &|time| time < "5").unwrap()
    };
    assert_eq!(judged(&[at("4")]), pending(None));
    assert_eq!(judged(&[at("4"), NOTE.to_owned()]), pending(None));
    assert_eq!(judged(&[at("4"), at("6")]), final_answer("DONE"));
    assert_eq!(judged(&[end("DONE")]), final_answer("DONE"));
}

#[test]
fn an_empty_or_synthetic_reply_is_no_message_and_uncovers_no_older_one() {
    let said = end("Status: DONE");
    let api_error = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"x",
        "stop_reason":"stop_sequence","content":[{"type":"text","text":"API Error: 500"}]}}"#
        .replace('\n', "");
    let synthetic = r#"{"type":"assistant","message":{"model":"<synthetic>","content":"No response requested."}}"#;
    for newest in [
        api_error.as_str(),
        synthetic,
        &text("b", r#""end_turn""#, r" \n"),
        &thinking("b", r#""end_turn""#),
        &line("b", r#""end_turn""#, ""),
    ] {
        assert_eq!(judged(&[&said, newest]), pending(None), "{newest}");
    }
}

#[test]
fn a_reply_that_may_go_on_is_waited_for_but_counts_in_the_end() {
    for stop_reason in ["null", r#""max_tokens""#, r#""new_reason""#, "7"] {
        let newest = text("b", stop_reason, "report");
        assert_eq!(
            judged(&[RESULT, &newest]),
            pending(Some("report")),
            "{stop_reason}"
        );
    }
    let report = text("b", "null", "report");
    assert_eq!(
        judged(&[&report, &thinking("b", "null")]),
        pending(Some("report"))
    );
    assert_eq!(judged(&[&report, &call("b")]), pending(None));
    assert_eq!(judged(&[&call("b"), NOTE, &report]), pending(None));
    assert_eq!(
        judged(&[&end("old"), &thinking("b", "null")]),
        pending(None)
    );
}

#[test]
fn replies_without_an_id_are_not_joined() {
    let anonymous =
        |block: &str| format!(r#"{{"type":"assistant","message":{{"content":[{block}]}}}}"#);
    let report = anonymous(r#"{"type":"text","text":"old"}"#);
    assert_eq!(judged(&[&report, &anonymous("")]), pending(None));
}

#[test]
fn a_torn_or_malformed_line_costs_only_itself() {
    let said = end("report");
    for bad in ["{\"type\":\"assi", "}{", "", "\0\0\0", "null"] {
        assert_eq!(judged(&[&said, bad]), final_answer("report"), "{bad:?}");
    }
    // Without a newline it is still being written and may be anything.
    let torn = format!("{said}\n{{\"type\":\"us");
    assert_eq!(judged_bytes(torn.as_bytes()), pending(Some("report")));
    assert_eq!(judged_bytes(said.as_bytes()), final_answer("report"));
    let latin = [
        b"{\"type\":\"user\",\"x\":\"\xFF\"}\n",
        said.as_bytes(),
        b"\n",
    ]
    .concat();
    assert_eq!(judged_bytes(&latin), final_answer("report"));
}

#[test]
fn nothing_said_is_no_message() {
    assert_eq!(judged_bytes(b""), pending(None));
    assert_eq!(judged(&[NOTE, "x"]), pending(None));
}

#[test]
fn a_message_that_is_there_is_given_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    std::fs::write(&path, end("report") + "\n").unwrap();
    let begun = Instant::now();
    let message = final_message(&path, forms::ALL, Duration::from_mins(1)).unwrap();
    assert_eq!(message.as_deref(), Some("report"));
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_message_that_comes_late_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let writer = thread::spawn({
        let path = path.clone();
        move || {
            thread::sleep(Duration::from_millis(30));
            let mut file = File::create(path).unwrap();
            writeln!(file, "{RESULT}").unwrap();
            thread::sleep(Duration::from_millis(30));
            let line = end("report") + "\n";
            let (head, tail) = line.split_at(line.len() / 2);
            write!(file, "{head}").unwrap();
            thread::sleep(Duration::from_millis(30));
            write!(file, "{tail}").unwrap();
        }
    });
    let message = final_message(&path, forms::ALL, Duration::from_mins(1)).unwrap();
    assert_eq!(message.as_deref(), Some("report"));
    writer.join().unwrap();
}

#[test]
fn the_wait_ends_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let wait = Duration::from_millis(50);
    let begun = Instant::now();
    let missing = final_message(&path, forms::ALL, wait);
    assert!(matches!(missing, Err(TranscriptError::Missing { .. })));
    assert!(begun.elapsed() >= wait);
    std::fs::write(&path, format!("{}\n{META}\n", end("report"))).unwrap();
    assert_eq!(final_message(&path, forms::ALL, wait).unwrap(), None);
    std::fs::write(&path, text("b", "null", "report")).unwrap();
    let message = final_message(&path, forms::ALL, wait).unwrap();
    assert_eq!(message.as_deref(), Some("report"));
}

#[test]
fn what_is_no_file_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let answer = final_message(folder.path(), forms::ALL, Duration::from_mins(1));
    assert!(matches!(answer, Err(TranscriptError::NotAFile { .. })));
    assert!(begun.elapsed() < Duration::from_secs(30));
}

fn any_line() -> impl Strategy<Value = String> {
    let stop_reason = "null|\"end_turn\"|\"tool_use\"|\"max_tokens\"|5";
    prop_oneof![
        Just(META.to_owned()),
        Just(RESULT.to_owned()),
        Just(NOTE.to_owned()),
        "[ -~]{0,12}",
        ("a|b", stop_reason, "[a-z ]{0,6}").prop_map(|(id, stop, said)| text(&id, &stop, &said)),
        ("a|b", stop_reason).prop_map(|(id, stop)| thinking(&id, &stop)),
        "a|b".prop_map(|id| call(&id)),
    ]
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        judged_bytes(&bytes);
    }

    #[test]
    fn no_message_outlives_an_answer_to_it(lines in prop::collection::vec(any_line(), 0..12)) {
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        let answer = judged(&[&lines[..], &[META]].concat());
        prop_assert_eq!(answer, pending(None));
        let report = text("new", "\"end_turn\"", "report");
        let answer = judged(&[&lines[..], &[&report, NOTE]].concat());
        prop_assert_eq!(answer, final_answer("report"));
    }
}

#[test]
fn a_codex_rollout_ends_in_its_last_message() {
    let item = |payload: &str| format!(r#"{{"type":"response_item","payload":{payload}}}"#);
    let said = item(
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}"#,
    );
    let call = item(r#"{"type":"function_call","name":"shell","call_id":"1","arguments":"{}"}"#);
    let note = r#"{"type":"event_msg","payload":{"type":"token_count"}}"#;
    assert_eq!(judged(&[&call, &said, note]), final_answer("done"));
    assert_eq!(judged(&[&said, &call]).text, None);
}
