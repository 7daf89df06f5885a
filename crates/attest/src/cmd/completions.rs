//! `attest completions`: what a shell offers behind `attest`.

use clap::ValueEnum;

use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;
use attest_history::ASKS;

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

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, CommandFactory as _};

    use crate::Cli;

    /// Every argument that takes a value, with the name of its command.
    fn with_values(command: &Command) -> Vec<(String, &Arg)> {
        let own = command.get_arguments();
        let own = own.filter(|arg| arg.get_action().takes_values());
        let own = own.map(|arg| (command.get_name().to_owned(), arg));
        let below = command.get_subcommands().flat_map(with_values);
        own.chain(below).collect()
    }

    #[test]
    fn every_argument_with_a_value_says_what_it_takes() {
        // A new one is either told apart in the history, or it is added here.
        const FREE: [(&str, &str); 8] = [
            ("log", "limit"),
            ("agents", "limit"),
            ("ci", "base"),
            ("ci", "head"),
            ("check", "item"),
            ("check", "timeout"),
            ("check", "jobs"),
            ("check", "judge"),
        ];
        let command = Cli::command();
        for (name, arg) in with_values(&command) {
            let is_free = FREE.contains(&(&*name, arg.get_id().as_str()));
            let is_found = attest_history::is_free(&name, arg);
            assert_eq!(is_free, is_found, "{name} {}", arg.get_id());
        }
    }
}
