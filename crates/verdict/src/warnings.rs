//! What a transcript shows and a work tree cannot: for people and for the parent agent, never a
//! reason to block.
//!
//! Everything here is a function of the report, the tool calls and, for a path, whether anything
//! of it is left. A doubt is silence: a tool that is not known may have written, a transcript with
//! a hole may lack the very call that is missed.

mod testimony;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use attest_claim::{
    Assertion, Claim, Entry, Kind, Meaning, Operation, Status, Target, tells_of_change,
    tells_of_changed_file, tells_of_work,
};
use attest_transcript::{Call, CallKind, Outcome, ToolCalls};

use crate::said_gone::SaidGone;
use crate::{Again, ClaimFinding, Gone, Lost, Was, quoted, statement};
pub(crate) use testimony::Testimonies;
use testimony::{Settled, same_file};

/// Words by which a report may tell itself of a call that failed, say that nothing was to be written, or give the text itself.
const OF_FAILURE: [&str; 19] = [
    "below",
    "denied",
    "draft",
    "earlier",
    "here is",
    "read-only",
    "suggest",
    "fail",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "unable",
    "already",
    "did not",
    "didn't",
    "was not",
    "wasn't",
    "no change",
];
/// Lost writes that are named at most.
const MOST_PATHS: usize = 20;

/// One thing that does not fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// The newest word is the host's own error message.
    HostError,
    /// A report of work without a single tool call.
    NoToolCall,
    /// A report that files are done, and no call that may have written any.
    NoWrite,
    /// A report that something was changed, where each call that was to write a file failed and nothing else may have.
    WritesFailed,
    /// The message says of a file that it was changed, and that was not seen; or something else that is untrue.
    Said(ClaimFinding),
    /// The agent was sent back for the file, which it goes on to claim, and which is still not there.
    Again(Again),
    /// A tool reported that it wrote a file, and nothing of it is left.
    LostWrite {
        /// The file, as it is reported.
        path: String,
        /// What is known of that.
        lost: Lost,
    },
}

impl Warning {
    /// Whether it is about the claimed path.
    pub(crate) fn names(&self, claimed: &str) -> bool {
        matches!(self, Self::LostWrite { path, .. } if same_file(path, claimed))
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostError => {
                out.write_str("the agent ended in an error message of the host, not in a report")
            }
            Self::NoToolCall => out.write_str(
                "the report says that work is done, and the agent made no tool call at all",
            ),
            Self::NoWrite => out.write_str(
                "the report tells of finished files, and no tool call that writes was made",
            ),
            Self::WritesFailed => out.write_str(
                "the report says that work is done, and each tool call that was to write a file failed",
            ),
            Self::Said(found) if found.kind == Kind::Files => {
                write!(out, "the message tells of {}", statement(found))
            }
            Self::Said(found) => write!(out, "the message says {}", statement(found)),
            Self::Again(again) => again.fmt(out),
            Self::LostWrite { path, lost } => write!(out, "{} {lost}", quoted(path)),
        }
    }
}

/// Paths that were written and of which nothing is left, as the calls name them, and what may have removed each.
pub type LostWrites = BTreeMap<String, Option<Gone>>;

/// What an agent said, next to what its tools did.
#[derive(Debug, Clone, Copy)]
pub struct Account<'a> {
    /// The final message.
    pub message: &'a str,
    /// What it claims.
    pub claim: &'a Claim,
    /// The tool calls.
    pub tool_calls: &'a ToolCalls,
    /// Whether the agent may be able to write files at all.
    pub may_write: bool,
}

/// What an agent's tools did, with what has to be known of the paths that they name.
#[derive(Debug, Clone)]
pub struct Tools {
    /// The calls.
    pub tool_calls: ToolCalls,
    /// How a path that a call or the claim names is reported, if not as it is written there.
    pub names: BTreeMap<String, String>,
    /// The writes of which nothing is left, as [`Account::lost`] gives them, and what may have removed each.
    pub lost: LostWrites,
    /// Whether what does not fit together is wanted.
    pub warns: bool,
    /// Whether the agent may be able to write files at all.
    pub may_write: bool,
}

