//! Is every hook in the settings file, and will the host run it as it is meant?

use std::path::Path;

use attest_host::settings::{CallForm, Entry, HookSpec, Inspection, SettingsPlace};
use attest_host::{Host, Version, hosts};

use super::report::Check;
use attest_base::settings::SettingsFile;

const NAME: &str = "hooks";

/// What puts the entries of one file right, in words.
pub(super) struct Fix {
    pub(super) install: String,
    /// Takes out those of this file alone.
    pub(super) uninstall: String,
}

impl Fix {
    pub(super) fn of(host: &dyn Host, is_of_project: bool) -> Self {
        let project = if is_of_project { " --project" } else { "" };
        let named = format!(" --host {}{project}", host.name());
        let is_usual = host.name() == hosts::usual().name() && !is_of_project;
        let install = if is_usual { "" } else { &named };
        Self {
            install: format!("run `attest install{install}`"),
            uninstall: format!("run `attest uninstall{named}`"),
        }
    }
}

/// The checks of the settings file for a host of this version, and what is in it.
pub(super) fn check(
    host: &dyn Host,
    place: &SettingsPlace<'_>,
    version: Option<Version>,
    fix: &Fix,
) -> (Vec<Check>, Inspection) {
    let path = &place.path;
    let failed = |check| (vec![check], Inspection::default());
    let file = match SettingsFile::peek(path) {
        Ok(file) => file,
        Err(error) => {
            return failed(Check::fail(
                NAME,
                attest_base::log::chain(&error),
                error.hint(),
            ));
        }
    };
    let Some(content) = file.content() else {
        let detail = format!("there is no {}", path.display());
        return failed(Check::fail(NAME, detail, &fix.install));
    };
    match place.file.inspect(content) {
        Ok(inspection) => (
            check_inspection(host, path, &inspection, version, fix),
            inspection,
        ),
        Err(error) => {
            let detail = format!("{}: {error}", path.display());
            failed(Check::fail(NAME, detail, "correct the file by hand"))
        }
    }
}

fn check_inspection(
    host: &dyn Host,
    path: &Path,
    inspection: &Inspection,
    version: Option<Version>,
    fix: &Fix,
) -> Vec<Check> {
    let mut checks = Vec::new();
    let hooks = host.wiring().hooks();
    let by_plugin = inspection.entries.is_empty() && inspection.plugin.is_some();
    // An event that only newer hosts know tells no more than the time at which an agent died.
    let always = hooks.iter().filter(|spec| spec.since.is_none());
    for spec in always.filter(|_| !by_plugin) {
        let mut own = inspection
            .entries
            .iter()
            .filter(|entry| entry.event == spec.event);
        if own.any(|entry| entry.verb == spec.verb) {
            continue;
        }
        let (event, verb, path) = (spec.event, spec.verb, path.display());
        let detail = format!("{event} has no `attest hook {verb}` in {path}");
        checks.push(if spec.is_core {
            Check::fail(NAME, detail, &fix.install)
        } else {
            let install = &fix.install;
            let tell = format!("{install} to be told what is found; the log has it in any case");
            Check::warn(NAME, detail, tell)
        });
    }
    for entry in &inspection.entries {
        checks.extend(check_entry(hooks, entry, fix));
    }
    checks.extend(check_args(host, &inspection.entries, version, &fix.install));
    for event in &inspection.left_out {
        let detail = format!(
            "{} leaves out the entry for {event}: its list of hooks that are not to run has it",
            path.display()
        );
        checks.push(Check::fail(NAME, detail, "take it out of that list"));
    }
    let (entries, title) = (&inspection.entries, host.profile().executable.title);
    for spec in hooks
        .iter()
        .filter(|spec| version.is_some_and(|it| !spec.is_known_to(it)))
    {
        if entries.iter().any(|entry| entry.event == spec.event) {
            let detail = format!(
                "this {title} does not know {} and may run no hook of {}",
                spec.event,
                path.display()
            );
            checks.push(Check::fail(NAME, detail, &fix.install));
        }
    }
    checks.extend(check_twice(hooks, &inspection.entries, fix));
    for event in &inspection.mentions {
        let detail = format!("a {event} hook runs attest within a larger command");
        checks.push(Check::warn(
            NAME,
            detail,
            "remove it where attest is installed as a hook of its own",
        ));
    }
    if checks.is_empty() {
        let path = path.display();
        let detail = match &inspection.plugin {
            Some(plugin) if by_plugin => format!("by the plugin {plugin}, turned on in {path}"),
            Some(plugin) => format!(
                "present and synchronous in {path}; the plugin {plugin} leaves each event to them"
            ),
            None => format!("present and synchronous in {path}"),
        };
        checks.push(Check::pass(NAME, detail));
    }
    checks
}

