//! `attest completions`: what a shell offers behind `attest`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::ExitStatus;
use crate::Cli;
use crate::error::CommandError;
use crate::ui::Ui;

/// Print the script with which a shell completes attest's commands and options
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest completions bash > ~/.local/share/bash-completion/completions/attest\n  \
    attest completions fish > ~/.config/fish/completions/attest.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that is to read it
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(ui: &mut Ui, args: &CompletionsArgs) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "attest", &mut script);
    ui.print(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Success)
}
