//! Does a host tell of what is needed? One that does not leaves everything green and judges nothing.

use attest_host::{Host, hosts};
use attest_state::history::{self, Blind};

use super::report::Check;
use super::{lately, recorded};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::ui::counted;

const NAME: &str = "events";

/// A check for each host whose last stop could not be judged because no start was seen.
pub(super) fn check(env: &Env) -> Vec<Check> {
    let store = recorded(&Config::read(env)).zip(lately());
    let found = store.and_then(|(store, since)| history::blind(&store, since).ok());
    let found = found.unwrap_or_default();
    let known = found.iter().filter_map(|blind| {
        let host = hosts::named(&blind.harness).ok()?;
        Some(of_host(host, blind))
    });
    known.collect()
}

fn of_host(host: &dyn Host, blind: &Blind) -> Check {
    let title = host.profile().executable.title;
    if blind.is_nameless {
        let detail = format!(
            "{title} does not name the agents that start, so that attest is blind there: no report was judged"
        );
        return Check::fail(NAME, detail, format!("update {title}"));
    }
    let stops = counted(blind.stops as usize, "stop");
    let detail = format!(
        "no start was seen of the agent at the last {stops} in {title}, so nothing was judged"
    );
    let advice = format!(
        "let another agent start and stop: if its start is not seen either, update {title}, which may not tell of it"
    );
    Check::warn(NAME, detail, advice)
}
