//! attest proves whether the files an agent says it changed really changed.

mod cmd;
mod help;
mod hook;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use anstream::ColorChoice;
use attest_host::{Host, hosts};
use attest_snapshot::visible_lines;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, ValueEnum};

use crate::cmd::Command;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::project::Project;
use attest_base::ui::Ui;

/// The one of musl is slow when there are many small pieces, as for thousands of changed files.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Prove whether the files an agent says it changed really changed.
#[derive(Debug, Parser)]
#[command(name = "attest", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to print colours
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "auto|always|never",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

/// When to print colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// What is printed from now on has colours or not. Errors of the command line too, so the words are looked
    /// through before they are understood.
    fn begin() {
        let words: Vec<_> = std::env::args_os().skip(1).collect();
        let mut words = words.iter().map(|word| word.to_str().unwrap_or_default());
        while let Some(word) = words.next().filter(|word| *word != "--") {
            let value = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            if let Some(color) = value.and_then(|value| Self::from_str(value, false).ok()) {
                color.set();
            }
        }
    }

    fn set(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

fn main() -> ExitCode {
    if is_hook() || is_bare() {
        hook::catch_signals();
    }
    let env = Env::of_process();
    if let Some((event, host, origin)) = plain_hook() {
        return hook::run(event, host, origin, &env);
    }
    // `install` and `doctor` ask programs for it.
    if is_only(&["--version", "-V"]) {
        return print_version(&env);
    }
    let env = match settled(env) {
        Ok(env) => env,
        Err(failed) => return failed,
    };
    // A host runs it every time something changes on its screen.
    if is_only(&["statusline"]) {
        return attest_history::print_line(&env);
    }
    if let Some(answered) = attest_history::answer(&env, Cli::command) {
        return answered;
    }
    Color::begin();
    let matches = help::in_groups(Cli::command()).try_get_matches();
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => {
            cli.color.set();
            cli.command.run(&env)
        }
        Err(error) => refuse(&help::escaping(help::suggesting(error)), &env),
    }
}

/// The environment without what does not count of that which files of the project put there. A hook does this itself,
/// before its deadline.
fn settled(env: Env) -> Result<Env, ExitCode> {
    if is_hook() || is_bare() {
        return Ok(env);
    }
    let project = Project::read(&env, hosts::ALL);
    match project.settle(&env) {
        Ok(()) => Ok(project.heed(env, hosts::ALL)),
        Err(error) => {
            Ui::new(&env).complain(&CommandError::from(error));
            Err(ExitCode::FAILURE)
        }
    }
}

/// Answers a command line that cannot be followed.
///
/// To a host, a hook that fails is a finding, and one that ends with status 2 takes the person's
/// prompt away. So neither a hook with words of another version fails, nor the bare program, which
/// is what a host runs that does not know `args`; what went wrong is in the log.
fn refuse(error: &clap::Error, env: &Env) -> ExitCode {
    let is_typed = io::stdin().is_terminal();
    if is_hook() && error.use_stderr() {
        hook::refuse(error, env);
        if is_typed {
            let _ = print(error);
        }
        return ExitCode::SUCCESS;
    }
    if is_bare() && !(is_typed && io::stdout().is_terminal()) {
        if !is_typed {
            hook::no_command(env);
        }
        if io::stderr().is_terminal() {
            let _ = print(error);
        }
        return ExitCode::SUCCESS;
    }
    match print(error) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Ui::new(env).complain(&CommandError::from(error));
            ExitCode::FAILURE
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

/// Prints what is wrong with a command line, or its help. It may quote words of somebody else's.
fn print(error: &clap::Error) -> io::Result<()> {
    let text = error.render().ansi().to_string();
    let text = visible_lines(&text);
    if error.use_stderr() {
        anstream::stderr().write_all(text.as_bytes())
    } else {
        anstream::stdout().write_all(text.as_bytes())
    }
}

/// The event of `attest hook <event>`, and the host of `--harness <host>` or the `--plugin` behind it, for which
/// every agent waits: building the whole command line first takes longer than most of what a hook does.
fn plain_hook() -> Option<(hook::Event, &'static dyn Host, hook::Origin)> {
    let mut words = std::env::args_os().skip(2);
    let event = hook::Event::from_str(words.next()?.to_str()?, false).ok()?;
    let (mut host, mut origin) = (hosts::usual(), hook::Origin::Settings);
    match words.next() {
        None => {}
        Some(option) if option == "--harness" => {
            host = hosts::named(words.next()?.to_str()?).ok()?;
        }
        Some(option) if option == "--plugin" => origin = hook::Origin::Plugin,
        Some(_) => return None,
    }
    (is_hook() && words.next().is_none()).then_some((event, host, origin))
}

/// Whether one of these words is all of the command line: building it whole first takes most of the time of what is
/// asked for often.
fn is_only(words: &[&str]) -> bool {
    let mut typed = std::env::args_os().skip(1);
    typed
        .next()
        .is_some_and(|it| words.iter().any(|word| it == *word))
        && typed.next().is_none()
}

fn print_version(env: &Env) -> ExitCode {
    let mut ui = Ui::new(env);
    let Err(error) = ui.say(concat!("attest ", env!("CARGO_PKG_VERSION"))) else {
        return ExitCode::SUCCESS;
    };
    ui.complain(&error);
    ExitCode::FAILURE
}

fn is_bare() -> bool {
    std::env::args_os().len() < 2
}

fn is_hook() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == "hook")
}
