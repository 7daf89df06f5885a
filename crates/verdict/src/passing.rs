//! A sentence that says that all tests pass, beside runs of one command of which the last failed: told, and no proof.

use attest_claim::passing;
use attest_shell::RunEnding;
use attest_shell::programs::Of;

use crate::facts::{Facts, Since, Unseen};
use crate::{ClaimFinding, Report, Tools, assertions};

fn has_failed(ending: RunEnding) -> bool {
    matches!(ending, RunEnding::Failed(_) | RunEnding::Says(_))
}

/// What is found of the first such sentence that is untrue. `tools` is what is known of the calls already, and `since` the
/// agent's start, if that was compared already.
pub(crate) fn untrue<'f>(
    report: &Report,
    facts: &'f dyn Facts,
    tools: Option<&Tools>,
    since: &mut Option<Box<dyn Since + 'f>>,
) -> Result<Option<ClaimFinding>, Unseen> {
    // Few agents have such a run, and to read the message once more costs each of them.
    let may_have_failed = tools.is_some_and(|it| it.tool_calls.may_have_failed());
    if !may_have_failed || !facts.hears_sentences() {
        return Ok(None);
    }
    let said = passing(&report.claim, &report.message);
    if said.is_empty() {
        return Ok(None);
    }
    let has_failed = facts.whole_session().is_some_and(|session| {
        let ran = session.tool_calls.ran().iter().flatten();
        let mut runs = ran.flat_map(|ran| &ran.runs);
        runs.any(|run| run.of == Of::Tests && has_failed(run.ending))
    });
    if !has_failed {
        return Ok(None);
    }
    let since = match since {
        Some(since) => since,
        none => none.insert(facts.since_start()?),
    };
    let mut said = said.iter();
    Ok(said.find_map(|it| assertions::failed(it, report, &**since)))
}
