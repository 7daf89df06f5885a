//! `attest digest`: the days that lie behind as Markdown, for a mail or a chat.

mod markdown;

use attest_state::Store;
use attest_state::history::{self, Entry, Filter, Stats, Stops, Tally};
use attest_verdict::Outcome;
use jiff::{Timestamp, Zoned};

use super::groups::{GroupBy, named};
use super::history::{FilterArgs, SHORT_ID, open, read, repository_name};
use super::moment::Moment;
use super::rates::rate;
use super::stats::question::Asked;
use super::{ExitStatus, cost, counted};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::Ui;
use markdown::{code, row};

/// False DONEs that are named; nobody reads more in a mail.
const MOST_NAMED: usize = 20;
/// What a digest is of where nobody says otherwise.
const USUAL: &str = "7d";

/// Print what agents claimed, as Markdown for a mail or a chat
///
/// It says how many agents stopped and how many had a false DONE, against the same time before, by type and by
/// repository, what became of blocks, and names the newest false DONEs. Names of files and agents stand in code, so
/// that nothing in them is read as Markdown.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest digest\n  \
    attest digest --all --since monday | mail -s agents team@example.com\n  \
    attest digest --since yesterday --until today")]
pub(crate) struct DigestArgs {
    #[command(flatten)]
    filter: FilterArgs,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &DigestArgs) -> Result<ExitStatus, CommandError> {
    let mut filter = args.filter.scope()?.filter;
    if filter.since.is_none() {
        let usual = Moment::parse(USUAL).ok().map(|moment| moment.at);
        filter.since = usual.filter(|since| filter.until.is_none_or(|until| *since < until));
    }
    let mut text = title(&filter);
    match open(ui, env)? {
        Some(store) => text.push_str(&body(&store, &filter)?),
        None => text.push_str("No agent has stopped.\n"),
    }
    // For a program or a file, so no pager and no colours.
    ui.print(&text)?;
    Ok(ExitStatus::Success)
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

fn body(store: &Store, filter: &Filter) -> Result<String, CommandError> {
    let first = read(history::first_stop(store))?;
    let by_type = Asked::of(GroupBy::Type, filter, first);
    let stops = read(Stops::of(store, filter))?;
    let mut types = read(stops.stats(&by_type.question()))?;
    if types.all.agents == 0 {
        return Ok("No agent has stopped.\n".to_owned());
    }
    read(cost::add(store, &mut types))?;
    let mut text = sums(&types, &by_type);
    text.push_str(&table("Type", &types.tallies));
    if filter.of.repository().is_none() {
        let by_repository = Asked::of(GroupBy::Repository, filter, first);
        let repositories = read(stops.stats(&by_repository.question()))?;
        text.push_str(&table("Repository", &repositories.tallies));
    }
    text.push_str(&false_dones(store, &stops, filter)?);
    Ok(text)
}

fn sums(types: &Stats, asked: &Asked<'_>) -> String {
    let all = &types.all;
    let share = match all.rate() {
        share if share.agents_with_claim < super::rates::FEW => String::new(),
        share => format!(" ({})", rate(share)),
    };
    let mut lines = vec![format!(
        "**{} of {} with a claim had a false DONE**{share}; {} stopped.",
        all.agents_with_false_done,
        counted(all.agents_with_claim as usize, "agent"),
        counted(all.agents as usize, "agent"),
    )];
    lines.extend(asked.before_in_words(all).map(|text| sentence(&text)));
    if all.blocked > 0 {
        lines.push(format!(
            "Sent back {}: {} fixed, {} withdrawn, {} repeated, {} unanswered.",
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
    let mut rest = text.chars();
    let first = rest.next().map(char::to_uppercase);
    let text: String = first.into_iter().flatten().chain(rest).collect();
    format!("{}.", text.trim_end_matches('.'))
}

fn table(what: &str, tallies: &[Tally]) -> String {
    let mut text = format!(
        "\n{}{}",
        row(&[what, "Agents", "With a claim", "False DONE", "Rate"].map(str::to_owned)),
        "|---|---:|---:|---:|---:|\n"
    );
    for tally in tallies {
        text.push_str(&row(&[
            code(&named(&tally.key)),
            tally.agents.to_string(),
            tally.agents_with_claim.to_string(),
            tally.agents_with_false_done.to_string(),
            rate(tally.rate()),
        ]));
    }
    text
}

/// The newest of them, each with what shows it.
fn false_dones(store: &Store, stops: &Stops<'_>, filter: &Filter) -> Result<String, CommandError> {
    let is_false = |outcome: &Outcome| outcome.is_false_done();
    let asked = &filter.outcomes;
    let outcomes = Outcome::ALL.into_iter().filter(is_false);
    let outcomes: Vec<_> = outcomes
        .filter(|outcome| asked.is_empty() || asked.contains(outcome))
        .collect();
    if outcomes.is_empty() {
        return Ok(String::new());
    }
    let filter = Filter {
        outcomes,
        limit: None,
        ..filter.clone()
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
    let at = entry.at.parse().map(super::time::second);
    let at = at.unwrap_or_else(|_| entry.at.clone());
    let repository = entry.repository.as_deref().map(repository_name);
    let repository = repository.and_then(|path| path.file_name());
    let place = repository.map(|name| format!(" in {}", code(&name.to_string_lossy())));
    let id: String = entry.id.chars().take(SHORT_ID).collect();
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
