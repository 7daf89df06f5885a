//! Calls that are no hook's: a command line of another version, or none at all. They do nothing but
//! leave a line in the log.

use attest_host::hosts;
use clap::error::{ContextKind, ErrorKind};

use super::guard::{TELL_DEADLINE, guarded};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::log::Level;
use attest_base::own_settings::OwnSettings;
use attest_base::project::Project;

/// Logs that `attest hook` was called with words that it does not know.
pub(crate) fn refuse(error: &clap::Error, env: &Env) {
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or_default();
    let why = first.strip_prefix("error: ").unwrap_or(first);
    log(env, code(error), why.trim_end_matches(':'));
}

/// Logs that attest was called without a command by something that is no person.
pub(crate) fn no_command(env: &Env) {
    let why = "called without a command, as by a host that does not know `args` in a hook's entry; \
               run `attest install`";
    log(env, "NO_COMMAND", why);
}

fn code(error: &clap::Error) -> &'static str {
    let is_about = |name: &str| {
        let about = error.get(ContextKind::InvalidArg);
        about.is_some_and(|about| about.to_string().contains(name))
    };
    match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if is_about("--harness") => {
            "UNKNOWN_HARNESS"
        }
        ErrorKind::InvalidValue if is_about("EVENT") => "UNKNOWN_EVENT",
        ErrorKind::MissingRequiredArgument => "NO_EVENT",
        ErrorKind::UnknownArgument => "UNKNOWN_ARGUMENT",
        _ => "BAD_COMMAND_LINE",
    }
}

fn log(env: &Env, code: &str, why: &str) {
    // Its status is the caller's to say, and the same.
    let _ = guarded(TELL_DEADLINE, |guard| {
        let project = Project::read(env, &[hosts::usual()]);
        if project.settle(env).is_err() {
            return;
        }
        let env = OwnSettings::read(env).below(env, None);
        let log = Config::read(&project.heed(env, &[hosts::usual()])).log("hook");
        guard.set(TELL_DEADLINE, log.clone());
        log.write(Level::Warn, code, why);
    });
}
