//! The `TREE` extension: which folders of the index are known to equal a tree object.

use std::collections::HashMap;

/// The recorded tree of one folder and of those below it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CacheTree {
    /// Absent where an entry below the folder has changed since.
    pub(super) oid: Option<[u8; 20]>,
    pub(super) below: HashMap<Vec<u8>, CacheTree>,
}

/// Reads the extension. It only saves work, so one that is damaged is as good as none.
pub(super) fn parse(content: &[u8]) -> Option<CacheTree> {
    let mut rest = content;
    let (_, root) = node(&mut rest, 0)?;
    Some(root)
}

/// `<name> NUL <entries> SP <subtrees> LF [<oid>]`, then the subtrees.
fn node(rest: &mut &[u8], depth: usize) -> Option<(Vec<u8>, CacheTree)> {
    // Deeper than any path that a system takes.
    const DEEPEST: usize = 4096;
    let name = until(rest, 0)?.to_vec();
    let entries = number(until(rest, b' ')?)?;
    let count = number(until(rest, b'\n')?)?;
    let mut tree = CacheTree::default();
    if entries >= 0 {
        let (oid, after) = rest.split_first_chunk::<20>()?;
        tree.oid = Some(*oid);
        *rest = after;
    }
    if depth > DEEPEST {
        return None;
    }
    for _ in 0..count {
        let (name, below) = node(rest, depth + 1)?;
        tree.below.insert(name, below);
    }
    Some((name, tree))
}

fn until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a [u8]> {
    let at = rest.iter().position(|byte| *byte == end)?;
    let taken = &rest[..at];
    *rest = &rest[at + 1..];
    Some(taken)
}

fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
