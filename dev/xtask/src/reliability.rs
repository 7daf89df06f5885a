//! docs/RELIABILITY.md: what holds each promise, and how often it was tried.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Write docs/RELIABILITY.md, after measuring some of its figures anew
#[derive(Debug, clap::Args)]
pub(crate) struct ReliabilityArgs {
    /// What to measure; each takes from minutes to hours
    #[arg(value_enum)]
    measure: Vec<Measure>,
}

/// Make system calls of the hooks fail, one at a time
#[derive(Debug, clap::Args)]
pub(crate) struct FaultsArgs {
    /// Every call, which takes more than an hour
    #[arg(long, conflicts_with = "cases")]
    all: bool,
    /// About so many of them
    #[arg(long, value_name = "COUNT")]
    cases: Option<usize>,
    /// Only those whose name has this text in it, for example `history Stop(Honest): process 1`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Measure {
    Faults,
    Kills,
    Generated,
    Readers,
    Fuzz,
    Mutants,
}

/// How many cases the generated tests try.
const GENERATED: &str = "1000";
/// How many the comparisons with git try.
const READERS: &str = "2000";
/// A line of output that is a figure: the word, its name, its value.
const FIGURE: &str = "figure ";

const TEMPLATE: &str = include_str!("reliability/page.md");
const PAGE: &str = "docs/RELIABILITY.md";
const FIGURES: &str = "dev/xtask/src/reliability/figures.txt";

type Figures = BTreeMap<String, String>;

pub(crate) fn run(args: &ReliabilityArgs) -> Result<(), Box<dyn Error>> {
    let file = top().join(FIGURES);
    let mut figures = parse(&fs::read_to_string(&file)?);
    for measure in &args.measure {
        figures.extend(measure.take()?);
        let lines = figures
            .iter()
            .map(|(name, value)| format!("{name} {value}\n"));
        fs::write(&file, lines.collect::<String>())?;
    }
    fs::write(top().join(PAGE), page(&figures))?;
    Ok(())
}

pub(crate) fn faults(args: &FaultsArgs) -> Result<(), Box<dyn Error>> {
    let mut command = test("attest", "it", "faults::");
    if args.all {
        command.env("FAULT_CASES", "all");
    }
    if let Some(cases) = args.cases {
        command.env("FAULT_CASES", cases.to_string());
    }
    if let Some(only) = &args.only {
        command.env("FAULT_ONLY", only);
    }
    succeed(command.status()?.success(), "faults")
}

pub(crate) fn succeed(is_well: bool, what: &str) -> Result<(), Box<dyn Error>> {
    if is_well {
        Ok(())
    } else {
        Err(format!("{what} did not end well").into())
    }
}

impl Measure {
    fn take(self) -> Result<Figures, Box<dyn Error>> {
        let (mut command, known): (_, &[(&str, &str)]) = match self {
            Self::Faults => (test("attest", "it", "faults::"), &[]),
            Self::Kills => (test("attest", "it", "kills::"), &[]),
            Self::Generated => (
                test("attest", "it", "generated::"),
                &[("generated-cases", GENERATED)],
            ),
            Self::Readers => (
                test("attest-snapshot", "readers", ""),
                &[("readers-cases", READERS)],
            ),
            Self::Fuzz => (Command::new(top().join(".ci/fuzz")), &[]),
            Self::Mutants => (Command::new(top().join(".ci/mutants")), &[]),
        };
        command.envs([
            ("FAULT_CASES", "all"),
            ("KILLS", "2000"),
            ("FUZZ_SECONDS", "180"),
        ]);
        if let [(_, cases)] = known {
            command.env("PROPTEST_CASES", cases);
        }
        let output = command.stdout(Stdio::piped()).spawn()?.wait_with_output()?;
        let text = String::from_utf8(output.stdout)?;
        print!("{text}");
        succeed(output.status.success(), &format!("{self:?}"))?;
        let known = known
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        let lines: Vec<_> = text
            .lines()
            .filter_map(|line| line.strip_prefix(FIGURE))
            .collect();
        Ok(parse(&lines.join("\n")).into_iter().chain(known).collect())
    }
}

/// The tests of a program whose names have `part` in them.
pub(crate) fn test(package: &str, program: &str, part: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--locked",
        "--package",
        package,
        "--test",
        program,
        part,
    ]);
    command.args(["--", "--nocapture"]);
    command.current_dir(top());
    command
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Lines of a name and a value.
fn parse(text: &str) -> Figures {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

/// The template with its figures; a number has its thousands apart.
fn page(figures: &Figures) -> String {
    let mut parts = TEMPLATE.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        text.push_str(
            &figures
                .get(name)
                .map_or("(not run)".into(), |value| spaced(value)),
        );
        text.push_str(rest);
    }
    text
}

fn spaced(value: &str) -> String {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value.to_owned();
    }
    let mut text = String::new();
    for (index, digit) in value.chars().enumerate() {
        if index > 0 && (value.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_page_is_what_the_figures_say() {
        let figures = parse(&fs::read_to_string(top().join(FIGURES)).unwrap());
        let written = fs::read_to_string(top().join(PAGE)).unwrap();
        assert_eq!(written, page(&figures), "cargo xtask reliability");
    }

    /// Every `file: test` of the page.
    fn named() -> BTreeSet<(&'static str, &'static str)> {
        let quoted = TEMPLATE.split('`').skip(1).step_by(2);
        quoted.filter_map(|text| text.split_once(".rs: ")).collect()
    }

    #[test]
    fn every_test_that_is_named_is_there_and_runs() {
        let named = named();
        assert!(named.len() > 30, "only {} tests are named", named.len());
        for (file, name) in named {
            let text = fs::read_to_string(top().join(format!("{file}.rs")));
            let text = text.unwrap_or_else(|error| panic!("{file}.rs: {error}"));
            let (before, _) = text
                .split_once(&format!("fn {name}("))
                .unwrap_or_else(|| panic!("{file}.rs has no {name}"));
            let attributes = before.rsplit("\n\n").next().unwrap();
            assert!(attributes.contains("#[test]"), "{name} is not a test");
            assert!(!attributes.contains("#[ignore"), "{name} is not run");
        }
    }

    #[test]
    fn numbers_are_written_for_people() {
        let figures = parse("faults-tried 1234567\nx-y none at all");
        assert!(page(&figures).contains("| 1,234,567 failing calls"));
        assert_eq!(spaced("12"), "12");
        assert_eq!(spaced("none at all"), "none at all");
        assert!(page(&Figures::new()).contains("(not run)"));
    }
}
