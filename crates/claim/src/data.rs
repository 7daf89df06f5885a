//! Reports in JSON or YAML.

use serde_json::{Map, Value};

use crate::assertion::{Checked, Topic};
use crate::item::put_below;
use crate::key::{self, FilesKey, Key};
use crate::layout::json::{of_value, texts_of};
use crate::markdown::Document;
use crate::outline::Outline;
use crate::path::shape::is_path;
use crate::place::Place;
use crate::report::{Files, Report};
use crate::title::is_plan;
use crate::unwritten::{self, unwritten};
use crate::{Status, reader, words};

/// Reads an object with known keys, or one whose only value is such an object.
pub(crate) fn report(text: &str) -> Option<Report> {
    let Value::Object(map) = serde_json::from_str(text.trim()).ok()? else {
        return None;
    };
    let found = fields(&map);
    let mut values = map.values();
    match (values.next(), values.next()) {
        (Some(Value::Object(inner)), None) if found.is_empty() => Some(fields(inner)),
        _ => Some(found),
    }
}

fn fields(map: &Map<String, Value>) -> Report {
    let mut found = Report::default();
    for (at, (name, value)) in map.iter().enumerate() {
        if !(value.is_object() || value.is_array()) {
            let said = format!("{name}: {}", shown(value));
            if unwritten::is_said(&said) {
                found.unwritten.get_or_insert(said);
            }
        }
        match key::alone(name).or_else(|| of_deeds(name, value)) {
            Some(Key::Status) => found.push_status(
                at,
                None,
                Place::default(),
                value.as_str().unwrap_or_default(),
            ),
            Some(Key::Blockers) => found.blockers = Some(shown(value)),
            Some(Key::RanTests(said)) => {
                found.ran_tests = Some(shown(value));
                found.assert(
                    Topic::Checks(Checked::Tests),
                    &Place::default(),
                    said,
                    texts_of(value),
                );
            }
            Some(Key::Files(key)) => found.files.push(files(at, key, name, value)),
            Some(Key::Asserts(topic, said)) => {
                found.assert(topic, &Place::default(), said, texts_of(value));
            }
            Some(Key::Other) | None => {}
        }
    }
    if found.files.is_empty() && found.status() == Some(Status::Done) {
        found.files.extend(listed(map));
    }
    found
}

/// {"status": "DONE", "files": […]}: the files of what is done, unless a field beside them tells of what was read or is
/// planned.
fn listed(map: &Map<String, Value>) -> Option<Files> {
    let is_list = |(name, value): &(&String, &Value)| {
        let items = value.as_array().filter(|items| !items.is_empty());
        is_noun(name) && items.is_some_and(|items| items.iter().all(Value::is_string))
    };
    let is_of_others = |(name, value): (&String, &Value)| {
        let is_empty =
            value.is_null() || texts_of(value) == [""] || *value == Value::Array(Vec::new());
        !is_empty
            && key::alone(name).is_none()
            && (is_plan(&words::apart(name)) || words::PROSE.is_in(name, "study"))
    };
    let (at, (name, value)) = map.iter().enumerate().find(|(_, field)| is_list(field))?;
    if map.iter().any(is_of_others) {
        return None;
    }
    Some(files(at, FilesKey::of(key::LISTED), name, value))
}

fn files(at: usize, key: FilesKey<'_>, name: &str, value: &Value) -> Files {
    let mut entries = of_value(value, key.operation());
    put_below(&mut entries, key.doubt);
    Files {
        at,
        of: at..at + 1,
        section: None,
        place: Place::default(),
        part: 0,
        is_doubtful: key.doubt.is_some(),
        verb: key.verb,
        said: key::beside(name),
        entries,
    }
}

fn is_noun(name: &str) -> bool {
    words::KEYS.class(&name.to_lowercase()) == Some("noun")
}

/// {"files": {"created": […], "modified": […]}}, {"files": [{"path": "src/a.py", "action": "created"}]}: what was done is
/// said of each.
fn of_deeds(name: &str, value: &Value) -> Option<Key<'static>> {
    let is_deed = |said: &Value| {
        said.as_str()
            .is_some_and(|said| words::change(said).is_some())
    };
    let has_deed = |item: &Value| {
        let mut fields = item.as_object().into_iter().flatten();
        fields.any(|(name, said)| words::COLUMNS.is_in(name, "action") && is_deed(said))
    };
    let names_path = |item: &Value| {
        let mut fields = item.as_object().into_iter().flatten();
        fields.any(|(name, said)| words::names_file(name) && said.as_str().is_some_and(is_path))
    };
    // {"changes": [{"file": "src/a.py", "action": "created"}]}
    let are_changes = || {
        words::KEYS.class(&name.to_lowercase()) == Some("changed")
            && value.as_array().is_some_and(|it| it.iter().all(names_path))
    };
    let are_deeds = match value {
        Value::Object(deeds) => deeds.keys().all(|deed| words::change(deed).is_some()),
        Value::Array(items) => !items.is_empty() && items.iter().all(has_deed),
        _ => false,
    };
    (are_deeds && (is_noun(name) || are_changes())).then(|| Key::Files(FilesKey::of("several")))
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Reads the body of a fence: an object, its fields if it is written on one line, or lines.
pub(crate) fn of_fence(content: &str) -> Report {
    if let Some(found) = report(content) {
        return found;
    }
    let text = one_line(content).unwrap_or_else(|| {
        // A blank line would make code of what is indented below it.
        let lines = content.lines().filter(|line| !line.trim().is_empty());
        lines.collect::<Vec<_>>().join("\n")
    });
    let document = Document::parse(&text);
    Report {
        unwritten: unwritten(&document).map(str::to_owned),
        ..reader::read(&document.lines, 0)
    }
}

/// The fields of an object that is written on one line, each on its own.
fn one_line(content: &str) -> Option<String> {
    let inside = content.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    if inside.contains('\n') {
        return None;
    }
    let outline = Outline::of(inside);
    let mut commas = outline.outside().filter(|(_, c)| *c == ',').peekable();
    let put_apart = |(at, c)| match commas.next_if_eq(&(at, c)) {
        Some(_) => '\n',
        None => c,
    };
    Some(inside.char_indices().map(put_apart).collect())
}
