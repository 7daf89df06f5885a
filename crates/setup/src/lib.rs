//! What puts attest in place, says what is in force, and takes it out again: the settings of hosts and attest's own.

mod ask;
mod demo;
mod doctor;
mod enforce;
mod host_file;
mod in_force;
mod install;
mod install_error;
mod off;
mod on_off;
mod own_file;
mod plugin_dir;
mod scratch;
mod status;
mod statusline;
mod uninstall;

use std::path::Path;

use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;
use attest_snapshot::{escaped, path_bytes};
use clap::Subcommand;

/// The commands that set attest up.
#[derive(Debug, Subcommand)]
#[expect(missing_docs, reason = "what is said of one here would be its help")]
pub enum Command {
    Install(install::InstallArgs),
    Uninstall(uninstall::UninstallArgs),
    PluginDir(plugin_dir::PluginDirArgs),
    Enforce(enforce::EnforceArgs),
    Off(off::OffArgs),
    On(off::OnArgs),
    Ask(ask::AskArgs),
    Status(status::StatusArgs),
    Doctor(doctor::DoctorArgs),
    Statusline(statusline::StatuslineArgs),
    Demo(demo::DemoArgs),
}

impl Command {
    /// Does what was asked for.
    pub fn run(&self, ui: &mut Ui, env: &Env) -> Result<ExitStatus, CommandError> {
        match self {
            Self::Install(args) => install::run(ui, env, args),
            Self::Uninstall(args) => uninstall::run(ui, env, args),
            Self::PluginDir(args) => plugin_dir::run(ui, env, args),
            Self::Enforce(args) => enforce::run(ui, env, args),
            Self::Off(args) => off::turn_off(ui, env, args),
            Self::On(args) => off::turn_on(ui, env, args),
            Self::Ask(args) => ask::run(ui, env, args),
            Self::Status(args) => status::run(ui, env, args),
            Self::Doctor(args) => doctor::run(ui, env, args),
            Self::Statusline(args) => statusline::run(ui, env, args),
            Self::Demo(args) => demo::run(ui, env, args),
        }
    }
}

/// A path on one line, with nothing in it that a person would not see.
fn printable(path: &Path) -> String {
    escaped(&path_bytes(path))
}
