//! How the words beside a path are understood, line by line: for anybody's own list of remarks.

use std::io::{self, Write};
use std::path::PathBuf;

use attest_claim::{Operation, Remark, Sense};

/// Print how each line of a file is understood as a remark behind a path
#[derive(Debug, clap::Args)]
pub(crate) struct RemarksArgs {
    /// The file, a remark a line
    file: PathBuf,
}

pub(crate) fn run(args: &RemarksArgs) -> io::Result<()> {
    let text = std::fs::read_to_string(&args.file)?;
    let mut out = io::stdout().lock();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let (mut all, mut proving) = (0_usize, 0_usize);
    for line in lines {
        let sense = Remark::of(line).map(|remark| remark.sense);
        let is_proof = sense.is_none_or(Sense::is_understood);
        all += 1;
        proving += usize::from(is_proof);
        writeln!(out, "{:<12} {line}", word(sense))?;
    }
    let share = 100 * proving / all.max(1);
    writeln!(
        out,
        "\n{proving} of {all} leave the path a proof ({share} %)"
    )
}

fn word(sense: Option<Sense>) -> &'static str {
    match sense {
        None => "none",
        Some(Sense::Work(Operation::Created)) => "created",
        Some(Sense::Work(Operation::Deleted)) => "deleted",
        Some(Sense::Work(Operation::Changed)) => "changed",
        Some(Sense::Description) => "description",
        Some(Sense::Untouched) => "untouched",
        Some(Sense::Other) => "other",
    }
}
