//! Chores of the workspace: `cargo xtask <name>`.

mod bench;
mod history;

use std::process::ExitCode;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Chores of the workspace")]
enum Chore {
    Bench(bench::BenchArgs),
    History(history::HistoryArgs),
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Bench(args) => bench::run(&args),
        Chore::History(args) => history::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
