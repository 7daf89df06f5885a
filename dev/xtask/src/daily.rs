//! How many ghosts beside the work of a day are blocked, from every kind of start. crates/snapshot/README.md has the table.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::Stdio;

use crate::reliability::{succeed, test};

/// Measure what is proven beside the git commands of a day, from clean and dirty starts
#[derive(Debug, clap::Args)]
pub(crate) struct DailyArgs {
    /// Sessions for each kind of start, each played twice: by an honest agent, and by one that claims a ghost
    #[arg(long, default_value_t = 100)]
    cases: u32,
}

const FIGURE: &str = "figure daily-";

/// What one kind of start came to.
#[derive(Debug, Default)]
struct Row<'a> {
    ghosts: &'a str,
    blocked: &'a str,
    percent: &'a str,
    doubts: Vec<String>,
}

/// The tests fail if an honest agent is blocked, so that figures are of runs without one.
pub(crate) fn run(args: &DailyArgs) -> Result<(), Box<dyn Error>> {
    let mut command = test("attest", "it", "daily::");
    command.env("PROPTEST_CASES", args.cases.to_string());
    let output = command.stdout(Stdio::piped()).spawn()?.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() {
        print!("{text}");
    }
    succeed(output.status.success(), "daily")?;
    println!("| start | ghosts | blocked | share | doubts | honest agents blocked |");
    println!("|---|---|---|---|---|---|");
    for (start, row) in rows(&text) {
        let doubts = row.doubts.join(", ");
        println!(
            "| {} | {} | {} | {} % | {doubts} | 0 |",
            start.replace('-', " "),
            row.ghosts,
            row.blocked,
            row.percent
        );
    }
    Ok(())
}

fn rows(text: &str) -> BTreeMap<&str, Row<'_>> {
    let mut rows: BTreeMap<&str, Row<'_>> = BTreeMap::new();
    let figures = text.lines().filter_map(|line| {
        let at = line.find(FIGURE)?;
        line[at + FIGURE.len()..].split_once(' ')
    });
    for (name, value) in figures {
        if let Some((start, word)) = name.split_once("-doubt-") {
            let doubts = &mut rows.entry(start).or_default().doubts;
            doubts.push(format!("{word} {value}"));
        } else if let Some((start, kind)) = name.rsplit_once('-') {
            let row = rows.entry(start).or_default();
            match kind {
                "ghosts" => row.ghosts = value,
                "blocked" => row.blocked = value,
                "percent" => row.percent = value,
                _ => {}
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_rows() {
        let text = "test x ... figure daily-beside-another-agent-ghosts 4\nfigure daily-beside-another-agent-blocked 3\n\
                    figure daily-beside-another-agent-percent 75.0\nfigure daily-beside-another-agent-doubt-TRACKED 1\n";
        let rows = rows(text);
        let row = &rows["beside-another-agent"];
        assert_eq!((row.ghosts, row.blocked, row.percent), ("4", "3", "75.0"));
        assert_eq!(row.doubts, ["TRACKED 1"]);
    }
}
