//! One module per host: its hook payload into a [`Payload`], our reply into its words, its hooks
//! and where its settings for them are, its transcripts.
//!
//! Hosts differ in field names, in what they accept as a reply and in how they are told to run a hook;
//! nothing outside this crate knows any of it, except for the forms of transcripts, which
//! `attest-transcript` reads for whichever host names them. A host is what implements [`Host`], and
//! [`hosts`] lists them.
//!
//! A payload is read with as much tolerance as is safe: what is odd costs the field it stands in,
//! never the payload, and a field that could name the wrong agent or the wrong folder is dropped
//! rather than repaired.

mod executable;
mod fields;
mod host;
pub mod hosts;
mod kept;
mod payload;
mod reply;
mod sample;
pub mod settings;

pub use attest_evidence::Printable;
pub use attest_json::Object;
pub use executable::{Executable, Fault, Support, Tried, Version};
pub use host::{Borrowed, Host, Profile, Text};
pub use kept::{About, KeptSessions, Of};
pub use payload::{AgentTranscript, Payload, PayloadError};
pub use sample::SampleAgent;
