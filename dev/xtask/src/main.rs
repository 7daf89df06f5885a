//! Chores of the workspace: `cargo xtask <name>`.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "chores start what they need and say what they do"
)]

mod audit;
mod bench;
mod daily;
mod history;
mod hostile;
mod lines;
mod mixed;
mod picture;
#[cfg(unix)]
mod programs;
mod publish;
mod release;
mod reliability;
mod remarks;
mod sentences;
#[cfg(unix)]
mod slow_tests;
#[cfg(unix)]
mod stress_tests;
mod validate;
mod words;

use std::process::ExitCode;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Chores of the workspace")]
enum Chore {
    Audit(audit::AuditArgs),
    Bench(bench::BenchArgs),
    Daily(daily::DailyArgs),
    Faults(reliability::FaultsArgs),
    History(history::HistoryArgs),
    Hostile(hostile::HostileArgs),
    Lines(lines::LinesArgs),
    Mixed(mixed::MixedArgs),
    Picture(picture::PictureArgs),
    Publish(publish::PublishArgs),
    Release(release::ReleaseArgs),
    Reliability(reliability::ReliabilityArgs),
    Remarks(remarks::RemarksArgs),
    Sentences(sentences::SentencesArgs),
    #[cfg(unix)]
    SlowTests(slow_tests::SlowTestsArgs),
    #[cfg(unix)]
    StressTests(stress_tests::StressTestsArgs),
    Validate(validate::ValidateArgs),
    Words(words::WordsArgs),
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Audit(args) => audit::run(&args),
        Chore::Bench(args) => bench::run(&args).map_err(Into::into),
        Chore::Daily(args) => daily::run(&args),
        Chore::Faults(args) => reliability::faults(&args),
        Chore::Lines(args) => lines::run(&args),
        Chore::Mixed(args) => mixed::run(&args),
        Chore::Picture(args) => picture::run(&args),
        Chore::Publish(args) => publish::run(&args),
        Chore::Release(args) => release::run(&args),
        Chore::Remarks(args) => remarks::run(&args).map_err(Into::into),
        Chore::Sentences(args) => sentences::run(&args),
        #[cfg(unix)]
        Chore::SlowTests(args) => slow_tests::run(&args),
        #[cfg(unix)]
        Chore::StressTests(args) => stress_tests::run(&args),
        Chore::Reliability(args) => reliability::run(&args),
        Chore::Hostile(args) => hostile::run(&args),
        Chore::History(args) => history::run(&args),
        Chore::Validate(args) => validate::run(&args),
        Chore::Words(args) => words::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
