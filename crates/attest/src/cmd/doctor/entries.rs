//! Is every hook in the settings file, and will the host run it as it is meant?

use std::path::Path;

use attest_host::settings::{CallForm, Entry, HookSpec, Inspection, Place};
use attest_host::{Host, Version};

use super::report::Check;
use crate::settings::SettingsFile;

const NAME: &str = "hooks";
/// The checks of the settings file for a host of this version, and what is in it. `fix` is what puts the hooks
/// right.
pub(super) fn check(
    host: &dyn Host,
    place: &Place<'_>,
    version: Option<Version>,
    fix: &str,
) -> (Vec<Check>, Inspection) {
    let path = &place.path;
    let failed = |check| (vec![check], Inspection::default());
    let file = match SettingsFile::peek(path) {
        Ok(file) => file,
        Err(error) => {
            return failed(Check::fail(NAME, crate::log::chain(&error), error.hint()));
        }
    };
    let Some(content) = file.content() else {
        let detail = format!("there is no {}", path.display());
        return failed(Check::fail(NAME, detail, fix));
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
    fix: &str,
) -> Vec<Check> {
    let mut checks = Vec::new();
    let hooks = host.wiring().hooks();
    let by_plugin = inspection.entries.is_empty() && inspection.plugin.is_some();
    for spec in hooks.iter().filter(|_| !by_plugin) {
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
            Check::fail(NAME, detail, fix)
        } else {
            let tell = format!("{fix} to be told what is found; the log has it in any case");
            Check::warn(NAME, detail, tell)
        });
    }
    for entry in &inspection.entries {
        checks.extend(check_entry(hooks, entry, fix));
    }
    checks.extend(check_args(host, &inspection.entries, version, fix));
    if let Some(key) = inspection.disabled_by {
        let detail = format!("`{key}` is true in {}", path.display());
        checks.push(Check::fail(
            NAME,
            detail,
            "set it to false, or no hook runs",
        ));
    }
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
    let title = host.executable().title;
    let since = host.executable().least(CallForm::Exec)?;
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

fn check_entry(hooks: &[HookSpec], entry: &Entry, fix: &str) -> Vec<Check> {
    let mut checks: Vec<Check> = entry
        .faults
        .iter()
        .map(|fault| Check::fail(NAME, format!("the entry for {}: {fault}", entry.event), fix))
        .collect();
    let spec = hooks
        .iter()
        .find(|spec| spec.event == entry.event && spec.verb == entry.verb);
    let usual = spec.and_then(|spec| spec.matcher);
    if let Some(matcher) = entry.matcher.as_deref().filter(|own| Some(*own) != usual) {
        let detail = format!("the entry for {} runs only for `{matcher}`", entry.event);
        checks.push(Check::warn(
            NAME,
            detail,
            format!("remove the entry and {fix} if it is meant for all"),
        ));
    }
    if let Some(spec) = spec.filter(|_| entry.has_earlier_timeout) {
        let detail = format!(
            "the entry for {} has the time-out of an earlier attest, and may need {} s by now",
            entry.event, spec.timeout
        );
        checks.push(Check::warn(NAME, detail, fix));
    }
    if spec.is_none() {
        let detail = format!(
            "{} runs `attest hook {}`, which belongs elsewhere",
            entry.event, entry.verb
        );
        checks.push(Check::warn(
            NAME,
            detail,
            format!("run `attest uninstall`; then {fix}"),
        ));
    }
    checks
}
