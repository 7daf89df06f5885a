//! Whether checks went as they are said to have gone, by the commands that the agent's tools ran.
//!
//! Only a run whose end is seen says anything, and only if nothing that is not understood may have run it again. That
//! something was not run is never said: scripts, servers, other agents and people run checks too.

mod timeline;

use attest_claim::{Assertion, Check, Checked, Kind};
use attest_transcript::{Of, Run, RunEnding, ToolCalls, checks_of};

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding, quoted};
use timeline::{At, Ended, Timeline, clock};

/// What a report says was checked.
#[derive(Debug, Clone, Copy)]
enum Meant<'a> {
    /// This command.
    Command(&'a Run),
    /// All that checks this.
    All(Of),
}

pub(super) fn find(
    assertion: &Assertion,
    check: &Check,
    sources: Sources<'_>,
    others: &[&Check],
) -> Option<ClaimFinding> {
    // A report that a check failed has nothing to hide.
    check.passed.then_some(())?;
    let of = |finding| ClaimFinding::of_kind(Kind::Checks, &assertion.raw, finding);
    let all = |calls: &ToolCalls, assumes_all| {
        let seen = Seen {
            calls,
            sources,
            assumes_all,
        };
        seen.find(check, others)
    };
    let is_against = |finding| matches!(finding, Finding::CheckFailed | Finding::CheckNotRun);
    let speak_against =
        |calls: &ToolCalls| all(calls, true).is_ok_and(|(finding, _)| is_against(finding));
    let Some(calls) = sources.transcript.commands(&speak_against) else {
        return Some(of(Finding::NotJudged).with_doubt(Doubt::NoTranscript));
    };
    Some(match all(calls, false) {
        Ok((finding, why)) => of(finding).because(why),
        Err(why) => of(Finding::NotJudged).with_doubt(Doubt::CheckUnseen(why)),
    })
}

/// What is found with what it rests on, or why nothing is.
type Found = Result<(Finding, String), &'static str>;

/// What is seen of the commands of an agent.
#[derive(Clone, Copy)]
struct Seen<'a> {
    calls: &'a ToolCalls,
    sources: Sources<'a>,
    /// The calls are taken to be all, although more may still be written.
    assumes_all: bool,
}

impl Seen<'_> {
    fn find(self, check: &Check, others: &[&Check]) -> Found {
        if let Some(why) = self.ran_nothing()? {
            return Ok((Finding::CheckNotRun, why));
        }
        let Some(command) = &check.command else {
            let of = of(check.of).ok_or("it names no command")?;
            let is_other = |other: &&Check| !other.passed && other.of == check.of;
            if others.iter().any(is_other) {
                return Err("the report says of others that they failed");
            }
            return self.judge(Meant::All(of));
        };
        let mut best = Err("its command is not known to be a check");
        for run in &checks_of(command) {
            let found = self.judge(Meant::Command(run))?;
            if found.0 == Finding::CheckFailed {
                return Ok(found);
            }
            best = Ok(found);
        }
        best
    }

    /// That no call could have run a command at all, which only all calls show. A person runs commands in a session of
    /// their own, and an agent without a shell is told by others what they ran.
    fn ran_nothing(self) -> Result<Option<String>, &'static str> {
        let transcript = self.sources.transcript;
        if self.calls.calls.iter().any(|call| call.ran.is_some()) {
            return Ok(None);
        }
        if !self.is_settled() {
            return Err("its transcript is not complete");
        }
        if transcript.first_of_turn(self.calls).is_some() || !transcript.has_shell() {
            return Err("it ran no command, and may have been told");
        }
        Ok(Some("no tool call of this agent ran a command".to_owned()))
    }

    /// Whether the calls are all that there are, up to the report.
    fn is_settled(self) -> bool {
        let calls = self.calls;
        self.assumes_all || calls.is_whole && calls.ends_with(self.sources.message)
    }

    fn judge(self, meant: Meant<'_>) -> Found {
        let timeline = Timeline::of(self.calls, meant);
        let last = timeline.last().ok_or("no run of it is seen")?;
        let told = |ended: &str| {
            let command = quoted(&last.run.shown());
            let command = command.trim_matches('"');
            format!(
                "the last run of `{command}` ended with {ended}{}",
                clock(last.ended)
            )
        };
        match last.run.ending {
            RunEnding::Unknown => Err("how its last run ended is not shown"),
            RunEnding::Failed(status) => {
                self.is_last_word(&timeline, last)?;
                Ok((Finding::CheckFailed, told(&format!("status {status}"))))
            }
            RunEnding::Passed => Ok(match timeline.edited_after(last) {
                None => (Finding::CheckSeen, told("status 0")),
                Some((path, at)) => {
                    let edited = format!("{} was edited after it{}", quoted(path), clock(at));
                    let why = format!("{}, and {edited}", told("status 0"));
                    (Finding::CheckStale, why)
                }
            }),
        }
    }

    /// Whether nothing may have changed that the last run failed.
    fn is_last_word(self, timeline: &Timeline<'_>, last: At<'_>) -> Result<(), &'static str> {
        let transcript = self.sources.transcript;
        if !self.is_settled() {
            return Err("its transcript is not complete");
        }
        let first = transcript.first_of_turn(self.calls);
        if first.is_some_and(|first| last.call < first) {
            return Err("its last run was before this turn");
        }
        match timeline.excuse(last) {
            Ended::Open => Ok(()),
            Ended::UnlessHooks if !transcript.may_have_run_hooks() => Ok(()),
            Ended::UnlessHooks => Err("a hook of git may have run it again"),
            Ended::Otherwise => Err("another command may have run it too"),
        }
    }
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
