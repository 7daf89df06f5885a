//! Objects in files of their own (see gitrepository-layout(5)): libgit2 never finishes reading one
//! that was cut short, so they are read here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::inflate::inflate;
use super::kind::ObjectKind;
use super::oid::{Oid, bad};
use crate::bounds::{self, Count};
use crate::nothing::is_missing;
use crate::os_path::path_of;
use crate::regular::{check_file, open_regular, read_regular};
use crate::{Limits, Unreadable};

/// Bytes of the header before the content: a kind and a number.
const HEADER: usize = 32;
/// Bytes by which compressed data may exceed incompressible content, with a margin.
const SLACK: u64 = 64 * 1024;

/// The folders of objects: that of the repository, and those that it refers to.
#[derive(Debug)]
pub(super) struct Loose {
    stores: Vec<PathBuf>,
}

impl Loose {
    pub(super) fn of(common_dir: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        let mut stores = vec![common_dir.join("objects")];
        let mut seen: BTreeSet<PathBuf> = stores.iter().cloned().collect();
        let mut newest = 0..1;
        for _ in 0..bounds::ALTERNATES_DEPTH {
            for at in newest.clone() {
                for other in named_in(&stores[at])? {
                    if stores.len() < bounds::ALTERNATES && seen.insert(other.clone()) {
                        Unreadable::unless_looked_at(&other, limits)?;
                        stores.push(other);
                    }
                }
            }
            newest = newest.end..stores.len();
        }
        Ok(Self { stores })
    }

    pub(super) fn stores(&self) -> &[PathBuf] {
        &self.stores
    }

    /// The kind and the size of an object. `None` if it has no file.
    pub(super) fn find(&self, oid: Oid) -> Result<Option<(ObjectKind, u64)>, Unreadable> {
        let name = oid.to_string();
        let (folder, rest) = name.split_at(2);
        for store in &self.stores {
            let path = store.join(folder).join(rest);
            let in_words = |error| Unreadable::io(&path, error);
            if let Some((file, _)) = open_regular(&path, u64::MAX).map_err(in_words)? {
                let head = inflate(&file, 0, HEADER).map_err(in_words)?;
                let head = head.and_then(|head| of_header(&head.bytes));
                return head.map(Some).ok_or_else(|| bad(oid, "it is damaged"));
            }
        }
        Ok(None)
    }

    /// The names that begin with these hex digits.
    pub(super) fn named(&self, digits: &str) -> Result<Vec<Oid>, Unreadable> {
        let (folder, rest) = digits.split_at_checked(2).unwrap_or_default();
        let mut found = Vec::new();
        for store in &self.stores {
            let place = store.join(folder);
            let in_words = |error| Unreadable::io(&place, error);
            let entries = match fs::read_dir(&place) {
                Ok(entries) => entries,
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(in_words(error)),
            };
            let mut count = Count::of(bounds::LISTED);
            for entry in entries {
                count.add(1)?;
                let name = entry.map_err(in_words)?.file_name();
                let name = name.to_str().filter(|name| name.starts_with(rest));
                let name = name.map(|name| format!("{folder}{name}"));
                found.extend(name.and_then(|name| Oid::from_hex(name.as_bytes())));
            }
        }
        Ok(found)
    }

    /// The content of an object of this kind. `None` if it has no file.
    pub(super) fn read(
        &self,
        oid: Oid,
        kind: ObjectKind,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let name = oid.to_string();
        let (folder, rest) = name.split_at(2);
        for store in &self.stores {
            let path = store.join(folder).join(rest);
            let bytes = read_regular(&path, most + most / 8 + SLACK);
            if let Some(bytes) = bytes.map_err(|error| Unreadable::io(&path, error))? {
                let content = inflated(&bytes, most).filter(|content| oid.is_of(kind, content));
                return content.map(Some).ok_or_else(|| bad(oid, "it is damaged"));
            }
        }
        Ok(None)
    }
}

/// What stands in front of the content.
fn of_header(head: &[u8]) -> Option<(ObjectKind, u64)> {
    let end = memchr::memchr(0, head)?;
    let (kind, size) = std::str::from_utf8(&head[..end]).ok()?.split_once(' ')?;
    Some((ObjectKind::named(kind.as_bytes())?, size.parse().ok()?))
}

/// What follows the first NUL. `None` if it is longer than `most`, or incomplete.
fn inflated(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
    let limit = usize::try_from(most).ok()?.checked_add(HEADER)?;
    let mut content = decompress_to_vec_zlib_with_limit(bytes, limit).ok()?;
    let end = memchr::memchr(0, &content)?;
    content.drain(..=end);
    Some(content)
}

/// Other folders of objects that a folder refers to, one per line.
fn named_in(store: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let path = store.join("info/alternates");
    check_file(&path, bounds::CONFIG)?;
    let text = read_regular(&path, bounds::CONFIG).map_err(|error| Unreadable::io(&path, error))?;
    let text = text.unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
        .map(|line| Ok(store.join(path_of(line)?)))
        .collect()
}
