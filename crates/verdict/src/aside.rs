//! What a message says of checks, commits and pushes beside its claim, where that is certainly untrue: told, and no proof.

use std::rc::Rc;

use attest_claim::{Assertion, Kind, aside};
use attest_shell::{More, RunEnding};
use attest_transcript::Session;

use crate::assertions;
use crate::facts::{Facts, Since, Unseen};
use crate::weigh::asked_text;
use crate::{ClaimFinding, Report, Tools, Verdict};

/// What is found of the first such sentence of each kind. `tools` is what is known of the calls already, `verdict` what is
/// found of claimed files, and `since` the agent's start, if that was compared already.
pub(crate) fn untrue<'f>(
    report: &Report,
    facts: &'f dyn Facts,
    tools: Option<&Tools>,
    verdict: Option<&Verdict>,
    since: &mut Option<Box<dyn Since + 'f>>,
) -> Result<Vec<ClaimFinding>, Unseen> {
    if !facts.hears_sentences() {
        return Ok(Vec::new());
    }
    let kinds = [of_checks(report, facts, tools), of_git(report, facts)];
    let mut found = Vec::new();
    for said in kinds.iter().filter(|said| !said.is_empty()) {
        let since = match &mut *since {
            Some(since) => since,
            none => none.insert(facts.since_start()?),
        };
        let is_alone = facts.others_at_work() == Some(0);
        let mut untrue = said
            .iter()
            .filter_map(|it| assertions::untrue(it, report, verdict, &mut **since, is_alone));
        found.extend(untrue.next());
    }
    let asked = |session: Rc<Session>| asked_text(&session).is_some();
    if !found.is_empty() && facts.whole_session().is_some_and(asked) {
        found.clear();
    }
    Ok(found)
}

/// Nothing where no run of a check failed, and one may have been made or no file was written. To read the message once more
/// costs every agent of whom it is read.
fn of_checks(report: &Report, facts: &dyn Facts, tools: Option<&Tools>) -> Vec<Assertion> {
    let is_judged = report.claim.has(Kind::Checks);
    let Some(calls) = tools.map(|it| &it.tool_calls).filter(|_| !is_judged) else {
        return Vec::new();
    };
    let ran_none = || {
        may_say_that_checks_pass(&report.message)
            && calls.has_written()
            && calls.may_have_tested() != More::Anything
    };
    if !calls.may_have_failed() && !ran_none() {
        return Vec::new();
    }
    let said = aside(Kind::Checks, &report.claim, &report.message, || {
        report.told()
    });
    let is_told = !said.is_empty() && (have_failed(facts) || ran_none());
    said.into_iter().filter(|_| is_told).collect()
}

/// Whether a run of a check failed.
fn have_failed(facts: &dyn Facts) -> bool {
    facts.whole_session().is_some_and(|session| {
        let ran = session.tool_calls.ran().iter().flatten();
        let mut runs = ran.flat_map(|ran| &ran.runs);
        runs.any(|run| {
            matches!(
                run.ending,
                RunEnding::Failed(_) | RunEnding::Says(_) | RunEnding::NotBegun(_)
            )
        })
    })
}

/// Nothing of who only reads, who may explain what others do.
fn of_git(report: &Report, facts: &dyn Facts) -> Vec<Assertion> {
    let said = aside(Kind::Commits, &report.claim, &report.message, || {
        report.told()
    });
    let may_commit = |session: Rc<Session>| !facts.only_reads(&session);
    let is_heard = !said.is_empty() && facts.whole_session().is_some_and(may_commit);
    said.into_iter().filter(|_| is_heard).collect()
}

/// Whether a message has a word of those that say so.
pub(crate) fn may_say_that_checks_pass(message: &str) -> bool {
    let has_any = |words: &[&str]| words.iter().any(|it| message.contains(it));
    // "Successfully" is in most messages.
    let is_of_others = || has_any(&["uild", "ompil", "Lint", "lint", "ype", "` is", "` succe"]);
    // "No lint warnings"
    let is_without = || has_any(&["ompiles", " builds", "o type", "o lint"]);
    has_any(&["pass", "green"]) || has_any(&["clean", "succe"]) && is_of_others() || is_without()
}
