//! What a start and a stop write, each in one transaction: what later hooks need, and the history. If the
//! history is what fails, the rest is written without it.

use std::cell::Cell;
use std::path::Path;

use attest_evidence::{RepoPath, escaped};
use attest_snapshot::{Content, Snapshot};
use attest_verdict::{Policy, ReasonCode, StopOutcome};
use jiff::Timestamp;
use rusqlite::Transaction;

use crate::history::{self, Detail, Stop};
use crate::times::nanoseconds;
use crate::{
    Agent, AgentKey, Looked, Start, Store, StoreError, agents, baselines, notifications, trust,
    turns, work,
};

/// What an agent found when it first started.
#[derive(Debug)]
pub struct Baseline<'a> {
    /// Nanoseconds since the epoch.
    pub taken_at: i64,
    /// The work tree.
    pub snapshot: &'a Snapshot,
    /// The digest of its criteria file, if it has one.
    pub criteria: Option<&'a str>,
}

/// A stop, judged.
#[derive(Debug)]
pub struct StopRecord<'a> {
    /// Who stopped.
    pub key: &'a AgentKey,
    /// What is known of the agent; `None` if its start was never seen.
    pub agent: Option<&'a Agent>,
    /// What its host calls the task.
    pub task: Option<&'a str>,
    /// The host.
    pub harness: &'a str,
    /// The agent's transcript.
    pub transcript: Option<&'a Path>,
    /// The folder that the host named.
    pub cwd: Option<&'a Path>,
    /// What the stop came to.
    pub outcome: &'a StopOutcome,
    /// What the person has allowed.
    pub policy: &'a Policy,
    /// Whether the host said that it already continued after a block.
    pub host_was_continuing: bool,
    /// Whether what did not hold is kept, to be told.
    pub tells: bool,
    /// What the files hold that the report is right to call changed.
    pub seen: &'a [(RepoPath, Content)],
    /// What was found of the work of others.
    pub looked: &'a [Looked],
    /// Whether the host itself shows why a gate ended the agent.
    pub shows_ending: bool,
    /// When.
    pub at: Timestamp,
}

/// Records a start; the baseline only of an agent that has none. `not_recorded` hears why the history lacks
/// it, if it does.
pub fn record_start(
    store: &mut Store,
    start: &Start<'_>,
    baseline: Option<&Baseline<'_>>,
    not_recorded: impl FnOnce(&StoreError),
) -> Result<(), StoreError> {
    let needed = |transaction: &Transaction<'_>| {
        let (agent, is_new) = agents::register(transaction, start)?;
        if let (true, Some(baseline)) = (is_new, baseline) {
            baselines::save(transaction, agent, baseline.taken_at, baseline.snapshot)?;
            if let Some(sha256) = baseline.criteria {
                trust::record(transaction, agent, sha256)?;
            }
        }
        Ok(())
    };
    let history = |transaction: &Transaction<'_>| history::record_start(transaction, start);
    store
        .write_with_history(needed, history, not_recorded)
        .map(|_| ())
}

/// Records a stop, and with it the end of the generation unless the agent goes on or was never seen. Gives
/// the id of the verdict; `None` if the history lacks it, and `not_recorded` hears why, or if another hook of the
/// same stop has recorded it.
pub fn record_stop(
    store: &mut Store,
    stop: &StopRecord<'_>,
    not_recorded: impl FnOnce(&StoreError),
) -> Result<Option<String>, StoreError> {
    let outcome = stop.outcome;
    let row = Stop {
        key: stop.key,
        agent_type: outcome.input.report.agent_type.as_deref(),
        task: stop.task,
        harness: stop.harness,
        transcript: stop.transcript,
        cwd: stop.cwd,
        repository: outcome.compared().map(|it| it.repository.as_path()),
        at: stop.at,
        outcome: outcome.word(),
        reason: outcome.reason,
        is_end: outcome.is_end(),
        blocks_before: stop.agent.map_or(0, |agent| agent.block_count),
        is_first: stop
            .agent
            .is_some_and(|it| (it.generation, it.block_count) == (1, 0)),
        summary: &history::summary(outcome),
        detail: &Detail::of(outcome, stop.policy, stop.host_was_continuing),
    };
    let history = |transaction: &Transaction<'_>| history::record_stop(transaction, &row);
    match stop.agent {
        // The hook that sent the agent back records the stop.
        _ if outcome.reason == ReasonCode::AllowAlreadySent => Ok(None),
        Some(agent) if outcome.is_end() => {
            let is_counted = Cell::new(false);
            let close = |transaction: &Transaction<'_>| {
                is_counted.set(is_counted_already(transaction, stop.key, agent)?);
                if is_counted.get() {
                    return Ok(());
                }
                stop.close(agent, transaction)
            };
            let history = |transaction: &Transaction<'_>| {
                if is_counted.get() {
                    return Ok(None);
                }
                history(transaction).map(Some)
            };
            let id = store.write_with_history(close, history, not_recorded)?;
            Ok(id.flatten())
        }
        Some(agent) if outcome.input.has_subagent_at_work => {
            let now = nanoseconds(stop.at);
            let rest = |transaction: &Transaction<'_>| agents::rest(transaction, agent.id, now);
            store.write_with_history(rest, history, not_recorded)
        }
        _ => Ok(store.write(history).inspect_err(not_recorded).ok()),
    }
}

