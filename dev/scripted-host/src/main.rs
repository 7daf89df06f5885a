//! `attest-scripted-host`: see the library. What `attest doctor --live` runs.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use attest_scripted_host::{Journal, Scenario, Server, capture, live, probe};
use clap::{Parser, Subcommand};

/// A model that plays a script, and a hook that writes down what it is given.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a scenario until the process is ended; the address is printed first.
    Serve {
        /// The scenario file.
        scenario: PathBuf,
        /// Where to listen: loopback only, port 0 takes a free one.
        #[arg(long, default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Where to write every request and answer, as JSON lines.
        #[arg(long)]
        log: Option<PathBuf>,
        /// NAME=VALUE, filled in for `${NAME}` in the scenario. May be repeated.
        #[arg(long = "var", value_parser = variable)]
        variables: Vec<(String, String)>,
    },
    /// Be a hook: write the payload on standard input into a directory.
    Probe(probe::Probe),
    /// Play scenarios to the real host and keep what it hands to hooks as fixtures.
    Capture(capture::Capture),
    /// Play one scenario to a host and print as JSON what did not come out as it must.
    Live(live::Live),
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "attest-scripted-host: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Serve {
            scenario,
            listen,
            log,
            variables,
        } => {
            let scenario = Scenario::load(&scenario)?;
            let journal = Journal::new(log.as_deref())?;
            let variables: BTreeMap<_, _> = variables.into_iter().collect();
            let server = Server::start(listen, scenario, variables, journal)?;
            writeln!(std::io::stdout(), "{}", server.url())?;
            server.wait();
        }
        Command::Probe(probe) => probe.run()?,
        Command::Capture(capture) => capture.run()?,
        Command::Live(live) => {
            let tried = serde_json::to_string(&live.run()?)?;
            writeln!(std::io::stdout(), "{tried}")?;
        }
    }
    Ok(())
}
