//! What a stop is judged by: the report, the work tree, the agent's transcript and the criteria. Nothing is
//! printed here, and nothing recorded.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use attest_claim::Status;
use attest_snapshot::{Comparison, Doubt, PathEvidence, Snapshot, WorkTree};
use attest_state::{Agent, Looked, Store, has_subagent_at_work, last_block_at, load_baseline};
use attest_transcript::{ReadLimits, TranscriptError, final_message_after};
use attest_verdict::{
    Beside, Compared, Evidence, EvidenceSource, Source, StopInput, Tools, Unmet, Verdict,
    Whereabouts,
};

use super::context::{Context, HookError};
use super::side::side;
use super::transcript::{Transcript, is_earlier, reading_deadline};
use super::weighed::weighed;
use super::whereabouts::{Search, leave_out_temporary};
use super::{asked, assertions, background, criteria, earlier, others, said, undone, whole};
use attest_base::log::chain;

/// How long a transcript that lags behind the hook is waited for. Hosts were measured to write
/// the last message up to 65 ms after the hook begins.
const TRANSCRIPT_WAIT: Duration = Duration::from_millis(300);

/// What a stop is judged by, and what was found of the work of others that is not to be looked at again.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) input: StopInput,
    pub(super) looked: Vec<Looked>,
}

impl From<StopInput> for Gathered {
    fn from(input: StopInput) -> Self {
        let looked = Vec::new();
        Self { input, looked }
    }
}

/// What the stop of `agent` is judged by, of which nothing is known if its start was not seen.
pub(super) fn gather(context: &Context, store: &Store, agent: Option<&Agent>) -> Gathered {
    let Some(agent) = agent else {
        return unread(context, None, Evidence::NoSnapshot).into();
    };
    let Gathered { input, looked } = read(context, store, agent).unwrap_or_else(|error| {
        context.log.error(error.code(), &error);
        unread(context, Some(agent), Evidence::Failed(chain(&error))).into()
    });
    let spawned = context.task().spawned_type.clone();
    let input = StopInput {
        has_subagent_at_work: is_waiting(context, store),
        agent_type: spawned.or(input.agent_type),
        ..input
    };
    Gathered { input, looked }
}

/// Whether a turn has subagents that are still at work. If that cannot be told, it counts as if it had.
fn is_waiting(context: &Context, store: &Store) -> bool {
    let Some(turn) = &context.turn else {
        return false;
    };
    has_subagent_at_work(store, turn).unwrap_or_else(|error| {
        context.shrug("OTHERS_UNKNOWN", &error);
        true
    })
}

/// A stop of which no report is read.
fn unread(context: &Context, agent: Option<&Agent>, evidence: Evidence) -> StopInput {
    let named = context.payload.agent_type.as_ref();
    StopInput {
        agent_type: named
            .or(agent.and_then(|agent| agent.agent_type.as_ref()))
            .cloned(),
        has_agent_id: context.has_agent_id,
        // Where turns are all there is, a subagent's is one too.
        is_main: context.turn.is_some() && !context.harness.profile().judges_turns,
        message: String::new(),
        source: Source::Payload,
        claim: attest_claim::parse(""),
        evidence,
        said: Vec::new(),
        beside: Vec::new(),
        tools: None,
        whereabouts: BTreeMap::new(),
        asked: Vec::new(),
        others_at_work: 0,
        has_subagent_at_work: false,
        left_running: Vec::new(),
    }
}

