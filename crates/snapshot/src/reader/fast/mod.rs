//! attest's own reader: the index and one pass over the work tree.
//!
//! libgit2 opens the repository and reads objects, configuration and attributes; if it cannot, git
//! supplies objects and settings. HEAD, branches, the index, the contents of folders and the ignore
//! rules are read here. The answer is that of `git status --porcelain=v2 -uall --no-renames
//! --ignore-submodules=all`, except that a file counts as differing if only a program could tell
//! whether it differs.

pub(super) mod basis;
mod bitmap;
mod cache;
mod cache_tree;
mod content;
mod deep;
mod folder;
mod folders;
mod index;
mod line_ends;
mod listing;
mod nested;
mod outcome;
mod pass;
mod rules;
mod scan;
mod settings;
mod staged;
mod stat;
mod whole;

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

pub(crate) use basis::root;
use basis::{Basis, read_index, rules_everywhere};
use cache::PreviousScan;
use content::Contents;
pub(crate) use folders::{Child, base, children, folder_of, join};
pub(crate) use index::Index;
use line_ends::Conversion;
pub(crate) use listing::stat;
use outcome::Outcome;
use pass::Pass;
pub(crate) use rules::{RULES, Rules, text_in};
use scan::Scan;
use settings::Settings;
use staged::Staged;

use crate::bounds;
use crate::config::Config;
use crate::identity::{Digest, Identity, Time};
use crate::odb::{Odb, Oid};
use crate::reader::listing::{Listing, Seen, listed};
use crate::reader::refs;
use crate::reader::refusal::Refusal;
use crate::repository::Access;
use crate::unlisted::Unlisted;
use crate::{Limits, Moment, RepoPath, Repository, Unreadable, WorkTree};

pub(super) struct FastReader<'a> {
    repository: &'a Repository,
    now: &'a Moment,
    earlier: Option<&'a WorkTree>,
}

impl<'a> FastReader<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        now: &'a Moment,
        earlier: Option<&'a WorkTree>,
    ) -> Self {
        Self {
            repository,
            now,
            earlier,
        }
    }

    pub(super) fn list(&self, limits: &Limits) -> Result<(Listing, Option<Basis>), Refusal> {
        let opened = match &self.repository.access {
            Access::Fast(opened) | Access::LibGit2(opened) => Some(&**opened),
            Access::Program { .. } => None,
        };
        if let Some(opened) = opened {
            // libgit2 loads the whole index before it answers about attributes, unless it already
            // has one.
            opened.set_index(&mut git2::Index::new()?)?;
        }
        let odb = self.repository.odb(limits);
        let (head, refs) = refs::read(self.repository, &odb, limits)?;
        let tree = match head
            .oid
            .as_ref()
            .and_then(|oid| Oid::from_hex(oid.as_bytes()))
        {
            Some(oid) => Some(odb.commit(oid)?.tree),
            None => None,
        };
        let config = Config::read(self.repository, limits)?;
        let settings = Settings::read(&config, self.repository, limits)?;
        let root = root(&self.repository.root)?;
        let (index, index_identity) = read_index(self.repository, &odb, &root)?;
        let everywhere = rules_everywhere(&self.repository.common_dir, &settings.ignoring);
        let is_whole = everywhere.iter().all(Result::is_ok);
        let everywhere: Vec<_> = everywhere
            .into_iter()
            .map(rules::as_git_reads)
            .collect::<Result<_, _>>()
            .map_err(|error| Unreadable::io(&self.repository.common_dir, error))?;
        // A part of an assembled index is stored elsewhere, and its folders may come and go.
        let kept = index_identity.as_ref().filter(|_| !index.is_made_whole);
        let cache_key = self.cache_key(kept, &settings, &everywhere, tree);
        let scan = Scan {
            root: &root,
            root_path: &self.repository.root,
            index: &index,
            index_written: index_identity.map_or(Time::EPOCH, |identity| identity.mtime),
            settings: &settings,
            limits,
            everywhere: Arc::new(Rules::everywhere(
                &everywhere,
                settings.ignoring.ignore_case,
            )),
            left_out_rules: left_out_rules(&odb, &index)?,
            rules: index.folders.iter().map(|_| OnceLock::new()).collect(),
            rule_lines: AtomicU64::new(0),
            unread_rules: OnceLock::new(),
            paths: AtomicU64::new(0),
            began_ns: self.now.wall_ns,
        };
        let earlier = self
            .earlier
            .zip(cache_key)
            .and_then(|(earlier, cache_key)| PreviousScan::new(earlier, cache_key, &index, &root));
        let pass = Pass {
            scan: &scan,
            earlier: earlier.as_ref(),
        };
        let outcome = pass.run()?;
        let contents = Contents {
            root: &root,
            index: &index,
            conversion: Conversion {
                common_dir: &self.repository.common_dir,
                opened,
                root: &root,
                index: &index,
                settings: &settings,
            },
            limits,
        };
        let mut differing = paths(&outcome, &index)?;
        let changed = contents.changed(&outcome)?.into_iter();
        differing.extend(changed.map(Seen::nothing_of));
        for path in Staged::list(&odb, &index, tree)? {
            differing.push(Seen::nothing_of(listed(&path)?));
        }
        let unlisted = unlisted(&outcome, &index, &everywhere)?;
        let memory = cache_key
            .map(|cache_key| cache::remember(outcome, &index, cache_key, earlier.as_ref()));
        let everywhere = scan.everywhere;
        let listing = Listing {
            head,
            refs,
            origin: config.origin(),
            differing,
            unlisted: Some(unlisted),
            memory,
        };
        Ok((listing, is_whole.then_some(Basis { index, everywhere })))
    }

    /// What the meaning of the names depends on. `None` if the index is too recent to show that it
    /// changes.
    fn cache_key(
        &self,
        index: Option<&Identity>,
        settings: &Settings,
        everywhere: &[Vec<u8>],
        tree: Option<Oid>,
    ) -> Option<Digest> {
        let index = index.filter(|index| index.is_older_than(self.now.wall_ns))?;
        let tree = tree.map(|tree| tree.as_bytes().to_vec());
        // Another version may interpret the same names differently.
        let version = env!("CARGO_PKG_VERSION");
        Some(Digest::of(&(version, index, settings, everywhere, tree)))
    }
}

