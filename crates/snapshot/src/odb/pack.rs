//! Objects in packs (see gitformat-pack(5)).
//!
//! An object may be stored as what differs from another one, and that again. A pack may say that of two objects of each
//! other, or name sizes that nothing has, and libgit2 then never ends, so packs are read here: each step is taken from
//! the budget, and nothing is made as large as a pack says.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use super::delta;
use super::index::{Index, damaged};
use super::inflate::{inflate, read_at};
use super::kind::ObjectKind;
use super::oid::{Oid, SHA1, bad};
use crate::bounds::{self, Count};
use crate::nothing::is_missing;
use crate::regular::open_regular;
use crate::{Limits, Unreadable};

/// Objects of which each is stored as what differs from the next: as many as git makes.
const MOST_DELTAS: usize = 4_095;
/// What following one of these costs, as bytes that are gone through.
const STEP: usize = 2 * 1024;
/// Packs whose files stay open.
const MOST_OPEN: usize = 64;
/// Bytes of what an object says of itself in front of its data.
const HEAD: usize = 64;
/// Bytes of contents that are kept, because others may be stored as what differs from them.
const KEPT: usize = 8 * 1024 * 1024;

/// The packs of some stores.
#[derive(Debug)]
pub(super) struct Packs {
    stores: Vec<PathBuf>,
    listed: RefCell<Listed>,
    /// What was looked up last, which is read next.
    last: RefCell<Option<(Oid, Rc<Chain>)>>,
    kept: RefCell<Kept>,
}

/// What was read, by the number of its pack and its place there.
#[derive(Debug, Default)]
struct Kept {
    contents: HashMap<(usize, u64), Rc<Vec<u8>>>,
    bytes: usize,
}

/// The packs that were there at some time.
#[derive(Debug, Default)]
struct Listed {
    packs: Vec<Rc<Pack>>,
    /// When names last came to or went from each folder.
    times: Vec<Option<SystemTime>>,
}

#[derive(Debug)]
struct Pack {
    /// Among those that were listed with it.
    number: usize,
    path: PathBuf,
    index: Index,
    /// Open once it is needed, if it stays open.
    file: OnceCell<Rc<File>>,
    keeps: bool,
}

/// What a pack says of the data at one place.
struct Entry {
    /// Of what is stored there.
    size: u64,
    data: u64,
    stored: Stored,
}

enum Stored {
    Whole(ObjectKind),
    /// As what differs from what is at this place.
    Delta(u64),
}

/// How an object is stored: what differs from what differs from a whole one.
#[derive(Debug)]
struct Chain {
    pack: Rc<Pack>,
    kind: ObjectKind,
    size: u64,
    /// Where each of them begins, where its data begins, and the size of what is stored. The whole one is the last.
    links: Vec<(u64, u64, u64)>,
}

impl Packs {
    pub(super) fn of(stores: &[PathBuf]) -> Result<Self, Unreadable> {
        let packs = Self {
            stores: stores.to_vec(),
            listed: RefCell::default(),
            last: RefCell::default(),
            kept: RefCell::default(),
        };
        packs.list()?;
        Ok(packs)
    }

    /// Lists the packs if names came or went since that was done.
    fn list(&self) -> Result<bool, Unreadable> {
        let folders = || self.stores.iter().map(|store| store.join("pack"));
        let time = |folder: PathBuf| fs::metadata(folder).and_then(|it| it.modified()).ok();
        let times: Vec<_> = folders().map(time).collect();
        if self.listed.borrow().times == times {
            return Ok(false);
        }
        let mut indexes = BTreeSet::new();
        for folder in folders() {
            indexes.extend(indexes_in(&folder)?);
        }
        let keeps = indexes.len() <= MOST_OPEN;
        let mut packs = Vec::new();
        for path in indexes {
            let index = Index::open(&path, keeps).map_err(|error| Unreadable::io(&path, error))?;
            let number = packs.len();
            packs.extend(index.map(|index| {
                Rc::new(Pack {
                    number,
                    path: path.with_extension("pack"),
                    index,
                    file: OnceCell::new(),
                    keeps,
                })
            }));
        }
        *self.listed.borrow_mut() = Listed { packs, times };
        self.last.take();
        self.kept.take();
        Ok(true)
    }

    fn all(&self) -> Vec<Rc<Pack>> {
        self.listed.borrow().packs.clone()
    }

