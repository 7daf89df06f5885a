//! Is every value understood, and what a person has meant by it?

use super::report::Check;
use crate::in_force::InForce;
use crate::in_force::layers::Layer;
use attest_base::config::{Config, leaves_default, variable_of};
use attest_base::env;
use attest_base::near::nearest;
use attest_base::own_settings::{Fault, OwnSettings};

const NAME: &str = "settings";

/// The same of each host: what was said of an earlier one is not said again, and the first is the one that goes
/// without its name.
pub(super) fn check_all(all: &[InForce<'_>]) -> Vec<Check> {
    let (mut checks, mut said) = (Vec::new(), Vec::new());
    for (index, in_force) in all.iter().enumerate() {
        for found in check(in_force) {
            if said.contains(&found.detail) {
                continue;
            }
            said.push(found.detail.clone());
            checks.push(match index {
                0 => found,
                _ => found.of(in_force.host().name()),
            });
        }
    }
    checks
}

/// What is not understood of the person's own file.
pub(super) fn of_own_file(settings: &OwnSettings) -> Vec<Check> {
    let path = settings.path.clone().unwrap_or_default();
    let faults = settings.faults.iter().map(|fault| {
        let detail = format!("{}: {fault}", path.display());
        match fault {
            Fault::UnknownHost(_) => Check::warn(
                NAME,
                detail,
                "take it out, or use a name of `attest install --help`",
            ),
            Fault::UnknownKey(name) => {
                let name = name.split_once("] ").map_or(&**name, |(_, name)| name);
                Check::warn(NAME, detail, instead_of(name))
            }
            Fault::Unreadable(_) | Fault::NotToml { .. } | Fault::NotText(_) | Fault::Export(_) => {
                Check::fail(
                    NAME,
                    detail,
                    "correct it; until then the default is in force",
                )
            }
        }
    });
    faults.collect()
}

/// Every value that cannot be read, and a state file that the commands of this shell do not use.
fn check(in_force: &InForce<'_>) -> Vec<Check> {
    let config = Config::read(&in_force.env);
    let complaints = config.complaints.iter().map(|complaint| {
        let detail = format!(
            "{complaint} (in {})",
            in_force.place(variable_of(complaint))
        );
        let advice = if leaves_default(complaint) {
            "correct it; until then the default is in force"
        } else {
            "correct it; until then it counts as the most"
        };
        Check::fail(NAME, detail, advice)
    });
    let mut checks: Vec<_> = complaints.collect();
    checks.extend(in_force.env.refused.iter().map(|refused| {
        let advice = "take it out there; what is to hold in every project belongs in ~/.attest/settings.toml";
        Check::warn(NAME, refused.to_string(), advice)
    }));
    checks.extend(misunderstood(in_force));
    let own = Config::read(in_force.own()).state_db;
    if let (Some(own), Some(of_hooks)) = (own, config.state_db)
        && own != of_hooks
    {
        let (own, of_hooks) = (own.display(), of_hooks.display());
        checks.push(Check::warn(
            NAME,
            format!("the hooks use the state file {of_hooks}, and commands in this shell {own}"),
            "set ATTEST_STATE_DB in this shell as well to see what the hooks recorded",
        ));
    }
    let gates = config.gates.programs.iter();
    checks.extend(gates.filter(|gate| !gate.is_file()).map(|gate| {
        Check::fail(
            NAME,
            format!("{}={}: there is no such file", env::GATES, gate.display()),
            "correct the path; until then this gate has no say",
        )
    }));
    checks
}

/// What a person has probably meant otherwise: switches that are not on, and names that are not read.
fn misunderstood(in_force: &InForce<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    for (switch, on) in [(env::ENFORCE, &["1"][..]), (env::CHECK, &["1", "block"])] {
        let value = in_force.env.text(switch).unwrap_or("0");
        let off = ["0", "off", "no", "false"];
        let is_off = off.iter().any(|off| value.eq_ignore_ascii_case(off));
        if !is_off && !on.contains(&value) {
            let on = on.join(" or ");
            let detail = format!("{switch}={value}: it is off, because only {on} turns it on");
            checks.push(Check::warn(
                NAME,
                detail,
                format!("set it to {on}, or to 0"),
            ));
        }
    }
    checks.extend(in_force.layers().iter().flat_map(unknown_in));
    checks
}

/// A warning for each variable of a file that looks like a setting and is not one.
fn unknown_in(layer: &Layer) -> Vec<Check> {
    let names = layer.variables.iter().map(|(name, _)| name);
    let is_unknown =
        |name: &&String| name.starts_with(env::PREFIX) && !env::settings().any(|it| it == **name);
    let unknown = names.filter(is_unknown).map(|name| {
        let detail = format!("{name} in {} is not a setting", layer.path.display());
        Check::warn(NAME, detail, instead_of(name))
    });
    unknown.collect()
}

/// What to do about a name that is not a setting.
fn instead_of(name: &str) -> String {
    nearest(name, env::settings()).map_or_else(
        || "take it out".to_owned(),
        |nearest| format!("take it out, or call it {nearest} if that is meant"),
    )
}
