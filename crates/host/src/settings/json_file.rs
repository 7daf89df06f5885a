//! Settings in JSON in which hooks stand as `hooks` / event / handler, in most hosts with a matcher group between
//! the two.
//!
//! The text is parsed to a syntax tree that keeps every byte, and the tree is edited. So no key, value,
//! order or comment of anybody else changes; only white space and commas beside our hooks may. What
//! uninstalling gives back to the byte is the backup.

use std::path::{Path, PathBuf};
use std::str;

use jsonc_parser::cst::{CstInputValue, CstNode};

use super::document::{self, Empty, HOOKS};
use super::shell::{self, Guard};
use super::{
    CallForm, ContentError, HookFile, HookSpec, Inspection, Managed, Merged, Places, Program,
    Removed, Scope, SettingsPlace, StatusLine, Switch, Wiring,
};
use super::{edit, entry, inspect, node, status_line, variables};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What a file that does not exist yet is taken for.
pub(super) const NEW_FILE: &str = "{}\n";

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

    fn with_variables(
        &self,
        content: &[u8],
        changes: &[(&str, Option<&str>)],
    ) -> Option<Result<Vec<u8>, ContentError>> {
        let key = self.env?;
        Some(self.edited(content, |document| {
            let mut changes = changes.iter();
            changes.try_for_each(|(name, value)| variables::set(document, key, name, *value))
        }))
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
    /// The content without our line below the prompt, and its key; `None` if it has none. What attest has kept of
    /// the file before the line is the answer, if it is exactly that.
    fn without_status_line(
        &self,
        content: &[u8],
        backups: &[Vec<u8>],
    ) -> Result<Option<(&'static str, Vec<u8>)>, ContentError> {
        let (Some(key), Some(line)) = (self.status_line, self.status_line(content)) else {
            return Ok(None);
        };
        if !matches!(line?, StatusLine::Own(_)) {
            return Ok(None);
        }
        let leads_here = |before: &&Vec<u8>| {
            before.as_slice() != content
                && self.with_own_line(before, content).as_deref() == Some(content)
        };
        if let Some(before) = backups.iter().find(leads_here) {
            return Ok(Some((key, before.clone())));
        }
        let rest = self.edited(content, |document| status_line::set(document, key, None))?;
        Ok(Some((key, rest)))
    }

    /// `before` with the line of the program that `content` has.
    fn with_own_line(&self, before: &[u8], content: &[u8]) -> Option<Vec<u8>> {
        let Ok(StatusLine::Own(program)) = self.status_line(content)? else {
            return None;
        };
        self.with_status_line(before, Some(&program))?.ok()
    }

    /// The text of a file in which something stands.
    fn parsed(&self, content: &[u8]) -> Result<Option<document::Document>, ContentError> {
        let (_, text) = decode(content)?;
        let is_empty = text.trim().is_empty();
        (!is_empty)
            .then(|| document::Document::parse(text, self))
            .transpose()
    }

    /// The content without our hooks.
    fn without_hooks(&self, content: &[u8], backups: &[Vec<u8>]) -> Result<Removed, ContentError> {
        let (mark, text) = decode(content)?;
        let before = backups.iter().find_map(|backup| self.empty_in(backup));
        let (rest, events) = match text.trim() {
            "" => (String::new(), Vec::new()),
            _ => edit::unmerge(text, self, &before.unwrap_or_default())?,
        };
        if events.is_empty() {
            let bytes = Some(content.to_vec());
            return Ok(Removed {
                bytes,
                events,
                is_edited: false,
            });
        }
        let first = self.inspect(content)?.entries.into_iter().next();
        let path = first.map(|entry| entry.program).unwrap_or_default();
        let leads_here = |before: &[u8]| self.leads_to(content, before, &path);
        let backup = backups.iter().find(|backup| leads_here(backup)).cloned();
        let bytes = match backup {
            Some(backup) => Some(backup),
            None if leads_here(b"") => None,
            None => Some(encode(mark, &with_line_ends_of(text, rest))),
        };
        Ok(Removed {
            bytes,
            events,
            is_edited: false,
        })
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

    /// What `before`, which has no hook of ours, has of hooks and events with nothing in them; `None` if it has hooks
    /// of ours, or cannot be read.
    fn empty_in(&self, before: &[u8]) -> Option<Empty> {
        let Some(document) = self.parsed(before).ok()? else {
            return Some(Empty::default());
        };
        let mut places = document.places().ok()?.into_iter();
        let has_own = places.any(|place| matches!(place.is, entry::Handler::Own(_)));
        (!has_own).then(|| document.empty())
    }

    /// Whether an installation of the program at `path` makes `content` of `before`, which has no
    /// hook of ours.
    fn leads_to(&self, content: &[u8], before: &[u8], path: &str) -> bool {
        // The shell form, as it is or as it was, or the one with `args` that earlier versions wrote everywhere.
        let forms = [CallForm::Shell, CallForm::Earlier, CallForm::Exec];
        let mut choices = forms
            .into_iter()
            .flat_map(|form| [(form, Scope::All), (form, Scope::Core)]);
        let leads = choices.any(|(form, scope)| {
            let merged = self.install(before, scope, Program { path, form });
            merged.is_ok_and(|merged| merged.bytes == content)
        });
        let entries = |content| Some(self.inspect(content).ok()?.entries);
        leads && entries(before).is_none_or(|entries| entries.is_empty())
    }

    /// The value of an event with nothing but this hook.
    pub(super) fn event(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        CstInputValue::Array(vec![self.item(spec, program)])
    }

    /// An item of an event with nothing but this hook.
    pub(super) fn item(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        let handler = self.handler(spec, program);
        match self.shape {
            Shape::Flat => handler,
            Shape::Groups => {
                let matcher = spec.matcher.map(|matcher| ("matcher", matcher.into()));
                let handlers = CstInputValue::Array(vec![handler]);
                object(matcher.into_iter().chain([(HOOKS, handlers)]))
            }
        }
    }

    fn handler(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        let words = self.words(spec.verb);
        let args = (program.form == CallForm::Exec).then(|| ("args", words.clone().into()));
        let call = [(self.command, self.call(program, &words))]
            .into_iter()
            .chain(args);
        let is_earlier = program.form == CallForm::Earlier;
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| !(is_earlier && matches!(rule.wanted, Wanted::Name(_))));
        let rules = rules.filter_map(|rule| Some((rule.key, self.value(rule.wanted, spec)?)));
        let mut properties: Vec<_> = rules.collect();
        // Behind what says which kind of entry it is.
        let at = usize::from(self.rules.first().is_some_and(|rule| rule.key == "type"));
        properties.splice(at..at, call);
        object(properties)
    }

    /// The value of `command` for a call with `args`. The full path, because a host need not have
    /// the PATH of the person's shell.
    pub(super) fn call(&self, program: Program<'_>, args: &[String]) -> CstInputValue {
        match program.form {
            CallForm::Shell | CallForm::Earlier => {
                shell::command_line(program.path, args, self.guard(program.form)).into()
            }
            CallForm::Exec => program.path.into(),
        }
    }

    /// What stands behind a call of this form here.
    pub(super) fn guard(&self, form: CallForm) -> Guard {
        let is_known = self.has_powershell || !cfg!(windows);
        match (form, cfg!(windows), self.shows_standard_error) {
            (CallForm::Exec | CallForm::Earlier, ..) => Guard::Bare,
            _ if !is_known => Guard::Bare,
            (CallForm::Shell, true, false) => Guard::PowerShell,
            (CallForm::Shell, true, true) => Guard::PowerShellSilent,
            (CallForm::Shell, false, false) => Guard::Posix,
            (CallForm::Shell, false, true) => Guard::PosixSilent,
        }
    }

    /// What a property is written as; `None` if it is to go.
    pub(super) fn value(&self, wanted: Wanted, spec: &HookSpec) -> Option<CstInputValue> {
        match wanted {
            Wanted::Text(text) | Wanted::AnyText(text) | Wanted::Name(text) => Some(text.into()),
            Wanted::Count(count) => Some(count.into()),
            Wanted::Timeout => Some((spec.timeout * self.units_per_second).into()),
            Wanted::False => Some(false.into()),
            Wanted::NotTrue | Wanted::Absent => None,
        }
    }
}

