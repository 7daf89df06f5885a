//! `attest completions`: what a shell offers behind `attest`.

use clap::ValueEnum;

use super::complete::ASKS;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;

/// Print the script with which a shell completes attest's commands, options and values
///
/// The script is short: it asks the `attest` of the PATH what there is, so it completes the sessions, agents and
/// verdicts of the history as well, and suits every version.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest completions bash > ~/.local/share/bash-completion/completions/attest\n  \
    attest completions fish > ~/.config/fish/completions/attest.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that is to read it
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    fn script(self) -> &'static str {
        match self {
            Self::Bash => include_str!("completions/attest.bash"),
            Self::Elvish => include_str!("completions/attest.elv"),
            Self::Fish => include_str!("completions/attest.fish"),
            Self::Powershell => include_str!("completions/attest.ps1"),
            Self::Zsh => include_str!("completions/attest.zsh"),
        }
    }
}

pub(super) fn run(ui: &mut Ui, args: &CompletionsArgs) -> Result<ExitStatus, CommandError> {
    ui.print(&args.shell.script().replace("ASKS", ASKS))?;
    Ok(ExitStatus::Success)
}
