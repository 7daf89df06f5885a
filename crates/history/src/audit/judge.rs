//! From sessions to what their reports claim and nothing shows, one repository after the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use attest_snapshot::{Doubt, Limits, LookingBack, Unreadable, escaped, path_bytes};
use attest_verdict::{self as verdict, ClaimFinding, Finding, Strict, weigh};
use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::evidence::Today;
use super::findings::{Audit, MissingFile, Report};
use super::read::{Named, Session, Sessions};
use super::touched::Touched;
use attest_base::ui::progress;

/// Commits that are this much older than a session are looked at: clocks differ.
const SLACK: SignedDuration = SignedDuration::from_hours(24);

/// Paths of one report that are listed.
const MOST_PATHS: usize = 20;
/// Characters of a line of a report that are kept.
const MOST_OF_LINE: usize = 400;
/// Why a folder cannot be looked at that is not there.
const GONE: &str = "the folder is gone";

#[derive(Debug, Error)]
#[error("there is no repository to look at")]
pub(super) struct NoRepository(#[source] Unreadable);

/// The folder by which a repository is known, whichever of its work trees is named.
pub(super) fn common_dir(folder: &Path, limits: &Limits) -> Result<PathBuf, NoRepository> {
    let back = LookingBack::at(folder, limits).map_err(NoRepository)?;
    Ok(back.common_dir)
}

/// How it is judged.
pub(super) struct Judging<'j> {
    pub(super) limits: &'j Limits,
    /// The only repository that is looked at, if the person named one.
    pub(super) only: Option<&'j Path>,
}

/// Where a session worked, or why nobody can look there.
type Ground = Result<PathBuf, (String, String)>;

impl Judging<'_> {
    /// Adds to `audit` what comes of the sessions.
    pub(super) fn audit(&self, sessions: Sessions, audit: &mut Audit) {
        let touched = Touched::of(&sessions.all);
        audit.unreadable += sessions.unreadable;
        let mut grounds = Grounds::default();
        let mut by_repository: BTreeMap<PathBuf, Vec<Session>> = BTreeMap::new();
        for mut session in sessions.all {
            let ground = grounds.of(&mut session, self.limits);
            if !grounds.is_wanted(&ground, self) {
                continue;
            }
            audit.transcripts += 1;
            audit.reports += session.reports;
            audit.claims += session.claims;
            audit.named += session.named.len();
            match ground {
                Ok(root) => by_repository.entry(root).or_default().push(session),
                Err((folder, why)) if !session.named.is_empty() => {
                    audit.leave_out(folder, why, session.named.len());
                }
                Err(_) => {}
            }
        }
        for (root, sessions) in by_repository {
            progress::during("looking at the repositories", || {
                self.repository(&root, &sessions, &touched, audit);
            });
        }
        audit.settle();
    }

    fn repository(&self, root: &Path, sessions: &[Session], touched: &Touched, audit: &mut Audit) {
        let limits = Limits {
            budget: self.limits.budget.afresh(),
            ..self.limits.clone()
        };
        let left_out = |audit: &mut Audit, sessions: &[Session], why: &Unreadable| {
            let named = sessions.iter().map(|session| session.named.len());
            let folder = root.to_string_lossy().into_owned();
            audit.leave_out(folder, why.to_string(), named.sum());
        };
        let mut back = match LookingBack::at(root, &limits) {
            Ok(back) => back,
            Err(error) => return left_out(audit, sessions, &error),
        };
        let mut wanted = BTreeSet::new();
        let mut since = Some(Timestamp::MAX);
        for session in sessions {
            let today = Today {
                back: &back,
                touched,
                session,
            };
            let unknown = session
                .named
                .iter()
                .flat_map(|named| today.unknown(&named.claim));
            let names: Vec<_> = unknown.map(|meanings| meanings.last().to_owned()).collect();
            if !names.is_empty() {
                since = since.zip(session.began).map(|(a, b)| a.min(b));
            }
            wanted.extend(names.into_iter().filter(|name| !name.is_empty()));
        }
        if !wanted.is_empty() {
            let since = since.and_then(|since| since.checked_sub(SLACK).ok());
            let since = since.map(|since| since.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
            back.search(&wanted, since.as_deref());
        }
        for (at, session) in sessions.iter().enumerate() {
            if limits.budget.is_over() {
                return left_out(audit, &sessions[at..], &Unreadable::TooSlow);
            }
            let today = Today {
                back: &back,
                touched,
                session,
            };
            for named in &session.named {
                audit.add(named, &today);
            }
        }
    }
}

