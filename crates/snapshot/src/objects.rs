//! Trees that were written to the object store since the start.
//!
//! Work that was committed leaves a tree behind even when the branch, the stash or the work tree
//! that led to it is gone again. So a name in any new tree is a trace of work.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::git::{Git, GitError};
use crate::path::fold;
use crate::{Moment, Unreadable};

/// Objects looked at before the rest counts as unknown.
const MOST_OBJECTS: usize = 20_000;

/// The names that new trees hold, in their folded form.
#[derive(Debug, Default)]
pub(crate) struct NewNames {
    names: HashSet<String>,
    /// A pack was written as well: there may be names that are not listed.
    pub(crate) incomplete: bool,
}

impl NewNames {
    /// Reads the trees written since `since`.
    pub(crate) fn list(
        git: &Git<'_>,
        common_dir: &Path,
        since: &Moment,
    ) -> Result<Self, Unreadable> {
        let store = common_dir.join("objects");
        let since = instant(since);
        let mut new = Self {
            incomplete: !recent(&store.join("pack"), since)?.is_empty(),
            ..Self::default()
        };
        let mut oids = String::new();
        let mut count = 0;
        for prefix in subfolders(&store)? {
            for rest in recent(&store.join(&prefix), since)? {
                oids.push_str(&format!("{prefix}{rest}\n"));
                count += 1;
            }
        }
        if count > MOST_OBJECTS {
            new.incomplete = true;
        } else if count > 0 {
            new.read_trees(git, &oids)?;
        }
        Ok(new)
    }

    pub(crate) fn has(&self, basename: &[u8]) -> bool {
        std::str::from_utf8(basename).is_ok_and(|name| self.names.contains(&fold(name)))
    }

    fn read_trees(&mut self, git: &Git<'_>, oids: &str) -> Result<(), Unreadable> {
        let format = "--batch-check=%(objecttype) %(objectname)";
        let kinds = git.run_with(&["cat-file", format], oids.as_bytes(), &[0])?;
        let trees: Vec<u8> = kinds
            .split(|byte| *byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"tree "))
            .flat_map(|oid| oid.iter().copied().chain([b'\n']))
            .collect();
        if trees.is_empty() {
            return Ok(());
        }
        let output = git.run_with(&["cat-file", "--batch"], &trees, &[0])?;
        self.parse_batch(&output).ok_or(GitError::Answer {
            command: "cat-file",
        })?;
        Ok(())
    }

    /// `<oid> tree <size>\n<content>\n`, again and again.
    fn parse_batch(&mut self, mut rest: &[u8]) -> Option<()> {
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let header = std::str::from_utf8(&rest[..end]).ok()?;
            let mut fields = header.split(' ');
            let oid_bytes = fields.next()?.len() / 2;
            let size: usize = fields.nth(1)?.parse().ok()?;
            let content = rest.get(end + 1..end + 1 + size)?;
            self.parse_tree(content, oid_bytes)?;
            rest = rest.get(end + 2 + size..)?;
        }
        Some(())
    }

    /// `<mode> <name>\0<oid>`, again and again.
    fn parse_tree(&mut self, mut rest: &[u8], oid_bytes: usize) -> Option<()> {
        while !rest.is_empty() {
            let space = rest.iter().position(|byte| *byte == b' ')?;
            let end = rest.iter().position(|byte| *byte == 0)?;
            if let Ok(name) = std::str::from_utf8(rest.get(space + 1..end)?) {
                self.names.insert(fold(name));
            }
            rest = rest.get(end + 1 + oid_bytes..)?;
        }
        Some(())
    }
}

/// One coarse tick earlier, because file times come from a coarse clock.
fn instant(moment: &Moment) -> SystemTime {
    let since = u64::try_from(moment.wall_ns).unwrap_or(0);
    UNIX_EPOCH + Duration::from_nanos(since).saturating_sub(Duration::from_millis(100))
}

fn subfolders(store: &Path) -> Result<Vec<String>, Unreadable> {
    let names = names(store)?;
    let is_prefix = |name: &String| name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit());
    Ok(names.into_iter().filter(is_prefix).collect())
}

fn recent(folder: &Path, since: SystemTime) -> Result<Vec<String>, Unreadable> {
    let mut found = names(folder)?;
    found.retain(|name| {
        fs::symlink_metadata(folder.join(name))
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|modified| modified >= since)
    });
    Ok(found)
}

fn names(folder: &Path) -> Result<Vec<String>, Unreadable> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if crate::fingerprint::is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Unreadable::io(folder, error)),
    };
    Ok(entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect())
}
