//! What is left in claimed files that changed. Facts about bytes: they are told or shown, and never block.
//!
//! There are many good reasons for a file that is empty or has lost most of what it held, and whoever gives one is
//! not told of. Nor is a file whose content went into others.

mod excuses;

use attest_claim::{Kind, has_no_size};
use attest_evidence::{Before, Held, RepoPath};

use super::Sources;
use super::stubs::{self, stubs};
use crate::{ClaimFinding, Finding, Verdict};
use excuses::Excuses;

/// Claimed files that are looked at.
const MOST_FILES: usize = 200;
/// Of these, those in which stubs are counted: that takes their bytes.
const MOST_WITH_STUBS: usize = 20;
/// The fewest bytes that a file has to have lost: a small one is soon written anew.
const LEAST_LOST: u64 = 512;
/// What a file still has of its bytes has to be less than one part of so many.
const PARTS: u64 = 10;

impl Sources<'_> {
    /// What is to be said of the content of the claimed files that changed.
    #[must_use]
    pub fn content(self, verdict: &Verdict) -> Vec<ClaimFinding> {
        let files = verdict.findings.iter().filter_map(changed_file);
        let files: Vec<_> = files.take(MOST_FILES).collect();
        if files.is_empty() {
            return Vec::new();
        }
        let paths: Vec<_> = files.iter().map(|(_, path)| *path).collect();
        let held = self.held_now(&paths);
        let before = self.held_before(&paths, &held);
        let found = files.iter().zip(held).zip(before);
        let excuses = Excuses::of(self, verdict);
        let found = found.filter_map(|(((claimed, path), held), before)| {
            let held = held.filter(|held| !is_pointer(held))?;
            let stubs = || {
                let bytes = held.bytes.as_deref()?;
                stubs(path, bytes, self.repository)
            };
            let of_size = before.and_then(|before| size(path, before, held.size, &excuses));
            let (finding, why) = of_size.or_else(stubs)?;
            Some(ClaimFinding::of_kind(Kind::Content, claimed, finding).because(why))
        });
        found.collect()
    }

    fn held_now(self, paths: &[&RepoPath]) -> Vec<Option<Held>> {
        let (first, rest) = paths.split_at(MOST_WITH_STUBS.min(paths.len()));
        let mut held = self.repository.held_now(first, stubs::MOST_BYTES);
        held.extend(self.repository.held_now(rest, 0));
        held
    }

    /// What was in each at the start, of those that may have lost what they had. To find it in git's objects costs
    /// more than all else here, and most files have grown.
    fn held_before(self, paths: &[&RepoPath], held: &[Option<Held>]) -> Vec<Option<Before>> {
        let may_have_lost = |path: &RepoPath, now: u64| {
            let noted = self.repository.noted_size(path);
            now == 0 || noted.is_none_or(|noted| is_gutted(noted, now))
        };
        let is_asked = paths.iter().zip(held).map(|(path, held)| {
            let held = held.as_ref();
            held.is_some_and(|held| may_have_lost(path, held.size))
        });
        let is_asked: Vec<_> = is_asked.collect();
        let asked = paths.iter().zip(&is_asked).filter(|(_, asked)| **asked);
        let asked: Vec<_> = asked.map(|(path, _)| *path).collect();
        if asked.is_empty() {
            return vec![None; paths.len()];
        }
        let mut before = self.repository.held_before(&asked).into_iter();
        let each = is_asked.into_iter();
        each.map(|asked| asked.then(|| before.next())??).collect()
    }
}

/// What its size shows of a file, if the report does not explain it.
fn size(
    path: &RepoPath,
    before: Before,
    now: u64,
    excuses: &Excuses<'_>,
) -> Option<(Finding, String)> {
    let text = path.to_string();
    if has_no_size(&text) {
        return None;
    }
    match (before, now) {
        (Before::Missing, 0) if !excuses.explain_emptiness(&text, 0) => {
            Some((Finding::Empty, "the file is empty".to_owned()))
        }
        (Before::Bytes(before @ 1..), 0) if !excuses.explain_emptiness(&text, before) => {
            let had = bytes(before);
            Some((
                Finding::Emptied,
                format!("the file is empty, and had {had} at the start"),
            ))
        }
        (Before::Some, 0) if !excuses.explain_emptiness(&text, 0) => {
            let why = "the file is empty, and was not at the start";
            Some((Finding::Emptied, why.to_owned()))
        }
        (Before::Bytes(before), now @ 1..) if is_gutted(before, now) => {
            let (had, has) = (bytes(before), bytes(now));
            let why = format!("the file has {has} left, and had {had} at the start");
            (!excuses.cover_a_loss(before - now)).then_some((Finding::Gutted, why))
        }
        _ => None,
    }
}

/// A claimed file that changed, if the words beside it say nothing of what may have become of its content.
fn changed_file(found: &ClaimFinding) -> Option<(&str, &RepoPath)> {
    let path = found.accounts_for.first()?;
    let text = path.to_string();
    let claimed = found.claimed.trim_start_matches("./");
    let is_it = || {
        let before = text.strip_suffix(claimed);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_asked = found.finding == Finding::Changed && found.is_plain && is_it();
    is_asked.then_some((found.claimed.as_str(), path))
}

/// Whether it is what Git LFS leaves in the place of a file that it keeps elsewhere.
fn is_pointer(held: &Held) -> bool {
    let bytes = held.bytes.as_deref();
    bytes.is_some_and(|it| it.starts_with(b"version https://git-lfs.github.com/spec/"))
}

fn is_gutted(before: u64, now: u64) -> bool {
    now < before / PARTS && before - now >= LEAST_LOST
}

fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    }
}
