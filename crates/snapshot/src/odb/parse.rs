//! The contents of commits, trees and tags.

use std::collections::HashSet;

use super::oid::Oid;

/// git's mode of a folder.
pub(crate) const TREE: u32 = 0o040_000;
/// git's mode of a regular file, but for its permissions, and what of a mode is not permissions.
const FILE: u32 = 0o100_000;
const FORMAT: u32 = 0o170_000;
/// git's mode of a symbolic link.
pub(crate) const LINK: u32 = 0o120_000;
/// git's mode of a submodule.
pub(crate) const GITLINK: u32 = 0o160_000;

/// The part of a commit that is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) tree: Oid,
    pub(crate) parents: Vec<Oid>,
    /// Seconds since the epoch, according to the committer.
    pub(crate) time: i64,
    /// Whether git made it for the index of a stash.
    pub(crate) is_of_stash: bool,
}

/// How git begins the message of the commit that keeps the index of a stash.
const INDEX_OF_STASH: &[u8] = b"index on ";

/// One name in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) mode: u32,
    pub(crate) name: Vec<u8>,
    pub(crate) oid: Oid,
}

impl Item {
    pub(crate) fn is_tree(&self) -> bool {
        self.mode == TREE
    }

    /// Whether it is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        self.mode & FORMAT == FILE
    }
}

impl Commit {
    pub(super) fn parse(content: &[u8], oid: usize) -> Option<Self> {
        let mut lines = content.split(|byte| *byte == b'\n');
        let tree = hex(lines.next()?.strip_prefix(b"tree ")?, oid)?;
        let (mut parents, mut seen) = (Vec::new(), HashSet::new());
        let mut time = 0;
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            if let Some(parent) = line.strip_prefix(b"parent ") {
                let parent = hex(parent, oid)?;
                // git takes one that is named again for the same.
                if seen.insert(parent) {
                    parents.push(parent);
                }
            } else if line.starts_with(b"committer ") {
                // The last two words are the time and its zone.
                let seconds = line.rsplit(|byte| *byte == b' ').nth(1);
                let seconds = seconds.and_then(|text| std::str::from_utf8(text).ok());
                time = seconds.and_then(|text| text.parse().ok()).unwrap_or(0);
            }
        }
        Some(Self {
            tree,
            parents,
            time,
            is_of_stash: lines
                .next()
                .is_some_and(|first| first.starts_with(INDEX_OF_STASH)),
        })
    }
}

/// `<mode> <name>\0<oid>`, again and again.
pub(super) fn tree(mut rest: &[u8], oid: usize) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    while !rest.is_empty() {
        let space = memchr::memchr(b' ', rest)?;
        let mode = std::str::from_utf8(&rest[..space]).ok()?;
        let mode = u32::from_str_radix(mode, 8).ok()?;
        let after = &rest[space + 1..];
        let end = memchr::memchr(0, after)?;
        items.push(Item {
            mode,
            name: after[..end].to_vec(),
            oid: Oid::from_bytes(after.get(end + 1..end + 1 + oid)?)?,
        });
        rest = &after[end + 1 + oid..];
    }
    Some(items)
}

/// What a tag names.
pub(super) fn tagged(content: &[u8], oid: usize) -> Option<Oid> {
    let line = content.split(|byte| *byte == b'\n').next()?;
    hex(line.strip_prefix(b"object ")?, oid)
}

fn hex(text: &[u8], oid: usize) -> Option<Oid> {
    Oid::from_hex(text).filter(|found| found.len() == oid)
}
