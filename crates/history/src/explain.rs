//! `attest explain`: why a verdict came out as it did, and what would have changed it.

mod now;
mod pages;
mod rests_on;

use attest_claim::Status;
use attest_snapshot::escaped;
use attest_state::history::{Detail, Entry};
use attest_verdict::{Outcome, ReasonCode, Strict, Unmet};

use super::history::{Found, agent_name, look_up};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::near::did_you_mean;
use attest_base::ui::counted;
use attest_base::ui::{STRONG, Ui, hanging, mark_of, style_of, styled};

pub use pages::all_words;
pub(super) use pages::meaning_of_doubt;
pub(super) use rests_on::why;

use self::rests_on::{quoted, some};

/// Explain a verdict, or a word that verdicts use
///
/// A verdict is explained in sentences: what was claimed, what was seen, what was decided, what to do
/// now, and what would have changed the decision. A word is explained offline, with an example.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest explain                    the last stop\n  \
    attest explain 3f2a               a verdict by the beginning of its id\n  \
    attest explain ALLOW_AMBIGUOUS    a word")]
pub struct ExplainArgs {
    /// The verdict or its agent, by the beginning of an id, or a word such as `SCOPE_CREEP`; the
    /// verdict that `attest log` begins with when left out
    #[arg(value_name = "ID|WORD")]
    what: Option<String>,
    /// List the words with their meanings
    #[arg(long, conflicts_with = "what")]
    list: bool,
    /// Print the list as JSON, with all that is said of each word
    #[arg(long, requires = "list")]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ExplainArgs) -> Result<ExitStatus, CommandError> {
    if args.json {
        ui.json(&pages::json())?;
        return Ok(ExitStatus::Success);
    }
    let pages = args.what.as_deref().map(pages::find).unwrap_or_default();
    let text = match pages.as_slice() {
        _ if args.list => pages::list(ui.width()),
        pages if !pages.is_empty() => pages::text(pages, ui.width()),
        _ => {
            let found = look_up(ui, env, args.what.as_deref())
                .map_err(|error| error.hinted(hint(args.what.as_deref())))?;
            text(&found, ui.width())
        }
    };
    ui.page(&text)?;
    Ok(ExitStatus::Success)
}

/// What to type instead of a word that is not known.
fn hint(typed: Option<&str>) -> String {
    let list = "`attest explain --list` lists the words";
    let words = pages::all_words();
    let meant = typed.map(|typed| did_you_mean(typed, words.into_keys()));
    format!("{list}{}", meant.unwrap_or_default())
}

/// The outcome, and how much of the claim it rests on.
pub(super) fn headline(entry: &Entry, detail: &Detail, width: Option<usize>) -> String {
    let headline = format!(
        "{} {}: {}",
        mark_of(entry.outcome),
        entry.outcome,
        now::headline(entry, detail)
    );
    hanging("", &styled(style_of(entry.outcome), headline), width)
}

pub(super) fn text(found: &Found, width: Option<usize>) -> String {
    let (entry, detail) = (&found.entry, &found.detail);
    let mut text = headline(entry, detail, width);
    let mut part = |title: &str, sentences: Vec<String>| {
        if !sentences.is_empty() {
            text.push('\n');
            text.push_str(&hanging("", &styled(STRONG, title), width));
            for sentence in sentences {
                text.push_str(&hanging("- ", &sentence, width));
            }
        }
    };
    part("What the agent said", said(entry, detail));
    part("What was seen", seen(detail));
    part("What was decided", decided(entry, detail));
    let fate = found.answer.as_ref().map(|answer| answer.fate);
    let fate = fate.map(|fate| format!("{fate}: {}.", fate.meaning()));
    part("What became of it", fate.into_iter().collect());
    part("What to do now", now::advice(entry, detail));
    if entry.outcome == Outcome::Blocked {
        part(
            "Any of these would have let it through",
            ways_out(entry, detail),
        );
    } else {
        let title = if obstacles(entry, detail).len() == 1 {
            "For a block, this would have had to be different"
        } else {
            "For a block, all of this would have had to be different"
        };
        part(title, obstacles(entry, detail));
    }
    text
}

