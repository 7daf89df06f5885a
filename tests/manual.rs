//! The pages of the manual, which come from the command line that is there.

use std::collections::BTreeSet;
use std::fs;

use crate::common::TestContext;

/// The subcommands that `attest --help` lists.
fn subcommands(context: &TestContext) -> Vec<String> {
    let help = context.attest(["--help"]).assert_success().stdout;
    let names = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let is_name = |name: &&str| {
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
        name.split('-').all(is_word)
    };
    let mut names: Vec<_> = names.filter(is_name).map(str::to_owned).collect();
    names.retain(|name| name != "help" && context.attest([name, "--help"]).code == Some(0));
    assert!(names.len() > 10, "{help}");
    names
}

/// The long options in a help text.
fn options(help: &str) -> BTreeSet<&str> {
    let words = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let long = line
            .split_whitespace()
            .find(|word| word.starts_with("--"))?;
        line.starts_with('-').then_some(long)
    });
    words.map(|word| word.trim_end_matches(',')).collect()
}

#[test]
fn every_subcommand_has_a_page_with_all_its_options() {
    let context = TestContext::new();
    let folder = context.folder().join("man/man1");
    context
        .attest(["man".as_ref(), folder.as_os_str()])
        .assert_success();
    let page = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|_| panic!("no {name}"));
        text.replace("\\-", "-")
    };
    assert!(page("attest.1").contains("attest-doctor(1)"));
    let names = subcommands(&context);
    for name in &names {
        let page = page(&format!("attest-{name}.1"));
        let help = context.attest([name, "--help"]).assert_success().stdout;
        let options = options(&help);
        assert!(options.contains("--help"), "{help}");
        for option in options {
            assert!(page.contains(option), "{name}: {option}\n{page}");
        }
    }
    // Nothing that nobody can call.
    let pages = fs::read_dir(&folder).unwrap().count();
    assert_eq!(pages, names.len() + 1);
}

#[test]
fn the_examples_of_a_page_stay_on_lines_of_their_own() {
    let context = TestContext::new();
    let folder = context.folder().join("man1");
    context
        .attest(["man".as_ref(), folder.as_os_str()])
        .assert_success();
    for name in ["attest.1", "attest-enforce.1"] {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
        let (examples, _) = examples.split_once(".fi\n").unwrap();
        assert!(
            examples.contains("\n\\&attest enforce on "),
            "{name}: {examples}"
        );
        assert!(page.contains(concat!("attest ", env!("CARGO_PKG_VERSION"))));
        assert!(!page.contains(".SH EXTRA"), "{page}");
    }
}

#[test]
fn long_help_shows_examples_with_options_that_there_are() {
    let context = TestContext::new();
    for name in subcommands(&context) {
        // They take nothing, or are called by hosts alone.
        if name == "demo" || name == "hook" {
            continue;
        }
        let help = |flag: &str| context.attest([&*name, flag]).assert_success().stdout;
        assert!(!help("-h").contains("Examples:"), "{name}");
        let long = help("--help");
        let (before, examples) = long.split_once("Examples:\n").unwrap_or_else(|| {
            panic!("the long help of {name} has no examples (`after_long_help`): {long}")
        });
        let options = options(before);
        let mut own = 0;
        for example in examples.lines().filter(|line| !line.trim().is_empty()) {
            // What it does may stand behind it.
            let line = example.trim().split("   ").next().unwrap_or_default();
            let mut words = line
                .split_whitespace()
                .skip_while(|word| *word != "attest")
                .skip(1);
            if words.next() != Some(&*name) {
                // What has to be done before.
                continue;
            }
            own += 1;
            for option in words.filter(|word| word.starts_with("--")) {
                assert!(options.contains(option), "{name}: {example}");
            }
        }
        assert!(own > 0, "{long}");
    }
}

#[test]
fn a_manual_that_cannot_be_written_is_an_error() {
    let context = TestContext::new();
    let file = context.folder().join("file");
    fs::write(&file, "").unwrap();
    let printed = context
        .attest(["man".as_ref(), file.as_os_str()])
        .assert_failure();
    assert!(
        printed.stderr.contains("cannot write the manual"),
        "{printed:?}"
    );
}

/// A section of a page, as one reads it.
fn section(page: &str, title: &str) -> String {
    let start = format!(".SH \"{title}\"\n");
    let (_, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {title}: {page}"));
    let section = rest.split("\n.SH").next().unwrap();
    section
        .replace("\\-", "-")
        .replace("\\&", "")
        .replace("\\fB", "")
        .replace("\\fR", "")
}

#[test]
fn every_page_has_its_variables_files_and_statuses() {
    let context = TestContext::new();
    let folder = context.folder().join("man1");
    context
        .attest(["man".as_ref(), folder.as_os_str()])
        .assert_success();
    let top = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let settings = fs::read_to_string(top.join("docs/SETTINGS.md")).unwrap();
    let install = fs::read_to_string(top.join("docs/INSTALL.md")).unwrap();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let variables = section(&page, "ENVIRONMENT");
        for row in settings
            .lines()
            .filter_map(|line| line.strip_prefix("| `ATTEST_"))
        {
            let variable = format!("ATTEST_{}", row.split('`').next().unwrap());
            assert!(
                variables.contains(&format!("\n{variable}\n")),
                "{name}: {variable}"
            );
        }
        let files = section(&page, "FILES");
        for file in files.lines().filter(|line| line.starts_with("~/.attest")) {
            assert!(
                install.contains(&format!("| `{file}`")),
                "INSTALL lacks {file}"
            );
        }
        let statuses = section(&page, "EXIT STATUS");
        let numbers = statuses.lines().filter(|line| line.parse::<u8>().is_ok());
        let expected = match name {
            "attest-hook" => "0",
            "attest-verify" | "attest-check" => "0 1 2 3",
            "attest-ci" => "0 1 2 3 4",
            "attest-audit" => "0 1 2 130",
            _ => "0 1 2",
        };
        let numbers: Vec<_> = numbers.collect();
        assert_eq!(numbers.join(" "), expected, "{name}: {statuses}");
    }
}

/// As a person types it who follows the help: the files of the example are not among the changes.
#[cfg(unix)]
#[test]
fn the_example_of_verify_runs_as_it_is_written() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1\n")]);
    let help = context.attest(["verify", "--help"]).assert_success().stdout;
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let lines: Vec<_> = examples.lines().map(str::trim).collect();
    let run = |line: &str| {
        let mut shell = context.command("sh");
        let line = line.replace("attest ", &format!("{} ", crate::common::BINARY));
        let output = shell
            .args(["-c", &line])
            .current_dir(&repo)
            .output()
            .unwrap();
        crate::common::Printed::of(output)
    };
    for (claimed, status, is_false) in [("a.py", 0, false), ("ghost.py", 3, true)] {
        context.git(&repo, &["checkout", "--quiet", "--", "."]);
        run(lines[0]).assert_success();
        assert!(lines[1].contains("report.md"), "{lines:?}");
        fs::write(repo.join("a.py"), "2\n").unwrap();
        let report = format!("Status: DONE\nFiles changed: a.py, {claimed}\n");
        fs::write(repo.parent().unwrap().join("report.md"), report).unwrap();
        let verdict = run(lines[2]);
        assert_eq!(verdict.code, Some(status), "{verdict:?}");
        let verdict: serde_json::Value = serde_json::from_str(&verdict.stdout).unwrap();
        assert_eq!(verdict["false_done"], is_false);
        assert_eq!(verdict["ambiguous"], false, "the start is clean");
        assert_eq!(verdict["observed_but_unclaimed"], serde_json::json!([]));
    }
}
