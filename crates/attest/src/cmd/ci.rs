//! `attest ci`: what the text of a pull request and the messages of its commits claim, by the commits themselves.

mod policy;
mod show;

use std::path::PathBuf;

use attest_claim::{MAX_MESSAGE_BYTES, Told, file_counts, told};
use attest_snapshot::{Range, RangeError, Repository};
use attest_verdict::{ClaimFinding, Finding, judge_range, tell_range};

use self::policy::Policy;
use self::show::{Found, Printed, Text};
use super::read_message;
use attest_base::config::Config;
use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::in_time::InTime;
use attest_base::ui::Ui;

/// The line that gives a shallow clone the rest of its commits.
const WHOLE: &str = "git fetch --unshallow";

/// Judge what a pull request and its commits claim by the commits themselves
///
/// Reads lists of files, numbers of files and names of commits in the text of the report, and checks them against all
/// that the range changed; those in the message of a commit, against that commit alone. What only a sentence says is
/// shown and never fails. Runs nothing of the repository. Which findings fail stands in `.attest/settings.toml` of the
/// base, below `[ci]`. Exits with status 3 for a false claim, and 4 if there is nothing that can be judged.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest ci --base origin/main\n  \
    attest ci --base origin/main --report pull-request.md\n  \
    gh pr view --json body --jq .body | attest ci --report - --json")]
pub(crate) struct CiArgs {
    /// The branch into which the range is to go [default: origin/HEAD, origin/main, origin/master, main or master]
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// The last commit of the range
    #[arg(long, value_name = "REF", default_value = "HEAD")]
    head: String,
    /// The text of the pull request; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Any folder of the work tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &CiArgs) -> Result<ExitStatus, CommandError> {
    if args.json {
        ui.speak_json();
    }
    let report = args.report.as_ref();
    let report = report.map(|file| read_message(ui, file)).transpose()?;
    let config = Config::of_command(ui, env);
    let in_time = InTime::new(ui, &config);
    let printed = in_time.run(|limits| -> Result<_, CommandError> {
        let repository = Repository::discover(&args.repo, &limits.trusting(&args.repo))?;
        let base = args.base.as_deref();
        let range = match Range::read(&repository, base, &args.head, limits) {
            Ok(range) => range,
            Err(why @ RangeError::Shallow) => return Ok(Printed::nothing(&why, Some(WHOLE))),
            Err(why @ RangeError::NotRelated) => return Ok(Printed::nothing(&why, None)),
            Err(why @ RangeError::NoBase) => {
                return Err(CommandError::from(why).hinted("name one with --base"));
            }
            Err(why) => return Err(why.into()),
        };
        let policy = Policy::of(&range)?;
        Ok(Printed::of(
            &range,
            texts(&range, report.as_deref())?,
            &policy,
        ))
    })?;
    if args.json {
        ui.json(&printed)?;
    } else {
        ui.print(&printed.for_person(ui.width()))?;
    }
    // Lines for the host of a workflow would not be JSON.
    if let Some(summary) = env.path(env::GITHUB_STEP_SUMMARY) {
        if !args.json {
            ui.print(&printed.annotations())?;
        }
        printed.append_summary(&summary)?;
    }
    Ok(printed.status())
}

/// What each text of the range claims, that of the pull request first.
fn texts(range: &Range<'_>, report: Option<&str>) -> Result<Vec<Text>, CommandError> {
    let mut texts = Vec::new();
    if let Some(report) = report {
        texts.push(Text::of_report(findings(report, range, false)));
    }
    for message in range.messages()? {
        // Most commits claim nothing, and are not read for it.
        if is_quiet(&message.text) {
            continue;
        }
        let alone = range.alone(&message)?;
        let is_of_several = is_of_several(&message.text);
        let found = findings(&message.text, &alone, is_of_several);
        if !found.is_empty() {
            texts.push(Text::of_commit(message.id, &message.text, found));
        }
    }
    Ok(texts)
}

fn is_quiet(message: &str) -> bool {
    let claim = attest_claim::parse(message);
    !claim.is_claim() && file_counts(message, &claim).is_empty() && told(message) == Told::default()
}

/// Whether the commit is of several that became one, so that its message has theirs, as hosts write it: each behind a
/// star, in a paragraph of its own.
fn is_of_several(message: &str) -> bool {
    let lines: Vec<_> = message.lines().map(str::trim_end).collect();
    let is_blank = |at: usize| lines.get(at).is_none_or(|line| line.is_empty());
    let subjects = (1..lines.len())
        .filter(|at| lines[*at].starts_with("* ") && is_blank(at - 1) && is_blank(at + 1));
    subjects.count() > 1
}

/// What one of them did another may have undone.
fn in_doubt(found: &mut ClaimFinding) {
    if found.finding.contradicts() {
        found.finding = Finding::NotJudged;
        found.why = Some("the commit is of several, which may have undone it".to_owned());
    }
}

/// What is found of each claim, and behind that what sentences tell of.
fn findings(message: &str, range: &Range<'_>, is_of_several: bool) -> Vec<Found> {
    let message = message.get(..MAX_MESSAGE_BYTES).unwrap_or(message);
    let claim = attest_claim::parse(message);
    let counts = file_counts(message, &claim);
    let mut judged = judge_range(&claim, &counts, message, range.changes(), range);
    let mut open = Vec::new();
    if is_of_several {
        judged.iter_mut().for_each(in_doubt);
    } else {
        open = tell_range(&claim, &judged, told(message), range.changes(), range);
    }
    let judged = judged.into_iter().map(Found::of);
    judged.chain(open.into_iter().map(Found::told)).collect()
}
