//! What a claim is worth: the findings, the decision, and the counters that keep a block from looping.
//!
//! [`judge`] turns a claim and what was seen of its paths into a [`Verdict`]. [`screen`] says
//! whether a verdict may block at all. [`commit_block`] records the block and hands out the
//! [`BlockPermit`] without which no host reply that blocks can be rendered.

mod agents;
mod decision;
mod finding;
mod judge;
mod ledger;
mod reason;

pub use agents::{
    Agent, AgentKey, Registration, close, count_older, find, forget, others_at_work, register,
    remove_older,
};
pub use decision::{Policy, ReasonCode, Strict, UnknownStrict, screen};
pub use finding::{Finding, PathFinding};
pub use judge::{Unmet, Verdict, judge};
pub use ledger::{BlockPermit, BlockRequest, Refusal, commit_block};
pub use reason::block_reason;
