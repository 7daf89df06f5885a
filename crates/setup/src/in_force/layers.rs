//! The files whose settings reach the hooks: that of the person, over it those of the project, and over all those of
//! an administrator.
//!
//! Run in 2.1.138, 2.1.170 and 2.1.330 of the usual host: the variables of all files arrive together, and of a
//! variable or a switch that several set, the value of the administrator's counts, then that of the project's unshared
//! file, then that of its shared one.

use std::error::Error as _;
use std::fs;
use std::path::{Path, PathBuf};

use attest_host::Host;
use attest_host::settings::{Holder, HookFile, Inspection, SettingsPlace, Switched};
use serde::Serialize;

use attest_base::env::Env;
use attest_base::log::chain;
use attest_base::settings::SettingsFile;
use attest_base::targets;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Owner {
    Person,
    Project,
    Administrator,
}

/// What one file says.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) path: PathBuf,
    pub(crate) owner: Owner,
    pub(crate) variables: Vec<(String, String)>,
    /// The switches that the host heeds in it.
    pub(crate) switches: Vec<Switched>,
    /// Whether it has a hook that judges stops, or turns a plugin on that does.
    pub(crate) judges: bool,
    /// Whether it turns the plugin on, and has no such hook.
    pub(crate) has_only_plugin: bool,
    /// Why nothing of it could be read.
    pub(crate) fault: Option<String>,
}

/// The layers of a host, the one that counts most last.
pub(crate) fn of_host(host: &'static dyn Host, project: Option<&Path>, env: &Env) -> Vec<Layer> {
    let person = targets::files(host, None, None, env).unwrap_or_default();
    let mut layers: Vec<Layer> = person
        .iter()
        .map(|place| of_file(place, Owner::Person))
        .collect();
    if let Some(project) = project {
        let shared = host.wiring().shared(project).into_iter();
        let own = targets::own_files(host, Some(project.to_owned()), env);
        for place in shared.chain(own) {
            // In the home folder, the two may be one.
            if layers.iter().all(|layer| layer.path != place.path) {
                layers.push(of_file(&place, Owner::Project));
            }
        }
        for path in host
            .wiring()
            .variable_files()
            .iter()
            .map(|file| project.join(file))
        {
            if layers.iter().all(|layer| layer.path != path) {
                layers.push(of_variables(&path));
            }
        }
    }
    layers.extend(of_administrator(host, env));
    layers
}

/// The layer that one file is.
pub(crate) fn of_file(place: &SettingsPlace<'_>, owner: Owner) -> Layer {
    read(&place.path, place.file, owner)
}

/// That of a file of the project that has nothing of attest's but variables.
fn of_variables(path: &Path) -> Layer {
    let inspection = Inspection {
        env: attest_base::project::variables(path).unwrap_or_default(),
        ..Inspection::default()
    };
    of(path, Owner::Project, inspection)
}

/// The same of content that a file may have.
#[cfg(test)]
pub(crate) fn of_content(place: &SettingsPlace<'_>, owner: Owner, content: &[u8]) -> Layer {
    let inspection = place.file.inspect(content).unwrap_or_default();
    of(&place.path, owner, inspection)
}

/// Those that an administrator has put on this machine, whoever works on it.
fn of_administrator(host: &dyn Host, env: &Env) -> Vec<Layer> {
    let Some(managed) = targets::managed(host, env) else {
        return Vec::new();
    };
    let drop_ins = managed.drop_ins.as_deref().map(drop_ins);
    let files = [managed.path].into_iter();
    let files = files.chain(drop_ins.into_iter().flatten());
    files
        .filter(|path| path.exists())
        .map(|path| read(&path, managed.file, Owner::Administrator))
        .collect()
}

/// The files of the folder that a host reads, in its order.
fn drop_ins(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_read = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.ends_with(".json") && !name.starts_with('.'))
    };
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(is_read).collect();
    files.sort();
    files
}

fn read(path: &Path, file: &dyn HookFile, owner: Owner) -> Layer {
    let inspected = match SettingsFile::peek(path) {
        Err(error) => Err(error.source().map_or_else(|| error.to_string(), chain)),
        Ok(found) => match found.content() {
            None => Ok(Inspection::default()),
            Some(content) => file.inspect(content).map_err(|error| error.to_string()),
        },
    };
    let fault = inspected.as_ref().err().cloned();
    Layer {
        fault,
        ..of(path, owner, inspected.unwrap_or_default())
    }
}

fn of(path: &Path, owner: Owner, inspection: Inspection) -> Layer {
    let mut entries = inspection.entries.iter();
    let judges = entries.any(|entry| matches!(entry.verb, "stop" | "session-stop"));
    let is_heeded =
        |it: &Switched| it.switch.holder == Holder::Everybody || owner == Owner::Administrator;
    let switches = inspection.switches.into_iter();
    Layer {
        path: path.to_owned(),
        owner,
        judges: judges || inspection.plugin.is_some(),
        has_only_plugin: !judges && inspection.plugin.is_some(),
        switches: switches.filter(is_heeded).collect(),
        variables: inspection.env,
        fault: None,
    }
}