fn said(entry: &Entry, detail: &Detail) -> Vec<String> {
    let agent = agent_name(&entry.agent_id, entry.task.as_deref());
    let Some(claim) = detail.claim.as_ref().filter(|claim| claim.is_claim()) else {
        return vec![match entry.outcome {
            Outcome::NoSnapshot => {
                format!("The start of {agent} was not seen, so its report was not read.")
            }
            _ => format!(
                "The report of {agent} has no line that can be checked: neither a status nor a list of files."
            ),
        }];
    };
    let status = claim.status.map_or("no status".to_owned(), |status| {
        format!("the status {}", status.as_str())
    });
    let paths = counted(claim.entries.len(), "path");
    vec![format!(
        "The report of {agent} has {status} and names {paths}."
    )]
}

fn seen(detail: &Detail) -> Vec<String> {
    if let Some(why) = &detail.unreadable {
        return vec![format!(
            "The work tree could not be read: {}.",
            escaped(why.as_bytes())
        )];
    }
    let mut sentences: Vec<_> = detail
        .findings
        .iter()
        .map(|judged| {
            let name = quoted(&judged.claimed);
            let weight = if judged.is_proof {
                " This disproves the DONE."
            } else {
                ""
            };
            let finding = attest_base::ui::word(&judged.finding);
            let why = why(judged);
            format!("{name} is {finding}: {why}.{weight}")
        })
        .collect();
    sentences.extend(detail.unmet.iter().map(|unmet| {
        let why = escaped(unmet.why.as_bytes());
        let name = criterion(unmet);
        format!("{name} is not met: {why}. This disproves the DONE.")
    }));
    sentences.extend(detail.open_criteria().iter().map(|unmet| {
        let why = escaped(unmet.why.as_bytes());
        let name = criterion(unmet);
        format!("{name} is not met: {why}. That does not count here.")
    }));
    if let Some((word, why)) = unchecked(detail) {
        let why = escaped(why.as_bytes());
        sentences.push(format!("The completion criteria were {why} ({word})."));
    }
    if detail.unclaimed.count > 0 {
        let names = some(detail.unclaimed.first.iter(), detail.unclaimed.count);
        sentences.push(format!("Nothing in the report accounts for {names}."));
    }
    if detail.was_dirty() {
        sentences.push("The work tree had uncommitted changes at the start.".to_owned());
    }
    sentences
}

/// A criterion at the beginning of a sentence.
fn criterion(unmet: &Unmet) -> String {
    let whose = if unmet.is_of_prompt {
        " of the prompt"
    } else {
        ""
    };
    format!("The criterion {}{whose}", quoted(&unmet.name))
}

/// The word for why the criteria were not checked, and that in words.
fn unchecked(detail: &Detail) -> Option<(String, &str)> {
    let checked = detail.criteria.as_ref()?;
    let word = escaped(checked.unchecked.as_deref()?.as_bytes());
    Some((word, checked.evidence.as_deref()?))
}

fn decided(entry: &Entry, detail: &Detail) -> Vec<String> {
    let fate = match entry.reason {
        reason if reason.is_block() => "The agent was sent back",
        _ => "The agent was let through",
    };
    let mut sentences = vec![format!(
        "{fate} by {}: {}.",
        entry.reason,
        entry.reason.meaning()
    )];
    if entry.blocks_before > 0 {
        let times = counted(entry.blocks_before as usize, "time");
        let fixed = match detail.is_false_done() {
            Some(false) => ", and the report that it sent then holds",
            _ => "",
        };
        sentences.push(format!("It had been sent back {times} before{fixed}."));
    }
    sentences
}

/// What would have let a blocked agent through.
fn ways_out(entry: &Entry, detail: &Detail) -> Vec<String> {
    let proofs = detail.findings.iter().filter(|judged| judged.is_proof);
    let proofs: Vec<_> = proofs.map(|judged| &judged.claimed).collect();
    let kind = entry.agent_type.as_deref().unwrap_or("its type");
    let mut ways = Vec::new();
    if !proofs.is_empty() {
        let them = if proofs.len() == 1 { "it" } else { "them" };
        let names = some(proofs.iter(), proofs.len());
        ways.push(format!(
            "A change of {names} in this repository, its commits, stashes or other work trees."
        ));
        ways.push(format!(
            "A report that does not claim {them}, or whose status is not DONE."
        ));
    }
    let unmet = detail.unmet.iter().map(|unmet| &unmet.name);
    if !detail.unmet.is_empty() {
        let names = some(unmet, detail.unmet.len());
        ways.push(format!(
            "The criteria {names} met, or ATTEST_STRICT without criteria."
        ));
    }
    ways.extend([
        format!(
            "ATTEST_ENFORCE not set to 1, or ATTEST_ENFORCE_AGENTS without {}.",
            escaped(kind.as_bytes())
        ),
        format!(
            "ATTEST_MAX_RETRIES at most {} (it was {}).",
            entry.blocks_before, detail.policy.max_retries
        ),
    ]);
    ways
}

