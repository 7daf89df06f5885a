//! The log file: one line per event that a hook could tell nobody else.

use std::fmt::{self, Display, Write as _};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use attest_snapshot::Untrusted;
use attest_state::private;
use jiff::Timestamp;

/// Size at which the log becomes `attest.log.1` and a new one begins, in bytes.
const FULL: u64 = 4 * 1024 * 1024;
/// Bytes of one line at most. Names and words of others are in it, of any length.
const LONGEST: usize = 4 * 1024;
/// Bytes of a line that show that it is one.
const HEAD: usize = 64;
/// The levels that a line may have, by name.
const LEVELS: [(&str, Level); 4] = [
    ("ERROR", Level::Error),
    ("WARN", Level::Warn),
    ("INFO", Level::Info),
    ("DEBUG", Level::Debug),
];
/// Stands where a line was cut.
const CUT: &str = "… (cut)";

/// How much is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Off,
    /// What went wrong in attest itself.
    Error,
    /// What a person has to know.
    Warn,
    /// What was judged.
    Info,
    /// Each step.
    Debug,
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = LEVELS.into_iter().chain([("OFF", Self::Off)]);
        let named = all.find(|(name, _)| name.eq_ignore_ascii_case(text));
        let level = named.map(|(_, level)| level);
        level.ok_or("expected off, error, warn, info or debug")
    }
}

/// Writes lines to the log file; a line that cannot be written is lost, and nothing else is.
#[derive(Debug, Clone)]
pub struct Log {
    path: Option<PathBuf>,
    level: Level,
    topic: &'static str,
}

impl Log {
    /// A log in `folder`, if there is one, for what is at most as fine as `level`.
    #[must_use]
    pub fn new(folder: Option<&Path>, level: Level, topic: &'static str) -> Self {
        Self {
            path: folder.map(|folder| folder.join("attest.log")),
            level,
            topic,
        }
    }

    /// Writes one line: time, level, topic, reason code, message.
    pub fn write(&self, level: Level, code: &str, message: impl Display) {
        if level > self.level {
            return;
        }
        let Some(path) = &self.path else { return };
        let mut names = LEVELS.iter().filter(|(_, it)| *it == level);
        let Some((name, _)) = names.next() else {
            return;
        };
        // Cut before it is escaped, and after: neither may take more memory than a line has.
        let mut text = Short::default();
        let written = write!(
            text,
            "{:.3} {name} {} {code} {message}",
            Timestamp::now(),
            self.topic
        );
        let mut line = Short::default();
        let escaped = write!(line, "{}", Untrusted::new(&text.0));
        let end = if written.and(escaped).is_ok() {
            ""
        } else {
            CUT
        };
        // One write per line: lines of hooks that run at once do not mix.
        let line = format!("{}{end}\n", line.0);
        let _ = open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    }

    /// The file, if it is there and no line can be written to it, and why.
    #[must_use]
    pub fn obstacle(&self) -> Option<(&Path, io::Error)> {
        let path = self.path.as_deref()?;
        // What is no regular file is refused before it is opened, as it is for a line: a pipe would wait.
        let opened = is_full(path).and_then(|_| OpenOptions::new().append(true).open(path));
        match opened {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Some((path, error)),
            _ => None,
        }
    }

    /// A line for an error and everything that caused it.
    pub fn error(&self, code: &str, error: &dyn std::error::Error) {
        self.write(Level::Error, code, chain(error));
    }
}

/// An error with its causes, on one line.
pub fn chain(error: &dyn std::error::Error) -> String {
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

/// The beginning of a text, as much as one line holds; what does not fit is an error.
#[derive(Default)]
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = LONGEST - CUT.len() - 1 - self.0.len();
        let fits = text.floor_char_boundary(left);
        self.0.push_str(&text[..fits]);
        if fits == text.len() {
            Ok(())
        } else {
            Err(fmt::Error)
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        private::make_folder(folder)?;
    }
    if is_full(path)? {
        turn_over(path)?;
    }
    private::open_file(path, OpenOptions::new().append(true))
}

fn is_full(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(metadata.len() >= FULL),
        Ok(_) => Err(io::Error::other("the log is no regular file")),
        // Not there yet; anything else is found out when it is opened.
        Err(_) => Ok(false),
    }
}

/// Makes room for a new log. Of many that find it full at once one does so: it looks again when it
/// has the lock of the folder, since a log that was renamed twice would be lost. The others write
/// on in what is there.
fn turn_over(path: &Path) -> io::Result<()> {
    let folder = path.parent().map(File::open);
    // A folder that cannot be locked is used without, as on a file system that has no locks.
    if let Some(Ok(folder)) = &folder
        && matches!(folder.try_lock(), Err(TryLockError::WouldBlock))
    {
        return Ok(());
    }
    let earlier = path.with_extension("log.1");
    let is_free = fs::symlink_metadata(&earlier).is_err() || is_log(&earlier);
    if is_full(path)? {
        if !is_free {
            return Err(io::Error::other("attest.log.1 is not a log of attest"));
        }
        fs::rename(path, earlier)?;
    }
    Ok(())
}

/// Whether the file is a log: what it begins with is a line of one.
#[must_use]
pub fn is_log(path: &Path) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let mut head = [0; HEAD];
    let read = is_file.then(|| File::open(path).and_then(|mut file| file.read(&mut head)));
    let Some(Ok(length)) = read else { return false };
    let head = String::from_utf8_lossy(&head[..length]);
    let mut words = head.split(' ');
    let is_time = |word: &str| word.parse::<Timestamp>().is_ok();
    let is_level = |word: &str| LEVELS.iter().any(|(name, _)| *name == word);
    words.next().is_some_and(is_time) && words.next().is_some_and(is_level)
}

#[cfg(test)]
mod tests;
