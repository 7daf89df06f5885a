//! The hosts beside the usual one: those that have hooks are checked like it, and those that are only there are
//! named.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use attest_host::settings::{Entry, SettingsPlace};
use attest_host::{Host, Support, hosts};

use super::entries::Fix;
use super::report::Check;
use super::{entries, environment, patience, round_trip, switches};
use crate::in_force::{InForce, last_heard};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::host::OnPath;
use attest_base::targets;
use attest_base::time::ago;
use jiff::Timestamp;

/// A file with hooks of ours.
pub(super) struct Installed {
    pub(super) host: &'static dyn Host,
    pub(super) place: SettingsPlace<'static>,
    pub(super) is_of_project: bool,
    pub(super) entries: Vec<Entry>,
}

/// Every file of every host that has hooks of ours, or that cannot be read.
pub(super) fn installed(project: Option<&Path>, env: &Env) -> Vec<Installed> {
    let mut found: Vec<Installed> = Vec::new();
    for host in hosts::ALL.iter().copied() {
        let person = targets::own_files(host, None, env).into_iter();
        let person = person.map(|place| (place, false));
        let of_project = project.map(|project| {
            let files = targets::own_files(host, Some(project.to_owned()), env);
            files.into_iter().map(|place| (place, true))
        });
        for (place, is_of_project) in person.chain(of_project.into_iter().flatten()) {
            // In the home folder, the two may be one.
            let is_known = found.iter().any(|known| known.place.path == place.path);
            if !is_known && let Some(entries) = targets::entries_in(&place) {
                found.push(Installed {
                    host,
                    place,
                    is_of_project,
                    entries,
                });
            }
        }
    }
    found
}

/// The checks of all hosts but the usual one.
pub(super) fn check(
    installed: &[Installed],
    this: &Path,
    (has_git, project): (bool, Option<&Path>),
    env: &Env,
) -> Vec<Check> {
    let usual = hosts::usual().name();
    let heard = last_heard(env);
    let mut checks = Vec::new();
    for host in hosts::ALL.iter().copied().filter(|it| it.name() != usual) {
        let mut own = installed.iter().filter(|it| it.host.name() == host.name());
        let of_host: Vec<Check> = match own.next() {
            Some(first) => {
                let all: Vec<_> = [first].into_iter().chain(own).collect();
                let mut checks = check_host(host, &all, this, (has_git, project), env);
                checks.extend(switches::check(&InForce::of(host, project, env)));
                checks
            }
            None => match heard.get(host.name()) {
                Some(at) => vec![elsewhere(host, *at)],
                None if targets::is_detected(host, env) => vec![without_hooks(host)],
                None => continue,
            },
        };
        checks.extend(of_host.into_iter().map(|check| check.of(host.name())));
    }
    checks
}

fn without_hooks(host: &dyn Host) -> Check {
    let name = host.name();
    Check::pass(
        name,
        format!("is here without hooks in its settings; `attest install --host {name}` adds them"),
    )
}

/// Of hooks that a package has, nothing else is read.
fn elsewhere(host: &dyn Host, last: Timestamp) -> Check {
    let ago = ago(last, Timestamp::now());
    Check::pass(
        host.name(),
        format!("runs hooks of attest that are in none of its settings files, the last {ago}"),
    )
}

fn check_host(
    host: &'static dyn Host,
    installed: &[&Installed],
    this: &Path,
    (has_git, project): (bool, Option<&Path>),
    env: &Env,
) -> Vec<Check> {
    let mut checks = Vec::new();
    let found = match host.profile().executable.support {
        Support::Read => None,
        Support::Since { .. } | Support::Tested(_) => Some(OnPath::find(host, env)),
    };
    checks.push(match &found {
        Some(found) => environment::host(host, found),
        None => Check::pass(
            host.name(),
            "its protocol was read, and no version of it was tried",
        ),
    });
    let version = found.as_ref().and_then(OnPath::version);
    for file in installed {
        let fix = Fix::of(host, file.is_of_project);
        let (of_file, _) = entries::check(host, &file.place, version, &fix);
        checks.extend(of_file);
        let config = Config::read(&InForce::of(host, project, env).env);
        checks.extend(patience::check(host, &file.entries, &config));
        checks.extend(trust(file, env));
        let whose = (&*fix.install, file.is_of_project);
        let (binary, program) = environment::binary(host, &file.entries, whose, env);
        checks.extend(binary);
        if has_git {
            let program = program.as_deref().unwrap_or(this);
            checks.push(round_trip::check(host, program, env));
        }
    }
    checks
}

/// The text of a file; `None` if there is none. Of one that cannot be read nothing is known, as of an empty one.
fn read(path: &Path) -> Option<String> {
    match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(_) => Some(String::new()),
    }
}

/// Whether the host leaves hooks out until the person trusts them.
fn trust(file: &Installed, env: &Env) -> Option<Check> {
    let path = &file.place.path;
    let content = fs::read(path).ok()?;
    let folder = targets::home_of(file.host, env)?;
    let own = |name: &str| {
        let named = file.host.variable_of(name).and_then(|it| env.path(it));
        read(&named.unwrap_or_else(|| folder.join(name)))
    };
    // By the name without links, which is the one that the host has for it.
    let path = attest_snapshot::canonical(path).unwrap_or_else(|_| path.clone());
    let events = file.host.untrusted(&path, &content, &own);
    if events.is_empty() {
        return None;
    }
    let title = file.host.profile().executable.title;
    let events = events.join(", ");
    let detail = format!("{title} skips the hooks for {events}: they are not trusted");
    let advice = file.host.profile().left_to_do.unwrap_or_default();
    Some(Check::fail(file.host.name(), detail, advice))
}
