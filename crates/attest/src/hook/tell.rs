//! The hooks that are heard: `Stop` tells the person, `PostToolUse` and `UserPromptSubmit` tell the
//! parent agent. Silent where there is nothing to tell, which is nearly always. Each says whether the host has its
//! answer.

use std::collections::BTreeMap;
use std::io::stdout;
use std::path::Path;

use attest_snapshot::{Printable, Untrusted};
use attest_state::history::{Again, follow, look_again};
use attest_state::{AgentKey, Notice, Store, StoreError, Told, take_for_parent, take_for_person};
use attest_verdict::quoted;

use super::context::{Context, HookError, now, print};
use super::{off, whole};
use attest_base::log::Level;
use attest_base::shell_word::shell_word;
use attest_base::ui::counted;

/// Lines that one message has at most.
const MOST_LINES: usize = 20;

/// Tells the person what did not hold since the last time. Some hosts send the event for subagents
/// too, whose output nobody sees.
pub(super) fn person(context: &Context) -> Result<bool, HookError> {
    if context.payload.agent_id.is_some() {
        return Ok(false);
    }
    let Some(mut store) = open(context)? else {
        return Ok(false);
    };
    let session = &context.key.session;
    if off::after(context, &mut store)? {
        return Ok(true);
    }
    whole::end_unfinished(context, &mut store);
    let Some(mut notice) = take_for_person(&mut store, session, now())? else {
        return Ok(false);
    };
    let again = seen_again(context, &store, &notice.findings);
    let findings = notice.findings.into_iter();
    notice.findings = findings
        .filter_map(|told| still_missing(told, &again))
        .collect();
    let is_said = (!notice.findings.is_empty() || !notice.remarks.is_empty()) && {
        let text = for_person(&notice, session);
        let reply = context.harness.notice(&context.payload, &text);
        say(context, &text, reply.as_deref())
    };
    // Nobody waits for it.
    let heard = notice.heard.iter();
    for again in heard.filter_map(|key| again.get(&key.agent)) {
        if let Err(error) = follow(&mut store, again) {
            not_seen(context, error);
        }
    }
    Ok(is_said)
}

/// What was missing when agents stopped, looked for again.
fn seen_again(context: &Context, store: &Store, findings: &[Told]) -> BTreeMap<String, Again> {
    let folder = context.payload.cwd.as_deref();
    let is_there =
        |path: &Path| context.limits.may_look(path).is_ok() && path.symlink_metadata().is_ok();
    let mut seen = BTreeMap::new();
    for told in findings {
        let key = AgentKey {
            session: context.key.session.clone(),
            agent: told.agent.clone(),
        };
        match look_again(store, &key, folder, is_there) {
            Ok(Some(again)) => _ = seen.insert(key.agent, again),
            Ok(None) => {}
            Err(error) => not_seen(context, error),
        }
    }
    seen
}

fn not_seen(context: &Context, error: StoreError) {
    let error = HookError::from(error);
    context.log.error(error.code(), &error);
}

/// What was found of an agent, without the missing files that are there by now.
fn still_missing(mut told: Told, again: &BTreeMap<String, Again>) -> Option<Told> {
    let there = again.get(&told.agent).into_iter().flat_map(Again::there);
    let there: Vec<_> = there.map(quoted).collect();
    let is_there = |line: &&str| {
        let mut rests = there.iter().filter_map(|name| line.strip_prefix(name));
        rests.any(|rest| rest.starts_with([':', ' ']))
    };
    let lines = told.finding.lines().filter(|line| !is_there(line));
    told.finding = lines.collect::<Vec<_>>().join("\n");
    (!told.finding.is_empty()).then_some(told)
}

/// Tells the parent what did not hold of the agents whose reports it is given.
pub(super) fn parent(context: &Context) -> Result<bool, HookError> {
    if context.payload.reported.is_empty() {
        return Ok(false);
    }
    let Some(mut store) = open(context)? else {
        return Ok(false);
    };
    whole::end_unfinished(context, &mut store);
    let mut findings = Vec::new();
    for agent in &context.payload.reported {
        let key = AgentKey::of_id(&context.key.session, agent);
        findings.extend(take_for_parent(&mut store, &key, now())?);
    }
    if findings.is_empty() {
        return Ok(false);
    }
    let text = for_parent(&findings);
    let reply = context.harness.context(&context.payload, &text);
    Ok(say(context, &text, reply.as_deref()))
}

