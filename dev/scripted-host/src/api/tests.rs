use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::journal::Journal;
use crate::scenario::Scenario;

/// What a model says in tests.
pub(crate) fn spoken(text: Option<&str>, tools: &[(&str, Value)]) -> Spoken<'static> {
    let tools = tools
        .iter()
        .enumerate()
        .map(|(index, (name, input))| Called {
            id: format!("c{index}"),
            namespace: None,
            name: (*name).to_owned(),
            input: input.clone(),
        });
    Spoken {
        number: 7,
        model: "m",
        text: text.map(str::to_owned),
        tools: tools.collect(),
    }
}

fn player(scenario: &str) -> Arc<Player> {
    let journal = Arc::new(Journal::new(None).unwrap());
    Player::new(Scenario::parse(scenario).unwrap(), BTreeMap::new(), journal)
}

fn ask(player: &Player, path: &str, body: &Value) -> (u16, &'static str, String) {
    let body = body.to_string();
    let call = Call {
        method: "POST",
        path,
        body: body.as_bytes(),
    };
    let Reply { status, kind, body } = answer(player, &call);
    (status, kind, body)
}

fn agent_request(prompt: &str, stream: bool) -> Value {
    json!({
        "model": "m",
        "stream": stream,
        "tools": [{"name": "Bash"}],
        "messages": [{"role": "user", "content": prompt}],
    })
}

#[test]
fn streams_the_turn_of_the_conversations_own_script() {
    let player = player("[[scripts.a]]\ntext = 'from a'\n[[scripts.b]]\ntext = 'from b'\n");
    let (status, kind, body) = ask(
        &player,
        "/v1/messages?beta=true",
        &agent_request("[[script:b]]", true),
    );
    assert_eq!(status, 200);
    assert_eq!(kind, "text/event-stream");
    assert!(body.starts_with("event: message_start\ndata: {"), "{body}");
    assert!(
        body.contains("from b") && !body.contains("from a"),
        "{body}"
    );
    assert!(body.ends_with("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
}

#[test]
fn each_script_has_its_own_place() {
    let player = player(
        "[[scripts.a]]\ntext = 'a1'\n[[scripts.a]]\ntext = 'a2'\n[[scripts.b]]\ntext = 'b1'\n",
    );
    let mut said = Vec::new();
    for script in ["a", "b", "a", "a"] {
        let request = agent_request(&format!("[[script:{script}]]"), false);
        let (_, _, body) = ask(&player, "/v1/messages", &request);
        let message: Value = serde_json::from_str(&body).unwrap();
        said.push(message["content"][0]["text"].as_str().unwrap().to_owned());
    }
    assert_eq!(said, ["a1", "b1", "a2", "The script is over."]);
    let entries = player.journal().entries();
    let exhausted: Vec<_> = entries.iter().map(|entry| entry.exhausted).collect();
    assert_eq!(exhausted, [false, false, false, true]);
}

#[test]
fn an_error_turn_has_the_apis_shape_also_when_a_stream_was_asked_for() {
    let player = player(
        "[[scripts.a]]\nerror = { status = 529, kind = 'overloaded_error', message = 'busy' }\n",
    );
    let (status, kind, body) = ask(
        &player,
        "/v1/messages",
        &agent_request("[[script:a]]", true),
    );
    assert_eq!(status, 529);
    assert_eq!(kind, "application/json");
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap(),
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})
    );
}

#[test]
fn side_requests_and_counting_take_no_turn() {
    let player = player("[[scripts.a]]\ntext = 'first'\n");
    let side = json!({"messages": [{"role": "user", "content": "title for [[script:a]]"}]});
    ask(&player, "/v1/messages", &side);
    let (_, _, counted) = ask(&player, "/v1/messages/count_tokens", &side);
    assert!(counted.contains("input_tokens"));
    let (_, _, body) = ask(
        &player,
        "/v1/messages",
        &agent_request("[[script:a]]", false),
    );
    assert!(body.contains("first"));
}

#[test]
fn what_is_not_served_is_written_down_too() {
    let player = player("[[scripts.a]]\n");
    let (status, _, _) = ask(&player, "/api/event_logging", &json!({"x": 1}));
    assert_eq!(status, 404);
    let entry = player.journal().entries().remove(0);
    assert_eq!(
        (entry.path.as_str(), entry.status),
        ("/api/event_logging", 404)
    );
    assert_eq!(entry.request, json!({"x": 1}));
}
