//! A session that a host has kept, read long after it: what its agent reported, which files its tools were asked to
//! write, and whether it did anything that may have written others.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use attest_json::{self as json, Object};

use crate::forward::{ForwardLines, Next};
use crate::record::{Block, Effect, Event, Reply, ToolResult, ToolUse};
use crate::shell::looks;
use crate::{Forms, TranscriptError, open};

/// Files that are kept of one session.
const MAX_TOUCHED: usize = 50_000;
/// Reports that are kept of one session.
const MAX_REPORTS: usize = 10_000;
/// Characters of a command that is shown.
const MAX_SHOWN: usize = 60;
/// The tools of hosts that run a shell command.
const SHELLS: [&str; 9] = [
    "Bash",
    "Execute",
    "bash",
    "container.exec",
    "exec_command",
    "local_shell",
    "run_shell_command",
    "shell",
    "shell_command",
];
/// Where they put the command.
const COMMANDS: [&str; 2] = ["command", "cmd"];

/// What a transcript shows of its agent. `T` is what a report was read as.
#[derive(Debug)]
pub struct Kept<T> {
    /// When the first line with a time was written, in the host's format.
    pub began: Option<String>,
    /// When each final message was written, which is what was said last before a prompt, or at the end.
    pub messages: Vec<Option<String>>,
    /// Those of them that claim something, in order.
    pub reports: Vec<Report<T>>,
    /// Files that tools were asked to write or to remove, and did not refuse to.
    pub touched: Vec<String>,
    /// The first thing that may have written any other file.
    pub unseen: Option<Unseen>,
    /// Why not every line was read.
    pub gap: Option<&'static str>,
}

/// A final message.
#[derive(Debug)]
pub struct Report<T> {
    /// What it was read as.
    pub claim: T,
    /// When it was written, in the host's format.
    pub at: Option<String>,
    /// Its line in the transcript, from 1.
    pub line: u64,
    /// Whether it is the last final message so far.
    pub is_last: bool,
}

/// What an agent did that may have written any file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unseen {
    /// It ran a command that does more than look.
    Command(String),
    /// It called a tool of a server.
    Server(String),
    /// It called another agent, or a tool that is not known.
    Tool(String),
    /// What it did before a summary is not in the transcript.
    Before,
    /// The person ran a command in the session.
    Person,
}

impl fmt::Display for Unseen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => {
                write!(out, "it ran a command that may have made it: {command}")
            }
            Self::Server(tool) => {
                write!(
                    out,
                    "it called {tool}, a tool of a server, which may have made it"
                )
            }
            Self::Tool(tool) => write!(out, "it called {tool}, which may have made it"),
            Self::Person => {
                out.write_str("a person ran a command in its session, which may have made it")
            }
            Self::Before => out.write_str("its transcript begins with a summary"),
        }
    }
}

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That of the agent whose transcript it is.
    Own,
    /// That of another agent, which the host has put into the same file: its files count, its reports do not.
    Others,
}

/// Reads the transcript at `path`. `look` is shown every line, and says whose it is; `claim` reads a final message,
/// and may say that it claims nothing.
pub fn read_kept<T>(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
    look: &mut dyn FnMut(&Object<'_>) -> Whose,
    claim: &dyn Fn(&str) -> Option<T>,
) -> Result<Kept<T>, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = open::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    let mut reader = Reader::new(forms, claim);
    loop {
        reader.line += 1;
        match lines.next(deadline).map_err(unreadable)? {
            Next::Line(line) => reader.add_line(line, look),
            Next::TooLong => reader.miss("a line is too long"),
            Next::End { torn: false } => return Ok(reader.finish()),
            Next::End { torn: true } => {
                reader.miss("its last line has no end");
                return Ok(reader.finish());
            }
            Next::Over => {
                reader.miss("that would have taken too long");
                return Ok(reader.finish());
            }
        }
    }
}

/// What was said last.
struct Said {
    text: String,
    at: Option<String>,
    line: u64,
}

struct Reader<'r, T> {
    forms: Forms<'r>,
    claim: &'r dyn Fn(&str) -> Option<T>,
    line: u64,
    began: Option<String>,
    last: Option<Said>,
    /// The reply that calls a tool, and so ends nothing.
    calling: Option<String>,
    has_replied: bool,
    messages: Vec<Option<String>>,
    reports: Vec<Report<T>>,
    /// Each file, and whether the tool refused.
    touched: Vec<(String, bool)>,
    /// The calls without a result so far, by id.
    open: HashMap<String, Range<usize>>,
    unseen: Option<Unseen>,
    gap: Option<&'static str>,
}

impl<'r, T> Reader<'r, T> {
    fn new(forms: Forms<'r>, claim: &'r dyn Fn(&str) -> Option<T>) -> Self {
        Self {
            forms,
            claim,
            line: 0,
            began: None,
            last: None,
            calling: None,
            has_replied: false,
            messages: Vec::new(),
            reports: Vec::new(),
            touched: Vec::new(),
            open: HashMap::new(),
            unseen: None,
            gap: None,
        }
    }

    fn miss(&mut self, why: &'static str) {
        self.gap.get_or_insert(why);
    }

