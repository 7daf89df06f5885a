//! What leads to commits, and whether any of it was lost since the start.
//!
//! Packing moves objects and a prune drops those that nothing leads to, and both look alike. But a commit can
//! only be dropped if what led to it is gone: a line in a log of HEAD, a branch, a stash or a linked work tree.
//! If all of that is still there, what was packed away is not work that was lost.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::identity::{Digest, Identity};

/// Linked work trees whose logs are compared. With more, nothing is known.
const MOST_LINKED: usize = 64;
/// Bytes at the end of a log in which its last line is looked for.
const LAST_LINE: u64 = 4096;
/// What git writes to the log of HEAD when it stashes, among others. Of a reset to another commit it writes that one.
const STASHED: &[u8] = b"\treset: moving to HEAD\n";

/// What led to commits at a start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trail {
    /// The last line of the log of HEAD in the main work tree, and in each linked one by the name of its folder.
    heads: BTreeMap<String, Vec<u8>>,
    /// The configuration: git writes it when it deletes a branch.
    config: Digest,
    /// The folder of the linked work trees; absent if there are none.
    linked: Option<Digest>,
}

impl Trail {
    /// Reads it from the files of `common_dir`; absent if they do not tell everything.
    pub(crate) fn read(common_dir: &Path) -> Option<Self> {
        let linked = common_dir.join("worktrees");
        let mut heads = BTreeMap::new();
        let names = match fs::read_dir(&linked) {
            Ok(entries) => entries
                .take(MOST_LINKED + 1)
                .map(|entry| entry.ok()?.file_name().into_string().ok())
                .collect::<Option<Vec<_>>>()?,
            Err(error) if crate::nothing::is_missing(&error) => Vec::new(),
            Err(_) => return None,
        };
        if names.len() > MOST_LINKED {
            return None;
        }
        for name in std::iter::once(String::new()).chain(names) {
            let log = log_of(common_dir, &name);
            heads.insert(name, last_line(&log)?);
        }
        Some(Self {
            heads,
            config: digest(&common_dir.join("config"))?,
            linked: digest(&linked),
        })
    }

    /// How many stashes may have come since, each of which may be gone again. `None` if anything else that led to
    /// commits then does not now, or came and went in between.
    /// `has_dropped_a_branch` is whether a branch of the start is gone: the logs of HEAD have what was added to
    /// it, and the configuration was written for it.
    pub(crate) fn stashes(&self, common_dir: &Path, has_dropped_a_branch: bool) -> Option<usize> {
        let is_configured_as_it_was =
            has_dropped_a_branch || digest(&common_dir.join("config")) == Some(self.config);
        let is_as_it_was =
            is_configured_as_it_was && digest(&common_dir.join("worktrees")) == self.linked;
        if !is_as_it_was {
            return None;
        }
        let new = self.heads.iter().map(|(name, last)| {
            let new = since(&log_of(common_dir, name), last)?;
            Some(memchr::memmem::find_iter(&new, STASHED).count())
        });
        new.sum()
    }
}

fn log_of(common_dir: &Path, linked: &str) -> PathBuf {
    let folder = if linked.is_empty() {
        common_dir.to_owned()
    } else {
        common_dir.join("worktrees").join(linked)
    };
    folder.join("logs/HEAD")
}

fn digest(place: &Path) -> Option<Digest> {
    let metadata = fs::symlink_metadata(place).ok()?;
    Some(Digest::of(&Identity::of(&metadata)?))
}

/// The last line of a file; absent if it has none, or it is longer than any that git writes.
fn last_line(log: &Path) -> Option<Vec<u8>> {
    let (text, is_whole) = end_of(log, LAST_LINE)?;
    let text = text.strip_suffix(b"\n")?;
    let begin = memchr::memrchr(b'\n', text);
    match begin {
        Some(begin) => Some(text[begin + 1..].to_vec()),
        None => is_whole.then(|| text.to_vec()),
    }
}

