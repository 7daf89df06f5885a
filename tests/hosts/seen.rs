//! What docs/HOSTS.md says of the trials: which are played on each host, and what the agent and the person read there
//! around the words of attest.

use std::fs;
use std::path::Path;

use attest_scripted_host::driver::{self, Driver, Installed, Performance, Script};

/// How every block begins, and how it ends where only the last message is kept and where all are.
const BEGIN: &str = "attest: the report says Status: DONE";
const ENDS: [&str; 2] = ["kept.", "Then report again."];
/// How every notice for the person goes on behind the name and the count.
const NOTICE: &str = "attest: 1 ";

/// The column of the table, and how the names of its trials begin.
const COLUMNS: [(&str, &[&str]); 9] = [
    (
        "ghost sent back",
        &["turn_false_done", "subagent_false_done"],
    ),
    ("honest", &["turn_honest", "subagent_honest"]),
    ("stubborn let go", &["turn_stubborn", "subagent_stubborn"]),
    ("on and off", &["enforced_"]),
    ("two at once", &["parallel_"]),
    ("resumed", &["resumed_"]),
    ("broken program", &["gone_"]),
    ("own command", &["plugin_", "package_"]),
    ("asked", &["asked_"]),
];

fn page() -> String {
    fs::read_to_string(Path::new(crate::TOP).join("docs/HOSTS.md")).unwrap()
}

/// The cells of the row of a host in the table whose head has this column, each with its column.
fn row(page: &str, column: &str, host: &str) -> Option<Vec<(String, String)>> {
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = page.lines().skip_while(|line| {
        !line.starts_with('|') || !cells(line).iter().any(|cell| cell == column)
    });
    let head = cells(lines.next()?);
    let mut rows = lines.take_while(|line| line.starts_with('|')).map(cells);
    let own = rows.find(|cells| cells[0] == format!("`{host}`"))?;
    Some(head.into_iter().zip(own).collect())
}

fn cell(page: &str, column: &str, host: &str) -> Option<String> {
    let row = row(page, column, host)?;
    let own = row.into_iter().find(|(name, _)| name == column);
    own.map(|(_, cell)| cell)
}

/// Whether the table says of each host what is played on it, and on which versions.
pub(crate) fn check_table(hosts: &[Installed]) -> Result<(), String> {
    let page = page();
    let mut faults = Vec::new();
    for driver in driver::ALL {
        let name = driver.name();
        let versions = hosts.iter().filter(|host| host.name == name);
        let versions: Vec<_> = versions.map(|host| host.version.as_str()).collect();
        if cell(&page, "ghost sent back", name).is_none() {
            faults.push(format!("{name} has no row"));
            continue;
        }
        let said = row(&page, "ghost sent back", name).unwrap_or_default();
        let said = said.into_iter().find(|(column, _)| column == "versions");
        if said.is_none_or(|(_, said)| said != versions.join(", ")) {
            faults.push(format!("{name}: the versions are {versions:?}"));
        }
        let newest = versions.first().copied().unwrap_or_default();
        let trials = crate::trials(*driver, newest);
        for (column, prefixes) in COLUMNS {
            let is_played = trials
                .iter()
                .any(|(name, ..)| prefixes.iter().any(|prefix| name.starts_with(prefix)));
            let said = cell(&page, column, name).unwrap_or_default();
            if said.starts_with("yes") != is_played || !is_played && !said.starts_with('-') {
                faults.push(format!(
                    "{name}: {column}: {is_played}, the page has {said:?}"
                ));
            }
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(faults.join("\n"))
}

/// What is not as the page says it.
pub(crate) fn faults(
    driver: &dyn Driver,
    script: &Script,
    performance: &Performance,
) -> Vec<String> {
    let page = page();
    let mut faults = Vec::new();
    let mut compare = |column: &str, found: &str| {
        let said = cell(&page, column, driver.name()).unwrap_or_default();
        let found = written(found, &performance.home.to_string_lossy());
        // Said in words, because it is another text each time.
        if said != found && !said.starts_with("- ") {
            faults.push(format!("{column}: the page has {said:?}, found {found:?}"));
        }
    };
    if let Some(before) = performance.before_notice(NOTICE) {
        compare("before a notice", before);
    }
    let is_of_turns = driver.agent("").is_empty();
    let conversation = if is_of_turns { "main" } else { "worker" };
    let mut ends = ENDS.iter();
    match ends.find_map(|end| performance.around(conversation, BEGIN, end)) {
        Some((before, behind)) => {
            compare("before a block", before);
            compare("behind it", behind);
        }
        None if script.expect.revisions > 0 && script.expect.told.contains_key(conversation) => {
            faults.push(format!("{conversation} read no block"));
        }
        None => {}
    }
    faults
}

/// A text as a cell has it: the home as `~`, and a time as that word.
fn written(text: &str, home: &str) -> String {
    let text = text.trim().replace(home, "~").replace('\n', " ↵ ");
    let is_time = |part: &&str| part.starts_with("20") && part.contains('T') && part.contains(':');
    let parts = text.split(['<', '>']);
    let times: Vec<_> = parts.filter(is_time).map(str::to_owned).collect();
    let text = times.iter().fold(text.replace('|', "/"), |text, time| {
        text.replace(time, "TIME")
    });
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{text}`")
    }
}
