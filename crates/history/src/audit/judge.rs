//! From sessions to what their reports claim and nothing shows, one repository after the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use attest_snapshot::{Doubt, Limits, LookingBack, Unreadable, escaped, path_bytes};
use attest_verdict::{self as verdict, ClaimFinding, Finding, Strict, weigh};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use thiserror::Error;

use super::evidence::Today;
use super::read::{Named, Session, Sessions};
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
    /// Those that name files which are said to have changed.
    pub(super) named: usize,
    /// Reports that name a file of which nothing is found, and could be.
    pub(super) found: Missed,
    /// The same where only a program that was not read may have made it.
    pub(super) unread: Missed,
    /// The same where something else unseen may have.
    pub(super) doubted: Missed,
    /// The folders of sessions that cannot be looked at, each with why and how many reports.
    pub(super) not_looked_at: BTreeMap<(String, String), usize>,
}

/// The reports of one kind.
#[derive(Default)]
pub(super) struct Missed {
    pub(super) list: Vec<Report>,
    /// How many there are that are not in the list.
    pub(super) more: usize,
}

impl Missed {
    /// Leaves the newest, each once: a conversation that was forked has the same report in two files.
    fn settle(&mut self) {
        self.list.sort_by(|a, b| {
            b.at.cmp(&a.at)
                .then_with(|| a.transcript.cmp(&b.transcript))
        });
        let mut seen = BTreeSet::new();
        self.list
            .retain(|it| it.at.is_none() || seen.insert((it.at, it.host, it.files.clone())));
        self.more = self.list.len().saturating_sub(MOST_REPORTS);
        self.list.truncate(MOST_REPORTS);
    }
}

/// A report with files of which nothing is found, in the form in which it is printed.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) at: Option<Timestamp>,
    pub(super) host: &'static str,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) is_subagent: bool,
    pub(super) repository: String,
    pub(super) transcript: String,
    pub(super) line: u64,
    pub(super) files: Vec<MissingFile>,
    pub(super) more_files: usize,
    /// Why it proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// A path with the line of the report that names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct MissingFile {
    pub(super) path: String,
    pub(super) line: String,
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
            audit.named += session.named.len();
            match ground {
                Ok(root) => by_repository.entry(root).or_default().push(session),
                Err(why) if !session.named.is_empty() => {
                    *audit.not_looked_at.entry(why).or_default() += session.named.len();
                }
                Err(_) => {}
            }
        }
        for (root, sessions) in by_repository {
            progress::during("looking at the repositories", || {
                self.repository(&root, &sessions, &touched, &mut audit);
            });
        }
        for missed in [&mut audit.found, &mut audit.unread, &mut audit.doubted] {
            missed.settle();
        }
        audit
    }

    fn repository(&self, root: &Path, sessions: &[Session], touched: &Touched, audit: &mut Audit) {
        let limits = Limits {
            budget: self.limits.budget.afresh(),
            ..self.limits.clone()
        };
        let left_out = |audit: &mut Audit, sessions: &[Session], why: &Unreadable| {
            let named = sessions.iter().map(|session| session.named.len());
            let why = (root.to_string_lossy().into_owned(), why.to_string());
            *audit.not_looked_at.entry(why).or_default() += named.sum::<usize>();
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
                &mut self.found,
            ),
            (
                missing(Finding::Absent, |why| why.is_some()),
                &mut self.unread,
            ),
            (
                missing(Finding::Unproven, |why| {
                    matches!(why, Some(verdict::Doubt::Seen(_)))
                }),
                &mut self.doubted,
            ),
        ];
        let listed = lists.into_iter().find(|(found, _)| !found.is_empty());
        if let Some((found, missed)) = listed {
            missed.list.push(Report::of(&found, named, today));
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
