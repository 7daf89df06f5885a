//! The tool calls of an agent.

mod pushes;

use std::cell::OnceCell;
use std::collections::HashSet;

use attest_evidence::{Doubt, Searched};

use crate::places::{Place, Places, Unknown};
use crate::record::Printed;
use crate::server::{self, Says};
use crate::shell::looks::looks_back;
use crate::shell::{Shell, checks};
use crate::text::last_part;
use crate::{OwnChecks, Ran, Run, Shows, deeds, input, summary};

/// How many calls are kept. The longest agents seen make a few thousand.
pub(crate) const MAX_CALLS: usize = 50_000;
/// How many places are kept in all.
const MAX_PLACES: usize = 50_000;
/// Bytes that may be made of the words of all calls.
const MAX_MADE: usize = 64 * 1024 * 1024;
/// How many checks are kept in all. No agent seen ran a thousand.
const MAX_RUNS: usize = 20_000;

/// The tool calls of an agent, and how its transcript ends.
///
/// It shows what was asked for and what the tools answered, never what is in the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls {
    /// The calls in order; a call that names several files appears once for each.
    pub calls: Vec<Call>,
    /// Whether every line so far could be read. If one could not, a missing call means nothing.
    pub is_whole: bool,
    /// What a person has added to the checks that are known.
    own_checks: OwnChecks,
    /// Why not every line could be read.
    gap: Option<Doubt>,
    pub(crate) last: LastEntry,
    /// How many calls there were when a command or a hook of the person ran, the last time.
    pub(crate) person_ran_behind: Option<usize>,
    /// For each call where it may have written, once that was asked for.
    places: OnceCell<Vec<Searched<Vec<Place>>>>,
    /// For each call the checks that it ran, once that was asked for.
    ran: OnceCell<Vec<Option<Ran>>>,
    /// For each call whether it may have written what its words do not say, once that was asked for.
    unread: OnceCell<Vec<bool>>,
}

/// One call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// What it may have done to files.
    pub kind: CallKind,
    /// The file that the call names, as written there.
    pub path: Option<String>,
    /// What it may show the agent of files, if that is known.
    pub shows: Option<Shows>,
    /// The time of the result, or, without one, of the call. In the host's format, which is RFC
    /// 3339 in UTC.
    pub at: Option<String>,
    /// The result of the call.
    pub result: Outcome,
    /// What it is given, as JSON, if it may have written anywhere.
    pub(crate) input: Option<String>,
    /// Whether that was not kept.
    pub(crate) is_cut: bool,
    /// All that it is given for the file that it writes, as JSON, if it says so and that was kept.
    pub(crate) content: Option<String>,
    /// The exit status of the command that it ran, where the host gives it.
    pub(crate) exit: Option<i32>,
    /// What the command has printed, as far as it is kept.
    pub(crate) printed: Option<Printed>,
    /// The folder that the agent was in, as the host has it, if it is not the first one.
    pub(crate) folder: Option<String>,
    /// Whether the result is an error in which git says that it did not push.
    pub(crate) is_refused: bool,
}

impl Call {
    /// All that it was given for the file that it writes, if it says so and that was kept.
    #[must_use]
    pub fn content(&self) -> Option<String> {
        self.content.as_deref().and_then(attest_json::text)
    }

    /// Whether it is given this word, as far as what it is given is kept.
    fn has_word(&self, word: &str) -> bool {
        self.input.as_ref().is_none_or(|input| input.contains(word))
    }
}

/// A program that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Program<'c> {
    /// Where it is, or the folder whose task it is.
    pub path: &'c str,
    /// The folder that it ran in.
    pub folder: &'c str,
}

/// What a tool may have done to files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallKind {
    /// It writes the file that it names.
    Write,
    /// It writes the file that it names, but only its own server knows where: here, or on another
    /// machine.
    WriteElsewhere,
    /// A shell command, a removal, another agent, or an unknown tool: it may have written, moved or
    /// removed anything.
    MayWrite,
    /// By its name it changes no file, though nobody knows.
    NoFile,
    /// It is known to write nothing.
    #[default]
    Other,
}

