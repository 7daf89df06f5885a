//! What a transcript shows and a work tree cannot: for people and for the parent agent, never a
//! reason to block.
//!
//! Everything here is a function of the report, the tool ledger and, for a path, whether anything
//! of it is left. A doubt is silence: a tool that is not known may have written, a transcript with
//! a hole may lack the very call that is missed.

mod testimony;
mod words;

use std::fmt;

use attest_claim::{Claim, Meaning, Operation, Status, Target};
use attest_transcript::{Call, Kind, Ledger, Outcome};
use attest_verdict::quoted;

pub(crate) use testimony::{Settled, testimony};

/// Lost writes that are named at most.
const MOST_PATHS: usize = 20;

/// One thing that does not fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advice {
    /// The newest word is the host's own error message.
    HostError,
    /// A report of work without a single tool call.
    NoToolCall,
    /// A report that files are done, and no call that may have written any.
    NoWrite,
    /// A tool reported that it wrote a file, and nothing of it is left.
    LostWrite {
        path: String,
        /// What the tools say of it.
        testimony: String,
        /// Whether the report counts the file among its own.
        is_claimed: bool,
    },
}

impl Advice {
    /// Whether it is about the claimed path.
    pub(crate) fn names(&self, claimed: &str) -> bool {
        matches!(self, Self::LostWrite { path, .. } if same_file(path, claimed))
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostError => {
                out.write_str("the agent ended in an error message of the host, not in a report")
            }
            Self::NoToolCall => {
                out.write_str("the report tells of work, and the agent made no tool call at all")
            }
            Self::NoWrite => out.write_str(
                "the report tells of finished files, and no tool call that writes was made",
            ),
            Self::LostWrite {
                path,
                testimony,
                is_claimed,
            } => {
                let code = if *is_claimed {
                    "SILENT_WRITE_FAILURE: "
                } else {
                    ""
                };
                let path = quoted(path);
                write!(out, "{code}{path}: {testimony}, the file is not on disk")
            }
        }
    }
}

/// What an agent said, next to what its tools did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Account<'a> {
    /// The final message.
    pub(crate) message: &'a str,
    /// What it claims.
    pub(crate) claim: &'a Claim,
    /// The tool calls.
    pub(crate) ledger: &'a Ledger,
}

impl Account<'_> {
    /// Whether the ledger is known to hold every call up to the message.
    pub(crate) fn is_settled(self) -> bool {
        self.ledger.is_whole && self.ledger.ends_with(self.message)
    }

    /// Everything that does not fit together. `name` is how a path is reported; `is_gone` says of a
    /// path that it is neither on the disk nor among what changed.
    ///
    /// A ledger that may lack its last calls gives advice that may not hold, see
    /// [`Self::is_settled`]; only an error of the host stands whatever is missing.
    pub(crate) fn check(
        self,
        name: impl Fn(&str) -> String,
        is_gone: impl Fn(&str) -> bool,
    ) -> Vec<Advice> {
        if self.ledger.ends_in_host_error(self.message) {
            return vec![Advice::HostError];
        }
        if self.ledger.calls.is_empty() {
            return Vec::from_iter(self.tells_of_work().then_some(Advice::NoToolCall));
        }
        if self
            .ledger
            .calls
            .iter()
            .all(|call| call.kind == Kind::Other)
        {
            return Vec::from_iter(self.tells_of_files().then_some(Advice::NoWrite));
        }
        self.lost_writes(name, is_gone)
    }

    fn tells_of_work(self) -> bool {
        match self.claim.status {
            Some(Status::Done | Status::DoneWithConcerns) => true,
            Some(Status::Blocked | Status::NeedsContext) => false,
            None => words::tells_of_work(self.message),
        }
    }

    /// Whether the report says that something is completed and names a file.
    fn tells_of_files(self) -> bool {
        match self.claim.status {
            Some(Status::Done) => self.claims_a_file(),
            Some(_) => false,
            None if self.claims_a_file() => words::tells_of_change(self.message),
            None => words::tells_of_changed_file(self.message),
        }
    }

    fn claims_a_file(self) -> bool {
        let mut entries = self.claim.entries.iter();
        entries.any(|entry| matches!(entry.meaning, Meaning::Paths(_)))
    }

    fn lost_writes(
        self,
        name: impl Fn(&str) -> String,
        is_gone: impl Fn(&str) -> bool,
    ) -> Vec<Advice> {
        let calls = &self.ledger.calls;
        // What a shell command did after a write, it may have done to the file.
        let last_doubt = calls.iter().rposition(|call| call.kind.may_write());
        let sure = calls.get(last_doubt.map_or(0, |at| at + 1)..);
        let mut paths: Vec<&str> = sure
            .into_iter()
            .flatten()
            .filter(|call| is_reported_write(call))
            .filter_map(|call| call.path.as_deref())
            .collect();
        paths.sort_unstable();
        paths.dedup();
        let gone = paths.into_iter().filter(|path| is_gone(path));
        gone.take(MOST_PATHS)
            .map(|path| {
                let named = name(path);
                Advice::LostWrite {
                    testimony: testimony(self.ledger, Settled::Yes, |other| other == path)
                        .unwrap_or_default(),
                    is_claimed: self.claims(&named, &name),
                    path: named,
                }
            })
            .collect()
    }

    /// Whether the claim counts `path` among the files that are there.
    fn claims(self, path: &str, name: impl Fn(&str) -> String) -> bool {
        let is_it = |text: &str| {
            let claimed = name(text);
            let claimed = claimed.trim_start_matches("./");
            same_file(path, claimed)
        };
        let entries = self.claim.entries.iter();
        let mut present = entries.filter(|entry| entry.operation != Operation::Deleted);
        present.any(|entry| match &entry.meaning {
            Meaning::Paths(readings) => readings.iter().any(|reading| match &reading.target {
                Target::File(text) => is_it(text),
                Target::Rename { to, .. } => is_it(to),
                Target::Dir(_) => false,
            }),
            Meaning::Unresolvable(_) => false,
        })
    }
}

fn is_reported_write(call: &Call) -> bool {
    call.kind == Kind::Write && call.result == Outcome::Ok
}

/// Whether `claimed` means `path`: it is the path, or the end of it, since an agent may write a name
/// from the folder that it works in.
pub(crate) fn same_file(path: &str, claimed: &str) -> bool {
    path.strip_suffix(claimed).is_some_and(|before| {
        !claimed.is_empty() && (before.is_empty() || before.ends_with(['/', '\\']))
    })
}

#[cfg(test)]
mod tests;