impl Audit {
    /// A report stands in one list, by what is most certain of its files.
    fn add(&mut self, named: &Named, today: &Today<'_>) {
        let verdict = weigh(&named.claim, Vec::new(), Strict::default(), today);
        let missing = |finding: Finding, has: fn(Option<&verdict::Doubt>) -> bool| {
            let found = verdict.findings.iter();
            found
                .filter(|it| it.finding == finding && has(it.doubt.as_ref()))
                .collect::<Vec<_>>()
        };
        let lists = [
            (
                missing(Finding::Absent, |why| why.is_none()),
                &mut self.not_found,
            ),
            (
                missing(Finding::Absent, |why| why.is_some()),
                &mut self.unread,
            ),
            (
                missing(Finding::Unproven, |why| {
                    matches!(why, Some(verdict::Doubt::Seen(_)))
                }),
                &mut self.doubtful,
            ),
        ];
        let listed = lists.into_iter().find(|(found, _)| !found.is_empty());
        if let Some((found, list)) = listed {
            list.push(Report::of(&found, named, today));
        }
    }
}

impl Report {
    fn of(found: &[&ClaimFinding], named: &Named, today: &Today<'_>) -> Self {
        let session = today.session;
        let files = found.iter().take(MOST_PATHS).map(|found| {
            let line = line_of(&named.claim.raw, &found.claimed);
            let line = line.unwrap_or_default().chars().take(MOST_OF_LINE);
            MissingFile {
                path: found.claimed.clone(),
                line: line.collect(),
            }
        });
        let why = found.first().and_then(|found| found.doubt.as_ref());
        Self {
            at: named.at,
            host: session.host.name(),
            session: session.about.session.clone(),
            agent: session.about.agent.clone(),
            agent_type: session.about.agent_type.clone(),
            is_subagent: session.is_subagent,
            repository: text(&today.back.root),
            transcript: text(&session.path),
            line: named.line,
            files: files.collect(),
            more_files: found.len().saturating_sub(MOST_PATHS),
            why: why.map(ToString::to_string),
        }
    }
}

pub(super) fn text(path: &Path) -> String {
    escaped(&path_bytes(path))
}

/// The line of a report that names the path: as it is, or by its last part.
fn line_of<'t>(text: &'t str, path: &str) -> Option<&'t str> {
    let last = path.trim_end_matches('/').rsplit('/').next();
    let find = |name: &str| text.lines().map(str::trim).find(|line| line.contains(name));
    find(path).or_else(|| find(last?))
}

/// The work trees of sessions, each looked for once.
#[derive(Default)]
struct Grounds {
    found: HashMap<PathBuf, Ground>,
    /// Whether a work tree is of the repository that is wanted.
    wanted: HashMap<PathBuf, bool>,
}

impl Grounds {
    fn is_wanted(&mut self, ground: &Ground, judging: &Judging<'_>) -> bool {
        let (only, root) = match (judging.only, ground) {
            (None, _) => return true,
            (Some(_), Err(_)) => return false,
            (Some(only), Ok(root)) => (only, root),
        };
        let is_of = || common_dir(root, judging.limits).is_ok_and(|it| it == only);
        *self.wanted.entry(root.clone()).or_insert_with(is_of)
    }

    /// The work tree of a session. If one of its folders is gone, nobody can look there; if one is not in that work
    /// tree, nothing is proven.
    fn of(&mut self, session: &mut Session, limits: &Limits) -> Ground {
        let mut folders = session.about.folders.iter();
        let Some(first) = folders.next() else {
            let name = session.path.to_string_lossy().into_owned();
            return Err((name, "its transcript names no folder".to_owned()));
        };
        let root = self.of_folder(first, limits)?;
        for folder in folders {
            let other = self.of_folder(folder, limits);
            if other.as_ref().is_err_and(|(_, why)| why == GONE) {
                return other;
            }
            if other.as_ref() != Ok(&root) {
                let name = folder.to_string_lossy();
                let doubt = Doubt::UnknownPlace(format!("it worked in {name} as well"));
                doubt.add_to(&mut session.doubt);
            }
        }
        Ok(root)
    }

    fn of_folder(&mut self, folder: &Path, limits: &Limits) -> Ground {
        let ground = self.found.entry(folder.to_owned()).or_insert_with(|| {
            let name = || folder.to_string_lossy().into_owned();
            let why = match LookingBack::at(folder, limits) {
                Ok(back) => return Ok(back.root),
                Err(Unreadable::NoFolder(_)) => GONE.to_owned(),
                Err(Unreadable::NotARepository(_)) => "it is in no git work tree".to_owned(),
                Err(error) => error.to_string(),
            };
            Err((name(), why))
        });
        ground.clone()
    }
}
