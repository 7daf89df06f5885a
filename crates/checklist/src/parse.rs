//! The criteria file: from YAML to [`Criteria`]. What cannot be checked is refused here, with its
//! position.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use serde_saphyr::{Location, Spanned};
use thiserror::Error;

use crate::criteria::{Check, Conditions, Criteria, FileCheck, Item, Node};
use crate::duration;
use crate::expression;
use crate::pattern::PathPattern;
use crate::quality::{Criterion, Rubric};
use crate::refused::refused;
use crate::written::{Document, Paths, WrittenCheck, WrittenCriterion, WrittenItem, WrittenKind};

/// How deeply YAML may be nested; each level of items takes two.
const MAX_YAML_DEPTH: usize = 256;

/// Enough for the parser's recursion at that depth, in bytes. A thread has 2 MiB by default.
const PARSER_STACK_BYTES: usize = 32 * 1024 * 1024;

/// The name of the only check of a file without a checklist.
const SINGLE_CHECK_NAME: &str = "base_case";

/// A criteria file that does not make sense, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
    /// What is wrong.
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(at: Location, message: impl Into<String>) -> Self {
        Self {
            line: at.line().max(1),
            column: at.column().max(1),
            message: message.into(),
        }
    }
}

impl Criteria {
    /// Reads a criteria file.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let parser = thread::Builder::new().stack_size(PARSER_STACK_BYTES);
        thread::scope(|scope| {
            let parsing = parser.spawn_scoped(scope, || parse(text));
            let parsed = parsing.map(thread::ScopedJoinHandle::join);
            parsed
                .unwrap_or_else(|_| Ok(parse(text)))
                .unwrap_or_else(|_| Err(SyntaxError::new(Location::UNKNOWN, "the parser failed")))
        })
    }
}

fn parse(text: &str) -> Result<Criteria, SyntaxError> {
    let options = serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: MAX_YAML_DEPTH },
    };
    let document: Document = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| refused(&error, text))?;
    let base_case = document.base_case;
    let items = match &base_case.value.checklist {
        Some(checklist) => {
            base_case.value.allows("a checklist", &["checklist"])?;
            items(checklist, "the checklist")?
        }
        None => vec![Item {
            name: SINGLE_CHECK_NAME.to_owned(),
            node: Node::Check(check(&base_case)?),
        }],
    };
    let own_checks = document.checks.iter().map(own_check);
    Ok(Criteria {
        items,
        own_checks: own_checks.collect::<Result<_, _>>()?,
    })
}

/// A command that counts as a check. It is compared with what agents ran, word by word.
fn own_check(written: &Spanned<String>) -> Result<String, SyntaxError> {
    let is_of_shell = |c: char| c.is_control() || "$;|&<>()`\\".contains(c);
    let command = written.value.trim();
    if !command.is_empty() && !command.contains(is_of_shell) {
        return Ok(command.to_owned());
    }
    let message = "a check is one plain command, without variables, pipes or redirections";
    Err(SyntaxError::new(written.referenced, message))
}

fn items(list: &Spanned<Vec<WrittenItem>>, what: &str) -> Result<Vec<Item>, SyntaxError> {
    if list.value.is_empty() {
        return Err(SyntaxError::new(
            list.referenced,
            format!("{what} is empty"),
        ));
    }
    let mut names = BTreeSet::new();
    let mut items = Vec::with_capacity(list.value.len());
    for written in &list.value {
        let item = item(written)?;
        if !names.insert(item.name.clone()) {
            let message = format!("two items are called {:?}", item.name);
            return Err(SyntaxError::new(written.item.referenced, message));
        }
        items.push(item);
    }
    Ok(items)
}

fn item(written: &WrittenItem) -> Result<Item, SyntaxError> {
    let at = written.item.referenced;
    let name = filled(&written.item, "the name of the item")?.to_owned();
    let node = match (&written.check, &written.group, &written.any_of) {
        (Some(written), None, None) => Node::Check(check(written)?),
        (None, Some(group), None) => Node::Group(items(group, "the group")?),
        (None, None, Some(any_of)) => Node::AnyOf(items(any_of, "the list of any_of")?),
        _ => {
            let message = format!("{name:?} needs exactly one of check, group and any_of");
            return Err(SyntaxError::new(at, message));
        }
    };
    Ok(Item { name, node })
}

fn check(written: &Spanned<WrittenCheck>) -> Result<Check, SyntaxError> {
    let (at, written) = (written.referenced, &written.value);
    let Some(kind) = &written.kind else {
        return Err(SyntaxError::new(at, "the check has no type"));
    };
    let kind = kind.value;
    written.allows(&format!("a check of type {}", kind.word()), kind.keys())?;
    let value = || match &written.value {
        Some(value) => filled(value, "the value").map(str::to_owned),
        None => Err(SyntaxError::new(
            at,
            format!("a check of type {} needs a value", kind.word()),
        )),
    };
    Ok(match kind {
        WrittenKind::Command | WrittenKind::NotCommand => Check::Command {
            command: value()?,
            must_fail: kind == WrittenKind::NotCommand,
            timeout: timeout(written)?,
        },
        WrittenKind::File | WrittenKind::NotFile => Check::File {
            file: Box::new(FileCheck {
                pattern: pattern(
                    written.value.as_ref().map_or(at, |v| v.referenced),
                    &value()?,
                )?,
                conditions: conditions(written)?,
            }),
            must_miss: kind == WrittenKind::NotFile,
        },
        WrittenKind::Assertion => Check::Assertion {
            sentence: value()?,
            test_commands: test_commands(written)?,
            timeout: timeout(written)?,
        },
        WrittenKind::Quality => Check::Quality(rubric(at, written)?),
    })
}

