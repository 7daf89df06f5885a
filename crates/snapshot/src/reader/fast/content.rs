//! Files of which only the content tells whether they changed.

use std::collections::HashSet;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, Repository};
use rustix::fs::FileType;
use rustix::io::Errno;
use sha1::{Digest, Sha1};

use super::folders::{folder_of, is_named, join};
use super::index::{Entry, Index};
use super::scan::{Outcome, stat};
use super::settings::Settings;
use super::{Refusal, program, refused as refuse};
use crate::regular::open_regular_at;
use crate::repository::check_time;
use crate::{Limits, RepoPath, fingerprint, parallel};

/// More paths than this are not handed to the git program: it is as fast on all of them.
const MOST_FOR_PROGRAM: usize = 500;
/// Nor more bytes of them: command lines have an end.
const LONGEST_FOR_PROGRAM: usize = 64 * 1024;

/// With more undecided files than this libgit2 takes longer over their attributes than git over all.
const MOST_WITH_ATTRIBUTES: usize = 100;

/// Where the attributes of the system may be: git is built with one of them.
const SYSTEM_ATTRIBUTES: [&str; 4] = [
    "/etc/gitattributes",
    "/usr/etc/gitattributes",
    "/usr/local/etc/gitattributes",
    "/opt/homebrew/etc/gitattributes",
];

/// Files with attributes in the work tree.
const ATTRIBUTES: &[u8] = b".gitattributes";

/// Attributes of which each may rewrite the content at every turn. A filter is none of them: it is
/// a program, and none is run, so a file counts by its own bytes.
const REWRITING: [&str; 2] = ["ident", "working-tree-encoding"];
/// Attributes that change nothing but the ends of lines.
const LINE_ENDS: [&str; 3] = ["text", "crlf", "eol"];

/// What stands between a file and what git stores of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    None,
    /// None for a file without a carriage return.
    LineEnds,
    Any,
}

/// What says attributes of some files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    None,
    Files,
    /// Something that is no file, for which git and libgit2 would wait.
    Odd,
}

/// What comparing the bytes themselves says.
enum Compared {
    Same,
    Other,
    /// A conversion stands between them.
    Converted,
}

/// Who decides, and with what.
pub(super) struct Contents<'a> {
    pub(super) repository: &'a crate::Repository,
    pub(super) opened: &'a Repository,
    pub(super) root: &'a OwnedFd,
    pub(super) index: &'a Index,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
}

impl<'a> Contents<'a> {
    /// The paths that changed, of those that `outcome` leaves undecided.
    pub(super) fn changed(&self, outcome: &Outcome) -> Result<Vec<RepoPath>, Refusal> {
        if outcome.undecided.is_empty() {
            return Ok(Vec::new());
        }
        let tasks = self.conversions(outcome)?;
        let threads = parallel::threads_for(tasks.len());
        let (root, limits) = (self.root, self.limits);
        let found = parallel::map(&tasks, threads, |buffer: &mut Vec<u8>, task| {
            check_time(limits)?;
            compare(buffer, root, task)
        })?;
        let mut changed = Vec::new();
        let mut converted = Vec::new();
        for ((entry, _), found) in tasks.iter().zip(found) {
            let path = entry.path;
            match found {
                Compared::Same => {}
                Compared::Other => changed.push(super::listed(path)?),
                Compared::Converted => converted.push(path),
            }
        }
        changed.extend(self.ask_program(&converted)?);
        Ok(changed)
    }

    /// The undecided entries, and what stands between each and its object.
    fn conversions(&self, outcome: &Outcome) -> Result<Vec<(Entry<'_>, Conversion)>, Refusal> {
        let entries = outcome.undecided.iter();
        let entries = entries.map(|number| self.index.entry(*number));
        let all = |conversion| Ok(entries.clone().map(|entry| (entry, conversion)).collect());
        let attributes = self.attributes(entries.clone())?;
        // If nobody may be asked, each file counts by its own bytes.
        if self.index.is_made_whole || attributes == Attributes::Odd {
            return all(Conversion::None);
        }
        if self.misses_attributes(outcome) {
            return all(Conversion::Any);
        }
        if attributes == Attributes::None {
            return all(if self.settings.rewrites {
                Conversion::LineEnds
            } else {
                Conversion::None
            });
        }
        if outcome.undecided.len() > MOST_WITH_ATTRIBUTES {
            return Err(Refusal::Filtered(outcome.undecided.len()));
        }
        entries
            .map(|entry| Ok((entry, self.conversion(entry.path)?)))
            .collect()
    }

