//! How a host is told to run attest's hooks: entries of ours in a file that is the person's, or files that are
//! attest's own.
//!
//! Nothing here reads or writes a file: content goes in, and content or what it says comes out.

mod document;
mod edit;
mod entry;
mod error;
mod given;
mod inspect;
mod json_file;
mod node;
mod owned;
mod shell;
mod status_line;
mod switch;
mod text;
mod written;

use std::path::{Path, PathBuf};

use crate::Version;

pub use entry::is_attest;
pub use error::ContentError;
pub use given::{Given, given, is_assignments};
pub use inspect::{Entry, Inspection};
pub use json_file::{JsonFile, ManagedFile, PersonFile, Rule, Shape, Wanted};
pub use owned::{OwnedFile, OwnedFolder, Package};
pub use status_line::StatusLine;
pub use switch::{Holder, Switch, Switched};

/// The way in which a host is told what to run.
pub trait Wiring: Sync {
    /// The hooks that attest wants, in the order in which they are shown.
    fn hooks(&self) -> &'static [HookSpec];

    /// The words behind the program with which an entry calls `attest hook verb`.
    fn words(&self, verb: &str) -> Vec<String>;

    /// The files that tell the host, each at its place: none if the host has no place for whom they are to be
    /// for, or if that cannot be told.
    fn files(&self, places: &Places<'_>) -> Vec<SettingsPlace<'_>>;

    /// The file of a project that is only read: for its variables, which those of the others go over.
    fn shared(&self, _project: &Path) -> Option<SettingsPlace<'_>> {
        None
    }

    /// The files of a project, from its folder, from which the host takes variables for all that it runs: the one
    /// that counts most last.
    fn variable_files(&self) -> &'static [&'static str] {
        &[]
    }

    /// Where an administrator of this machine says what goes over the settings of everybody; nothing is
    /// written there.
    fn managed(&self, _places: &Places<'_>) -> Option<Managed<'_>> {
        None
    }

    /// The file that may be anywhere, so that a person can name it; `None` if there are several.
    fn any_file(&self) -> Option<&dyn HookFile>;

    /// The seconds after which a hook of this verb is ended, if no file has them in which the person could put another
    /// number.
    fn fixed_timeout(&self, _verb: &str) -> Option<u32> {
        None
    }

    /// The folder that shows that the person uses the host.
    fn home(&self, places: &Places<'_>) -> Option<PathBuf>;
}

/// A file that tells a host what to run.
pub trait HookFile: Sync {
    /// Merges the hooks, which run `program`, into the content of the file.
    fn install(
        &self,
        content: &[u8],
        scope: Scope,
        program: Program<'_>,
    ) -> Result<Merged, ContentError>;

    /// Removes our hooks from the content of the file.
    ///
    /// The content alone does not tell whether an object that is empty now was there before, nor how
    /// it was written. So if one of the `backups` is exactly what the file was before the
    /// installation, its bytes are the answer. They are compared, never assumed: a file that was
    /// edited since matches none.
    fn uninstall(
        &self,
        content: &[u8],
        backups: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<Removed, ContentError>;

    /// What the content says about our hooks.
    fn inspect(&self, content: &[u8]) -> Result<Inspection, ContentError>;

    /// Whose the line is that the host shows below its prompt; `None` if this kind of file asks for none.
    fn status_line(&self, _content: &[u8]) -> Option<Result<StatusLine, ContentError>> {
        None
    }

    /// Lets `program` print that line, or takes our line away; one that is not ours is left alone.
    fn with_status_line(
        &self,
        _content: &[u8],
        _program: Option<&str>,
    ) -> Option<Result<Vec<u8>, ContentError>> {
        None
    }
}

/// One file at its place.
pub struct SettingsPlace<'w> {
    /// Where it is.
    pub path: PathBuf,
    /// What is to be in it.
    pub file: &'w dyn HookFile,
    /// The folder that holds nothing but files of ours, and goes with the last of them.
    pub own_folder: Option<PathBuf>,
}

/// Where an administrator says what goes over the settings of everybody.
pub struct Managed<'w> {
    /// The file.
    pub path: PathBuf,
    /// A folder of further files like it, each of which goes over the ones whose names come before.
    pub drop_ins: Option<PathBuf>,
    /// What is in them.
    pub file: &'w dyn HookFile,
}

