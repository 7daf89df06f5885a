//! What an agent's transcript says.
//!
//! A transcript is a file of JSON lines that the host appends to while its hooks run. It belongs to
//! another program and may be anything: large, torn, half written, or not a file at all. So it is
//! opened without ever waiting and read in bounded memory, and an unreadable line costs only
//! itself. A [`Session`] is all that one says, read once and forwards; [`final_message`] and [`last_usage`] need only
//! the end and read backwards.
//!
//! How lines are found (`backward`, `forward`), what one line means (a [`Form`], which may also be
//! implemented elsewhere), and what the lines say together (`session`, `final_message`) are separate,
//! so that a host with another format needs only the second.

mod backward;
mod call;
mod checks;
mod claude_code;
mod codex;
mod content;
mod copilot;
mod deeds;
mod droid;
mod error;
mod final_message;
mod forward;
mod gemini;
mod input;
mod kept;
mod lineage;
mod open;
mod opencode;
mod printed;
mod ran;
mod record;
mod server;
mod session;
mod spent;
mod summary;
mod tool_calls;
mod usage;

use std::time::{Duration, Instant};

pub use call::{Call, CallKind, Outcome};
pub use deeds::{Deed, Did};
pub use error::TranscriptError;
pub use final_message::final_message;
pub use kept::Unseen;
pub use lineage::has_record;
pub use ran::Ran;
pub use record::{
    Background, Block, Effect, Ending, Event, Form, Forms, Line, Reply, Shows, ToolResult, ToolUse,
    Tools,
};
pub use session::{
    LeftRunning, Prompt, Said, Session, SessionFile, Shown, Sought, SoughtFile, Source, Whose,
};
pub use spent::{Spent, last_usage, spent_between};
pub use tool_calls::{LastEntry, Program, ToolCalls, Written, places_of};
pub use usage::Usage;

/// How long reading may take.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// How long to wait for lines that are still to be written.
    pub wait: Duration,
    /// When to stop reading, whatever is left.
    pub deadline: Instant,
}

/// The formats that this crate knows.
pub mod forms {
    pub use crate::claude_code::ClaudeCode;
    pub use crate::codex::Codex;
    pub use crate::copilot::{Copilot, CopilotAgent};
    pub use crate::droid::Droid;
    pub use crate::gemini::Gemini;
    pub use crate::opencode::OpenCode;

    #[cfg(test)]
    pub(crate) const ALL: crate::Forms<'static> =
        &[&ClaudeCode, &Codex, &Copilot, &Droid, &Gemini, &OpenCode];
}
