//! What the hooks need around them: their program, the state file, git.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attest_host::settings::Entry;
use attest_host::{Host, Support, Tried, Version};
use attest_process::without_number;
use attest_snapshot::Around;

use super::entries::spec_of;
use super::report::Check;
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::host::OnPath;
use attest_base::log::chain;
use attest_base::process::{self, find};
use attest_base::state;
use attest_base::trusted::{self, Refused};

const LIMIT: Duration = Duration::from_secs(10);

/// Do the programs that the entries name run, and are they of this version? Nothing if there is no entry
/// where it belongs, which is said elsewhere. Also gives the program if there is one that works. `fix` is
/// what puts the entries right.
pub(super) fn binary(
    host: &dyn Host,
    entries: &[Entry],
    (fix, is_of_project): (&str, bool),
    env: &Env,
) -> (Option<Check>, Option<PathBuf>) {
    const NAME: &str = "binary";
    let hooks = host.wiring().hooks();
    let belongs = |entry: &&Entry| spec_of(hooks, entry).is_some();
    let mut first = None;
    for entry in entries.iter().filter(belongs) {
        if !entry.is_literal {
            let detail = format!("only a shell can tell where {} is", entry.program);
            return (Some(Check::warn(NAME, detail, fix)), None);
        }
        let program = match named(&entry.program, is_of_project, env) {
            Ok(program) => program,
            Err(Named::Missing) => {
                let detail = format!("{} does not exist", entry.program);
                return (Some(Check::fail(NAME, detail, fix)), None);
            }
            Err(Named::NotRun(why)) => {
                let detail = format!("{} was not run: {why}", entry.program);
                return (Some(Check::warn(NAME, detail, ELSEWHERE)), None);
            }
        };
        if let Err(why) = is_of_this_version(&program) {
            let detail = format!("{}: {why}", program.display());
            return (Some(Check::fail(NAME, detail, fix)), None);
        }
        first.get_or_insert((entry, program));
    }
    let Some((entry, program)) = first else {
        return (None, None);
    };
    let version = env!("CARGO_PKG_VERSION");
    let check = if Path::new(&entry.program).is_absolute() {
        Check::pass(NAME, format!("{} is version {version}", entry.program))
    } else {
        let detail = format!("{} is found by the PATH of the host only", entry.program);
        Check::warn(NAME, detail, fix)
    };
    (Some(check), Some(program))
}

/// What a person can do without git.
pub(super) const INSTALL_GIT: &str = "install git and put it on the PATH";

/// What a person can do about a program that was not run.
const ELSEWHERE: &str =
    "if it is yours, install it outside of repositories, where only you may write";

/// Why the program of an entry is not run.
enum Named {
    Missing,
    NotRun(String),
}

/// The program that an entry names. Settings may be a repository's, and what lies in one is: neither says that
/// a person wants it run. This program itself is running already.
fn named(program: &str, is_of_project: bool, env: &Env) -> Result<PathBuf, Named> {
    let path = Path::new(program);
    if path.components().count() == 1 {
        return find(program, env).ok_or(Named::Missing);
    }
    let path = std::path::absolute(path).map_err(|_| Named::Missing)?;
    let real = attest_snapshot::canonical(&path).map_err(|_| Named::Missing)?;
    let this = std::env::current_exe().and_then(|this| attest_snapshot::canonical(&this));
    if this.is_ok_and(|this| this == real) {
        return Ok(path);
    }
    let mut around = Vec::from(process::around(env));
    if is_of_project {
        let home = env.home();
        around.push(Around::person(&real, home.as_deref()));
    }
    match trusted::check(&path, &around) {
        Ok(_) => Ok(path),
        Err(Refused::Missing(_)) => Err(Named::Missing),
        Err(why) => Err(Named::NotRun(chain(&why))),
    }
}

/// The name of the check of the host's version.
const HOST: &str = "host";

