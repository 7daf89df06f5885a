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
use super::{Context, HookError, criteria, now, print, shrug};
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
        criteria::at_stop(context, store, agent);
        return Ok(false);
    }
    let mut evidence = match load_baseline(store.connection(), agent.id)? {
        None => {
            tell(context, &Report::no_snapshot(&key.agent), Level::Info);
            return Ok(false);
        }
        Some(Snapshot::Unreadable(why)) => Evidence::Unreadable(why),
        Some(Snapshot::Readable(baseline)) => Evidence::gather(context, &claim, baseline)?,
    };
    // After the work tree was read, since their commands may write to it.
    let unmet = criteria::at_stop(context, store, agent);
    if let Evidence::Judged { verdict, .. } = &mut evidence {
        verdict.add_unmet(unmet, context.config.policy.strict);
    }
    let stop = Stop {
        context,
        agent,
        is_named,
        claim: &claim,
        evidence: &evidence,
        report: Report::new(&key.agent, source),
    };
    Ok(stop.decide(store))
}

/// What a start and a stop show together.
enum Evidence {
    Judged {
        baseline: Box<WorkTree>,
        verdict: Verdict,
    },
    Unreadable(Unreadable),
}

impl Evidence {
    fn gather(context: &Context, claim: &Claim, baseline: WorkTree) -> Result<Self, HookError> {
        let comparison = match Comparison::with(&baseline, &context.cwd()?, &context.limits) {
            Ok(comparison) => comparison,
            Err(why) => return Ok(Self::Unreadable(why)),
        };
        let verdict = verdict::judge(
            claim,
            comparison.delta(),
            context.config.policy.strict,
            |text| comparison.name(text),
            |text| comparison.sight(text),
        );
        Ok(Self::Judged {
            baseline: Box::new(baseline),
            verdict,
        })
    }
}

/// One stop with a claim and a baseline.
struct Stop<'a> {
    context: &'a Context,
    agent: &'a Agent,
    is_named: bool,
    claim: &'a Claim,
    evidence: &'a Evidence,
    report: Report,
}

impl Stop<'_> {
    /// Decides, says so, and returns whether the agent was sent back.
    fn decide(&self, store: &mut Store) -> bool {
        let policy = &self.context.config.policy;
        let decision = self.screen(policy).and_then(|()| self.send_back(store));
        let code = decision.err().unwrap_or(ReasonCode::BlockFalseDone);
        self.context.log.write(Level::Info, "DECISION", code);
        let (text, level) = self.words(code);
        tell(self.context, &text, level);
        decision.is_ok()
    }

    fn words(&self, code: ReasonCode) -> (String, Level) {
        let report = &self.report;
        let (baseline, verdict) = match self.evidence {
            Evidence::Unreadable(why) => {
                return (report.unverifiable(self.claim, why), Level::Info);
            }
            Evidence::Judged { baseline, verdict } => (baseline, verdict),
        };
        if !verdict.is_false_done() {
            return (
                report.verdict(verdict, baseline.is_dirty(), Ok(())),
                Level::Info,
            );
        }
        let text = match code {
            ReasonCode::BlockFalseDone => report.blocked(verdict),
            ReasonCode::AllowNotEnforcing => {
                let enforcing = Policy {
                    enforce: true,
                    ..self.context.config.policy.clone()
                };
                report.verdict(verdict, baseline.is_dirty(), self.screen(&enforcing))
            }
            code => report.not_blocking(code),
        };
        (text, Level::Warn)
    }

    fn screen(&self, policy: &Policy) -> Result<(), ReasonCode> {
        let kind = self.context.payload.agent_type.as_deref();
        let kind = kind.or(self.agent.agent_type.as_deref());
        let (verdict, is_dirty) = match self.evidence {
            Evidence::Judged { baseline, verdict } => (Some(verdict), baseline.is_dirty()),
            Evidence::Unreadable(_) => (None, false),
        };
        verdict::screen(policy, kind, self.is_named, verdict, is_dirty)
    }

    /// Records the block, and only then sends it.
    fn send_back(&self, store: &mut Store) -> Result<(), ReasonCode> {
        let context = self.context;
        let Evidence::Judged { baseline, verdict } = self.evidence else {
            return Err(ReasonCode::AllowDeltaUnreliable);
        };
        let others = match verdict::others_at_work(store.connection(), self.agent) {
            Ok(others) => others,
            Err(error) => {
                shrug(&context.log, "OTHERS_UNKNOWN", &error);
                0
            }
        };
        let reason = block_reason(verdict, others);
        let (key, _) = context.agent_key();
        let request = BlockRequest {
            agent: self.agent.id,
            session: &key.session,
            repository: &path_bytes(&baseline.common_dir),
            host_is_continuing: context.payload.stop_hook_active,
            deadline: context.limits.deadline,
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
pub(super) fn tell(context: &Context, text: &str, level: Level) {
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