    /// The kind and the size of an object. `None` if no pack has it.
    pub(super) fn find(
        &self,
        oid: Oid,
        limits: &Limits,
    ) -> Result<Option<(ObjectKind, u64)>, Unreadable> {
        let mut found = self.chain(oid, limits)?;
        // git may have packed it since.
        if found.is_none() && self.list()? {
            found = self.chain(oid, limits)?;
        }
        Ok(found.map(|chain| (chain.kind, chain.size)))
    }

    /// The names that begin as `name` does, or come behind that: the first ones of each pack.
    pub(super) fn from(&self, name: &[u8]) -> Result<Vec<Oid>, Unreadable> {
        self.list()?;
        let mut names = Vec::new();
        for pack in self.all() {
            let found = pack
                .index
                .from(name)
                .map_err(|error| pack.in_words(error))?;
            names.extend(found.into_iter().map(|(oid, _)| oid));
        }
        Ok(names)
    }

    fn chain(&self, oid: Oid, limits: &Limits) -> Result<Option<Rc<Chain>>, Unreadable> {
        if let Some((last, chain)) = &*self.last.borrow()
            && *last == oid
        {
            return Ok(Some(Rc::clone(chain)));
        }
        for pack in self.all() {
            let offset = pack.index.offset(oid);
            if let Some(offset) = offset.map_err(|error| pack.in_words(error))? {
                let chain = Rc::new(Chain::of(pack, oid, offset, limits)?);
                *self.last.borrow_mut() = Some((oid, Rc::clone(&chain)));
                return Ok(Some(chain));
            }
        }
        Ok(None)
    }

    /// The content of an object of this kind and size.
    pub(super) fn read(
        &self,
        oid: Oid,
        kind: ObjectKind,
        limits: &Limits,
    ) -> Result<Vec<u8>, Unreadable> {
        let chain = self.chain(oid, limits)?;
        let chain = chain.ok_or_else(|| bad(oid, "it is missing"))?;
        let content = self.content(&chain, oid, limits)?;
        if chain.kind != kind || !oid.is_of(kind, &content) {
            return Err(bad(oid, "it is damaged"));
        }
        Ok(content.to_vec())
    }

    fn content(&self, chain: &Chain, oid: Oid, limits: &Limits) -> Result<Rc<Vec<u8>>, Unreadable> {
        let pack = &chain.pack;
        let mut known = None;
        let mut left = Vec::new();
        for link in &chain.links {
            let kept = self.kept.borrow();
            known = kept.contents.get(&(pack.number, link.0)).cloned();
            if known.is_some() {
                break;
            }
            left.push(link);
        }
        while let Some((begin, data, size)) = left.pop() {
            let size = usize::try_from(*size)
                .ok()
                .filter(|size| *size as u64 <= bounds::BLOB);
            let size = size.ok_or_else(|| bad(oid, "it differs from one that is too large"))?;
            limits.budget.take(STEP.saturating_add(size))?;
            let file = pack.file().map_err(|error| pack.in_words(error))?;
            // One byte more than there may be.
            let stored = inflate(&file, *data, size + 1).map_err(|error| pack.in_words(error))?;
            let stored = stored.filter(|stored| stored.is_whole && stored.bytes.len() == size);
            let stored = stored.ok_or_else(|| bad(oid, "it is damaged"))?.bytes;
            let content = match &known {
                None => stored,
                Some(base) => {
                    delta::applied(base, &stored, bounds::BLOB, |made| limits.budget.take(made))?
                        .ok_or_else(|| bad(oid, "it is damaged"))?
                }
            };
            let content = Rc::new(content);
            self.kept.borrow_mut().add((pack.number, *begin), &content);
            known = Some(content);
        }
        known.ok_or_else(|| bad(oid, "it is damaged"))
    }
}

impl Kept {
    fn add(&mut self, key: (usize, u64), content: &Rc<Vec<u8>>) {
        let bytes = content.len() + STEP;
        if bytes > KEPT / 4 {
            return;
        }
        if self.bytes + bytes > KEPT {
            *self = Self::default();
        }
        self.bytes += bytes;
        self.contents.insert(key, Rc::clone(content));
    }
}

