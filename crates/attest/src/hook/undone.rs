//! Work of agents that have stopped, and that somebody has taken back since: only here it is known what there was.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Display;

use attest_snapshot::{Back, Comparison, Content, Now, RepoPath, Snapshot, WorkTree};
use attest_state::{
    Agent, Looked, MOST_OF_ONE, Store, Work, agent_with, has_others_open, load_baseline,
    work_of_others,
};
use attest_verdict::{Kept, Sought, StopOutcome, Undone, Who};
use jiff::Timestamp;

use super::background;
use super::context::{Context, HookError, now};
use super::transcript::Transcript;
use super::witnesses::Witnesses;
use attest_base::log::Level;

/// Agents whose work is looked into at one stop, the newest first: the rest at the next one.
const MOST_AGENTS: usize = 8;

/// What was found of the work of others.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What was taken back, and nobody answers for it.
    pub(super) told: Vec<Undone>,
    /// What is not to be looked at again as it was.
    pub(super) looked: Vec<Looked>,
}

/// Looks for work of the session's other agents that is there no more. While somebody is at work who may put it back,
/// or while it is not known who was, that is left to a later stop.
pub(super) fn find(
    transcript: &Transcript<'_>,
    store: &Store,
    agent: &Agent,
    now_there: &OnceCell<Now>,
) -> Result<Found, HookError> {
    let context = transcript.context;
    let mut found = Found::default();
    let Some(root) = agent.worktree.as_ref().filter(|_| context.tells_beside()) else {
        return Ok(found);
    };
    let work = work_of_others(store, &context.key, agent)?;
    if work.is_empty() || context.limits.may_look(root).is_err() {
        return Ok(found);
    }
    let paths: Vec<_> = work.iter().map(|work| work.path.clone()).collect();
    let contents = Content::of(root, &paths, &context.limits);
    let mut changed: BTreeMap<i64, Vec<(Work, Content)>> = BTreeMap::new();
    for (work, content) in work.into_iter().zip(contents) {
        if let Some(content) = content.filter(|content| *content != work.content) {
            let of_agent = changed.entry(work.agent).or_default();
            of_agent.push((work, content));
        }
    }
    let is_busy = !changed.is_empty()
        && (has_others_open(store, agent, now())? || !background::running(transcript).is_empty());
    if changed.is_empty() || is_busy {
        return Ok(found);
    }
    for (whose, work) in changed.into_iter().rev().take(MOST_AGENTS) {
        if let Some(whose) = agent_with(store, whose)? {
            let of = (store, agent, now_there);
            look_into(transcript, of, (whose, &work), &mut found)?;
        }
    }
    Ok(found)
}

/// Looks into what is changed of one agent's work.
fn look_into(
    transcript: &Transcript<'_>,
    (store, agent, now): (&Store, &Agent, &OnceCell<Now>),
    ((whose, name), changed): ((Agent, String), &[(Work, Content)]),
    found: &mut Found,
) -> Result<(), HookError> {
    let context = transcript.context;
    let Some(Snapshot::Readable(start)) = load_baseline(store, whose.id)? else {
        return Ok(());
    };
    let unknown = |why: &dyn Display| context.log.write(Level::Info, "WORK_UNKNOWN", why);
    let comparison = match Comparison::once(now, &start, &start.root, &context.limits) {
        Ok(comparison) => comparison,
        Err(why) => {
            unknown(&why);
            return Ok(());
        }
    };
    let paths: Vec<_> = changed.iter().map(|(work, _)| &work.path).collect();
    let back: BTreeMap<_, _> = match comparison.back(&paths) {
        Ok(back) => back.into_iter().collect(),
        Err(why) => {
            unknown(&why);
            return Ok(());
        }
    };
    let mut taken = Vec::new();
    for (work, content) in changed {
        match back.get(&work.path) {
            Some(back) => taken.push((work, *back)),
            None => found.looked.push(looked(work, Some(content.clone()))),
        }
    }
    let Some(since) = taken.iter().map(|(work, _)| work.seen_at).min() else {
        return Ok(());
    };
    let is_known = transcript.settled().is_some() && transcript.has_all();
    let witnesses = is_known.then(|| {
        // Those who were at work since then, as if this one had begun then; the one whose work it was had stopped.
        let since = Agent {
            started_at: since + 1,
            ..agent.clone()
        };
        Witnesses::of(transcript, store, &since, std::slice::from_ref(&start.root))
    });
    let Some(witnesses) = witnesses.filter(|witnesses| witnesses.are_all_heard) else {
        unknown(&"not all transcripts of those who were at work could be read");
        return Ok(());
    };
    let beginning = match load_baseline(store, agent.id)? {
        Some(Snapshot::Readable(tree)) => Some(tree),
        _ => None,
    };
    for (work, back) in taken {
        let told = undone(
            &comparison,
            &witnesses,
            beginning.as_ref(),
            (&name, work, back),
        );
        if let Some(why) = witnesses.cut.get() {
            unknown(why);
            break;
        }
        found.looked.push(looked(work, None));
        found.told.extend(told);
    }
    Ok(())
}

