//! The rows, in one transaction.

use std::error::Error;
use std::path::Path;

use attest_claim::Kind;
use attest_state::Store;
use attest_state::history::Beside;
use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use crate::detail::{self, Claims};
use crate::{Plan, REPOSITORIES, Stop, Truth, began, transcript};

pub(crate) fn write(state: &Path, plan: &Plan, truth: &Truth) -> Result<(), Box<dyn Error>> {
    drop(Store::open(state)?);
    let mut connection = Connection::open(state)?;
    let transaction = connection.transaction()?;
    let mut claims = Claims::default();
    for stop in &truth.stops {
        run(&transaction, plan, stop)?;
        verdict(&transaction, stop, &mut claims)?;
    }
    for (number, (agent, _)) in truth.at_work.iter().enumerate() {
        let row =
            "INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd, repository,
                                     started_at)
                   VALUES ('at-work', ?1, 'implementer', 'claude-code', ?2, ?3, ?4, ?5)";
        let path = transcript::path(&plan.transcripts.0, agent);
        let folder = REPOSITORIES[0].0;
        transaction.execute(
            row,
            params![
                agent,
                path.to_string_lossy().as_bytes(),
                folder.as_bytes(),
                git_dir(folder),
                stored(began(plan, number)),
            ],
        )?;
    }
    transaction.commit()?;
    Ok(())
}

fn git_dir(repository: &str) -> Vec<u8> {
    format!("{repository}/.git").into_bytes()
}

/// A time as the hooks write it.
fn stored(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// The run of an agent, or its end if it is known.
fn run(transaction: &Transaction<'_>, plan: &Plan, stop: &Stop) -> Result<(), Box<dyn Error>> {
    let stopped_at = stop.is_end().then(|| stored(stop.at));
    if stop.blocks_before > 0 {
        let row =
            "UPDATE runs SET stopped_at = ?3, outcome = ?4 WHERE session = ?1 AND agent_id = ?2";
        let values = params![stop.session, stop.agent, stopped_at, stop.outcome.as_str()];
        transaction.prepare_cached(row)?.execute(values)?;
        return Ok(());
    }
    let row =
        "INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd, repository,
                                 started_at, stopped_at, outcome, asked)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let transcript = transcript::path(&plan.transcripts.0, &stop.agent);
    transaction.prepare_cached(row)?.execute(params![
        stop.session,
        stop.agent,
        stop.agent_type,
        stop.host,
        transcript.to_string_lossy().as_bytes(),
        stop.repository.as_bytes(),
        git_dir(stop.repository),
        stored(stop.started),
        stopped_at,
        stop.outcome.as_str(),
        stop.was_asked,
    ])?;
    Ok(())
}

fn verdict(
    transaction: &Transaction<'_>,
    stop: &Stop,
    claims: &mut Claims,
) -> Result<(), Box<dyn Error>> {
    let detail = detail::of(stop, claims);
    let beside = Beside::of(&detail, stop.fate);
    let row = "INSERT INTO verdicts (id, at, session, agent_id, agent_type, repository, outcome, reason,
                                     is_claim, blocks_before, summary, detail, asked, judged, harness, counted)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
    transaction.prepare_cached(row)?.execute(params![
        stop.id,
        stored(stop.at),
        stop.session,
        stop.agent,
        stop.agent_type,
        git_dir(stop.repository),
        stop.outcome.as_str(),
        stop.reason.as_str(),
        stop.is_claim(),
        stop.blocks_before,
        summary(stop),
        serde_json::to_string(&detail)?,
        stop.was_asked,
        beside.judged,
        stop.host,
        beside.counted,
    ])?;
    Ok(())
}

/// The line of a list: what is false, or else what is claimed.
fn summary(stop: &Stop) -> String {
    let lie = stop.claims.iter().find(|(_, is_so)| *is_so == Some(false));
    match lie.filter(|_| stop.is_false()) {
        Some((Kind::Files, _)) => stop.files.last().cloned().unwrap_or_default(),
        Some((Kind::Checks, _)) => "pytest".to_owned(),
        Some(_) => "4f2a9c1".to_owned(),
        None => stop.files.join(", "),
    }
}
