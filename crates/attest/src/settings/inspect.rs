//! What a settings file says about our hooks, for `doctor` and for warnings.

use jsonc_parser::ast::{Object, Value};

use super::document::Document;
use super::entry::Handler;
use super::error::ContentError;
use super::merge::{is_false, is_positive};
use super::splice::holds;
use super::tree;

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
    let mut inspection = Inspection {
        all_hooks_disabled: holds(&document.root, DISABLE_ALL, |value| {
            value.as_boolean_lit().is_some_and(|value| value.value)
        }),
        env: variables(&document.root),
        ..Inspection::default()
    };
    let Some((_, hooks)) = tree::hooks(&document)? else {
        return Ok(inspection);
    };
    for event in &hooks.properties {
        let name = event.name.as_str();
        for place in tree::places(&document, event)? {
            match &place.is {
                Handler::Own(call) => inspection.entries.push(Entry {
                    event: name.to_owned(),
                    verb: call.verb,
                    matcher: place.matcher().map(str::to_owned),
                    program: call.program.clone(),
                    is_literal: call.is_literal,
                    has_args: place.handler.get("args").is_some(),
                    faults: faults(place.handler),
                }),
                Handler::Mention => inspection.mentions.push(name.to_owned()),
                Handler::Foreign => {}
            }
        }
    }
    Ok(inspection)
}

/// The `env` of the settings, as text. A later one of two of the same name is the one that counts.
fn variables(root: &Object<'_>) -> Vec<(String, String)> {
    let Some(env) = root.get_object("env") else {
        return Vec::new();
    };
    let text = |value: &Value<'_>| match value {
        Value::StringLit(text) => Some(text.value.to_string()),
        Value::NumberLit(number) => Some(number.value.to_owned()),
        Value::BooleanLit(value) => Some(value.value.to_string()),
        Value::Object(_) | Value::Array(_) | Value::NullKeyword(_) => None,
    };
    let properties = env.properties.iter();
    properties
        .filter_map(|property| Some((property.name.as_str().to_owned(), text(&property.value)?)))
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

fn faults(handler: &Object<'_>) -> Vec<&'static str> {
    let is_command = holds(handler, "type", |value| {
        value
            .as_string_lit()
            .is_some_and(|text| text.value == "command")
    });
    let off = |name| {
        handler
            .get(name)
            .is_none_or(|property| is_false(&property.value))
    };
    let checks = [
        (is_command, "its type is not `command`"),
        (
            off("async"),
            "it is asynchronous, so that the host does not wait for its answer",
        ),
        (off("asyncRewake"), "it is asynchronous (asyncRewake)"),
        (
            handler.get("if").is_none(),
            "it has an `if`, with which the host never runs it",
        ),
        (holds(handler, "timeout", is_positive), "it has no timeout"),
    ];
    checks
        .into_iter()
        .filter(|(is_right, _)| !is_right)
        .map(|(_, fault)| fault)
        .collect()
}
