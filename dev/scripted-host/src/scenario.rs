//! Scenario files: what each conversation is told, turn by turn, and where it takes place.
//!
//! ```toml
//! about = "A subagent that tells the truth."
//! files = { "a.txt" = "one\n" }
//!
//! [[scripts.main]]
//! tools = [{ name = "Agent", input = { description = "work", prompt = "[[script:worker]] go" } }]
//!
//! [[scripts.main]]
//! text = "The worker is done."
//!
//! [[scripts.worker]]
//! text = "DONE"
//! delay_ms = 600
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// Everything the model says in one run, by the name of the conversation.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in a sentence.
    #[serde(default)]
    pub about: String,
    /// What the person says.
    #[serde(default = "first_prompt")]
    pub prompt: String,
    /// What the person says after that, each in a run of the host that goes on with the session.
    #[serde(default)]
    pub then: Vec<Prompt>,
    /// The repository's first commit, path to content.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Variables that the host is started with, besides its usual ones.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The probe blocks each agent's first stop with this reason.
    pub block: Option<String>,
    /// What is kept of it as a fixture.
    #[serde(default)]
    pub capture: Capture,
    /// What must be true at the end, see [`crate::trial`].
    #[serde(default)]
    pub expect: Value,
    /// The scripts by name. A conversation is told apart by `[[script:NAME]]` in its first prompt.
    pub scripts: BTreeMap<String, Vec<Turn>>,
}

/// A prompt that goes on with a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// What the person says, or a command of the host.
    pub text: String,
    /// Whether it begins a session of its own, with all that was said.
    #[serde(default)]
    pub fork: bool,
}

/// What is kept of a run as a fixture.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// The payloads of these events.
    #[serde(default)]
    pub events: Vec<String>,
    /// The transcripts of the subagents.
    #[serde(default)]
    pub transcripts: bool,
}

/// One reply of the model.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What the model says, before its tool calls. None and no tools is an empty message.
    pub text: Option<String>,
    /// The tools it calls.
    #[serde(default)]
    pub tools: Vec<ToolCall>,
    /// An HTTP error instead of a reply.
    pub error: Option<ApiError>,
    /// How long it thinks first. A model that answers at once hides races of the host.
    #[serde(default)]
    pub delay_ms: u64,
    /// Whether this turn is played for every later request too: a model that learns nothing.
    #[serde(default)]
    pub repeat: bool,
}

/// One call of a tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The tool's name as the host offers it.
    pub name: String,
    /// The group of tools in which the host offers it, if it has such groups.
    pub namespace: Option<String>,
    /// Its arguments. Placeholders in strings are filled in, see [`fill`].
    pub input: Value,
}

/// An error in the shape of the API's own.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiError {
    /// The HTTP status.
    pub status: u16,
    /// The error's `type`, such as `invalid_request_error`.
    pub kind: String,
    /// The text.
    pub message: String,
}

/// Why a scenario cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read the scenario {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text is not a scenario.
    #[error("not a scenario: {0}")]
    Parse(#[from] toml::de::Error),
    /// A script says nothing at all.
    #[error("the script {0:?} has no turns")]
    EmptyScript(String),
    /// A status that is no error, so the host would wait for a message that never comes.
    #[error("the script {name:?} answers with the error status {status}, which is none")]
    NotAnError {
        /// The script.
        name: String,
        /// The status.
        status: u16,
    },
    /// Turns after one that is played for ever.
    #[error("the script {0:?} has turns behind one that repeats")]
    Unreachable(String),
}

impl Scenario {
    /// Reads a scenario file.
    pub fn load(path: &Path) -> Result<Self, ScenarioError> {
        let text = std::fs::read_to_string(path).map_err(|source| ScenarioError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text)
    }

    /// Reads the text of a scenario file.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let scenario: Self = toml::from_str(text)?;
        for (name, turns) in &scenario.scripts {
            check(name, turns)?;
        }
        Ok(scenario)
    }

    /// The reply to the request number `index` of a conversation, unless the script is over.
    #[must_use]
    pub fn turn(&self, name: &str, index: usize) -> Option<&Turn> {
        let turns = self.scripts.get(name)?;
        turns
            .get(index)
            .or_else(|| turns.last().filter(|last| last.repeat))
    }
}

fn first_prompt() -> String {
    "[[script:main]] start".to_owned()
}

fn check(name: &str, turns: &[Turn]) -> Result<(), ScenarioError> {
    let Some((_, before_last)) = turns.split_last() else {
        return Err(ScenarioError::EmptyScript(name.to_owned()));
    };
    if before_last.iter().any(|turn| turn.repeat) {
        return Err(ScenarioError::Unreachable(name.to_owned()));
    }
    for error in turns.iter().filter_map(|turn| turn.error.as_ref()) {
        if !(400..600).contains(&error.status) {
            return Err(ScenarioError::NotAnError {
                name: name.to_owned(),
                status: error.status,
            });
        }
    }
    Ok(())
}

/// Fills in `${NAME}` in every string of a tool's arguments. Unknown names stay as they are, so
/// that shell variables in a Bash command survive.
#[must_use]
pub fn fill(value: &Value, variables: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => Value::String(fill_text(text, variables)),
        Value::Array(items) => items.iter().map(|item| fill(item, variables)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| (name.clone(), fill(field, variables)))
            .collect(),
        other => other.clone(),
    }
}

/// Fills in `${NAME}` in a text, see [`fill`].
#[must_use]
pub fn fill_text(text: &str, variables: &BTreeMap<String, String>) -> String {
    let mut filled = text.to_owned();
    for (name, value) in variables {
        filled = filled.replace(&format!("${{{name}}}"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plays_turns_in_order_and_then_nothing() {
        let scenario = Scenario::parse(
            "[[scripts.a]]\ntext = 'one'\n[[scripts.a]]\ntext = 'two'\n[[scripts.b]]\n",
        )
        .unwrap();
        let text = |index| scenario.turn("a", index).and_then(|turn| turn.text.clone());
        assert_eq!(text(0).as_deref(), Some("one"));
        assert_eq!(text(1).as_deref(), Some("two"));
        assert_eq!(text(2), None);
        assert!(scenario.turn("b", 0).unwrap().text.is_none());
        assert!(scenario.turn("unknown", 0).is_none());
    }

    #[test]
    fn repeats_a_last_turn_that_asks_for_it() {
        let scenario = Scenario::parse("[[scripts.a]]\ntext = 'again'\nrepeat = true\n").unwrap();
        assert!(scenario.turn("a", 40).is_some());
    }

    #[test]
    fn refuses_what_could_not_be_played() {
        let refused = |text: &str| Scenario::parse(text).unwrap_err().to_string();
        assert!(refused("[scripts]\na = []").contains("no turns"));
        assert!(refused("[[scripts.a]]\nrepeat = true\n[[scripts.a]]\n").contains("behind one"));
        assert!(refused("[[scripts.a]]\ntxt = 'typo'").contains("txt"));
        assert!(
            refused("[[scripts.a]]\nerror = { status = 200, kind = 'x', message = 'y' }")
                .contains("200")
        );
    }

    #[test]
    fn fills_known_names_and_leaves_the_shells_alone() {
        let variables = BTreeMap::from([("repo".to_owned(), "/r".to_owned())]);
        assert_eq!(
            fill(
                &json!({"a": ["${repo}/x", 1], "b": "$repo ${HOME}"}),
                &variables
            ),
            json!({"a": ["/r/x", 1], "b": "$repo ${HOME}"})
        );
    }
}
