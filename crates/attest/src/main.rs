//! attest proves whether the files an agent says it changed really changed.

mod advice;
mod cmd;
mod config;
mod criteria;
mod env;
mod hook;
mod log;
mod settings;
mod shell_word;
mod state;

use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use attest_host::{Host, hosts};
use attest_snapshot::Printable;
use clap::{Parser, Subcommand, ValueEnum};

use crate::env::Env;

/// Prove whether the files an agent says it changed really changed.
#[derive(Debug, Parser)]
#[command(name = "attest", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run as a hook of an agent host: reads its payload on standard input
    Hook {
        #[arg(value_enum)]
        event: hook::Event,
        /// The host that calls
        #[arg(long, default_value = hosts::usual().name(), value_parser = hosts::named)]
        harness: &'static dyn Host,
    },
    Snapshot(cmd::snapshot::SnapshotArgs),
    Verify(cmd::verify::VerifyArgs),
    Claim(cmd::claim::ClaimArgs),
    Install(cmd::install::InstallArgs),
    Uninstall(cmd::uninstall::UninstallArgs),
    Doctor(cmd::doctor::DoctorArgs),
    Check(Box<cmd::check::CheckArgs>),
    Trust(cmd::trust::TrustArgs),
    Agents(cmd::agents::AgentsArgs),
    Log(cmd::log::LogArgs),
    Show(cmd::show::ShowArgs),
    Explain(cmd::explain::ExplainArgs),
    Stats(cmd::stats::StatsArgs),
    Report(cmd::report::ReportArgs),
    Gc(cmd::gc::GcArgs),
}

/// A false DONE under `verify --exit-code`.
const FALSE_DONE: u8 = 3;
/// Criteria that are not met.
const NOT_MET: u8 = 3;

fn main() -> ExitCode {
    if is_hook() || is_bare() {
        hook::catch_signals();
    }
    let env = Env::of_process();
    if let Some(event) = plain_hook() {
        return hook::run(event, hosts::usual(), &env);
    }
    match Cli::try_parse() {
        Ok(cli) => run(cli.command, &env),
        Err(error) => refuse(&error, &env),
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
            let _ = error.print();
        }
        return ExitCode::SUCCESS;
    }
    if is_bare() && !(is_typed && io::stdout().is_terminal()) {
        if !is_typed {
            hook::no_command(env);
        }
        if io::stderr().is_terminal() {
            let _ = error.print();
        }
        return ExitCode::SUCCESS;
    }
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// The event of `attest hook <event>`, which every agent waits for: building the whole command
/// line first takes longer than most of what a hook does.
fn plain_hook() -> Option<hook::Event> {
    let mut words = std::env::args_os().skip(2);
    let event = hook::Event::from_str(words.next()?.to_str()?, false).ok()?;
    (is_hook() && words.next().is_none()).then_some(event)
}

fn is_bare() -> bool {
    std::env::args_os().len() < 2
}

fn is_hook() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == "hook")
}

fn run(command: Command, env: &Env) -> ExitCode {
    match command {
        Command::Hook { event, harness } => hook::run(event, harness, env),
        Command::Snapshot(args) => print(cmd::snapshot::run(&args, env)),
        Command::Claim(args) => print(cmd::claim::run(&args)),
        Command::Agents(args) => show(cmd::agents::run(&args, env)),
        Command::Log(args) => show(cmd::log::run(&args, env)),
        Command::Show(args) => show(cmd::show::run(&args, env)),
        Command::Explain(args) => show(cmd::explain::run(&args, env)),
        Command::Stats(args) => show(cmd::stats::run(&args, env)),
        Command::Report(args) => match cmd::report::run(&args, env) {
            Ok(text) => print(Ok::<_, cmd::history::HistoryError>(text)),
            Err(error) => complain(&error, error.hint()),
        },
        Command::Gc(args) => print(cmd::gc::run(&args, env)),
        Command::Verify(args) => match cmd::verify::run(&args, env) {
            Ok((json, is_false_done)) => {
                let printed = print(Ok::<_, cmd::verify::VerifyError>(json));
                if args.exit_code && is_false_done {
                    return ExitCode::from(FALSE_DONE);
                }
                printed
            }
            Err(error) => fail(&error),
        },
        Command::Install(args) => {
            let done = cmd::install::run(&args, env);
            done.map_or_else(
                |error| complain(&error, error.hint()),
                |()| ExitCode::SUCCESS,
            )
        }
        Command::Uninstall(args) => {
            let done = cmd::uninstall::run(&args, env);
            done.map_or_else(
                |error| complain(&error, error.hint()),
                |()| ExitCode::SUCCESS,
            )
        }
        Command::Doctor(args) => match cmd::doctor::run(&args, env) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => complain(&error, error.hint()),
        },
        Command::Check(args) => match cmd::check::run(&args, env) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(NOT_MET),
            Err(error) if args.json || args.jsonl => fail(&error),
            Err(error) => complain(&error, error.hint().as_deref()),
        },
        Command::Trust(args) => match cmd::trust::run(&args, env) {
            Ok(text) => print(Ok::<_, cmd::check::CheckError>(text)),
            Err(error) => complain(&error, error.hint().as_deref()),
        },
    }
}

fn print(result: Result<String, impl std::error::Error>) -> ExitCode {
    match result {
        Ok(text) => {
            // A reader that has seen enough closes the pipe; that is success.
            let _ = writeln!(io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error),
    }
}

/// A command that has printed what it has to say.
fn show(result: Result<(), cmd::history::HistoryError>) -> ExitCode {
    result.map_or_else(
        |error| complain(&error, error.hint()),
        |()| ExitCode::SUCCESS,
    )
}

/// Bad input: one JSON object on standard error, nothing on standard output.
fn fail(error: &dyn std::error::Error) -> ExitCode {
    let object = serde_json::json!({ "error": log::chain(error) });
    let _ = writeln!(io::stderr().lock(), "{object}");
    ExitCode::FAILURE
}

/// What a person reads: the error, what caused it, and what to do. It may quote what somebody else named.
fn complain(error: &dyn std::error::Error, hint: Option<&str>) -> ExitCode {
    let mut text = format!("error: {error}\n");
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(&format!("caused by: {cause}\n"));
        next = cause.source();
    }
    if let Some(hint) = hint {
        text.push_str(&format!("hint: {hint}\n"));
    }
    let _ = write!(io::stderr().lock(), "{}", Printable::new(&text));
    ExitCode::FAILURE
}
