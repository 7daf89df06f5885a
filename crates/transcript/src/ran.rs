//! What a call ran.

use attest_shell::{Changes, More, Run};

/// What one call ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// The checks, in order.
    pub runs: Vec<Run>,
    /// What else it may have run.
    pub more: More,
    /// Whether part of it went on, or may have, behind the end of the call.
    pub is_left_running: bool,
    /// Whether the whole of it ended with another status than zero.
    pub has_failed: bool,
    /// What it may have done to what the checks look at.
    pub changes: Changes,
}
