//! Whether checks went as they are said to have gone, by the commands that the agent's tools ran.
//!
//! Only a run whose end is seen says anything, and only if nothing that is not understood may have run it again. That
//! something was not run is said only where nothing that ran can have been a check: scripts, servers, other agents and
//! people run them too.

mod admits;
mod counts;
mod meant;
mod settings;
mod timeline;
mod tree;

use attest_claim::{Assertion, Check, Checked, Kind};
use attest_evidence::FolderPlace;
use attest_shell::programs::Of;
use attest_shell::{More, Run, RunEnding};
use attest_transcript::ToolCalls;

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding, quoted};
use admits::{lists_failures, names_failures, says_of_failures, says_of_others, says_of_trouble};
use counts::{Count, counts};
use meant::Meant;
use timeline::{At, Ended, Timeline, clock};

/// The last exit status that is a program's own word for a failure; those above say who ended it.
const LAST_OWN: i32 = 123;

/// What tells of a run of others, wherever the agent was shown it.
pub(crate) const PASSED: &str = "passed";

/// The status of what was interrupted, and of what took too long.
const INTERRUPTED: i32 = 130;
const TIMED_OUT: i32 = 124;

pub(super) fn find(
    assertion: &Assertion,
    check: &Check,
    sources: Sources<'_>,
    others: &[&Check],
) -> Option<ClaimFinding> {
    let found = match what(&assertion.raw, check, sources, others) {
        Ok(found) => found?,
        Err(why) => {
            let found = ClaimFinding::of_kind(Kind::Checks, &assertion.raw, Finding::NotJudged);
            return Some(found.with_doubt(why));
        }
    };
    let (finding, why) = found;
    Some(ClaimFinding::of_kind(Kind::Checks, &assertion.raw, finding).because(why))
}

/// What is found of a check of which only a sentence says that it passes, if who changed files cannot have run any, or all
/// runs of its kind are of one command of which the last one failed, in the open or by what it printed, and nothing behind
/// it may have changed that.
pub(super) fn untrue_alone(
    assertion: &Assertion,
    check: &Check,
    sources: Sources<'_>,
) -> Option<ClaimFinding> {
    let calls = sources.transcript.calls()?;
    let named = check.command.iter().flat_map(|it| calls.checks_of(it));
    let mut kinds = named.map(|run| run.of);
    let of = of(check.of).or_else(|| kinds.next())?;
    let is_of_one_kind = kinds.all(|kind| kind == of);
    let timeline = Timeline::of(calls, Meant::All(of));
    let found = find(assertion, check, sources, &[]).filter(|_| is_of_one_kind)?;
    let is_told = match found.finding {
        Finding::CheckFailed | Finding::CheckSaysFailed => timeline.is_of_one_failure(of),
        // "No type errors": what watches files may have shown that in a log.
        Finding::CheckNotRun => calls.has_written() && !assertion.raw.starts_with("No "),
        _ => false,
    };
    is_told.then_some(found)
}

/// What is found with what it rests on, or why nothing is. A report that a check failed has nothing to hide.
fn what(
    raw: &str,
    check: &Check,
    sources: Sources<'_>,
    others: &[&Check],
) -> Result<Option<(Finding, String)>, Doubt> {
    if !check.passed {
        return Ok(None);
    }
    let calls = sources.transcript.calls().ok_or(Doubt::NoTranscript)?;
    if let Some(why) = ran_nothing(calls, sources)? {
        return Ok(Some((Finding::CheckNotRun, why)));
    }
    let counts = counts(raw);
    let of = of(check.of);
    let Some(command) = &check.command else {
        let of = of.ok_or(Doubt::CheckUnseen("it names no command"))?;
        if others
            .iter()
            .any(|other| !other.passed && other.of == check.of)
        {
            return Err(Doubt::CheckUnseen(
                "the report says of others that they failed",
            ));
        }
        return judge(Meant::All(of), &counts, calls, sources).map(Some);
    };
    let mut named = calls.checks_of(command);
    if named.is_empty() {
        named.extend(of.and_then(|of| only_check(command, of, calls)));
    }
    if named.is_empty() {
        return Err(Doubt::CheckUnseen("its command is not known to be a check"));
    }
    let mut best = None;
    for run in &named {
        let found = judge(Meant::Command(run), &counts, calls, sources)?;
        if found.0 == Finding::CheckFailed {
            return Ok(Some(found));
        }
        best = Some(found);
    }
    Ok(best)
}

