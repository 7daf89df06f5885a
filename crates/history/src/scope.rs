//! What a list is narrowed to: the options, their words in a title, and what is said if nothing is left.

use std::path::PathBuf;

use attest_snapshot::escaped;
use attest_state::Store;
use attest_state::history::{self, Extent, Filter, Known, Of, Values};
use attest_verdict::Outcome;
use jiff::Timestamp;
use thiserror::Error;

use super::history::{elsewhere, read};
use super::names::{agent_id, agent_name};
use super::repository::{common_dir, own_repository, shown_repository};
use attest_base::error::{CommandError, Hint as _};
use attest_base::moment::Moment;
use attest_base::near::{did_you_mean, nearest};
use attest_base::shell_word::shell_word;
use attest_base::time;
use attest_base::ui::{Cell, Column, FAINT, Table, Ui, hanging, styled};

/// Types of agents that may be meant: more are made up by a program.
const MOST_TYPES: u32 = 1000;

/// The heading of those options in the help.
const FILTERS: &str = "Filters";

/// A range that ends before it begins.
#[derive(Debug, Error)]
#[error("no time lies between --since, which is {since}, and --until, which is {until}")]
struct NoTime {
    since: String,
    until: String,
}

/// The options that narrow a list.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only this session, in all repositories; the beginning of its id is enough
    #[arg(long, help_heading = FILTERS, value_name = "ID")]
    session: Option<String>,
    /// Only this agent, and all its stops; the beginning of its id is enough
    #[arg(long, help_heading = FILTERS, value_name = "ID")]
    agent: Option<String>,
    /// Only this type of agent
    #[arg(long, help_heading = FILTERS, value_name = "NAME")]
    agent_type: Option<String>,
    /// Only these outcomes, such as mismatch,blocked
    #[arg(long, help_heading = FILTERS, value_name = "WORD", value_delimiter = ',', value_parser = outcome)]
    outcome: Vec<Outcome>,
    /// Only the repository of this folder [default: that of the current folder, if there is one and no session is named]
    #[arg(long, help_heading = FILTERS, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// Every repository, and what is of none
    #[arg(long, help_heading = FILTERS, conflicts_with = "repository")]
    all: bool,
    /// Only since then: an age such as 2h or 7d, `yesterday`, `tuesday 15:00`, `3pm`, a date, or a time as lists
    /// print them
    #[arg(long, help_heading = FILTERS, value_name = "TIME", value_parser = Moment::parse)]
    since: Option<Moment>,
    /// Only before then
    #[arg(long, help_heading = FILTERS, value_name = "TIME", value_parser = Moment::parse)]
    until: Option<Moment>,
}

/// What a list is narrowed to, and by whom.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) filter: Filter,
    /// The repository that the person is in, if the list is of that one although it was not named.
    pub(super) here: Option<PathBuf>,
}

/// An outcome by its word.
fn outcome(text: &str) -> Result<Outcome, String> {
    let words = Outcome::ALL.into_iter().map(Outcome::as_str);
    let parsed = text.parse::<Outcome>();
    parsed.map_err(|error| format!("{error}{}", did_you_mean(text, words)))
}

impl FilterArgs {
    pub(super) fn scope(&self) -> Result<Scope, CommandError> {
        let (repository, here) = match &self.repository {
            Some(folder) => (Some(common_dir(folder)?), None),
            // A session is one wherever its agents worked.
            None if self.all || self.session.is_some() => (None, None),
            None => {
                let own = own_repository();
                (own.clone(), own)
            }
        };
        let (since, until) = self.range()?;
        let filter = Filter {
            session: self.session.clone(),
            agent: self.agent.as_deref().map(agent_id),
            agent_type: self.agent_type.clone(),
            outcomes: self.outcome.clone(),
            of: repository.map_or(Of::Any, Of::Repository),
            since,
            until,
            ..Filter::default()
        };
        Ok(Scope { filter, here })
    }

    /// When what is listed begins and ends.
    fn range(&self) -> Result<(Option<Timestamp>, Option<Timestamp>), CommandError> {
        let since = self.since.map(|since| since.at);
        let until = self.until.map(|until| until.after(since));
        match (since, until) {
            (Some(begin), Some(end)) if begin >= end => {
                let (since, until) = (time::second(begin), time::second(end));
                Err(NoTime { since, until }).hint("--until has to be the later one of the two")
            }
            range => Ok(range),
        }
    }
}

impl Scope {
    /// The repository that a list was narrowed to unasked, for the line above the list.
    pub(super) fn title(&self) -> Option<String> {
        let name = shown_repository(self.here.as_deref()?);
        Some(format!("in {name} (`--all` for every repository)"))
    }

