//! Does the host wait as long as a hook may take? One that it ends leaves no verdict and no line in the log.

use attest_host::Host;
use attest_host::settings::Entry;

use super::report::Check;
use attest_base::config::Config;
use attest_base::env;

const NAME: &str = "hooks";

/// One warning for each entry that the host ends too early, where the hooks run with `config`.
pub(super) fn check(host: &dyn Host, entries: &[Entry], config: &Config) -> Vec<Check> {
    let judges_turns = config.judges_turns(host);
    let too_short = entries.iter().filter_map(|entry| {
        let longest = match entry.verb {
            "start" => config.start_deadline,
            "prompt" if judges_turns => config.start_deadline,
            "stop" => config.stop_deadline,
            "session-stop" if judges_turns => config.stop_deadline,
            _ => return None,
        };
        let timeout = entry.timeout.filter(|timeout| *timeout <= longest)?;
        Some(Check::warn(
            NAME,
            format!(
                "the entry for {} has a timeout of {timeout:?}, and the hook may take {longest:?}",
                entry.event
            ),
            format!(
                "raise that timeout by hand, or lower {}: a hook that the host ends says nothing",
                env::STOP_DEADLINE
            ),
        ))
    });
    too_short.collect()
}
