//! What a settings file says about our hooks, for `doctor` and for warnings.

use std::time::Duration;

use jsonc_parser::cst::{CstLeafNode, CstNode, CstObject};

use super::document::Document;
use super::entry::Handler;
use super::node;
use super::{ContentError, JsonFile, Wanted};

/// Our hooks in one settings file.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The entries of ours.
    pub entries: Vec<Entry>,
    /// Events with a command line of somebody's own that calls attest among other things.
    pub mentions: Vec<String>,
    /// The key with which the person turned all hooks off, if they did.
    pub disabled_by: Option<&'static str>,
    /// Our plugin, by the name that the host has for it, if the person turned it on.
    pub plugin: Option<String>,
    /// The variables that the host gives its hooks, over its own environment.
    pub env: Vec<(String, String)>,
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

/// Reads the text of a settings file.
pub(super) fn inspect(text: &str, host: &JsonFile) -> Result<Inspection, ContentError> {
    let document = Document::parse(text, host)?;
    let is_on = |key: &&str| {
        let value = node::value(&document.root, key);
        value.as_ref().and_then(node::boolean) == Some(true)
    };
    let env = host.env.and_then(|key| document.root.object_value(key));
    let plugins = host.plugins.and_then(|key| document.root.object_value(key));
    let mut inspection = Inspection {
        disabled_by: host.off_switch.filter(is_on),
        plugin: plugins.as_ref().and_then(own_plugin),
        env: env.as_ref().map(variables).unwrap_or_default(),
        ..Inspection::default()
    };
    for place in document.places()? {
        match &place.is {
            Handler::Own(call) => inspection.entries.push(Entry {
                event: place.event(),
                verb: call.verb,
                matcher: place.matcher(),
                program: call.program.clone(),
                is_literal: call.is_literal,
                has_args: place.handler.get("args").is_some(),
                timeout: timeout(&place.handler, host),
                faults: faults(&place.handler, host),
            }),
            Handler::Mention => inspection.mentions.push(place.event()),
            Handler::Foreign => {}
        }
    }
    Ok(inspection)
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
fn variables(env: &CstObject) -> Vec<(String, String)> {
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