/// `None` where nothing can have been kept.
fn open(context: &Context) -> Result<Option<Store>, HookError> {
    let path = context.config.state_db.as_deref();
    if !context.config.advise || !path.is_some_and(std::path::Path::exists) {
        return Ok(None);
    }
    context.open_store().map(Some)
}

fn say(context: &Context, text: &Printable, reply: Option<&str>) -> bool {
    let Some(reply) = reply else {
        return false;
    };
    for line in text.lines() {
        context.log.write(Level::Info, "TOLD", line);
    }
    print(stdout().lock(), reply);
    true
}

fn for_person(notice: &Notice, session: &str) -> Printable {
    let mut text = String::new();
    if !notice.findings.is_empty() {
        let mut agents: Vec<_> = notice.findings.iter().map(|told| &told.agent).collect();
        agents.sort();
        agents.dedup();
        let (checked, unjudged) = (checked(notice), unjudged(notice));
        let lines = lines(notice.findings.iter().collect(), for_a_person);
        // What was so by then need not be so by now.
        let who = if agents.len() == 1 { "it" } else { "they" };
        text = format!(
            "attest: {checked} checked{unjudged}, {} with something to look at when {who} stopped:\n{lines}",
            agents.len()
        );
    }
    text.push_str(&remarks(notice.remarks.iter().map(String::as_str)));
    let session = shell_word(session.as_bytes());
    let list = if notice.has_no_verdict {
        "agents"
    } else {
        "log"
    };
    Printable::new(&format!("{text}More: attest {list} --session {session}"))
}

fn for_parent(findings: &[Told]) -> Printable {
    let (beside, of_report): (Vec<_>, Vec<_>) = findings.iter().partition(|told| told.is_beside);
    let mut text = String::new();
    if !of_report.is_empty() {
        let lines = lines(of_report, for_an_agent);
        text.push_str(&format!(
            "attest checked the report against the git work tree and the tool calls when the agent stopped. Look at \
             this:\n{lines}Look at the work tree before you rely on the report.\n"
        ));
    }
    text.push_str(&remarks(
        beside.iter().flat_map(|told| told.finding.lines()),
    ));
    Printable::new(text.trim_end())
}

/// One line for each thing that did not hold.
fn lines(findings: Vec<&Told>, title: fn(&Told) -> String) -> String {
    let all = findings
        .into_iter()
        .flat_map(|told| told.finding.lines().map(move |line| (told, line)));
    listed(
        "- ",
        all.map(|(told, line)| format!("{}: {line}", title(told))),
    )
}

/// One line for each thing that is not about one report.
fn remarks<'t>(all: impl Iterator<Item = &'t str>) -> String {
    listed("attest: ", all.map(str::to_owned))
}

/// As many lines as one message has, and how many more there are.
fn listed(lead: &str, lines: impl Iterator<Item = String>) -> String {
    let all: Vec<_> = lines.collect();
    let mut text = String::new();
    for line in all.iter().take(MOST_LINES) {
        text.push_str(&format!("{lead}{line}\n"));
    }
    if all.len() > MOST_LINES {
        text.push_str(&format!("{lead}and {} more\n", all.len() - MOST_LINES));
    }
    text
}

/// How many subagents and turns were checked.
fn checked(notice: &Notice) -> String {
    let parts = [(notice.turns, "turn"), (notice.subagents, "agent")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| counted(count as usize, what));
    parts.collect::<Vec<_>>().join(" and ")
}

/// Of how many agents nothing could be judged, if that is so of any.
fn unjudged(notice: &Notice) -> String {
    if notice.unjudged == 0 {
        return String::new();
    }
    format!(", {} with nothing to judge", notice.unjudged)
}

/// An agent as a person knows it: by its task, or else by its type and an id that `attest show` takes.
fn for_a_person(told: &Told) -> String {
    match (&told.task, &told.agent_type) {
        _ if told.is_turn() => "your agent".to_owned(),
        (Some(task), Some(kind)) => format!("{} ({})", quoted(task), Untrusted::new(kind)),
        (Some(task), None) => quoted(task),
        (None, _) => for_an_agent(told),
    }
}

/// An agent as its parent knows it, by the id.
fn for_an_agent(told: &Told) -> String {
    let agent = Untrusted::new(&told.agent);
    match &told.agent_type {
        Some(kind) => format!("{} {agent}", Untrusted::new(kind)),
        None => agent.to_string(),
    }
}
