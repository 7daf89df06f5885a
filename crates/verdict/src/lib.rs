//! What a claim is worth: the findings and the decision. Everything here is a function of values.
//!
//! [`weigh`] turns a claim and what was seen of its paths into a [`Verdict`]. [`screen`] says
//! whether a verdict may block at all.

mod decision;
mod finding;
mod outcome;
mod reason;
mod weigh;

pub use attest_evidence::PathEvidence;
pub use decision::{Policy, ReasonCode, Strict, UnknownStrict, screen};
pub use finding::{Finding, PathFinding};
pub use outcome::{Outcome, UnknownOutcome};
pub use reason::{block_reason, quoted, statement, unmet_statement};
pub use weigh::{Unmet, Verdict, weigh};
