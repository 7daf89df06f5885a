//! Where calls wrote, or may have.

use std::collections::HashSet;

use attest_evidence::{Doubt, Searched};
use attest_shell::text::last_part;
use attest_shell::writes::Shell;
use attest_shell::{Place, Places, Unknown};

use super::ToolCalls;
use crate::call::{Call, CallKind, Outcome};
use crate::printed::Printed;
use crate::server::{self, Says};
use crate::{deeds, input};

/// How many places are kept in all.
const MAX_PLACES: usize = 30_000;
/// Bytes that may be made of the words of all calls.
const MAX_MADE: usize = 64 * 1024 * 1024;

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

/// A program that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Program<'c> {
    /// Where it is, or the folder whose task it is.
    pub path: &'c str,
    /// The folder that it ran in.
    pub folder: &'c str,
}

impl ToolCalls {
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

    /// The calls of commands that did not fail and are to write files, by number, each with the path as it names it.
    pub fn to_be_written(&self) -> impl Iterator<Item = (usize, &str)> {
        let places = self.places.get_or_init(|| self.read_places());
        let calls = self.calls.iter().zip(places).enumerate();
        let calls = calls.filter(|(_, (call, _))| call.result == Outcome::Ok);
        calls.flat_map(|(number, (_, places))| {
            let paths = places.found().iter().filter_map(|place| match place {
                Place::Exact(path) | Place::Moved { to: path, .. } => Some(path.as_str()),
                _ => None,
            });
            paths.map(move |path| (number, path))
        })
    }

    /// The command of a call that ended, and when that was.
    pub fn command_that_ended(&self, number: usize) -> Option<(String, Option<&str>)> {
        let call = self.calls.get(number)?;
        let command = deeds::command_of(call).filter(|_| !deeds::is_background(call))?;
        Some((command, call.at.as_deref()))
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
                places.unopened = unopened(call);
                input::add(&call.tool, input, &mut shell, &mut places);
            }
            made += places.made();
            let places = places.list();
            count += places.found().len();
            places
        });
        places.collect()
    }
}

/// The names of the programs that Python says it could not open, and so did not run: those that the command names once.
fn unopened(call: &Call) -> Vec<String> {
    let file = |line: &str| {
        let (_, path) = line.split_once(": can't open file '")?;
        let (path, _) = path.split_once("': [Errno 2]")?;
        Some(last_part(path).to_owned())
    };
    let printed = call.printed.iter().flat_map(Printed::whole_lines);
    let mut names: Vec<_> = printed.flat_map(str::lines).filter_map(file).collect();
    if !names.is_empty() {
        let command = deeds::command_of(call).unwrap_or_default();
        names.retain(|name| command.matches(name.as_str()).count() == 1);
    }
    names
}

/// Where a command may write that runs in `folder`, in it as well as elsewhere, or a script without any words.
pub fn places_of(command: &str, folder: &str) -> Searched<Vec<Place>> {
    let mut places = Places::default();
    Shell::default().read(command, Some(folder), &mut places);
    places.list()
}
