//! Putting our hooks into a settings file.
//!
//! The merge takes the first step that is still missing, parses the result and looks again, until
//! nothing is missing: a file that is already as it should be is not touched.

use jsonc_parser::ast::{Object, Value};

use super::document::{Container, Document};
use super::entry::{Form, Handler, OwnCall};
use super::error::ContentError;
use super::fragment::Fragment;
use super::hosts::{CLAUDE_CODE, CallForm, HookSpec, Host, Program};
use super::shell;
use super::splice::{self, Splices, holds};
use super::tree::{self, HOOKS, Place};
use super::unmerge;

/// What was done for one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Added(&'static str),
    Updated(&'static str),
    Removed(&'static str),
}

/// Merges the hooks of `host` into `text`, and takes out those of ours that it does not want. The
/// steps come in the order of the host's table.
pub(super) fn merge(
    text: &str,
    host: &Host,
    program: Program<'_>,
) -> Result<(String, Vec<Change>), ContentError> {
    let mut text = text.to_owned();
    let mut changes: Vec<Change> = Vec::new();
    while let Some((next, change)) = step(&Document::parse(&text)?, host, program)? {
        let added = Change::Added(change.event());
        if !changes.contains(&change) && !changes.contains(&added) {
            changes.push(change);
        }
        text = next;
    }
    Ok((text, changes))
}

impl Change {
    pub(crate) fn event(self) -> &'static str {
        match self {
            Self::Added(event) | Self::Updated(event) | Self::Removed(event) => event,
        }
    }
}

fn step(
    document: &Document<'_>,
    host: &Host,
    program: Program<'_>,
) -> Result<Option<(String, Change)>, ContentError> {
    for spec in host.hooks {
        let found =
            add_step(document, spec, program)?.map(|splices| (splices, Change::Added(spec.event)));
        let found = match found {
            Some(found) => Some(found),
            None => update_step(document, spec, program)?
                .map(|splices| (splices, Change::Updated(spec.event))),
        };
        if let Some((splices, change)) = found {
            return Ok(Some((splices.apply(document.text), change)));
        }
    }
    for spec in CLAUDE_CODE
        .hooks
        .iter()
        .filter(|spec| !host.wants(spec.verb))
    {
        if let Some(splices) = remove_step(document, spec)? {
            let change = Change::Removed(spec.event);
            return Ok(Some((splices.apply(document.text), change)));
        }
    }
    Ok(None)
}

/// Removes an entry that an earlier installation made.
fn remove_step(document: &Document<'_>, spec: &HookSpec) -> Result<Option<Splices>, ContentError> {
    let Some((property, hooks)) = tree::hooks(document)? else {
        return Ok(None);
    };
    let Some((event, _)) = tree::groups(document, hooks, spec.event)? else {
        return Ok(None);
    };
    let places = tree::places(document, event)?;
    let unwanted = places.iter().find(|place| own(place, spec).is_some());
    Ok(unwanted.map(|place| unmerge::remove(document, property, hooks, place)))
}

/// Adds what of hooks, event and group is not there.
fn add_step(
    document: &Document<'_>,
    spec: &HookSpec,
    program: Program<'_>,
) -> Result<Option<Splices>, ContentError> {
    let group = spec.group(program);
    let groups = |group| Fragment::Array(vec![group]);
    let Some((property, hooks)) = tree::hooks(document)? else {
        let hooks = Fragment::Object(vec![(spec.event, groups(group))]);
        let root = Container::of_object(&document.root, None);
        return Ok(Some(splice::append(
            document,
            &root,
            &Fragment::property(HOOKS, hooks),
        )));
    };
    let Some((event, array)) = tree::groups(document, hooks, spec.event)? else {
        let container = Container::of_object(hooks, Some(property.range.start));
        let event = Fragment::property(spec.event, groups(group));
        return Ok(Some(splice::append(document, &container, &event)));
    };
    if tree::places(document, event)?
        .iter()
        .any(|place| own(place, spec).is_some())
    {
        return Ok(None);
    }
    let container = Container::of_array(array, event.range.start);
    Ok(Some(splice::append(document, &container, &group)))
}

