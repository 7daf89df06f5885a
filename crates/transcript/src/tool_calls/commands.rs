//! What the commands of calls ran, from the call to its result.

use std::collections::HashMap;

use crate::checks::{Asked, Reader};
use crate::ran::Ran;
use crate::record::ToolResult;
use crate::shell::checks::OwnChecks;

/// How many checks are kept in all. No agent seen ran a thousand.
const MAX_RUNS: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Commands {
    reader: Reader,
    /// The calls that have no result yet, by id.
    open: HashMap<String, Asked>,
    /// How many checks the calls have run.
    runs: usize,
}

impl Commands {
    /// With what a person calls checks.
    pub(super) fn with(own: &OwnChecks) -> Self {
        Self {
            reader: Reader::with(own),
            ..Self::default()
        }
    }

    /// What a call runs as long as it has no result; `None` if it can run nothing.
    pub(super) fn asked(
        &mut self,
        tool: &str,
        input: Option<&str>,
        is_read_only: bool,
        id: Option<String>,
    ) -> Option<Box<Ran>> {
        let mut asked = self.reader.call(tool, input, is_read_only)?;
        self.runs += asked.count();
        if self.runs > MAX_RUNS {
            asked = Asked::anything();
        }
        let ran = asked.answered(None, None);
        if let Some(id) = id {
            self.open.insert(id, asked);
        }
        Some(Box::new(ran))
    }

    /// What the call ran whose result this is.
    pub(super) fn answered(&mut self, result: &ToolResult) -> Option<Box<Ran>> {
        let asked = self.open.remove(&result.id)?;
        Some(Box::new(
            asked.answered(result.exit, result.printed.as_deref()),
        ))
    }
}
