//! The tables.

use std::fmt;
use std::io;
use std::process::Command;
use std::time::Duration;

use clap::ValueEnum;

use super::rows::{ABSENT, FULL_SCAN, GIT, LSTAT, MANY_ABSENT, PYTHON, Row, STOP};
use super::{BenchArgs, Case, page};

/// What one repository showed.
pub(super) struct Report {
    title: String,
    rows: Vec<Row>,
    /// Bytes.
    peak: u64,
}

impl Report {
    pub(super) fn new(case: Case, mut rows: Vec<Row>, peak: u64) -> Self {
        for row in &mut rows {
            row.times.sort();
        }
        let help = case.to_possible_value();
        let help = help.and_then(|value| Some(value.get_help()?.to_string()));
        Self {
            title: format!("{case:?}: {}", help.unwrap_or_default()),
            rows,
            peak,
        }
    }

    fn median_of(&self, name: &str) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        Some(quartile(&row.times, 2))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let references = [
            ("git status", GIT),
            ("full scan", FULL_SCAN),
            ("lstat", LSTAT),
        ];
        let mut references: Vec<_> = references
            .into_iter()
            .filter_map(|(head, name)| Some((head, self.median_of(name)?)))
            .collect();
        references.extend(self.median_of(PYTHON).map(|median| ("Python", median)));
        writeln!(out, "### {}\n", self.title)?;
        write!(
            out,
            "| {:<40} | median ms | quartiles ms    |",
            "whole process"
        )?;
        for (head, _) in &references {
            write!(out, " {head:>10} |")?;
        }
        write!(out, "\n|{}|----------:|-----------------|", "-".repeat(42))?;
        for _ in &references {
            write!(out, "-----------:|")?;
        }
        writeln!(out)?;
        for row in &self.rows {
            let [low, median, high] = [1, 2, 3].map(|number| quartile(&row.times, number));
            let spread = format!("{low:.2} to {high:.2}");
            write!(out, "| {:<40} | {median:>9.2} | {spread:<15} |", row.name)?;
            for (_, reference) in &references {
                write!(out, " {:>9.2}x |", median / reference)?;
            }
            writeln!(out)?;
        }
        let megabytes = self.peak / 1_000_000;
        writeln!(
            out,
            "\nThe start hook had at most {megabytes} MB of memory."
        )?;
        let medians = [STOP, ABSENT, MANY_ABSENT].map(|name| self.median_of(name));
        if let [Some(stop), Some(absent), Some(many)] = medians {
            let ratio = absent / stop;
            writeln!(
                out,
                "A stop that proves an absence takes {ratio:.2} times an honest one; 1,200 absent\n\
                 paths are judged in {many:.0} ms."
            )?;
        }
        Ok(())
    }
}

/// Writes docs/PERFORMANCE.md.
pub(super) fn write(reports: &[Report], args: &BenchArgs) -> io::Result<()> {
    let machine = machine()?;
    let rounds = args.rounds;
    let (option, form) = if args.as_installed {
        (
            " --as-installed",
            "The C library is a part of every program but git, as `install.sh` builds attest here.\n",
        )
    } else {
        ("", "")
    };
    let mut text = format!(
        "`cargo xtask bench{option} --write` measured this and wrote it: whole processes, from\n\
         their start to their end, run in turn, {rounds} rounds after one that fills the caches,\n\
         {machine}. Times differ from machine to machine; the\n\
         columns on the right have each median as a multiple of that of the row they name.\n\
         {form}\n\
         The two bounds are programs that make only the unavoidable system calls of a reading,\n\
         on as many threads as attest uses: one lists every folder and asks for each name,\n\
         the other asks for each tracked file. They are told the names, and read no index.\n\n\
         A start builds on what the last one in the same work tree found, as it does in a session with\n\
         many agents. One row has the first start in a work tree, which has nothing to build on.\n"
    );
    for report in reports {
        text.push_str(&format!("\n{report}"));
    }
    page::replace(page::HOOKS, &text)
}

/// What is measured on, in words.
pub(crate) fn machine() -> io::Result<String> {
    let cores = std::thread::available_parallelism()?;
    let system = first_line("uname", &["-sr"])?;
    let system = system.split('-').next().unwrap_or(&system);
    let git = first_line("git", &["--version"])?;
    Ok(format!("on {cores} cores with {system} and {git}"))
}

fn first_line(program: &str, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new(program).args(arguments).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// In milliseconds.
fn quartile(times: &[Duration], number: usize) -> f64 {
    let index = times.len().saturating_sub(1) * number / 4;
    let time = times.get(index).copied().unwrap_or_default();
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring takes minutes and a quiet machine, so that no figure is compared here.
    #[test]
    fn the_page_has_a_table_for_each_repository_and_names_what_is_measured() {
        let page = include_str!("../../../../docs/PERFORMANCE.md");
        let page = page::below(page, page::HOOKS);
        let sections: Vec<_> = page.split("\n### ").skip(1).collect();
        let titles = Case::value_variants().iter().map(|case| {
            let report = Report::new(*case, Vec::new(), 0).to_string();
            let title = report.lines().next().unwrap_or_default();
            title.trim_start_matches("### ").to_owned()
        });
        let found: Vec<_> = sections
            .iter()
            .filter_map(|section| section.lines().next())
            .collect();
        assert_eq!(found, titles.collect::<Vec<_>>());
        for section in sections {
            let table = section.lines().filter(|line| line.starts_with('|'));
            let table: Vec<Vec<_>> = table.map(|line| line.split('|').collect()).collect();
            assert!(table.len() > 5, "{section}");
            for row in &table {
                assert_eq!(row.len(), table[0].len(), "{row:?}");
            }
            for row in &table[2..] {
                let name = format!("\"{}\"", row[1].trim());
                assert!(include_str!("rows.rs").contains(&name), "{name}");
            }
        }
    }
}
