//! Claimed files that are not on disk: what was written and is gone is no lie, and others are at work too.

mod short;
mod temporary;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use attest_evidence::{
    Change, Doubt as SeenDoubt, EvidenceSource, RepoPath, Trace, ends_in, escaped, fold,
};
use jiff::Timestamp;
use temporary::is_temporary;

use crate::facts::Since;
use crate::said_gone::SaidOutright;
use crate::{
    ClaimFinding, Doubt, Finding, Gone, Lost, TakenBack, Tools, Verdict, Was, Whereabouts, quoted,
};

/// Files that are looked for.
pub(crate) const MOST_FILES: usize = 100;

/// What can be found out of files that are not on disk, by what was done to files while the agent was at work.
pub trait Search {
    /// The last call of the agent that wrote a file of this name, or was to, where nothing is now; and the paths that it
    /// may have written it to, as reports name them.
    fn own_write(&self, name: &str) -> Option<(Was, Vec<String>)>;

    /// How it is known that the file was there, other than by what the agent wrote.
    fn met(&self, name: &str) -> Option<Was>;

    /// Those of these files that the agent wrote and put back, if they are certainly what they were at the start and
    /// nobody else was at work.
    fn taken_back(&self, names: &[&str]) -> BTreeMap<String, TakenBack>;

    /// What may have removed the file.
    fn removal(&self, sought: Sought<'_>) -> Option<Removal>;

    /// The place of what was written to the file, if it is found under another name, and its path among those that
    /// changed.
    fn moved(
        &self,
        name: &str,
        removal: Option<&Removal>,
        changed: &[(RepoPath, Change)],
    ) -> Option<(String, Option<RepoPath>)>;

    /// Whether a later call of the agent itself may have moved or removed it.
    fn may_be_own_removal(&self, sought: Sought<'_>) -> bool;

    /// Whether a call of somebody else may have taken it away.
    fn may_be_removed_by_others(&self, name: &str) -> bool;

    /// Whether all calls of the agent are known, up to its report.
    fn has_all_calls(&self) -> bool;

    /// Whether one of them that may write more than it names ran where it may have written the file.
    fn may_be_written(&self, name: &str) -> bool;

    /// Whether one of them names it that did not fail and may write what it does not name: code may.
    fn may_be_made(&self, name: &str) -> bool;

    /// Whether any other subagent was at work.
    fn has_others(&self) -> bool;

    /// Whether it is known that nobody else did anything to files.
    fn is_alone(&self) -> bool;

    /// Why not all that others did was gone through.
    fn cut(&self) -> Option<SeenDoubt>;

    /// What the folder shows in which the file would be.
    fn trace(&self, name: &str) -> Trace;

    /// One of these changed files that was given another name, right or time after it was written, and when, in
    /// nanoseconds since the epoch.
    fn renamed_one<'p>(&self, paths: &'p [RepoPath]) -> Option<(&'p RepoPath, i64)>;

    /// Whether git was given a content since the start that nothing names any more.
    fn keeps_a_file_of_no_name(&self) -> bool;
}

/// A file that is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// As the claim names it.
    pub name: &'a str,
    /// When it was last known to be written, as the host writes it.
    pub since: Option<&'a str>,
}

impl Sought<'_> {
    /// When it was last known to be written.
    #[must_use]
    pub fn since(&self) -> Option<Timestamp> {
        self.since?.parse().ok()
    }
}

/// What may have removed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The call.
    pub by: Gone,
    /// Where the file went, as the command says it.
    pub to: Option<String>,
}

/// What is known of the claimed paths that are not on disk, by how they are claimed.
pub(crate) fn whereabouts(
    since: &dyn Since,
    verdict: &Verdict,
    message: &str,
) -> BTreeMap<String, Whereabouts> {
    let search = since.search();
    let looked_for = LookedFor {
        message,
        evidence: Some(since.paths()),
        ..LookedFor::of(&*search, since.root(), Some(verdict))
    };
    let found = missing(verdict).filter_map(|missing| {
        let name = missing.claimed.rsplit(" -> ").next()?;
        let known = looked_for.find(name, missing.finding == Finding::Absent)?;
        Some((missing.claimed.clone(), known))
    });
    found.collect()
}

/// Whether a file that the agent was asked for was there, or may have been.
pub(crate) fn may_have_been(search: &dyn Search, root: &Path, name: &str) -> bool {
    LookedFor::of(search, root, None).find(name, true).is_some()
}

fn missing(verdict: &Verdict) -> impl Iterator<Item = &ClaimFinding> {
    let missing = verdict.findings.iter().filter(|found| found.is_missing());
    missing.take(MOST_FILES)
}

