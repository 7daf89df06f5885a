//! The log file: one line per event that a hook could tell nobody else.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use attest_snapshot::Untrusted;
use attest_store::private;
use jiff::Timestamp;

use crate::config::Config;

/// Size at which the log becomes `attest.log.1` and a new one begins, in bytes.
const FULL: u64 = 4 * 1024 * 1024;

/// How much is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Off,
    Error,
    Warn,
    Info,
    Debug,
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "off" => Self::Off,
            "error" => Self::Error,
            "warn" => Self::Warn,
            "info" => Self::Info,
            "debug" => Self::Debug,
            _ => return Err("expected off, error, warn, info or debug"),
        })
    }
}

/// Writes lines to the log file; a line that cannot be written is lost, and nothing else is.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    path: Option<PathBuf>,
    level: Level,
    topic: &'static str,
}

impl Log {
    pub(crate) fn new(config: &Config, topic: &'static str) -> Self {
        Self {
            path: config
                .folder
                .as_ref()
                .map(|folder| folder.join("attest.log")),
            level: config.log_level,
            topic,
        }
    }

    /// Writes one line: time, level, topic, reason code, message.
    pub(crate) fn write(&self, level: Level, code: &str, message: impl Display) {
        if level > self.level {
            return;
        }
        let Some(path) = &self.path else { return };
        let name = match level {
            Level::Off => return,
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
        };
        let line = format!(
            "{:.3} {name} {} {code} {message}",
            Timestamp::now(),
            self.topic
        );
        // One write per line: lines of hooks that run at once do not mix.
        let line = format!("{}\n", Untrusted::new(&line));
        let _ = open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    }

    /// A line for an error and everything that caused it.
    pub(crate) fn error(&self, code: &str, error: &dyn std::error::Error) {
        self.write(Level::Error, code, chain(error));
    }
}

/// An error with its causes, on one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    text
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        private::make_folder(folder)?;
    }
    if let Ok(metadata) = fs::symlink_metadata(path) {
        if !metadata.is_file() {
            return Err(io::Error::other("the log is no regular file"));
        }
        if metadata.len() >= FULL {
            fs::rename(path, path.with_extension("log.1"))?;
        }
    }
    private::open_options().append(true).create(true).open(path)
}