/// A warning for each hook that one event would run more than once.
fn check_twice(hooks: &[HookSpec], entries: &[Entry], fix: &Fix) -> Vec<Check> {
    let twice = hooks.iter().filter_map(|spec| {
        let own = entries
            .iter()
            .filter(|entry| spec_of(hooks, entry).is_some_and(|found| std::ptr::eq(found, spec)));
        let own: Vec<_> = own.collect();
        let overlap = |one: &Entry, other: &Entry| {
            one.matcher == other.matcher || one.matcher.is_none() || other.matcher.is_none()
        };
        let pair = own.iter().enumerate().find_map(|(index, one)| {
            let mut rest = own.iter().skip(index + 1);
            rest.find(|other| overlap(one, other))
                .map(|other| (one, other))
        });
        let (one, other) = pair?;
        let detail = format!("{} runs `attest hook {}` twice", spec.event, spec.verb);
        let advice = if one.matcher == other.matcher {
            fix.install.clone()
        } else {
            format!(
                "take out one of the two by hand, or {}; then {}",
                fix.uninstall, fix.install
            )
        };
        Some(Check::warn(NAME, detail, advice))
    });
    twice.collect()
}

/// Whether the host knows the form of the entries. One that does not runs the bare program, once
/// for every prompt of the person.
fn check_args(
    host: &dyn Host,
    entries: &[Entry],
    version: Option<Version>,
    fix: &str,
) -> Option<Check> {
    let with_args = entries.iter().filter(|entry| entry.has_args);
    let events: Vec<&str> = with_args.map(|entry| entry.event.as_str()).collect();
    if events.is_empty() || (cfg!(windows) && version.is_none()) {
        return None;
    }
    let detail = format!("the entries for {} have `args`", events.join(", "));
    let title = host.profile().executable.title;
    let since = host.profile().executable.least(CallForm::Exec)?;
    match version {
        Some(version) if version >= since => None,
        Some(version) => Some(Check::fail(
            NAME,
            format!("{detail}, which {title} {version} does not know: it runs no hook of attest"),
            fix,
        )),
        None => Some(Check::warn(
            NAME,
            format!("{detail}, which {title} before {since} does not know"),
            fix,
        )),
    }
}

/// The hook that an entry is; `None` if it runs at an event that it is not for.
pub(super) fn spec_of<'s>(hooks: &'s [HookSpec], entry: &Entry) -> Option<&'s HookSpec> {
    let mut hooks = hooks.iter();
    hooks.find(|spec| spec.event == entry.event && spec.verb == entry.verb)
}

fn check_entry(hooks: &[HookSpec], entry: &Entry, fix: &Fix) -> Vec<Check> {
    let Some(spec) = spec_of(hooks, entry) else {
        // Whatever else is wrong with it, installing leaves it alone.
        let detail = format!(
            "{} runs `attest hook {}`, which belongs elsewhere",
            entry.event, entry.verb
        );
        let advice = format!("{}; then {}", fix.uninstall, fix.install);
        return vec![Check::warn(NAME, detail, advice)];
    };
    let fix = &fix.install;
    let mut checks: Vec<Check> = entry
        .faults
        .iter()
        .map(|fault| Check::fail(NAME, format!("the entry for {}: {fault}", entry.event), fix))
        .collect();
    let matcher = entry.matcher.as_deref();
    if let Some(matcher) = matcher.filter(|own| Some(*own) != spec.matcher) {
        let detail = format!("the entry for {} runs only for `{matcher}`", entry.event);
        checks.push(Check::warn(
            NAME,
            detail,
            format!("remove the entry and {fix} if it is meant for all"),
        ));
    }
    checks
}