fn filled<'t>(text: &'t Spanned<String>, what: &str) -> Result<&'t str, SyntaxError> {
    if text.value.trim().is_empty() {
        return Err(SyntaxError::new(
            text.referenced,
            format!("{what} is empty"),
        ));
    }
    Ok(&text.value)
}

fn timeout(written: &WrittenCheck) -> Result<Option<Duration>, SyntaxError> {
    let Some(text) = &written.timeout else {
        return Ok(None);
    };
    duration::parse(&text.value)
        .map(Some)
        .map_err(|error| SyntaxError::new(text.referenced, error.to_string()))
}

fn test_commands(written: &WrittenCheck) -> Result<Vec<String>, SyntaxError> {
    let commands = written.test_commands.iter().flat_map(|list| &list.value);
    commands
        .map(|command| filled(command, "the test command").map(str::to_owned))
        .collect()
}

fn pattern(at: Location, text: &str) -> Result<PathPattern, SyntaxError> {
    PathPattern::new(text).map_err(|error| SyntaxError::new(at, error.to_string()))
}

fn conditions(written: &WrittenCheck) -> Result<Conditions, SyntaxError> {
    let matches = match &written.matches {
        Some(text) => {
            let regex = expression::parse(&text.value);
            Some(regex.map_err(|error| SyntaxError::new(text.referenced, error.to_string()))?)
        }
        None => None,
    };
    let sha256 = match &written.sha256 {
        Some(text) if is_sha256(&text.value) => Some(text.value.to_ascii_lowercase()),
        Some(text) => {
            let message = "a SHA-256 has 64 hexadecimal digits";
            return Err(SyntaxError::new(text.referenced, message));
        }
        None => None,
    };
    Ok(Conditions {
        contains: match &written.contains {
            Some(text) if text.value.is_empty() => {
                return Err(SyntaxError::new(text.referenced, "the text is empty"));
            }
            other => other.as_ref().map(|text| text.value.clone()),
        },
        matches,
        min_bytes: written.min_bytes.as_ref().map(|bytes| bytes.value),
        sha256,
    })
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn rubric(at: Location, written: &WrittenCheck) -> Result<Rubric, SyntaxError> {
    let statement = match (&written.criteria, &written.value) {
        (Some(text), None) | (None, Some(text)) => Some(filled(text, "the sentence")?.to_owned()),
        (None, None) => None,
        (Some(text), Some(_)) => {
            let message = "a check of type quality has either criteria or a value";
            return Err(SyntaxError::new(text.referenced, message));
        }
    };
    let criteria = match (&written.rubric, &statement) {
        (Some(list), _) => criteria(list)?,
        (None, Some(statement)) => vec![Criterion::overall(statement)],
        (None, None) => {
            let message = "a check of type quality needs a rubric, or a sentence as criteria";
            return Err(SyntaxError::new(at, message));
        }
    };
    let Some(threshold) = &written.pass_threshold else {
        return Err(SyntaxError::new(
            at,
            "a check of type quality needs a pass_threshold",
        ));
    };
    let scope = match &written.scope {
        Some(paths) => {
            let texts = match &paths.value {
                Paths::One(path) => std::slice::from_ref(path),
                Paths::Many(paths) => paths,
            };
            let patterns = texts.iter().map(|text| pattern(paths.referenced, text));
            patterns.collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let rubric = Rubric {
        statement,
        criteria,
        pass_threshold: threshold.value,
        scope,
    };
    match rubric.range() {
        _ if !threshold.value.is_finite() => Err(SyntaxError::new(
            threshold.referenced,
            "the threshold is not a number",
        )),
        Some((least, most)) if !(least..=most).contains(&threshold.value) => {
            let message = format!(
                "the levels range from {least} to {most}, but the threshold is {}",
                threshold.value
            );
            Err(SyntaxError::new(threshold.referenced, message))
        }
        _ => Ok(rubric),
    }
}

fn criteria(list: &Spanned<Vec<WrittenCriterion>>) -> Result<Vec<Criterion>, SyntaxError> {
    if list.value.is_empty() {
        return Err(SyntaxError::new(list.referenced, "the rubric is empty"));
    }
    let mut names = BTreeSet::new();
    let mut criteria = Vec::with_capacity(list.value.len());
    for written in &list.value {
        let name = filled(&written.criterion, "the name of the criterion")?;
        if !names.insert(name) {
            let message = format!("two criteria are called {name:?}");
            return Err(SyntaxError::new(written.criterion.referenced, message));
        }
        let weight = match &written.weight {
            Some(weight) if weight.value.is_finite() && weight.value > 0.0 => weight.value,
            Some(weight) => {
                return Err(SyntaxError::new(
                    weight.referenced,
                    "a weight has to be above 0",
                ));
            }
            None => 1.0,
        };
        criteria.push(Criterion {
            name: name.to_owned(),
            description: written.description.clone(),
            weight,
            levels: written.levels.clone().unwrap_or_default(),
        });
    }
    Ok(criteria)
}

#[cfg(test)]
mod tests;