impl Tools {
    /// The calls that wrote, or may have.
    pub fn writes(&self) -> impl Iterator<Item = &Call> {
        let calls = self.tool_calls.calls.iter();
        calls.filter(|call| call.kind != CallKind::Other)
    }

    /// What does not fit together. While the last calls may be missing, only an error of the host stands.
    pub(crate) fn warnings(&self, message: &str, claim: &Claim) -> Vec<Warning> {
        if !self.warns {
            return Vec::new();
        }
        let account = Account {
            message,
            claim,
            tool_calls: &self.tool_calls,
            may_write: self.may_write,
        };
        let is_settled = account.is_settled();
        let mut warnings = account.check(|path| self.name(path), &self.lost);
        warnings.retain(|warning| is_settled || *warning == Warning::HostError);
        warnings
    }

    /// What the calls say of claimed paths.
    pub(crate) fn testimonies(&self, message: &str) -> Testimonies<'_> {
        let settled = Settled::of(&self.tool_calls, message);
        Testimonies::of(&self.tool_calls, settled, |path| self.name(path))
    }

    fn name(&self, path: &str) -> String {
        self.names.get(path).map_or(path, String::as_str).to_owned()
    }
}

impl<'a> Account<'a> {
    /// Whether the tool calls are known to be complete up to the message.
    #[must_use]
    pub fn is_settled(self) -> bool {
        Settled::of(self.tool_calls, self.message) == Settled::Yes
    }

    /// Everything that does not fit together. `name` is how a path is reported, `lost` what [`Self::lost`]
    /// gives.
    ///
    /// Tool calls that may lack the last ones give warnings that may not stand, see
    /// [`Self::is_settled`]; only an error of the host does whatever is missing.
    pub fn check(self, name: impl Fn(&str) -> String, lost: &LostWrites) -> Vec<Warning> {
        if self.tool_calls.ends_in_host_error(self.message) {
            return vec![Warning::HostError];
        }
        if self.tool_calls.calls.is_empty() {
            return Vec::from_iter(self.tells_of_work().then_some(Warning::NoToolCall));
        }
        if self.wrote_nothing() {
            let is_told = self.may_write && self.tells_of_files();
            return Vec::from_iter(is_told.then_some(Warning::NoWrite));
        }
        if self.tells_of_failed_writes() {
            return vec![Warning::WritesFailed];
        }
        let said = LazyCell::new(|| SaidGone::of(self.message));
        let lost = lost.iter().filter(|(path, _)| {
            let named = name(path);
            !said.is_of(&named) && !self.may_say_gone(&named, &name)
        });
        lost.filter_map(|(path, gone)| self.lost_write(path, gone.as_ref(), &name))
            .collect()
    }

    /// The paths that tools reported to have written and of which nothing is left: `is_gone` says of a path
    /// that it is neither on the disk nor among what changed.
    pub fn lost(self, is_gone: impl Fn(&str) -> bool) -> LostWrites {
        if self.tool_calls.ends_in_host_error(self.message) {
            return LostWrites::new();
        }
        let calls = &self.tool_calls.calls;
        // What a shell command did after a write, it may have done to the file.
        let last_doubt = calls.iter().rposition(|call| call.kind.may_write());
        let written: BTreeSet<&str> = calls[last_doubt.unwrap_or(0)..]
            .iter()
            .filter(|call| call.has_written())
            .filter_map(|call| call.path.as_deref())
            .collect();
        let gone = written.into_iter().filter(|path| is_gone(path));
        gone.take(MOST_PATHS)
            .map(|path| (path.to_owned(), None))
            .collect()
    }

    /// Whether every call is known to write nothing.
    #[must_use]
    pub fn wrote_nothing(self) -> bool {
        let mut calls = self.tool_calls.calls.iter();
        calls.all(|call| call.kind == CallKind::Other)
    }

