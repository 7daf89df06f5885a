//! Putting our hooks into a settings file, and taking them out again.
//!
//! Each step makes one change to the tree; then the text is parsed and looked at again, until
//! nothing is left to do. So a file that is already as it should be is not touched.

use jsonc_parser::cst::{CstArray, CstInputValue, CstLeafNode, CstNode, CstObject, CstObjectProp};

use super::document::{Document, Empty, Group, HOOKS, HandlerPlace};
use super::entry::{Form, Handler, OwnCall};
use super::{
    CallForm, Change, ContentError, HookSpec, JsonFile, Program, Rule, Scope, Wiring as _,
};
use super::{node, shell};

/// Merges the hooks of `scope` into `text`, and takes out those of ours that it does not want. The
/// steps come in the order of the host's table.
pub(super) fn merge(
    text: &str,
    host: &JsonFile,
    scope: Scope,
    program: Program<'_>,
) -> Result<(String, Vec<Change>), ContentError> {
    let mut text = text.to_owned();
    let mut changes: Vec<Change> = Vec::new();
    loop {
        let document = Document::to_edit(&text, host)?;
        let Some(change) = step(&document, host, scope, program)? else {
            return Ok((text, changes));
        };
        let added = Change::Added(change.event());
        if !changes.contains(&change) && !changes.contains(&added) {
            changes.push(change);
        }
        text = document.text();
    }
}

/// Removes every entry of ours from `text`, under whatever event, and what is empty because of it.
/// What was empty `before` is so again. Returns the text and the events that an entry was removed from.
pub(super) fn unmerge(
    text: &str,
    host: &JsonFile,
    before: &Empty,
) -> Result<(String, Vec<String>), ContentError> {
    let mut text = text.to_owned();
    let mut events: Vec<String> = Vec::new();
    loop {
        let document = Document::to_edit(&text, host)?;
        let mut places = document.places()?.into_iter();
        let Some(place) = places.find(|place| matches!(place.is, Handler::Own(_))) else {
            return Ok((text, events));
        };
        if !events.contains(&place.event()) {
            events.push(place.event());
        }
        remove(&document, &place, before);
        text = document.text();
    }
}

fn step(
    document: &Document,
    host: &JsonFile,
    scope: Scope,
    program: Program<'_>,
) -> Result<Option<Change>, ContentError> {
    let places = document.places()?;
    let wanted: Vec<_> = host.hooks.iter().filter(|spec| scope.wants(spec)).collect();
    let items = wanted.iter().map(|spec| document.items(spec.event));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    for (spec, items) in wanted.into_iter().zip(items) {
        let own: Vec<_> = own(&places, spec).collect();
        if own.is_empty() {
            add(document, items.as_ref(), host, spec, program);
            return Ok(Some(Change::Added(spec.event)));
        }
        let mut matchers = Vec::new();
        for (place, call) in own {
            // The second of two would run on the same event as the first.
            let is_second = matchers.contains(&place.matcher());
            if is_second {
                remove(document, place, &Empty::default());
            }
            if is_second
                || has_corrected_call(&place.handler, call, host, spec, program)
                || has_corrected_rule(&place.handler, host, spec)
            {
                return Ok(Some(Change::Updated(spec.event)));
            }
            matchers.push(place.matcher());
        }
    }
    for spec in host.hooks.iter().filter(|spec| !scope.wants(spec)) {
        if let Some((place, _)) = own(&places, spec).next() {
            remove(document, place, &Empty::default());
            return Ok(Some(Change::Removed(spec.event)));
        }
    }
    Ok(None)
}

