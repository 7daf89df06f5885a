//! A session, line by line.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use attest_json::Object;
use attest_shell::checks::OwnChecks;

use super::search::{Search, Sought};
use super::{LeftRunning, Prompt, Said, Session, Whose};
use crate::ToolCalls;
use crate::call::{Call, CallKind, Outcome};
use crate::input::given;
use crate::printed::Printed;
use crate::record::{
    self, Background, Block, ByPerson, Effect, Event, Forms, Line, Reply, Shows, ToolResult,
    ToolUse,
};
use crate::server::{self, Says};
use crate::tool_calls::{LastEntry, MAX_CALLS};

/// The longest tool name or path that is kept, in bytes.
const MAX_NAME_BYTES: usize = 8 * 1024;
/// Bytes that are kept of what calls are given.
const MAX_INPUT_BYTES: usize = 16 * 1024 * 1024;
/// Bytes that are kept of what files are given.
const MAX_CONTENT_BYTES: usize = 4 * 1024 * 1024;
/// Bytes that are kept of prompts and of final messages, and what each counts as beside its own: all are asked of each
/// file.
const MAX_SAID_BYTES: usize = 32 * 1024 * 1024;
const EACH_SAID: usize = 1024;
/// Names that are kept: of tools, and of commands in the background.
const MAX_NAMES: usize = 10_000;
/// How Claude Code begins what it says in the place of a file, as of a part behind its end.
const NOTE: &str = "<system-reminder>";
/// Lines among which a transcript has the first prompt.
const MAX_LINES_TO_PROMPT: u64 = 100;
/// What git prints of a push that did not happen. A command that was stopped may have pushed.
const REFUSALS: [&str; 2] = ["failed to push some refs", "fatal: "];
/// How Claude Code begins the answer to a call that the person, the settings or a hook did not allow.
const NOT_ALLOWED: [&str; 6] = [
    "The user doesn't want to ",
    "Claude requested permissions to ",
    "This command requires approval",
    "Permission to use ",
    "Permission for this ",
    "PreToolUse:",
];

pub(super) struct Builder<'f> {
    forms: Forms<'f>,
    /// The agent whose lines alone are read, in a file that it shares with others.
    pub(super) of: Option<String>,
    pub(super) session: Rc<Session>,
    /// Why what was read so far is not all that the lines said.
    gap: Option<&'static str>,
    /// The calls that have no result yet, by id.
    open: HashMap<String, Range<usize>>,
    /// The line that is read, from 1.
    line: u64,
    has_replied: bool,
    /// The reply that calls a tool, and so ends nothing.
    calling: Option<String>,
    /// The first folder that a line has, and that of the line which is read.
    folders: (Option<String>, Option<String>),
    /// Bytes that are kept.
    of_inputs: usize,
    of_contents: usize,
    of_texts: usize,
}

impl<'f> Builder<'f> {
    pub(super) fn new(forms: Forms<'f>, sought: Sought, own_checks: OwnChecks) -> Self {
        let session = Session {
            tool_calls: ToolCalls::with(own_checks),
            search: Search::of(sought),
            ..Session::default()
        };
        Self {
            forms,
            of: None,
            session: Rc::new(session),
            gap: None,
            open: HashMap::new(),
            line: 0,
            has_replied: false,
            calling: None,
            folders: (None, None),
            of_inputs: 0,
            of_contents: 0,
            of_texts: 0,
        }
    }

    /// What is changed of the session: who has it so far keeps it as it was.
    fn session(&mut self) -> &mut Session {
        Rc::make_mut(&mut self.session)
    }

    /// Something was not read, and may have been a call.
    pub(super) fn miss(&mut self, why: &'static str) {
        self.line += 1;
        self.gap.get_or_insert(why);
    }

    pub(super) fn is_full(&self) -> bool {
        self.session.tool_calls.calls.len() >= MAX_CALLS
    }

    /// All lines so far were read. `unfinished` says why there is more to read. Whether that changes anything.
    pub(super) fn pause(&mut self, unfinished: Option<&'static str>) -> bool {
        let gap = self.gap.or(unfinished);
        let is_full = self.is_full();
        let session = self.session();
        session.gap = gap.or(is_full.then_some("it made too many calls"));
        session.tool_calls.pause(gap, is_full)
    }

