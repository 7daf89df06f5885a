//! What a person is told of an installation.

use std::io::{self, Write};
use std::path::Path;

use attest_host::settings::{Change, HookSpec, SettingsPlace};
use attest_host::{Host, Support};

use crate::install_error::{InstallError, refused};
use crate::printable;
use attest_base::host::OnPath;
use attest_base::ui::Ui;

/// What was changed in one file.
pub(super) fn changes(
    out: &mut impl Write,
    path: &Path,
    hooks: &[HookSpec],
    changes: &[Change],
    backup: Option<&Path>,
) -> io::Result<()> {
    writeln!(out, "attest install: {}", printable(path))?;
    for change in changes {
        let what = match change {
            Change::Added(_) => "added",
            Change::Updated(_) => "updated",
            Change::Removed(_) => "removed",
        };
        let event = change.event();
        match hooks.iter().find(|spec| spec.event == event) {
            Some(spec) => writeln!(out, "  {what} {event}: attest hook {}", spec.verb)?,
            None => writeln!(out, "  {what} {event}")?,
        }
    }
    match backup {
        Some(backup) => writeln!(out, "  backup: {}", printable(backup)),
        None => Ok(()),
    }
}

/// Says what would keep the hooks from running as they are.
pub(super) fn warn(
    ui: &mut Ui,
    place: &SettingsPlace<'_>,
    content: &[u8],
) -> Result<(), InstallError> {
    let path = &place.path;
    let inspection = place.file.inspect(content);
    let inspection = inspection.map_err(|source| refused(path, source))?;
    if let Some(switched) = inspection.turned_off() {
        ui.warn(&format!(
            "`{}` is {} in {}: no hook runs",
            switched.name(),
            switched.value,
            path.display()
        ));
    }
    for event in &inspection.mentions {
        ui.warn(&format!(
            "a {event} hook runs attest within a larger command; it was left alone and attest may \
             run twice"
        ));
    }
    Ok(())
}

/// Which version of the host the hooks need, and which is here.
pub(super) fn version(out: &mut impl Write, host: &dyn Host, found: &OnPath) -> io::Result<()> {
    let executable = &host.profile().executable;
    let title = executable.title;
    let fault = match (&executable.support, found) {
        (Support::Tested(tried), OnPath::Found { version, .. }) => {
            let fault = tried.fault_of(*version);
            fault.map(|fault| format!("  {title} {version} {fault}: update it"))
        }
        _ => None,
    };
    let found = match found {
        OnPath::Found { version, .. } => format!("here is {version}"),
        OnPath::Unreadable { program, .. } | OnPath::Late { program, .. } => {
            format!("{} does not say which it is", program.display())
        }
        OnPath::Absent => format!("there is no `{}` on the PATH", executable.name),
    };
    match (&executable.support, executable.least(executable.form())) {
        (Support::Tested(tried), _) => {
            let range = tried.range();
            writeln!(out, "  the hooks were tested with {title} {range}; {found}")
        }
        (_, Some(least)) => {
            writeln!(out, "  the hooks need {title} {least} or newer; {found}")
        }
        (_, None) => writeln!(
            out,
            "  the hooks follow what was read of {title}; no version of it was tried"
        ),
    }?;
    match fault {
        Some(fault) => writeln!(out, "{fault}"),
        None => Ok(()),
    }
}
