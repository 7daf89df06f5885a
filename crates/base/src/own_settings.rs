//! `~/.attest/settings.toml`: what a person wants of attest, for the hooks of every host.
//!
//! A line is a variable of attest as it could stand in the environment; below the name of a host, it is for that one
//! alone. What a hook's environment has, which is where a host puts the variables of its own settings, counts more.
//! The file is in the home folder and nowhere else, so that no repository can have one.

mod edit;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use attest_host::hosts;
use attest_process::without_number;
use attest_snapshot::read_regular_whole;
use toml::{Table, Value};

pub use self::edit::{Edited, Section, Whose, own, with_sections};
use crate::env::{self, Env};
use crate::export::Export;

/// The most that the file may have, in bytes.
const MOST: u64 = 64 * 1024;

/// Variables, each with its value.
pub type Variables = Vec<(String, String)>;

/// What the file says.
#[derive(Debug, Clone, Default)]
pub struct OwnSettings {
    /// Where it is, if there is a home folder.
    pub path: Option<PathBuf>,
    /// What it says for the hooks of every host.
    pub everywhere: Variables,
    of_hosts: BTreeMap<String, Variables>,
    /// Where verdicts go as well.
    pub export: Option<Export>,
    /// What is not understood of it.
    pub faults: Vec<Fault>,
}

/// Something in the file that counts for nothing.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No file that can be read, and why.
    Unreadable(String),
    /// No TOML, and where it ceases to be. Nothing in the file counts.
    NotToml { line: usize, column: usize },
    /// A table whose name is no host's.
    UnknownHost(String),
    /// A key that is not a setting.
    UnknownKey(String),
    /// A setting with a value that no variable can have.
    NotText(String),
    /// Something that is said of where verdicts are to go.
    Export(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "{why}, so nothing in it counts"),
            Self::NotToml { line, column } => write!(
                f,
                "line {line}, column {column}: it is not valid TOML there, so nothing in it counts"
            ),
            Self::UnknownHost(name) => write!(f, "[{name}] is not the name of a host"),
            Self::UnknownKey(name) => write!(f, "{name} is not a setting"),
            Self::Export(name) => write!(f, "{name} is not understood, so nothing is exported"),
            Self::NotText(name) => {
                write!(f, "{name} is neither text nor a number, true or false")
            }
        }
    }
}

impl OwnSettings {
    /// Reads the file of the person, if there is one.
    #[must_use]
    pub fn read(env: &Env) -> Self {
        let Some(path) = env.home().map(|home| in_home(&home)) else {
            return Self::default();
        };
        let said = match read_regular_whole(&path, MOST) {
            Ok(None) => Self::default(),
            Ok(Some((bytes, _))) => Self::of(&bytes),
            Err(error) => Self::damaged(Fault::Unreadable(without_number(&error.to_string()))),
        };
        let home = env.home().unwrap_or_default();
        Self {
            export: said.export.clone().map(|export| export.of_home(&home)),
            ..said.at(path)
        }
    }

    /// The same in a file here.
    #[must_use]
    pub fn at(self, path: PathBuf) -> Self {
        Self {
            path: Some(path),
            ..self
        }
    }

    /// What a file with this content would say.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(content) else {
            return Self::damaged(Fault::Unreadable("it is not UTF-8".to_owned()));
        };
        match text.parse::<Table>() {
            Ok(table) => Self::of_table(&table),
            Err(error) => Self::damaged(place(text, error.span().map(|span| span.start))),
        }
    }

    fn damaged(fault: Fault) -> Self {
        Self {
            faults: vec![fault],
            ..Self::default()
        }
    }

    fn of_table(table: &Table) -> Self {
        let mut said = Self::default();
        for (name, value) in table {
            match value {
                Value::Table(section) if hosts::named(name).is_ok() => {
                    let variables = said.variables(section.iter(), Some(name));
                    said.of_hosts.insert(name.clone(), variables);
                }
                Value::Table(section) if name == "export" => match Export::read(section) {
                    Ok(export) => said.export = export,
                    Err(key) => said.faults.push(Fault::Export(key)),
                },
                Value::Table(_) => said.faults.push(Fault::UnknownHost(name.clone())),
                _ => {}
            }
        }
        let plain = table.iter().filter(|(_, value)| !value.is_table());
        said.everywhere = said.variables(plain, None);
        said
    }

    /// The settings among the keys of a table.
    fn variables<'t>(
        &mut self,
        keys: impl Iterator<Item = (&'t String, &'t Value)>,
        host: Option<&str>,
    ) -> Variables {
        let mut variables = Variables::new();
        for (name, value) in keys {
            let named = || host.map_or_else(|| name.clone(), |host| format!("[{host}] {name}"));
            if !env::settings().any(|it| it == name) {
                self.faults.push(Fault::UnknownKey(named()));
            } else if let Some(text) = text(value) {
                variables.push((name.clone(), text));
            } else {
                self.faults.push(Fault::NotText(named()));
            }
        }
        variables
    }

    /// What is said for the hooks of a host alone.
    #[must_use]
    pub fn section(&self, host: &str) -> Variables {
        self.of_hosts.get(host).cloned().unwrap_or_default()
    }

    /// The environment with what the file says below it: for the hooks of a host, or for no host.
    #[must_use]
    pub fn below(&self, env: &Env, host: Option<&str>) -> Env {
        let mut all = self.everywhere.clone();
        all.extend(host.map(|host| self.section(host)).unwrap_or_default());
        env.over(&all)
    }

    /// Whether the file as a whole could not be used.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        let is_whole =
            |fault: &Fault| matches!(fault, Fault::Unreadable(_) | Fault::NotToml { .. });
        self.faults.iter().any(is_whole)
    }

    /// Its faults, each in a sentence that names the file.
    pub fn complaints(&self) -> impl Iterator<Item = String> {
        let path = self.path.clone().unwrap_or_default();
        let faults = self.faults.iter();
        faults.map(move |fault| format!("{}: {fault}", path.display()))
    }
}

