//! What an agent's transcript says, read from its end.
//!
//! A transcript is a file of JSON lines that the host appends to while its hooks run. It is another
//! program's file and may be anything: large, torn, half written, or no file at all. So it is
//! opened without ever waiting, read backwards in bounded memory ([`final_message`] needs only the
//! end), and a line that cannot be read costs nothing but itself.
//!
//! How lines are found (`backward`), what one line of a host means (`claude_code`) and what the
//! lines together say (`final_message`) are separate modules, so that a host with another format
//! changes only the second.

mod backward;
mod claude_code;
mod error;
mod final_message;
mod open;
mod usage;

pub use error::TranscriptError;
pub use final_message::final_message;
pub use usage::{Usage, last_usage};
