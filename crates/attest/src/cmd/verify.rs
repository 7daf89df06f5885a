//! `attest verify`: judge a claim against two states of a work tree, without hooks or state file.

use std::path::PathBuf;

use attest_claim::Claim;
use attest_snapshot::{
    Comparison, DocumentError, Doubt, Format, Limits, PathEvidence, RepoPath, Repository,
    Unreadable, WorkTree, escaped, from_document,
};
use attest_verdict::{
    ClaimFinding, EvidenceSource, NoTranscript, Outcome, Sources, Strict, Verdict, weigh,
};
use serde::Serialize;

use super::{read_message, read_text};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::in_time::InTime;
use attest_base::ui::{Cell, Column, Table, Ui, findings, hanging, mark_of, style_of, styled};

/// Judge a claim against the work tree
///
/// On a terminal the verdict is printed for a person, elsewhere as JSON. Keep the snapshot and the report outside
/// of the work tree: a file that is written into it is one of its changes.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest snapshot > ../before.json\n  \
    (the agent works, and leaves ../report.md)\n  \
    attest verify --before ../before.json --claim-file ../report.md --exit-code")]
pub(crate) struct VerifyArgs {
    /// The agent's message; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    claim_file: PathBuf,
    /// A snapshot that `attest snapshot` printed before the agent ran
    #[arg(long, value_name = "FILE")]
    before: PathBuf,
    /// Any folder of the work tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Exit with status 3 when the claim is a false DONE
    #[arg(long)]
    exit_code: bool,
    /// Print JSON on a terminal as well
    #[arg(long)]
    json: bool,
}

#[derive(Debug, thiserror::Error)]
enum VerifyError {
    #[error("cannot read the work tree")]
    Unreadable(#[source] Unreadable),
    #[error("cannot use the snapshot {path:?}")]
    Before {
        path: PathBuf,
        source: DocumentError,
    },
    #[error("the snapshot is of {snapshot:?}, not of {repo:?}")]
    OtherWorkTree { snapshot: PathBuf, repo: PathBuf },
}

/// What `verify` prints.
#[derive(Serialize)]
struct Printed<'a> {
    status: Option<attest_claim::Status>,
    source: attest_claim::Form,
    claimed: Vec<String>,
    observed: Vec<String>,
    claimed_but_unchanged: Vec<&'a str>,
    observed_but_unclaimed: Vec<String>,
    false_done: bool,
    ambiguous: bool,
    reason: String,
    findings: &'a [ClaimFinding],
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &VerifyArgs) -> Result<ExitStatus, CommandError> {
    let is_for_program = ui.is_for_program(args.json);
    let config = Config::of_command(ui, env);
    let claim = attest_claim::parse(&read_message(ui, &args.claim_file)?);
    let strict = config.policy.strict;
    let in_time = InTime::new(ui, &config);
    let (verdict, is_dirty) = in_time.run(|limits| judge(args, &claim, strict, limits))?;
    let is_false_done = verdict.is_false_done();
    let printed = Printed {
        status: claim.status,
        source: claim.form,
        claimed: claim.names(),
        observed: texts(verdict.observed.iter().map(|(path, _)| path)),
        claimed_but_unchanged: verdict
            .unchanged()
            .map(|found| found.claimed.as_str())
            .collect(),
        observed_but_unclaimed: texts(&verdict.unclaimed),
        false_done: is_false_done,
        ambiguous: is_dirty,
        reason: reason(&verdict, claim.is_claim()),
        findings: &verdict.findings,
    };
    if is_for_program {
        ui.json(&printed)?;
    } else {
        ui.page(&for_person(&printed, &verdict, ui.width()))?;
    }
    Ok(if args.exit_code && is_false_done {
        ExitStatus::Refuted
    } else {
        ExitStatus::Success
    })
}

