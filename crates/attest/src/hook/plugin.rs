//! The plugin beside hooks in the settings: an event has one answer, which the settings give.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use attest_host::settings::{Inspection, Place, Places};
use attest_host::{Host, Payload};
use attest_snapshot::canonical;

use super::Event;
use crate::env::Env;

/// Bytes of a settings file that are read.
const LARGEST_SETTINGS: u64 = 4 * 1024 * 1024;

/// Whether the host runs this program for this event because of its settings too.
///
/// It is told from the settings and not from what the other process does: both run at the same time, and
/// neither may wait for the other.
pub(super) fn is_not_needed(event: Event, host: &dyn Host, payload: &Payload, env: &Env) -> bool {
    let Some(this) = own_path() else {
        return false;
    };
    let folders = payload.cwd.iter().flat_map(|cwd| cwd.ancestors());
    let projects = folders.map(|folder| Some(folder.to_owned()));
    let variable = |name: &str| env.path(name);
    std::iter::once(None).chain(projects).any(|project| {
        let places = Places {
            variable: &variable,
            home: env.home(),
            project,
        };
        let files = host.wiring().files(&places);
        files.iter().any(|place| runs(place, event, &this))
    })
}

fn own_path() -> Option<PathBuf> {
    canonical(&std::env::current_exe().ok()?).ok()
}

fn runs(place: &Place<'_>, event: Event, this: &Path) -> bool {
    let content = content(&place.path);
    let inspection = content.and_then(|content| place.file.inspect(&content).ok());
    inspection.is_some_and(|inspection| works(&inspection, event, this))
}

/// Whoever writes to a repository must not silence the plugin with an entry for a program that only has the
/// name.
fn works(inspection: &Inspection, event: Event, this: &Path) -> bool {
    let mut entries = inspection.entries.iter();
    inspection.disabled_by.is_none()
        && entries.any(|entry| {
            entry.verb == event.verb()
                && entry.faults.is_empty()
                && canonical(Path::new(&entry.program)).is_ok_and(|program| program == this)
        })
}

fn content(path: &Path) -> Option<Vec<u8>> {
    // Whether it is a file first: a pipe would be waited for when it is opened.
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    let file = is_file.then(|| std::fs::File::open(path).ok())??;
    let mut content = Vec::new();
    file.take(LARGEST_SETTINGS).read_to_end(&mut content).ok()?;
    Some(content)
}