/// Whether another hook of the same stop was quicker: since this one read the report, the agent was let go or sent
/// back, and the history has that.
fn is_counted_already(
    transaction: &Transaction<'_>,
    key: &AgentKey,
    found: &Agent,
) -> Result<bool, StoreError> {
    let is_as_found = agents::find_in(transaction, key)?.is_some_and(|now| {
        let state = |agent: &Agent| (agent.id, agent.generation, agent.is_open, agent.block_count);
        state(&now) == state(found)
    });
    Ok(found.is_open && !is_as_found && history::has_stop(transaction, key, found.block_count)?)
}

/// The end of an agent that gives no report.
#[derive(Debug)]
pub struct Failure<'a> {
    /// Who ended.
    pub key: &'a AgentKey,
    /// Why, in a few words.
    pub why: &'a str,
    /// What person and parent are to hear of it, if they are.
    pub told: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// Records that an agent died: its run and its generation end, and nothing is judged.
pub fn record_failure(
    store: &mut Store,
    failure: &Failure<'_>,
    not_recorded: impl FnOnce(&StoreError),
) -> Result<(), StoreError> {
    let Failure { key, why, told, at } = failure;
    let now = nanoseconds(*at);
    let needed = |transaction: &Transaction<'_>| {
        let agent = agents::find_in(transaction, key)?.filter(|agent| agent.is_open);
        if let (Some(agent), Some(told)) = (agent, told) {
            let advice = notifications::Advice {
                agent_type: agent.agent_type.as_deref(),
                finding: Some(told.clone()),
                is_beside: true,
                ..notifications::Advice::default()
            };
            notifications::advise(transaction, key, &advice, now)?;
        }
        agents::end(transaction, key, now)
    };
    let history =
        |transaction: &Transaction<'_>| history::record_failure(transaction, key, why, *at);
    store
        .write_with_history(needed, history, not_recorded)
        .map(|_| ())
}

impl StopRecord<'_> {
    /// What the person is to hear that is not about the report.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.outcome.remarks();
        if !self.shows_ending {
            let agent = escaped(self.key.agent.as_bytes());
            let endings = self.outcome.endings().into_iter();
            remarks.extend(endings.map(|ending| format!("{agent} was ended by {ending}")));
        }
        remarks
    }

    /// Whom it is about, without what is told.
    fn advice(&self) -> notifications::Advice<'_> {
        notifications::Advice {
            agent_type: self.outcome.input.report.agent_type.as_deref(),
            task: self.task,
            ..notifications::Advice::default()
        }
    }

    /// Ends the generation, and keeps what is to be told of it. An agent without an id is forgotten, since
    /// the next of its kind would be taken for it.
    fn close(&self, agent: &Agent, transaction: &Transaction<'_>) -> Result<(), StoreError> {
        let input = &self.outcome.input;
        let now = nanoseconds(self.at);
        if let (true, Some(lines)) = (self.tells, self.outcome.told()) {
            let lines = match turns::sent(transaction, agent.id)? {
                Some(sent) => news(lines, &sent),
                None => lines,
            };
            let advice = notifications::Advice {
                finding: (!lines.is_empty()).then(|| lines.join("\n")),
                ..self.advice()
            };
            notifications::advise(transaction, self.key, &advice, now)?;
        }
        let beside = self.outcome.beside();
        if self.tells && !beside.is_empty() {
            let advice = notifications::Advice {
                finding: Some(beside.join("\n")),
                is_beside: true,
                ..self.advice()
            };
            notifications::advise(transaction, self.key, &advice, now)?;
        }
        work::look(transaction, self.looked)?;
        if self.tells {
            for remark in self.remarks() {
                notifications::remark_in(transaction, &self.key.session, &remark, now)?;
            }
        }
        if input.report.has_agent_id {
            work::keep(transaction, (self.key, agent), self.seen, now)?;
            agents::close(transaction, agent.id, now)
        } else {
            agents::forget(transaction, agent.id)
        }
    }
}

