//! All that one transcript says, read once and front to back.
//!
//! A host writes late, so that the end may be looked at again: what was appended meanwhile is added to the same value.

mod builder;
mod search;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use attest_evidence::Budget;
use attest_json::Object;
use attest_shell::checks::OwnChecks;

use crate::forward::{ForwardLines, Next};
use crate::{Forms, ToolCalls, TranscriptError, open};
use builder::Builder;
use search::Search;
pub use search::{Shown, Sought, SoughtFile, Source};

/// Pause between two looks at a file that is expected to grow.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// What a line costs, in bytes gone through, and how often its own are: as JSON, and by what is asked of it.
const LINE: usize = 256;
const READ: usize = 4;
/// Why a transcript is not read any further.
const TOO_MUCH: &str = "that would have been too much work";
/// The words in the names of tools that run a command.
const SHELLS: [&str; 6] = ["bash", "shell", "exec", "terminal", "command", "run_"];

/// What a transcript says.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// What the agent's tools did.
    pub tool_calls: ToolCalls,
    /// What it was asked, by whoever set it to work and by whoever spoke to it later, in order.
    pub prompts: Vec<Prompt>,
    /// When the first line with a time was written, in the host's format.
    pub began: Option<String>,
    /// The id of the first record that has one. A copy of the transcript keeps it.
    pub first_record: Option<String>,
    /// Why not all of it was read.
    pub gap: Option<&'static str>,
    /// When a hook sent the agent back, the last time: all that stands before that is there.
    pub sent_back_at: Option<String>,
    /// Whether it begins with a copy of another one.
    pub is_fork: bool,
    /// What the agent has said at greatest length: so many bytes, in this line.
    pub longest: (usize, u64),
    /// What was said last before each prompt.
    ended: Vec<Said>,
    /// What was said last so far, if nothing followed it.
    last: Option<Said>,
    /// Whether it begins with a summary of what is not in it.
    pub(crate) begins_with_summary: bool,
    /// How many calls there were when the person ran a command in the session, for the first time.
    pub(crate) person_ran: Option<usize>,
    offered: BTreeSet<String>,
    running: BTreeMap<String, LeftRunning>,
    ended_tasks: BTreeSet<String>,
    search: Search,
}

/// What an agent was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The words.
    pub text: String,
    /// When, in the host's format.
    pub at: Option<String>,
    /// Whether it is what the agent began with.
    pub is_first: bool,
}

/// What was said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// When, in the host's format.
    pub at: Option<String>,
    /// Its line in the transcript, from 1.
    pub line: u64,
}

/// A command that was left running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRunning {
    /// The host's name for it, if it has given one.
    pub task: Option<String>,
    /// The command.
    pub command: String,
}

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That of the agent whose transcript it is.
    Own,
    /// That of another agent, which the host has put into the same file: its files count, its reports do not.
    Others,
}

impl Session {
    /// Reads the transcript at `path` as far as it is written now, within the budget. `look` is shown every line, and
    /// says whose it is.
    pub fn read(
        path: &Path,
        forms: Forms<'_>,
        budget: &Budget,
        look: &mut dyn FnMut(&Object<'_>) -> Whose,
    ) -> Result<Self, TranscriptError> {
        let sought = Sought {
            budget: budget.clone(),
            ..Sought::default()
        };
        let mut file = SessionFile::open(path, forms, sought, OwnChecks::default())?;
        file.read_on(look)?;
        Ok(Rc::unwrap_or_clone(file.builder.session))
    }

    /// Whether nothing is missing of what was written so far.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.tool_calls.is_whole
    }

    /// The words that the agent began with; `None` if it began with others, or if the form does not tell.
    #[must_use]
    pub fn first_prompt(&self) -> Option<&str> {
        let first = self.prompts.first().filter(|prompt| prompt.is_first)?;
        Some(&first.text)
    }

    /// Whether the person has run a command in the session.
    #[must_use]
    pub fn has_person_run(&self) -> bool {
        self.person_ran.is_some()
    }

    /// Whether the first prompt is all that the agent was asked. One that is asked more may have been told to leave
    /// something out.
    #[must_use]
    pub fn has_one_prompt(&self) -> bool {
        self.is_whole() && self.prompts.len() == 1
    }

    /// The final messages, each of which is what was said last before a prompt, or at the end.
    pub fn final_messages(&self) -> impl DoubleEndedIterator<Item = &Said> {
        self.ended.iter().chain(&self.last)
    }

    /// Whether the transcript shows that none of the tools which the agent is offered can write. One that names no
    /// tools shows nothing, and a tool that is not known may write.
    #[must_use]
    pub fn offers_no_writer(&self, forms: Forms<'_>) -> bool {
        let only_reads = |tool: &String| forms.iter().any(|form| form.tools().only_reads(tool));
        self.is_whole() && !self.offered.is_empty() && self.offered.iter().all(only_reads)
    }

