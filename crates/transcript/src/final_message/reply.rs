//! The newest reply in a transcript, assembled from its lines, the newest line first.

use super::Answer;
use crate::record::{Block, Ending, Reply};

/// The newest reply, as far as its lines have been read.
pub(super) struct LastReply {
    id: Option<String>,
    ending: Ending,
    synthetic: bool,
    calls_tool: bool,
    /// The last text block, and whether it is the last block of all.
    text: Option<String>,
    text_is_last: bool,
}

impl LastReply {
    /// Starts with the newest line.
    pub(super) fn new(newest: Reply) -> Self {
        let mut reply = Self {
            id: newest.id,
            ending: newest.ending,
            synthetic: newest.synthetic,
            calls_tool: false,
            text: None,
            text_is_last: matches!(newest.blocks.last(), Some(Block::Text(_))),
        };
        reply.take(newest.blocks);
        reply
    }

    /// Whether `older` is a line of the same reply.
    pub(super) fn is_continued_by(&self, older: &Reply) -> bool {
        self.id.is_some() && self.id == older.id
    }

    /// Adds the line before those already read.
    pub(super) fn prepend(&mut self, older: Reply) {
        self.take(older.blocks);
    }

    fn take(&mut self, blocks: Vec<Block>) {
        for block in blocks.into_iter().rev() {
            match block {
                Block::Text(text) if self.text.is_none() => self.text = Some(text),
                Block::ToolUse(_) => self.calls_tool = true,
                Block::Text(_) | Block::Other => {}
            }
        }
    }

    /// Whether older lines cannot change the answer.
    pub(super) fn is_decided(&self) -> bool {
        let reported = self.ending == Ending::Complete && self.text.is_some();
        reported || self.is_no_report()
    }

    /// Whether it is the host's own message, or one after which the agent continues.
    fn is_no_report(&self) -> bool {
        self.synthetic || self.calls_tool || self.ending == Ending::Continues
    }

    /// What the reply says, if it ends the agent's work.
    pub(super) fn into_answer(self) -> Answer {
        if self.is_no_report() {
            return Answer::default();
        }
        let text = self.text.map(|text| text.trim().to_owned());
        let text = text.filter(|text| !text.is_empty());
        Answer {
            is_final: self.ending == Ending::Complete && self.text_is_last && text.is_some(),
            text,
        }
    }
}
