//! A list of files in JSON.

use serde_json::Value;

use crate::item::{self, MAX_ENTRIES, Place};
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
        Value::String(text) => item::read(text, operation, Place::Value),
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
        Value::String(said) => with_remark(name, said, operation),
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
        Value::String(text) => item::read(text, operation, Place::Item),
        Value::Object(map) => {
            let texts = |is_kind: fn(&str) -> bool| {
                let fields = map.iter().filter(move |(name, _)| is_kind(name));
                fields.filter_map(|(_, value)| value.as_str())
            };
            let action = texts(|name| COLUMNS.is_in(name, "action")).next();
            let path = texts(names_file).find(|text| is_path(text));
            let path = path.or_else(|| texts(names_file).next());
            path.map_or_else(Vec::new, |path| {
                with_remark(path, action.unwrap_or_default(), operation)
            })
        }
        _ => Vec::new(),
    }
}

fn with_remark(path: &str, remark: &str, operation: Operation) -> Vec<Entry> {
    let mut entries = item::read(path, operation, Place::Item);
    for entry in &mut entries {
        entry.put_action(remark);
    }
    entries
}
