//! `SubagentStop`: hold the report against the work tree, and send a proven false DONE back.

use std::io::{stderr, stdout};
use std::time::Duration;

use attest_claim::Claim;
use attest_snapshot::{Comparison, Snapshot, Unreadable, WorkTree, load_baseline, path_bytes};
use attest_store::Store;
use attest_verdict::{
    self as verdict, Agent, BlockRequest, Policy, ReasonCode, Verdict, block_reason,
};

use super::report::{Report, Source};
use super::{Context, HookError, now, print, shrug};
use crate::log::Level;

/// How long a transcript that lags behind the hook is waited for. Hosts were measured to write
/// the last message up to 65 ms after the hook begins.
const TRANSCRIPT_WAIT: Duration = Duration::from_millis(300);

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let (key, _) = context.agent_key();
    let mut store = context.open_store()?;
    let Some(agent) = verdict::find(store.connection(), &key)? else {
        tell(context, &Report::no_snapshot(&key.agent), Level::Info);
        return Ok(());
    };
    let was_blocked = match judge(context, &mut store, &agent) {
        Ok(was_blocked) => was_blocked,
        Err(error) => {
            context.log.error(error.code(), &error);
            false
        }
    };
    if !was_blocked {
        close(context, &mut store, &agent)?;
    }
    Ok(())
}

/// Returns whether the agent was sent back.
fn judge(context: &Context, store: &mut Store, agent: &Agent) -> Result<bool, HookError> {
    let (key, is_named) = context.agent_key();
    let (message, source) = message(context);
    let claim = attest_claim::parse(&message);
    if !claim.is_claim() {
        tell(context, &Report::no_claim(&key.agent), Level::Info);
        return Ok(false);
    }
    let report = Report::new(&key.agent, source);
    let baseline = match load_baseline(store.connection(), agent.id)? {
        Some(Snapshot::Readable(baseline)) => baseline,
        Some(Snapshot::Unreadable(why)) => return Ok(unverifiable(context, &report, &claim, &why)),
        None => {
            tell(context, &Report::no_snapshot(&key.agent), Level::Info);
            return Ok(false);
        }
    };
    let comparison = match Comparison::with(&baseline, &context.cwd()?, &context.limits) {
        Ok(comparison) => comparison,
        Err(why) => return Ok(unverifiable(context, &report, &claim, &why)),
    };
    let strict = &context.config.policy.strict;
    let verdict = verdict::judge(&claim, comparison.delta(), strict, |text| {
        comparison.sight(text)
    });
    let stop = Stop {
        context,
        agent,
        is_named,
        baseline: &baseline,
        verdict: &verdict,
        report: &report,
    };
    Ok(stop.decide(store))
}

/// One judged stop.
struct Stop<'a> {
    context: &'a Context,
    agent: &'a Agent,
    is_named: bool,
    baseline: &'a WorkTree,
    verdict: &'a Verdict,
    report: &'a Report,
}

impl Stop<'_> {
    fn decide(&self, store: &mut Store) -> bool {
        let policy = &self.context.config.policy;
        let report = self.report;
        if !self.verdict.is_false_done() {
            let ambiguous = self.baseline.is_dirty();
            tell(
                self.context,
                &report.verdict(self.verdict, ambiguous, Ok(())),
                Level::Info,
            );
            return false;
        }
        if !policy.enforce {
            let enforcing = Policy {
                enforce: true,
                ..policy.clone()
            };
            let would = self.screen(&enforcing);
            let text = report.verdict(self.verdict, self.baseline.is_dirty(), would);
            tell(self.context, &text, Level::Warn);
            return false;
        }
        match self.screen(policy).and_then(|()| self.send_back(store)) {
            Ok(()) => {
                tell(self.context, &report.blocked(self.verdict), Level::Warn);
                true
            }
            Err(code) => {
                tell(self.context, &report.not_blocking(code), Level::Warn);
                false
            }
        }
    }

    fn screen(&self, policy: &Policy) -> Result<(), ReasonCode> {
        let kind = self.context.payload.agent_type.as_deref();
        let kind = kind.or(self.agent.agent_type.as_deref());
        let is_dirty = self.baseline.is_dirty();
        verdict::screen(policy, kind, self.is_named, Some(self.verdict), is_dirty)
    }

    /// Records the block, and only then sends it.
    fn send_back(&self, store: &mut Store) -> Result<(), ReasonCode> {
        let context = self.context;
        let others = match verdict::others_at_work(store.connection(), self.agent) {
            Ok(others) => others,
            Err(error) => {
                shrug(&context.log, "OTHERS_UNKNOWN", &error);
                0
            }
        };
        let reason = block_reason(self.verdict, others);
        if !context.has_time() {
            return Err(ReasonCode::AllowDeadline);
        }
        let (key, _) = context.agent_key();
        let request = BlockRequest {
            agent: self.agent.id,
            session: &key.session,
            repository: &path_bytes(&self.baseline.common_dir),
            host_is_continuing: context.payload.stop_hook_active,
            now: now(),
        };
        let policy = &context.config.policy;
        let permit = verdict::commit_block(store, policy, &request).map_err(|refusal| {
            if refusal.code() == ReasonCode::AllowCounterNotDurable {
                context.log.error("ALLOW_COUNTER_NOT_DURABLE", &refusal);
            }
            refusal.code()
        })?;
        let reply = context.harness.render_revise(permit, &reason);
        print(stdout().lock(), &reply);
        Ok(())
    }
}

fn unverifiable(context: &Context, report: &Report, claim: &Claim, why: &Unreadable) -> bool {
    tell(context, &report.unverifiable(claim, why), Level::Info);
    false
}

/// The report that the agent ends with, and where it was found.
fn message(context: &Context) -> (String, Source) {
    let payload = &context.payload;
    if let Some(message) = &payload.message {
        return (message.clone(), Source::Payload);
    }
    let Some(path) = payload.message_transcript() else {
        return (String::new(), Source::Payload);
    };
    match attest_transcript::final_message(path, TRANSCRIPT_WAIT) {
        Ok(message) => (message.unwrap_or_default(), Source::Transcript),
        Err(error) => {
            shrug(&context.log, "TRANSCRIPT_UNREADABLE", &error);
            (String::new(), Source::Transcript)
        }
    }
}

/// Detect mode speaks on standard output; enforce mode leaves that to the block.
fn tell(context: &Context, text: &str, level: Level) {
    if context.config.policy.enforce {
        print(stderr().lock(), &format!("{text}\n"));
        for line in text.lines() {
            context.log.write(level.min(Level::Warn), "REPORT", line);
        }
    } else {
        print(stdout().lock(), &format!("{text}\n"));
        for line in text.lines() {
            context.log.write(level, "REPORT", line);
        }
    }
}

/// Ends the generation. An agent without an id is forgotten, since the next of its kind would be
/// taken for it.
fn close(context: &Context, store: &mut Store, agent: &Agent) -> Result<(), HookError> {
    let (_, is_named) = context.agent_key();
    store.write(|transaction| {
        if is_named {
            verdict::close(transaction, agent.id, now())
        } else {
            verdict::forget(transaction, agent.id)
        }
    })?;
    Ok(())
}
