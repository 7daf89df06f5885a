//! The configuration of a repository, as read by libgit2 or as listed by git.

use std::collections::HashMap;
use std::path::PathBuf;

use git2::ErrorCode;

use crate::git::{Ask, Git, GitError};
use crate::libgit2::refused;
use crate::origin;
use crate::os_path::path_of;
use crate::repository::Access;
use crate::{Limits, Repository, Unreadable};

/// All settings in force.
pub(crate) enum Config<'a> {
    LibGit2(git2::Config),
    /// By name, with the section and the last part in lower case. The last value counts; a setting
    /// without `=` is absent.
    Listed {
        values: HashMap<Vec<u8>, Option<Vec<u8>>>,
        git: Git<'a>,
    },
}

impl<'a> Config<'a> {
    pub(crate) fn read(repository: &'a Repository, limits: &Limits) -> Result<Self, Unreadable> {
        if let Access::Fast(opened) | Access::LibGit2(opened) = &repository.access {
            let config = opened.config().and_then(|mut config| config.snapshot());
            let config = config.map_err(|error| refused(&error))?;
            // libgit2 leaves out files that are included on this condition, and git does not.
            let mut unknown = config
                .entries(Some(r"^includeif\.hasconfig:"))
                .map_err(|error| refused(&error))?;
            let is_known = unknown.next().is_none();
            drop(unknown);
            if is_known {
                return Ok(Self::LibGit2(config));
            }
        }
        let git = repository.git(limits);
        let nothing: [&str; 0] = [];
        let output = git.ask_twice(Ask::Settings, &nothing)?;
        let mut values = HashMap::new();
        for record in output.split(|byte| *byte == 0) {
            let mut parts = record.splitn(2, |byte| *byte == b'\n');
            let name = parts.next().unwrap_or_default().to_vec();
            values.insert(name, parts.next().map(<[u8]>::to_vec));
        }
        Ok(Self::Listed { values, git })
    }

    /// A boolean setting.
    pub(crate) fn flag(&self, name: &'static str, default: bool) -> Result<bool, Unreadable> {
        match self {
            Self::LibGit2(config) => match config.get_bool(name) {
                Ok(value) => Ok(value),
                Err(error) if error.code() == ErrorCode::NotFound => Ok(default),
                Err(error) => Err(refused(&error)),
            },
            Self::Listed { values, .. } => match values.get(name.as_bytes()) {
                None => Ok(default),
                Some(None) => Ok(true),
                Some(Some(value)) => switch(value).ok_or_else(|| {
                    let value = crate::escaped(value);
                    Unreadable::Recorded(format!("{name} is {value:?}, which is no switch"))
                }),
            },
        }
    }

    /// A text setting.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Unreadable> {
        match self {
            Self::LibGit2(config) => match config.get_string(name) {
                Ok(value) => Ok(Some(value)),
                Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
                Err(error) => Err(refused(&error)),
            },
            Self::Listed { values, .. } => Ok(values.get(name.as_bytes()).map(|value| {
                let value = value.as_deref().unwrap_or_default();
                String::from_utf8_lossy(value).into_owned()
            })),
        }
    }

    /// What names the repository that this one was cloned from on all machines.
    pub(crate) fn origin(&self) -> Option<String> {
        let url = self.text("remote.origin.url").ok()??;
        origin::name_of(&url)
    }

    /// A path setting, with the home folder in place of its `~`.
    pub(crate) fn path(
        &self,
        name: &str,
        repository: &Repository,
        limits: &Limits,
    ) -> Result<Option<PathBuf>, Unreadable> {
        let ask = |git: &Git<'_>| -> Result<Option<PathBuf>, Unreadable> {
            let value = git.ask_twice(Ask::PathSetting, &[name])?;
            let value = value
                .strip_suffix(b"\0")
                .ok_or(GitError::Answer { command: "config" })?;
            Ok(Some(path_of(value)?))
        };
        match self {
            Self::LibGit2(config) => match config.get_path(name) {
                // git means a folder of its own, or a newer git means something else.
                Ok(path)
                    if path.starts_with("%(prefix)")
                        || path.as_os_str().as_encoded_bytes().starts_with(b":(") =>
                {
                    ask(&repository.git(limits))
                }
                Ok(path) => Ok(Some(path)),
                Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
                Err(error) => Err(refused(&error)),
            },
            Self::Listed { values, git } => match values.get(name.as_bytes()) {
                None => Ok(None),
                Some(_) => ask(git),
            },
        }
    }
}

/// git's words for on and off.
fn switch(value: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(value).ok()?.to_ascii_lowercase();
    match text.as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" | "" => Some(false),
        text => text.parse::<i64>().ok().map(|number| number != 0),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