    /// Whether the agent may be able to run a command: the transcript offers it a tool that does, or names no tools.
    #[must_use]
    pub fn may_run_commands(&self) -> bool {
        let runs = |tool: &String| {
            let tool = tool.to_lowercase();
            SHELLS.iter().any(|word| tool.contains(word))
        };
        self.offered.is_empty() || self.offered.iter().any(runs)
    }

    /// The commands that the agent began in the background, and whose end the transcript does not have. `None` if not
    /// all of the transcript could be read.
    #[must_use]
    pub fn left_running(&self) -> Option<Vec<LeftRunning>> {
        let has_ended = |it: &&LeftRunning| {
            let task = it.task.as_ref();
            task.is_none_or(|task| !self.ended_tasks.contains(task))
        };
        let running = self.running.values().filter(has_ended);
        self.is_whole().then(|| running.cloned().collect())
    }

    /// Whether the transcript shows a text that was looked for.
    #[must_use]
    pub fn shown(&self, text: &str, source: Source) -> Shown {
        self.search.shown(text, source, self.is_whole())
    }

    /// Whether the agent was given something of a file that was looked for: the result of a tool names it, an
    /// attachment or a summary does, or the words of a prompt have lines of it. A transcript that was not read to its
    /// end may show it.
    #[must_use]
    pub fn is_given(&self, file: &str) -> bool {
        !self.is_whole() || self.search.is_given(file)
    }
}

/// A transcript that is open, with what was read of it.
pub struct SessionFile<'f> {
    path: PathBuf,
    lines: ForwardLines<File>,
    builder: Builder<'f>,
    budget: Budget,
}

impl<'f> SessionFile<'f> {
    /// Opens the transcript at `path`, whose lines are in one of `forms`. Waits for nothing: a pipe, a folder or a
    /// device is an error.
    pub fn open(
        path: &Path,
        forms: Forms<'f>,
        sought: Sought,
        own_checks: OwnChecks,
    ) -> Result<Self, TranscriptError> {
        let (file, _) = open::regular_file(path)?;
        Ok(Self {
            path: path.to_owned(),
            lines: ForwardLines::new(file),
            budget: sought.budget.clone(),
            builder: Builder::new(forms, sought, own_checks),
        })
    }

    /// Reads the lines of one agent alone, in a file that it shares with others.
    #[must_use]
    pub fn of_agent(mut self, agent: Option<String>) -> Self {
        self.builder.of = agent;
        self
    }

    /// The same as [`Self::open`], for as long as it takes until the host has written one.
    pub fn open_until(
        path: &Path,
        forms: Forms<'f>,
        (sought, own_checks): (Sought, OwnChecks),
        give_up: Instant,
    ) -> Result<Self, TranscriptError> {
        loop {
            match Self::open(path, forms, sought.clone(), own_checks.clone()) {
                Err(error) if error.is_transient() && Instant::now() < give_up => {
                    thread::sleep(POLL_INTERVAL);
                }
                result => return result,
            }
        }
    }

    /// What was read so far.
    #[must_use]
    pub fn session(&self) -> &Rc<Session> {
        &self.builder.session
    }

    /// Reads up to the current end of the file. Whether there was anything new.
    pub fn read_on(
        &mut self,
        look: &mut dyn FnMut(&Object<'_>) -> Whose,
    ) -> Result<bool, TranscriptError> {
        let mut is_new = false;
        let unfinished = loop {
            let next = self.lines.next(&self.budget);
            match next.map_err(TranscriptError::unreadable(&self.path))? {
                Next::Line(line) if self.budget.take(LINE + READ * line.len()).is_err() => {
                    self.builder.miss(TOO_MUCH);
                    break Some(TOO_MUCH);
                }
                Next::Line(line) => self.builder.add_line(line, look),
                Next::TooLong => self.builder.miss("a line is too long"),
                Next::End { torn } => break torn.then_some("its last line has no end"),
                Next::Spent => break Some(TOO_MUCH),
                Next::Over => break Some("that would have taken too long"),
            }
            is_new = true;
            if self.builder.is_full() {
                break None;
            }
        };
        Ok(self.builder.pause(unfinished) || is_new)
    }

    /// Looks at the end of the file until something new is there, which it says, or the time to wait is over.
    pub fn wait_for_more(&mut self, give_up: Instant) -> Result<bool, TranscriptError> {
        loop {
            let now = Instant::now();
            if now >= give_up || self.budget.is_over() || self.builder.is_full() {
                return Ok(false);
            }
            thread::sleep(POLL_INTERVAL.min(give_up - now));
            if self.read_on(&mut |_| Whose::Own)? {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests;
