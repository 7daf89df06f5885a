//! Whatever comes in, every host gives an answer, and an odd field costs only itself.

use attest_host::{Host, Payload, Printable, hosts};
use proptest::prelude::*;

/// Every field that a host reads or is known by.
const FIELDS: &str = "hook_event_name|hookEventName|session_id|sessionId|conversation_id|\
    parent_conversation_id|agent_id|agentId|subagent_id|agent_type|agentType|agentName|cwd|\
    workspace_roots|transcript_path|transcriptPath|agent_transcript_path|turn_id|prompt_id|model|prompt|\
    prompt_response|last_assistant_message|response|summary|status|loop_count|stop_hook_active|stop_reason|\
    stopReason|timestamp|permission_mode|cursor_version|message_id|tool_execution_count|elapsed_time";

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1e999".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        prop_oneof![
            Just("AfterAgent"),
            Just("SubagentStop"),
            Just("stop"),
            Just("/w"),
            Just("relative"),
            Just("aborted"),
            Just(r"\ud83d"),
            Just(r"a\u0000"),
            Just(""),
        ]
        .prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(","))),
            inner.prop_map(|item| format!("{{\"content\":{item}}}")),
        ]
    })
}

fn payload() -> impl Strategy<Value = String> {
    prop::collection::vec((FIELDS, value()), 0..12).prop_map(|fields| {
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        format!("{{{}}}", fields.join(","))
    })
}

/// What is true of every payload that was read, and of what is answered to it.
fn check(host: &dyn Host, payload: &Payload) -> Result<(), TestCaseError> {
    for path in [&payload.cwd, &payload.transcript_path] {
        prop_assert!(path.as_ref().is_none_or(|path| path.is_absolute()));
    }
    let text = Printable::new("no");
    let block = host.block(payload, &text);
    prop_assert!(host.is_block(&block), "{block}");
    let replies = [
        Some(block),
        host.notice(payload, &text),
        host.context(payload, &text),
        host.allow(payload),
        host.finalize(payload, &text),
    ];
    for reply in replies.into_iter().flatten() {
        prop_assert!(
            reply.ends_with('\n') && reply.lines().count() == 1,
            "{reply}"
        );
        let object = serde_json::from_str::<serde_json::Value>(&reply);
        prop_assert!(object.is_ok_and(|object| object.is_object()), "{reply}");
    }
    for reply in [host.allow(payload), host.notice(payload, &text)] {
        prop_assert!(reply.is_none_or(|reply| !host.is_block(&reply)));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_fields_are_an_answer(json in payload()) {
        for named in hosts::ALL {
            let received = hosts::receive(*named, json.as_bytes());
            let Ok((sender, payload)) = received else {
                prop_assert!(false, "{}", json);
                continue;
            };
            check(sender, &payload)?;
        }
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        for host in hosts::ALL {
            let _ = hosts::receive(*host, &bytes);
            let _ = hosts::receive(*host, &[b"{\"workspace_roots\":[\"", &bytes[..], b"\"]}"].concat());
        }
    }

    #[test]
    fn a_payload_without_a_mark_is_of_the_host_that_is_named(session in "[a-z0-9-]{1,36}") {
        let json = format!(r#"{{"session_id":"{session}","hook_event_name":"SubagentStop","cwd":"/w",
            "agent_id":"a","permission_mode":"default","prompt_id":"p","transcript_path":"/t",
            "stop_hook_active":false,"last_assistant_message":"DONE"}}"#);
        for named in hosts::ALL {
            let sender = hosts::receive(*named, json.as_bytes()).map(|(host, _)| host.name());
            prop_assert_eq!(sender.ok(), Some(named.name()));
        }
    }
}
