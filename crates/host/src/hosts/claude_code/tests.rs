use attest_clock::processor_time;
use proptest::prelude::*;

use super::*;
use crate::PayloadError;
use crate::payload::AgentTranscript;

fn parse(bytes: &[u8]) -> Result<Payload, PayloadError> {
    let host: &dyn Host = &ClaudeCode;
    host.parse(bytes)
}

fn parsed(json: &str) -> Payload {
    parse(json.as_bytes()).unwrap()
}

fn message(json: &str) -> Option<String> {
    parsed(json).message
}

#[cfg(unix)]
#[test]
fn a_subagent_stop_payload_is_read_whole() {
    let payload = parsed(
        r#"{"session_id":"5c0f","transcript_path":"/h/p/5c0f.jsonl","cwd":"/repo","prompt_id":"p",
        "permission_mode":"default","agent_id":"a0123456789abcdef","agent_type":"general-purpose",
        "effort":{"level":"high"},"hook_event_name":"SubagentStop","stop_hook_active":true,
        "agent_transcript_path":"/h/p/5c0f/subagents/agent-a0123456789abcdef.jsonl",
        "last_assistant_message":"Status: DONE","background_tasks":[],"session_crons":[]}"#,
    );
    let expected = Payload {
        event: Some("SubagentStop".into()),
        session_id: Some("5c0f".into()),
        agent_id: Some("a0123456789abcdef".into()),
        agent_type: Some("general-purpose".into()),
        cwd: Some("/repo".into()),
        transcript_path: Some("/h/p/5c0f.jsonl".into()),
        agent_transcript: AgentTranscript::Named(std::path::PathBuf::from(
            "/h/p/5c0f/subagents/agent-a0123456789abcdef.jsonl",
        )),
        turn_id: Some("p".into()),
        prompt: None,
        stop_hook_active: true,
        message: Some("Status: DONE".into()),
        reported: Vec::new(),
        failure: None,
        background: Some(Vec::new()),
        at_work: Some(Vec::new()),
    };
    assert_eq!(payload, expected);
}