/// The check that a program is named for, "ruff passes", if all of its runs that are of this kind are alike.
fn only_check(program: &str, of: Of, calls: &ToolCalls) -> Option<Run> {
    let runs = calls.ran().iter().flatten().flat_map(|ran| &ran.runs);
    let mut runs = runs.filter(|run| run.program() == program && run.of == of);
    let first = runs.next()?;
    runs.all(|run| run.is_as(first)).then(|| first.clone())
}

fn of(of: Checked) -> Option<Of> {
    match of {
        Checked::Tests => Some(Of::Tests),
        Checked::Build => Some(Of::Build),
        Checked::Lint => Some(Of::Lint),
        Checked::Types => Some(Of::Types),
        Checked::Anything => None,
    }
}

/// That no call could have run a command at all, which only all calls show. A person runs commands in a session of
/// their own, and an agent is told by others what they ran, as one without a shell is in any case.
fn ran_nothing(calls: &ToolCalls, sources: Sources<'_>) -> Result<Option<String>, Doubt> {
    if calls.may_have_run_any() {
        return Ok(None);
    }
    if !sources.transcript.is_settled() {
        return Err(Doubt::CheckUnseen("its transcript is not complete"));
    }
    let seen = sources.transcript;
    let is_told = || may_be_of_others(sources) || seen.shows(PASSED) != Ok(false);
    if seen.own_from().is_some() || !seen.has_shell() || is_told() {
        return Err(Doubt::CheckUnseen(
            "it ran no command, and may have been told",
        ));
    }
    Ok(Some("no tool call of this agent ran a command".to_owned()))
}

/// Whether a prompt tells what somebody ran, or the report says that it was others.
fn may_be_of_others(sources: Sources<'_>) -> bool {
    sources.transcript.is_told_of_a_run() || says_of_others(sources.message)
}

/// That none of the commands can have been a check of this, if so.
fn ran_no_check(meant: Meant<'_>, sources: Sources<'_>) -> Result<String, Doubt> {
    let unseen = Doubt::CheckUnseen("no run of it is seen");
    let may_have = match meant.of() {
        Of::Tests => ToolCalls::may_have_tested,
        _ => ToolCalls::may_have_checked,
    };
    if sources.ran(may_have) == More::Anything {
        return Err(unseen);
    }
    match sources.transcript.shows(PASSED) {
        Ok(false) if !may_be_of_others(sources) => {
            Ok("no command that this agent ran can have been a check".to_owned())
        }
        _ => Err(unseen),
    }
}

