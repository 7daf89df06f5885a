//! One module per host: its hook payload into a [`Payload`], our reply into its JSON.
//!
//! Hosts differ in field names and in what they accept as a reply; nothing outside this crate
//! knows either. [`Harness`] names the hosts and sends each call to the module that speaks for it.
//!
//! A payload is read with as much tolerance as is safe: what is odd costs the field it stands in,
//! never the payload, and a field that could name the wrong agent or the wrong folder is dropped
//! rather than repaired.

pub mod claude_code;
mod fields;
mod host;
mod payload;

pub use host::{Harness, UnknownHarness};
pub use payload::{AgentTranscript, Payload, PayloadError};
