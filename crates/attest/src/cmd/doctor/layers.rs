//! The files whose variables reach the hooks: that of the person, and over it those of the project.
//!
//! Run in 2.1.138 and 2.1.330 of the usual host: the variables of all three files arrive together, and of one that
//! several set the value of the project's unshared file counts, then that of its shared one.

use std::path::{Path, PathBuf};

use attest_host::Host;
use attest_host::settings::Place;

use super::report::Check;
use crate::cmd::targets;
use crate::env::Env;
use crate::settings::SettingsFile;

/// The variables of one file.
pub(super) struct Layer {
    pub(super) path: PathBuf,
    pub(super) is_of_project: bool,
    pub(super) variables: Vec<(String, String)>,
    /// The key with which it turns all hooks off, if it does.
    disabled_by: Option<&'static str>,
}

impl Layer {
    /// Whether it leaves the hooks of other files on.
    pub(super) fn check(&self) -> Option<Check> {
        let detail = format!("`{}` is true in {}", self.disabled_by?, self.path.display());
        Some(Check::fail("hooks", detail, SWITCH_ON))
    }
}

/// What to do about hooks that are turned off.
pub(super) const SWITCH_ON: &str = "set it to false, or no hook runs";

/// The layers of a host, the one that counts most last.
pub(super) fn of_host(host: &'static dyn Host, project: Option<&Path>, env: &Env) -> Vec<Layer> {
    let person = targets::files(host, None, None, env).unwrap_or_default();
    let mut layers: Vec<Layer> = person.iter().map(|place| of_file(place, false)).collect();
    let Some(project) = project else {
        return layers;
    };
    let shared = host.wiring().shared(project).into_iter();
    let own = targets::own_files(host, Some(project.to_owned()), env);
    for place in shared.chain(own) {
        // In the home folder, the two may be one.
        if layers.iter().all(|layer| layer.path != place.path) {
            layers.push(of_file(&place, true));
        }
    }
    layers
}

/// The layer that one file is. What cannot be read of it is said where the file is checked.
pub(super) fn of_file(place: &Place<'_>, is_of_project: bool) -> Layer {
    let inspection = SettingsFile::peek(&place.path)
        .ok()
        .and_then(|file| place.file.inspect(file.content()?).ok());
    let inspection = inspection.unwrap_or_default();
    Layer {
        path: place.path.clone(),
        is_of_project,
        variables: inspection.env,
        disabled_by: inspection.disabled_by,
    }
}
