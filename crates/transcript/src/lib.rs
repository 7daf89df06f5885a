//! What an agent's transcript says.
//!
//! A transcript is a file of JSON lines that the host appends to while its hooks run. It belongs to
//! another program and may be anything: large, torn, half written, or not a file at all. So it is
//! opened without ever waiting and read in bounded memory, and an unreadable line costs only
//! itself. [`final_message`] needs only the end and reads backwards; [`ledger`] needs every tool
//! call and reads forwards.
//!
//! How lines are found (`backward`, `forward`), what one line of a host means (`claude_code`,
//! `codex`, both into a `record`), and what the lines say together (`final_message`, `ledger`) are
//! separate modules, so that a host with another format changes only the second.

mod backward;
mod claude_code;
mod codex;
mod error;
mod final_message;
mod forward;
mod ledger;
mod open;
mod record;
mod usage;

pub use error::TranscriptError;
pub use final_message::final_message;
pub use ledger::{Call, Kind, Ledger, Outcome, Patience, ledger};
pub use usage::{Usage, last_usage};
