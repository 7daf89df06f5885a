//! What became of a block, in one word.

use crate::word_enum::words;

words! {
    /// What became of a false DONE that was sent back, by the next stop of the same agent: the best first.
    pub enum Fate {
        Fixed = "FIXED": "after a block, the agent wrote what was missing",
        Withdrawn = "WITHDRAWN": "after a block, the agent no longer claimed all of it",
        Repeated = "REPEATED": "after a block, the agent claimed the same again",
        Unanswered = "UNANSWERED": "after a block, no stop of the agent was seen that could be judged",
    }
}
