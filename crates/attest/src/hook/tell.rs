//! The hooks that are heard: `Stop` tells the person, `PostToolUse` and `UserPromptSubmit` tell the
//! parent agent. Silent where there is nothing to tell, which is nearly always. Each says whether the host has its
//! answer.

use std::io::stdout;

use attest_snapshot::{Printable, Untrusted};
use attest_state::{AgentKey, Notice, Store, Told, take_for_parent, take_for_person};

use super::context::{Context, HookError, now, print};
use crate::log::Level;
use crate::shell_word::shell_word;

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
    let Some(notice) = take_for_person(&mut store, session, now())? else {
        return Ok(false);
    };
    let text = for_person(&notice, session);
    let reply = context.harness.notice(&context.payload, &text);
    Ok(say(context, &text, reply.as_deref()))
}

/// Tells the parent what did not hold of the agents whose reports it is given.
pub(super) fn parent(context: &Context) -> Result<bool, HookError> {
    if context.payload.reported.is_empty() {
        return Ok(false);
    }
    let Some(mut store) = open(context)? else {
        return Ok(false);
    };
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
    let Notice {
        verified,
        findings,
        remarks,
    } = notice;
    let mut text = String::new();
    if !findings.is_empty() {
        let agents = if *verified == 1 { "agent" } else { "agents" };
        let lines = lines(findings);
        text = format!("attest: {verified} {agents} verified; this did not hold:\n{lines}");
    }
    for remark in remarks {
        text.push_str(&format!("attest: {remark}\n"));
    }
    let session = shell_word(session.as_bytes());
    Printable::new(&format!("{text}More: attest log --session {session}"))
}

fn for_parent(findings: &[Told]) -> Printable {
    let lines = lines(findings);
    Printable::new(&format!(
        "attest held the report against the git work tree and the tool calls. This did not hold:\n\
         {lines}Look at the work tree before you rely on the report."
    ))
}

/// One line for each thing that did not hold.
fn lines(findings: &[Told]) -> String {
    let all = findings
        .iter()
        .flat_map(|told| told.finding.lines().map(move |line| (told, line)));
    let count = all.clone().count();
    let mut text = String::new();
    for (told, line) in all.take(MOST_LINES) {
        text.push_str(&format!("- {}: {line}\n", title(told)));
    }
    if count > MOST_LINES {
        text.push_str(&format!("- and {} more\n", count - MOST_LINES));
    }
    text
}

fn title(told: &Told) -> String {
    let agent = Untrusted::new(&told.agent);
    match &told.agent_type {
        Some(kind) => format!("{} {agent}", Untrusted::new(kind)),
        None => agent.to_string(),
    }
}