fn judge(
    meant: Meant<'_>,
    counts: &[Count],
    calls: &ToolCalls,
    sources: Sources<'_>,
) -> Result<(Finding, String), Doubt> {
    let timeline = Timeline::of(calls, meant);
    let Some(last) = timeline.last(sources.repository) else {
        return ran_no_check(meant, sources).map(|why| (Finding::CheckNotRun, why));
    };
    let command = format!("`{}`", quoted(&last.run.as_it_ran()).trim_matches('"'));
    let folder = &last.run.folder;
    let is_root = folder.is_empty() || sources.repository.folder(folder) == FolderPlace::Root;
    let command = if is_root {
        command
    } else {
        format!("{command} in {}", quoted(folder))
    };
    let at = clock(last.ended);
    let told = |ended: &str| format!("the last run of {command} {ended}{at}");
    match last.run.ending {
        RunEnding::Unknown => Err(Doubt::CheckUnseen(
            "its last run is not seen to have passed or failed",
        )),
        RunEnding::Empty => Err(Doubt::CheckUnseen(
            "its last run says that there was nothing to check",
        )),
        RunEnding::Passed => match timeline.edited_after(last) {
            None => match timeline.unconfirmed(last, sources.repository) {
                None if !counts.iter().all(|it| it.is_said(calls, last.call)) => {
                    Err(Doubt::CheckUnseen(
                        "what its last run printed does not bear out all that the report says",
                    ))
                }
                None => {
                    is_of_now(last, sources)?;
                    Ok((Finding::CheckSeen, told("ended with status 0")))
                }
                Some(why) => Err(Doubt::CheckUnseen(why)),
            },
            Some((path, at)) => {
                let path = quoted(path);
                let edited = format!("{path} was edited after it{}", clock(at));
                Ok((
                    Finding::CheckStale,
                    format!("{}, and {edited}", told("ended with status 0")),
                ))
            }
        },
        RunEnding::Failed(status) => {
            if matches!(meant, Meant::All(_)) && status > LAST_OWN {
                return Err(Doubt::CheckUnseen(
                    "its last run was ended by something else",
                ));
            }
            admits_nothing(last, calls, sources)?;
            bears_out_none(counts, calls, last)?;
            stands(&timeline, last, sources)?;
            let ended = match status {
                INTERRUPTED => "was interrupted".to_owned(),
                TIMED_OUT => "ran out of time".to_owned(),
                _ => format!("ended with status {status}"),
            };
            Ok((Finding::CheckFailed, told(&ended)))
        }
        RunEnding::NotBegun(status) => {
            admits_nothing(last, calls, sources)?;
            bears_out_none(counts, calls, last)?;
            stands(&timeline, last, sources)?;
            let (finding, ended) = match status {
                0 => (
                    Finding::CheckSaysFailed,
                    "printed that it could not run".to_owned(),
                ),
                _ => (Finding::CheckFailed, format!("ended with status {status}")),
            };
            Ok((
                finding,
                format!("the last try to run {command} {ended}{at}"),
            ))
        }
        RunEnding::Says(count) => {
            admits_nothing(last, calls, sources)?;
            stands(&timeline, last, sources)?;
            let ended = match (count, last.run.of) {
                (0, Of::Tests) => "printed that some failed".to_owned(),
                (0, _) => "printed errors".to_owned(),
                _ => format!("printed that {count} failed"),
            };
            Ok((Finding::CheckSaysFailed, told(&ended)))
        }
    }
}

/// Whether the run did not print the numbers that the report names.
fn bears_out_none(counts: &[Count], calls: &ToolCalls, last: At<'_>) -> Result<(), Doubt> {
    if counts::are_borne_out(counts, calls, last.call) {
        return Err(Doubt::CheckUnseen(
            "its last run printed the numbers that the report names, and none that failed",
        ));
    }
    Ok(())
}

/// Whether the report does not tell itself of how the run ended.
fn admits_nothing(last: At<'_>, calls: &ToolCalls, sources: Sources<'_>) -> Result<(), Doubt> {
    let (run, message) = (last.run, sources.message);
    let is_of_tests = matches!(run.of, Of::Tests | Of::Anything);
    let names = || names_failures(message, &calls.names_of_failed(last.call));
    if says_of_failures(message, run) || is_of_tests && (lists_failures(message) || names()) {
        return Err(Doubt::CheckUnseen(
            "the report says itself that some failed",
        ));
    }
    let is_of_trouble = matches!(
        run.ending,
        RunEnding::NotBegun(_) | RunEnding::Failed(TIMED_OUT)
    );
    if is_of_trouble && says_of_trouble(sources.message) {
        return Err(Doubt::CheckUnseen(
            "the report says itself that something could not run",
        ));
    }
    Ok(())
}

/// Whether the last run was in the turn that ends. What changed before that is not known.
fn is_of_now(last: At<'_>, sources: Sources<'_>) -> Result<(), Doubt> {
    let first = sources.transcript.own_from();
    if first.is_some_and(|first| last.call < first) {
        return Err(Doubt::CheckUnseen("its last run was before this turn"));
    }
    Ok(())
}

/// Whether the end of the last run is the last word.
fn stands(timeline: &Timeline<'_>, last: At<'_>, sources: Sources<'_>) -> Result<(), Doubt> {
    if !sources.transcript.is_settled() {
        return Err(Doubt::CheckUnseen("its transcript is not complete"));
    }
    is_of_now(last, sources)?;
    let differs = timeline.differs_in_front(last);
    if let Some(why) = differs.or_else(|| timeline.outdated(last)) {
        return Err(Doubt::CheckUnseen(why));
    }
    match timeline.excuse(last) {
        Ended::Open => Ok(()),
        Ended::UnlessHooks if !sources.repository.may_run_hooks() => Ok(()),
        Ended::UnlessHooks => Err(Doubt::CheckUnseen("a hook of git may have run it again")),
        Ended::Otherwise => Err(Doubt::CheckUnseen("another command may have run it too")),
    }
}

#[cfg(test)]
mod tests;