/// What a log has behind a line; absent if the line is gone.
fn since(log: &Path, line: &[u8]) -> Option<Vec<u8>> {
    let (text, _) = end_of(log, bounds::CONFIG)?;
    let mut behind = text.len();
    loop {
        let end = memchr::memrchr(b'\n', &text[..behind])?;
        let begin = memchr::memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
        if &text[begin..end] == line {
            return Some(text[end + 1..].to_vec());
        }
        behind = begin;
    }
}

/// The last bytes of a regular file, and whether these are all.
fn end_of(place: &Path, most: u64) -> Option<(Vec<u8>, bool)> {
    let metadata = fs::symlink_metadata(place).ok()?;
    if !metadata.is_file() {
        return None;
    }
    let mut file = File::open(place).ok()?;
    let skipped = metadata.len().saturating_sub(most);
    file.seek(SeekFrom::Start(skipped)).ok()?;
    let mut text = Vec::new();
    file.take(most).read_to_end(&mut text).ok()?;
    Some((text, skipped == 0))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn repository() -> TempDir {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("logs")).unwrap();
        fs::write(folder.path().join("logs/HEAD"), "0 1 a\tone\n1 2 a\ttwo\n").unwrap();
        fs::write(folder.path().join("config"), "").unwrap();
        folder
    }

    fn add(folder: &Path, lines: &str) {
        let log = folder.join("logs/HEAD");
        let text = fs::read_to_string(&log).unwrap();
        fs::write(log, text + lines).unwrap();
    }

    #[test]
    fn a_log_that_goes_on_has_lost_nothing() {
        let folder = repository();
        let trail = Trail::read(folder.path()).unwrap();
        assert_eq!(trail.stashes(folder.path(), false), Some(0));
        add(folder.path(), "2 3 a\tcommit: three\n");
        assert_eq!(trail.stashes(folder.path(), false), Some(0));
        add(folder.path(), &"3 3 a\treset: moving to HEAD\n".repeat(2));
        assert_eq!(trail.stashes(folder.path(), false), Some(2));
        add(folder.path(), "3 2 a\treset: moving to HEAD~1\n");
        assert_eq!(trail.stashes(folder.path(), false), Some(2));
    }

    type Loss = fn(&Path);

    #[test]
    fn what_may_have_led_to_a_commit_that_is_gone_is_a_loss() {
        let losses: [(&str, Loss); 4] = [
            ("a log that expired", |folder| {
                fs::write(folder.join("logs/HEAD"), "2 3 a\tthree\n").unwrap();
            }),
            ("no log", |folder| {
                fs::remove_file(folder.join("logs/HEAD")).unwrap();
            }),
            ("a branch", |folder| {
                fs::write(folder.join("config.lock"), "").unwrap();
                fs::rename(folder.join("config.lock"), folder.join("config")).unwrap();
            }),
            ("a work tree", |folder| {
                fs::create_dir(folder.join("worktrees")).unwrap();
            }),
        ];
        for (what, lose) in losses {
            let folder = repository();
            let trail = Trail::read(folder.path()).unwrap();
            lose(folder.path());
            assert_eq!(trail.stashes(folder.path(), false), None, "{what}");
            let is_explained = trail.stashes(folder.path(), true).is_some();
            assert_eq!(is_explained, what == "a branch", "{what}");
        }
    }

    #[test]
    fn without_a_log_nothing_is_known() {
        let folder = repository();
        fs::create_dir_all(folder.path().join("worktrees/w")).unwrap();
        assert_eq!(Trail::read(folder.path()), None);
        fs::create_dir(folder.path().join("worktrees/w/logs")).unwrap();
        fs::write(folder.path().join("worktrees/w/logs/HEAD"), "0 1 a\tw\n").unwrap();
        assert!(Trail::read(folder.path()).is_some());
        fs::write(folder.path().join("logs/HEAD"), "").unwrap();
        assert_eq!(Trail::read(folder.path()), None);
    }
}