    /// Reads the next line.
    pub(super) fn add_line(&mut self, bytes: &[u8], look: &mut dyn FnMut(&Object<'_>) -> Whose) {
        let text = attest_json::lossy(bytes);
        let Ok(object) = Object::parse(&text) else {
            self.line += 1;
            if !bytes.trim_ascii().is_empty() {
                self.gap.get_or_insert("a line is not understood");
            }
            return;
        };
        self.line += 1;
        if !self.is_wanted(&object) {
            return;
        }
        let at = object.text("timestamp");
        let whose = look(&object);
        let line = record::read(&object, self.forms);
        self.folders.1 = object.text("cwd").map(|folder| shortened(&folder));
        self.folders.0 = self.folders.0.take().or_else(|| self.folders.1.clone());
        self.begin(&object, at.as_deref());
        self.session().is_fork |= line.forks;
        self.session().search.add(&text, &line);
        self.add_beside(&line);
        match line.event {
            Event::Assistant(reply) => {
                self.has_replied = true;
                self.add_reply(reply, at.as_deref(), whose);
            }
            Event::User(results) => {
                self.session().tool_calls.last = if line.interrupts {
                    LastEntry::Interrupted
                } else {
                    LastEntry::NoReply
                };
                if line.sends_back {
                    self.session().sent_back_at.clone_from(&at);
                }
                if whose == Whose::Own {
                    self.end_turn(line.sends_back || !results.is_empty());
                }
                for result in &results {
                    self.add_result(result, &text, at.as_deref());
                }
            }
            Event::Other => {}
        }
        if let Some(text) = line.asked {
            let is_first = !self.has_replied && self.line <= MAX_LINES_TO_PROMPT;
            if self.may_keep(text.len()) {
                let prompts = &mut self.session().prompts;
                let is_first = is_first && prompts.is_empty();
                prompts.push(Prompt { text, at, is_first });
            }
        }
    }

    fn is_wanted(&self, line: &Object<'_>) -> bool {
        self.of.as_ref().is_none_or(|of| {
            let mut agents = self.forms.iter().filter_map(|form| form.agent_of(line));
            agents.any(|agent| agent == *of)
        })
    }

    /// What is taken from the first line that has it.
    fn begin(&mut self, line: &Object<'_>, at: Option<&str>) {
        if self.session.began.is_none() && at.is_some() {
            self.session().began = at.map(str::to_owned);
        }
        if self.session.first_record.is_none() {
            let mut fields = self.forms.iter().filter_map(|form| form.record_id());
            self.session().first_record = fields.find_map(|field| line.text(field));
        }
    }

    /// What a line says beside the conversation.
    fn add_beside(&mut self, line: &Line) {
        let has_replied = self.has_replied;
        let is_calm = line.offered.is_empty() && line.background.is_empty();
        if is_calm && !line.is_summary && line.person_ran.is_none() {
            return;
        }
        let session = self.session();
        if line.person_ran.is_some() {
            let calls = &mut session.tool_calls;
            calls.person_ran_behind = Some(calls.calls.len());
        }
        session.begins_with_summary |= line.is_summary && !has_replied;
        if line.person_ran == Some(ByPerson::Command) {
            let calls = session.tool_calls.calls.len();
            session.person_ran.get_or_insert(calls);
        }
        session.offered.extend(line.offered.iter().cloned());
        for said in &line.background {
            match said.clone() {
                Background::Asked { call, command } => {
                    let task = None;
                    session.running.insert(call, LeftRunning { task, command });
                }
                Background::Answered { call, task: None } => {
                    session.running.remove(&call);
                }
                Background::Answered { call, task } => {
                    if let Some(known) = session.running.get_mut(&call) {
                        known.task = task;
                    }
                }
                Background::Ended { task } => {
                    session.ended_tasks.insert(task);
                }
            }
        }
        let names = session.offered.len() + session.running.len() + session.ended_tasks.len();
        if names > MAX_NAMES {
            self.gap.get_or_insert("it names too many tools and tasks");
            let session = self.session();
            session.running.clear();
            session.ended_tasks.clear();
        }
    }

    /// A prompt ends a turn. What a hook sends an agent back with takes its report away, and so does a result: the
    /// agent goes on.
    fn end_turn(&mut self, goes_on: bool) {
        if self.session.last.is_some() {
            let session = self.session();
            let last = session.last.take();
            session.ended.extend(last.filter(|_| !goes_on));
        }
    }

    fn add_reply(&mut self, reply: Reply, at: Option<&str>, whose: Whose) {
        let mut calls_tool = reply.id.is_some() && reply.id == self.calling;
        let mut said = None;
        for block in reply.blocks {
            match block {
                Block::Text(text) => {
                    let spoken = (text.len(), self.line);
                    if whose == Whose::Own && !reply.synthetic && spoken.0 > self.session.longest.0
                    {
                        self.session().longest = spoken;
                    }
                    self.session().tool_calls.last = if reply.synthetic {
                        LastEntry::HostError(text.clone())
                    } else {
                        LastEntry::Text(text.clone())
                    };
                    said = Some(text);
                }
                Block::ToolUse(call) => {
                    calls_tool = true;
                    self.session().tool_calls.last = LastEntry::NoReply;
                    self.add_call(call, at);
                }
                Block::Other => {}
            }
        }
        if whose == Whose::Others {
            return;
        }
        if calls_tool || reply.synthetic {
            self.calling = reply.id;
            self.session().last = None;
        } else if let Some(text) = said.filter(|text| !text.trim().is_empty())
            && self.may_keep(text.len())
        {
            let (at, line) = (at.map(str::to_owned), self.line);
            self.session().last = Some(Said { text, at, line });
        }
    }

    /// Whether a text of this length is kept. If not, the transcript is not whole.
    fn may_keep(&mut self, bytes: usize) -> bool {
        self.of_texts = self.of_texts.saturating_add(EACH_SAID + bytes);
        let is_kept = self.of_texts <= MAX_SAID_BYTES;
        if !is_kept {
            self.gap.get_or_insert("it says too much");
        }
        is_kept
    }

    fn add_call(&mut self, call: ToolUse, at: Option<&str>) {
        let begin = self.session.tool_calls.calls.len();
        let mut entry = Call {
            tool: shortened(&call.tool),
            at: at.map(shortened),
            folder: self.folders.1.clone().filter(|_| self.has_moved()),
            ..Call::default()
        };
        if call.targets.is_empty() {
            entry.kind = self.kind_of(&call.tool);
            entry.shows = self.shows(&call.tool, call.input.as_deref());
            if entry.kind == CallKind::MayWrite
                && let Some(input) = call.input
            {
                self.of_inputs = self.of_inputs.saturating_add(input.len());
                entry.is_cut = self.of_inputs > MAX_INPUT_BYTES;
                entry.input = Some(input).filter(|_| !entry.is_cut);
            }
            self.session().tool_calls.calls.push(entry);
        } else {
            entry.content = call.content.filter(|content| {
                let held = self.of_contents + content.len();
                let is_kept = held <= MAX_CONTENT_BYTES;
                self.of_contents = if is_kept { held } else { self.of_contents };
                is_kept
            });
            for (effect, path) in &call.targets {
                let path = shortened(path);
                let kind = match effect {
                    Effect::Writes => CallKind::Write,
                    Effect::WritesElsewhere => CallKind::WriteElsewhere,
                    Effect::Removes => CallKind::MayWrite,
                };
                let shows = (kind == CallKind::Write).then(|| Shows::File(path.clone()));
                self.session().tool_calls.calls.push(Call {
                    kind,
                    path: Some(path),
                    shows,
                    ..entry.clone()
                });
            }
        }
        if let Some(id) = call.id {
            let end = self.session.tool_calls.calls.len();
            self.open.insert(id, begin..end);
        }
    }

    /// Whether the line was written in another folder than the first one.
    fn has_moved(&self) -> bool {
        self.folders.0 != self.folders.1
    }

    /// What a tool may do that is given no file to write.
    fn kind_of(&self, tool: &str) -> CallKind {
        if self.forms.iter().any(|form| form.tools().only_reads(tool)) {
            return CallKind::Other;
        }
        match server::says(tool) {
            Some(Says::NoFiles) => CallKind::NoFile,
            Some(Says::Writes) | None => CallKind::MayWrite,
        }
    }

    /// What a call shows of files.
    fn shows(&self, tool: &str, input: Option<&str>) -> Option<Shows> {
        let mut forms = self.forms.iter();
        given(input.unwrap_or("{}"), |input| {
            forms.find_map(|form| form.tools().shows(tool, input))
        })?
    }

    fn add_result(&mut self, result: &ToolResult, line: &str, at: Option<&str>) {
        let Some(calls) = self.open.remove(&result.id) else {
            return;
        };
        let calls = self.session().tool_calls.calls.get_mut(calls);
        for call in calls.into_iter().flatten() {
            // That of a command which failed may be a success of its tool.
            let has_failed = call.kind == CallKind::MayWrite && result.exit.unwrap_or(0) != 0;
            call.result = match result.success {
                _ if has_failed => Outcome::Error,
                Some(true) => Outcome::Ok,
                Some(false) => Outcome::Error,
                None => Outcome::Unknown,
            };
            call.at = at.map(shortened).or(call.at.take());
            call.is_refused = call.result == Outcome::Error && is_refused(line);
            let begins = |it: &Printed| NOT_ALLOWED.iter().any(|text| it.first.starts_with(text));
            call.is_rejected = call.result == Outcome::Error
                && result.exit.is_none()
                && result.printed.as_ref().is_some_and(begins);
            if call.path.is_none() {
                call.exit = result.exit;
                call.printed.clone_from(&result.printed);
                let is_note = |it: &Printed| it.first.starts_with(NOTE);
                let is_noted = result.printed.as_ref().is_some_and(is_note);
                if is_noted && matches!(call.shows, Some(Shows::File(_))) {
                    // It may have been shown, as one may by a search.
                    call.shows = Some(Shows::Folder);
                }
            }
        }
    }
}

/// Whether git says in the line that it did not push.
fn is_refused(line: &str) -> bool {
    REFUSALS.iter().any(|refusal| line.contains(refusal))
}

/// No real name is this long, and the start of one does not name anything.
fn shortened(name: &str) -> String {
    name.get(..MAX_NAME_BYTES.min(name.len()))
        .unwrap_or_default()
        .to_owned()
}