/// What a person's environment says about places.
pub struct Places<'a> {
    /// The path in a variable, if that is set.
    pub variable: &'a dyn Fn(&str) -> Option<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The project that the hooks are to be for; `None` if they are for all that the person works on.
    pub project: Option<PathBuf>,
}

impl Places<'_> {
    /// The folder that `variable` names, or else `folder` in the home folder.
    fn folder(&self, variable: Option<&str>, folder: &str) -> Option<PathBuf> {
        let named = variable.and_then(self.variable);
        named.or_else(|| Some(self.home.as_ref()?.join(folder)))
    }
}

/// One hook of a host.
#[derive(Debug)]
pub struct HookSpec {
    /// The host's name for the event.
    pub event: &'static str,
    /// What the host matches before it runs the hook; `None` for every time.
    pub matcher: Option<&'static str>,
    /// The word behind `attest hook`.
    pub verb: &'static str,
    /// Seconds after which the host gives up. The hook's own deadline is shorter.
    pub timeout: u32,
    /// Whether it is one of those that do the work, and not of those that tell what they found.
    pub is_core: bool,
    /// The first version of the host that knows the event, if not all do in which the hooks run: one that does not
    /// may take the whole file for invalid.
    pub since: Option<Version>,
}

/// Which hooks are to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All that every version of the host knows in which hooks run.
    All,
    /// All that this version of the host knows.
    Known(Version),
    /// Those that do the work. The others are taken out.
    Core,
}

impl Scope {
    /// Whether the hook belongs to it.
    #[must_use]
    pub fn wants(self, spec: &HookSpec) -> bool {
        match self {
            Self::All => spec.since.is_none(),
            Self::Known(version) => spec.is_known_to(version),
            Self::Core => spec.is_core,
        }
    }
}

impl HookSpec {
    /// Whether a host of this version knows the event.
    #[must_use]
    pub fn is_known_to(&self, version: Version) -> bool {
        self.since.is_none_or(|since| version >= since)
    }
}

/// How an entry says what to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallForm {
    /// `command` is a line for a shell. Every version that runs hooks knows it.
    Shell,
    /// `command` is the program and `args` are its arguments. A host that does not know `args` runs
    /// the bare program.
    Exec,
    /// `command` as earlier versions wrote it: a line for a shell that ends as the program does. Only to recognise
    /// what they installed.
    Earlier,
}

impl CallForm {
    /// What works here. On Windows the shell is Git Bash, `PowerShell` or `cmd`, by the host's
    /// version and what is installed, and no quoted path is a call for all three.
    pub const HERE: Self = if cfg!(windows) {
        Self::Exec
    } else {
        Self::Shell
    };
}

/// The program that the hooks run, and how their entries say so.
#[derive(Debug, Clone, Copy)]
pub struct Program<'p> {
    /// Its path.
    pub path: &'p str,
    /// The form of the entries.
    pub form: CallForm,
}

/// What was done for one event, or with one file that is attest's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The hook was not there.
    Added(&'static str),
    /// The hook was there, and something about it was put right.
    Updated(&'static str),
    /// The hook is not wanted any more.
    Removed(&'static str),
}

impl Change {
    /// The event, or the name of the file.
    #[must_use]
    pub fn event(self) -> &'static str {
        match self {
            Self::Added(event) | Self::Updated(event) | Self::Removed(event) => event,
        }
    }
}

/// A merge that was computed and not yet written.
#[derive(Debug)]
pub struct Merged {
    /// The new content.
    pub bytes: Vec<u8>,
    /// Empty if the file is already as it should be.
    pub changes: Vec<Change>,
}

/// A removal that was computed and not yet written.
#[derive(Debug)]
pub struct Removed {
    /// `None` if the file was made by attest and holds nothing else, so that it can go as well.
    pub bytes: Option<Vec<u8>>,
    /// Empty if there was nothing to remove.
    pub events: Vec<String>,
    /// Whether a file that goes is more than what attest writes, so that a copy of it is to be kept.
    pub is_edited: bool,
}

#[cfg(test)]
mod tests;
