//! Reports in JSON: the whole message, or only the list of files.

use serde_json::{Map, Value};

use crate::denial::is_denial;
use crate::entry::{MAX_ENTRIES, Place, denied, entries};
use crate::found::{Files, Found, Stated};
use crate::hedge::leaves_doubt;
use crate::keys::{self, Key};
use crate::label::operation_of;
use crate::piece::names_no_change;
use crate::{Entry, Operation, lexicon, status};

/// Reads an object with known keys, or one whose only value is such an object.
pub(crate) fn report(text: &str) -> Option<Found> {
    let Value::Object(map) = serde_json::from_str(text.trim()).ok()? else {
        return None;
    };
    let found = fields(&map);
    if !found.is_empty() {
        return Some(found);
    }
    let mut values = map.values();
    match (values.next(), values.next()) {
        (Some(Value::Object(inner)), None) => Some(fields(inner)),
        _ => Some(found),
    }
}

/// Reads a list of files.
pub(crate) fn list(text: &str, operation: Operation) -> Option<Vec<Entry>> {
    let text = text.trim();
    if !text.starts_with(['[', '{']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    Some(of_value(&value, operation))
}

fn fields(map: &Map<String, Value>) -> Found {
    let mut found = Found::default();
    for (at, (name, value)) in map.iter().enumerate() {
        match keys::bare(name) {
            Some(Key::Status) => found.statuses.push(Stated {
                at,
                section: None,
                status: value.as_str().and_then(status::read),
            }),
            Some(Key::Blockers) => found.blockers = Some(shown(value)),
            Some(Key::RanTests) => found.ran_tests = Some(shown(value)),
            Some(Key::Files(key)) => found.files.push(Files {
                at,
                section: None,
                key,
                entries: of_value(value, key.operation()),
            }),
            Some(Key::Other) | None => {}
        }
    }
    found
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn of_value(value: &Value, operation: Operation) -> Vec<Entry> {
    match value {
        Value::String(text) => entries(text, operation, Place::Value),
        Value::Array(items) => items
            .iter()
            .take(MAX_ENTRIES)
            .flat_map(|item| of_item(item, operation))
            .collect(),
        // {"created": […], "modified": […]} or {"src/a.py": "what was done"}
        Value::Object(map) => map
            .iter()
            .take(MAX_ENTRIES)
            .flat_map(|(name, value)| match (lexicon::change(name), value) {
                (Some(operation), value) => of_value(value, operation),
                (None, Value::Array(_)) if !names_no_change(name) => of_value(value, operation),
                (None, Value::String(said)) => with_action(name, said, operation),
                (None, _) => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// One file: its name, or an object that names it.
fn of_item(item: &Value, operation: Operation) -> Vec<Entry> {
    match item {
        Value::String(text) => entries(text, operation, Place::Item),
        Value::Object(map) => {
            let text = |names: &[&str]| {
                names
                    .iter()
                    .find_map(|name| map.get(*name).and_then(Value::as_str))
            };
            let Some(path) = text(&["path", "file", "filename", "file_path", "filepath", "name"])
            else {
                return Vec::new();
            };
            let action = text(&[
                "action",
                "status",
                "change",
                "operation",
                "type",
                "change_type",
                "kind",
            ]);
            with_action(path, action.unwrap_or_default(), operation)
        }
        _ => Vec::new(),
    }
}

fn with_action(path: &str, action: &str, operation: Operation) -> Vec<Entry> {
    if is_denial(action) {
        return vec![denied(path, operation)];
    }
    let operation = operation_of(action).unwrap_or(operation);
    let mut found = entries(path, operation, Place::Item);
    if leaves_doubt(action) {
        found.iter_mut().for_each(Entry::doubt);
    }
    found
}