/// How the work tree differs from the index.
fn paths(outcome: &Outcome, index: &Index) -> Result<Vec<(RepoPath, Seen)>, Unreadable> {
    let changed = outcome.changed.iter();
    let changed = changed.map(|number| (index.entry(*number).path, Seen::Nothing));
    let untracked = outcome.untracked.iter();
    let untracked = untracked.map(|(path, seen)| (path.as_slice(), *seen));
    changed
        .chain(untracked)
        .map(|(path, seen)| Ok((listed(path)?, seen)))
        .collect()
}

/// The folders in which nothing is listed.
fn unlisted(
    outcome: &Outcome,
    index: &Index,
    everywhere: &[Vec<u8>],
) -> Result<Unlisted, Unreadable> {
    let of = |paths: &mut dyn Iterator<Item = &[u8]>| paths.map(listed).collect::<Result<_, _>>();
    let mut modules = outcome.modules.iter().map(|at| index.entry(*at).path);
    let mut ignored = outcome.ignored.iter().map(Vec::as_slice);
    let mut folders = outcome
        .untracked_folders
        .iter()
        .map(|(path, _)| path.as_slice());
    let files = outcome.untracked.iter().map(|(path, _)| path.as_slice());
    Ok(Unlisted::of(
        of(&mut modules)?,
        of(&mut ignored)?,
        of(&mut folders)?,
        files.collect(),
        Digest::of(&everywhere),
    ))
}

/// The contents of the rule files that are left out of the checkout, by path.
fn left_out_rules(odb: &Odb<'_>, index: &Index) -> Result<HashMap<Vec<u8>, Vec<u8>>, Refusal> {
    if !index.has_extended {
        return Ok(HashMap::new());
    }
    let entries = index.entries().filter(|entry| entry.is_left_out());
    entries
        .filter(|entry| folders::is_named(entry.path, RULES))
        .map(|entry| Ok((entry.path.to_vec(), rules_of(odb, entry.oid())?)))
        .collect()
}

/// The content of a rule file that git has stored; one that is too large counts as empty, as on
/// disk.
pub(crate) fn rules_of(odb: &Odb<'_>, oid: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let oid = Oid::from_bytes(oid);
    let content = oid
        .map(|oid| odb.blob(oid, bounds::RULE_FILE))
        .transpose()?;
    Ok(content.flatten().unwrap_or_default())
}
