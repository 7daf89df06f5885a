//! The text of docs/VALIDATION.md. The same results give the same bytes.

use attest_scripted_model::run::RunError;
use attest_scripted_model::sanitise::Sanitiser;
use attest_scripted_model::{Outcome, Played};
use serde_json::{Value, json};

/// What stands above the results.
const HEAD: &str = include_str!("head.md");
/// What stands below them.
const FOOT: &str = include_str!("foot.md");
/// The field of a payload that tells agents apart.
const AGENT: &str = "agent_id";

/// The results on one version of the host.
pub(super) struct Version<'t> {
    pub(super) name: String,
    pub(super) rows: Vec<Row<'t>>,
}

/// The result of one scenario.
pub(super) struct Row<'t> {
    pub(super) scenario: &'t str,
    pub(super) about: &'t str,
    pub(super) ending: Ending,
}

/// How a scenario ended.
pub(super) enum Ending {
    /// The host of this version is not capable of it.
    NotPlayed,
    /// It was played to its end.
    Played {
        /// What was not as it must be.
        faults: Vec<String>,
        /// The hook events in their order.
        events: Vec<String>,
        /// What subagents were told by blocks.
        blocks: Vec<String>,
    },
}

impl Ending {
    pub(super) fn of(played: &Played<'_>) -> Result<Self, RunError> {
        let outcome = &played.outcome;
        let agents = agents(outcome);
        let mut sanitiser = Sanitiser::new(outcome.bench.home(), agents.iter().copied());
        let mut plain = |text: &str| match sanitiser.value(&json!(text)) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(Self::Played {
            faults: played.faults()?.iter().map(|text| plain(text)).collect(),
            events: events(outcome, &agents),
            blocks: played.received().into_iter().map(plain).collect(),
        })
    }

    fn word(&self) -> &'static str {
        match self {
            Self::NotPlayed => "not played",
            Self::Played { faults, .. } if faults.is_empty() => "as expected",
            Self::Played { .. } => "FAILED",
        }
    }
}

impl Version<'_> {
    /// The scenarios that did not come out as they must.
    pub(super) fn failed(&self) -> impl Iterator<Item = String> {
        let failed = self.rows.iter().filter(|row| row.ending.word() == "FAILED");
        failed.map(|row| format!("{} on {}", row.scenario, self.name))
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

/// The events by name. Agents are numbered where there are several.
fn events(outcome: &Outcome, agents: &[&str]) -> Vec<String> {
    let payloads = outcome.payloads.iter();
    payloads
        .map(|payload| {
            let name = payload["hook_event_name"].as_str().unwrap_or("?");
            let id = payload[AGENT].as_str();
            let number = agents.iter().position(|agent| Some(*agent) == id);
            let agent = match number {
                Some(number) if agents.len() > 1 => format!(" {}", number + 1),
                _ => String::new(),
            };
            let again = match payload["stop_hook_active"] {
                Value::Bool(true) => " (`stop_hook_active`)",
                _ => "",
            };
            format!("`{name}`{agent}{again}")
        })
        .collect()
}

/// The whole page.
pub(super) fn text(versions: &[Version<'_>]) -> String {
    let mut page = HEAD.to_owned();
    page += &overview(versions);
    for version in versions {
        page += &format!("\n## Claude Code {}\n", version.name);
        for row in &version.rows {
            page += &section(row);
        }
    }
    page + "\n" + FOOT
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

fn section(row: &Row<'_>) -> String {
    let mut text = format!("\n### {}\n\n{}\n\n", row.scenario, row.about);
    text += &format!("Result: {}.\n", row.ending.word());
    let Ending::Played {
        faults,
        events,
        blocks,
    } = &row.ending
    else {
        return text;
    };
    for fault in faults {
        text += &format!("- {fault}\n");
    }
    text += &format!("\nEvents: {}.\n", events.join(", "));
    for block in blocks {
        text += &format!(
            "\nTold to a subagent:\n\n```text\n{}\n```\n",
            block.trim_end()
        );
    }
    text
}
