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
pub struct Export {
    file: PathBuf,
    level: Level,
    salt: Option<String>,
}

#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum ExportError {
    #[error("cannot write to {path:?}")]
    Write { path: PathBuf, source: io::Error },
    #[error("the verdict cannot be read")]
    Store(#[from] StoreError),
}

impl Export {
    /// What a table says. A key that is not understood is an error, and its name is given: more could leave than is
    /// wanted.
    pub fn read(table: &Table) -> Result<Option<Self>, String> {
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
    #[must_use]
    pub fn of_home(self, home: &Path) -> Self {
        Self {
            file: at_home(self.file, Some(home)),
            ..self
        }
    }

    /// Adds the line of a verdict.
    pub fn add(&self, store: &Store, id: &str) -> Result<(), ExportError> {
        let records = records(store, self.level, self.salt.as_deref())?;
        let line = records.record(&history::record(store, id)?).line();
        append(&self.file, &line).map_err(|source| ExportError::Write {
            path: self.file.clone(),
            source,
        })
    }
}

/// What makes records of the verdicts of a state file.
pub fn records(store: &Store, level: Level, salt: Option<&str>) -> Result<Records, StoreError> {
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
    use std::collections::BTreeSet;

    use attest_state::history::{Entry, Recorded};
    use attest_verdict::{Outcome, ReasonCode};
    use jiff::Timestamp;

    use super::*;

    /// 50 writers at once, each with the lines of a state file of its own, into the file that `.ci/engines` names.
    #[test]
    #[ignore = ".ci/engines runs it"]
    fn fifty_writers_add_200_000_lines() {
        #[expect(clippy::disallowed_methods, reason = ".ci/engines names the file")]
        let path = PathBuf::from(std::env::var_os("ATTEST_ENGINE_FILE").unwrap());
        std::thread::scope(|scope| {
            for writer in 0..50 {
                let path = &path;
                scope.spawn(move || {
                    for sequence in 1..=4000 {
                        append(path, &line(writer, sequence)).unwrap();
                        if sequence % 100 == 0 {
                            // So that there is time to rotate the file and to restart what reads it.
                            std::thread::sleep(std::time::Duration::from_millis(1500));
                        }
                    }
                });
            }
        });
    }

    fn line(writer: u64, sequence: i64) -> String {
        let records = Records {
            instance: format!("{writer:016x}").repeat(2),
            level: Level::Counts,
            salt: "team".to_owned(),
        };
        let is_lie = sequence % 10 == 0;
        let outcome = if is_lie {
            Outcome::Mismatch
        } else {
            Outcome::Ok
        };
        let recorded = Recorded {
            entry: Entry {
                seq: sequence,
                id: format!("{sequence:016x}"),
                at: format!("{:.6}", Timestamp::now()),
                session_id: format!("{writer:x}"),
                agent_id: format!("{sequence:x}"),
                agent_type: Some("general-purpose".to_owned()),
                task: None,
                repository: Some(PathBuf::from(format!("/repo/{}", writer % 5))),
                outcome,
                reason: ReasonCode::AllowNotEnforcing,
                is_claim: true,
                blocks_before: 0,
                summary: String::new(),
                disputed: None,
            },
            origin: None,
            harness: Some("claude-code".to_owned()),
            judged: Some(vec!["files".to_owned()]),
            against: BTreeSet::new(),
            doubts: 0,
        };
        records.record(&recorded).line()
    }

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
