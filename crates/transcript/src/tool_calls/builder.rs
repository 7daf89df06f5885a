//! Calls and their results, matched while they are read.

use std::collections::HashMap;
use std::ops::Range;

use attest_evidence::{Doubt, Searched};
use attest_json::{self as json, Object};

use super::commands::Commands;
use super::{Call, Detail, Kind, LastEntry, Outcome, ToolCalls};
use crate::input;
use crate::places::{Place, Places, Unknown};
use crate::record::{self, Block, Effect, Event, Forms, Record, Reply, Shows, ToolResult, ToolUse};
use crate::server::{self, Says};
use crate::shell::Shell;

/// How many calls are kept. The longest agents seen make a few thousand.
const MAX_CALLS: usize = 50_000;
/// The longest tool name or path that is kept, in bytes.
const MAX_NAME_BYTES: usize = 8 * 1024;

/// How many places are kept in all.
const MAX_PLACES: usize = 50_000;

/// The tool calls read so far.
pub(super) struct ToolCallsBuilder<'f> {
    forms: Forms<'f>,
    calls: Vec<Call>,
    /// The calls that have no result yet, by id.
    open: HashMap<String, Range<usize>>,
    last: LastEntry,
    /// Why what was read so far is not all that the lines said.
    gap: Option<&'static str>,
    detail: Detail<'f>,
    shell: Shell,
    commands: Commands,
    /// How many places the calls name.
    places: usize,
}

impl<'f> ToolCallsBuilder<'f> {
    pub(super) fn new(forms: Forms<'f>, detail: Detail<'f>) -> Self {
        Self {
            forms,
            calls: Vec::new(),
            open: HashMap::new(),
            last: LastEntry::default(),
            gap: None,
            detail,
            shell: Shell::default(),
            commands: detail
                .own_checks()
                .map_or_else(Commands::default, Commands::with),
            places: 0,
        }
    }

    /// A line was not read, and may have contained a call.
    pub(super) fn skip_line(&mut self, why: &'static str) {
        self.gap.get_or_insert(why);
    }

    pub(super) fn is_full(&self) -> bool {
        self.calls.len() >= MAX_CALLS
    }

    /// The calls so far. `unfinished` says why there is more to read.
    pub(super) fn build(&self, unfinished: Option<&'static str>) -> ToolCalls {
        let gap = match self.gap.or(unfinished) {
            _ if self.is_full() => Some(Doubt::TooMany {
                most: MAX_CALLS as u64,
                what: "tool calls",
            }),
            why => why.map(|why| {
                Doubt::UnknownPlace(format!("the transcript was not read in full, {why}"))
            }),
        };
        ToolCalls {
            calls: self.calls.clone(),
            is_whole: gap.is_none(),
            own_checks: self.detail.own_checks().cloned(),
            gap,
            last: self.last.clone(),
        }
    }

    /// Reads the next line.
    pub(super) fn add_line(&mut self, line: &[u8]) {
        match record::decode(line, self.forms) {
            Some(record) => self.add(record),
            None if line.trim_ascii().is_empty() => {}
            None => self.skip_line("a line is not understood"),
        }
    }

    fn add(&mut self, record: Record) {
        match record.event {
            Event::Assistant(reply) => self.add_reply(reply, record.at.as_deref()),
            Event::User(results) => {
                self.last = LastEntry::NoReply;
                for result in results {
                    self.add_result(&result, record.at.as_deref());
                }
            }
            Event::Other => {}
        }
    }

    fn add_reply(&mut self, reply: Reply, at: Option<&str>) {
        for block in reply.blocks {
            match block {
                Block::Text(text) if reply.synthetic => self.last = LastEntry::HostError(text),
                Block::Text(text) => self.last = LastEntry::Text(text),
                Block::ToolUse(call) => {
                    self.last = LastEntry::NoReply;
                    self.add_call(call, at);
                }
                Block::Other => {}
            }
        }
    }