fn read(context: &Context, store: &Store, agent: &Agent) -> Result<Gathered, HookError> {
    let (message, source) = message(context, store, agent);
    let claim = attest_claim::parse(&message);
    let own_checks = || criteria::own_checks(context, store, agent);
    let transcript = Transcript::new(context, &message, &claim, own_checks);
    if let Some(at) = agent.resumed_at {
        transcript.was_resumed(at);
    }
    if context.payload.stop_hook_active
        && let Some(at) = sent_back_at(context, store, agent)
    {
        transcript.was_sent_back(at);
    }
    let found = if claim.is_claim() {
        match load_baseline(store, agent.id)? {
            None => return Ok(unread(context, Some(agent), Evidence::NoSnapshot).into()),
            Some(Snapshot::Unreadable(why)) => unreadable(&transcript, &why),
            Some(Snapshot::Readable(start)) => compare(store, agent, &transcript, &start)?,
        }
    } else {
        let is_unseen = |path: &str| is_unseen(context, store, agent, path).unwrap_or(false);
        let mut tools = transcript.tools(None, |text| name(context, text), is_unseen);
        if let Some(tools) = &mut tools {
            leave_out_temporary(tools);
        }
        Found::of(Evidence::NoClaim, tools)
    };
    let said = said::unseen(&transcript, store, agent).unwrap_or_else(|error| {
        context.shrug(error.code(), &error);
        Vec::new()
    });
    let work = undone::find(&transcript, store, agent).unwrap_or_else(|error| {
        context.shrug(error.code(), &error);
        undone::Found::default()
    });
    let left_running = match claim.status {
        Some(Status::Done) => background::left(&transcript),
        _ => Vec::new(),
    };
    let mut beside = whole::find_gaps(&transcript);
    beside.extend(work.told.into_iter().map(Beside::Undone));
    let input = StopInput {
        left_running,
        others_at_work: others_to_tell(context, store, agent, &found.evidence),
        message,
        source,
        claim,
        said,
        beside,
        tools: found.tools,
        whereabouts: found.whereabouts,
        asked: found.asked,
        ..unread(context, Some(agent), found.evidence)
    };
    let looked = work.looked;
    Ok(Gathered { input, looked })
}

/// The report that an agent ends with, and where it was found.
fn message(context: &Context, store: &Store, agent: &Agent) -> (String, Source) {
    let payload = &context.payload;
    if let Some(message) = &payload.message {
        let last = last_of(context, store, agent, message);
        return (last.unwrap_or_else(|| message.clone()), Source::Payload);
    }
    let Some(path) = payload.message_transcript() else {
        return (String::new(), Source::Payload);
    };
    let message = said_last(context, store, agent, path).unwrap_or_else(|error| {
        context.shrug("TRANSCRIPT_UNREADABLE", &error);
        None
    });
    (message.unwrap_or_default(), Source::Transcript)
}

/// The last message of an agent that was sent back, if the host sends it with all that was said before: what the
/// agent was sent back for is no longer its report.
fn last_of(context: &Context, store: &Store, agent: &Agent, all: &str) -> Option<String> {
    if agent.block_count == 0 || !context.harness.profile().sends_all_that_was_said {
        return None;
    }
    let path = context.payload.transcript_path.as_deref()?;
    let last = said_last(context, store, agent, path).ok()??;
    all.trim_end().ends_with(&last).then_some(last)
}

/// What the transcript has as the last message since the agent was asked, or sent back. Hosts write late: one
/// was seen to end its file with the report of before, although the agent had gone on.
fn said_last(
    context: &Context,
    store: &Store,
    agent: &Agent,
    path: &Path,
) -> Result<Option<String>, TranscriptError> {
    let sent_back = sent_back_at(context, store, agent);
    let asked = sent_back.unwrap_or_default().max(agent.started_at);
    let forms = context.harness.profile().transcripts;
    let is_old = |at: &str| is_earlier(at, asked);
    let limits = ReadLimits {
        wait: TRANSCRIPT_WAIT,
        deadline: reading_deadline(context),
    };
    final_message_after(path, forms, limits, &is_old)
}

/// When somebody of the session was sent back, the last time, if this agent was.
fn sent_back_at(context: &Context, store: &Store, agent: &Agent) -> Option<i64> {
    let sent_back = (agent.block_count > 0).then(|| last_block_at(store, &context.key.session));
    let sent_back = sent_back.transpose().unwrap_or_else(|error| {
        let error = HookError::from(error);
        context.shrug(error.code(), &error);
        None
    });
    sent_back.flatten()
}

