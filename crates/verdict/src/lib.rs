//! What a claim is worth: the findings, the warnings and the decision. Everything here is a function of
//! values.
//!
//! [`weigh`] turns a claim and what was seen of its paths into a [`Verdict`]. [`judge()`] turns a report into one
//! [`StopOutcome`], with the [`Decision`] that follows, by [`Facts`] that it asks for; what gates decide is merged into
//! that.

mod again;
mod aside;
mod asked;
mod assertions;
mod background;
mod beside;
mod claim_finding;
mod conclusion;
mod criteria;
mod decision;
mod doubt;
mod facts;
mod fate;
mod finding;
mod gate;
mod judge;
mod lines;
mod lost;
mod missing;
mod namesakes;
mod outcome;
mod path_finding;
mod range;
mod reason;
mod said;
mod said_gone;
mod stop;
mod taken_back;
mod unchecked;
mod undone;
mod warnings;
mod weigh;
mod word_enum;

pub use again::{Again, SentBack};
pub use assertions::{NoTranscript, Sources, TranscriptSource};
pub use attest_evidence::{EvidenceSource, RepositorySource};
pub(crate) use background::may_write;
pub use background::quoted_command;
pub use beside::{Beside, End};
pub use claim_finding::ClaimFinding;
pub use conclusion::{StopOutcome, conclude};
pub use criteria::{Criteria, Unmet};
pub use decision::{Policy, ReasonCode, Strict, UnknownStrict};
pub use doubt::Doubt;
pub use facts::{Earlier, Facts, Purpose, Since, Unseen};
pub use fate::Fate;
pub use finding::Finding;
pub use gate::{Decision, GateAnswer, NoAnswer, Reason};
pub use judge::judge;
pub use lines::AskedOfLines;
pub(crate) use lost::Whereabouts;
pub use lost::{Gone, Lost, Was, Who};
pub use missing::{Removal, Search, Sought};
pub use outcome::{Outcome, UnknownOutcome};
pub use range::{judge_range, tell_range};
pub use reason::{FEEDBACK, quoted, statement};
pub use said_gone::SaidGone;
pub use stop::{Compared, Evidence, Report, Side, Source, StopInput};
pub use taken_back::TakenBack;
pub use unchecked::Unchecked;
pub use undone::{Kept, Undone};
pub use warnings::{Account, LostWrites, Tools, Warning};
pub use weigh::{Verdict, weigh};
