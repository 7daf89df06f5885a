//! The `TREE` extension: which folders of the index are known to equal a tree object.

use std::str::FromStr;

use crate::bounds;

/// The recorded tree of one folder and of those below it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CacheTree<'a> {
    name: &'a [u8],
    /// Absent if an entry below the folder has changed since.
    oid: Option<&'a [u8]>,
    /// In git's order of names for this extension: shorter names first.
    below: Vec<CacheTree<'a>>,
}

impl<'a> CacheTree<'a> {
    /// Reads the extension, in which the name of an object has `oid` bytes. It only saves work, so
    /// a damaged one counts as missing.
    pub(super) fn parse(content: &'a [u8], oid: usize) -> Self {
        let mut rest = content;
        node(&mut rest, oid, 0).unwrap_or_default()
    }

    /// The recorded tree of the top folder, without reading what lies below it.
    pub(super) fn root(content: &'a [u8], oid: usize) -> Option<&'a [u8]> {
        let mut rest = content;
        head(&mut rest, oid)?.0.oid
    }

    pub(super) fn oid(&self) -> Option<&'a [u8]> {
        self.oid
    }

    /// The folder with this name.
    pub(super) fn below(&self, name: &[u8]) -> Option<&Self> {
        let order = |of: &[u8]| (of.len(), of).cmp(&(name.len(), name));
        let found = self.below.binary_search_by(|below| order(below.name));
        found.ok().map(|at| &self.below[at])
    }
}

/// A node, then the nodes below it.
fn node<'a>(rest: &mut &'a [u8], oid: usize, depth: usize) -> Option<CacheTree<'a>> {
    let (mut tree, count) = head(rest, oid)?;
    if depth > bounds::DEPTH {
        return None;
    }
    for _ in 0..count {
        tree.below.push(node(rest, oid, depth + 1)?);
    }
    Some(tree)
}

/// `<name> NUL <entries> SP <subtrees> LF [<oid>]`. Returns how many nodes lie below.
fn head<'a>(rest: &mut &'a [u8], oid: usize) -> Option<(CacheTree<'a>, u32)> {
    let name = until(rest, 0)?;
    let entries: i64 = number(until(rest, b' ')?)?;
    let count = number(until(rest, b'\n')?)?;
    let known = if entries >= 0 {
        let (oid, after) = rest.split_at_checked(oid)?;
        *rest = after;
        Some(oid)
    } else {
        None
    };
    let below = Vec::new();
    let tree = CacheTree {
        name,
        oid: known,
        below,
    };
    Some((tree, count))
}

fn until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a [u8]> {
    let at = rest.iter().position(|byte| *byte == end)?;
    let taken = &rest[..at];
    *rest = &rest[at + 1..];
    Some(taken)
}

fn number<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
