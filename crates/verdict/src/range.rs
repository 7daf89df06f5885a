//! What the text of a pull request or the message of a commit claims, weighed by a range of commits.

use std::collections::BTreeSet;

use attest_claim::{Claim, FileCount, Form, Kind, Operation, Says, Status, Told, parse};
use attest_evidence::{Change, CommitPlace, Doubt, RangeSource, RepoPath};

use crate::{ClaimFinding, Finding, NoTranscript, Sources, Strict, Verdict, weigh};

/// What changed, sorted by path.
type Changes = Vec<(RepoPath, Change)>;

/// Judges all of a claim that a range of commits can tell of. A text that has no status speaks of work that is done.
pub fn judge_range<R: RangeSource>(
    claim: &Claim,
    counts: &[FileCount],
    message: &str,
    changes: Changes,
    range: &R,
) -> Vec<ClaimFinding> {
    if !is_done(claim) {
        return Vec::new();
    }
    let verdict = weighed(claim, changes, range);
    let sources = Sources {
        repository: range,
        transcript: &NoTranscript,
        message,
        is_alone: true,
        has_another_tree: false,
    };
    let content = sources.content(&verdict);
    let Verdict { mut findings, .. } = verdict;
    // A number names no file, and is judged by itself.
    findings.retain(|found| counts.iter().all(|count| count.raw != found.claimed));
    for found in &mut findings {
        explain(found, range);
    }
    findings.extend(content.into_iter().map(of_range));
    findings.extend(commits(claim, range));
    findings.extend(counts.iter().map(|count| file_count(count, range)));
    findings
}

/// What sentences tell of and a range does not show, beside what `judged` has. None of it is proof.
pub fn tell_range<R: RangeSource>(
    claim: &Claim,
    judged: &[ClaimFinding],
    told: Told,
    changes: Changes,
    range: &R,
) -> Vec<ClaimFinding> {
    if !is_done(claim) {
        return Vec::new();
    }
    let claim = Claim {
        form: Form::Lines,
        says_what_was_done: true,
        entries: told.files.into_iter().map(|it| it.entry).collect(),
        ..parse("")
    };
    let Verdict { mut findings, .. } = weighed(&claim, changes, range);
    findings.retain(|found| {
        let is_known = judged.iter().any(|it| it.claimed == found.claimed);
        found.finding.contradicts() && !is_known
    });
    for found in &mut findings {
        explain(found, range);
    }
    if let Some(sentence) = told.tests
        && !range.may_have_tests()
    {
        let found = ClaimFinding::of_kind(Kind::Content, &sentence, Finding::NoTests);
        findings.push(found.because("nothing that changed looks like a test".to_owned()));
    }
    findings
}

/// A file that is said to be new and was there before may have come into the base by an earlier pull request, on which
/// this one was built.
fn weighed<R: RangeSource>(claim: &Claim, changes: Changes, range: &R) -> Verdict {
    let mut verdict = weigh(claim, changes, Strict::default(), range);
    let entries = claim.entries.iter();
    let new = entries.filter(|entry| entry.operation == Operation::Created);
    let new: BTreeSet<_> = new.filter_map(|it| Some(range.name(it.file()?))).collect();
    let found = verdict.findings.iter_mut();
    for found in found.filter(|it| it.finding == Finding::Untouched && new.contains(&it.claimed)) {
        found.doubt(Doubt::InHistory.into());
    }
    verdict
}

fn is_done(claim: &Claim) -> bool {
    matches!(
        claim.status,
        None | Some(Status::Done | Status::DoneWithConcerns)
    )
}

/// Says of a path what a range shows, and not what a work tree would.
fn explain(found: &mut ClaimFinding, range: &impl RangeSource) {
    let why = match found.finding {
        Finding::Absent if range.is_gone_again(&found.claimed) => {
            found.finding = Finding::GoneAgain;
            return;
        }
        Finding::Changed => "the range changed it",
        Finding::LandedElsewhere => "a commit of the range touched it",
        Finding::Absent => "no commit of the range touches it, and it is not there",
        Finding::Untouched => "it is there as it was, and no commit of the range touches it",
        Finding::StillThere => "it is there, and the range changed it",
        Finding::NotDeleted => "it is still there, and no commit of the range touches it",
        _ => return,
    };
    found.why = Some(why.to_owned());
}

fn of_range(mut found: ClaimFinding) -> ClaimFinding {
    let why = found.why.take();
    found.why = why.map(|why| why.replace("at the start", "before the range"));
    found
}

fn commits(claim: &Claim, range: &impl RangeSource) -> Vec<ClaimFinding> {
    let hashes = claim.assertions.iter().filter_map(|it| match &it.says {
        Says::Commit { hash } => Some(hash),
        _ => None,
    });
    let find = |hash: &String| {
        let found = |finding| ClaimFinding::of_kind(Kind::Commits, hash, finding);
        match range.place_of(hash) {
            Ok(CommitPlace::Inside) => found(Finding::CommitFound),
            Ok(CommitPlace::Before) => {
                found(Finding::CommitOld).because("it was there before the range began".to_owned())
            }
            Ok(CommitPlace::OtherBranch) => found(Finding::CommitElsewhere),
            Err(doubt) => found(Finding::NotJudged).with_doubt(doubt.into()),
        }
    };
    hashes.map(find).collect()
}

fn file_count(count: &FileCount, range: &impl RangeSource) -> ClaimFinding {
    let found = |finding| ClaimFinding::of_kind(Kind::Files, &count.raw, finding);
    match range.file_counts() {
        Ok(counts) if counts.iter().any(|it| it.contains(&count.files)) => {
            found(Finding::CountHeld)
        }
        Ok(counts) => {
            let all = counts.first().map_or(0, |all| *all.end());
            let number = if all == 1 {
                "1 file".to_owned()
            } else {
                format!("{all} files")
            };
            found(Finding::CountWrong).because(format!("the range changed {number}"))
        }
        Err(doubt) => found(Finding::NotJudged).with_doubt(doubt.into()),
    }
}
