//! Calls and results, joined while they are read.

use std::collections::HashMap;
use std::ops::Range;

use super::{Call, Kind, Last, Ledger, Outcome};
use crate::record::{self, Block, Effect, Event, Forms, Record, Reply, ToolResult, ToolUse};

/// Calls that are kept at most. The longest agents seen make some thousands.
const MOST_CALLS: usize = 50_000;
/// Longest tool name or path that is kept, in bytes.
const LONGEST_NAME: usize = 8 * 1024;

/// A ledger that is being written.
pub(super) struct Book<'f> {
    forms: Forms<'f>,
    calls: Vec<Call>,
    /// The calls whose result is still to come, by its id.
    open: HashMap<String, Range<usize>>,
    last: Last,
    lost: bool,
}

impl<'f> Book<'f> {
    pub(super) fn new(forms: Forms<'f>) -> Self {
        Self {
            forms,
            calls: Vec::new(),
            open: HashMap::new(),
            last: Last::default(),
            lost: false,
        }
    }

    /// A line that could not be read: a call may have been in it.
    pub(super) fn lose_line(&mut self) {
        self.lost = true;
    }

    pub(super) fn is_full(&self) -> bool {
        self.calls.len() >= MOST_CALLS
    }

    /// What was read so far. `unfinished` says that there is more.
    pub(super) fn ledger(&self, unfinished: bool) -> Ledger {
        Ledger {
            calls: self.calls.clone(),
            is_whole: !self.lost && !unfinished,
            last: self.last.clone(),
        }
    }

    /// Reads the next line.
    pub(super) fn enter_line(&mut self, line: &[u8]) {
        match record::decode(line, self.forms) {
            Some(record) => self.enter(record),
            None if line.trim_ascii().is_empty() => {}
            None => self.lose_line(),
        }
    }

    fn enter(&mut self, record: Record) {
        match record.event {
            Event::Assistant(reply) => self.enter_reply(reply, record.at.as_deref()),
            Event::User(results) => {
                self.last = Last::NoReply;
                for result in results {
                    self.close(&result, record.at.as_deref());
                }
            }
            Event::Other => {}
        }
    }

    fn enter_reply(&mut self, reply: Reply, at: Option<&str>) {
        for block in reply.blocks {
            match block {
                Block::Text(text) if reply.synthetic => self.last = Last::HostError(text),
                Block::Text(text) => self.last = Last::Text(text),
                Block::ToolUse(call) => {
                    self.last = Last::NoReply;
                    self.enter_call(call, at);
                }
                Block::Other => {}
            }
        }
    }

    fn enter_call(&mut self, call: ToolUse, at: Option<&str>) {
        let start = self.calls.len();
        let entry = |kind, path| Call {
            tool: shortened(&call.tool),
            kind,
            path,
            at: at.map(shortened),
            result: Outcome::Unknown,
        };
        for (effect, path) in &call.targets {
            let kind = match effect {
                Effect::Writes => Kind::Write,
                Effect::WritesElsewhere => Kind::WriteElsewhere,
                Effect::Removes => Kind::MayWrite,
            };
            self.calls.push(entry(kind, Some(shortened(path))));
        }
        if call.targets.is_empty() {
            let is_reader = self.forms.iter().any(|form| form.only_reads(&call.tool));
            let kind = if is_reader {
                Kind::Other
            } else {
                Kind::MayWrite
            };
            self.calls.push(entry(kind, None));
        }
        if let Some(id) = call.id {
            self.open.insert(id, start..self.calls.len());
        }
    }

    fn close(&mut self, result: &ToolResult, at: Option<&str>) {
        let calls = self.open.remove(&result.id).unwrap_or_default();
        for call in self.calls.get_mut(calls).into_iter().flatten() {
            call.result = match result.success {
                Some(true) => Outcome::Ok,
                Some(false) => Outcome::Error,
                None => Outcome::Unknown,
            };
            call.at = at.map(shortened).or(call.at.take());
        }
    }
}

/// No real name is as long; the start of one is no longer a name of anything.
fn shortened(name: &str) -> String {
    name.get(..LONGEST_NAME.min(name.len()))
        .unwrap_or_default()
        .to_owned()
}
