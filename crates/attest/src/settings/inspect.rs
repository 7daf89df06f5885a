//! What a settings file says about our hooks, for `doctor` and for warnings.

use jsonc_parser::cst::{CstLeafNode, CstNode, CstObject};

use super::document::{self, Document};
use super::edit::{is_false, is_positive};
use super::entry::Handler;
use super::error::ContentError;

/// The key with which a person turns all hooks of a host off.
pub(crate) const DISABLE_ALL: &str = "disableAllHooks";

/// Our hooks in one settings file.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    pub(crate) entries: Vec<Entry>,
    /// Events with a command line of somebody's own that calls attest among other things.
    pub(crate) mentions: Vec<String>,
    pub(crate) all_hooks_disabled: bool,
    /// The variables that the host gives its hooks, over its own environment.
    pub(crate) env: Vec<(String, String)>,
}

/// One entry of ours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) event: String,
    pub(crate) verb: &'static str,
    pub(crate) matcher: Option<String>,
    pub(crate) program: String,
    /// Whether `program` is the path: no shell expands anything in it.
    pub(crate) is_literal: bool,
    /// Whether it has `args`, which old versions of the host do not know.
    pub(crate) has_args: bool,
    /// What keeps the entry from working.
    pub(crate) faults: Vec<&'static str>,
}

/// Reads the content of a settings file.
pub(crate) fn inspect(content: &[u8]) -> Result<Inspection, ContentError> {
    let (_, text) = super::decode(content)?;
    if text.trim().is_empty() {
        return Ok(Inspection::default());
    }
    let document = Document::parse(text)?;
    let disabled = document::value(&document.root, DISABLE_ALL);
    let mut inspection = Inspection {
        all_hooks_disabled: disabled.as_ref().and_then(document::boolean) == Some(true),
        env: variables(&document.root),
        ..Inspection::default()
    };
    for place in document.places()? {
        match &place.is {
            Handler::Own(call) => inspection.entries.push(Entry {
                event: place.event(),
                verb: call.verb,
                matcher: place.matcher(),
                program: call.program.clone(),
                is_literal: call.is_literal,
                has_args: place.handler.get("args").is_some(),
                faults: faults(&place.handler),
            }),
            Handler::Mention => inspection.mentions.push(place.event()),
            Handler::Foreign => {}
        }
    }
    Ok(inspection)
}

/// The `env` of the settings, as text. A later one of two of the same name is the one that counts.
fn variables(root: &CstObject) -> Vec<(String, String)> {
    let env = root.object_value("env").into_iter();
    let properties = env.flat_map(|env| env.properties());
    let text = |value: CstNode| match value {
        CstNode::Leaf(CstLeafNode::NumberLit(number)) => Some(number.to_string()),
        CstNode::Leaf(CstLeafNode::BooleanLit(value)) => Some(value.to_string()),
        value => document::string(&value),
    };
    properties
        .filter_map(|property| Some((property.decoded_name()?, text(property.value()?)?)))
        .collect()
}

/// The program of the first entry of ours.
pub(super) fn first_program(text: &str) -> Result<Option<String>, ContentError> {
    let inspection = inspect(text.as_bytes())?;
    Ok(inspection
        .entries
        .into_iter()
        .next()
        .map(|entry| entry.program))
}

fn faults(handler: &CstObject) -> Vec<&'static str> {
    let value = |name| document::value(handler, name);
    let off = |name| value(name).is_none_or(|value| is_false(&value));
    let checks = [
        (
            document::text(handler, "type").as_deref() == Some("command"),
            "its type is not `command`",
        ),
        (
            off("async"),
            "it is asynchronous, so that the host does not wait for its answer",
        ),
        (off("asyncRewake"), "it is asynchronous (asyncRewake)"),
        (
            handler.get("if").is_none(),
            "it has an `if`, with which the host never runs it",
        ),
        (
            value("timeout").is_some_and(|value| is_positive(&value)),
            "it has no timeout",
        ),
    ];
    let wrong = checks.into_iter().filter(|(is_right, _)| !is_right);
    wrong.map(|(_, fault)| fault).collect()
}
