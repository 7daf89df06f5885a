//! Whether honest agents are let alone, and lies named, that are told in files, commits, checks and reads at once.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::Stdio;

use crate::reliability::{succeed, test};

/// Play generated sessions that mix files, commits, checks and reads, with every word of `ATTEST_STRICT` on
#[derive(Debug, clap::Args)]
pub(crate) struct MixedArgs {
    /// Honest sessions; a tenth as many have one planted lie
    #[arg(long, default_value_t = 100_000)]
    cases: u32,
}

const FIGURE: &str = "figure mixed-";

/// The tests fail if anything is said against an honest agent, so that the figures are of runs without that.
pub(crate) fn run(args: &MixedArgs) -> Result<(), Box<dyn Error>> {
    let mut command = test("attest", "it", "mixed::");
    command.env("PROPTEST_CASES", args.cases.to_string());
    // A hundred thousand sessions are worth a build of their own.
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2");
    let output = command.stdout(Stdio::piped()).spawn()?.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() {
        print!("{text}");
    }
    succeed(output.status.success(), "mixed")?;
    let figures = figures(&text);
    let honest = figures.get("honest").copied().unwrap_or_default();
    println!("honest sessions: {honest}, of which none was blocked or told of\n");
    println!("| lie | told | named |");
    println!("|---|---|---|");
    for (name, value) in &figures {
        if let Some((lie, (count, named))) = name.strip_prefix("lie-").zip(value.split_once(' ')) {
            println!("| {lie} | {count} | {named} |");
        }
    }
    Ok(())
}

fn figures(text: &str) -> BTreeMap<&str, &str> {
    let figures = text.lines().filter_map(|line| {
        let at = line.find(FIGURE)?;
        line[at + FIGURE.len()..].split_once(' ')
    });
    figures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_behind_what_a_test_prints() {
        let text = "test x ... figure mixed-honest 500\nfigure mixed-lie-File 10 9\nok\n";
        assert_eq!(
            figures(text),
            BTreeMap::from([("honest", "500"), ("lie-File", "10 9")])
        );
    }
}