impl CallKind {
    /// Whether it may have changed a file other than the one it names.
    #[must_use]
    pub fn may_write(self) -> bool {
        matches!(self, Self::MayWrite | Self::WriteElsewhere | Self::NoFile)
    }
}

/// The result of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The tool reported success.
    Ok,
    /// The tool reported an error.
    Error,
    /// There is no result, or the result does not say.
    #[default]
    Unknown,
}

/// The newest entry of a transcript that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LastEntry {
    /// A tool call, a result, a prompt, or nothing at all.
    #[default]
    NoReply,
    /// The host's word that somebody interrupted the agent.
    Interrupted,
    /// The model's text.
    Text(String),
    /// The host's own error message in the model's name.
    HostError(String),
}

/// Where a call wrote, or may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written<'c> {
    /// A tool was asked to write this file.
    File(&'c str),
    /// A tool was asked to write this file, here or on another machine.
    Elsewhere(&'c str),
    /// A call that may write anywhere names this place.
    Place(&'c Place),
}

impl ToolCalls {
    pub(crate) fn with(own_checks: OwnChecks) -> Self {
        Self {
            own_checks,
            ..Self::default()
        }
    }

    /// Leaves out calls.
    pub fn retain(&mut self, is_kept: impl Fn(&Call) -> bool) {
        self.calls.retain(is_kept);
        self.forget();
    }

    /// All lines so far were read. Whether that changes what is known of them.
    pub(crate) fn pause(&mut self, gap: Option<&'static str>, is_full: bool) -> bool {
        let gap = if is_full {
            let (most, what) = (MAX_CALLS as u64, "tool calls");
            Some(Doubt::TooMany { most, what })
        } else {
            let why = |why| format!("the transcript was not read in full, {why}");
            gap.map(|gap| Doubt::UnknownPlace(why(gap)))
        };
        let is_new = self.gap != gap;
        self.is_whole = gap.is_none();
        self.gap = gap;
        self.forget();
        is_new
    }

    /// Whether a call names a file so that it may have written it: one that writes it and did not fail, or one of which
    /// not all is known and that has the last part of its name.
    pub fn may_write(&self, name: &str) -> bool {
        let name = last_part(name);
        let places = self.places.get_or_init(|| self.read_places());
        self.calls.iter().zip(places).any(|(call, places)| {
            let is_open = call.is_cut || places.complete().is_err();
            match call.kind {
                CallKind::Write | CallKind::WriteElsewhere => {
                    call.result != Outcome::Error
                        && call
                            .path
                            .as_deref()
                            .is_some_and(|path| last_part(path) == name)
                }
                CallKind::MayWrite => is_open && call.has_word(name),
                CallKind::NoFile | CallKind::Other => false,
            }
        })
    }

    /// Whether code or a command that did not fail, and may write where its words do not say, has the last part of a
    /// file's name.
    pub fn may_have_written(&self, name: &str) -> bool {
        let name = last_part(name);
        let is_unread = |call: &Call| {
            let may_write = call.path.is_none() && call.kind == CallKind::MayWrite;
            may_write && call.result != Outcome::Error && deeds::runs_unread(call)
        };
        let unread = || self.calls.iter().map(is_unread).collect();
        let unread = self.unread.get_or_init(unread);
        let mut calls = self.calls.iter().zip(unread);
        calls.any(|(call, is_unread)| *is_unread && call.has_word(name))
    }

    /// Forgets what was read from calls that are others now.
    fn forget(&mut self) {
        self.places = OnceCell::new();
        self.ran = OnceCell::new();
        self.unread = OnceCell::new();
    }

    /// Where the calls may have written. A tool that failed wrote nothing; a command that failed may have written
    /// before it did.
    pub fn written(&self) -> Searched<Vec<Written<'_>>> {
        let mut written = Searched::default();
        if let Some(gap) = &self.gap {
            written.stop(gap.clone());
        }
        let places = self.places.get_or_init(|| self.read_places());
        for (call, places) in self.calls.iter().zip(places) {
            let list: &mut Vec<_> = written.found_mut();
            match (call.kind, call.path.as_deref()) {
                (CallKind::Write | CallKind::WriteElsewhere, _)
                    if call.result == Outcome::Error => {}
                (CallKind::Write, Some(path)) => list.push(Written::File(path)),
                (CallKind::WriteElsewhere, Some(path)) => list.push(Written::Elsewhere(path)),
                (CallKind::MayWrite, _) => {
                    list.extend(places.found().iter().map(Written::Place));
                    if let Err(why) = places.complete() {
                        written.stop(why.clone());
                    }
                }
                _ => {}
            }
        }
        written
    }

    /// The last command that ended well and is to write a file whose path is wanted, and when that was.
    pub fn command_for(&self, is_wanted: impl Fn(&str) -> bool) -> Option<(String, Option<&str>)> {
        let places = self.places.get_or_init(|| self.read_places());
        let is_written = |place: &Place| match place {
            Place::Exact(path) | Place::Moved { to: path, .. } => is_wanted(path),
            _ => false,
        };
        let mut calls = self.calls.iter().zip(places).rev();
        calls.find_map(|(call, places)| {
            let is_it = call.result == Outcome::Ok
                && places.found().iter().any(is_written)
                && !deeds::is_background(call);
            is_it.then(|| Some((deeds::command_of(call)?, call.at.as_deref())))?
        })
    }

    /// The programs that ran and are not read, each with the number of the first call that ran it.
    pub fn programs(&self) -> Vec<(usize, Program<'_>)> {
        let places = self.places.get_or_init(|| self.read_places());
        let all = places.iter().map(Searched::found).enumerate();
        let all = all.flat_map(|(call, places)| places.iter().map(move |place| (call, place)));
        let programs = all.filter_map(|(call, place)| match place {
            Place::Program { path, folder } => Some((call, Program { path, folder })),
            _ => None,
        });
        let mut known = HashSet::new();
        programs
            .filter(|(_, program)| known.insert(*program))
            .collect()
    }

    /// The places that the calls name which may write anywhere, as long as there are not too many in all.
    fn read_places(&self) -> Vec<Searched<Vec<Place>>> {
        let mut shell = Shell::default();
        let mut written: Option<&Call> = None;
        let (mut count, mut made) = (0, 0);
        let places = self.calls.iter().map(|call| {
            let mut places = Places::default();
            if call.path.is_some() {
                written = Some(call).filter(|it| it.result == Outcome::Ok);
            }
            if call.kind != CallKind::MayWrite || call.path.is_some() {
                return Searched::default();
            }
            let text = |call: &Call| Some((call.path.clone()?, call.content()?));
            shell.written = written.take().and_then(text);
            if server::says(&call.tool) == Some(Says::Writes) {
                places.miss(Unknown::Server, &call.tool);
            } else if call.is_cut || count >= MAX_PLACES {
                let (most, what) = (MAX_PLACES as u64, "places in all calls");
                places.stop(Doubt::TooMany { most, what });
            } else if made > MAX_MADE {
                let (most, what) = (
                    MAX_MADE as u64,
                    "bytes in what the words of all calls become",
                );
                places.stop(Doubt::TooMany { most, what });
            } else if let Some(input) = &call.input {
                input::add(&call.tool, input, &mut shell, &mut places);
            }
            made += places.made();
            let places = places.list();
            count += places.found().len();
            places
        });
        places.collect()
    }

    /// For each call the checks that it ran, or may have; `None` if it can run none.
    pub fn ran(&self) -> &[Option<Ran>] {
        self.ran.get_or_init(|| self.read_runs())
    }

    fn read_runs(&self) -> Vec<Option<Ran>> {
        let mut shell = checks::Shell::with(&self.own_checks);
        let (mut count, mut was_moved) = (0, false);
        let ran = self.calls.iter().map(|call| {
            if call.path.is_some() {
                return None;
            }
            match &call.folder {
                Some(folder) => shell.enter(folder),
                None if was_moved => shell.enter(""),
                None => {}
            }
            was_moved = call.folder.is_some();
            let only_reads = call.kind == CallKind::Other;
            let mut command = shell.call(&call.tool, call.input.as_deref(), only_reads)?;
            count += command.seen.len();
            if count > MAX_RUNS {
                command = checks::anything();
            }
            Some(command.answered(call.exit, call.printed.as_ref()))
        });
        ran.collect()
    }

    /// Whether what a call printed counts so many of what this word says, as far as its beginning and its end are kept:
    /// with no word, of tests that passed.
    #[must_use]
    pub fn says_so_many(&self, call: usize, number: u32, word: &str) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(|text| summary::says_so_many(text, number, word))
    }

    /// The same of any line, also if another one counts otherwise.
    #[must_use]
    pub fn names_so_many(&self, call: usize, number: u32, word: &str) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(|text| summary::names_so_many(text, number, word))
    }

    /// Whether what a call printed says that there are none of what this word says; `None` if it does not tell of them, as
    /// far as that is known.
    #[must_use]
    pub fn says_none(&self, call: usize, word: &str) -> Option<bool> {
        let printed = self.calls.get(call)?.printed.as_ref()?;
        let is_none = summary::says_none(&printed.whole_lines().join("\n"), word)?;
        // What is cut may tell of some.
        (!is_none || printed.whole().is_some()).then_some(is_none)
    }

    /// Whether what a call printed counts any that failed, as far as it is kept.
    #[must_use]
    pub fn counts_failed(&self, call: usize) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(summary::counts_failed)
    }

    /// Whether a call of the agent shows what commits did.
    #[must_use]
    pub fn look_back(&self) -> bool {
        let mut calls = self.calls.iter().filter(|call| call.path.is_none());
        calls.any(|call| {
            server::looks_back(&call.tool)
                || deeds::command_of(call).is_some_and(|command| looks_back(&command))
        })
    }

    /// The checks of a command as a report names it.
    #[must_use]
    pub fn checks_of(&self, command: &str) -> Vec<Run> {
        checks::named(command, &self.own_checks)
    }

    /// Whether a command of the person ran behind this call, or a hook of the person's that printed something.
    #[must_use]
    pub fn person_ran_behind(&self, call: usize) -> bool {
        self.person_ran_behind.is_some_and(|count| count > call)
    }

    /// The newest entry that counts.
    #[must_use]
    pub fn last(&self) -> &LastEntry {
        &self.last
    }

    /// Whether the answer of a call has this text, as far as its beginning and its end are kept.
    #[must_use]
    pub fn was_answered_with(&self, text: &str) -> bool {
        let printed = self.calls.iter().filter_map(|call| call.printed.as_ref());
        let mut texts = printed.flat_map(|it| [&it.first, &it.last]);
        texts.any(|it| it.contains(text))
    }

    /// Whether every line so far was read, or why not.
    pub fn complete(&self) -> Result<(), &Doubt> {
        self.gap.as_ref().map_or(Ok(()), Err)
    }

    /// Whether the transcript ends with `message`, which means that everything before it is there
    /// too.
    #[must_use]
    pub fn ends_with(&self, message: &str) -> bool {
        matches!(&self.last, LastEntry::Text(text) if text.trim() == message.trim())
    }

    /// Whether the newest entry is the host's own error message in the model's name, and `message`
    /// is that same text or empty. Any other message is newer than the file.
    #[must_use]
    pub fn ends_in_host_error(&self, message: &str) -> bool {
        let message = message.trim();
        matches!(&self.last, LastEntry::HostError(text) if message.is_empty() || text.trim() == message)
    }
}

/// Where a command may write that runs in `folder`, in it as well as elsewhere, or a script without any words.
pub fn places_of(command: &str, folder: &str) -> Searched<Vec<Place>> {
    let mut places = Places::default();
    Shell::default().read(command, Some(folder), &mut places);
    places.list()
}

#[cfg(test)]
mod tests;