/// Every row of the decision table that stood against a block, as what would have had to be
/// otherwise.
fn obstacles(entry: &Entry, detail: &Detail) -> Vec<String> {
    let policy = &detail.policy;
    let mut all = Vec::new();
    if !policy.enforce {
        all.push("ATTEST_ENFORCE would have had to be 1.".to_owned());
    }
    let kind = entry.agent_type.as_deref();
    if let Some(agents) = &policy.agents
        && !kind.is_some_and(|kind| agents.contains(&kind.to_lowercase()))
    {
        let kind = escaped(kind.unwrap_or("an agent without a type").as_bytes());
        all.push(format!(
            "ATTEST_ENFORCE_AGENTS would have had to list {kind}."
        ));
    }
    if !detail.has_agent_id {
        all.push(
            "The host would have had to give the agent an id, to count its retries by.".to_owned(),
        );
    }
    match detail.is_false_done() {
        None => all.push(
            "The work tree would have had to be readable at the start and at the stop.".to_owned(),
        ),
        Some(false) => all.extend(no_proof(entry, detail)),
        Some(true) => {}
    }
    if detail.was_dirty() && !policy.strict.dirty {
        all.push("The work tree would have had to be clean at the start, or ATTEST_STRICT to have `dirty`, as after `attest enforce on`.".to_owned());
    }
    if entry.blocks_before >= policy.max_retries {
        all.push(format!(
            "ATTEST_MAX_RETRIES would have had to be above {}, the blocks that it had already (it was {}).",
            entry.blocks_before, policy.max_retries
        ));
    }
    if detail.host_was_continuing {
        all.push(
            "The host would have had to say that it does not already continue after a block."
                .to_owned(),
        );
    }
    match entry.reason {
        ReasonCode::AllowSessionCeiling => all.push(format!(
            "ATTEST_SESSION_BLOCK_CEILING would have had to be higher (it was {}).",
            policy.session_ceiling
        )),
        ReasonCode::AllowCounterNotDurable => {
            all.push("The state file would have had to be writable.".to_owned());
        }
        ReasonCode::AllowDeadline => {
            all.push("The hook would have had to be done before ATTEST_STOP_DEADLINE.".to_owned());
        }
        _ => {}
    }
    all
}

/// Why nothing disproved the claim.
fn no_proof(entry: &Entry, detail: &Detail) -> Vec<String> {
    let Some(claim) = detail.claim.as_ref().filter(|claim| claim.is_claim()) else {
        return vec![match entry.outcome {
            Outcome::NoSnapshot => {
                "The start hook would have had to run before the agent.".to_owned()
            }
            _ => "The report would have had to end with `Status: DONE` and a list of files."
                .to_owned(),
        }];
    };
    if claim.status != Some(Status::Done) {
        let status = claim.status.map_or("none", |status| status.as_str());
        return vec![format!(
            "The status would have had to be DONE (it was {status}); no other can be false."
        )];
    }
    let strict = detail.policy.strict;
    let with = |word: &str, strict: Strict| {
        let proofs = detail
            .findings
            .iter()
            .filter(|judged| judged.finding.disproves(strict));
        let names: Vec<_> = proofs.map(|judged| &judged.claimed).collect();
        (!names.is_empty()).then(|| {
            let names = some(names.iter(), names.len());
            format!("ATTEST_STRICT would have had to have `{word}`, under which {names} disproves the DONE.")
        })
    };
    let weaker = [
        with(
            "untouched",
            Strict {
                untouched: true,
                ..strict
            },
        ),
        with(
            "deleted",
            Strict {
                deleted: true,
                ..strict
            },
        ),
    ];
    let weaker: Vec<_> = weaker.into_iter().flatten().collect();
    if weaker.is_empty() {
        return vec!["A claimed path would have had to be ABSENT: not on disk, never there, and worked on by nobody.".to_owned()];
    }
    weaker
}