/// What was found of a stop.
struct Found {
    evidence: Evidence,
    tools: Option<Tools>,
    /// Where claimed files are that are not on disk.
    whereabouts: BTreeMap<String, Whereabouts>,
    /// What the prompt asks for and is not there.
    asked: Vec<Unmet>,
}

impl Found {
    fn of(evidence: Evidence, tools: Option<Tools>) -> Self {
        Self {
            evidence,
            tools,
            whereabouts: BTreeMap::new(),
            asked: Vec::new(),
        }
    }
}

fn unreadable(transcript: &Transcript<'_>, why: &impl ToString) -> Found {
    let context = transcript.context;
    let tools = transcript.tools(None, |text| name(context, text), |_| false);
    Found::of(Evidence::Unreadable(why.to_string()), tools)
}

fn compare(
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    start: &WorkTree,
) -> Result<Found, HookError> {
    let context = transcript.context;
    transcript.begin_in(start);
    let (mut comparison, mut verdict) = match weighed(transcript, transcript.claim, start)? {
        Ok(weighed) => weighed,
        Err(why) => return Ok(unreadable(transcript, &why)),
    };
    if verdict.contradictions().next().is_some() {
        earlier::excuse(transcript, store, agent, &mut verdict, |start| {
            let weighed = weighed(transcript, transcript.claim, start)?;
            Ok(weighed.ok().map(|(_, verdict)| verdict))
        })?;
        background::doubt(transcript, &mut verdict);
    }
    let found = assertions::judge(context, store, agent, transcript, &mut comparison, &verdict);
    verdict.add(found);
    let asked = asked::unmet((store, agent), transcript, &mut comparison);
    let search = Search::new(store, agent, transcript, &comparison);
    let whereabouts = search.of(&verdict);
    let mut tools = transcript.tools(
        Some(&verdict),
        |text| comparison.name(text),
        |text| shows_nothing(&comparison.evidence_for(text)),
    );
    if let Some(tools) = &mut tools {
        search.explain(tools);
    }
    let compared = Compared {
        repository: start.common_dir.clone(),
        start: side(start),
        stop: side(comparison.stop()),
        verdict,
    };
    Ok(Found {
        evidence: Evidence::Compared(Box::new(compared)),
        tools,
        whereabouts,
        asked,
    })
}

/// How a path is reported if there is no work tree to name it from: from the agent's folder.
fn name(context: &Context, text: &str) -> String {
    let cwd = context.payload.cwd.as_deref();
    let inside = cwd.and_then(|cwd| Path::new(text).strip_prefix(cwd).ok());
    inside.and_then(Path::to_str).unwrap_or(text).to_owned()
}

/// Whether nothing was seen of a path if no claim asks for a comparison: rarely wanted, so made anew.
fn is_unseen(context: &Context, store: &Store, agent: &Agent, path: &str) -> Option<bool> {
    let Some(Snapshot::Readable(start)) = load_baseline(store, agent.id).ok()? else {
        return None;
    };
    let comparison = Comparison::with(&start, &context.cwd().ok()?, &context.limits).ok()?;
    Some(shows_nothing(&comparison.evidence_for(path)))
}

/// Whether a path that is not on the disk is not among what changed either. A name that leads
/// elsewhere, and a place that could not be looked at, speak for the agent.
fn shows_nothing(seen: &PathEvidence) -> bool {
    matches!(
        seen,
        PathEvidence::Absent(_)
            | PathEvidence::Inconclusive(Doubt::Outside | Doubt::Ignored | Doubt::Unlisted)
    )
}

/// How many other agents were at work, if that may have to be said.
fn others_to_tell(context: &Context, store: &Store, agent: &Agent, evidence: &Evidence) -> u32 {
    let has_proof = |verdict: &Verdict| verdict.proofs().next().is_some();
    match evidence {
        Evidence::Compared(it) if context.config.policy.enforce && has_proof(&it.verdict) => {
            others::at_work(context, store, agent).unwrap_or_default()
        }
        _ => 0,
    }
}
