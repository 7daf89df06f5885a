//! What the agent's tools did, as far as its report has to answer for it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::rc::Rc;

use attest_transcript::{Call, Session};
use attest_verdict::{Purpose, Tools};

use super::super::context::Context;
use super::{Transcript, is_before, only_reads};

/// What it costs to look for a file that a call wrote, in things that are looked up.
const LOOK: usize = 32;

impl Transcript<'_> {
    /// What the tools did, with all that has to be known of the paths that they name. `name` is how a path is
    /// reported; `is_unseen` says of one that is not on the disk that it is not among what changed either.
    ///
    /// The transcript is read only if there is something to explain or warnings are wanted, and waited
    /// for only if what it holds so far speaks against the agent.
    pub(in crate::hook) fn tools(
        &self,
        purpose: Purpose,
        name: impl Fn(&str) -> String,
        is_unseen: impl Fn(&str) -> bool,
    ) -> Option<Tools> {
        let context = self.context;
        let Purpose { explains, accuses } = purpose;
        let warns = context.config.deliverables;
        let wants_more = |session: &Session| {
            let account = self.account(&session.tool_calls);
            // Whether a file that is missing is among what changed is asked in the end, and once.
            let lost = || account.lost(|path| is_missing(context, path));
            let speaks_against = || accuses || warns && !account.check(&name, &lost()).is_empty();
            !self.is_settled(&session.tool_calls) && speaks_against()
        };
        let session = if explains || warns {
            self.session(wants_more)
        } else {
            // Only if another question has opened it.
            let read = self.session.borrow();
            read.clone()
        };
        let session = session?;
        let mut tool_calls = session.tool_calls.clone();
        tool_calls.is_whole &= !self.may_be_old();
        if let Some(turn) = &context.turn {
            let is_before = |call: &Call| is_before(call, turn.agent.started_at);
            tool_calls.retain(|call| !is_before(call));
        }
        let account = self.account(&tool_calls);
        let may_write = !(warns && account.wrote_nothing() && only_reads(context, &session));
        let budget = &context.limits.budget;
        let mut lost = account.lost(|path| {
            // Of a path that is not looked at any more nothing is said.
            let may_look = || budget.take_items(LOOK).is_ok();
            warns && may_look() && is_missing(context, path) && is_unseen(path)
        });
        if let Some(resumed) = self.resumed.get() {
            let is_new = |call: &&Call| !is_before(call, *resumed);
            let written = tool_calls.calls.iter().filter(is_new);
            let written: BTreeSet<_> = written.filter_map(|call| call.path.as_deref()).collect();
            lost.retain(|path, _| written.contains(path.as_str()));
        }
        let calls = tool_calls
            .calls
            .iter()
            .filter_map(|call| call.path.as_deref());
        let calls = calls.filter(|path| explains || lost.contains_key(*path));
        let claimed = account.files().filter(|_| !lost.is_empty());
        let names = calls
            .chain(claimed)
            .map(|text| (text.to_owned(), name(text)))
            .collect();
        Some(Tools {
            names,
            lost,
            warns,
            may_write,
            tool_calls,
        })
    }

    /// What the transcript says. While not all of it is there, it is waited for as long as what is leaves a question
    /// open.
    pub(in crate::hook) fn calls(
        &self,
        is_open: impl Fn(&Rc<Session>) -> bool,
    ) -> Option<Rc<Session>> {
        let warns = self.context.config.deliverables;
        self.session(|session| {
            let tool_calls = &session.tool_calls;
            let account = self.account(tool_calls);
            let lost = || account.lost(|path| is_missing(self.context, path));
            let advises = || warns && !account.check(str::to_owned, &lost()).is_empty();
            let is_open = || self.session.borrow().as_ref().is_some_and(&is_open);
            !self.is_settled(tool_calls) && (is_open() || advises())
        })
    }
}

/// Whether there is certainly nothing at the path.
fn is_missing(context: &Context, path: &str) -> bool {
    let Ok(place) = context.cwd().map(|cwd| cwd.join(path)) else {
        return false;
    };
    let is_looked_at = context.limits.may_look(&place).is_ok();
    is_looked_at
        && matches!(fs::symlink_metadata(place), Err(error) if error.kind() == io::ErrorKind::NotFound)
}
