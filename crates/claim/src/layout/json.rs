//! A list of files in JSON.

use serde_json::{Map, Value};

use crate::item::{self, ItemPlace, MAX_ENTRIES};
use crate::layout::with_action;
use crate::path::shape::is_path;
use crate::title::Title;
use crate::words::{COLUMNS, names_file};
use crate::{Entry, Operation, words};

/// Reads a list of files.
pub(crate) fn list(text: &str, operation: Operation) -> Option<Vec<Entry>> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.is_array() || value.is_object()).then(|| of_value(&value, operation))
}

/// Reads a value that names files.
pub(crate) fn of_value(value: &Value, operation: Operation) -> Vec<Entry> {
    match value {
        Value::String(text) => item::read(text, operation, ItemPlace::Value),
        Value::Array(items) => {
            let items = items.iter().take(MAX_ENTRIES);
            items.flat_map(|item| of_item(item, operation)).collect()
        }
        Value::Object(map) => {
            let fields = map.iter().take(MAX_ENTRIES);
            fields
                .flat_map(|(name, value)| of_field(name, value, operation))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// {"created": […], "modified": […]} or {"src/a.py": "what was done"}
fn of_field(name: &str, value: &Value, operation: Operation) -> Vec<Entry> {
    if let Some(operation) = words::change(name) {
        return of_value(value, operation);
    }
    match value {
        Value::String(said) => with_action(name, said, operation),
        Value::Object(map) if is_path(name) => of_fields(name, map, operation),
        Value::Array(_) => {
            let title = Title::of(name, operation);
            if title == Title::Ends {
                return Vec::new();
            }
            let mut entries = of_value(value, operation);
            item::put_below(&mut entries, (title == Title::Unknown).then_some(name));
            entries
        }
        _ => Vec::new(),
    }
}

/// One file: its name, or an object that names it.
fn of_item(item: &Value, operation: Operation) -> Vec<Entry> {
    match item {
        Value::String(text) => item::read(text, operation, ItemPlace::Item),
        Value::Object(map) => {
            let texts = map.iter().filter(|(name, _)| names_file(name));
            let mut paths = texts.filter_map(|(_, value)| value.as_str());
            let path = paths.clone().find(|path| is_path(path)).or(paths.next());
            path.map_or_else(Vec::new, |path| of_fields(path, map, operation))
        }
        _ => Vec::new(),
    }
}

/// A file with what one field says was done to it, and what the others say of it.
fn of_fields(path: &str, map: &Map<String, Value>, operation: Operation) -> Vec<Entry> {
    let is_action = |name: &str| COLUMNS.is_in(name, "action");
    let mut actions = map.iter().filter(|(name, _)| is_action(name));
    let action = actions.find_map(|(_, value)| value.as_str());
    let mut entries = with_action(path, action.unwrap_or_default(), operation);
    for (name, value) in map {
        let is_note = !names_file(name) && !is_action(name);
        for note in texts_of(value).into_iter().filter(|_| is_note) {
            for entry in &mut entries {
                entry.add_note(note);
            }
        }
        // {"path": "src/a.py", "written": false}, {"path": "src/a.py", "todo": true}
        let is_open = value.as_bool().is_some_and(|is_so| {
            !is_so || matches!(Title::of(name, operation), Title::Ends | Title::Unknown)
        });
        item::put_below(&mut entries, is_open.then_some(name));
    }
    entries
}

/// A text, or the texts of a list.
pub(crate) fn texts_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