/// Adds what of hooks, event and group is not there, and before that what the root has to have.
fn add(
    document: &Document,
    items: Option<&CstArray>,
    host: &JsonFile,
    spec: &HookSpec,
    program: Program<'_>,
) {
    for (key, number) in host.head {
        if document.root.get(key).is_none() {
            document.root.append(key, (*number).into());
        }
    }
    match (items, &document.hooks) {
        (Some(items), _) => _ = items.append(host.item(spec, program)),
        (None, Some((_, hooks))) => _ = hooks.append(spec.event, host.event(spec, program)),
        (None, None) => {
            let hooks = vec![(spec.event.to_owned(), host.event(spec, program))];
            document.root.append(HOOKS, CstInputValue::Object(hooks));
        }
    }
}

/// The entries of ours for one hook.
fn own<'p>(
    places: &'p [HandlerPlace],
    spec: &HookSpec,
) -> impl Iterator<Item = (&'p HandlerPlace, &'p OwnCall)> {
    places.iter().filter_map(|place| match &place.is {
        Handler::Own(call) if call.verb == spec.verb && place.event() == spec.event => {
            Some((place, call))
        }
        _ => None,
    })
}

/// Makes the entry run `program`, in its form. A command line that a person added to stays one.
fn has_corrected_call(
    handler: &CstObject,
    call: &OwnCall,
    host: &JsonFile,
    spec: &HookSpec,
    program: Program<'_>,
) -> bool {
    let has_args = handler.get("args").is_some();
    // An empty `args` is an exec form too: the host would look for a program of that whole name.
    let has_form = match (&call.form, program.form) {
        (Form::Exec(_), form) => form == CallForm::Exec,
        (Form::Shell(_), form) => {
            form != CallForm::Exec && !has_args && call.guard == host.guard(form)
        }
        (Form::Decorated { .. }, _) => !has_args,
    };
    let words = host.words(spec.verb);
    let right_words = |found: &Vec<String>| host.harness.is_none() || *found == words;
    let has_words = match &call.form {
        Form::Exec(args) | Form::Shell(args) => right_words(args),
        Form::Decorated { .. } => true,
    };
    if has_form && has_words && call.is_literal && call.program == program.path {
        return false;
    }
    match &call.form {
        Form::Exec(args) | Form::Shell(args) => {
            let args = if right_words(args) {
                args.clone()
            } else {
                words
            };
            set(handler, host.command, host.call(program, &args));
            match program.form {
                CallForm::Exec => set(handler, "args", args.into()),
                CallForm::Shell | CallForm::Earlier => without(handler, "args"),
            }
        }
        Form::Decorated { program: span } => {
            let mut command = node::text(handler, host.command).unwrap_or_default();
            command.replace_range(span.clone(), &shell::quoted(program.path));
            set(handler, host.command, command.into());
            without(handler, "args");
        }
    }
    true
}

/// Corrects the first property of the entry that is not as the host's rules want it.
fn has_corrected_rule(handler: &CstObject, host: &JsonFile, spec: &HookSpec) -> bool {
    let broken = |rule: &&Rule| {
        let value = node::value(handler, rule.key);
        !rule.wanted.is_met(value.as_ref())
    };
    let broken = host.rules.iter().find(broken);
    if let Some(rule) = broken {
        match host.value(rule.wanted, spec) {
            Some(value) => set(handler, rule.key, value),
            None => without(handler, rule.key),
        }
    }
    broken.is_some()
}

/// Sets a property of `handler`, which is added if it is not there.
fn set(handler: &CstObject, name: &str, value: CstInputValue) {
    match handler.get(name) {
        Some(property) => property.set_value(value),
        None => _ = handler.append(name, value),
    }
}

/// Removes a property of `handler` if it is there.
fn without(handler: &CstObject, name: &str) {
    if let Some(property) = handler.get(name) {
        take_out(&property.into());
    }
}

