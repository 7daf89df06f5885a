//! A model that plays a script: as much of the APIs of models as the real coding agents ask for, on
//! loopback, with every reply written down beforehand.
//!
//! Tests and `attest doctor --live` drive the real command-line agent with it, offline. Nothing here
//! says how a real model behaves.

mod api;
pub mod capture;
mod conversation;
pub mod driver;
pub mod installed;
pub mod journal;
pub mod live;
pub mod outcome;
pub mod page;
mod player;
pub mod probe;
pub mod run;
pub mod sanitise;
pub mod scenario;
pub mod server;
pub mod trial;
pub mod workbench;

pub use journal::{Entry, Journal};
pub use outcome::{HookReply, Outcome};
pub use run::{Host, RunError};
pub use scenario::{Scenario, ScenarioError};
pub use server::{Server, ServerError};
pub use trial::{Played, Trial, TrialError};
pub use workbench::Workbench;