    /// What the list is narrowed to, for a title.
    pub(super) fn words(&self) -> Vec<String> {
        let filter = &self.filter;
        let repository = filter.of.repository();
        let repository = repository.map_or_else(|| "every repository".to_owned(), shown_repository);
        let mut words = vec![format!("Stops in {repository}")];
        let mut named = |what: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("{what} {value}")));
        };
        let safe = |text: &String| escaped(text.as_bytes());
        named("of session", filter.session.as_ref().map(safe));
        let agent = filter.agent.as_deref();
        named("of agent", agent.map(|id| agent_name(id, None)));
        named("of type", filter.agent_type.as_ref().map(safe));
        let outcomes = filter.outcomes.iter().map(ToString::to_string);
        let outcomes = outcomes.collect::<Vec<_>>().join(", ");
        named(
            "with",
            Some(outcomes).filter(|outcomes| !outcomes.is_empty()),
        );
        named("since", filter.since.map(time::second));
        named("before", filter.until.map(time::second));
        if filter.since.or(filter.until).is_none() {
            words.push("as long as they are kept".to_owned());
        }
        words
    }

    /// Whether the person has narrowed the list.
    fn is_narrowed(&self) -> bool {
        let Filter {
            session,
            agent,
            agent_type,
            outcomes,
            since,
            until,
            ..
        } = &self.filter;
        let is_named =
            session.is_some() || agent.is_some() || agent_type.is_some() || !outcomes.is_empty();
        is_named || since.is_some() || until.is_some()
    }

    /// Says why a list is empty, and what would be in one.
    pub(super) fn say_nothing(
        &self,
        ui: &mut Ui,
        store: Option<&Store>,
    ) -> Result<(), CommandError> {
        let seen = |filter: &Filter| match store {
            Some(store) => read(history::seen(store, filter, &self.filter)),
            None => Ok(Extent::default()),
        };
        let own = Filter::from(self.filter.of.clone());
        let is_of_all = own.of == Of::Any;
        let own = seen(&own)?;
        let all = match own.verdicts {
            0 if !is_of_all => seen(&Filter::default())?.verdicts,
            own => own,
        };
        if all == 0 {
            ui.tell("no verdict is recorded yet: that is done when a subagent stops")?;
            return ui.tell("`attest doctor` checks the hooks, `attest install` adds them");
        }
        if own.verdicts == 0 {
            let repository = self.filter.of.repository();
            let name = repository.map_or_else(|| "here".to_owned(), shown_repository);
            ui.tell(&format!("no verdict is recorded of {name}"))?;
            return ui.tell(&elsewhere(all));
        }
        if !self.is_narrowed() {
            return ui.tell(&format!("nothing is to be listed (of {})", own.verdicts));
        }
        let count = own.verdicts;
        ui.tell(&format!("no verdict matches (of {count}); there are:"))?;
        ui.print(&self.values(&own).render(ui.width()))?;
        let typed = self.filter.agent_type.as_ref().zip(store);
        let meant = typed.map(|(typed, store)| unseen_type(store, &self.filter.of, typed));
        meant
            .transpose()?
            .flatten()
            .flatten()
            .map_or(Ok(()), |name| {
                let name = shell_word(name.as_bytes());
                ui.tell(&format!("did you mean `--agent-type {name}`?"))
            })
    }

    /// The values that there are of what the list was narrowed by.
    fn values(&self, seen: &Extent) -> Table {
        let mut table = Table::new([Column::whole("", 2), Column::prose("", 1)]);
        let mut row = |option: &str, values: Vec<String>| {
            table.push([Cell::new(option), Cell::new(values.join(", "))]);
        };
        let filter = &self.filter;
        if filter.session.is_some() {
            row("--session", listed(&seen.sessions));
        }
        if filter.agent.is_some() {
            let ids = listed(&seen.agents);
            row(
                "--agent",
                ids.iter().map(|id| agent_name(id, None)).collect(),
            );
        }
        if filter.agent_type.is_some() {
            row("--agent-type", listed(&seen.agent_types));
        }
        if !filter.outcomes.is_empty() {
            row(
                "--outcome",
                seen.outcomes.iter().map(ToString::to_string).collect(),
            );
        }
        if let (true, Some((first, last))) = (
            filter.since.or(filter.until).is_some(),
            seen.first.zip(seen.last),
        ) {
            let times = [first, last].map(time::second).join(" to ");
            row("--since, --until", vec![times]);
        }
        table.indented(2).without_header()
    }
}

/// Of a type of which no agent has stopped, the one that was probably meant, if there is one. `None` if some have, or
/// if there are none to compare with.
pub fn unseen_type(
    store: &Store,
    of: &Of,
    typed: &str,
) -> Result<Option<Option<String>>, CommandError> {
    let own = Filter::from(of.clone());
    let known = history::known(store, &own, Known::AgentType, "", MOST_TYPES);
    let known = read(known)?;
    let is_there = known.iter().any(|name| name.eq_ignore_ascii_case(typed));
    let near = nearest(typed, known.iter().map(String::as_str));
    Ok((!is_there && !known.is_empty()).then(|| near.map(str::to_owned)))
}

/// Values, safe to print; a list that was cut says so.
fn listed(values: &Values) -> Vec<String> {
    let first = values.first.iter().map(|text| escaped(text.as_bytes()));
    let more = values.has_more.then(|| "and more".to_owned());
    first.chain(more).collect()
}

/// The line above a list.
pub(super) fn titled(scope: &Scope, width: Option<usize>) -> String {
    let title = scope.title();
    let line = title.map(|title| hanging("", &styled(FAINT, title), width));
    line.unwrap_or_default()
}
