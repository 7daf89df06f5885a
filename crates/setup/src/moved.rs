//! What earlier versions wrote into the `env` of the usual host's settings file: it moves to the file of attest's own,
//! which is for all hosts.

use std::path::Path;

use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::own_settings;
use attest_base::targets;
use attest_base::ui::Ui;
use attest_host::settings::SettingsPlace;
use attest_host::{Host, hosts};

use super::in_force::layers::{self, Layer, Owner};
use super::variables::{Variable, Variables};
use crate::install_error::InstallError;

/// The variables that were written there.
const WRITTEN: [&str; 4] = [env::ENFORCE, env::ENFORCE_AGENTS, env::STRICT, env::ASK];
/// In it was kept what had been added to `ATTEST_STRICT`.
pub(super) const EARLIER: &str = "ATTEST_ENFORCE_ADDED";

/// The file in which it may be, if one of the hosts is the usual one.
pub(super) fn place(
    hosts: &[&'static dyn Host],
    settings: Option<&Path>,
    env: &Env,
) -> Result<Option<SettingsPlace<'static>>, CommandError> {
    let mut hosts = hosts.iter().filter(|host| is_usual(**host));
    let place = hosts.next().map(|host| targets::file(*host, settings, env));
    let place = place.transpose();
    place.map_err(|error| InstallError::from(error).hinted())
}

pub(super) fn is_usual(host: &dyn Host) -> bool {
    host.name() == hosts::usual().name()
}

/// What is left of it in a file.
pub(super) struct Left<'p> {
    place: &'p SettingsPlace<'p>,
    file: Variables<'p>,
    names: Vec<&'static str>,
}

impl<'p> Left<'p> {
    /// `None` if nothing is.
    pub(super) fn of(
        place: &'p SettingsPlace<'p>,
        is_dry_run: bool,
        env: &Env,
    ) -> Result<Option<Self>, InstallError> {
        let names_in = |file: &Variables<'_>| {
            let is_there = |name: &&str| file.inspection.env.iter().any(|(it, _)| it == name);
            let names = WRITTEN.into_iter().chain([EARLIER]);
            names.filter(is_there).collect::<Vec<_>>()
        };
        // No folder is made for a file that is not there.
        if names_in(&Variables::open(place, true, env)?).is_empty() {
            return Ok(None);
        }
        let file = Variables::open(place, is_dry_run, env)?;
        let names = names_in(&file);
        Ok(Some(Self { place, file, names }))
    }

    /// What goes on to be said.
    pub(super) fn variables(&self) -> own_settings::Variables {
        let is_kept = |(name, _): &&(String, String)| WRITTEN.contains(&name.as_str());
        let variables = self.file.inspection.env.iter().filter(is_kept);
        variables.cloned().collect()
    }

    /// Takes it out. What the file says then, if it is another one.
    pub(super) fn take_out(self, ui: &mut Ui) -> Result<Option<Layer>, CommandError> {
        let names = self.names.iter();
        let nothing: Vec<Variable> = names.map(|name| (*name, None)).collect();
        let changed = self.file.set(ui, &nothing)?;
        Ok(changed.map(|content| layers::of_content(self.place, Owner::Person, &content)))
    }
}
