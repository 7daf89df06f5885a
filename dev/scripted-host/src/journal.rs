//! Everything the host asked for, as JSON lines.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use crate::api;
use crate::conversation::Dialogue;

/// One request and what it was answered with.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// The order of arrival, from 1.
    pub number: usize,
    /// Milliseconds since the server started.
    pub at_ms: u128,
    /// The HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The script that was played, if it is an agent's request.
    pub script: Option<String>,
    /// Which turn of the script.
    pub turn: Option<usize>,
    /// Whether the script was over before the host was. A test must not pass by that.
    pub exhausted: bool,
    /// The status of the answer.
    pub status: u16,
    /// What the host sent: JSON, or null if it was not.
    pub request: Value,
    /// What it was sent.
    pub response: Value,
}

/// Everything that the conversation of `script` was told by others than its model, in order: the
/// texts and tool results of its longest request.
#[must_use]
pub fn told<'e>(entries: &'e [Entry], script: &str) -> Vec<&'e str> {
    let entries = entries.iter();
    let own = entries.filter(|entry| entry.script.as_deref() == Some(script));
    let read = own.filter_map(|entry| Some(api::of(&entry.path)?.dialogue(&entry.request)));
    let longest = read.max_by_key(Dialogue::len);
    longest.map_or_else(Vec::new, |dialogue| dialogue.told())
}

/// The list of requests, kept in memory and in a file if there is one.
#[derive(Debug)]
pub struct Journal {
    started: Instant,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    numbers: usize,
    entries: Vec<Entry>,
    file: Option<File>,
}

impl Journal {
    /// A journal that is also written to `path`, line by line.
    pub fn new(path: Option<&Path>) -> std::io::Result<Self> {
        let inner = Inner {
            numbers: 0,
            entries: Vec::new(),
            file: path.map(File::create).transpose()?,
        };
        Ok(Self {
            started: Instant::now(),
            inner: Mutex::new(inner),
        })
    }

    /// The number of a request that has just come in.
    pub(crate) fn number(&self) -> usize {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.numbers += 1;
        inner.numbers
    }

    pub(crate) fn elapsed_ms(&self) -> u128 {
        self.started.elapsed().as_millis()
    }

    /// A full disk must not change what the host is answered, so the file is best effort; the
    /// entries in memory are what a test reads.
    pub(crate) fn add(&self, entry: Entry) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(file), Ok(mut line)) = (&mut inner.file, serde_json::to_string(&entry)) {
            line.push('\n');
            let _ = file.write_all(line.as_bytes());
        }
        inner.entries.push(entry);
    }

    /// What was asked so far, in the order of arrival.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = inner.entries.clone();
        entries.sort_by_key(|entry| entry.number);
        entries
    }
}
