//! Settings in JSON in which hooks stand as `hooks` / event / handler, in most hosts with a matcher group between
//! the two.
//!
//! The text is parsed to a syntax tree that keeps every byte, and the tree is edited. So no key, value,
//! order or comment of anybody else changes; only white space and commas beside our hooks may. What
//! uninstalling gives back to the byte is the backup.

mod removed;

use std::path::{Path, PathBuf};

use jsonc_parser::cst::CstNode;

use super::document;
use super::text::{decode, encode, or_new, with_line_ends_of};
use super::{
    ContentError, HookFile, HookSpec, Inspection, Managed, Merged, Places, Program, Removed, Scope,
    SettingsPlace, StatusLine, Switch, Wiring,
};
use super::{edit, inspect, node, status_line};

/// The settings file of one host.
#[derive(Debug)]
pub struct JsonFile {
    /// What `--harness` has to say; `None` for the host that is meant without it.
    pub harness: Option<&'static str>,
    /// Where the person's own is; `None` if the host reads only those of projects.
    pub person: Option<PersonFile>,
    /// Where that of a project is, in the project; `None` if the host reads none there.
    pub project: Option<&'static str>,
    /// Where the one is whose variables everybody who works on a project gets, if the host reads such a file
    /// besides; nothing is written to it.
    pub shared: Option<&'static str>,
    /// The files of a project from which the host takes variables, from the project's folder; the one that counts
    /// most last.
    pub variable_files: &'static [&'static str],
    /// The hooks.
    pub hooks: &'static [HookSpec],
    /// What stands between an event and its handlers.
    pub shape: Shape,
    /// Numbers of the root without which the host does not read the file.
    pub head: &'static [(&'static str, u32)],
    /// The property of an entry with the command line.
    pub command: &'static str,
    /// What an entry holds beside its command, in the order in which it is written.
    pub rules: &'static [Rule],
    /// How many of the host's units of time are a second.
    pub units_per_second: u32,
    /// Whether it shows what a hook that ended well wrote to standard error.
    pub shows_standard_error: bool,
    /// Whether it runs a command line by `PowerShell` on Windows; otherwise its shell there is not known.
    pub has_powershell: bool,
    /// The switches with which hooks are turned off.
    pub switches: &'static [Switch],
    /// The keys that lead to the list of hooks that are not to run, if the host has one.
    pub left_out: Option<&'static [&'static str]>,
    /// Where an administrator's is, if the host reads one.
    pub managed: Option<ManagedFile>,
    /// The key of the root with the plugins that a person turned on.
    pub plugins: Option<&'static str>,
    /// The key of the root with the variables that the host gives its hooks.
    pub env: Option<&'static str>,
    /// The key of the root with the program that prints the line below the prompt.
    pub status_line: Option<&'static str>,
}

/// Where a host reads the settings of a person.
#[derive(Debug)]
pub struct PersonFile {
    /// The variable that names the host's folder.
    pub variable: Option<&'static str>,
    /// The folder, in the home folder, if no variable names it.
    pub folder: &'static str,
    /// The file, in that folder.
    pub file: &'static str,
}

/// Where a host reads the settings of an administrator.
#[derive(Debug)]
pub struct ManagedFile {
    /// The variable that names the file.
    pub variable: Option<&'static str>,
    /// The folder of the file on this system.
    pub folder: &'static str,
    /// The file, in that folder.
    pub file: &'static str,
    /// The folder of further files, in that folder.
    pub drop_ins: Option<&'static str>,
}

/// What stands between an event and its handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Groups of handlers, each with what it is matched against.
    Groups,
    /// Nothing.
    Flat,
}

/// One property of an entry.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub key: &'static str,
    /// What it has to be.
    pub wanted: Wanted,
    /// What is wrong with an entry in which it keeps the hook from working.
    pub fault: Option<&'static str>,
}