    fn add_line(&mut self, line: &[u8], look: &mut dyn FnMut(&Object<'_>) -> Whose) {
        let text = String::from_utf8_lossy(line);
        let Ok(line) = Object::parse(&text) else {
            if !text.trim().is_empty() {
                self.miss("a line is not understood");
            }
            return;
        };
        if self.began.is_none() {
            self.began = line.text("timestamp");
        }
        let whose = look(&line);
        if !self.has_replied && self.forms.iter().any(|form| form.is_summary(&line)) {
            self.unseen.get_or_insert(Unseen::Before);
        }
        if self.unseen.is_none() && self.forms.iter().any(|form| form.person_ran(&line)) {
            self.unseen = Some(Unseen::Person);
        }
        match self.forms.iter().find_map(|form| form.event(&line)) {
            Some(Event::Assistant(reply)) => {
                self.has_replied = true;
                self.add_reply(reply, &line, whose);
            }
            Some(Event::User(results)) => {
                if whose == Whose::Own {
                    self.end_turn(&line, &results);
                }
                for result in &results {
                    self.add_result(result);
                }
            }
            Some(Event::Other) | None => {}
        }
    }

    /// A prompt ends a turn. What a hook sends an agent back with takes its report away, and so does a result: the
    /// agent goes on.
    fn end_turn(&mut self, line: &Object<'_>, results: &[ToolResult]) {
        let is_sent_back = self.forms.iter().any(|form| form.sends_back(line));
        if is_sent_back || !results.is_empty() {
            self.last = None;
        } else {
            self.report();
        }
    }

    /// Takes what was said last as a final message.
    fn report(&mut self) {
        let Some(said) = self.last.take() else {
            return;
        };
        self.messages.push(said.at.clone());
        for report in &mut self.reports {
            report.is_last = false;
        }
        let Some(claim) = (self.claim)(&said.text) else {
            return;
        };
        if self.reports.len() >= MAX_REPORTS {
            return self.miss("it has too many reports");
        }
        self.reports.push(Report {
            claim,
            at: said.at,
            line: said.line,
            is_last: true,
        });
    }

    fn add_reply(&mut self, reply: Reply, line: &Object<'_>, whose: Whose) {
        let is_calling = reply.id.is_some() && reply.id == self.calling;
        let mut said = None;
        let mut calls_tool = is_calling;
        for block in reply.blocks {
            match block {
                Block::Text(text) => said = Some(text),
                Block::ToolUse(call) => {
                    calls_tool = true;
                    self.add_call(call);
                }
                Block::Other => {}
            }
        }
        if whose == Whose::Others {
            return;
        }
        if calls_tool || reply.synthetic {
            self.calling = reply.id;
            self.last = None;
        } else if let Some(text) = said.filter(|text| !text.trim().is_empty()) {
            self.last = Some(Said {
                text,
                at: line.text("timestamp"),
                line: self.line,
            });
        }
    }

    fn add_call(&mut self, call: ToolUse) {
        let start = self.touched.len();
        if call.targets.is_empty() {
            let unseen = self.unseen.is_none().then(|| self.unseen_by(&call));
            self.unseen = self.unseen.take().or(unseen.flatten());
        }
        let is_own = call
            .targets
            .iter()
            .all(|(effect, _)| *effect == Effect::Writes);
        for (_, path) in call.targets {
            if self.touched.len() >= MAX_TOUCHED {
                return self.miss("it wrote too many files");
            }
            self.touched.push((path, false));
        }
        // One that the host's own tool refused to write was not written. A server may have done it all the same.
        if let Some(id) = call.id.filter(|_| is_own) {
            self.open.insert(id, start..self.touched.len());
        }
    }

    /// What a call that names no file may have done.
    fn unseen_by(&self, call: &ToolUse) -> Option<Unseen> {
        if self.forms.iter().any(|form| form.only_reads(&call.tool)) {
            return None;
        }
        if call.tool.starts_with("mcp__") {
            return Some(Unseen::Server(shown(&call.tool)));
        }
        if !SHELLS.contains(&call.tool.as_str()) {
            return Some(Unseen::Tool(shown(&call.tool)));
        }
        let input = call.input.as_deref().unwrap_or_default();
        unseen_command(input)
    }

    fn add_result(&mut self, result: &ToolResult) {
        let calls = self.open.remove(&result.id).unwrap_or_default();
        let has_failed = result.success == Some(false);
        for (_, is_refused) in self.touched.get_mut(calls).into_iter().flatten() {
            *is_refused = has_failed;
        }
    }

    fn finish(mut self) -> Kept<T> {
        self.report();
        let done = self
            .touched
            .into_iter()
            .filter(|(_, is_refused)| !is_refused);
        Kept {
            began: self.began,
            messages: self.messages,
            reports: self.reports,
            touched: done.map(|(path, _)| path).collect(),
            unseen: self.unseen,
            gap: self.gap,
        }
    }
}

/// What the command in the input of a shell may have done. The input may be JSON in a string.
fn unseen_command(input: &str) -> Option<Unseen> {
    let unwrapped = json::text(input);
    let input = unwrapped.as_deref().unwrap_or(input);
    let command = Object::parse(input)
        .ok()
        .and_then(|input| COMMANDS.iter().find_map(|field| input.raw(field)));
    let Some(command) = command else {
        return Some(Unseen::Command(shown(input)));
    };
    if let Some(text) = json::text(command) {
        return (!looks::only_looks(&text)).then(|| Unseen::Command(shown(&text)));
    }
    let words = json::array(command).unwrap_or_default();
    let words: Option<Vec<_>> = words.into_iter().map(json::text).collect();
    match words {
        Some(words) if looks::words_only_look(&words) => None,
        Some(words) => Some(Unseen::Command(shown(&words.join(" ")))),
        None => Some(Unseen::Command(shown(command))),
    }
}

/// The beginning of a text, on one line.
fn shown(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = text.char_indices().nth(MAX_SHOWN) {
        text.truncate(at);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests;