/// What is looked for, beside a verdict if there is one.
struct LookedFor<'a> {
    search: &'a dyn Search,
    root: &'a Path,
    evidence: Option<&'a dyn EvidenceSource>,
    verdict: Option<&'a Verdict>,
    /// What may say that it is gone.
    message: &'a str,
    said: OnceCell<SaidOutright>,
    leftover: OnceCell<Option<String>>,
    /// What was deleted, as claims name it.
    deleted: OnceCell<Vec<(String, &'a RepoPath)>>,
    /// What was written and no claim of a file that is there accounts for.
    apart: OnceCell<Vec<RepoPath>>,
    /// The same by their last parts, of several with one the first.
    by_name: OnceCell<HashMap<String, RepoPath>>,
    renamed: OnceCell<Option<(RepoPath, i64)>>,
}

impl<'a> LookedFor<'a> {
    fn of(search: &'a dyn Search, root: &'a Path, verdict: Option<&'a Verdict>) -> Self {
        Self {
            search,
            root,
            evidence: None,
            verdict,
            message: "",
            said: OnceCell::new(),
            leftover: OnceCell::new(),
            deleted: OnceCell::new(),
            apart: OnceCell::new(),
            by_name: OnceCell::new(),
            renamed: OnceCell::new(),
        }
    }

    /// What is known of a path that is not on disk. `is_proof` says whether its absence would disprove the claim.
    fn find(&self, name: &str, is_proof: bool) -> Option<Whereabouts> {
        let search = self.search;
        let own = search.own_write(name);
        if own.is_none() && !is_proof {
            return None;
        }
        let mut name = name;
        let (own, paths) = own.unzip();
        let longer = paths.iter().flatten().filter(|it| it.len() > name.len());
        let longer: Vec<_> = longer.map(String::as_str).collect();
        // A name that is the end of the path that was written stands for it.
        if let Some(path) = longer.first() {
            if self.is_known_as_short(name, &longer) {
                return is_proof.then_some(Whereabouts::Doubted(Doubt::OwnRemoval));
            }
            name = path;
        }
        if own.is_some() && is_temporary(name, self.root) {
            return Some(Whereabouts::Doubted(Doubt::Temporary));
        }
        let Some(was) = own.or_else(|| search.met(name)) else {
            return self.doubt(name).map(Whereabouts::Doubted);
        };
        if let Some(other) = self.removed_namesake(name) {
            return is_proof.then(|| Whereabouts::Doubted(Doubt::SameName(other.clone())));
        }
        let since = was.at();
        let sought = Sought { name, since };
        let removal = search.removal(sought);
        if let Some((place, path)) = search.moved(name, removal.as_ref(), self.changed()) {
            let to = format!("what was written to it is in {}", quoted(&place));
            return Some(Whereabouts::Moved { to, path });
        }
        if let Some(path) = self.perhaps_moved(name) {
            return Some(Whereabouts::Doubted(Doubt::PerhapsMoved(path.clone())));
        }
        let doubt = match &was {
            Was::Written { .. } if search.may_be_own_removal(sought) => Some(Doubt::OwnRemoval),
            Was::Written { .. } if !search.has_all_calls() => Some(Doubt::CallsUnknown),
            Was::Written { .. } => (!search.is_alone()).then_some(Doubt::PerhapsOthers),
            _ => Some(Doubt::NotSeenWritten),
        };
        Some(Whereabouts::Lost(Lost {
            was,
            gone: removal.map(|removal| removal.by),
            doubt,
        }))
    }

