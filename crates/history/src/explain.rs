//! `attest explain`: why a verdict came out as it did, and what would have changed it.

mod now;
mod pages;
mod rests_on;

use attest_claim::Status;
use attest_snapshot::escaped;
use attest_state::history::{Detail, Entry};
use attest_verdict::{Finding, Outcome, ReasonCode, Strict, Unmet};

use super::look_up::{Found, look_up};
use super::names::agent_name;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::near::did_you_mean;
use attest_base::ui::counted;
use attest_base::ui::{STRONG, Ui, hanging, shown_as, styled};

pub use pages::all_words;
pub(super) use pages::{advice_of, capital};
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
    attest explain ALLOW_AMBIGUOUS    a word\n  \
    attest explain questions          what to type when something is wrong")]
pub struct ExplainArgs {
    /// The verdict or its agent, by the beginning of an id, or a word such as `SCOPE_CREEP`; the
    /// verdict that `attest log` begins with when left out
    #[arg(value_name = "ID|WORD")]
    what: Option<String>,
    /// List the words with their meanings
    #[arg(long, conflicts_with = "what")]
    list: bool,
    /// Print the list as JSON, with all that is said of each word
    #[arg(long, requires = "list", conflicts_with = "what")]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ExplainArgs) -> Result<ExitStatus, CommandError> {
    if args.json {
        ui.json(&pages::json())?;
        return Ok(ExitStatus::Success);
    }
    if args.what.as_deref() == Some("questions") {
        return ui
            .page(&questions(ui.width()))
            .map(|()| ExitStatus::Success);
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

/// The questions of the page for those in trouble, each with what to type.
fn questions(width: Option<usize>) -> String {
    let mut text = String::new();
    let mut is_command = false;
    for line in include_str!("../../../docs/TROUBLE.md").lines() {
        if let Some(question) = line.strip_prefix("## ") {
            text.push_str(&hanging("", &styled(STRONG, question), width));
        } else if line.starts_with("```") {
            is_command = line == "```sh";
        } else if is_command {
            text.push_str(&hanging("  ", line, width));
        }
    }
    text + "The answers in full: docs/TROUBLE.md\n"
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
    let (style, mark) = shown_as(entry.outcome, entry.is_to_look_at());
    let more = if entry.is_to_look_at() {
        ", and something beside it is to be looked at"
    } else {
        ""
    };
    let says = now::headline(entry, detail);
    let headline = format!("{mark} {}: {says}{more}", entry.outcome);
    hanging("", &styled(style, headline), width)
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
    part("What to do now", now::advice(found));
    if !entry.reason.is_block() {
        part("It would have been blocked if", obstacles(entry, detail));
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
            let finding = judged.finding;
            let why = why(judged);
            format!("{name} is {finding}: {why}.{weight}")
        })
        .collect();
    sentences.extend(detail.unmet().iter().map(|unmet| {
        let why = escaped(unmet.why.as_bytes());
        let name = criterion(unmet);
        format!("{name} is not met: {why}.")
    }));
    if let Some((word, why)) = unchecked(detail) {
        let why = escaped(why.as_bytes());
        sentences.push(format!("The completion criteria were {why} ({word})."));
    }
    let told = detail.advice.iter().chain(&detail.beside);
    sentences.extend(told.map(|line| format!("{}.", capital(&escaped(line.as_bytes())))));
    if detail.unclaimed.count > 0 {
        let names = some(detail.unclaimed.first.iter(), detail.unclaimed.count);
        sentences.push(format!("The report does not mention {names}."));
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
            Some(false) => ", and nothing disproves the report that it sent then",
            _ => "",
        };
        sentences.push(format!("It had been sent back {times} before{fixed}."));
    }
    sentences.extend(entry.disputed.map(|said| format!("A person says: {said}.")));
    sentences
}

/// Every row of the decision table that stood against a block of a DONE. Nothing of a report that no setting makes false.
fn obstacles(entry: &Entry, detail: &Detail) -> Vec<String> {
    let policy = &detail.policy;
    let claim = detail.claim.as_ref();
    if claim.is_none_or(|claim| claim.status != Some(Status::Done)) {
        return Vec::new();
    }
    let mut all = match detail.is_false_done() {
        Some(true) => Vec::new(),
        Some(false) => match words_that_count(detail) {
            none if none.is_empty() => return none,
            words => words,
        },
        None => vec!["the work tree could have been read at the start and at the stop".to_owned()],
    };
    let mut unless = |stood: bool, what: String| all.extend(stood.then_some(what));
    unless(
        !policy.enforce,
        "ATTEST_ENFORCE had been 1 (`attest enforce on`)".to_owned(),
    );
    let kind = entry.agent_type.as_deref();
    let is_covered = policy.agents.as_ref().is_none_or(|agents| {
        let kind = kind.map(str::to_lowercase);
        kind.is_some_and(|kind| agents.contains(&kind))
    });
    let kind = escaped(kind.unwrap_or("an agent without a type").as_bytes());
    unless(
        !is_covered,
        format!("ATTEST_ENFORCE_AGENTS had listed {kind}"),
    );
    unless(
        !detail.has_agent_id,
        "the host had given the agent an id, by which its retries are counted".to_owned(),
    );
    unless(
        detail.was_dirty() && !policy.strict.dirty,
        "the work tree had been clean at the start, or ATTEST_STRICT had had `dirty`, as after `attest enforce on`"
            .to_owned(),
    );
    unless(
        entry.blocks_before >= policy.max_retries,
        format!(
            "ATTEST_MAX_RETRIES had been above {}, the blocks that it had already (it was {})",
            entry.blocks_before, policy.max_retries
        ),
    );
    unless(
        detail.host_was_continuing,
        "the host had not been continuing after a block already".to_owned(),
    );
    all.extend(match entry.reason {
        ReasonCode::AllowSessionCeiling => Some(format!(
            "ATTEST_SESSION_BLOCK_CEILING had been higher (it was {})",
            policy.session_ceiling
        )),
        ReasonCode::AllowCounterNotDurable => {
            Some("the state file could have been written to".to_owned())
        }
        ReasonCode::AllowDeadline => {
            Some("the hook had been done before ATTEST_STOP_DEADLINE".to_owned())
        }
        ReasonCode::AllowDisputed => Some("nobody had said that the agent was honest".to_owned()),
        _ => None,
    });
    let (last, count) = (all.len().saturating_sub(1), all.len());
    let sentences = all.into_iter().enumerate().map(|(at, what)| match at {
        _ if count == 1 => format!("{what}."),
        at if at == last => format!("and {what}."),
        _ => format!("{what},"),
    });
    sentences.collect()
}

/// The words of `ATTEST_STRICT` with which a claimed path would have disproved the DONE.
fn words_that_count(detail: &Detail) -> Vec<String> {
    let strict = detail.policy.strict;
    let (mut untouched, mut deleted) = (strict, strict);
    (untouched.untouched, deleted.deleted) = (true, true);
    let with = |(word, strict): (&str, Strict)| {
        let findings = detail.findings.iter();
        // What disproves without the word and did not is in doubt.
        let adds =
            |found: Finding| found.disproves(strict) && !found.disproves(detail.policy.strict);
        let proofs: Vec<_> = findings
            .filter(|judged| adds(judged.finding))
            .map(|judged| &judged.claimed)
            .collect();
        (!proofs.is_empty()).then(|| {
            let names = some(proofs.iter(), proofs.len());
            format!("ATTEST_STRICT had had `{word}`, with which {names} disproves the DONE")
        })
    };
    let words = [("untouched", untouched), ("deleted", deleted)];
    words.into_iter().filter_map(with).collect()
}
