//! The plugin beside hooks in the settings: an event has one answer, which the settings give.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use attest_host::settings::{Entry, Inspection, Places, SettingsPlace};
use attest_host::{Host, Payload};
use attest_snapshot::{Around, canonical};

use super::Event;
use attest_base::env::Env;

/// Bytes of a settings file that are read.
const LARGEST_SETTINGS: u64 = 4 * 1024 * 1024;

/// Whether the host runs this program for this event because of the settings of the person too: those of a
/// repository are whoever's who writes there, and do not count. `knows_args` is whether the host does.
///
/// It is told from the settings and not from what the other process does: both run at the same time, and
/// neither may wait for the other.
pub(super) fn is_not_needed(
    event: Event,
    host: &dyn Host,
    payload: &Payload,
    knows_args: bool,
    env: &Env,
) -> bool {
    let Some(this) = own_path() else {
        return false;
    };
    let variable = |name: &str| env.path(name);
    let places = Places {
        variable: &variable,
        home: env.home(),
        project: None,
    };
    // A project may also set the variables that say where the settings of the person are.
    let folder = payload.cwd.as_deref();
    let around = folder.map(|folder| Around::folder(folder, env.home().as_deref()));
    let is_inside = |path: &Path| around.as_ref().is_some_and(|around| around.holds(path));
    let files = host.wiring().files(&places);
    let mut files = files.iter().filter(|place| !is_inside(&place.path));
    files.any(|place| {
        let Some(content) = content(&place.path) else {
            return false;
        };
        let runs = Running {
            event,
            host,
            skipped: skipped(host, place, &places, &content),
            knows_args,
            this: &this,
        };
        let inspection = place.file.inspect(&content);
        inspection.is_ok_and(|inspection| runs.one_of(&inspection))
    })
}

/// The events whose hooks the host leaves out until the person trusts them.
fn skipped(
    host: &dyn Host,
    place: &SettingsPlace<'_>,
    places: &Places<'_>,
    text: &[u8],
) -> Vec<String> {
    let folder = host.wiring().home(places);
    let own = |name: &str| {
        let content = content(&folder.as_ref()?.join(name))?;
        String::from_utf8(content).ok()
    };
    // By the name without links, which is the one that the host has for it.
    let path = canonical(&place.path).unwrap_or_else(|_| place.path.clone());
    host.untrusted(&path, text, &own)
}

/// What has to be so for the host to run an entry.
struct Running<'a> {
    event: Event,
    host: &'a dyn Host,
    skipped: Vec<String>,
    knows_args: bool,
    this: &'a Path,
}

impl Running<'_> {
    fn one_of(&self, inspection: &Inspection) -> bool {
        let is_on = inspection.turned_off().is_none();
        is_on && inspection.entries.iter().any(|entry| self.is_run(entry))
    }

    /// Whether the host runs the entry, for every event of this kind, and it is this program that it runs.
    fn is_run(&self, entry: &Entry) -> bool {
        let verb = self.event.verb();
        let mut specs = self.host.wiring().hooks().iter();
        let spec = specs.find(|spec| spec.verb == verb && spec.event == entry.event);
        let is_for_all = |wanted: Option<&str>| match entry.matcher.as_deref() {
            None | Some("" | "*") => true,
            matcher => matcher == wanted,
        };
        entry.verb == verb
            && spec.is_some_and(|spec| is_for_all(spec.matcher))
            && !self.skipped.contains(&entry.event)
            && entry.faults.is_empty()
            && (self.knows_args || !entry.has_args)
            && entry.is_literal
            && canonical(Path::new(&entry.program)).is_ok_and(|program| program == self.this)
    }
}

fn own_path() -> Option<PathBuf> {
    canonical(&std::env::current_exe().ok()?).ok()
}

fn content(path: &Path) -> Option<Vec<u8>> {
    // Whether it is a file first: a pipe would be waited for when it is opened.
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    let file = is_file.then(|| std::fs::File::open(path).ok())??;
    let mut content = Vec::new();
    file.take(LARGEST_SETTINGS).read_to_end(&mut content).ok()?;
    Some(content)
}
