//! What is found of the claims that are not about files. A kind is a file here and a line of [`Sources::judge`].
//!
//! All kinds keep to one rule: only a certain reading with evidence that can prove may contradict a claim, and
//! what cannot be looked at is `NOT_JUDGED`, with the reason.

mod checks;
mod commits;
mod content;
mod reads;
mod stubs;
mod tree;

use std::cell::LazyCell;

use attest_claim::{Assertion, Claim, Kind, Little, Says, TakingBack};
use attest_evidence::RepositorySource;
use attest_shell::More;
use attest_transcript::ToolCalls;

pub(crate) use checks::PASSED;

use crate::facts::{Facts, Since};
use crate::{ClaimFinding, Doubt, Finding, Report, Verdict};

/// What the agent's transcript shows. Reading it costs, so that each question is asked only where it is needed.
pub trait TranscriptSource {
    /// What its tools did, if that can be read.
    fn calls(&self) -> Option<&ToolCalls>;
    /// Whether those are all the calls that there are, up to the report.
    fn is_settled(&self) -> bool;
    /// Of the main agent, the first of its calls that belongs to the turn which ends.
    fn own_from(&self) -> Option<usize>;
    /// Whether the agent can run commands, as far as is known.
    fn has_shell(&self) -> bool;
    /// Whether it shows this text in what the agent was told, or was answered.
    fn shows(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether it does, or the agent gave the text to a tool.
    fn names(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether the agent's last `git push` certainly failed, and nothing later can have pushed.
    fn has_failed_push(&self) -> Result<bool, Doubt>;
    /// Whether the agent may know what the file of this path holds although no call of it shows it, or there is no
    /// such file.
    fn may_be_known(&self, file: &str) -> bool;
    /// Whether a prompt tells what somebody ran: "I ran the tests, all green".
    fn is_told_of_a_run(&self) -> bool {
        false
    }
}

/// Where there is no transcript, or none is to be read yet.
#[derive(Debug, Clone, Copy)]
pub struct NoTranscript;

impl TranscriptSource for NoTranscript {
    fn calls(&self) -> Option<&ToolCalls> {
        None
    }

    fn is_settled(&self) -> bool {
        false
    }

    fn own_from(&self) -> Option<usize> {
        None
    }

    fn has_shell(&self) -> bool {
        false
    }

    fn shows(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn names(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn may_be_known(&self, _file: &str) -> bool {
        true
    }
}

/// What claims that are not about files are checked against.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The repository at the stop.
    pub repository: &'a dyn RepositorySource,
    /// What the agent's transcript shows.
    pub transcript: &'a dyn TranscriptSource,
    /// The final message.
    pub message: &'a str,
    /// Whether no other agent worked in the same work tree.
    pub is_alone: bool,
    /// Whether a claimed file was written in another work tree.
    pub has_another_tree: bool,
}

/// What somebody may have shown of what is said.
pub(crate) fn text_of(says: &Says) -> Option<&str> {
    match says {
        Says::Commit { hash } => Some(commits::begin(hash)),
        Says::Branch { name } => Some(name),
        Says::Check(_) => Some(checks::PASSED),
        _ => None,
    }
}

/// What is found of the claims that are not about files, and of the content of those files that `verdict` finds changed.
/// Nothing is looked at that the claim does not ask for, and the transcript last: reading it costs, and what is not
/// written yet is waited for while what is there does not bear the claim out.
pub(crate) fn find_all(
    report: &Report,
    verdict: &Verdict,
    since: &mut dyn Since,
    facts: &dyn Facts,
) -> Vec<ClaimFinding> {
    let claim = &report.claim;
    let mut of_files = sources(since, &NoTranscript, report, true, Some(verdict)).content(verdict);
    if claim.assertions.is_empty() && of_files.is_empty() {
        return of_files;
    }
    // If that cannot be told, there may be some.
    let is_alone = facts.others_at_work() == Some(0);
    // What others may have taken away does not speak against this one.
    of_files.retain(|found| is_alone || !found.finding.contradicts());
    leave_out_asked(&mut of_files, facts);
    let mut found = sources(since, &NoTranscript, report, is_alone, Some(verdict)).judge(claim);
    let asks = |kind: Option<Kind>| {
        let mut found = found.iter().filter(|it| it.asks_for_transcript());
        found.any(|it| kind.is_none_or(|kind| it.kind == kind))
    };
    if asks(None) {
        if asks(Some(Kind::Commits)) {
            since.add_calls();
        }
        let judge = |seen: &dyn TranscriptSource| {
            sources(since, seen, report, is_alone, Some(verdict)).judge(claim)
        };
        let transcript = since.transcript(&|seen| judge(seen).iter().any(|it| !it.finding.holds()));
        found = judge(&*transcript);
    }
    of_files.extend(found);
    of_files
}

/// What is found of what only a sentence says, if it is certainly untrue. `verdict` is that on the files, if any are claimed.
pub(crate) fn untrue(
    assertion: &Assertion,
    report: &Report,
    verdict: Option<&Verdict>,
    since: &mut dyn Since,
    is_alone: bool,
) -> Option<ClaimFinding> {
    if assertion.says.kind() == Kind::Commits {
        since.add_calls();
    }
    let transcript = since.transcript(&|_| false);
    let sources = sources(since, &*transcript, report, is_alone, verdict);
    let found = match &assertion.says {
        Says::Check(check) => checks::untrue_alone(assertion, check, sources)?,
        Says::Commit { hash } => commits::commit(hash, sources),
        Says::Pushed => commits::pushed(assertion, &report.claim, sources),
        Says::CleanTree | Says::Committed => tree::untrue(assertion, &report.claim, sources)?,
        _ => return None,
    };
    found.finding.contradicts().then_some(found)
}

/// Leaves out the files from which somebody may have asked the agent to take something away.
fn leave_out_asked(of_files: &mut Vec<ClaimFinding>, facts: &dyn Facts) {
    if of_files.is_empty() {
        return;
    }
    let Some(session) = facts.whole_session() else {
        return;
    };
    let prompts = session.prompts.iter().map(|it| it.text.as_str());
    let asked: Vec<_> = prompts
        .map(|it| (LazyCell::new(move || Little::of(it)), TakingBack::of(it)))
        .collect();
    of_files.retain(|found| {
        let is_gutted = found.finding == Finding::Gutted;
        let mut asked = asked.iter();
        !asked.any(|(little, back)| {
            back.may_be_of(&found.claimed) || is_gutted && little.is_asked_of(&found.claimed)
        })
    });
}

fn sources<'a>(
    since: &'a dyn Since,
    transcript: &'a dyn TranscriptSource,
    report: &'a Report,
    is_alone: bool,
    verdict: Option<&Verdict>,
) -> Sources<'a> {
    Sources {
        repository: since.repository(),
        transcript,
        message: &report.message,
        is_alone,
        has_another_tree: verdict.is_some_and(Verdict::has_another_tree),
    }
}

impl Sources<'_> {
    /// A finding for each assertion of a claim.
    #[must_use]
    pub fn judge(self, claim: &Claim) -> Vec<ClaimFinding> {
        let found = claim.assertions.iter();
        found
            .filter_map(|assertion| self.find(assertion, claim))
            .collect()
    }

