//! `attest stats`: how often agents were right, and what became of it where they were not.

mod let_go;
mod markdown;
pub(super) mod question;
mod table;

use attest_state::Store;
use attest_state::history::{self, Disputes, Notices, Stats, Stops};
use attest_verdict::Outcome;
use clap::ValueEnum;

use super::groups::GroupBy;
use super::history::{open, read};
use super::scope::{FilterArgs, titled};
use super::{cost, coverage, hindered};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::paragraph;
use attest_base::ui::counted;
use attest_base::ui::{Ui, hanging};
use question::{Asked, SortBy};

/// Count agents, claims and false DONEs, by type of agent or by something else
///
/// AGENTS, CLAIMS, FALSE and MENDED count agents: all, those that claimed something, those of which a DONE is false, and
/// those of which one was and whose last report is not. RATE is how many of a hundred that claimed something had a
/// false DONE, mended or not; of fewer than 20 it says of how many instead. So it does not change with enforcement, under
/// which an agent may stop several times. OVER TIME shows RATE from the first stop
/// to the last, in twelve parts. With --since, CHANGE is what RATE has gained or lost against the same time before; by
/// day and week, against the row before. BLOCKED counts the times that an agent was sent back; FIXED, WITHDRAWN and
/// REPEATED say what became of that. By claim, a claim is false if something speaks against it, also if that proves
/// nothing. Below the rows stands, a line each, why false DONEs were let go and what changes that, at how many stops
/// something that was claimed could be borne out or contradicted, and what kept the rest from it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest stats\n  \
    attest stats --since 7d                      this week against the last\n  \
    attest stats --all --by repository --sort rate\n  \
    attest stats --by claim                      which kind of claim is false most often\n  \
    attest stats --format markdown --since monday | mail -s agents team@example.com\n  \
    attest stats --agent-type general-purpose --json")]
pub struct StatsArgs {
    /// Count by this
    #[arg(long, value_enum, value_name = "WHAT", default_value = "type")]
    by: GroupBy,
    /// Begin with the largest of this column [default: the most stops, days and weeks in their order]
    #[arg(long, value_enum, value_name = "COLUMN")]
    sort: Option<SortBy>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Print JSON, as --format does
    #[arg(long)]
    json: bool,
    /// Print for a program, or for a mail or a chat: the sums, what became of blocks, and the newest false DONEs
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    format: Option<Format>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Markdown,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &StatsArgs) -> Result<ExitStatus, CommandError> {
    let scope = args.filter.scope()?;
    let store = open(ui, env)?;
    if args.format == Some(Format::Markdown) {
        let page = markdown::page(store.as_ref(), &scope.filter, args.by, args.sort)?;
        // For a program or a file, so no pager and no colours.
        ui.print(&page)?;
        return Ok(ExitStatus::Success);
    }
    let first = store.as_ref().map(history::first_stop);
    let first = first.map(read).transpose()?.flatten();
    let asked = Asked::of(args.by, &scope.filter, first);
    let mut stats = match &store {
        Some(store) => count(store, &asked)?,
        None => Stats::default(),
    };
    if args.json || args.format == Some(Format::Json) {
        question::sort(&mut stats.tallies, args.sort);
        ui.json(&stats.tallies)?;
    } else if stats.tallies.is_empty() {
        scope.say_nothing(ui, store.as_ref())?;
    } else {
        let width = ui.width();
        let disputes = store
            .as_ref()
            .map(|store| read(history::disputes(store, &scope.filter)));
        let disputes = disputed(disputes.transpose()?.unwrap_or_default());
        let text = text(&mut stats, &asked, args.sort, (ui, disputes));
        ui.page(&(titled(&scope, width) + &text))?;
    }
    Ok(ExitStatus::Success)
}

fn count(store: &Store, asked: &Asked<'_>) -> Result<Stats, CommandError> {
    let question = asked.question();
    let stops = read(Stops::of(store, question.filter))?;
    let mut stats = read(stops.stats(&question))?;
    read(cost::add(store, &mut stats))?;
    Ok(stats)
}

/// What became of notices, in a sentence.
fn noticed(notices: Notices) -> String {
    let told = counted(notices.told as usize, "notice");
    let there = notices.all_there;
    format!(
        "after {told} of missing files to a parent, all were there at the end of its turn in {there}"
    )
}

/// What to do where most reports claim nothing. Of stops whose start was not seen the report was not read.
fn unclaimed(stats: &Stats) -> Option<String> {
    let mut unseen = stats.unseen.iter();
    let unseen = unseen.find(|(outcome, _)| *outcome == Outcome::NoSnapshot);
    let unseen = unseen.map_or(0, |(_, count)| *count);
    let read = stats.all.stops.saturating_sub(unseen);
    let without = read.saturating_sub(stats.all.claims);
    paragraph::advice(read as usize, without as usize)
}

/// How often a finding was right, by those who have looked.
fn disputed(disputes: Disputes) -> Option<String> {
    let looked_at = counted(disputes.false_dones as usize, "false DONE");
    let (right, wrong) = (disputes.right, disputes.false_dones - disputes.right);
    let missed = counted(disputes.missed as usize, "lie");
    (disputes != Disputes::default()).then(|| {
        format!(
            "people have looked at {looked_at}: {right} right, {wrong} wrong; {missed} went unnoticed (`attest dispute`)"
        )
    })
}

fn text(
    stats: &mut Stats,
    asked: &Asked<'_>,
    sort: Option<SortBy>,
    (ui, disputes): (&Ui, Option<String>),
) -> String {
    let width = ui.width();
    // Changes are those of rows that follow each other in time.
    let changes = asked.changes(&stats.tallies);
    let mut rows: Vec<_> = stats.tallies.iter().zip(changes).collect();
    question::sort_rows(&mut rows, sort);
    let main = table::table(&rows, stats, asked, ui);
    let sentences = [
        asked.before_in_words(&stats.all),
        cost::sentence(&stats.all.after_blocks),
        stats.all.notices.map(noticed),
        disputes,
        coverage::of_asked(&stats.all.coverage),
        unclaimed(stats),
        // What is judged of a kind of claim is all of it.
        asked
            .by
            .has_sum()
            .then(|| coverage::sentence(&stats.all.coverage))
            .flatten(),
        let_go::doubts(&stats.all),
        let_go::unseen(stats),
        hindered::unchecked(&stats.hindered),
        hindered::late_gates(&stats.hindered),
    ];
    let lines = let_go::reasons(&stats.let_go);
    let lines = lines.chain(sentences.into_iter().flatten());
    let lines: String = lines.map(|line| hanging("", &line, width)).collect();
    let gap = if lines.is_empty() { "" } else { "\n" };
    main + gap + &lines
}
