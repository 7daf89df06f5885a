//! `[export]` of the person's settings: a file to which each stop adds a line, for a collector to read.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_state::{Store, StoreError, history, private};
use thiserror::Error;
use toml::Table;

use crate::env::at_home;
use crate::record::{Level, Records};

/// Where lines go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Export {
    file: PathBuf,
    level: Level,
    salt: Option<String>,
}

#[derive(Debug, Error)]
pub(crate) enum ExportError {
    #[error("cannot write to {path:?}")]
    Write { path: PathBuf, source: io::Error },
    #[error("the verdict cannot be read")]
    Store(#[from] StoreError),
    #[error("the verdict cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl Export {
    /// What a table says. A key that is not understood is an error, and its name is given: more could leave than is
    /// wanted.
    pub(crate) fn read(table: &Table) -> Result<Option<Self>, String> {
        let mut read = Self {
            file: PathBuf::new(),
            level: Level::default(),
            salt: None,
        };
        for (key, value) in table {
            let text = value.as_str().filter(|text| !text.is_empty());
            let text = text.ok_or_else(|| format!("export.{key}"))?;
            match key.as_str() {
                "file" => read.file = PathBuf::from(text),
                "level" => read.level = text.parse().map_err(|_| format!("export.{key}"))?,
                "salt" => read.salt = Some(text.to_owned()),
                _ => return Err(format!("export.{key}")),
            }
        }
        let is_placed = read.file.is_absolute() || read.file.starts_with("~");
        match read.file.as_os_str().is_empty() {
            true => Ok(None),
            false if is_placed => Ok(Some(read)),
            false => Err("export.file".to_owned()),
        }
    }

    /// The same for the person whose home folder this is.
    pub(crate) fn of_home(self, home: &Path) -> Self {
        Self {
            file: at_home(self.file, Some(home)),
            ..self
        }
    }

    /// Adds the line of a verdict.
    pub(crate) fn add(&self, store: &Store, id: &str) -> Result<(), ExportError> {
        let records = records(store, self.level, self.salt.as_deref())?;
        let record = records.record(&history::record(store, id)?);
        let line = serde_json::to_string(&record)?;
        append(&self.file, &line).map_err(|source| ExportError::Write {
            path: self.file.clone(),
            source,
        })
    }
}

/// What makes records of the verdicts of a state file.
pub(crate) fn records(
    store: &Store,
    level: Level,
    salt: Option<&str>,
) -> Result<Records, StoreError> {
    let instance = history::instance(store)?;
    let salt = salt.map_or_else(|| instance.clone(), str::to_owned);
    Ok(Records {
        instance,
        level,
        salt,
    })
}

/// Adds a line in one write, so that lines of hooks that run at once do not mix. The file is opened for each line:
/// whoever renames it gets no more, and whoever empties it gets the next at its beginning.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // A pipe that nobody reads would wait.
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let mut file = private::open_file(path, &options)?;
    let line = format!("{line}\n");
    let written = file.write(line.as_bytes())?;
    if written < line.len() {
        // What is torn must not take the next line along.
        let _ = file.write(b"\n");
        return Err(io::Error::from(io::ErrorKind::StorageFull));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Export>, String> {
        Export::read(&text.parse().unwrap())
    }

    #[test]
    fn what_is_not_understood_exports_nothing() {
        let all = "file = \"~/a.jsonl\"\nlevel = \"full\"\nsalt = \"s\"";
        let read_all = read(all).unwrap().unwrap().of_home(Path::new("/home/me"));
        assert_eq!(read_all.file, Path::new("/home/me/a.jsonl"));
        assert_eq!(
            (read_all.level, read_all.salt.as_deref()),
            (Level::Full, Some("s"))
        );
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("level = \"counts\"").unwrap(), None);
        for (text, key) in [
            ("file = \"a.jsonl\"", "export.file"),
            ("file = 1", "export.file"),
            ("file = \"/a\"\nlevel = \"all\"", "export.level"),
            ("file = \"/a\"\nlevle = \"full\"", "export.levle"),
        ] {
            assert_eq!(read(text).unwrap_err(), key);
        }
    }
}
