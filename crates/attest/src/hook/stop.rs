//! `SubagentStop`: hold the report against the work tree, and send a proven false DONE back.

use std::io::{stderr, stdout};
use std::time::Duration;

use attest_claim::Claim;
use attest_snapshot::{Comparison, Snapshot, Unreadable, WorkTree, load_baseline, path_bytes};
use attest_store::Store;
use attest_verdict::{
    self as verdict, Agent, BlockRequest, Outcome, Policy, ReasonCode, Verdict, block_reason,
};

use super::record::{Record, Seen};
use super::report::{Report, Source};
use super::{Context, HookError, cast, collect, criteria, now, print, record, shrug};
use crate::log::{Level, chain};

/// How long a transcript that lags behind the hook is waited for. Hosts were measured to write
/// the last message up to 65 ms after the hook begins.
const TRANSCRIPT_WAIT: Duration = Duration::from_millis(300);

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let (key, _) = context.agent_key();
    let mut store = context.open_store()?;
    let Some(agent) = verdict::find(store.connection(), &key)? else {
        tell(context, &Report::no_snapshot(&key.agent), Level::Info);
        let record = Record::unjudged(context, Outcome::NoSnapshot, None);
        record.keep(context, None, &mut store);
        after(context, &mut store, &record);
        return Ok(());
    };
    let record = match judge(context, &mut store, &agent) {
        Ok(record) => record,
        Err(error) => {
            context.log.error(error.code(), &error);
            Record::unjudged(context, Outcome::Unverifiable, Some(chain(&error)))
        }
    };
    if record.is_block() {
        record.keep(context, Some(&agent), &mut store);
    } else {
        close(context, &mut store, &agent, &record)?;
    }
    after(context, &mut store, &record);
    Ok(())
}

/// What can wait until the answer is out and everything is recorded.
fn after(context: &Context, store: &mut Store, record: &Record) {
    if let Some(id) = record.id() {
        cast::mirror(context, store, id);
    }
    collect::in_spare_time(context, store);
    if let Err(error) = store.tidy() {
        shrug(&context.log, "NOT_TIDIED", &error);
    }
}

/// Decides, says so, and returns what is to be recorded of it.
fn judge(context: &Context, store: &mut Store, agent: &Agent) -> Result<Record, HookError> {
    let (key, is_named) = context.agent_key();
    let (message, source) = message(context);
    let claim = attest_claim::parse(&message);
    if !claim.is_claim() {
        tell(context, &Report::no_claim(&key.agent), Level::Info);
        criteria::at_stop(context, store, agent);
        return Ok(Record::unjudged(context, Outcome::NoClaim, None));
    }
    let mut evidence = match load_baseline(store.connection(), agent.id)? {
        None => {
            tell(context, &Report::no_snapshot(&key.agent), Level::Info);
            return Ok(Record::unjudged(context, Outcome::NoSnapshot, None));
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
    Ok(stop.decide(store).with_source(source))
}

/// What a start and a stop show together.
enum Evidence {
    Judged {
        baseline: Box<WorkTree>,
        verdict: Verdict,
        seen: Box<Seen>,
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
        let seen = Box::new(Seen::of(&comparison));
        Ok(Self::Judged {
            baseline: Box::new(baseline),
            verdict,
            seen,
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
    fn decide(&self, store: &mut Store) -> Record {
        let policy = &self.context.config.policy;
        let decision = self.screen(policy).and_then(|()| self.send_back(store));
        let code = match &decision {
            Ok(_) => ReasonCode::BlockFalseDone,
            Err(code) => *code,
        };
        self.context.log.write(Level::Info, "DECISION", code);
        let (text, level) = self.words(code);
        tell(self.context, &text, level);
        self.record(code).with_block(decision.ok())
    }

    fn record(&self, code: ReasonCode) -> Record {
        match self.evidence {
            Evidence::Judged { verdict, seen, .. } => {
                Record::judged(self.context, self.claim, verdict, seen, code)
            }
            Evidence::Unreadable(why) => Record::unverifiable(self.context, self.claim, why, code),
        }
    }

    fn words(&self, code: ReasonCode) -> (String, Level) {
        let report = &self.report;
        let (baseline, verdict) = match self.evidence {
            Evidence::Unreadable(why) => {
                return (report.unverifiable(self.claim, why), Level::Info);
            }
            Evidence::Judged {
                baseline, verdict, ..
            } => (baseline, verdict),
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
        let (is_false_done, is_dirty) = match self.evidence {
            Evidence::Judged {
                baseline, verdict, ..
            } => (Some(verdict.is_false_done()), baseline.is_dirty()),
            Evidence::Unreadable(_) => (None, false),
        };
        verdict::screen(policy, kind, self.is_named, is_false_done, is_dirty)
    }

    /// Records the block, and only then sends it. Returns its text.
    fn send_back(&self, store: &mut Store) -> Result<String, ReasonCode> {
        let context = self.context;
        let Evidence::Judged {
            baseline, verdict, ..
        } = self.evidence
        else {
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
        Ok(reason)
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
fn close(
    context: &Context,
    store: &mut Store,
    agent: &Agent,
    record: &Record,
) -> Result<(), HookError> {
    let (_, is_named) = context.agent_key();
    record::beside(
        context,
        store,
        |transaction| {
            if is_named {
                verdict::close(transaction, agent.id, now())
            } else {
                verdict::forget(transaction, agent.id)
            }
        },
        |transaction| record.write(context, Some(agent), transaction),
    )?;
    Ok(())
}
