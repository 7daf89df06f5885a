//! What a settings file says about our hooks, for `doctor` and for warnings.

use std::time::Duration;

use jsonc_parser::cst::{CstLeafNode, CstNode, CstObject};

use super::document::Document;
use super::entry::Handler;
use super::node;
use super::switch::{self, Holder, Switched};
use super::{ContentError, JsonFile, Wanted};

/// Our hooks in one settings file.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The entries of ours.
    pub entries: Vec<Entry>,
    /// Events with a command line of somebody's own that calls attest among other things.
    pub mentions: Vec<String>,
    /// The switches that it sets.
    pub switches: Vec<Switched>,
    /// Events of ours whose entries the file tells the host to leave out.
    pub left_out: Vec<String>,
    /// Our plugin, by the name that the host has for it, if the person turned it on.
    pub plugin: Option<String>,
    /// The variables that the host gives its hooks, over its own environment.
    pub env: Vec<(String, String)>,
}

impl Inspection {
    /// The switch with which the file turns all hooks off, whoever reads it.
    #[must_use]
    pub fn turned_off(&self) -> Option<&Switched> {
        let everybodys = |it: &&Switched| it.switch.holder == Holder::Everybody;
        let mut switches = self.switches.iter().filter(everybodys);
        switches.find(|it| it.is_off())
    }
}

/// One entry of ours.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The event that it is for.
    pub event: String,
    /// The word behind `attest hook`.
    pub verb: &'static str,
    /// What its group is matched against; `None` for everything.
    pub matcher: Option<String>,
    /// What it runs, as it is written.
    pub program: String,
    /// Whether `program` is the path: no shell expands anything in it.
    pub is_literal: bool,
    /// Whether it has `args`, which old versions of the host do not know.
    pub has_args: bool,
    /// How long the host lets it run, if it says so.
    pub timeout: Option<Duration>,
    /// What keeps the entry from working.
    pub faults: Vec<&'static str>,
}

/// Reads a settings file.
pub(super) fn inspect(document: &Document, host: &JsonFile) -> Result<Inspection, ContentError> {
    let env = host.env.and_then(|key| document.root.object_value(key));
    let plugins = host.plugins.and_then(|key| document.root.object_value(key));
    let mut inspection = Inspection {
        switches: switch::read(&document.root, host.switches),
        plugin: plugins.as_ref().and_then(own_plugin),
        env: env.as_ref().map(variables).unwrap_or_default(),
        ..Inspection::default()
    };
    let left_out = left_out(&document.root, host);
    for place in document.places()? {
        match &place.is {
            Handler::Own(call) => {
                if is_left_out(&place.handler, &left_out, host) {
                    inspection.left_out.push(place.event());
                }
                inspection.entries.push(Entry {
                    event: place.event(),
                    verb: call.verb,
                    matcher: place.matcher(),
                    program: call.program.clone(),
                    is_literal: call.is_literal,
                    has_args: place.handler.get("args").is_some(),
                    timeout: timeout(&place.handler, host),
                    faults: faults(&place.handler, host),
                });
            }
            Handler::Mention => inspection.mentions.push(place.event()),
            Handler::Foreign => {}
        }
    }
    Ok(inspection)
}

/// The names and command lines that the file has in its list of hooks that are not to run.
fn left_out(root: &CstObject, host: &JsonFile) -> Vec<String> {
    let Some((list, groups)) = host.left_out.and_then(|keys| keys.split_last()) else {
        return Vec::new();
    };
    let group = groups
        .iter()
        .try_fold(root.clone(), |object, key| object.object_value(key));
    let list = group.and_then(|group| group.array_value(list));
    let names = list.into_iter().flat_map(|list| list.elements());
    names.filter_map(|name| node::string(&name)).collect()
}

/// Whether a list has the handler, which goes by its name, or else by its command line.
fn is_left_out(handler: &CstObject, list: &[String], host: &JsonFile) -> bool {
    let name = node::text(handler, "name").or_else(|| node::text(handler, host.command));
    name.is_some_and(|name| list.contains(&name))
}

/// A plugin is named with the place that it is from: `attest@attest`.
fn own_plugin(plugins: &CstObject) -> Option<String> {
    let mut on = plugins.properties().into_iter().filter(|property| {
        let value = property.value();
        value.as_ref().and_then(node::boolean) == Some(true)
    });
    on.find_map(|property| {
        let name = property.decoded_name()?;
        name.starts_with("attest@").then_some(name)
    })
}

/// The variables of `env`, as text. A later one of two of the same name is the one that counts.
pub(super) fn variables(env: &CstObject) -> Vec<(String, String)> {
    let text = |value: CstNode| match value {
        CstNode::Leaf(CstLeafNode::NumberLit(number)) => Some(number.to_string()),
        CstNode::Leaf(CstLeafNode::BooleanLit(value)) => Some(value.to_string()),
        value => node::string(&value),
    };
    env.properties()
        .into_iter()
        .filter_map(|property| Some((property.decoded_name()?, text(property.value()?)?)))
        .collect()
}

fn timeout(handler: &CstObject, host: &JsonFile) -> Option<Duration> {
    let mut rules = host.rules.iter();
    let rule = rules.find(|rule| matches!(rule.wanted, Wanted::Timeout))?;
    let number = node::number(&node::value(handler, rule.key)?)?;
    Duration::try_from_secs_f64(number / f64::from(host.units_per_second)).ok()
}

fn faults(handler: &CstObject, host: &JsonFile) -> Vec<&'static str> {
    let broken = host.rules.iter().filter(|rule| {
        let value = node::value(handler, rule.key);
        !rule.wanted.works_with(value.as_ref())
    });
    broken.filter_map(|rule| rule.fault).collect()
}
