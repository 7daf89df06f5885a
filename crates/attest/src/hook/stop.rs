//! `SubagentStop`: hold the report against the work tree, and send a proven false DONE back.

use std::io::{stderr, stdout};

use attest_claim::{Claim, Status};
use attest_snapshot::{Printable, Snapshot, path_bytes};
use attest_state::{
    self as state, Advisory, Agent, BlockPermit, BlockRequest, Closing, Store, load_baseline,
    retention,
};
use attest_verdict::{self as verdict, Outcome, Policy, ReasonCode, block_reason};

use super::evidence::{self, Evidence};
use super::message::message;
use super::record::Record;
use super::report::Report;
use super::witness::Witness;
use super::{Context, HookError, criteria, now, print, shrug};
use crate::advice::Advice;
use crate::config::Config;
use crate::log::{Level, chain};

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let (key, _) = context.agent_key();
    let mut store = context.open_store()?;
    let Some(agent) = state::find(&store, &key)? else {
        tell(context, &Report::no_snapshot(&key.agent), Level::Info);
        let record = Record::unjudged(context, Outcome::NoSnapshot, None);
        let id = record.write(context, None, None, &mut store)?;
        after(context, &mut store, id.as_deref());
        return Ok(());
    };
    let ending = judge(context, &mut store, &agent).unwrap_or_else(|error| {
        context.log.error(error.code(), &error);
        let record = Record::unjudged(context, Outcome::Unverifiable, Some(chain(&error)));
        Ending { record, told: None }
    });
    let id = if ending.record.is_block() {
        let record = &ending.record;
        record.write(context, Some(&agent), None, &mut store)?
    } else {
        close(context, &mut store, &agent, &ending)?
    };
    after(context, &mut store, id.as_deref());
    Ok(())
}

/// What a stop came to.
struct Ending {
    record: Record,
    /// What did not hold, one line each; absent where there was nothing to hold the report against.
    told: Option<Vec<String>>,
}

/// What can wait until the answer is out and everything is recorded.
fn after(context: &Context, store: &mut Store, id: Option<&str>) {
    let Config { cast_db, .. } = &context.config;
    if let (Some(id), Some(path)) = (id, cast_db)
        && let Err(error) = state::mirror(store, id, path)
    {
        shrug(&context.log, "CAST_NOT_WRITTEN", &error);
    }
    collect(context, store);
    if let Err(error) = store.tidy() {
        shrug(&context.log, "NOT_TIDIED", &error);
    }
}

/// Forgets what is old, if nobody did today, and what is too much.
fn collect(context: &Context, store: &mut Store) {
    let most = context.config.most_state;
    let (forgotten, result) = retention::collect(store, most, context.limits.deadline);
    if let Some(forgotten) = forgotten {
        context.log.write(Level::Info, "COLLECTED", forgotten);
    }
    match result {
        Err(error) if !error.is_busy() => shrug(&context.log, "NOT_COLLECTED", &error),
        _ => {}
    }
}

/// Decides, and says so.
fn judge(context: &Context, store: &mut Store, agent: &Agent) -> Result<Ending, HookError> {
    let (key, is_named) = context.agent_key();
    let (message, source) = message(context);
    let claim = attest_claim::parse(&message);
    let report = Report::new(&key.agent, source);
    let witness = Witness::new(context, &message, &claim);
    if !claim.is_claim() {
        tell(context, &Report::no_claim(&key.agent), Level::Info);
        let name = |text: &str| witness.name(text);
        let advice = witness.examine(None, name, |path| {
            evidence::sight(context, store, agent, path)
        });
        tell_advice(context, &report, &advice);
        let unmet = criteria::at_stop(context, store, agent);
        let record = Record::unjudged(context, Outcome::NoClaim, None);
        let record = record.with_advice(&advice).with_calls(witness.calls());
        let told = evidence::lines(&advice, &unmet);
        return Ok(Ending {
            record,
            told: (!told.is_empty()).then_some(told),
        });
    }
    let (mut evidence, advice) = match load_baseline(store, agent.id)? {
        None => {
            tell(context, &Report::no_snapshot(&key.agent), Level::Info);
            let record = Record::unjudged(context, Outcome::NoSnapshot, None);
            return Ok(Ending { record, told: None });
        }
        Some(Snapshot::Unreadable(why)) => Evidence::unreadable(&witness, why),
        Some(Snapshot::Readable(baseline)) => Evidence::gather(&witness, baseline)?,
    };
    // After the work tree was read, since their commands may write to it.
    let mut unmet = criteria::at_stop(context, store, agent);
    if let Evidence::Judged { verdict, .. } = &mut evidence {
        verdict.add_unmet(unmet.clone(), context.config.policy.strict);
    }
    if !matches!(claim.status, None | Some(Status::Done)) {
        // Who says not to be done may leave criteria open.
        unmet.clear();
    }
    let stop = Stop {
        context,
        agent,
        is_named,
        claim: &claim,
        evidence: &evidence,
        advice: &advice,
        report,
    };
    let record = stop.decide(store).with_source(source);
    let record = record.with_calls(witness.calls());
    let told = evidence.told(&advice, &unmet);
    Ok(Ending { record, told })
}