    /// What the agent can have run of something beside what is seen, by its calls; anything unless it was alone, and all
    /// that it ran is known. One that is told by others what they ran has no shell, or an earlier turn.
    fn ran(self, may_have: fn(&ToolCalls) -> More) -> More {
        let seen = self.transcript;
        let has_all = seen.is_settled() && seen.own_from().is_none() && seen.has_shell();
        let calls = seen.calls().filter(|_| self.is_alone && has_all);
        match calls.map_or(More::Anything, may_have) {
            More::Hooks if self.repository.may_run_hooks() => More::Anything,
            more => more,
        }
    }

    fn find(self, assertion: &Assertion, claim: &Claim) -> Option<ClaimFinding> {
        match &assertion.says {
            Says::CleanTree => Some(tree::find(assertion, claim, self)),
            Says::Committed => tree::uncommitted(assertion, claim, self),
            Says::Read { file } => Some(reads::find(file, self)),
            Says::Commit { hash } => Some(commits::commit(hash, self)),
            Says::Branch { name } => Some(commits::branch(name, self)),
            // What is not committed was not pushed.
            Says::Pushed => tree::uncommitted(assertion, claim, self)
                .or_else(|| Some(commits::pushed(assertion, claim, self))),
            Says::Check(check) => {
                let others = claim.assertions.iter().filter_map(Assertion::check);
                checks::find(assertion, check, self, &others.collect::<Vec<_>>())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
