//! A settings file as a syntax tree that keeps every byte, and the way from its root to the hooks.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstLeafNode, CstNode, CstObject, CstObjectProp, CstRootNode,
};

use super::entry::{self, Handler};
use super::error::ContentError;
use super::node;
use super::{JsonFile, Shape};

/// The key of the root, and of a group, under which a host looks for hooks.
pub(super) const HOOKS: &str = "hooks";

/// Bytes of a file that is edited, and keys of one object or entries of hooks in it, at most: no person has as many, and
/// an edit takes steps, each of which may move all of them.
const MOST_BYTES: usize = 1024 * 1024;
const MOST_ITEMS: usize = 1000;

/// JSON with comments and trailing commas, and nothing beyond: what a host would not read is refused.
const ACCEPTED: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The parsed text of a settings file, without its byte order mark.
pub(super) struct Document {
    tree: CstRootNode,
    pub(super) root: CstObject,
    /// The property of the root with all hooks, and its value.
    pub(super) hooks: Option<(CstObjectProp, CstObject)>,
    /// Whether the host takes a root without hooks for invalid.
    pub(super) needs_hooks: bool,
    shape: Shape,
    command: &'static str,
}

/// One handler and the way to it.
pub(super) struct HandlerPlace {
    pub(super) event: CstObjectProp,
    pub(super) group: Option<Group>,
    pub(super) handler: CstObject,
    pub(super) is: Handler,
}

/// What of a file holds nothing, and is the person's all the same.
#[derive(Debug, Default)]
pub(super) struct Empty {
    /// The object with all hooks.
    pub(super) hooks: bool,
    /// The lists of these events.
    pub(super) events: Vec<String>,
}

/// The matcher group of a handler.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) object: CstObject,
    /// Its property with the handlers.
    pub(super) handlers: CstObjectProp,
}

impl Document {
    /// Parses `text`, which has to hold one JSON object.
    pub(super) fn parse(text: &str, host: &JsonFile) -> Result<Self, ContentError> {
        let tree = CstRootNode::parse(text, &ACCEPTED)?;
        refuse_control_characters(&tree.clone().into())?;
        let value = tree.value();
        let Some(root) = value.as_ref().and_then(CstNode::as_object) else {
            let found = value.as_ref().map_or("only comments", kind);
            return Err(ContentError::NotAnObject { found });
        };
        let hooks = match unique(&root, HOOKS)? {
            None => None,
            Some(property) => match property.object_value() {
                Some(hooks) => Some((property, hooks)),
                None => return Err(wrong_type(&property, HOOKS, "an object")),
            },
        };
        Ok(Self {
            tree,
            root,
            hooks,
            needs_hooks: !host.head.is_empty(),
            shape: host.shape,
            command: host.command,
        })
    }

    /// The same for text that is to be edited.
    pub(super) fn to_edit(text: &str, host: &JsonFile) -> Result<Self, ContentError> {
        if text.len() > MOST_BYTES {
            return Err(ContentError::TooMuch);
        }
        let document = Self::parse(text, host)?;
        let (root, places) = (document.root.properties(), document.places()?);
        let sections = root.iter().filter_map(CstObjectProp::object_value);
        let sections = sections.map(|section| section.properties().len());
        let hooks = document.hooks.iter().flat_map(|(_, it)| it.properties());
        let lists = hooks.filter_map(|event| Some(event.array_value()?.elements().len()));
        let mut counts = sections.chain(lists).chain([root.len(), places.len()]);
        if counts.any(|count| count > MOST_ITEMS) {
            return Err(ContentError::TooMuch);
        }
        Ok(document)
    }

    /// The text with all edits.
    pub(super) fn text(&self) -> String {
        self.tree.to_string()
    }

    /// The groups or handlers of one event; `None` if the file does not name the event.
    pub(super) fn items(&self, event: &str) -> Result<Option<CstArray>, ContentError> {
        let Some((_, hooks)) = &self.hooks else {
            return Ok(None);
        };
        let Some(property) = unique(hooks, event)? else {
            return Ok(None);
        };
        match property.array_value() {
            Some(items) => Ok(Some(items)),
            None => Err(wrong_type(
                &property,
                &format!("{HOOKS}.{event}"),
                "an array",
            )),
        }
    }

    /// What of it holds nothing.
    pub(super) fn empty(&self) -> Empty {
        let hooks = self.hooks.as_ref().map(|(_, hooks)| hooks.properties());
        let is_empty = |event: &CstObjectProp| {
            let items = event.array_value();
            items.is_some_and(|items| items.elements().is_empty())
        };
        let events = hooks.iter().flatten().filter(|event| is_empty(event));
        Empty {
            hooks: hooks.as_ref().is_some_and(Vec::is_empty),
            events: events.filter_map(CstObjectProp::decoded_name).collect(),
        }
    }

    /// Every handler of every event, in order. What does not have the shape of a handler is left
    /// to whoever wrote it.
    pub(super) fn places(&self) -> Result<Vec<HandlerPlace>, ContentError> {
        let mut places = Vec::new();
        let events = self.hooks.iter().flat_map(|(_, hooks)| hooks.properties());
        for event in events {
            let items = event.array_value().into_iter();
            for item in items.flat_map(|items| items.elements()) {
                if let Some(item) = item.as_object() {
                    match self.shape {
                        Shape::Groups => self.add_group(&event, item, &mut places)?,
                        Shape::Flat => places.extend(self.place(&event, None, item)?),
                    }
                }
            }
        }
        Ok(places)
    }

