//! What an agent's transcript says.
//!
//! A transcript is a file of JSON lines that the host appends to while its hooks run. It belongs to
//! another program and may be anything: large, torn, half written, or not a file at all. So it is
//! opened without ever waiting and read in bounded memory, and an unreadable line costs only
//! itself. [`final_message`] needs only the end and reads backwards; [`read_tool_calls`] needs every tool
//! call and reads forwards.
//!
//! How lines are found (`backward`, `forward`), what one line means (a [`Form`], which may also be
//! implemented elsewhere), and what the lines say together (`final_message`, `tool_calls`) are separate,
//! so that a host with another format needs only the second.

mod asked;
mod background;
mod backward;
mod checks;
mod claude_code;
mod codex;
mod content;
mod copilot;
mod droid;
mod error;
mod final_message;
mod forward;
mod gemini;
mod given;
mod input;
mod kept;
mod lineage;
mod offered;
mod open;
mod opencode;
mod places;
mod pushes;
mod ran;
mod record;
mod scan;
mod server;
mod shell;
mod shown;
mod spent;
mod tool_calls;
mod usage;

pub use asked::{first_prompt, has_one_prompt};
pub use background::{Background, LeftRunning, left_running, places_of};
pub use error::TranscriptError;
pub use final_message::{final_message, final_message_after};
pub use given::is_given;
pub use kept::{Kept, Report, Unseen, Whose, read_kept};
pub use lineage::{first_record, has_record};
pub use offered::{may_run_commands, offers_no_writer};
pub use places::Place;
pub use pushes::has_failed_push;
pub use ran::{More, Of, Ran, Run, RunEnding};
pub use record::{Block, Effect, Ending, Event, Form, Forms, Reply, Shows, ToolResult, ToolUse};
pub use shell::checks::OwnChecks;
pub use shown::{Shown, Source, shown};
pub use spent::{Spent, spent_between};
pub use tool_calls::{
    Call, Detail, Kind, Outcome, ReadLimits, ToolCalls, Written, read_tool_calls,
};
pub use usage::{Usage, last_usage};

/// The formats that this crate knows.
pub mod forms {
    pub use crate::claude_code::ClaudeCode;
    pub use crate::codex::Codex;
    pub use crate::copilot::Copilot;
    pub use crate::droid::Droid;
    pub use crate::gemini::Gemini;
    pub use crate::opencode::OpenCode;

    #[cfg(test)]
    pub(crate) const ALL: crate::Forms<'static> =
        &[&ClaudeCode, &Codex, &Copilot, &Droid, &Gemini, &OpenCode];
}
