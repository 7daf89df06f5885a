//! The counts as Markdown, for a mail or a chat. Names of files and agents stand in code, so that nothing in them is read
//! as Markdown.

mod code;

use attest_state::Store;
use attest_state::history::{self, Entry, Filter, Stats, Stops, Tally};
use attest_verdict::Outcome;
use clap::ValueEnum as _;
use jiff::{Timestamp, Zoned};

use super::question::{self, Asked, SortBy};
use crate::cost;
use crate::explain::capital;
use crate::groups::{GroupBy, named};
use crate::history::read;
use crate::names::short_id;
use crate::rates::{FEW, rate};
use crate::repository::repository_name;
use attest_base::error::CommandError;
use attest_base::time;
use attest_base::ui::counted;
use code::{code, row};

/// False DONEs that are named; nobody reads more in a mail.
const MOST_NAMED: usize = 20;
const NOTHING: &str = "No agent has stopped.\n";

/// A page on the stops that `filter` lets through, which are compared with the time before.
pub(super) fn page(
    store: Option<&Store>,
    filter: &Filter,
    by: GroupBy,
    sort: Option<SortBy>,
) -> Result<String, CommandError> {
    let mut text = title(filter);
    match store {
        Some(store) => text.push_str(&body(store, filter, by, sort)?),
        None => text.push_str(NOTHING),
    }
    Ok(text)
}

/// What it is of, in local time.
fn title(filter: &Filter) -> String {
    let zone = Zoned::now().time_zone().clone();
    let shown = |at: Timestamp| {
        at.to_zoned(zone.clone())
            .strftime("%A, %-d %B %Y, %H:%M")
            .to_string()
    };
    let end = filter.until.unwrap_or_else(Timestamp::now);
    let range = match filter.since {
        Some(since) => format!("From {} to {}", shown(since), shown(end)),
        None => format!("Up to {}", shown(end)),
    };
    let place = filter.of.repository().map(repository_name);
    let place = place.map_or_else(
        || "every repository".to_owned(),
        |path| code(&path.to_string_lossy()),
    );
    format!("# Agents and their claims\n\n{range}, in {place}.\n\n")
}

fn body(
    store: &Store,
    filter: &Filter,
    by: GroupBy,
    sort: Option<SortBy>,
) -> Result<String, CommandError> {
    let first = read(history::first_stop(store))?;
    let asked = Asked::of(by, filter, first);
    let stops = read(Stops::of(store, filter))?;
    let mut stats = read(stops.stats(&asked.question()))?;
    if stats.all.agents == 0 {
        return Ok(NOTHING.to_owned());
    }
    read(cost::add(store, &mut stats))?;
    question::sort(&mut stats.tallies, sort);
    let mut text = sums(&stats, &asked);
    text.push_str(&table(by, &stats.tallies));
    if by == GroupBy::Type && filter.of.repository().is_none() {
        let asked = Asked::of(GroupBy::Repository, filter, first);
        let mut repositories = read(stops.stats(&asked.question()))?;
        question::sort(&mut repositories.tallies, sort);
        text.push_str(&table(GroupBy::Repository, &repositories.tallies));
    }
    text.push_str(&false_dones(store, &stops, filter)?);
    Ok(text)
}

fn sums(types: &Stats, asked: &Asked<'_>) -> String {
    let all = &types.all;
    let share = match all.rate() {
        share if share.agents_with_claim < FEW => String::new(),
        share => format!(" ({})", rate(share)),
    };
    let mended = match all.agents_mended {
        0 => String::new(),
        count => format!(", and {count} mended it"),
    };
    let mut lines = vec![format!(
        "**{} of {} with a claim had a false DONE**{share}{mended}; {} stopped.",
        all.agents_with_false_done,
        counted(all.agents_with_claim as usize, "agent"),
        counted(all.agents as usize, "agent"),
    )];
    lines.extend(asked.before_in_words(all).map(|text| sentence(&text)));
    if all.blocked > 0 {
        let answered = all.fixed + all.withdrawn + all.repeated + all.unanswered;
        let others = match all.blocked.saturating_sub(answered) {
            0 => String::new(),
            count => format!(", {count} at work or called honest"),
        };
        lines.push(format!(
            "Sent back {}: {} fixed, {} withdrawn, {} repeated, {} unanswered{others}.",
            counted(all.blocked as usize, "time"),
            all.fixed,
            all.withdrawn,
            all.repeated,
            all.unanswered
        ));
        lines.extend(cost::sentence(&all.after_blocks).map(|text| sentence(&text)));
    }
    let lines = lines.into_iter().map(|line| format!("- {line}\n"));
    lines.collect()
}

fn sentence(text: &str) -> String {
    format!("{}.", capital(text.trim_end_matches('.')))
}

fn table(by: GroupBy, tallies: &[Tally]) -> String {
    let what = by.to_possible_value();
    let what = what.map_or_else(String::new, |what| capital(what.get_name()));
    let mut text = format!(
        "\n{}{}",
        row(&[&what, "Agents", "With a claim", "False", "Mended", "Rate"].map(str::to_owned)),
        "|---|---:|---:|---:|---:|---:|\n"
    );
    for tally in tallies {
        text.push_str(&row(&[
            code(&named(&tally.key)),
            tally.agents.to_string(),
            tally.agents_with_claim.to_string(),
            tally.agents_false().to_string(),
            tally.agents_mended.to_string(),
            rate(tally.rate()),
        ]));
    }
    text
}

/// The newest of them, each with what shows it.
fn false_dones(store: &Store, stops: &Stops<'_>, filter: &Filter) -> Result<String, CommandError> {
    let Some(filter) = filter.of_false_dones() else {
        return Ok(String::new());
    };
    let mut numbers = stops.numbers(&filter);
    let count = numbers.len();
    numbers.truncate(MOST_NAMED);
    let entries = read(history::numbered(store, &numbers))?;
    if entries.is_empty() {
        return Ok(String::new());
    }
    let mut text = "\n## False DONEs, the newest first\n\n".to_owned();
    for entry in &entries {
        text.push_str(&item(entry));
    }
    let more = count.saturating_sub(entries.len());
    if more > 0 {
        text.push_str(&format!(
            "\nThere are {more} more: `attest log --outcome mismatch,blocked`\n"
        ));
    }
    Ok(text)
}

fn item(entry: &Entry) -> String {
    let at = entry.at.parse().map(time::second);
    let at = at.unwrap_or_else(|_| entry.at.clone());
    let repository = entry.repository.as_deref().map(repository_name);
    let repository = repository.and_then(|path| path.file_name());
    let place = repository.map(|name| format!(" in {}", code(&name.to_string_lossy())));
    let id = short_id(&entry.id);
    let what = match entry.outcome {
        Outcome::Blocked => "sent back",
        _ => "let through",
    };
    format!(
        "- {at}: {}{}, {what}: {} (`attest show {id}`)\n",
        code(entry.agent_type.as_deref().unwrap_or("-")),
        place.unwrap_or_default(),
        code(&entry.summary),
    )
}