    /// Whether the report says that something was changed, names no file for which a finding speaks, and has no word by which
    /// it may tell of a failure itself, where each call that was to write a file failed, and all others are known to write
    /// nothing.
    fn tells_of_failed_writes(self) -> bool {
        let is_done = matches!(
            self.claim.status,
            None | Some(Status::Done | Status::DoneWithConcerns)
        );
        let has_failed =
            |call: &Call| call.kind == CallKind::Write && call.result == Outcome::Error;
        let has_any = |message: &str| OF_FAILURE.iter().any(|word| message.contains(word));
        let calls = || self.tool_calls.calls.iter();
        is_done
            && self.may_write
            && self.claim.entries.is_empty()
            && calls().any(has_failed)
            && calls().all(|call| has_failed(call) || call.kind == CallKind::Other)
            && tells_of_change(self.message)
            && !has_any(&self.message.to_lowercase())
    }

    fn tells_of_work(self) -> bool {
        match self.claim.status {
            Some(Status::Done | Status::DoneWithConcerns) => {
                !self.says_that_nothing_changed() || tells_of_work(self.message)
            }
            Some(Status::Blocked | Status::NeedsContext) => false,
            None => tells_of_work(self.message),
        }
    }

    /// "Files changed: none", or the status alone of an agent that cannot write, and nothing that was run or committed: a
    /// question may need no call, and what was read may have been in the prompt.
    fn says_that_nothing_changed(self) -> bool {
        let claim = self.claim;
        let is_read = |it: &Assertion| it.says.kind() == Kind::Reads;
        let has_only_read = claim.assertions.iter().all(is_read);
        let has_none = !self.may_write && claim.entries.is_empty();
        (has_none || claim.says_that_no_file_changed()) && has_only_read
    }

    /// Whether the report says that something is completed and names a file.
    fn tells_of_files(self) -> bool {
        match self.claim.status {
            Some(Status::Done) => self.claims_a_file(),
            Some(_) => false,
            None if self.claims_a_file() => tells_of_change(self.message),
            None => tells_of_changed_file(self.message),
        }
    }

    /// A review lists what others did, and so may a report that names them behind a look at it, or says that nothing was
    /// written; words that are not understood may say so, or that it is to be done: "by Alice", "if approved".
    fn claims_a_file(self) -> bool {
        let mut entries = self.claim.entries.iter();
        let is_of_others = || self.claim.others.is_some() && self.tool_calls.look_back();
        let is_own =
            self.claim.review.is_none() && self.claim.unwritten.is_none() && !is_of_others();
        is_own
            && entries
                .any(|entry| matches!(entry.meaning, Meaning::Paths(_)) && entry.doubt().is_none())
    }

    /// What is said of a write of which nothing is left.
    fn lost_write(
        self,
        path: &str,
        gone: Option<&Gone>,
        name: impl Fn(&str) -> String,
    ) -> Option<Warning> {
        let named = name(path);
        let mut calls = self.tool_calls.calls.iter();
        let call = calls.rfind(|call| call.path.as_deref() == Some(path))?;
        let was = Was::Written {
            tool: call.tool.clone(),
            at: call.at.clone(),
        };
        Some(Warning::LostWrite {
            lost: Lost {
                was,
                gone: gone.cloned(),
                doubt: None,
            },
            path: named,
        })
    }

    /// Whether the claim counts `path` among the files that are gone, or has words of it that may say so.
    fn may_say_gone(self, path: &str, name: impl Fn(&str) -> String) -> bool {
        let entries = self.claim.entries.iter();
        let mut gone = entries.filter(|entry| {
            entry.operation == Operation::Deleted || !entry.says_that_content_is_there()
        });
        gone.any(|entry| {
            files_of(entry).any(|text| same_file(path, name(text).trim_start_matches("./")))
        })
    }

    /// The files that the report counts among those that are there, as it writes them.
    pub fn files(self) -> impl Iterator<Item = &'a str> {
        let entries = self.claim.entries.iter();
        let present = entries.filter(|entry| entry.operation != Operation::Deleted);
        present.flat_map(files_of)
    }
}

/// The files that an entry may mean.
fn files_of(entry: &Entry) -> impl Iterator<Item = &str> {
    let readings = match &entry.meaning {
        Meaning::Paths(readings) => readings.as_slice(),
        Meaning::Unresolvable(_) => &[],
    };
    readings.iter().filter_map(|reading| match &reading.target {
        Target::File(text) | Target::Rename { to: text, .. } => Some(text.as_str()),
        Target::Dir(_) => None,
    })
}

#[cfg(test)]
mod tests;