fn object(properties: impl IntoIterator<Item = (&'static str, CstInputValue)>) -> CstInputValue {
    let properties = properties.into_iter();
    CstInputValue::Object(
        properties
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

/// The text of a file, or that of a new one if there is nothing in it.
fn or_new(text: &str) -> &str {
    if text.trim().is_empty() {
        NEW_FILE
    } else {
        text
    }
}

/// The text after an edit, with the line ends of the text before: an edit that leaves nothing of a container may
/// have others.
fn with_line_ends_of(before: &str, after: String) -> String {
    let returns = before.matches("\r\n").count();
    if returns == 0 || returns != before.matches('\n').count() {
        return after;
    }
    after.replace("\r\n", "\n").replace('\n', "\r\n")
}

pub(super) fn decode(content: &[u8]) -> Result<(&'static str, &str), ContentError> {
    let text = str::from_utf8(content).map_err(|error| {
        let valid = content.get(..error.valid_up_to()).unwrap_or_default();
        let valid = str::from_utf8(valid).unwrap_or_default();
        let (line, column) = document::end_of(valid);
        ContentError::NotUtf8 { line, column }
    })?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (BYTE_ORDER_MARK, text),
        None => ("", text),
    })
}

pub(super) fn encode(mark: &str, text: &str) -> Vec<u8> {
    [mark.as_bytes(), text.as_bytes()].concat()
}
