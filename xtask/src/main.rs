//! Chores of the workspace: `cargo xtask <name>`.

mod bench;

use std::process::ExitCode;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Chores of the workspace")]
enum Chore {
    Bench(bench::BenchArgs),
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