    /// What says attributes of these entries.
    fn attributes(&self, entries: impl Iterator<Item = Entry<'a>>) -> Result<Attributes, Refusal> {
        let info = self.repository.common_dir.join("info/attributes");
        let elsewhere = [Some(&info), self.settings.attributes.as_ref()];
        let mut attributes = Attributes::None;
        for file in elsewhere.into_iter().flatten() {
            match std::fs::metadata(file) {
                Ok(metadata) if metadata.is_file() => attributes = Attributes::Files,
                Ok(_) => return Ok(Attributes::Odd),
                Err(_) => {}
            }
        }
        let mut asked = HashSet::new();
        for entry in entries {
            let mut folder = folder_of(entry.path);
            while asked.insert(folder) {
                let path = join(folder, ATTRIBUTES);
                let found = stat(self.root, &path).map_err(|error| refuse(&path, error))?;
                match found.map(|it| it.kind()) {
                    None => {}
                    Some(FileType::RegularFile) => attributes = Attributes::Files,
                    Some(_) => return Ok(Attributes::Odd),
                }
                // The work tree's top folder is its own.
                folder = folder_of(folder);
            }
        }
        Ok(attributes)
    }

    /// git takes the attributes of an absent file from the index, where libgit2 has none here, and
    /// those of the system from where it was installed, which libgit2 does not know.
    fn misses_attributes(&self, outcome: &Outcome) -> bool {
        let is_attributes = |entry: &Entry<'_>| is_named(entry.path, ATTRIBUTES);
        let changed = outcome.changed.iter();
        SYSTEM_ATTRIBUTES.iter().map(Path::new).any(Path::exists)
            || changed
                .map(|number| self.index.entry(*number))
                .any(|entry| is_attributes(&entry))
            || self.index.entries().any(|entry| {
                (entry.is_left_out() || entry.is_assumed_valid()) && is_attributes(&entry)
            })
    }

    fn conversion(&self, path: &[u8]) -> Result<Conversion, Refusal> {
        let place = crate::path::path_of_bytes(path);
        let is_set = |name: &str| -> Result<bool, Refusal> {
            let flags = AttrCheckFlags::FILE_THEN_INDEX;
            let value = self.opened.get_attr_bytes(&place, name, flags)?;
            let value = AttrValue::from_bytes(value);
            Ok(!matches!(value, AttrValue::Unspecified | AttrValue::False))
        };
        for name in REWRITING {
            if is_set(name)? {
                return Ok(Conversion::Any);
            }
        }
        if self.settings.rewrites {
            return Ok(Conversion::LineEnds);
        }
        for name in LINE_ENDS {
            if is_set(name)? {
                return Ok(Conversion::LineEnds);
            }
        }
        Ok(Conversion::None)
    }

    fn ask_program(&self, paths: &[&[u8]]) -> Result<Vec<RepoPath>, Refusal> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let bytes: usize = paths.iter().map(|path| path.len() + 1).sum();
        if paths.len() > MOST_FOR_PROGRAM || bytes > LONGEST_FOR_PROGRAM {
            return Err(Refusal::Filtered(paths.len()));
        }
        Ok(program::differing_of(self.repository, paths, self.limits)?)
    }
}

/// Holds the bytes of one file against those that the index has.
fn compare(
    buffer: &mut Vec<u8>,
    root: &OwnedFd,
    (entry, conversion): &(Entry<'_>, Conversion),
) -> Result<Compared, Refusal> {
    const LINK: u32 = 0o120_000;
    let path = entry.path;
    let is_link = entry.mode() == LINK;
    if *conversion == Conversion::Any && !is_link {
        return Ok(Compared::Converted);
    }
    let found = if is_link {
        hash_link(root, path)
    } else {
        hash_file(root, path, buffer)
    };
    let found = found.map_err(|error| refuse(path, error))?;
    Ok(match found {
        Some(hash) if hash.has_cr && *conversion == Conversion::LineEnds => Compared::Converted,
        Some(hash) if hash.oid == *entry.oid() => Compared::Same,
        // Also where it has become something else since it was looked at.
        _ => Compared::Other,
    })
}

/// A content as git names it.
struct Hash {
    oid: [u8; 20],
    has_cr: bool,
}

/// `None` where there is no regular file, or where it changes while it is read.
fn hash_file(root: &OwnedFd, path: &[u8], buffer: &mut Vec<u8>) -> Result<Option<Hash>, Errno> {
    let errno = |error: io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
    let opened = open_regular_at(root, path, u64::MAX).map_err(errno)?;
    let Some((mut file, metadata)) = opened else {
        return Ok(None);
    };
    let mut hasher = blob(metadata.len());
    let mut rest = metadata.len();
    let mut has_cr = false;
    buffer.resize(fingerprint::BUFFER, 0);
    fingerprint::each_piece(&mut file, buffer, |piece| {
        has_cr |= piece.contains(&b'\r');
        hasher.update(piece);
        rest = rest.saturating_sub(piece.len() as u64);
    })
    .map_err(errno)?;
    let oid = hasher.finalize().into();
    Ok((rest == 0).then_some(Hash { oid, has_cr }))
}

fn hash_link(root: &OwnedFd, path: &[u8]) -> Result<Option<Hash>, Errno> {
    let target = match crate::beneath::target(root, path) {
        Ok(Some(target)) => target,
        Ok(None) | Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut hasher = blob(target.len() as u64);
    hasher.update(target);
    Ok(Some(Hash {
        oid: hasher.finalize().into(),
        has_cr: false,
    }))
}

/// git hashes a blob with its kind and length before it.
fn blob(length: u64) -> Sha1 {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {length}\0"));
    hasher
}
