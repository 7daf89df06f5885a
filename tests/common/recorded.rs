//! Stops as the hooks leave them in the state file, without the hooks: of any time and in any number.

use attest_state::Store;
use attest_state::history::Detail;
use rusqlite::{Connection, params};

use super::TestContext;

/// One stop, and the run that ended with it.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    pub id: &'a str,
    pub session: &'a str,
    pub agent: &'a str,
    pub kind: &'a str,
    pub started: &'a str,
    pub at: &'a str,
    pub outcome: &'a str,
    pub reason: &'a str,
    pub summary: &'a str,
    pub repository: &'a str,
    pub transcript: Option<&'a str>,
}

/// A state file of the context's own, which every command of it uses from now on.
pub fn state(context: &mut TestContext) -> Connection {
    let path = context.folder().join("state/state.db");
    context.set("ATTEST_STATE_DB", &path);
    drop(Store::open(&path).unwrap());
    Connection::open(path).unwrap()
}

pub fn record(state: &Connection, stop: Recorded<'_>, detail: &Detail) {
    let git_dir = format!("{}/.git", stop.repository);
    let is_claim = !matches!(stop.outcome, "NO_CLAIM" | "NO_SNAPSHOT");
    state
        .execute(
            "INSERT INTO verdicts (id, at, session, agent_id, agent_type, repository, outcome,
                                   reason, is_claim, blocks_before, summary, detail)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?11)",
            params![
                stop.id,
                stop.at,
                stop.session,
                stop.agent,
                stop.kind,
                git_dir.as_bytes(),
                stop.outcome,
                stop.reason,
                is_claim,
                stop.summary,
                serde_json::to_string(detail).unwrap(),
            ],
        )
        .unwrap();
    state
        .execute(
            "INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd, repository,
                               started_at, stopped_at, outcome)
             VALUES (?1, ?2, ?3, 'claude-code', ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                stop.session,
                stop.agent,
                stop.kind,
                stop.transcript.map(str::as_bytes),
                stop.repository.as_bytes(),
                git_dir.as_bytes(),
                stop.started,
                stop.at,
                stop.outcome,
            ],
        )
        .unwrap();
}
