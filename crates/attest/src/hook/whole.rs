//! Whether a report reaches its reader whole: the last message may only refer to it, it may lack the work of an agent
//! that is still at work, and an agent may end without one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use attest_claim::refers_back;
use attest_shell::checks::OwnChecks;
use attest_state::{
    AgentKey, Failure, Store, end_reported, find, open_agents, record_failure, transcript_of,
};
use attest_transcript::{LastEntry, Session, SessionFile, Sought, TranscriptError, Whose};
use attest_verdict::{Beside, End};
use jiff::Timestamp;

use super::context::{Context, HookError, now};
use super::reading::{WAIT, reading, reading_deadline};
use super::task::Task;
use super::transcript::Transcript;
use attest_base::log::Level;

/// How much longer an earlier message has to be than one that refers to it.
const LONGER: usize = 2;
/// Words of a report that says itself that something is still to come.
const TO_COME: &str = "background still running waiting await awaiting pending progress later until notified continues";

/// What a stop shows of it.
pub(super) fn find_gaps(transcript: &Transcript<'_>) -> Vec<Beside> {
    if !transcript.context.tells_beside() {
        return Vec::new();
    }
    let refers = refers(transcript);
    refers.into_iter().chain(at_work(transcript)).collect()
}

/// A last message that stands for an earlier one, and where that is.
fn refers(transcript: &Transcript<'_>) -> Option<Beside> {
    let message = &transcript.report.message;
    if transcript.report.claim.is_claim() || !refers_back(message) {
        return None;
    }
    let session = transcript.settled().filter(|_| transcript.has_all())?;
    let (length, line) = session.longest;
    (length >= LONGER * message.len()).then_some(())?;
    let file = transcript.path()?;
    Some(Beside::Refers {
        agent: transcript.context.key.agent.clone(),
        file: file.display().to_string(),
        line,
    })
}

/// An agent that this one has started, and that the host says to be at work.
fn at_work(transcript: &Transcript<'_>) -> Option<Beside> {
    let payload = &transcript.context.payload;
    let own = payload.agent_id.as_deref()?;
    let at_work = payload.at_work.iter().flatten();
    let mut others = at_work.filter(|id| *id != own).peekable();
    others.peek()?;
    let lower = transcript.report.message.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| TO_COME.split(' ').any(|it| it == word)) {
        return None;
    }
    let session = transcript.settled().filter(|_| transcript.has_all())?;
    let started = others.find(|id| session.tool_calls.was_answered_with(id))?;
    Some(Beside::AtWork {
        agent: own.to_owned(),
        started: started.clone(),
    })
}

/// Ends the agents that are over and have announced no stop: those that are handed to their parent, and all of them if
/// the host lists none where the main agent stops. It announces none of one that was stopped, or had no turns left, or
/// that was at work when it ended itself, if the session goes on later. Those whose transcripts show in what they ended
/// are told of.
pub(super) fn end_unfinished(context: &Context, store: &mut Store) {
    if let Err(error) = end_those_over(context, store) {
        context.log.error(error.code(), &error);
    }
}

fn end_those_over(context: &Context, store: &mut Store) -> Result<(), HookError> {
    let (session, reported) = (&context.key.session, &context.payload.reported);
    let unlisted = unlisted(context, store)?;
    let over = reported.iter().chain(&unlisted);
    // All of them are waited for together.
    let give_up = reading_deadline(context).min(Instant::now() + WAIT);
    for agent in over.filter(|_| context.config.advise) {
        let key = AgentKey::of_id(session, agent);
        let is_handed_on = reported.contains(agent);
        if find(store, &key)?.is_some_and(|agent| agent.is_open)
            && let Some(end) = end_of(context, store, &key, is_handed_on, give_up)?
        {
            died(context, store, &key, end)?;
        }
    }
    // One that is only not listed, and whose end is not seen, may still be handed on.
    Ok(end_reported(store, session, reported, now())?)
}

/// The agents without a stop where the main agent stops and none is at work: one that is may wait for others, which are
/// not listed. Nobody has seen that those of a team are.
fn unlisted(context: &Context, store: &Store) -> Result<Vec<String>, HookError> {
    let payload = &context.payload;
    let (Some([]), None) = (payload.at_work.as_deref(), &payload.agent_id) else {
        return Ok(Vec::new());
    };
    let mut over = Vec::new();
    for agent in open_agents(store, &context.key.session)? {
        let key = AgentKey::of_id(&context.key.session, &agent);
        let is_of_team = |path: &PathBuf| {
            let task = Task::beside(path);
            task.is_some_and(|task| task.spawned_type.is_some())
        };
        if transcript_of(store, &key)?.is_some_and(|path| !is_of_team(&path)) {
            over.push(agent);
        }
    }
    Ok(over)
}