    fn add_group(
        &self,
        event: &CstObjectProp,
        object: CstObject,
        places: &mut Vec<HandlerPlace>,
    ) -> Result<(), ContentError> {
        if is_ambiguous(&object, &[HOOKS])? {
            return Ok(());
        }
        let Some(handlers) = object.get(HOOKS) else {
            return Ok(());
        };
        let elements = handlers.array_value().into_iter();
        let group = Group { object, handlers };
        for handler in elements.flat_map(|handlers| handlers.elements()) {
            if let Some(handler) = handler.as_object() {
                places.extend(self.place(event, Some(&group), handler)?);
            }
        }
        Ok(())
    }

    fn place(
        &self,
        event: &CstObjectProp,
        group: Option<&Group>,
        handler: CstObject,
    ) -> Result<Option<HandlerPlace>, ContentError> {
        if is_ambiguous(&handler, &["type", self.command, "args"])? {
            return Ok(None);
        }
        Ok(Some(HandlerPlace {
            event: event.clone(),
            group: group.cloned(),
            is: entry::recognise(&handler, self.command),
            handler,
        }))
    }
}

impl HandlerPlace {
    /// The event that the handler is for.
    pub(super) fn event(&self) -> String {
        self.event.decoded_name().unwrap_or_default()
    }

    /// What the group, or else the handler, is matched against; `None` for everything.
    pub(super) fn matcher(&self) -> Option<String> {
        let group = self.group.as_ref().map(|group| &group.object);
        let holder = group.unwrap_or(&self.handler);
        node::text(holder, "matcher").filter(|matcher| !matches!(matcher.as_str(), "" | "*"))
    }
}

/// Whether `object` has one of `keys` twice. That is refused if attest is named in it, because a
/// host reads only one of the two; otherwise it is somebody else's and does not matter.
fn is_ambiguous(object: &CstObject, keys: &[&str]) -> Result<bool, ContentError> {
    for key in keys {
        match unique(object, key) {
            Err(error) if object.to_string().contains("attest") => return Err(error),
            Err(_) => return Ok(true),
            Ok(_) => {}
        }
    }
    Ok(false)
}

/// The property `key` of `object`, which must not be there twice: a host reads one of the two, and
/// an edit of the other would have no effect.
pub(super) fn unique(object: &CstObject, key: &str) -> Result<Option<CstObjectProp>, ContentError> {
    let properties = object.properties().into_iter();
    let mut found = properties.filter(|property| property.decoded_name().as_deref() == Some(key));
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(second) => {
            let (line, column) = position_of(&second.into());
            Err(ContentError::DuplicateKey {
                key: key.to_owned(),
                line,
                column,
            })
        }
    }
}

pub(super) fn wrong_type(
    property: &CstObjectProp,
    key: &str,
    expected: &'static str,
) -> ContentError {
    let value = property.value().unwrap_or_else(|| property.clone().into());
    let (line, column) = position_of(&value);
    ContentError::WrongType {
        key: key.to_owned(),
        expected,
        found: kind(&value),
        line,
        column,
    }
}

/// The parser lets a string run over the end of its line, which no host does.
fn refuse_control_characters(node: &CstNode) -> Result<(), ContentError> {
    if let Some(string) = node.as_string_lit() {
        let raw = string.raw_value();
        if let Some(at) = raw.find(|char: char| char < ' ') {
            let before = text_before(node) + raw.get(..at).unwrap_or_default();
            let (line, column) = end_of(&before);
            let why = "a line break, a tab or another control character is not allowed in a string"
                .to_owned();
            return Err(ContentError::Syntax { line, column, why });
        }
    }
    let mut children = node.children().into_iter();
    children.try_for_each(|child| refuse_control_characters(&child))
}

fn position_of(node: &CstNode) -> (usize, usize) {
    end_of(&text_before(node))
}

/// All that the file has in front of `node`.
fn text_before(node: &CstNode) -> String {
    let mut siblings: Vec<_> = node.previous_siblings().collect();
    siblings.reverse();
    let outer = node.parent().map(|parent| text_before(&parent.into()));
    let own = siblings.iter().map(CstNode::to_string);
    outer.into_iter().chain(own).collect()
}

/// The line and the column, both counted from one, at which what follows `text` starts.
pub(super) fn end_of(text: &str) -> (usize, usize) {
    let last = text.rsplit('\n').next().unwrap_or_default();
    (text.matches('\n').count() + 1, last.chars().count() + 1)
}

/// What a value is, for a person.
fn kind(value: &CstNode) -> &'static str {
    match value {
        CstNode::Container(CstContainerNode::Array(_)) => "an array",
        CstNode::Container(_) => "an object",
        CstNode::Leaf(CstLeafNode::StringLit(_)) => "a string",
        CstNode::Leaf(CstLeafNode::NumberLit(_)) => "a number",
        CstNode::Leaf(CstLeafNode::BooleanLit(_)) => "a boolean",
        CstNode::Leaf(_) => "null",
    }
}
