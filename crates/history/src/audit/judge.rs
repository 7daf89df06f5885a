//! From sessions to what their reports claim and nothing shows, one repository after the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use attest_snapshot::{Limits, LookingBack, Unreadable};
use attest_verdict::{ClaimFinding, Doubt, Finding, Strict, weigh};
use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::evidence::Today;
use super::read::{Done, Session, Sessions};
use super::touched::Touched;
use attest_base::ui::progress;

/// Commits that are this much older than a session are looked at: clocks differ.
const SLACK: SignedDuration = SignedDuration::from_hours(24);

/// Paths of one report that are listed.
const MOST_PATHS: usize = 20;
/// Reports that are listed.
const MOST_REPORTS: usize = 200;
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

/// What came of all sessions.
#[derive(Default)]
pub(super) struct Audit {
    pub(super) transcripts: usize,
    pub(super) unreadable: usize,
    pub(super) reports: usize,
    pub(super) claims: usize,
    /// Reports that name a file of which nothing is found, and could be.
    pub(super) found: Vec<Missing>,
    /// The same where something unseen may have made it.
    pub(super) doubted: Vec<Missing>,
    /// How many of both there are that are not listed.
    pub(super) more_found: usize,
    pub(super) more_doubted: usize,
    /// The folders of sessions that cannot be looked at, each with why and how many reports.
    pub(super) not_looked_at: BTreeMap<(String, String), usize>,
}

/// A report with paths of which nothing is found.
pub(super) struct Missing {
    pub(super) host: &'static str,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) is_subagent: bool,
    pub(super) at: Option<Timestamp>,
    pub(super) repository: PathBuf,
    pub(super) transcript: PathBuf,
    pub(super) line: u64,
    /// Each path, and the line of the report that names it.
    pub(super) paths: Vec<(String, String)>,
    /// How many more there are.
    pub(super) more: usize,
    /// Why it proves nothing.
    pub(super) why: Option<String>,
}

/// Where a session worked, or why nobody can look there.
type Ground = Result<PathBuf, (String, String)>;

impl Judging<'_> {
    pub(super) fn audit(&self, sessions: Sessions) -> Audit {
        let touched = Touched::of(&sessions.all);
        let mut audit = Audit {
            unreadable: sessions.unreadable,
            ..Audit::default()
        };
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
            match ground {
                Ok(root) => by_repository.entry(root).or_default().push(session),
                Err(why) if session.claims > 0 => {
                    *audit.not_looked_at.entry(why).or_default() += session.claims;
                }
                Err(_) => {}
            }
        }
        for (root, sessions) in by_repository {
            progress::during("looking at the repositories", || {
                self.repository(&root, &sessions, &touched, &mut audit);
            });
        }
        for (list, more) in [
            (&mut audit.found, &mut audit.more_found),
            (&mut audit.doubted, &mut audit.more_doubted),
        ] {
            list.sort_by(|a, b| {
                b.at.cmp(&a.at)
                    .then_with(|| a.transcript.cmp(&b.transcript))
            });
            // A conversation that was forked has the same report in two files.
            let mut seen = BTreeSet::new();
            list.retain(|it| it.at.is_none() || seen.insert((it.at, it.host, it.paths.clone())));
            *more = list.len().saturating_sub(MOST_REPORTS);
            list.truncate(MOST_REPORTS);
        }
        audit
    }

    fn repository(&self, root: &Path, sessions: &[Session], touched: &Touched, audit: &mut Audit) {
        let limits = Limits {
            budget: self.limits.budget.afresh(),
            ..self.limits.clone()
        };
        let left_out = |audit: &mut Audit, sessions: &[Session], why: &Unreadable| {
            let claims = sessions.iter().map(|session| session.claims).sum::<usize>();
            let why = (root.to_string_lossy().into_owned(), why.to_string());
            *audit.not_looked_at.entry(why).or_default() += claims;
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
                .done
                .iter()
                .flat_map(|done| today.unknown(&done.claim));
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
            for done in &session.done {
                audit.add(done, session, &today);
            }
        }
    }
}

impl Audit {
    fn add(&mut self, done: &Done, session: &Session, today: &Today<'_>) {
        let verdict = weigh(&done.claim, Vec::new(), Strict::default(), today);
        let is = |finding: Finding| move |it: &&ClaimFinding| it.finding == finding;
        let absent: Vec<_> = verdict
            .findings
            .iter()
            .filter(is(Finding::Absent))
            .collect();
        if !absent.is_empty() {
            let why = session.doubt.clone();
            let list = match why {
                None => &mut self.found,
                Some(_) => &mut self.doubted,
            };
            list.push(Missing::of(&absent, why, done, session, today));
            return;
        }
        let unproven: Vec<_> = verdict
            .findings
            .iter()
            .filter(is(Finding::Unproven))
            .collect();
        let seen = |it: &&&ClaimFinding| matches!(it.doubt, Some(Doubt::Seen(_)));
        let unproven: Vec<_> = unproven.iter().filter(seen).copied().collect();
        if let Some(first) = unproven.first() {
            let why = first.doubt.as_ref().map(ToString::to_string);
            self.doubted
                .push(Missing::of(&unproven, why, done, session, today));
        }
    }
}

impl Missing {
    fn of(
        found: &[&ClaimFinding],
        why: Option<String>,
        done: &Done,
        session: &Session,
        today: &Today<'_>,
    ) -> Self {
        let listed = found.iter().take(MOST_PATHS);
        let lines = listed.map(|found| {
            let line = line_of(&done.claim.raw, &found.claimed);
            let line = line.unwrap_or_default().chars().take(MOST_OF_LINE);
            (found.claimed.clone(), line.collect())
        });
        Self {
            host: session.host.name(),
            session: session.about.session.clone(),
            agent: session.about.agent.clone(),
            agent_type: session.about.agent_type.clone(),
            is_subagent: session.is_subagent,
            at: done.at,
            repository: today.back.root.clone(),
            transcript: session.path.clone(),
            line: done.line,
            paths: lines.collect(),
            more: found.len().saturating_sub(MOST_PATHS),
            why,
        }
    }
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
                let doubt = || format!("it worked in {name} as well");
                session.doubt.get_or_insert_with(doubt);
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
