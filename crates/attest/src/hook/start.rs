//! `SubagentStart`: record what the work tree is before the agent touches it.

use std::path::Path;

use attest_harness::AgentTranscript;
use attest_snapshot::{Moment, Snapshot, WorkTree};
use attest_state::history::RunStart;
use attest_state::{self as state, Baseline, Registration, Store, StoreError, load_baseline};
use jiff::Timestamp;

use super::context::{Context, HookError, now};
use super::criteria;
use crate::log::Level;

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let key = &context.key;
    let mut store = context.open_store()?;
    let mut registration = Registration {
        key,
        harness: context.harness.name(),
        agent_type: context.payload.agent_type.as_deref(),
        worktree: None,
        transcript: match &context.payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            AgentTranscript::Absent | AgentTranscript::Unusable => None,
        },
        now: now(),
    };
    // An agent that is resumed keeps its first baseline: its second report may be cumulative.
    if state::find(&store, key)?.is_some() {
        record(context, &mut store, &registration, None)?;
        context.log.write(Level::Info, "RESUMED", &key.agent);
        return Ok(());
    }
    let taken_at = Moment::now().wall_ns;
    let snapshot = Snapshot::take(&context.cwd()?, &context.limits, |root| {
        latest_of(context, &store, root)
    });
    let tree = match &snapshot {
        Snapshot::Readable(tree) => Some(tree),
        Snapshot::Unreadable(why) => {
            context.log.write(Level::Info, "UNREADABLE", why);
            None
        }
    };
    registration.worktree = tree.map(|tree| tree.root.as_path());
    let criteria = criteria::at_start(context, &store, registration.worktree);
    let baseline = Baseline {
        taken_at,
        snapshot: &snapshot,
        criteria: criteria.as_deref(),
    };
    record(context, &mut store, &registration, Some((&baseline, tree)))?;
    // The process ends: taking a large tree apart first would only cost time.
    std::mem::forget(snapshot);
    Ok(())
}

/// What the last agent found that began in this work tree.
fn latest_of(context: &Context, store: &Store, root: &Path) -> Option<WorkTree> {
    let loaded = state::latest_in(store, root)
        .map_err(HookError::from)
        .and_then(|agent| match agent {
            Some(agent) => Ok(load_baseline(store, agent)?),
            None => Ok(None),
        });
    match loaded {
        Ok(Some(Snapshot::Readable(tree))) => Some(tree),
        Ok(_) => None,
        Err(error) => {
            context.shrug(error.code(), &error);
            None
        }
    }
}

/// Records the start, with what was found of the work tree if the agent has no baseline yet.
fn record(
    context: &Context,
    store: &mut Store,
    registration: &Registration<'_>,
    found: Option<(&Baseline<'_>, Option<&WorkTree>)>,
) -> Result<(), StoreError> {
    let transcript = context.harness.likely_transcript(&context.payload);
    let (baseline, tree) = found.unzip();
    let run = RunStart {
        key: registration.key,
        agent_type: registration.agent_type,
        harness: registration.harness,
        transcript: transcript.as_deref(),
        cwd: context.payload.cwd.as_deref(),
        repository: tree.flatten().map(|tree| tree.common_dir.as_path()),
        at: Timestamp::now(),
    };
    let not_recorded = |error: &_| context.not_recorded(error);
    state::record_start(store, registration, baseline, &run, not_recorded)
}
