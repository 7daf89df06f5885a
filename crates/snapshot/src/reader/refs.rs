//! Where HEAD and the branches point. Read from their files (see gitrepository-layout(5)), or, if
//! they are stored in tables, from git.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bounds::{self, Count};
use crate::deadline::check_time;
use crate::escaped;
use crate::git::{Ask, Git, GitError};
use crate::nothing::is_missing;
use crate::odb::{Odb, Oid};
use crate::os_path::path_of;
use crate::path_bytes;
use crate::regular::{check_file, read_regular};
use crate::{Limits, RepoPath, Repository, Unreadable};

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// The commit; absent before the first one.
    #[serde(rename = "head")]
    pub oid: Option<String>,
    /// The full name of the branch; absent when HEAD is detached.
    pub branch: Option<String>,
}

/// Refs that each work tree has for itself.
const OF_THE_WORK_TREE: [&[u8]; 3] = [b"refs/bisect/", b"refs/rewritten/", b"refs/worktree/"];

/// HEAD; and local and remote-tracking branches and the stash, by full name and object id. Symbolic
/// refs are left out.
pub(crate) fn read(
    repository: &Repository,
    odb: &Odb<'_>,
    limits: &Limits,
) -> Result<(Head, BTreeMap<String, String>), Unreadable> {
    if repository.common_dir.join("reftable").is_dir() {
        let git = repository.git(limits);
        let (head, refs) = (head_by_program(&git)?, refs_by_program(&git)?);
        let leads_somewhere = head.branch.as_ref().is_some_and(|it| refs.contains_key(it));
        if head.oid.is_none() && (leads_somewhere || head.branch.is_none()) {
            return Err(broken(&repository.git_dir.join("HEAD")));
        }
        return Ok((head, refs));
    }
    let packed = Packed::read(&repository.common_dir)?;
    let files = Files {
        repository,
        packed: &packed,
    };
    let mut refs = packed.listed()?;
    let mut count = Count::of(bounds::REFS);
    for folder in ["heads", "remotes"] {
        let folder = repository.common_dir.join("refs").join(folder);
        add_loose(
            &folder,
            &repository.common_dir,
            limits,
            &mut count,
            &mut refs,
        )?;
    }
    if let Some(Target::Object(oid)) = files.loose(b"refs/stash")? {
        refs.insert("refs/stash".to_owned(), oid.to_string());
    }
    Ok((files.head(odb)?, refs))
}

/// What all names lead to, those too that name no branch: tags, notes and the like.
pub(crate) fn leading(
    repository: &Repository,
    limits: &Limits,
) -> Result<BTreeSet<Oid>, Unreadable> {
    let common_dir = &repository.common_dir;
    let tables = common_dir.join("reftable");
    if tables.is_dir() {
        return Err(broken(&tables));
    }
    let (mut loose, mut count) = (BTreeMap::new(), Count::of(bounds::REFS));
    let folder = common_dir.join("refs");
    add_loose(&folder, common_dir, limits, &mut count, &mut loose)?;
    let named = loose.values();
    let named = named.filter_map(|oid| Oid::from_hex(oid.as_bytes()));
    let packed = Packed::read(common_dir)?;
    let packed = packed.lines().filter_map(|(oid, _)| oid);
    Ok(named.chain(packed).collect())
}

/// What a ref points to.
enum Target {
    Object(Oid),
    Name(Vec<u8>),
    /// The ref is damaged.
    Broken,
}

impl Target {
    fn parse(text: &[u8]) -> Self {
        if let Some(name) = text.strip_prefix(b"ref:") {
            return Self::Name(name.trim_ascii().to_vec());
        }
        let digits = text.iter().position(|byte| !byte.is_ascii_hexdigit());
        let digits = &text[..digits.unwrap_or(text.len())];
        match Oid::from_hex(digits) {
            Some(oid) if oid.as_bytes().iter().any(|byte| *byte != 0) => Self::Object(oid),
            _ => Self::Broken,
        }
    }
}

struct Files<'a> {
    repository: &'a Repository,
    packed: &'a Packed,
}

impl Files<'_> {
    fn head(&self, odb: &Odb<'_>) -> Result<Head, Unreadable> {
        /// The most refs in a chain; git follows no more.
        const MOST: usize = 5;
        let place = self.repository.git_dir.join("HEAD");
        let mut branch = None;
        let mut target = link_or_text(&place)?.map(|text| Target::parse(&text));
        for _ in 0..MOST {
            match target {
                Some(Target::Object(oid)) => {
                    let oid = Some(odb.peel(oid)?.to_string());
                    return Ok(Head { oid, branch });
                }
                Some(Target::Name(name)) => {
                    branch.get_or_insert_with(|| escaped(&name));
                    if !name.starts_with(b"refs/") || !RepoPath::is_sound(&name) {
                        return Err(broken(&place));
                    }
                    target = match self.loose(&name)? {
                        Some(target) => Some(target),
                        None => match self.packed.find(&name) {
                            Some(oid) => Some(Target::Object(oid)),
                            // Nothing has been committed on it yet.
                            None => return Ok(Head { oid: None, branch }),
                        },
                    };
                }
                Some(Target::Broken) | None => return Err(broken(&place)),
            }
        }
        Err(broken(&place))
    }

    /// The content of a ref's own file. `None` if there is none.
    fn loose(&self, name: &[u8]) -> Result<Option<Target>, Unreadable> {
        let own = OF_THE_WORK_TREE.iter().any(|own| name.starts_with(own));
        let folder = if own {
            &self.repository.git_dir
        } else {
            &self.repository.common_dir
        };
        let text = link_or_text(&folder.join(path_of(name)?))?;
        Ok(text.map(|text| Target::parse(&text)))
    }
}

