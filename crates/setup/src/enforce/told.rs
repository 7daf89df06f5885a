//! What a person is told of what is in force: for one host, or for several by their names.

use attest_host::Host;

use super::truth::{Truth, Words};
use crate::in_force::InForce;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::own_settings::OwnSettings;
use attest_base::targets;
use attest_base::ui::Ui;

/// Who is blocked in each host, with what stands against it: as the files say now, or with what is only planned.
pub(super) fn now(
    ui: &mut Ui,
    hosts: &[&'static dyn Host],
    planned: Option<&OwnSettings>,
    env: &Env,
) -> Result<(), CommandError> {
    let is = if planned.is_some() { "would be" } else { "is" };
    let mut words = Words::new(is, hosts.len() > 1);
    let path = OwnSettings::read(env).path.unwrap_or_default();
    let project = targets::project_of_this_folder();
    for host in hosts {
        let of = |project| {
            let in_force = InForce::of(*host, project, env);
            match planned {
                Some(own) => in_force.saying(own.clone()),
                None => in_force,
            }
        };
        let truth = Truth {
            here: of(project.as_deref()),
            elsewhere: of(None),
        };
        truth.say(ui, &path, &mut words)?;
    }
    Ok(())
}
