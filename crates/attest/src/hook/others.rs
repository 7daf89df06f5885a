//! Who worked in the same work tree.

use attest_state::{Agent, Store, others_at_work};

use super::context::Context;

/// How many other agents were at work, if that can be told.
pub(super) fn at_work(context: &Context, store: &Store, agent: &Agent) -> Option<u32> {
    let others = others_at_work(store, agent);
    others
        .inspect_err(|error| context.shrug("OTHERS_UNKNOWN", error))
        .ok()
}