    fn add_call(&mut self, mut call: ToolUse, at: Option<&str>) {
        let input = call.input.take();
        let asked_id = call.id.clone();
        let start = self.calls.len();
        let entry = |kind, path: Option<String>, places: Searched<Vec<Place>>| Call {
            tool: shortened(&call.tool),
            kind,
            shows: path
                .clone()
                .map(Shows::File)
                .filter(|_| kind == Kind::Write),
            path,
            places,
            at: at.map(shortened),
            result: Outcome::Unknown,
            ran: None,
        };
        for (effect, path) in &call.targets {
            let kind = match effect {
                Effect::Writes => Kind::Write,
                Effect::WritesElsewhere => Kind::WriteElsewhere,
                Effect::Removes => Kind::MayWrite,
            };
            self.calls
                .push(entry(kind, Some(shortened(path)), Searched::default()));
        }
        if call.targets.is_empty() {
            let is_read_only = self.forms.iter().any(|form| form.only_reads(&call.tool));
            let (kind, places) = match server::says(&call.tool) {
                _ if is_read_only => (Kind::Other, Searched::default()),
                Some(Says::NoFiles) => (Kind::NoFile, Searched::default()),
                Some(Says::Writes) => (Kind::MayWrite, nowhere(Unknown::Server, &call.tool)),
                None => (Kind::MayWrite, self.places(&call.tool, input.as_deref())),
            };
            let shows = self.shows(&call.tool, input.as_deref());
            let mut call = Call {
                shows,
                ..entry(kind, None, places)
            };
            if self.detail.own_checks().is_some() {
                call.ran =
                    self.commands
                        .asked(&call.tool, input.as_deref(), is_read_only, asked_id);
            }
            self.calls.push(call);
        }
        if let Some(id) = call.id {
            self.open.insert(id, start..self.calls.len());
        }
    }

    /// What a call shows of files. Its input may be JSON in a string.
    fn shows(&self, tool: &str, input: Option<&str>) -> Option<Shows> {
        let input = input.unwrap_or("{}");
        let text = json::text(input);
        let input = Object::parse(text.as_deref().unwrap_or(input)).ok()?;
        self.forms.iter().find_map(|form| form.shows(tool, &input))
    }

    /// The places that an input names, if they are wanted and not too many in all.
    fn places(&mut self, tool: &str, input: Option<&str>) -> Searched<Vec<Place>> {
        let mut places = Places::default();
        if !self.detail.has_places() {
            places.stop(Doubt::UnknownPlace(
                "the places of calls were not read".to_owned(),
            ));
        } else if self.places >= MAX_PLACES {
            let (most, what) = (MAX_PLACES as u64, "places in all calls");
            places.stop(Doubt::TooMany { most, what });
        } else if let Some(input) = input {
            input::add(tool, input, &mut self.shell, &mut places);
        }
        let places = places.list();
        self.places += places.found().len();
        places
    }

    fn add_result(&mut self, result: &ToolResult, at: Option<&str>) {
        let calls = self.open.remove(&result.id).unwrap_or_default();
        for call in self.calls.get_mut(calls).into_iter().flatten() {
            call.result = match result.success {
                Some(true) => Outcome::Ok,
                Some(false) => Outcome::Error,
                None => Outcome::Unknown,
            };
            call.at = at.map(shortened).or(call.at.take());
            if call.ran.is_some() {
                let ran = self.commands.answered(result);
                call.ran = ran.or(call.ran.take());
            }
        }
    }
}

/// No real name is this long, and the start of one does not name anything.
fn shortened(name: &str) -> String {
    name.get(..MAX_NAME_BYTES.min(name.len()))
        .unwrap_or_default()
        .to_owned()
}

fn nowhere(why: Unknown, words: &str) -> Searched<Vec<Place>> {
    let mut places = Places::default();
    places.miss(why, words);
    places.list()
}