/// Is the host there, and is it one that runs the hooks?
pub(super) fn host(host: &dyn Host, found: &OnPath) -> Check {
    const NAME: &str = HOST;
    let executable = &host.profile().executable;
    let title = executable.title;
    let least = executable.least(executable.form());
    let need = match (least, &executable.support) {
        (Some(least), _) => format!("the hooks need {title} {least} or newer"),
        (None, Support::Tested(tried)) => {
            format!("the hooks were tested with {title} {}", tried.range())
        }
        (None, _) => format!("no version of {title} was tried"),
    };
    match found {
        OnPath::Absent => Check::warn(
            NAME,
            format!(
                "there is no `{}` on the PATH, so its version is not known",
                executable.name
            ),
            need,
        ),
        OnPath::Unreadable { program, why } | OnPath::Late { program, why } => Check::warn(
            NAME,
            format!("{}: {why}", program.display()),
            format!(
                "install it again if `{} --version` does not work; {need}",
                executable.name
            ),
        ),
        OnPath::Found { program, version } if least.is_some_and(|least| *version < least) => {
            Check::fail(
                NAME,
                format!(
                    "{title} {version} at {} is too old: it does not run the hooks",
                    program.display()
                ),
                format!("{need}: update it, or run `attest uninstall`"),
            )
        }
        OnPath::Found { program, version } => {
            let what = format!("{title} {version} at {}", program.display());
            match &executable.support {
                Support::Tested(tried) => of_tried(&what, *version, tried, &need),
                Support::Since { .. } | Support::Read => Check::pass(NAME, what),
            }
        }
    }
}

/// The version of a host that was only tried.
fn of_tried(what: &str, version: Version, tried: &Tried, need: &str) -> Check {
    let update = format!("update it: {need}");
    if let Some(fault) = tried.fault_of(version) {
        return Check::fail(HOST, format!("{what} {fault}"), update);
    }
    if version < tried.least {
        let detail = format!("{what} is older than any that was tried");
        return Check::warn(HOST, detail, update);
    }
    if version > tried.newest {
        return Check::pass(HOST, format!("{what}; {need}"));
    }
    Check::pass(HOST, what)
}

/// Can the state file be opened and written to?
pub(super) fn state_file(env: &Env) -> Check {
    const NAME: &str = "state";
    let config = Config::read(env);
    let Some(path) = config.state_db.clone() else {
        let why = env.home_or_why().err();
        let why = why.map_or_else(String::new, |why| why.to_string());
        return Check::fail(
            NAME,
            why,
            "set HOME to an absolute path, or ATTEST_STATE_DB",
        );
    };
    let log = config.log("doctor");
    let write = || state::open(&path, &log)?.check_write();
    match write() {
        Ok(()) => Check::pass(
            NAME,
            format!(
                "{} can be written to{}",
                path.display(),
                kept_of_python(&path)
            ),
        ),
        Err(error) => {
            let detail = format!("{}: {}", path.display(), attest_base::log::chain(&error));
            Check::fail(NAME, detail, error.hint())
        }
    }
}

/// Can what a hook cannot tell anybody be written down?
pub(super) fn log(env: &Env) -> Option<Check> {
    let log = Config::read(env).log("doctor");
    let (path, error) = log.obstacle()?;
    let why = without_number(&error.to_string());
    Some(Check::warn(
        "log",
        format!("{} cannot be written to: {why}", path.display()),
        "move it away, or make it yours: hooks say there what they can say nowhere else",
    ))
}

/// What is said of state files of the Python tool that had to make room.
fn kept_of_python(path: &Path) -> String {
    let names = state::moved_aside(path);
    let names: Vec<_> = names
        .iter()
        .map(|name| name.display().to_string())
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "; what the Python tool had there is kept in {}",
        names.join(", ")
    )
}

/// Is there a git?
pub(super) fn git(env: &Env) -> Check {
    const NAME: &str = "git";
    let Some(program) = find("git", env) else {
        return Check::fail(NAME, "there is none on the PATH", INSTALL_GIT);
    };
    match process::run(process::program(&program, &["--version"]), b"", LIMIT) {
        Ok(output) if output.end.is_success() => {
            let version = output
                .stdout
                .trim()
                .trim_start_matches("git version ")
                .to_owned();
            Check::pass(NAME, format!("version {version} at {}", program.display()))
        }
        Ok(output) => {
            let mut detail = format!("{} ends with {}", program.display(), output.end);
            if let Some(why) = output.stderr.lines().next() {
                detail.push_str(&format!(": {why}"));
            }
            Check::fail(NAME, detail, INSTALL_GIT)
        }
        Err(error) => Check::fail(NAME, format!("{}: {error}", program.display()), INSTALL_GIT),
    }
}

fn is_of_this_version(program: &Path) -> Result<(), String> {
    let output = process::run(process::program(program, &["--version"]), b"", LIMIT)
        .map_err(|error| error.to_string())?;
    let expected = format!("attest {}", env!("CARGO_PKG_VERSION"));
    match output.stdout.trim() {
        found if found == expected => Ok(()),
        "" => Err(format!(
            "`--version` printed nothing and ended with {}",
            output.end
        )),
        found => Err(format!(
            "expected {expected}, found {}",
            found.lines().next().unwrap_or_default()
        )),
    }
}