#[test]
fn only_a_finished_agent_has_reported() {
    let reported = |tool: &str, response: &str| {
        parsed(&format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"{tool}","tool_response":{response}}}"#
        ))
        .reported
    };
    let done = r#"{"status":"completed","agentId":"a1"}"#;
    assert_eq!(reported("Agent", done), ["a1"]);
    assert_eq!(reported("Task", done), ["a1"]);
    for (tool, response) in [
        ("Write", done),
        ("Agent", r#"{"status":"async_launched","agentId":"a1"}"#),
        (
            "Agent",
            r#"{"status":"teammate_spawned","agentId":"aworker-0459f03c5dd35473"}"#,
        ),
        ("Agent", r#"{"status":"completed"}"#),
        ("Agent", r#""a1""#),
        ("Agent", "null"),
    ] {
        assert_eq!(reported(tool, response), [""; 0], "{tool} {response}");
    }
}

#[test]
fn a_notification_names_the_agents_that_have_reported() {
    let reported = |prompt: &str| {
        let prompt = json!(prompt);
        parsed(&format!(
            r#"{{"hook_event_name":"UserPromptSubmit","prompt":{prompt}}}"#
        ))
        .reported
    };
    let one = "<task-notification>\n<task-id>b</task-id>\n</task-notification>";
    assert_eq!(reported(one), ["b"]);
    assert_eq!(
        reported(&format!("{one}\n{}", one.replace('b', "a"))),
        ["a", "b"]
    );
    assert_eq!(reported(&format!("{one}{one}")), ["b"]);
    for odd in [
        "tell me of <task-id>a</task-id>",
        "<task-notification><task-id>a",
        "<task-notification><task-id>a\u{1b}</task-id>",
        "",
    ] {
        assert_eq!(reported(odd), [""; 0], "{odd:?}");
    }
}

#[test]
fn what_is_told_is_one_object_on_one_line() {
    let payload = parsed(r#"{"hook_event_name": "PostToolUse"}"#);
    let told = ClaudeCode.notice(&payload, &Printable::new("a\nb"));
    assert_eq!(told.as_deref(), Some("{\"systemMessage\":\"a\\nb\"}\n"));
    let told = ClaudeCode.context(&payload, &Printable::new("a"));
    let expected = "{\"hookSpecificOutput\":{\"additionalContext\":\"a\",\"hookEventName\":\"PostToolUse\"}}\n";
    assert_eq!(told.as_deref(), Some(expected));
    assert_eq!(
        ClaudeCode.context(&parsed("{}"), &Printable::new("a")),
        None
    );
}

#[test]
fn what_is_said_of_a_block_is_read_back_as_one() {
    let reply = ClaudeCode.block(&Payload::default(), &Printable::new("no"));
    assert_eq!(reply, "{\"decision\":\"block\",\"reason\":\"no\"}\n");
    assert!(ClaudeCode.is_block(&reply));
    for other in [
        "",
        "{}",
        "no",
        "{\"decision\":\"approve\"}",
        "{\"systemMessage\":\"block\"}",
    ] {
        assert!(!ClaudeCode.is_block(other), "{other}");
    }
}

#[test]
fn field_names_of_older_versions_are_read() {
    let payload = parsed(r#"{"subagent_id": 12, "subagent_name": "reviewer"}"#);
    assert_eq!(payload.agent_id.as_deref(), Some("12"));
    assert_eq!(payload.agent_type.as_deref(), Some("reviewer"));
    let both = parsed(r#"{"agent_name": "b", "agent_type": "", "subagent_type": "a"}"#);
    assert_eq!(both.agent_type.as_deref(), Some("a"));
}

#[test]
fn only_json_true_says_that_a_stop_hook_is_active() {
    assert!(parsed(r#"{"stop_hook_active" : true }"#).stop_hook_active);
    for odd in ["false", "1", r#""true""#, "null", "[true]", "{}"] {
        let json = format!(r#"{{"stop_hook_active": {odd}}}"#);
        assert!(!parsed(&json).stop_hook_active, "{odd}");
    }
}

#[test]
fn the_first_message_that_says_something_wins() {
    let fields = [
        r#""agent_response": {"content": [{"type": "text", "text": "one"}]}"#,
        r#""last_assistant_message": "two""#,
        r#""output": "three""#,
        r#""body": "four""#,
    ];
    for (first, expected) in ["one", "two", "three", "four"].into_iter().enumerate() {
        let json = format!("{{{}}}", fields[first..].join(","));
        assert_eq!(message(&json).as_deref(), Some(expected));
    }
    let blank = r#"{"agent_response": {"content": [{"text": " \n"}]},
        "last_assistant_message": "", "output": ["x"], "body": "four"}"#;
    assert_eq!(message(blank).as_deref(), Some("four"));
}

#[test]
fn content_may_be_a_string_or_blocks_of_which_odd_ones_say_nothing() {
    let blocks = r#"{"agent_response": {"content": [
        {"text": "a"}, 7, null, "stray", {"text": 7}, {"type": "tool_use"}, {"text": "b\ud83d"}]}}"#;
    assert_eq!(message(blocks).as_deref(), Some("a\nb\u{fffd}"));
    let string = r#"{"agent_response": {"content": "a"}}"#;
    assert_eq!(message(string).as_deref(), Some("a"));
    let last = r#"{"last_assistant_message": [{"text": "a"}, {"text": "b"}]}"#;
    assert_eq!(message(last).as_deref(), Some("a\nb"));
    for silent in [
        r#"{"agent_response": "a"}"#,
        r#"{"agent_response": {"content": {"text": "a"}}}"#,
        r#"{"last_assistant_message": {"text": "a"}}"#,
        r#"{"output": 1, "body": {}}"#,
    ] {
        assert_eq!(message(silent), None, "{silent}");
    }
}

#[test]
fn a_transcript_that_is_named_badly_is_not_the_same_as_none() {
    let own =
        |value: &str| parsed(&format!(r#"{{"agent_transcript_path": {value}}}"#)).agent_transcript;
    for absent in ["null", r#""""#, r#"" ""#] {
        assert_eq!(own(absent), AgentTranscript::Absent, "{absent}");
    }
    for unusable in [
        "5",
        "{}",
        "false",
        r#""a.jsonl""#,
        r#""/a\u0000""#,
        r#""/\udcff""#,
    ] {
        assert_eq!(own(unusable), AgentTranscript::Unusable, "{unusable}");
    }
    assert_eq!(parsed("{}").agent_transcript, AgentTranscript::Absent);
}

#[test]
fn what_surrounds_the_object_does_not_matter() {
    let payload = parse(b"\xEF\xBB\xBF \r\n\t{\"session_id\": \"s\"}\n\0\0").unwrap();
    assert_eq!(payload.session_id.as_deref(), Some("s"));
}

#[test]
fn bytes_that_are_not_utf8_cost_a_text_little_and_a_path_everything() {
    let payload =
        parse(b"{\"cwd\": \"/a\xFF\", \"session_id\": \"s\xFF\", \"body\": \"x\xFFy\"}").unwrap();
    assert_eq!(payload.cwd, None);
    assert_eq!(payload.session_id, None);
    assert_eq!(payload.message.as_deref(), Some("x\u{fffd}y"));
}

#[test]
fn what_is_no_object_is_an_error() {
    assert!(matches!(parse(b" \n\0"), Err(PayloadError::Empty)));
    for odd in ["[]", "null", "7", "\"{}\"", "hello", &"[".repeat(1_000_000)] {
        assert!(matches!(
            parse(odd.as_bytes()),
            Err(PayloadError::NotAnObject)
        ));
    }
    for odd in [
        "{",
        r#"{"a": 1"#,
        r#"{"a": 1} {}"#,
        "{'a': 1}",
        &r#"{"a":"#.repeat(1_000_000),
    ] {
        assert!(matches!(
            parse(odd.as_bytes()),
            Err(PayloadError::Malformed(_))
        ));
    }
}

#[test]
fn depth_in_a_field_that_is_read_costs_that_field() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let payload = parsed(&format!(
        r#"{{"last_assistant_message": {deep}, "agent_response": {{"content": {deep}}},
            "agent_id": {deep}, "body": "x"}}"#
    ));
    assert_eq!(payload.agent_id, None);
    assert_eq!(payload.message.as_deref(), Some("x"));
}

#[test]
fn five_megabytes_are_read_quickly() {
    let text = r"line \u00e9 \ud83d\ude00\n".repeat(5_000_000 / 24);
    let json = format!(r#"{{"last_assistant_message": "{text}"}}"#);
    let taken = processor_time(|| assert!(message(&json).is_some()));
    assert!(taken.as_secs() < 2, "{taken:?}");
}

#[test]
fn a_block_is_one_line_of_json_whatever_the_reason_holds() {
    assert_eq!(
        ClaudeCode.block(&Payload::default(), &Printable::new("a \"b\"\n\u{1b}[31m")),
        "{\"decision\":\"block\",\"reason\":\"a \\\"b\\\"\\n\\\\u{1b}[31m\"}\n"
    );
}

/// A value of any JSON type, to put where a field expects another.
fn odd_value() -> impl Strategy<Value = String> {
    let escape = prop_oneof![
        Just(r"\ud83d".to_owned()),
        Just(r"\u0000".to_owned()),
        Just(r"\n".to_owned()),
        "[^\"\\\\\u{0}-\u{1f}]{0,8}",
    ];
    let string =
        prop::collection::vec(escape, 0..4).prop_map(|parts| format!("\"{}\"", parts.concat()));
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        Just("1e999".to_owned()),
        string,
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(("text|content|type", inner), 0..4).prop_map(|fields| {
                let fields: Vec<_> = fields.iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        let _ = parse(&bytes);
        let _ = parse(&[b"{\"cwd\":\"", bytes.as_slice(), b"\"}"].concat());
    }

    #[test]
    fn odd_fields_never_cost_the_others(
        odd in prop::collection::vec((
            "agent_id|agent_type|cwd|transcript_path|agent_transcript_path|stop_hook_active|agent_response|last_assistant_message|output|other",
            odd_value(),
        ), 0..6),
    ) {
        let odd: Vec<_> = odd.iter().map(|(name, value)| format!("\"{name}\":{value},")).collect();
        let payload = parsed(&format!(r#"{{{}"session_id":"s","body":"b"}}"#, odd.concat()));
        prop_assert_eq!(payload.session_id.as_deref(), Some("s"));
        prop_assert!(payload.message.is_some());
        prop_assert!(payload.cwd.is_none_or(|path| path.is_absolute()));
    }

    #[test]
    fn messages_and_ids_arrive_as_they_were_sent(id in "[a-zA-Z0-9:_-]{1,64}", text in ".*[a-z].*") {
        let json = json!({ "agent_id": id, "last_assistant_message": text }).to_string();
        let payload = parsed(&json);
        prop_assert_eq!(payload.agent_id, Some(id));
        prop_assert_eq!(payload.message, Some(text));
    }
}

#[test]
fn a_death_is_told_in_the_best_words_that_the_host_has() {
    let failure = |json: &str| parse(json.as_bytes()).unwrap().failure;
    let known = r#"{"error":"rate_limit","last_assistant_message":"API Error: 429"}"#;
    assert_eq!(failure(known).as_deref(), Some("rate_limit"));
    let unknown = r#"{"error":"unknown","last_assistant_message":"API Error: 400 no"}"#;
    assert_eq!(failure(unknown).as_deref(), Some("API Error: 400 no"));
    assert_eq!(
        failure(r#"{"error":"unknown"}"#).as_deref(),
        Some("unknown")
    );
    assert_eq!(failure(r#"{"last_assistant_message":"Done."}"#), None);
}
