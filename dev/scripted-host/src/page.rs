//! The text of docs/VALIDATION.md, and the details of a release. The same results give the same bytes.

use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::sanitise::Sanitiser;
use crate::trial::Played;

/// What stands above the results.
const HEAD: &str = include_str!("page/head.md");
/// What stands below them.
const FOOT: &str = include_str!("page/foot.md");
/// The field of a payload that tells agents apart.
const AGENT: &str = "agent_id";

/// The results on one version of the host.
#[derive(Debug)]
pub struct Version<'t> {
    /// Its name.
    pub name: String,
    /// One for each scenario.
    pub rows: Vec<Row<'t>>,
}

/// The result of one scenario.
#[derive(Debug)]
pub struct Row<'t> {
    /// Its name.
    pub scenario: &'t str,
    /// What it shows.
    pub about: &'t str,
    /// What came of it.
    pub ending: Ending,
}

/// How a scenario ended.
#[derive(Debug)]
pub enum Ending {
    /// The host of this version is not capable of it.
    NotPlayed,
    /// It was played to its end.
    Played {
        /// What was not as it must be.
        faults: Vec<String>,
        /// The hook events, each line in their order.
        events: Vec<String>,
        /// What subagents were told by blocks.
        blocks: Vec<String>,
    },
}

impl Ending {
    /// Reads from a run what the page shows of it, beside these faults.
    #[must_use]
    pub fn of(played: &Played<'_>, faults: &[String]) -> Self {
        let outcome = &played.outcome;
        let agents = agents(outcome);
        let mut sanitiser = Sanitiser::new(outcome.bench.home(), agents.iter().copied());
        let mut plain = |text: &str| match sanitiser.value(&json!(text)) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Self::Played {
            faults: faults.iter().map(|text| plain(text)).collect(),
            events: events(outcome, &agents, played.is_concurrent()),
            blocks: played.received().into_iter().map(plain).collect(),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::NotPlayed => "not played",
            Self::Played { faults, .. } if faults.is_empty() => "as expected",
            Self::Played { .. } => "FAILED",
        }
    }
}

/// The ids of the agents, in the order in which they appeared.
fn agents(outcome: &Outcome) -> Vec<&str> {
    let mut ids = Vec::new();
    for id in outcome
        .payloads
        .iter()
        .filter_map(|payload| payload[AGENT].as_str())
    {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The events by name: one line, or where things happened side by side one for the main
/// conversation and one for each agent.
fn events(outcome: &Outcome, agents: &[&str], is_concurrent: bool) -> Vec<String> {
    let of = |belongs: &dyn Fn(Option<&str>) -> bool, is_numbered| {
        let payloads = outcome.payloads.iter();
        let names = payloads
            .filter(|payload| belongs(payload[AGENT].as_str()))
            .map(|payload| event(payload, if is_numbered { agents } else { &[] }));
        names.collect::<Vec<_>>().join(", ")
    };
    if !is_concurrent {
        return vec![format!("Events: {}", of(&|_| true, agents.len() > 1))];
    }
    let main = of(&|id| id.is_none(), false);
    let mut lines: Vec<_> = agents
        .iter()
        .map(|agent| format!("Events of an agent: {}", of(&|id| id == Some(agent), false)))
        .collect();
    // Which of them came first is chance.
    lines.sort();
    lines.insert(0, format!("Events of the main conversation: {main}"));
    lines
}

/// One event, with the number of its agent among `agents`.
fn event(payload: &Value, agents: &[&str]) -> String {
    let name = payload["hook_event_name"].as_str().unwrap_or("?");
    let id = payload[AGENT].as_str();
    let number = agents.iter().position(|agent| Some(*agent) == id);
    let agent = number.map_or_else(String::new, |number| format!(" {}", number + 1));
    let again = match payload["stop_hook_active"] {
        Value::Bool(true) => " (`stop_hook_active`)",
        _ => "",
    };
    format!("`{name}`{agent}{again}")
}

/// The page: what came of each scenario, and what that does not show.
#[must_use]
pub fn text(versions: &[Version<'_>]) -> String {
    format!("{HEAD}{}\n{FOOT}", overview(versions))
}

/// What happened in each scenario, and every block word for word. Where agents work beside each other, each has a line
/// of its own, because their order is chance.
#[must_use]
pub fn details(versions: &[Version<'_>]) -> String {
    let sections = versions.iter().map(section);
    format!(
        "# What the real Claude Code did\n{}",
        sections.collect::<String>()
    )
}

fn overview(versions: &[Version<'_>]) -> String {
    let names = versions
        .iter()
        .map(|version| format!(" {} |", version.name));
    let mut table = format!("| scenario |{}\n|---|", names.collect::<String>());
    table += &"---|".repeat(versions.len());
    table += "\n";
    let Some(first) = versions.first() else {
        return table;
    };
    for (index, row) in first.rows.iter().enumerate() {
        let words = versions
            .iter()
            .map(|version| format!(" {} |", version.rows[index].ending.word()));
        table += &format!("| `{}` |{}\n", row.scenario, words.collect::<String>());
    }
    table
}

/// What one version did, with every text only once.
fn section(version: &Version<'_>) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let mut scenarios = String::new();
    for row in &version.rows {
        scenarios += &scenario(row, &mut texts);
    }
    let mut section = format!("\n## Claude Code {}\n", version.name);
    section += "\nWhat subagents were told by blocks, word for word:\n";
    for (index, text) in texts.iter().enumerate() {
        let (number, text) = (index + 1, text.trim_end());
        section += &format!("\nText {number}\n\n```text\n{text}\n```\n");
    }
    section + &scenarios
}

fn scenario<'r>(row: &'r Row<'_>, texts: &mut Vec<&'r str>) -> String {
    let word = row.ending.word();
    let mut scenario = format!(
        "\n### {}\n\n{}\n\n- Result: {word}\n",
        row.scenario, row.about
    );
    let Ending::Played {
        faults,
        events,
        blocks,
    } = &row.ending
    else {
        return scenario;
    };
    for fault in faults {
        scenario += &format!("  - {fault}\n");
    }
    for line in events {
        scenario += &format!("- {line}\n");
    }
    if blocks.is_empty() {
        return scenario;
    }
    let mut numbers = Vec::new();
    for block in blocks {
        let known = texts.iter().position(|text| text == block);
        let index = known.unwrap_or_else(|| {
            texts.push(block);
            texts.len() - 1
        });
        numbers.push(format!("text {}", index + 1));
    }
    scenario + &format!("- Told to an agent: {}\n", numbers.join(", "))
}

#[cfg(test)]
mod tests;