/// Corrects the first thing that is wrong with the entries that are there.
fn update_step(
    document: &Document<'_>,
    spec: &HookSpec,
    program: Program<'_>,
) -> Result<Option<Splices>, ContentError> {
    let Some((property, hooks)) = tree::hooks(document)? else {
        return Ok(None);
    };
    let Some((event, _)) = tree::groups(document, hooks, spec.event)? else {
        return Ok(None);
    };
    let places = tree::places(document, event)?;
    let mut matchers = Vec::new();
    for place in &places {
        let Some(call) = own(place, spec) else {
            continue;
        };
        if matchers.contains(&place.matcher()) {
            // The second of two would run on the same event as the first.
            return Ok(Some(unmerge::remove(document, property, hooks, place)));
        }
        matchers.push(place.matcher());
        let correction = correct_call(document, place.handler, call, program)
            .or_else(|| correct_settings(document, place.handler, spec));
        if correction.is_some() {
            return Ok(correction);
        }
    }
    Ok(None)
}

fn own<'p>(place: &'p Place<'_, '_>, spec: &HookSpec) -> Option<&'p OwnCall> {
    match &place.is {
        Handler::Own(call) if call.verb == spec.verb => Some(call),
        _ => None,
    }
}

/// Makes the entry run `program`, in its form. A command line that a person added to stays one.
fn correct_call(
    document: &Document<'_>,
    handler: &Object<'_>,
    call: &OwnCall,
    program: Program<'_>,
) -> Option<Splices> {
    let set = |name, value| splice::set(document, handler, name, value);
    let has_args = handler.get("args").is_some();
    // An empty `args` is an exec form too: the host would look for a program of that whole name.
    let has_form = match (&call.form, program.form) {
        (Form::Exec(_), form) => form == CallForm::Exec,
        (Form::Shell(_), form) => form == CallForm::Shell && !has_args,
        (Form::Decorated { .. }, _) => !has_args,
    };
    if has_form && call.is_literal && call.program == program.path {
        return None;
    }
    Some(match (&call.form, program.form) {
        (Form::Exec(args) | Form::Shell(args), CallForm::Exec) => {
            set("command", program.command(args)).and(set("args", Fragment::words(args)))
        }
        (Form::Exec(args) | Form::Shell(args), CallForm::Shell) => {
            set("command", program.command(args)).and(without(document, handler, "args"))
        }
        (Form::Decorated { program: span }, _) => {
            let mut command = handler.get_string("command")?.value.to_string();
            command.replace_range(span.clone(), &shell::quoted(program.path));
            set("command", Fragment::Text(command)).and(without(document, handler, "args"))
        }
    })
}

/// Removes a property of `handler` if it is there.
fn without(document: &Document<'_>, handler: &Object<'_>, name: &str) -> Splices {
    let mut properties = handler.properties.iter();
    let index = properties.position(|property| property.name.as_str() == name);
    let container = Container::of_object(handler, Some(handler.range.start));
    index.map_or_else(Splices::default, |index| {
        splice::remove(document, &container, index)
    })
}

/// Makes the entry a synchronous command with a time limit. A limit and a message that a person
/// chose stay as they are.
fn correct_settings(
    document: &Document<'_>,
    handler: &Object<'_>,
    spec: &HookSpec,
) -> Option<Splices> {
    let is_command = |value: &Value<'_>| {
        value
            .as_string_lit()
            .is_some_and(|text| text.value == "command")
    };
    let is_text = |value: &Value<'_>| value.as_string_lit().is_some();
    let wanted: [(_, bool, _); 4] = [
        (
            "type",
            holds(handler, "type", is_command),
            Fragment::Text("command".to_owned()),
        ),
        (
            "timeout",
            holds(handler, "timeout", is_positive),
            spec.timeout(),
        ),
        (
            "async",
            holds(handler, "async", is_false),
            Fragment::Bool(false),
        ),
        (
            "statusMessage",
            holds(handler, "statusMessage", is_text),
            HookSpec::status_message(),
        ),
    ];
    for (name, is_right, value) in wanted {
        if !is_right {
            return Some(splice::set(document, handler, name, value));
        }
    }
    let index = handler
        .properties
        .iter()
        .position(|property| match property.name.as_str() {
            "asyncRewake" => !is_false(&property.value),
            // With a condition the host never runs a hook of an agent's start or stop.
            "if" => true,
            _ => false,
        })?;
    let container = Container::of_object(handler, Some(handler.range.start));
    Some(splice::remove(document, &container, index))
}

pub(super) fn is_false(value: &Value<'_>) -> bool {
    value.as_boolean_lit().is_some_and(|value| !value.value)
}

pub(super) fn is_positive(value: &Value<'_>) -> bool {
    let number = value
        .as_number_lit()
        .and_then(|number| number.value.parse::<f64>().ok());
    number.is_some_and(|number| number.is_finite() && number > 0.0)
}
