//! `SubagentStart`: record what the work tree is before the agent touches it.

use std::path::Path;

use attest_host::AgentTranscript;
use attest_snapshot::{Moment, Snapshot, WorkTree};
use attest_state::{self as state, Baseline, Start, Store, load_baseline, record_start};
use jiff::Timestamp;

use super::context::{Context, HookError};
use super::criteria;
use crate::log::Level;

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let key = &context.key;
    let mut store = context.open_store()?;
    let transcript = context.harness.likely_transcript(&context.payload);
    let start = Start {
        key,
        harness: context.harness.name(),
        agent_type: context.payload.agent_type.as_deref(),
        cwd: context.payload.cwd.as_deref(),
        transcript: match &context.payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            AgentTranscript::Absent | AgentTranscript::Unusable => None,
        },
        likely_transcript: transcript.as_deref(),
        worktree: None,
        repository: None,
        at: Timestamp::now(),
    };
    let not_recorded = |error: &_| context.not_recorded(error);
    // An agent that is resumed keeps its first baseline: its second report may be cumulative.
    if state::find(&store, key)?.is_some() {
        record_start(&mut store, &start, None, not_recorded)?;
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
    let start = Start {
        worktree: tree.map(|tree| tree.root.as_path()),
        repository: tree.map(|tree| tree.common_dir.as_path()),
        ..start
    };
    let criteria = criteria::at_start(context, &store, start.worktree);
    let baseline = Baseline {
        taken_at,
        snapshot: &snapshot,
        criteria: criteria.as_deref(),
    };
    record_start(&mut store, &start, Some(&baseline), not_recorded)?;
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