impl Chain {
    fn of(pack: Rc<Pack>, oid: Oid, offset: u64, limits: &Limits) -> Result<Self, Unreadable> {
        let file = pack.file().map_err(|error| pack.in_words(error))?;
        let (mut at, mut links, mut size) = (offset, Vec::new(), None);
        while links.len() <= MOST_DELTAS {
            limits.budget.take(STEP)?;
            let entry = pack
                .entry(&file, at)
                .map_err(|error| pack.in_words(error))?;
            let entry = entry.ok_or_else(|| bad(oid, "it is damaged"))?;
            links.push((at, entry.data, entry.size));
            match entry.stored {
                Stored::Whole(kind) => {
                    let size = size.unwrap_or(entry.size);
                    return Ok(Self {
                        pack,
                        kind,
                        size,
                        links,
                    });
                }
                Stored::Delta(base) if size.is_none() => {
                    let made = inflate(&file, entry.data, delta::HEAD);
                    let made = made.map_err(|error| pack.in_words(error))?;
                    let made = made.and_then(|head| delta::size(&head.bytes));
                    size = Some(made.ok_or_else(|| bad(oid, "it is damaged"))?);
                    at = base;
                }
                Stored::Delta(base) => at = base,
            }
        }
        Err(bad(
            oid,
            "it is stored as what differs from too many others",
        ))
    }
}

impl Pack {
    fn file(&self) -> io::Result<Rc<File>> {
        if let Some(file) = self.file.get() {
            return Ok(Rc::clone(file));
        }
        let (file, _) = open_regular(&self.path, u64::MAX)?.ok_or(io::ErrorKind::NotFound)?;
        let file = Rc::new(file);
        if self.keeps {
            self.file.get_or_init(|| Rc::clone(&file));
        }
        Ok(file)
    }

    fn in_words(&self, error: io::Error) -> Unreadable {
        Unreadable::io(&self.path, error)
    }

    /// What is at a place. `None` if that is not understood.
    fn entry(&self, file: &File, at: u64) -> io::Result<Option<Entry>> {
        let mut head = [0; HEAD];
        let read = read_at(file, &mut head, at)?;
        let mut rest = &head[..read];
        let Some((kind, size)) = kind_and_size(&mut rest) else {
            return Ok(None);
        };
        let stored = match kind {
            1 => Stored::Whole(ObjectKind::Commit),
            2 => Stored::Whole(ObjectKind::Tree),
            3 => Stored::Whole(ObjectKind::Blob),
            4 => Stored::Whole(ObjectKind::Tag),
            6 => match distance(&mut rest).and_then(|before| at.checked_sub(before)) {
                Some(base) if base < at => Stored::Delta(base),
                _ => return Ok(None),
            },
            7 => {
                let base = rest.split_off(..SHA1).and_then(Oid::from_bytes);
                let base = base
                    .map(|base| self.index.offset(base))
                    .transpose()?
                    .flatten();
                match base {
                    Some(base) => Stored::Delta(base),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let data = at.checked_add((read - rest.len()) as u64);
        let data = data.ok_or_else(damaged)?;
        Ok(Some(Entry { size, data, stored }))
    }
}

/// Three bits of kind, and a size of which each byte says whether another one follows.
fn kind_and_size(rest: &mut &[u8]) -> Option<(u8, u64)> {
    let first = *rest.split_off_first()?;
    let mut size = u64::from(first & 0x0f);
    let (mut last, mut shift) = (first, 4);
    while last & 0x80 != 0 {
        last = *rest.split_off_first()?;
        size |= delta::shifted(last, shift)?;
        shift += 7;
    }
    Some((first >> 4 & 7, size))
}

/// How far in front the base of a delta is.
fn distance(rest: &mut &[u8]) -> Option<u64> {
    let mut last = *rest.split_off_first()?;
    let mut distance = u64::from(last & 0x7f);
    while last & 0x80 != 0 {
        last = *rest.split_off_first()?;
        distance = distance.checked_add(1)?.checked_mul(1 << 7)? | u64::from(last & 0x7f);
    }
    Some(distance)
}

fn indexes_in(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Unreadable::io(folder, error)),
    };
    let mut count = Count::of(bounds::LISTED);
    let mut found = Vec::new();
    for entry in entries {
        count.add(1)?;
        let path = entry.map_err(|error| Unreadable::io(folder, error))?.path();
        if path.extension().is_some_and(|it| it == "idx") {
            found.push(path);
        }
    }
    Ok(found)
}
