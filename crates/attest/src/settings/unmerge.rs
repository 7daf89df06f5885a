//! Taking our hooks out of a settings file again.

use jsonc_parser::ast::{Object, ObjectProp};

use super::document::{Container, Document};
use super::entry::Handler;
use super::error::ContentError;
use super::splice::{self, Splices};
use super::tree::{self, HOOKS, Place};

/// Removes every entry of ours from `text`, under whatever event, and what is empty because of it.
/// Returns the text and the events that an entry was removed from.
pub(super) fn unmerge(text: &str) -> Result<(String, Vec<String>), ContentError> {
    let mut text = text.to_owned();
    let mut events: Vec<String> = Vec::new();
    while let Some((next, event)) = step(&Document::parse(&text)?)? {
        if !events.contains(&event) {
            events.push(event);
        }
        text = next;
    }
    Ok((text, events))
}

fn step(document: &Document<'_>) -> Result<Option<(String, String)>, ContentError> {
    let Some((property, hooks)) = tree::hooks(document)? else {
        return Ok(None);
    };
    for event in &hooks.properties {
        for place in tree::places(document, event)? {
            if matches!(place.is, Handler::Own(_)) {
                let splices = remove(document, property, hooks, &place);
                let event = event.name.as_str().to_owned();
                return Ok(Some((splices.apply(document.text), event)));
            }
        }
    }
    Ok(None)
}

/// Removes one handler, and then the group, the event and the hooks that held nothing else.
/// Whatever holds a comment of somebody is not empty.
pub(super) fn remove(
    document: &Document<'_>,
    property: &ObjectProp<'_>,
    hooks: &Object<'_>,
    place: &Place<'_, '_>,
) -> Splices {
    let is_alone = |container: &Container| {
        let key = container.owner.unwrap_or(container.span.start)..container.span.start;
        let has_comment =
            document.has_comment_in(&key) || splice::has_own_comment(document, container);
        container.items.len() == 1 && !has_comment
    };
    let handlers = place.handlers();
    let group = Container::of_object(place.group, None);
    if !is_alone(&handlers)
        || has_more_than_hooks(place.group)
        || splice::has_own_comment(document, &group)
    {
        return splice::remove(document, &handlers, place.handler_index);
    }
    let groups = place.groups();
    if !is_alone(&groups) {
        return splice::remove(document, &groups, place.group_index);
    }
    let events = Container::of_object(hooks, Some(property.range.start));
    if !is_alone(&events) {
        return remove_property(document, &events, place.event);
    }
    let root = Container::of_object(&document.root, None);
    remove_property(document, &root, property)
}

fn has_more_than_hooks(group: &Object<'_>) -> bool {
    let known = [HOOKS, "matcher"];
    group
        .properties
        .iter()
        .any(|property| !known.contains(&property.name.as_str()))
}

fn remove_property(
    document: &Document<'_>,
    container: &Container,
    property: &ObjectProp<'_>,
) -> Splices {
    let start = property.range.start;
    match container.items.iter().position(|item| item.start == start) {
        Some(index) => splice::remove(document, container, index),
        None => Splices::default(),
    }
}
