//! What a request tells about the conversation it belongs to.

use serde_json::Value;

const MARKER: &str = "[[script:";
const MARKER_END: &str = "]]";
/// How the host names an agent's id to the model, in the result of the Agent tool.
const AGENT_ID: &str = "agentId: ";
/// How the host names the directory to the model, in its system prompt.
const DIRECTORY: &str = "orking directory: ";

/// The name in the first `[[script:NAME]]` that somebody told the model.
///
/// Only what users say counts: the parent's own call of the Agent tool holds its child's marker.
#[must_use]
pub fn script_name(request: &Value) -> Option<&str> {
    messages(request)
        .filter(|message| message["role"] == "user")
        .flat_map(|message| texts(&message["content"]))
        .find_map(marker_in)
}

/// What the model was told by anybody but itself: texts and the results of tools, in order.
#[must_use]
pub fn told(request: &Value) -> Vec<&str> {
    messages(request)
        .filter(|message| message["role"] != "assistant")
        .flat_map(|message| {
            let results = message["content"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|block| block["type"] == "tool_result")
                .flat_map(|block| texts(&block["content"]));
            results.chain(texts(&message["content"]))
        })
        .collect()
}

/// Whether the host asks on its own behalf (a title, a summary) and not for an agent. Agents are
/// always offered tools.
#[must_use]
pub fn is_side_request(request: &Value) -> bool {
    request["tools"].as_array().is_none_or(Vec::is_empty)
}

/// The id of the agent named last in the results of tools: the one a `SendMessage` would go to.
#[must_use]
pub fn last_agent_id(request: &Value) -> Option<String> {
    messages(request)
        .filter_map(|message| message["content"].as_array())
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .flat_map(|block| texts(&block["content"]))
        .filter_map(|text| after(text, AGENT_ID, |c| c.is_ascii_alphanumeric()))
        .last()
        .map(str::to_owned)
}

/// The directory in which the host says the agent works.
#[must_use]
pub fn directory(request: &Value) -> Option<String> {
    let mut told = texts(&request["system"])
        .into_iter()
        .chain(messages(request).flat_map(|message| texts(&message["content"])));
    told.find_map(|text| after(text, DIRECTORY, |c| c != '\n'))
        .map(str::to_owned)
}

fn messages(request: &Value) -> impl Iterator<Item = &Value> {
    request["messages"].as_array().into_iter().flatten()
}

/// The texts of a `content` or `system` field: a string, or a list of blocks.
fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => Vec::new(),
    }
}

fn marker_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(MARKER)?;
    let (name, _) = rest.split_once(MARKER_END)?;
    Some(name)
}

fn after<'t>(text: &'t str, label: &str, belongs: impl Fn(char) -> bool) -> Option<&'t str> {
    let (_, rest) = text.split_once(label)?;
    let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|found| !found.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_parent_is_not_taken_for_its_child() {
        let request = json!({"messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "<reminder/>"},
                {"type": "text", "text": "[[script:main]] start"},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t", "name": "Agent",
                 "input": {"prompt": "[[script:worker]] go"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": "[[script:worker]]"},
            ]},
        ]});
        assert_eq!(script_name(&request), Some("main"));
    }

    #[test]
    fn a_prompt_may_be_a_plain_string_or_have_no_marker() {
        let of = |text: &str| {
            let request = json!({"messages": [{"role": "user", "content": text}]});
            script_name(&request).map(str::to_owned)
        };
        assert_eq!(of("do [[script:worker-2]] it").as_deref(), Some("worker-2"));
        assert_eq!(of("[[script:unclosed"), None);
        assert_eq!(of("hello"), None);
        assert_eq!(script_name(&json!({})), None);
    }

    #[test]
    fn the_last_agent_id_comes_from_results_only() {
        let request = json!({"messages": [
            {"role": "user", "content": "agentId: adead"},
            {"role": "user", "content": [
                {"type": "tool_result", "content": [{"type": "text", "text": "x\nagentId: a1 (…)"}]},
                {"type": "tool_result", "content": "agentId: a2\nmore"},
            ]},
        ]});
        assert_eq!(last_agent_id(&request).as_deref(), Some("a2"));
    }

    #[test]
    fn side_requests_offer_no_tools() {
        assert!(is_side_request(&json!({"messages": []})));
        assert!(is_side_request(&json!({"tools": []})));
        assert!(!is_side_request(&json!({"tools": [{"name": "Bash"}]})));
    }

    #[test]
    fn the_directory_is_read_from_the_system_prompt() {
        let request = json!({"system": [
            {"type": "text", "text": "…\n - Primary working directory: /tmp/a b\n - more"},
        ]});
        assert_eq!(directory(&request).as_deref(), Some("/tmp/a b"));
    }
}