/// The content of a ref file; for a link to another ref, that ref.
fn link_or_text(path: &Path) -> Result<Option<Vec<u8>>, Unreadable> {
    match fs::read_link(path) {
        Ok(target) if target.starts_with("refs") => {
            return Ok(Some([b"ref: ", &*path_bytes(&target)].concat()));
        }
        // It is not a link, or it links to a file elsewhere.
        Ok(_) | Err(_) => {}
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(None);
    }
    check_file(path, bounds::NAME_FILE)?;
    read_regular(path, bounds::NAME_FILE).map_err(|error| Unreadable::io(path, error))
}

/// Adds the refs that have files of their own in `folder` and below it.
fn add_loose(
    folder: &Path,
    common_dir: &Path,
    limits: &Limits,
    count: &mut Count,
    refs: &mut BTreeMap<String, String>,
) -> Result<(), Unreadable> {
    let mut open: Vec<(PathBuf, usize)> = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        check_time(limits)?;
        if depth > bounds::REF_DEPTH {
            return Err(bounds::too_deep().into());
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(Unreadable::io(&folder, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Unreadable::io(&folder, error))?;
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            // git's own unfinished files.
            if name.starts_with(b".") || name.ends_with(b".lock") {
                continue;
            }
            count.add(1)?;
            let path = entry.path();
            if fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                open.push((path, depth + 1));
                continue;
            }
            let text = link_or_text(&path)?;
            let name = path.strip_prefix(common_dir).unwrap_or(&path);
            let name = escaped(&path_bytes(name));
            match text.map(|text| Target::parse(&text)) {
                Some(Target::Object(oid)) => {
                    refs.insert(name, oid.to_string());
                }
                // git leaves out what it calls broken; a packed ref with that name no longer
                // counts.
                Some(Target::Name(_) | Target::Broken) => {
                    refs.remove(&name);
                }
                None => {}
            }
        }
    }
    Ok(())
}

/// `packed-refs`.
struct Packed(Vec<u8>);

impl Packed {
    fn read(common_dir: &Path) -> Result<Self, Unreadable> {
        let path = common_dir.join("packed-refs");
        check_file(&path, bounds::PACKED_REFS)?;
        let text = read_regular(&path, bounds::PACKED_REFS);
        let text = text.map_err(|error| Unreadable::io(&path, error))?;
        Ok(Self(text.unwrap_or_default()))
    }

    /// `<oid> <name>`; a line that begins with `#` or `^` belongs to another one.
    fn lines(&self) -> impl Iterator<Item = (Option<Oid>, &[u8])> {
        let lines = self.0.split(|byte| *byte == b'\n');
        lines.filter_map(|line| {
            if line.starts_with(b"#") || line.starts_with(b"^") {
                return None;
            }
            let space = memchr::memchr(b' ', line)?;
            Some((Oid::from_hex(&line[..space]), &line[space + 1..]))
        })
    }

    fn find(&self, name: &[u8]) -> Option<Oid> {
        self.lines().find(|(_, found)| *found == name)?.0
    }

    fn listed(&self) -> Result<BTreeMap<String, String>, Unreadable> {
        let mut count = Count::of(bounds::REFS);
        let mut refs = BTreeMap::new();
        for (oid, name) in self.lines() {
            let is_listed = name.starts_with(b"refs/heads/")
                || name.starts_with(b"refs/remotes/")
                || name == b"refs/stash";
            if let Some(oid) = oid.filter(|_| is_listed) {
                count.add(1)?;
                refs.insert(escaped(name), oid.to_string());
            }
        }
        Ok(refs)
    }
}

fn head_by_program(git: &Git<'_>) -> Result<Head, Unreadable> {
    let nothing: [&str; 0] = [];
    let ask = |ask| -> Result<Option<String>, Unreadable> {
        let answer = git.ask_twice(ask, &nothing)?;
        let line = answer.strip_suffix(b"\n").unwrap_or(&answer);
        Ok((!line.is_empty()).then(|| escaped(line)))
    };
    let (oid, branch) = (ask(Ask::Head)?, ask(Ask::Branch)?);
    Ok(Head { oid, branch })
}

fn refs_by_program(git: &Git<'_>) -> Result<BTreeMap<String, String>, Unreadable> {
    let nothing: [&str; 0] = [];
    let output = git.ask_twice(Ask::Refs, &nothing)?;
    let unknown = || GitError::Answer {
        command: "for-each-ref",
    };
    let mut count = Count::of(bounds::REFS);
    let mut refs = BTreeMap::new();
    for line in output.split(|byte| *byte == b'\n') {
        if line.is_empty() {
            continue;
        }
        let space = memchr::memchr(b' ', line).ok_or_else(unknown)?;
        count.add(1)?;
        refs.insert(escaped(&line[space + 1..]), escaped(&line[..space]));
    }
    Ok(refs)
}

fn broken(place: &Path) -> Unreadable {
    Unreadable::io(place, std::io::Error::other("it names no commit"))
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
