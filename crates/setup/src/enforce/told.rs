//! What a person is told of what is in force: for one host, or for several by their names.

use std::path::Path;

use attest_host::Host;

use super::EnforceArgs;
use super::truth::{Truth, Words};
use crate::in_force::InForce;
use crate::in_force::layers::{self, Owner};
use crate::own_file::Changed;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::own_settings::OwnSettings;
use attest_base::targets;
use attest_base::ui::{STRONG, Ui, styled};

/// Every setting of each host with who says so, and then who is blocked.
pub(super) fn all_of(
    ui: &mut Ui,
    hosts: &[&'static dyn Host],
    args: &EnforceArgs,
    env: &Env,
) -> Result<(), CommandError> {
    for host in hosts {
        if hosts.len() > 1 {
            ui.say(&styled(STRONG, host.executable().title))?;
        }
        truth(*host, &Changed::default(), args, env).say_all(ui)?;
    }
    now(ui, hosts, &Changed::default(), (args, env))
}

/// Who is blocked in each host, with what stands against it.
pub(super) fn now(
    ui: &mut Ui,
    hosts: &[&'static dyn Host],
    planned: &Changed,
    (args, env): (&EnforceArgs, &Env),
) -> Result<(), CommandError> {
    let is_planned = planned.is_any();
    let mut words = Words::new(if is_planned { "would be" } else { "is" }, hosts.len() > 1);
    let path = OwnSettings::read(env).path.unwrap_or_default();
    for host in hosts {
        truth(*host, planned, args, env).say(ui, &path, &mut words)?;
    }
    Ok(())
}

/// What is in force, as the files say now, or with what is only planned.
fn truth<'e>(
    host: &'static dyn Host,
    planned: &Changed,
    args: &EnforceArgs,
    env: &'e Env,
) -> Truth<'e> {
    let planned = |in_force: InForce<'e>| {
        let in_force = match &planned.layer {
            Some(layer) => in_force.replacing(layer),
            None => in_force,
        };
        match &planned.own {
            Some(own) => in_force.saying(own.clone()),
            None => in_force,
        }
    };
    let named = args
        .settings
        .as_deref()
        .and_then(|file| targets::file(host, Some(file), env).ok());
    let of = |project: Option<&Path>| {
        planned(match &named {
            Some(place) => InForce::with(host, vec![layers::of_file(place, Owner::Person)], env),
            None => InForce::of(host, project, env),
        })
    };
    let project = targets::project_of_this_folder();
    Truth {
        here: of(project.as_deref()),
        elsewhere: of(None),
    }
}
