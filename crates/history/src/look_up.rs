//! The one verdict that a command is about, with all that is recorded of it.

use attest_state::history::{self, Answer, Detail, Entry, Filter, LookupError, Noticed, Of, Stops};
use attest_state::{Store, StoreError};
use attest_transcript::Spent;
use thiserror::Error;

use super::cost;
use super::history::{elsewhere, not_found, open, read};
use super::names::agent_id;
use super::repository::{own_repository, shown_repository};
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::ui::Ui;

#[derive(Debug, Error)]
#[error("no verdict is recorded of {repository}")]
struct NoneHere {
    repository: String,
}

/// A verdict with all that it rested on, and what became of it if it is a block.
pub(super) struct Found {
    pub(super) entry: Entry,
    pub(super) detail: Detail,
    pub(super) answer: Option<Answer>,
    /// What going on after it cost, if a transcript has that.
    pub(super) spent: Option<Spent>,
    /// What was seen after its parent was told of it.
    pub(super) noticed: Option<Noticed>,
}

/// The verdict that is asked for; where none is named, the one that `attest log` begins with here.
pub(super) fn look_up(ui: &mut Ui, env: &Env, id: Option<&str>) -> Result<Found, CommandError> {
    let Some(store) = open(ui, env)? else {
        return Err(not_found(LookupError::Empty));
    };
    let (entry, detail) = match id.map(agent_id) {
        Some(id) => history::find(&store, own_repository().as_deref(), &id).map_err(not_found)?,
        None => newest(&store)?,
    };
    read(with_answer(&store, entry, detail))
}

fn with_answer(store: &Store, entry: Entry, detail: Detail) -> Result<Found, StoreError> {
    let answer = history::answer_to(store, &entry)?;
    let next = answer.as_ref().and_then(|answer| answer.next.as_ref());
    let times = entry.at.parse().ok().zip(next.map(|next| next.at));
    let spent = times.map(|times| cost::of_one(store, entry.seq, times));
    let spent = spent.transpose()?.flatten();
    let noticed = history::noticed(store, &entry)?;
    Ok(Found {
        entry,
        detail,
        answer,
        spent,
        noticed,
    })
}

fn newest(store: &Store) -> Result<(Entry, Detail), CommandError> {
    let all = Filter::default();
    let Some(repository) = own_repository() else {
        return history::newest(store, &all).map_err(not_found);
    };
    let name = shown_repository(&repository);
    let own = Filter::from(Of::Repository(repository));
    match history::newest(store, &own) {
        Err(LookupError::Empty) => match read(Stops::of(store, &all))?.seen(&all).verdicts {
            0 => Err(not_found(LookupError::Empty)),
            others => Err(NoneHere { repository: name }).hint(elsewhere(others)),
        },
        found => found.map_err(not_found),
    }
}