    fn changed(&self) -> &'a [(RepoPath, Change)] {
        self.verdict.map_or(&[], |it| &it.observed)
    }

    /// The changed files of which this became.
    fn that_are(&self, wanted: Change) -> impl Iterator<Item = &'a RepoPath> {
        let changed = self.changed().iter();
        changed.filter_map(move |(path, change)| (*change == wanted).then_some(path))
    }

    /// A file that was there at the start and is gone, and may be the one that a call names: one path is the end of the
    /// other.
    fn removed_namesake(&self, name: &str) -> Option<&RepoPath> {
        let shown = |path: &'a RepoPath| (escaped(path.as_bytes()), path);
        let deleted = || self.that_are(Change::Deleted).map(shown).collect();
        let mut deleted = self.deleted.get_or_init(deleted).iter();
        let found =
            deleted.find(|(path, _)| path != name && (ends_in(path, name) || ends_in(name, path)));
        found.map(|(_, path)| *path)
    }

    /// Whether one of the paths that the name may be short for is known.
    fn is_known_as_short(&self, name: &str, paths: &[&str]) -> bool {
        let evidence = self.evidence;
        evidence.is_some_and(|evidence| short::is_known(name, paths, evidence))
    }

    /// A file that may be the one of this name, which somebody moved: its content need not be known from the call that
    /// wrote it, or is another one by now.
    fn perhaps_moved(&self, name: &str) -> Option<&RepoPath> {
        let by_name = || {
            let apart = self.apart().iter();
            let named = apart
                .rev()
                .map(|path| (last(&path.to_string()), path.clone()));
            named.collect::<HashMap<_, _>>()
        };
        let namesake = self.by_name.get_or_init(by_name).get(&last(name));
        namesake.or_else(|| self.renamed().map(|(path, _)| path))
    }

    fn apart(&self) -> &[RepoPath] {
        self.apart.get_or_init(|| {
            let findings = self.verdict.map_or(&[][..], |it| &it.findings);
            let there: Vec<_> = findings.iter().filter(|it| !it.is_missing()).collect();
            let accounted: BTreeSet<_> = there.iter().flat_map(|it| &it.accounts_for).collect();
            let folders: Vec<_> = there.iter().filter(|it| it.is_folder()).collect();
            let written = self.that_are(Change::Written);
            let apart = written.filter(|path| {
                !accounted.contains(path) && !folders.iter().any(|it| it.is_folder_above(path))
            });
            apart.cloned().collect()
        })
    }

    /// One of them that was given another name.
    fn renamed(&self) -> Option<&(RepoPath, i64)> {
        let find = || {
            let (path, at) = self.search.renamed_one(self.apart())?;
            Some((path.clone(), at))
        };
        self.renamed.get_or_init(find).as_ref()
    }

    /// Why it is not certain that a file was never there of which nothing is known.
    fn doubt(&self, name: &str) -> Option<Doubt> {
        let search = self.search;
        if let Some(why) = search.cut() {
            return Some(why.into());
        }
        let is_known = search.has_all_calls();
        let is_named = search.may_be_made(name);
        if is_known && !is_named && !search.may_be_written(name) {
            return None;
        }
        let said = || SaidOutright::of(self.message);
        if self.said.get_or_init(said).is_of(name) {
            return Some(Doubt::SaidGone);
        }
        match search.trace(name) {
            Trace::AtRest => None,
            // A command of somebody may have taken what a command of the agent may have made.
            _ if is_known && search.may_be_removed_by_others(name) => Some(Doubt::MayBeRemoved),
            Trace::NameGone(_) if !is_known && search.has_others() => Some(Doubt::MayBeRemoved),
            Trace::NameGone(at) => Some(Doubt::NameGone(time(at))),
            Trace::Changed if is_named => Some(Doubt::MayBeMade),
            Trace::Changed if is_known => None,
            Trace::Changed => self.leftover().map(Doubt::Leftover),
        }
    }

    /// What else shows that something is gone that was there since the start.
    fn leftover(&self) -> Option<String> {
        let find = || {
            let claimed = self.verdict.into_iter().flat_map(missing);
            let mut traces = claimed.map(|it| self.search.trace(&it.claimed));
            let gone = traces.find_map(|trace| match trace {
                Trace::NameGone(at) => Some(format!(
                    "something was removed from another folder of the list at {}",
                    time(at)
                )),
                _ => None,
            });
            let moved = || {
                let (path, at) = self.renamed()?;
                let path = quoted(&path.to_string());
                Some(format!(
                    "{path} was given another name, other rights or another time at {}",
                    time(*at)
                ))
            };
            let kept = || {
                let keeps = self.search.keeps_a_file_of_no_name();
                keeps.then(|| "git keeps a content that no commit and no index names".to_owned())
            };
            gone.or_else(moved).or_else(kept)
        };
        self.leftover.get_or_init(find).clone()
    }
}

/// Says what may have removed files that the agent wrote and does not claim: what is found under another name, or
/// lay below a temporary folder or outside of the work tree, is not lost.
pub(crate) fn explain(since: &dyn Since, verdict: &Verdict, tools: &mut Tools) {
    let (search, root) = (since.search(), since.root());
    let looked_for = LookedFor::of(&*search, root, Some(verdict));
    for (path, _) in std::mem::take(&mut tools.lost) {
        let name = tools.names.get(&path).unwrap_or(&path);
        if is_temporary(name, root) || Path::new(name).is_absolute() {
            continue;
        }
        let removal = search.removal(Sought { name, since: None });
        let is_moved = search.moved(name, removal.as_ref(), &[]).is_some();
        if !is_moved && looked_for.perhaps_moved(name).is_none() {
            tools.lost.insert(path, removal.map(|removal| removal.by));
        }
    }
}

/// Leaves out what lay below a temporary folder, where no work tree tells more.
pub(crate) fn leave_out_temporary(tools: &mut Tools) {
    let names = &tools.names;
    tools.lost.retain(|path, _| {
        let shown = names.get(path).unwrap_or(path);
        !is_temporary(shown, Path::new(""))
    });
}

/// The last part of a path, folded.
fn last(path: &str) -> String {
    fold(path.rsplit(['/', '\\']).next().unwrap_or(path))
}

/// A moment in nanoseconds since the epoch.
fn time(at: i64) -> String {
    let at = Timestamp::from_nanosecond(i128::from(at)).unwrap_or_default();
    at.strftime("%H:%M:%S UTC").to_string()
}

#[cfg(test)]
pub(crate) mod tests;