/// Removes one handler, and with it the group, the event and the hooks that hold nothing else.
/// Whatever holds a comment of somebody is not empty, nor are the hooks of a root that has to have some.
fn remove(document: &Document, place: &HandlerPlace, before: &Empty) {
    let was_there = before.events.contains(&place.event());
    let handler = || place.handler.clone().into();
    let item: CstNode = match &place.group {
        Some(group) if !group.is_plain() || !holds_one(&group.handlers) => handler(),
        Some(group) if was_there || !holds_one(&place.event) => group.object.clone().into(),
        None if was_there || !holds_one(&place.event) => handler(),
        _ => match &document.hooks {
            Some((hooks, _)) if holds_one(hooks) && !document.needs_hooks && !before.hooks => {
                hooks.clone().into()
            }
            _ => place.event.clone().into(),
        },
    };
    take_out(&item);
}

impl Group {
    /// Whether it has nothing but its handlers and what they are matched against.
    fn is_plain(&self) -> bool {
        !has_comment(&self.object.children())
            && self.object.properties().iter().all(|property| {
                property
                    .decoded_name()
                    .is_some_and(|name| matches!(name.as_str(), HOOKS | "matcher"))
            })
    }
}

/// Whether the value of `property` has one item, and no comment is beside that or the property's name.
fn holds_one(property: &CstObjectProp) -> bool {
    let value = property.value().map(|value| value.children());
    let children = value.unwrap_or_default();
    children.iter().filter(|child| is_item(child)).count() == 1
        && !has_comment(&children)
        && !has_comment(&property.children())
}

fn has_comment(nodes: &[CstNode]) -> bool {
    nodes.iter().any(CstNode::is_comment)
}

/// Takes `item` out of its container, with its comma and the white space that only it needed. The
/// tree's own `remove` would take the comments on its line along.
fn take_out(item: &CstNode) {
    let followers = item.next_siblings().filter(|node| !node.is_comma());
    let after: Vec<_> = followers.collect();
    let before: Vec<_> = item.previous_siblings().collect();
    let (indent, space) = (spaces(&before), spaces(&after));
    let starts_line = before.get(indent).is_some_and(CstNode::is_newline);
    let ends_line = after.get(space).is_some_and(CstNode::is_newline);
    let is_last = !after.iter().any(is_item);
    let (indent, space) = match (starts_line && ends_line, is_last) {
        (true, _) => (indent + 1, space),
        (false, true) => (indent, 0),
        (false, false) => (0, space),
    };
    let own_comma = item.trailing_comma();
    let comma = own_comma.or_else(|| before.iter().find(|node| node.is_comma())?.as_token());
    if let Some(comma) = comma {
        comma.remove();
    }
    let unneeded = before.into_iter().take(indent);
    unneeded
        .chain(after.into_iter().take(space))
        .for_each(CstNode::remove);
    let container = item.parent();
    vanish(item);
    let rest = container
        .map(|container| container.children())
        .unwrap_or_default();
    if !rest
        .iter()
        .any(|node| node.is_comment() || is_item(node) && !node.to_string().is_empty())
    {
        rest.into_iter().filter(is_space).for_each(CstNode::remove);
    }
}

/// How many of `nodes` are spaces before anything else comes.
fn spaces(nodes: &[CstNode]) -> usize {
    nodes.iter().take_while(|node| node.is_whitespace()).count()
}

fn is_space(node: &CstNode) -> bool {
    node.is_whitespace() || node.is_newline()
}

fn is_item(node: &CstNode) -> bool {
    !node.is_trivia() && !node.is_token()
}

/// Leaves nothing of `item` in the text. Only for a tree that is written out next: a literal
/// without characters stands in its place.
fn vanish(item: &CstNode) {
    let nothing = || CstInputValue::Number(String::new());
    if let Some(object) = item.as_object() {
        object.replace_with(nothing());
    } else if let Some(property) = item.as_object_prop() {
        property.set_value(nothing());
        for part in property.children() {
            match part {
                CstNode::Leaf(CstLeafNode::StringLit(name)) => name.set_raw_value(String::new()),
                part if is_space(&part) || part.is_token() => part.remove(),
                _ => {}
            }
        }
    }
}
