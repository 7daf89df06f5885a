//! What was recorded last: hooks that are in order but never run leave nothing.

use attest_host::Host;
use attest_state::history::{self, Filter};
use jiff::Timestamp;
use serde::Serialize;

use super::recorded;

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::paragraph;
use attest_base::targets;
use attest_base::time::ago;
use attest_base::ui::counted;

/// The stops of all agents that are still recorded.
#[derive(Debug, Serialize)]
pub(super) struct Stops {
    count: u32,
    last: Option<Timestamp>,
    without_claim: u32,
    without_start: u32,
    lost_to_dirty_start: u32,
    /// What a person does to have one.
    #[serde(skip)]
    first: &'static str,
}

impl Stops {
    /// Those in the state file of the hooks; nothing if it cannot be read.
    pub(super) fn read(hosts: &[&'static dyn Host], env: &Env) -> Option<Self> {
        let store = recorded(&Config::read(env))?;
        let all = Filter::default();
        let stops = history::Stops::of(&store, &all).ok()?;
        let seen = stops.seen(&all);
        Some(Self {
            count: seen.verdicts,
            last: seen.last,
            without_claim: seen.without_claim,
            without_start: seen.without_start,
            lost_to_dirty_start: stops.lost_to_dirty_start(),
            first: targets::what_is_judged(hosts),
        })
    }

    pub(super) fn sentence(&self) -> String {
        let Some(last) = self.last else {
            return format!("none yet: {}, then look with `attest log`", self.first);
        };
        let stops = counted(self.count as usize, "stop");
        let last = ago(last, Timestamp::now());
        let read = self.count - self.without_start;
        let rest = match self.without_claim {
            _ if read == 0 => String::new(),
            0 => ", all with a claim".to_owned(),
            without => match paragraph::advice(read as usize, without as usize) {
                Some(advice) => format!("; {advice}"),
                None => format!(", {without} without a claim"),
            },
        };
        let unseen = match self.without_start {
            0 => String::new(),
            _ if read == 0 => ", none judged, because no start of an agent was seen".to_owned(),
            unseen => format!(", {unseen} not judged, because no start was seen"),
        };
        format!("{stops}, the last {last}{unseen}{rest}{}", self.lost())
    }

    /// The blocks that a dirty start took away, and what brings them back.
    fn lost(&self) -> String {
        let count = self.lost_to_dirty_start;
        if count == 0 {
            return String::new();
        }
        let what = counted(count as usize, "false DONE");
        let was = if count == 1 { "was" } else { "were" };
        format!(
            "; {what} {was} not blocked because the work tree was dirty at the start: `attest enforce on` blocks them too"
        )
    }
}
