//! docs/HOSTS.md: what a person, a parent and an agent see of attest, word for word as a trial printed it.

use std::fs;
use std::path::Path;

use attest_scripted_host::Outcome;
use attest_scripted_host::sanitise::Sanitiser;
use serde_json::{Value, json};

use crate::TOP;

/// What stands behind a path if the transcript comes too late to say what the tools did, and what the page has.
const LATE: [&str; 2] = [
    "not on disk, and no change of it was found",
    "no tool call touched it, the file is not on disk",
];

/// Those of the texts that the page does not have, in the form in which it is to have them.
pub(crate) fn not_on_the_page(outcome: &Outcome, texts: &[String]) -> Vec<String> {
    let page = fs::read_to_string(Path::new(TOP).join("docs/HOSTS.md")).unwrap();
    let agents = outcome.payloads.iter();
    let agents = agents.filter_map(|payload| payload["agent_id"].as_str());
    let mut sanitiser = Sanitiser::new(outcome.bench.home(), agents);
    let mut plain = |text: &String| match sanitiser.value(&json!(text)) {
        Value::String(text) => text.trim_end().replace(LATE[0], LATE[1]),
        other => other.to_string(),
    };
    let blocks = texts
        .iter()
        .map(|text| format!("```text\n{}\n```\n", plain(text)));
    blocks
        .filter(|block| !page.contains(block))
        .map(|block| format!("docs/HOSTS.md lacks\n{block}"))
        .collect()
}