/// Judges the claim by the work tree as it is now. Also says whether it was dirty before.
fn judge(
    args: &VerifyArgs,
    claim: &Claim,
    strict: Strict,
    limits: &Limits,
) -> Result<(Verdict, bool), CommandError> {
    let limits = &limits.trusting(&args.repo);
    let now = Repository::discover(&args.repo, limits)
        .and_then(|repository| WorkTree::read(&repository, limits, None))
        .map_err(VerifyError::Unreadable)?;
    let text = read_text(&args.before)?;
    let (before, format) = from_document(&text, &now).map_err(|source| VerifyError::Before {
        path: args.before.clone(),
        source,
    })?;
    if before.root != now.root {
        return Err(VerifyError::OtherWorkTree {
            snapshot: before.root,
            repo: now.root,
        }
        .into());
    }
    let comparison =
        Comparison::with(&before, &args.repo, limits).map_err(VerifyError::Unreadable)?;
    let evidence = Against {
        comparison: &comparison,
        format,
    };
    let mut verdict = weigh(claim, comparison.delta().changes(), strict, &evidence);
    let sources = Sources {
        repository: &comparison,
        transcript: &NoTranscript,
        message: &claim.raw,
        is_alone: true,
        has_another_tree: verdict.has_another_tree(),
    };
    let mut found = sources.content(&verdict);
    found.extend(sources.judge(claim));
    verdict.add(found);
    Ok((verdict, before.is_dirty()))
}

/// The verdict for a person.
fn for_person(printed: &Printed<'_>, verdict: &Verdict, width: Option<usize>) -> String {
    let outcome = if printed.status.is_none() && printed.claimed.is_empty() {
        Outcome::NoClaim
    } else {
        verdict.outcome()
    };
    let headline = format!(
        "{} {outcome}: {}",
        mark_of(outcome),
        escaped(printed.reason.as_bytes())
    );
    let mut text = hanging("", &styled(style_of(outcome), headline), width);
    if printed.ambiguous {
        let warning =
            "the work tree had uncommitted changes before, which may be mixed up with the agent's";
        text.push_str(&hanging("", warning, width));
    }
    let table = findings(verdict.weighed().map(|(found, is_proof)| {
        let meaning = || found.finding.meaning();
        let why = found.why.as_deref().unwrap_or_else(meaning);
        let [claimed, why] = [&found.claimed, why].map(|it| escaped(it.as_bytes()));
        (found.finding, is_proof, claimed, why)
    }));
    let mut unclaimed = Table::new([Column::path("CHANGED, NOT CLAIMED", 1)]);
    for path in &printed.observed_but_unclaimed {
        unclaimed.push([Cell::new(path.clone())]);
    }
    for table in [table, unclaimed] {
        let lines = table.unless_empty(width);
        if !lines.is_empty() {
            text.push('\n');
            text.push_str(&lines);
        }
    }
    text
}

fn with_history(comparison: &Comparison<'_>, path: RepoPath) -> PathEvidence {
    match comparison.was_ever_committed(&path) {
        Ok(false) => PathEvidence::Absent(path),
        Ok(true) => PathEvidence::Inconclusive(Doubt::InHistory),
        Err(doubt) => PathEvidence::Inconclusive(doubt),
    }
}

fn texts<'a>(paths: impl IntoIterator<Item = &'a RepoPath>) -> Vec<String> {
    paths.into_iter().map(ToString::to_string).collect()
}

fn reason(verdict: &Verdict, is_claim: bool) -> String {
    if !is_claim {
        return "the message makes no claim".to_owned();
    }
    let proofs = names(verdict.proofs());
    if !proofs.is_empty() {
        return format!("DONE is disproved: {proofs} claimed but not changed");
    }
    let unchanged = names(verdict.unchanged());
    if !unchanged.is_empty() {
        return format!("no change seen of {unchanged}, which proves nothing");
    }
    let others = names(verdict.contradictions());
    if !others.is_empty() {
        return format!("not borne out: {others}");
    }
    if verdict.unclaimed.is_empty() {
        return "the claim matches the work tree".to_owned();
    }
    "files changed that are not claimed".to_owned()
}

fn names<'v>(found: impl Iterator<Item = &'v ClaimFinding>) -> String {
    let names: Vec<_> = found.map(|found| &*found.claimed).collect();
    names.join(", ")
}

/// What is known of a path, by a snapshot in one of the two formats.
struct Against<'a> {
    comparison: &'a Comparison<'a>,
    format: Format,
}

impl EvidenceSource for Against<'_> {
    fn name(&self, text: &str) -> String {
        self.comparison.name(text)
    }

    fn evidence_for(&self, path: &str) -> PathEvidence {
        match (self.comparison.evidence_for(path), self.format) {
            // A flat map knows no commits, so what was committed may have come and gone.
            (PathEvidence::Absent(path), Format::Flat) => with_history(self.comparison, path),
            (seen, _) => seen,
        }
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        self.comparison.exact_evidence_for(text)
    }

    fn has_folder(&self, text: &str) -> bool {
        self.comparison.has_folder(text)
    }

    fn differed_at_start(&self, text: &str) -> bool {
        self.comparison.differed_at_start(text)
    }
}
