//! What a claim is worth: the findings, the decision, and the counters that keep a block from looping.
//!
//! [`judge`] turns a claim and what was seen of its paths into a [`Verdict`]. [`screen`] says
//! whether a verdict may block at all. [`commit_block`] records the block and hands out the
//! [`BlockPermit`] without which no host reply that blocks can be rendered.

mod advisories;
mod agents;
mod decision;
mod finding;
pub mod history;
mod judge;
mod ledger;
mod outcome;
mod reason;
mod retention;

pub use advisories::{Advisory, Notice, Told, advise, take_for_parent, take_for_person};
pub use agents::{
    Agent, AgentKey, Registration, close, find, forget, latest_in, others_at_work, register,
};
pub use attest_snapshot::Printable;
pub use decision::{Policy, ReasonCode, Strict, UnknownStrict, screen};
pub use finding::{Finding, PathEvidence, PathFinding};
pub use judge::{Unmet, Verdict, judge};
pub use ledger::{BlockPermit, BlockRequest, Refusal, commit_block};
pub use outcome::{Outcome, UnknownOutcome};
pub use reason::{block_reason, quoted, statement, unmet_statement};
pub use retention::{
    Forgotten, bytes_in_use, count_older, is_due, make_room, release_baselines, remove_older,
    take_turn,
};