/// One stop with a claim and a baseline.
struct Stop<'a> {
    context: &'a Context,
    agent: &'a Agent,
    is_named: bool,
    claim: &'a Claim,
    evidence: &'a Evidence,
    advice: &'a [Advice],
    report: Report,
}

impl Stop<'_> {
    /// Decides, says so, and returns what is to be recorded of it.
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
        if let Evidence::Judged { verdict, .. } = self.evidence {
            for line in self.report.tools(verdict) {
                tell(self.context, &line, level);
            }
        }
        tell_advice(self.context, &self.report, self.advice);
        self.record(code)
            .with_advice(self.advice)
            .with_block(decision.ok().map(|reason| reason.to_string()))
    }

    fn record(&self, code: ReasonCode) -> Record {
        match self.evidence {
            Evidence::Judged { verdict, seen, .. } => {
                Record::judged(self.context, self.claim, verdict, seen, code)
            }
            Evidence::Unreadable(why) => Record::unverifiable(self.context, self.claim, why, code),
        }
    }

    fn words(&self, code: ReasonCode) -> (Printable, Level) {
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
    fn send_back(&self, store: &mut Store) -> Result<Printable, ReasonCode> {
        let context = self.context;
        let Evidence::Judged {
            baseline, verdict, ..
        } = self.evidence
        else {
            return Err(ReasonCode::AllowDeltaUnreliable);
        };
        let others = match state::others_at_work(store, self.agent) {
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
        let permit = state::commit_block(store, policy, &request).map_err(|refusal| {
            if refusal.code() == ReasonCode::AllowCounterNotDurable {
                context.log.error("ALLOW_COUNTER_NOT_DURABLE", &refusal);
            }
            refusal.code()
        })?;
        send(permit, &context.harness.block(&context.payload, &reason));
        Ok(reason)
    }
}

/// Sends a block, for which there is leave once.
fn send(_permit: BlockPermit, reply: &str) {
    print(stdout().lock(), reply);
}

/// Detect mode speaks on standard output; enforce mode leaves that to the block.
pub(super) fn tell(context: &Context, text: &Printable, level: Level) {
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

fn tell_advice(context: &Context, report: &Report, advice: &[Advice]) {
    for advice in advice {
        tell(context, &report.advice(advice), Level::Warn);
    }
}

/// Ends the generation, and keeps what is to be told of it. An agent without an id is forgotten,
/// since the next of its kind would be taken for it.
fn close(
    context: &Context,
    store: &mut Store,
    agent: &Agent,
    ending: &Ending,
) -> Result<Option<String>, HookError> {
    let (key, is_named) = context.agent_key();
    let agent_type = context.payload.agent_type.as_deref();
    let told = ending.told.as_ref().filter(|_| context.config.advise);
    let finding = told.filter(|lines| !lines.is_empty());
    let finding = finding.map(|lines| lines.join("\n"));
    let closing = Closing {
        agent: agent.id,
        has_agent_id: is_named,
        told: told.map(|_| Advisory {
            key: &key,
            agent_type: agent_type.or(agent.agent_type.as_deref()),
            finding: finding.as_deref(),
            now: now(),
        }),
        now: now(),
    };
    let record = &ending.record;
    Ok(record.write(context, Some(agent), Some(&closing), store)?)
}