/// What a property of an entry has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// This text.
    Text(&'static str),
    /// Any number above zero; this one, unless a person chose another.
    Count(u32),
    /// Any text; this one, unless a person chose another.
    AnyText(&'static str),
    /// The same, and not in the entries of earlier versions.
    Name(&'static str),
    /// Any time above nothing; the hook's own, unless a person chose another.
    Timeout,
    /// `false`, and written so. An entry without it works too.
    False,
    /// `false`, or better not there.
    NotTrue,
    /// Not there.
    Absent,
}

impl Wanted {
    /// Whether `value` is as it is to be written.
    pub(super) fn is_met(self, value: Option<&CstNode>) -> bool {
        let is_false = value.and_then(node::boolean) == Some(false);
        match self {
            Self::Text(text) => value.and_then(node::string).as_deref() == Some(text),
            Self::AnyText(_) | Self::Name(_) => value.and_then(node::string).is_some(),
            Self::Timeout | Self::Count(_) => value.is_some_and(node::is_positive),
            Self::False => is_false,
            Self::NotTrue => is_false || value.is_none(),
            Self::Absent => value.is_none(),
        }
    }

    /// Whether a hook with `value` does its work.
    pub(super) fn works_with(self, value: Option<&CstNode>) -> bool {
        self.is_met(value) || matches!(self, Self::False) && value.is_none()
    }
}

impl Wiring for JsonFile {
    fn hooks(&self) -> &'static [HookSpec] {
        self.hooks
    }

    fn words(&self, verb: &str) -> Vec<String> {
        words(self.harness, verb)
    }

    fn files(&self, places: &Places<'_>) -> Vec<SettingsPlace<'_>> {
        let path = match &places.project {
            Some(project) => self.project.map(|file| project.join(file)),
            None => self.person_file(places),
        };
        let place = path.map(|path| SettingsPlace {
            path,
            file: self,
            own_folder: None,
        });
        Vec::from_iter(place)
    }

    fn shared(&self, project: &Path) -> Option<SettingsPlace<'_>> {
        Some(SettingsPlace {
            path: project.join(self.shared?),
            file: self,
            own_folder: None,
        })
    }

    fn variable_files(&self) -> &'static [&'static str] {
        self.variable_files
    }

    fn managed(&self, places: &Places<'_>) -> Option<Managed<'_>> {
        let managed = self.managed.as_ref()?;
        let folder = Path::new(managed.folder);
        let named = managed.variable.and_then(places.variable);
        Some(Managed {
            path: named.unwrap_or_else(|| folder.join(managed.file)),
            drop_ins: managed.drop_ins.map(|name| folder.join(name)),
            file: self,
        })
    }

    fn any_file(&self) -> Option<&dyn HookFile> {
        Some(self)
    }

    fn home(&self, places: &Places<'_>) -> Option<PathBuf> {
        let person = self.person.as_ref()?;
        places.folder(person.variable, person.folder)
    }
}

/// The words behind the program with which an entry calls `attest hook verb` for the host `harness`.
pub(super) fn words(harness: Option<&str>, verb: &str) -> Vec<String> {
    let harness = harness.map(|name| ["--harness", name]);
    let words = ["hook", verb].into_iter();
    words
        .chain(harness.into_iter().flatten())
        .map(str::to_owned)
        .collect()
}

impl HookFile for JsonFile {
    fn install(
        &self,
        content: &[u8],
        scope: Scope,
        program: Program<'_>,
    ) -> Result<Merged, ContentError> {
        let (mark, found) = decode(content)?;
        let (merged, changes) = edit::merge(or_new(found), self, scope, program)?;
        let merged = with_line_ends_of(found, merged);
        Ok(Merged {
            bytes: encode(mark, &merged),
            changes,
        })
    }

    fn uninstall(
        &self,
        content: &[u8],
        backups: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<Removed, ContentError> {
        let backups: Vec<_> = backups.collect();
        let Some((key, rest)) = self.without_status_line(content, &backups)? else {
            return self.without_hooks(content, &backups);
        };
        let mut removed = self.without_hooks(&rest, &backups)?;
        if removed.events.is_empty() && self.with_own_line(b"", content).as_deref() == Some(content)
        {
            removed.bytes = None;
        }
        removed.events.push(key.to_owned());
        Ok(removed)
    }

    fn inspect(&self, content: &[u8]) -> Result<Inspection, ContentError> {
        let Some(document) = self.parsed(content)? else {
            return Ok(Inspection::default());
        };
        inspect::inspect(&document, self)
    }

    fn status_line(&self, content: &[u8]) -> Option<Result<StatusLine, ContentError>> {
        let key = self.status_line?;
        let whose = self.parsed(content).and_then(|document| match document {
            Some(document) => Ok(status_line::find(&document, key)?.0),
            None => Ok(StatusLine::None),
        });
        Some(whose)
    }

    fn with_status_line(
        &self,
        content: &[u8],
        program: Option<&str>,
    ) -> Option<Result<Vec<u8>, ContentError>> {
        let key = self.status_line?;
        Some(self.edited(content, |document| status_line::set(document, key, program)))
    }
}

impl JsonFile {
    /// The text of a file in which something stands.
    fn parsed(&self, content: &[u8]) -> Result<Option<document::Document>, ContentError> {
        let (_, text) = decode(content)?;
        let is_empty = text.trim().is_empty();
        (!is_empty)
            .then(|| document::Document::parse(text, self))
            .transpose()
    }

    /// The content after an edit; the bytes as they are if it changes nothing.
    fn edited(
        &self,
        content: &[u8],
        edit: impl FnOnce(&document::Document) -> Result<(), ContentError>,
    ) -> Result<Vec<u8>, ContentError> {
        let (mark, text) = decode(content)?;
        let text = or_new(text);
        let document = document::Document::to_edit(text, self)?;
        edit(&document)?;
        let edited = with_line_ends_of(text, document.text());
        Ok(if edited == text {
            content.to_vec()
        } else {
            encode(mark, &edited)
        })
    }

    fn person_file(&self, places: &Places<'_>) -> Option<PathBuf> {
        Some(self.home(places)?.join(self.person.as_ref()?.file))
    }
}