fn looked(work: &Work, now: Option<Content>) -> Looked {
    Looked {
        agent: work.agent,
        path: work.path.clone(),
        now,
    }
}

/// What is told of it; `None` if somebody answers for it, or a program may have done it that was not read.
fn undone(
    comparison: &Comparison<'_>,
    witnesses: &Witnesses,
    beginning: Option<&WorkTree>,
    (whose, work, back): (&str, &Work, Back),
) -> Option<Undone> {
    let name = work.path.to_string();
    let since = moment(work.seen_at)?.to_string();
    let sought = Sought {
        name: &name,
        since: Some(&since),
    };
    if witnesses.answer_for(sought) {
        return None;
    }
    let there =
        beginning.and_then(|beginning| was_there(comparison.start(), beginning, &work.path));
    let (seen_at, gone_at) = match (there, beginning) {
        (Some(true), Some(it)) => (it.taken_at.wall_ns.max(work.seen_at), now()),
        (Some(false), Some(it)) => (work.seen_at, it.taken_at.wall_ns),
        _ => (work.seen_at, now()),
    };
    let by = witnesses.removal(sought).map(|removal| removal.by);
    // What began later did not do it.
    let by = by.filter(|by| there != Some(false) || by.who != Who::Itself);
    if by.is_none() && witnesses.may_be_unread(sought) {
        return None;
    }
    let kept = match (&work.content, back) {
        (_, Back::Stashed) => Kept::Stash,
        (Content::Blob(blob), Back::Nowhere) if comparison.has_blob(blob) => {
            Kept::Blob(blob.clone())
        }
        _ => Kept::Nowhere,
    };
    Some(Undone {
        path: work.path.clone(),
        agent: whose.to_owned(),
        seen_at: moment(seen_at)?,
        gone_at: moment(gone_at)?,
        is_missing: comparison.is_missing(&work.path),
        by,
        kept,
    })
}

/// Whether the change was there when the agent began that stops now, if that can be told: then it differed from the
/// commit, which was the same.
fn was_there(start: &WorkTree, beginning: &WorkTree, path: &RepoPath) -> Option<bool> {
    let is_comparable = start.head == beginning.head && !start.files.contains_key(path);
    is_comparable.then(|| beginning.files.contains_key(path))
}

fn moment(at: i64) -> Option<Timestamp> {
    Timestamp::from_nanosecond(at.into()).ok()
}

/// What the agent leaves of its work: the files that it is right to call changed.
pub(super) fn own(
    context: &Context,
    agent: Option<&Agent>,
    outcome: &StopOutcome,
) -> Vec<(RepoPath, Content)> {
    let root = agent.and_then(|agent| agent.worktree.as_ref());
    let (Some(root), Some(compared)) = (root, outcome.compared()) else {
        return Vec::new();
    };
    if !context.tells_beside() || !outcome.is_end() {
        return Vec::new();
    }
    let findings = compared.verdict.findings.iter();
    let mut paths: Vec<_> = findings.flat_map(|it| it.accounts_for.clone()).collect();
    paths.sort();
    paths.dedup();
    paths.truncate(MOST_OF_ONE);
    let contents = Content::of(root, &paths, &context.limits);
    let seen = paths.into_iter().zip(contents);
    seen.filter_map(|(path, content)| Some((path, content?)))
        .collect()
}