/// In what an agent ended; `None` if it said something in the end, or if that is not known.
fn end_of(
    context: &Context,
    store: &Store,
    key: &AgentKey,
    is_handed_on: bool,
    give_up: Instant,
) -> Result<Option<End>, HookError> {
    let Some(path) = transcript_of(store, key)? else {
        return Ok(None);
    };
    Ok(
        read_end(context, &path, is_handed_on, give_up).unwrap_or_else(|error| {
            context.shrug("LEDGER_UNREADABLE", &error);
            None
        }),
    )
}

/// The same in its transcript, of which the host may write the end late: until `give_up` there may come a call behind
/// the last one, or a report.
fn read_end(
    context: &Context,
    path: &Path,
    is_handed_on: bool,
    give_up: Instant,
) -> Result<Option<End>, TranscriptError> {
    let forms = context.harness.profile().transcripts;
    let sought = Sought {
        budget: reading(context),
        ..Sought::default()
    };
    // One that was handed on a moment ago may have no transcript yet.
    let is_there_by = if is_handed_on {
        give_up
    } else {
        Instant::now()
    };
    let sought = (sought, OwnChecks::default());
    let mut file = SessionFile::open_until(path, forms, sought, is_there_by)?;
    file.read_on(&mut |_| Whose::Own)?;
    let known_end = |session: &Session| {
        let end = seen_end(session, is_handed_on);
        end.filter(|_| session.is_whole())
    };
    // What leaves nothing to tell is not waited for.
    if known_end(file.session()).is_none() {
        return Ok(None);
    }
    while file.wait_for_more(give_up)? {}
    Ok(known_end(file.session()))
}

/// The same as far as it was read. One that was interrupted and is not handed on was interrupted by the person, who knows
/// it.
fn seen_end(session: &Session, is_handed_on: bool) -> Option<End> {
    let calls = &session.tool_calls;
    match (calls.last(), calls.calls.last()) {
        (LastEntry::Text(_), _) => None,
        (LastEntry::Interrupted, _) if !is_handed_on => None,
        (LastEntry::HostError(text), _) => Some(End::Error(text.clone())),
        (LastEntry::NoReply | LastEntry::Interrupted, None) => Some(End::Beginning),
        (LastEntry::NoReply | LastEntry::Interrupted, Some(call)) => Some(End::Call {
            tool: call.tool.clone(),
            at: call.at.clone(),
        }),
    }
}

/// Records that an agent ended without a report.
pub(super) fn died(
    context: &Context,
    store: &mut Store,
    key: &AgentKey,
    end: End,
) -> Result<(), HookError> {
    let why = match &end {
        End::Error(why) => why.clone(),
        other => format!("ended {other}"),
    };
    let agent = key.agent.clone();
    let told = Beside::Unfinished { agent, end }.to_string();
    let failure = Failure {
        key,
        why: &why,
        told: context.config.advise.then_some(told),
        at: Timestamp::now(),
    };
    record_failure(store, &failure, |error| context.not_recorded(error))?;
    let agent = &key.agent;
    context
        .log
        .write(Level::Info, "DIED", format!("{agent}: {why}"));
    Ok(())
}

/// Keeps for the person that an agent was not checked because its start was not seen, if its transcript has one.
pub(super) fn start_not_seen(context: &Context, store: &mut Store) -> Result<(), HookError> {
    let path = context.harness.likely_transcript(&context.payload);
    let (Some(path), true) = (path, context.config.advise && context.turn.is_none()) else {
        return Ok(());
    };
    let forms = context.harness.profile().transcripts;
    let session = Session::read(&path, forms, &reading(context), &mut |_| Whose::Own);
    if session.is_ok_and(|session| session.began.is_some()) {
        const TEXT: &str = "the start of an agent of this session was not seen, so its report was not checked \
            (NO_SNAPSHOT); if that comes again, `attest doctor` checks the hooks";
        attest_state::remark(store, &context.key.session, TEXT, now())?;
    }
    Ok(())
}
