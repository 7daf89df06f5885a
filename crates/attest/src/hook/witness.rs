//! What the agent's own transcript adds to a stop: words for the findings, and advice.

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use attest_claim::Claim;
use attest_harness::AgentTranscript;
use attest_snapshot::{Doubt, Mention, Sighting};
use attest_transcript::{Call, Kind, Ledger, Outcome, Patience};
use attest_verdict::Verdict;

use super::{Context, shrug};
use crate::advice::{Account, Advice, Settled, same_file, testimony};
use crate::log::Level;

/// How long lines that are still to be written are waited for.
const WAIT: Duration = Duration::from_millis(300);
/// The most that reading may cost. It is enough for some hundred megabytes.
const READING: Duration = Duration::from_secs(1);

/// The report of one stop, to be compared with the agent's transcript.
pub(super) struct Witness<'a> {
    pub(super) context: &'a Context,
    pub(super) message: &'a str,
    pub(super) claim: &'a Claim,
    /// The transcript, once it was read; `None` if it could not be.
    ledger: OnceCell<Option<Ledger>>,
}

impl<'a> Witness<'a> {
    pub(super) fn new(context: &'a Context, message: &'a str, claim: &'a Claim) -> Self {
        Self {
            context,
            message,
            claim,
            ledger: OnceCell::new(),
        }
    }

    /// The calls that wrote, or may have, as far as the transcript was read.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call> {
        let ledger = self.ledger.get().and_then(Option::as_ref);
        let calls = ledger.into_iter().flat_map(|ledger| &ledger.calls);
        calls.filter(|call| call.kind != Kind::Other)
    }

    /// The paths that the agent's tools were to write, where something speaks against it.
    pub(super) fn mentions(&self) -> Vec<Mention> {
        let cwd = self.context.payload.cwd.as_deref();
        let ledger = self.ledger(|ledger| !self.is_settled(ledger));
        let calls = ledger.into_iter().flat_map(|ledger| &ledger.calls);
        calls
            .filter(|call| call.result != Outcome::Error)
            .filter_map(|call| match (call.kind, call.path.as_deref()) {
                (Kind::Write, Some(path)) => {
                    let path = cwd.map_or_else(|| path.into(), |cwd| cwd.join(path));
                    path.is_absolute().then_some(Mention::Written(path))
                }
                (Kind::WriteElsewhere, Some(path)) => Some(Mention::Elsewhere(path.to_owned())),
                _ => None,
            })
            .collect()
    }

    /// Adds to the findings of `verdict` what the tools say of them, and says what else does not fit
    /// together. `name` is how a path is reported, `sight` what was seen of it, where that is known.
    ///
    /// The transcript is read only if there is something to explain or advice is wanted, and waited
    /// for only if what it holds so far speaks against the agent.
    pub(super) fn examine(
        &self,
        mut verdict: Option<&mut Verdict>,
        name: impl Fn(&str) -> String,
        sight: impl Fn(&str) -> Option<Sighting>,
    ) -> Vec<Advice> {
        let has = |any: fn(&Verdict) -> bool| verdict.as_deref().is_some_and(any);
        let explains = has(|verdict| verdict.unchanged().next().is_some());
        let accuses = has(|verdict| verdict.contradictions().next().is_some());
        let advises = self.context.config.deliverables;
        if !explains && !advises {
            return Vec::new();
        }
        let wants_more = |ledger: &Ledger| {
            let account = self.account(ledger);
            // Whether a file that is missing is among what changed is asked in the end, and once.
            let speaks_against = || {
                accuses
                    || advises
                        && !account
                            .check(&name, |path| self.is_missing(path))
                            .is_empty()
            };
            !self.is_settled(ledger) && speaks_against()
        };
        let Some(ledger) = self.ledger(wants_more) else {
            return Vec::new();
        };
        let is_settled = self.is_settled(ledger);
        if let Some(verdict) = &mut verdict {
            let settled = if is_settled {
                Settled::Yes
            } else {
                Settled::No
            };
            verdict.testify(|claimed| {
                let claimed = claimed.trim_start_matches("./");
                testimony(ledger, settled, |path| same_file(&name(path), claimed))
            });
        }
        if !advises {
            return Vec::new();
        }
        let is_gone =
            |path: &str| self.is_missing(path) && sight(path).is_some_and(|s| shows_nothing(&s));
        let mut advice = self.account(ledger).check(&name, is_gone);
        advice.retain(|advice| is_settled || *advice == Advice::HostError);
        advice
    }

    /// How a path is reported where there is no work tree to name it from: from the agent's folder.
    pub(super) fn name(&self, text: &str) -> String {
        let cwd = self.context.payload.cwd.as_deref();
        let inside = cwd.and_then(|cwd| Path::new(text).strip_prefix(cwd).ok());
        inside.and_then(Path::to_str).unwrap_or(text).to_owned()
    }

    /// Whether the ledger is known to hold every call up to the report. One that ends with the report
    /// of an agent that was sent back may be as old as the first time that it gave it.
    fn is_settled(&self, ledger: &Ledger) -> bool {
        !self.context.payload.stop_hook_active && self.account(ledger).is_settled()
    }

    fn account<'b>(&'b self, ledger: &'b Ledger) -> Account<'b> {
        Account {
            message: self.message,
            claim: self.claim,
            ledger,
        }
    }

    /// The transcript, read the first time that it is asked for.
    fn ledger(&self, wants_more: impl Fn(&Ledger) -> bool) -> Option<&Ledger> {
        let AgentTranscript::Named(path) = &self.context.payload.agent_transcript else {
            return None;
        };
        let ledger = self.ledger.get_or_init(|| self.read(path, wants_more));
        ledger.as_ref()
    }

    fn read(&self, path: &Path, wants_more: impl Fn(&Ledger) -> bool) -> Option<Ledger> {
        let now = Instant::now();
        let left = self.context.limits.deadline;
        let left = left.map_or(Duration::MAX, |deadline| {
            deadline.saturating_duration_since(now)
        });
        let patience = Patience {
            wait: WAIT,
            // Half of what is left: a block that is due has to be recorded in time.
            deadline: now + READING.min(left / 2),
        };
        match attest_transcript::ledger(path, patience, wants_more) {
            Ok(ledger) => {
                if !ledger.is_whole {
                    let text = "a line is missing, torn, or was not reached in time";
                    self.context
                        .log
                        .write(Level::Info, "LEDGER_INCOMPLETE", text);
                }
                Some(ledger)
            }
            Err(error) => {
                shrug(&self.context.log, "LEDGER_UNREADABLE", &error);
                None
            }
        }
    }

    /// Whether there is certainly nothing at the path.
    fn is_missing(&self, path: &str) -> bool {
        let metadata = self
            .context
            .cwd()
            .map(|cwd| fs::symlink_metadata(cwd.join(path)));
        matches!(metadata, Ok(Err(error)) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Whether a path that is not on the disk is not among what changed either. A name that leads
/// elsewhere, and a place that could not be looked at, speak for the agent.
fn shows_nothing(sighting: &Sighting) -> bool {
    matches!(
        sighting,
        Sighting::Gone(_) | Sighting::Unproven(Doubt::Outside | Doubt::Ignored | Doubt::Unlisted)
    )
}