/// What of `lines` was not in the block that the person has just read in the conversation. That the same was said
/// again is news.
fn news(lines: Vec<String>, sent: &str) -> Vec<String> {
    let listed = sent.lines().filter_map(|line| line.strip_prefix("- "));
    let named: Vec<_> = listed.filter_map(subject).collect();
    let was_sent = |line: &String| match line.strip_prefix("gate ") {
        Some(gate) => last_quoted(gate).is_some_and(|reason| sent.contains(reason)),
        None => subject(line).is_some_and(|subject| named.contains(&subject)),
    };
    let (old, mut new): (Vec<_>, Vec<_>) = lines.into_iter().partition(was_sent);
    if !old.is_empty() {
        new.insert(0, SAID_AGAIN.to_owned());
    }
    new
}

/// The path or criterion that a line is about: what is said of it may be more the second time.
fn subject(line: &str) -> Option<&str> {
    let line = line.strip_prefix("criterion ").unwrap_or(line);
    Some(line.split_once("\": ")?.0)
}

/// What stands in the last quotation marks of a line.
fn last_quoted(line: &str) -> Option<&str> {
    let (_, last) = line.strip_suffix('"')?.rsplit_once(": \"")?;
    Some(last)
}

/// Told in place of what a block of the same turn has said already.
const SAID_AGAIN: &str = "said the same again after it was sent back, and was let go";

impl Store {
    fn write_with_history<T>(
        &mut self,
        needed: impl Fn(&Transaction<'_>) -> Result<(), StoreError>,
        history: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        not_recorded: impl FnOnce(&StoreError),
    ) -> Result<Option<T>, StoreError> {
        let is_needed_done = Cell::new(false);
        let both = self.write(|transaction| {
            needed(transaction)?;
            is_needed_done.set(true);
            history(transaction).map(Some)
        });
        match both {
            Err(error) if is_needed_done.get() => {
                not_recorded(&error);
                self.write(needed).map(|()| None)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_block_has_said_is_not_said_again_and_the_rest_is() {
        let sent = "attest: the report says Status: DONE, but the git work tree disproves part of it:\n\
                    - \"ghost.py\": not on disk, and no change of it was found\n\
                    and criteria of .attest/criteria.yaml are not met:\n\
                    - \"tests\": status 1\n\
                    Then report again.\n\nthe linter fails";
        let told = |lines: &[&str]| news(lines.iter().map(|it| (*it).to_owned()).collect(), sent);
        for old in [
            "\"ghost.py\": not on disk, and no change of it was found",
            "\"ghost.py\": no tool call touched it, the file is not on disk",
            "criterion \"tests\": status 2",
            "gate \"lint\": \"the linter fails\"",
        ] {
            assert_eq!(told(&[old]), [SAID_AGAIN], "{old}");
        }
        for new in [
            "\"other.py\": not on disk, and no change of it was found",
            "criterion \"build\": status 1",
            "gate \"lint\": \"the formatter fails\"",
            "the agent ended in an error message of the host, not in a report",
        ] {
            assert_eq!(told(&[new]), [new]);
            let both = told(&[new, "\"ghost.py\": still missing"]);
            assert_eq!(both, [SAID_AGAIN, new]);
        }
        assert_eq!(told(&[]), [""; 0]);
    }
}
