//! What a session shows that a host has kept, read long after it: which files its tools were asked to write, and
//! whether it did anything that may have written others.

use std::fmt;

use attest_shell::looks;
use attest_shell::text::{beginning, is_one_of};

use crate::call::{Call, CallKind, Outcome};
use crate::deeds::command_of;
use crate::session::Session;

/// Characters of a command that is shown.
const MAX_SHOWN: usize = 60;
/// The tools of hosts that run a shell command.
const SHELLS: &str = "Bash Execute bash container.exec exec_command local_shell run_shell_command shell \
    shell_command";

/// What an agent did that may have written any file. Of a shell command the places that it names are known, or why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unseen {
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

impl Session {
    /// The files that tools were asked to write or to remove, and did not refuse to. A server may have done it all the
    /// same.
    pub fn touched(&self) -> impl Iterator<Item = &str> {
        let calls = self.tool_calls.calls.iter();
        let done =
            calls.filter(|call| call.kind != CallKind::Write || call.result != Outcome::Error);
        done.filter_map(|call| call.path.as_deref())
    }

    /// The first thing that may have written any other file.
    #[must_use]
    pub fn unseen(&self) -> Option<Unseen> {
        if self.begins_with_summary {
            return Some(Unseen::Before);
        }
        let calls = &self.tool_calls.calls;
        let by_person = self.person_ran.unwrap_or(calls.len());
        let mut before = calls.iter().take(by_person);
        let seen = before.find_map(unseen_by);
        seen.or(self.person_ran.map(|_| Unseen::Person))
    }

    /// The first command that ran a program which may have left files that no words name, and is no usual check.
    #[must_use]
    pub fn unread(&self) -> Option<String> {
        let calls = self.tool_calls.calls.iter();
        let ran = calls.filter(|call| call.path.is_none() && call.kind == CallKind::MayWrite);
        let mut unread = ran
            .filter_map(command_of)
            .filter(|command| !looks::only_writes_named(command));
        unread.next().map(|command| beginning(&command, MAX_SHOWN))
    }
}

/// What a call that names no file may have done.
fn unseen_by(call: &Call) -> Option<Unseen> {
    if call.path.is_some() || call.kind == CallKind::Other {
        return None;
    }
    if call.tool.starts_with("mcp__") {
        return Some(Unseen::Server(beginning(&call.tool, MAX_SHOWN)));
    }
    let is_shell = is_one_of(SHELLS, &call.tool);
    let is_known = is_shell && command_of(call).is_some();
    (!is_known).then(|| Unseen::Tool(beginning(&call.tool, MAX_SHOWN)))
}

#[cfg(test)]
mod tests;
