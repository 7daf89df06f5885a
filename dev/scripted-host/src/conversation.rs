//! What a request tells about the conversation it belongs to, whichever API it is written for.

use serde_json::Value;

const MARKER: &str = "[[script:";
const MARKER_END: &str = "]]";
/// How hosts name an agent's id to the model, in the result of the tool that starts one: Claude Code,
/// Codex.
const AGENT_ID: [&str; 3] = ["agentId: ", "\"agent_id\":\"", "<task id=\""];
/// How it names the directory to the model, in its system prompt.
const DIRECTORY: &str = "orking directory: ";

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The host, in its system prompt: the same in every conversation.
    System,
    /// The host, in the course of the conversation.
    Host,
    /// The person, or whoever stands in for one: a parent that starts a subagent, a hook.
    Person,
    /// A tool.
    Tool,
    /// The model itself.
    Model,
}

/// One thing that was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'r> {
    speaker: Speaker,
    text: &'r str,
}

impl<'r> Line<'r> {
    pub(crate) fn new(speaker: Speaker, text: &'r str) -> Self {
        Self { speaker, text }
    }
}

/// All that a request says.
#[derive(Debug)]
pub(crate) struct Dialogue<'r> {
    lines: Vec<Line<'r>>,
    has_tools: bool,
    /// The names of the tools, where the API gives each one.
    tools: Vec<&'r str>,
}

impl<'r> Dialogue<'r> {
    pub(crate) fn new(lines: impl Iterator<Item = Line<'r>>, tools: &'r Value) -> Self {
        Self {
            lines: lines.collect(),
            has_tools: tools.as_array().is_some_and(|tools| !tools.is_empty()),
            tools: list(tools)
                .filter_map(|tool| tool["name"].as_str())
                .collect(),
        }
    }

    /// The name under which the host offers the tool `name`. Before 2.1, Claude Code called the one that starts
    /// agents otherwise, and knew no second name for it.
    pub(crate) fn tool<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "Agent" if !self.tools.contains(&name) && self.tools.contains(&"Task") => "Task",
            _ => name,
        }
    }

    /// How much was said.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The name in the first `[[script:NAME]]` that somebody told the model.
    ///
    /// Only what people say counts: the parent's own call of the Agent tool holds its child's marker.
    pub(crate) fn script_name(&self) -> Option<&'r str> {
        self.of(Speaker::Person).find_map(marker_in)
    }

    /// What the model was told by anybody but itself: texts and the results of tools, in order. Not
    /// the system prompt.
    pub(crate) fn told(&self) -> Vec<&'r str> {
        let told = self.lines.iter();
        let told = told.filter(|line| !matches!(line.speaker, Speaker::Model | Speaker::System));
        told.map(|line| line.text).collect()
    }

    /// Whether the host asks on its own behalf (a title, a summary) and not for an agent. Agents are
    /// always offered tools.
    pub(crate) fn is_side_request(&self) -> bool {
        !self.has_tools
    }

    /// The id of the agent named last in the results of tools: the one a `SendMessage` would go to.
    pub(crate) fn last_agent_id(&self) -> Option<String> {
        self.of(Speaker::Tool)
            .filter_map(|text| AGENT_ID.iter().find_map(|label| after(text, label, is_id)))
            .last()
            .map(str::to_owned)
    }

    /// The ids of all agents that the results of tools name, each once, in the order in which they were named.
    pub(crate) fn agent_ids(&self) -> Vec<&'r str> {
        let mut ids = Vec::new();
        for text in self.of(Speaker::Tool) {
            let id = AGENT_ID.iter().find_map(|label| after(text, label, is_id));
            ids.extend(id.filter(|id| !ids.contains(id)));
        }
        ids
    }

    /// The name of a commit that a tool printed last, on a line of its own.
    pub(crate) fn last_commit(&self) -> Option<String> {
        let is_name = |line: &&str| line.len() == 40 && line.bytes().all(|b| b.is_ascii_hexdigit());
        let lines = self.of(Speaker::Tool).flat_map(str::lines);
        lines
            .map(str::trim)
            .filter(is_name)
            .last()
            .map(str::to_owned)
    }

    /// The directory in which the host says the agent works.
    pub(crate) fn directory(&self) -> Option<String> {
        let mut told = self.lines.iter();
        told.find_map(|line| after(line.text, DIRECTORY, |c| c != '\n'))
            .map(str::to_owned)
    }

    fn of(&self, speaker: Speaker) -> impl Iterator<Item = &'r str> {
        let lines = self.lines.iter();
        lines
            .filter(move |line| line.speaker == speaker)
            .map(|line| line.text)
    }
}

/// The items of a list; none of anything else.
pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The texts of a field: a string, or a list of blocks of which some are texts.
pub(crate) fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        _ => list(content)
            .filter(|block| {
                let kind = block["type"].as_str().unwrap_or_default();
                matches!(kind, "text" | "input_text" | "output_text")
            })
            .filter_map(|block| block["text"].as_str())
            .collect(),
    }
}

fn marker_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(MARKER)?;
    let (name, _) = rest.split_once(MARKER_END)?;
    Some(name)
}

fn is_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn after<'t>(text: &'t str, label: &str, belongs: impl Fn(char) -> bool) -> Option<&'t str> {
    let (_, rest) = text.split_once(label)?;
    let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|found| !found.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::messages;
    use serde_json::json;

    fn read(request: &Value) -> Dialogue<'_> {
        messages().dialogue(request)
    }

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
        assert_eq!(read(&request).script_name(), Some("main"));
    }

    #[test]
    fn the_commit_that_a_tool_printed_last_is_known() {
        let printed = |text: &str| {
            let request = json!({"messages": [{"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": text}]}]});
            read(&request).last_commit()
        };
        let (one, two) = ("1a".repeat(20), "2b".repeat(20));
        assert_eq!(printed(&format!("{one}\nand\n{two}\n")), Some(two));
        assert_eq!(printed(&format!("commit {one}")), None);
    }

    #[test]
    fn a_prompt_may_be_a_plain_string_or_have_no_marker() {
        let of = |text: &str| {
            let request = json!({"messages": [{"role": "user", "content": text}]});
            read(&request).script_name().map(str::to_owned)
        };
        assert_eq!(of("do [[script:worker-2]] it").as_deref(), Some("worker-2"));
        assert_eq!(of("[[script:unclosed"), None);
        assert_eq!(of("hello"), None);
        assert_eq!(read(&json!({})).script_name(), None);
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
        assert_eq!(read(&request).last_agent_id().as_deref(), Some("a2"));
    }

    #[test]
    fn side_requests_offer_no_tools() {
        assert!(read(&json!({"messages": []})).is_side_request());
        assert!(read(&json!({"tools": []})).is_side_request());
        assert!(!read(&json!({"tools": [{"name": "Bash"}]})).is_side_request());
    }

    #[test]
    fn the_directory_is_read_from_the_system_prompt() {
        let request = json!({"system": [
            {"type": "text", "text": "…\n - Primary working directory: /tmp/a b\n - more"},
        ]});
        assert_eq!(read(&request).directory().as_deref(), Some("/tmp/a b"));
    }
}
