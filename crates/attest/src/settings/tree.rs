//! Walking from the root of a settings file to the hook handlers.

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};

use super::document::{Container, Document, kind, span};
use super::entry::{self, Handler};
use super::error::ContentError;

/// The key of the root under which a host looks for hooks.
pub(super) const HOOKS: &str = "hooks";

/// One handler and the way to it.
pub(super) struct Place<'d, 'a> {
    pub(super) event: &'d ObjectProp<'a>,
    pub(super) groups: &'d Array<'a>,
    pub(super) group_index: usize,
    pub(super) group: &'d Object<'a>,
    /// The property that holds the handlers.
    pub(super) property: &'d ObjectProp<'a>,
    pub(super) handlers: &'d Array<'a>,
    pub(super) handler_index: usize,
    pub(super) handler: &'d Object<'a>,
    pub(super) is: Handler,
}

/// The object of all hooks; `None` when the file has none.
pub(super) fn hooks<'d, 'a>(
    document: &'d Document<'a>,
) -> Result<Option<(&'d ObjectProp<'a>, &'d Object<'a>)>, ContentError> {
    let Some(property) = unique(document, &document.root, HOOKS)? else {
        return Ok(None);
    };
    match &property.value {
        Value::Object(hooks) => Ok(Some((property, hooks))),
        other => Err(wrong_type(document, HOOKS, "an object", other)),
    }
}

/// The groups of one event; `None` when the file does not name the event.
pub(super) fn groups<'d, 'a>(
    document: &Document<'_>,
    hooks: &'d Object<'a>,
    event: &str,
) -> Result<Option<(&'d ObjectProp<'a>, &'d Array<'a>)>, ContentError> {
    let Some(property) = unique(document, hooks, event)? else {
        return Ok(None);
    };
    match &property.value {
        Value::Array(groups) => Ok(Some((property, groups))),
        other => Err(wrong_type(
            document,
            &format!("{HOOKS}.{event}"),
            "an array",
            other,
        )),
    }
}

/// Every handler of one event, in order. What has not the shape of a handler is nobody's business.
pub(super) fn places<'d, 'a>(
    document: &Document<'_>,
    event: &'d ObjectProp<'a>,
) -> Result<Vec<Place<'d, 'a>>, ContentError> {
    let mut places = Vec::new();
    let Value::Array(groups) = &event.value else {
        return Ok(places);
    };
    for (group_index, group) in groups.elements.iter().enumerate() {
        let Value::Object(group) = group else {
            continue;
        };
        let Some(property) = unique(document, group, HOOKS)? else {
            continue;
        };
        let Value::Array(handlers) = &property.value else {
            continue;
        };
        for (handler_index, handler) in handlers.elements.iter().enumerate() {
            let Value::Object(handler) = handler else {
                continue;
            };
            for key in ["type", "command", "args"] {
                unique(document, handler, key)?;
            }
            places.push(Place {
                event,
                groups,
                group_index,
                group,
                property,
                handlers,
                handler_index,
                handler,
                is: entry::recognise(handler),
            });
        }
    }
    Ok(places)
}

/// The property `key` of `object`, which must not be there twice: a host reads one of the two, and
/// an edit of the other would have no effect.
pub(super) fn unique<'d, 'a>(
    document: &Document<'_>,
    object: &'d Object<'a>,
    key: &str,
) -> Result<Option<&'d ObjectProp<'a>>, ContentError> {
    let mut found = object
        .properties
        .iter()
        .filter(|property| property.name.as_str() == key);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(second) => {
            let (line, column) = document.position(second.range.start);
            Err(ContentError::DuplicateKey {
                key: key.to_owned(),
                line,
                column,
            })
        }
    }
}

fn wrong_type(
    document: &Document<'_>,
    key: &str,
    expected: &'static str,
    found: &Value<'_>,
) -> ContentError {
    let (line, column) = document.position(span(found).start);
    ContentError::WrongType {
        key: key.to_owned(),
        expected,
        found: kind(found),
        line,
        column,
    }
}

impl Place<'_, '_> {
    /// What the group is matched against; `None` for everything.
    pub(super) fn matcher(&self) -> Option<&str> {
        let matcher = self.group.get_string("matcher")?.value.as_ref();
        (!matches!(matcher, "" | "*")).then_some(matcher)
    }

    pub(super) fn handlers(&self) -> Container {
        Container::of_array(self.handlers, self.property.range.start)
    }

    pub(super) fn groups(&self) -> Container {
        Container::of_array(self.groups, self.event.range.start)
    }
}
