//! `SubagentStart`: record what the work tree is before the agent touches it.

use std::io::stdout;
use std::path::Path;

use attest_host::AgentTranscript;
use attest_snapshot::{Moment, Printable, Snapshot, WorkTree};
use attest_state::{self as state, Baseline, Start, Store, TurnStart, load_baseline, record_start};
use jiff::Timestamp;

use super::context::{Context, HookError, print};
use super::criteria;
use attest_base::log::Level;
use attest_base::paragraph;

/// Records the start of a subagent. Whether the host has its answer.
pub(super) fn run(context: &Context) -> Result<bool, HookError> {
    let mut store = context.open_store()?;
    // An agent that is resumed keeps its first baseline: its second report may be cumulative.
    if state::find(&store, &context.key)?.is_some() {
        resume(context, &mut store)?;
        return Ok(false);
    }
    let request = request(context);
    begin(context, &mut store, None, request.is_some())?;
    if let Some(request) = &request {
        print(stdout().lock(), request);
    }
    Ok(request.is_some())
}

/// What asks an agent for a report that can be judged, if the person wants that. One that is resumed was asked
/// before.
fn request(context: &Context) -> Option<String> {
    if context.config.asks != Some(true) {
        return None;
    }
    let agent_type = context.payload.agent_type.as_deref();
    let only_reads = agent_type.is_some_and(|it| context.harness.only_reads(it));
    let words = Printable::new(paragraph::words(only_reads));
    let reply = context.harness.context(&context.payload, &words);
    let heard = if reply.is_some() {
        "ASKED"
    } else {
        "ASK_NOT_HEARD"
    };
    let version = format!("words {}", paragraph::VERSION);
    context.log.write(Level::Info, heard, version);
    reply
}

/// Records that an agent which is known starts again.
pub(super) fn resume(context: &Context, store: &mut Store) -> Result<(), HookError> {
    let transcript = context.harness.likely_transcript(&context.payload);
    let start = start(context, transcript.as_deref(), Timestamp::now());
    record_start(store, &start, None, |error| context.not_recorded(error))?;
    let agent = &context.key.agent;
    context.log.write(Level::Info, "RESUMED", agent);
    Ok(())
}

/// Records the first start of an agent, or of a turn, with what it finds, and whether it is asked for a report.
pub(super) fn begin(
    context: &Context,
    store: &mut Store,
    turn: Option<TurnStart<'_>>,
    is_asked: bool,
) -> Result<(), HookError> {
    let at = Timestamp::now();
    let taken_at = Moment::now().wall_ns;
    let snapshot = Snapshot::take(&context.cwd()?, &context.limits, |root| {
        latest_of(context, store, root)
    });
    let tree = match &snapshot {
        Snapshot::Readable(tree) => Some(tree),
        Snapshot::Unreadable(why) => {
            context.log.write(Level::Info, "UNREADABLE", why);
            None
        }
    };
    let transcript = context.harness.likely_transcript(&context.payload);
    let start = Start {
        worktree: tree.map(|tree| tree.root.as_path()),
        repository: tree.map(|tree| tree.common_dir.as_path()),
        origin: tree.and_then(|tree| tree.origin.as_deref()),
        turn,
        asked: Some(is_asked),
        ..start(context, transcript.as_deref(), at)
    };
    let criteria = criteria::at_start(context, store, start.worktree);
    let baseline = Baseline {
        taken_at,
        snapshot: &snapshot,
        criteria: criteria.as_deref(),
    };
    let not_recorded = |error: &_| context.not_recorded(error);
    record_start(store, &start, Some(&baseline), not_recorded)?;
    // The process ends: taking a large tree apart first would only cost time.
    std::mem::forget(snapshot);
    Ok(())
}

/// A start, as far as the payload tells of it.
fn start<'a>(context: &'a Context, transcript: Option<&'a Path>, at: Timestamp) -> Start<'a> {
    Start {
        key: &context.key,
        harness: context.harness.name(),
        agent_type: context.payload.agent_type.as_deref(),
        cwd: context.payload.cwd.as_deref(),
        transcript: match &context.payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            _ => None,
        },
        likely_transcript: transcript,
        worktree: None,
        repository: None,
        origin: None,
        turn: None,
        asked: None,
        at,
    }
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
