//! The transcripts that the hosts have kept.

use std::fs;
use std::path::{Path, PathBuf};

use attest_host::{Host, KeptSessions, Of, hosts};
use attest_snapshot::Budget;
use jiff::Timestamp;

use attest_base::env::Env;
use attest_base::targets;

/// Folders in each other that are looked through.
const MAX_DEPTH: usize = 8;
/// Bytes of a file that names a folder.
const MAX_NAME_BYTES: u64 = 16 * 1024;

/// One transcript.
pub(super) struct KeptFile {
    pub(super) host: &'static dyn Host,
    pub(super) kept: &'static KeptSessions,
    pub(super) path: PathBuf,
    pub(super) of: Of,
    pub(super) bytes: u64,
    /// The folder of the work, if a file beside the transcript says.
    pub(super) folder: Option<PathBuf>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: Vec<KeptFile>,
    /// The folders in which it was looked for.
    pub(super) folders: Vec<PathBuf>,
    /// Transcripts that a host has packed, and folders that cannot be read.
    pub(super) packed: usize,
    pub(super) unreadable: Vec<PathBuf>,
}

/// Finds the transcripts that were written to since then.
pub(super) fn find(env: &Env, since: Timestamp, budget: &Budget) -> Found {
    let mut found = Found::default();
    for host in hosts::ALL.iter().copied() {
        let (Some(kept), Some(home)) = (host.profile().kept, targets::home_of(host, env)) else {
            continue;
        };
        let folder = home.join(kept.folder);
        if folder.is_dir() {
            let mut search = Search {
                host,
                kept,
                top: &folder,
                since,
                budget,
                found: &mut found,
            };
            search.folder(&folder, MAX_DEPTH);
            found.folders.push(folder);
        }
    }
    // The largest first, so that no thread is left alone with one at the end.
    found
        .files
        .sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
    found
}

struct Search<'s> {
    host: &'static dyn Host,
    kept: &'static KeptSessions,
    top: &'s Path,
    since: Timestamp,
    budget: &'s Budget,
    found: &'s mut Found,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let entries = fs::read_dir(folder).ok().filter(|_| !self.budget.is_over());
        let Some(entries) = entries else {
            self.found.unreadable.push(folder.to_owned());
            return;
        };
        for entry in entries.flatten() {
            // A link may lead in a circle.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.folder(&entry.path(), depth),
                Ok(kind) if kind.is_file() => self.file(&entry),
                _ => {}
            }
        }
    }

    fn file(&mut self, entry: &fs::DirEntry) {
        let path = entry.path();
        let Ok(below) = path.strip_prefix(self.top) else {
            return;
        };
        let (of, is_packed) = (self.kept.of(below), self.kept.is_packed(below));
        let Ok(metadata) = entry.metadata() else {
            return;
        };
        let modified = metadata
            .modified()
            .ok()
            .and_then(|at| Timestamp::try_from(at).ok());
        if of.is_none() && !is_packed || modified.is_some_and(|at| at < self.since) {
            return;
        }
        let Some(of) = of else {
            self.found.packed += 1;
            return;
        };
        let folder = self.folder_beside(below);
        self.found.files.push(KeptFile {
            host: self.host,
            kept: self.kept,
            path,
            of,
            bytes: metadata.len(),
            folder,
        });
    }

    /// The folder of the work that a file in the first folder names.
    fn folder_beside(&self, below: &Path) -> Option<PathBuf> {
        let name = self.kept.folder_file?;
        let file = self.top.join(below.components().next()?).join(name);
        let metadata = fs::metadata(&file).ok()?;
        let is_plain = metadata.is_file() && metadata.len() <= MAX_NAME_BYTES;
        let text = is_plain.then(|| fs::read_to_string(&file).ok())??;
        Some(PathBuf::from(text.trim())).filter(|folder| folder.is_absolute())
    }
}
