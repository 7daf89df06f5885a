//! Why the hooks were not installed or not removed.

use std::io;
use std::path::{Path, PathBuf};

use attest_host::Version;
use attest_host::settings::ContentError;
use thiserror::Error;

use attest_base::error::CommandError;
use attest_base::settings::SettingsError;
use attest_base::targets::TargetError;

/// Why the hooks were not installed or not removed.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("one file cannot be named for several hosts")]
    OneFileForSeveral,
    #[error("no host was found")]
    NoneDetected,
    #[error("cannot use {} for the hooks: {why}", path.display())]
    Binary { path: PathBuf, why: &'static str },
    #[error("cannot tell where this program is")]
    CurrentProgram(#[source] io::Error),
    #[error(
        "{title} {version} at {} is too old: the hooks need {least} or newer",
        program.display(),
    )]
    HostTooOld {
        title: &'static str,
        program: PathBuf,
        version: Version,
        least: Version,
        advice: &'static str,
    },
    #[error(
        "which version of {title} {} is cannot be told ({why}), and one before {least} would ignore \
         the whole settings file with these hooks in it",
        program.display(),
    )]
    HostLate {
        title: &'static str,
        program: PathBuf,
        why: String,
        least: Version,
    },
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

impl InstallError {
    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Target(error) => Some(error.hint()),
            Self::Binary { .. } => Some("name the attest program with --binary"),
            Self::CurrentProgram(_) => Some("name it with --binary"),
            Self::HostTooOld { advice, .. } => Some(advice),
            Self::HostLate { .. } => {
                Some("try again when the machine is less busy, or name --force if it is new enough")
            }
            Self::OneFileForSeveral => Some("name one host, or leave out --settings"),
            Self::NoneDetected => Some("name one with --host"),
            Self::Settings(error) => Some(error.hint()),
            Self::Output(_) => None,
        }
    }

    /// The error of the command.
    pub(crate) fn hinted(self) -> CommandError {
        let hint = self.hint();
        let error = CommandError::from(self);
        match hint {
            Some(hint) => error.hinted(hint),
            None => error,
        }
    }
}

/// A settings file that is left as it is because of its content.
pub(crate) fn refused(path: &Path, source: ContentError) -> InstallError {
    SettingsError::Content {
        path: path.to_owned(),
        source,
    }
    .into()
}