/// Whether a file is one of these: it begins as one that attest made.
#[must_use]
pub fn is_own(path: &Path) -> bool {
    let content = read_regular_whole(path, MOST).ok().flatten();
    content.is_some_and(|(content, _)| content.starts_with(edit::HEAD.as_bytes()))
}

/// What the file is called in the folder of attest.
pub const NAME: &str = "settings.toml";

/// Where the file is.
fn in_home(home: &Path) -> PathBuf {
    home.join(".attest").join(NAME)
}

/// A value as a variable has it.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(is_on) => Some(u8::from(*is_on).to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// The place of a fault that begins at this byte.
fn place(text: &str, at: Option<usize>) -> Fault {
    let before = text.get(..at.unwrap_or_default()).unwrap_or(text);
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    Fault::NotToml {
        line: before.matches('\n').count() + 1,
        column: before.get(begin..).unwrap_or_default().chars().count() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, name: &str, host: Option<&str>) -> Option<String> {
        let env = OwnSettings::of(text.as_bytes()).below(&Env::from([]), host);
        env.text(name).map(str::to_owned)
    }

    #[test]
    fn a_line_is_for_every_host_unless_its_own_says_otherwise() {
        let text = "ATTEST_ENFORCE = true\nATTEST_MAX_RETRIES = 2\nATTEST_STOP_DEADLINE = 1.5\n\
                    [codex]\nATTEST_ENFORCE = '0'\n";
        for (name, host, expected) in [
            (env::ENFORCE, None, "1"),
            (env::ENFORCE, Some("qwen"), "1"),
            (env::ENFORCE, Some("codex"), "0"),
            (env::MAX_RETRIES, Some("codex"), "2"),
            (env::STOP_DEADLINE, None, "1.5"),
        ] {
            assert_eq!(
                said(text, name, host).as_deref(),
                Some(expected),
                "{host:?}"
            );
        }
        assert_eq!(OwnSettings::of(text.as_bytes()).faults, []);
    }

    #[test]
    fn what_is_not_understood_counts_for_nothing_and_the_rest_does() {
        let text = "ATTEST_ENFORCE = 1\nATTEST_ENFROCE = 1\nATTEST_STRICT = ['dirty']\nPATH = 'x'\n\
                    [codx]\nATTEST_ENFORCE = 0\n[qwen]\nHOME = 'x'\n";
        let settings = OwnSettings::of(text.as_bytes());
        let faults: Vec<_> = settings.faults.iter().map(Fault::to_string).collect();
        assert_eq!(
            faults,
            [
                "[codx] is not the name of a host",
                "[qwen] HOME is not a setting",
                "ATTEST_ENFROCE is not a setting",
                "ATTEST_STRICT is neither text nor a number, true or false",
                "PATH is not a setting",
            ]
        );
        assert!(!settings.is_damaged());
        assert_eq!(said(text, env::ENFORCE, Some("qwen")).as_deref(), Some("1"));
        assert_eq!(said(text, env::PATH, Some("qwen")), None);
    }

    #[test]
    fn of_a_damaged_file_nothing_counts() {
        for (content, place) in [
            (&b"ATTEST_ENFORCE = 1\nATTEST_ENFORCE = 1\n"[..], "line 2"),
            (b"ATTEST_ENFORCE = 1\n[codex\n", "line 2, column "),
            (b"ATTEST_ENFORCE = 1\n\xff", "it is not UTF-8"),
            (b"{\"ATTEST_ENFORCE\": 1}", "line 1, column "),
        ] {
            let settings = OwnSettings::of(content);
            assert!(settings.is_damaged());
            assert!(
                settings.faults[0].to_string().starts_with(place),
                "{:?}",
                settings.faults
            );
            assert_eq!(
                settings
                    .below(&Env::from([]), Some("codex"))
                    .text(env::ENFORCE),
                None
            );
        }
    }
}
