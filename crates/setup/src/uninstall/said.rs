//! What `install`, `enforce` and `ask` have set, which goes with the hooks: a later installation begins with reports.
//! What else is set is the person's, and is named.

use std::path::Path;

use attest_host::hosts;
use attest_snapshot::escaped;
use attest_state::private;

use super::{UninstallArgs, inspection};
use crate::enforce::dirty::DirtyStarts;
use crate::own_file::{OwnFile, Variable};
use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::own_settings::{self, OwnSettings, Whose};
use attest_base::targets;
use attest_base::ui::Ui;

/// In the settings of the usual host, where only a person sets any.
pub(super) fn of_host(ui: &mut Ui, env: &Env, args: &UninstallArgs) -> Result<(), CommandError> {
    let (host, named) = (hosts::usual(), &args.hosts.host);
    if !named.is_empty() && named.iter().all(|it| it.name() != host.name()) {
        return Ok(());
    }
    // What is wrong with the file is said where its hooks are looked for.
    let Ok(place) = targets::file(host, args.settings.as_deref(), env) else {
        return Ok(());
    };
    let said = inspection(&place).map(|found| found.env);
    let (_, left) = parted(&said.unwrap_or_default(), |_| false);
    name_what_stays(ui, &left, &place.path)
}

/// In the file of attest's own, of the hosts whose hooks are gone: what attest has set of itself, as the file says.
pub(super) fn of_attest(ui: &mut Ui, env: &Env, args: &UninstallArgs) -> Result<(), CommandError> {
    let settings = OwnSettings::read(env);
    let Some(path) = settings.path.as_deref() else {
        return Ok(());
    };
    // It is left as a whole.
    if settings.is_damaged() {
        settings.complaints().for_each(|it| ui.warn(&it));
        return Ok(());
    }
    let (hosts, mut left) = match &*args.hosts.host {
        [] => (hosts::ALL, parted(&settings.everywhere, |_| false).1),
        named => (named, Vec::new()),
    };
    let mut file = OwnFile::open(env, true)?;
    let mut wanted = Vec::new();
    for host in hosts {
        let own = file.own(*host);
        let section = settings.section(host.name());
        let (gone, stays) = parted(&section, |name| own.contains(name));
        left.extend(stays);
        wanted.extend((!gone.is_empty()).then_some((*host, gone)));
    }
    if !wanted.is_empty() {
        file = OwnFile::open(env, args.dry_run)?;
        // What of a value is left was there before.
        file.whose = Whose::Person;
        for (host, gone) in wanted {
            file.want(host, gone);
        }
        file.write_quietly(ui)?;
        if let Some(folder) = path.parent().filter(|_| !args.dry_run) {
            // It was made for that file, if nothing else is in it.
            drop(private::remove_folder(folder));
        }
    }
    name_what_stays(ui, &left, path)
}

/// The variables of attest among these as they are to be then, and the names of those that stay.
fn parted(
    said: &own_settings::Variables,
    is_attests: impl Fn(&String) -> bool,
) -> (Vec<Variable>, Vec<String>) {
    let (mut gone, mut left): (Vec<Variable>, _) = (Vec::new(), Vec::new());
    for (name, value) in said.iter().filter(|(name, _)| name.starts_with("ATTEST_")) {
        let written = [env::ENFORCE, env::ENFORCE_AGENTS, env::ASK];
        let written = written.into_iter().find(|it| it == name);
        if !is_attests(name) {
            left.push(name.clone());
        } else if let Some(name) = written {
            gone.push((name, None));
        } else if name == env::STRICT {
            let rest = DirtyStarts::of(said).let_go(&Env::default()).variable();
            left.extend(rest.1.is_some().then(|| name.clone()));
            if rest.1.as_deref() != Some(value) {
                gone.push(rest);
            }
        } else {
            left.push(name.clone());
        }
    }
    (gone, left)
}

fn name_what_stays(ui: &mut Ui, left: &[String], path: &Path) -> Result<(), CommandError> {
    if left.is_empty() {
        return Ok(());
    }
    let mut names = left.to_vec();
    names.sort();
    names.dedup();
    let line = format!("left {} in {}", names.join(", "), path.display());
    ui.tell(&format!("{}: you have set that", escaped(line.as_bytes())))
}
