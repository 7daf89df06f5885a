//! What the documents say, checked against the program: commands, outputs, variables, links.

#[cfg(unix)]
mod blocks;
mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::agent::{Agent, hook};
use crate::common::{BINARY, Printed, TestContext};
use serde_json::{Value, json};

/// Stands above a block whose commands are run, and whose output is compared.
const RUN: &str = "<!-- test: run -->";

fn top() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = top().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every document of the repository.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(top().to_owned(), false)];
    for name in ["docs", "fixtures"] {
        folders.push((top().join(name), true));
    }
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        folders.push((entry.unwrap().path(), false));
    }
    while let Some((folder, is_deep)) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && is_deep {
                folders.push((path, true));
            } else if path.extension().is_some_and(|end| end == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A fenced block of a document.
struct Block {
    language: String,
    is_run: bool,
    lines: Vec<String>,
}

/// The fenced blocks of a document, and its other lines.
fn split(text: &str) -> (Vec<Block>, Vec<&str>) {
    let (mut blocks, mut prose): (Vec<Block>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut open = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                open = true;
                blocks.push(Block {
                    language: language.to_owned(),
                    is_run: prose.last() == Some(&RUN),
                    lines: Vec::new(),
                });
            }
            (Some(_), true) => open = false,
            (None, true) => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            (None, false) => prose.push(line),
        }
    }
    (blocks, prose)
}

/// Every command line that a document shows.
fn commands(text: &str) -> Vec<String> {
    let (blocks, prose) = split(text);
    let mut all = Vec::new();
    for block in blocks {
        let typed = block
            .lines
            .iter()
            .filter_map(|line| match block.language.as_str() {
                "sh" => Some(line.as_str()),
                "console" => line.strip_prefix("$ "),
                _ => None,
            });
        all.extend(typed.map(str::to_owned));
    }
    let inline = prose
        .iter()
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    all.extend(inline.map(str::to_owned));
    all
}

/// The calls of `program` in a command line, each as its arguments.
fn calls<'c>(command: &'c str, program: &str) -> Vec<Vec<&'c str>> {
    let parts = command.split("&&").flat_map(|part| part.split('|'));
    parts
        .filter_map(|part| {
            let mut words = part
                .split_whitespace()
                .skip_while(|word| word.starts_with("ATTEST_"));
            (words.next() == Some(program)).then(|| words.collect())
        })
        .collect()
}

fn options<'w>(words: &[&'w str]) -> Vec<&'w str> {
    words
        .iter()
        .copied()
        .filter(|word| word.starts_with("--"))
        .collect()
}

#[test]
fn every_command_of_attest_that_is_shown_exists() {
    let context = TestContext::new();
    let mut seen = BTreeSet::new();
    for document in documents() {
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            for words in calls(&command, "attest") {
                let subcommand = words.first().copied().filter(|word| !word.starts_with('-'));
                let help = match subcommand {
                    Some(name) => context.attest([name, "--help"]),
                    None => context.attest(["--help"]),
                };
                let at = format!("{}: {command}", document.display());
                assert_eq!(help.code, Some(0), "{at}: {}", help.stderr);
                for option in options(&words) {
                    assert!(help.stdout.contains(option), "{at}: no {option}");
                }
                if let (Some("hook"), Some(event)) = (subcommand, words.get(1)) {
                    assert!(help.stdout.contains(event), "{at}: no event {event}");
                }
                // Its table is not for who uses a command.
                let is_for_users = !document.ends_with("CONTRIBUTING.md");
                seen.extend(subcommand.filter(|_| is_for_users).map(str::to_owned));
            }
        }
    }
    let help = context.attest(["--help"]).stdout;
    let (_, listed) = help.split_once("Set up:\n").unwrap();
    let listed = listed.split("Options:").next().unwrap();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter_map(|line| line.split(' ').next());
    let names: BTreeSet<_> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.contains("hook") && names.len() > 15, "{names:?}");
    let contributing = read("CONTRIBUTING.md");
    for name in names {
        assert!(seen.contains(name), "no document shows `attest {name}`");
        let row = format!("| `attest {name}` |");
        assert!(contributing.contains(&row), "CONTRIBUTING lacks {row}");
    }
}

#[test]
fn every_option_of_the_install_script_that_is_shown_exists() {
    let context = TestContext::new();
    let help = context
        .command("sh")
        .arg(top().join("install.sh"))
        .arg("--help")
        .output();
    let help = Printed::of(help.unwrap()).assert_success().stdout;
    let known: BTreeSet<_> = help
        .split_whitespace()
        .filter(|word| word.starts_with("--") && *word != "--help")
        .collect();
    let install = read("docs/INSTALL.md");
    for option in &known {
        assert!(
            install.contains(&format!("`{option}")),
            "INSTALL.md lacks {option}"
        );
    }
    for document in documents() {
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            for option in calls(&command, "./install.sh")
                .iter()
                .flat_map(|words| options(words))
            {
                assert!(known.contains(option), "{}: {command}", document.display());
            }
        }
    }
}

/// Runs the commands of a block in one shell, and gives the block as a terminal would show it.
fn transcript(context: &TestContext, block: &Block) -> Vec<String> {
    const END: &str = "--- end of one command ---";
    let typed: Vec<_> = block
        .lines
        .iter()
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    let script: String = typed
        .iter()
        .flat_map(|line| [line, "\necho '", END, "'\n"])
        .collect();
    let mut shell = context.command("sh");
    shell.args(["-c", &format!("exec 2>&1\n{script}")]);
    let printed = Printed::of(shell.output().unwrap()).assert_success().stdout;
    let end = format!("{END}\n");
    let outputs = printed.split(&end);
    typed
        .iter()
        .zip(outputs)
        .flat_map(|(line, output)| {
            std::iter::once(format!("$ {line}")).chain(output.lines().map(str::to_owned))
        })
        .collect()
}

#[test]
fn blocks_that_are_marked_run_as_shown() {
    let mut count = 0;
    for name in ["README.md", "docs/INSTALL.md"] {
        for block in split(&read(name)).0.iter().filter(|block| block.is_run) {
            let mut context = TestContext::new();
            let programs = Path::new(BINARY).parent().unwrap();
            #[expect(clippy::disallowed_methods, reason = "git has to be found")]
            let path = std::env::var("PATH").unwrap();
            context.set("PATH", format!("{}:{path}", programs.display()));
            assert_eq!(
                transcript(&context, block).join("\n"),
                block.lines.join("\n"),
                "{name}"
            );
            count += 1;
        }
    }
    assert!(count > 0, "no block is marked");
}

#[test]
fn the_commands_that_show_the_history_run_as_their_page_has_them() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1\n")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, "Status: DONE\nFiles changed: ghost.py");
    let page = read("docs/COMMANDS.md");
    let (blocks, _) = split(&page);
    let block = blocks
        .iter()
        .find(|block| {
            block
                .lines
                .first()
                .is_some_and(|line| line == "attest status")
        })
        .unwrap();
    let typed = block.lines.iter().filter(|line| !line.contains("--follow"));
    let mut count = 0;
    for line in typed {
        let words = line.split_whitespace().skip(1);
        let printed = context.attest(words).assert_success();
        assert!(printed.stdout.lines().count() > 0, "{line}: {printed:?}");
        count += 1;
    }
    assert!(count >= 6, "only {count} commands");
    assert!(context.home().join(".attest/report.html").exists());
}

#[test]
fn the_example_of_the_readme_is_what_the_hooks_print() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("parser.py", "one\n")]);
    let (readme, reports) = (read("README.md"), read("docs/REPORTS.md"));
    let (blocks, _) = split(&readme);
    let message = blocks
        .iter()
        .find(|block| {
            block
                .lines
                .first()
                .is_some_and(|line| line.starts_with("Status: "))
        })
        .unwrap()
        .lines
        .join("\n");
    let mut stop = |enforce: &str| {
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::write(repo.join("parser.py"), "two\n").unwrap();
        context.set("ATTEST_ENFORCE", enforce);
        agent.stop_with(&context, &message, &json!({})).0.stdout
    };
    for printed in [stop("0"), stop("1")] {
        let line = printed.trim_end();
        assert!(
            !line.is_empty() && reports.lines().any(|known| known == line),
            "REPORTS lacks {line}"
        );
    }
    context.set("ATTEST_ENFORCE", "0");
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop_with(&context, &message, &json!({}));
    let payload = json!({"session_id": agent.session, "hook_event_name": "Stop"});
    let told = hook(&context, "session-stop", &payload).stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    for line in told["systemMessage"].as_str().unwrap().lines() {
        assert!(
            readme.lines().any(|known| known == line),
            "README lacks {line}"
        );
    }
}

#[test]
fn the_table_of_variables_is_the_registry() {
    let registry = read("crates/base/src/env.rs");
    let (_, registry) = registry.split_once("\nvariables! {\n").unwrap();
    let lines = registry.lines().take_while(|line| *line != "}");
    let values = lines.filter_map(|line| Some(line.split_once(" = \"")?.1.split_once('"')?.0));
    let (ours, others): (BTreeSet<_>, BTreeSet<_>) =
        values.partition(|name| name.starts_with("ATTEST_"));
    let page = read("docs/SETTINGS.md");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `ATTEST_")?.split_once('`'));
    let rows: Vec<_> = rows.map(|(name, _)| format!("ATTEST_{name}")).collect();
    let table: BTreeSet<_> = rows.iter().map(String::as_str).collect();
    assert_eq!(table, ours);
    assert_eq!(table.len(), rows.len(), "a variable is there twice");
    for name in others {
        assert!(
            page.contains(&format!("`{name}`")),
            "SETTINGS does not mention {name}"
        );
    }
}

#[test]
fn the_table_of_crates_is_that_of_the_manifests() {
    let design = read("docs/DESIGN.md");
    let folders = ["crates", "dev"].map(|folder| fs::read_dir(top().join(folder)).unwrap());
    for entry in folders.into_iter().flatten() {
        let manifest = read(entry.unwrap().path().join("Cargo.toml"));
        let name = manifest
            .lines()
            .find_map(|line| line.strip_prefix("name = \""))
            .unwrap();
        let name = name.trim_end_matches('"');
        let row = design
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("DESIGN.md has no row for {name}"));
        let last_cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let shown: BTreeSet<_> = last_cell.split('`').skip(1).step_by(2).collect();
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        let dependencies = dependencies.split("\n[").next().unwrap();
        let known: BTreeSet<_> = dependencies
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|word| word.starts_with("attest-"))
            .collect();
        assert_eq!(shown, known, "{name}");
    }
}

/// The packages that a crate is built with, all the way down.
fn built_with(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}", "--package", package])
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let packages = lines.lines().filter_map(|line| line.split(' ').next());
    packages.map(str::to_owned).collect()
}

/// What sets attest up and what shows the history are for commands.
#[test]
fn the_hooks_know_neither_the_setup_nor_the_history() {
    for package in [
        "attest-base",
        "attest-state",
        "attest-verdict",
        "attest-host",
    ] {
        let known = built_with(package);
        assert!(!known.contains("attest-setup") && !known.contains("attest-history"));
    }
    assert!(!built_with("attest-history").contains("attest-setup"));
    let mut folders = vec![top().join("crates/attest/src/hook")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let names = ["attest_setup", "attest_history"].map(|name| text.contains(name));
            assert_eq!(names, [false; 2], "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} files were looked at");
}

#[test]
fn what_judges_and_what_speaks_to_a_host_knows_neither_git_nor_sqlite() {
    for package in ["attest-evidence", "attest-verdict", "attest-host"] {
        let known = built_with(package);
        assert!(known.contains(package), "{known:?}");
        for library in ["libgit2-sys", "libsqlite3-sys"] {
            assert!(
                !known.contains(library),
                "{package} is built with {library}"
            );
        }
    }
    assert!(!built_with("attest-host").contains("attest-verdict"));
    assert!(!built_with("attest-snapshot").contains("libsqlite3-sys"));
}

/// Whoever has the program of the hooks can be sure that it opens no connection.
#[test]
fn the_program_that_is_a_hook_has_no_code_for_a_network() {
    let known = built_with("attest");
    assert!(known.contains("attest-verdict"), "{known:?}");
    for library in [
        "attest-scripted-host",
        "http",
        "hyper",
        "mio",
        "reqwest",
        "socket2",
        "tokio",
        "ureq",
    ] {
        assert!(!known.contains(library), "attest is built with {library}");
    }
}

#[test]
fn sqlite_is_known_to_the_state_alone() {
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = read(folder.join("Cargo.toml"));
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        let dependencies = dependencies.split("\n[").next().unwrap();
        let is_state = folder.ends_with("state");
        assert_eq!(dependencies.contains("rusqlite"), is_state, "{folder:?}");
    }
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let (_, prose) = split(text);
    let headings = prose.iter().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let (_, prose) = split(&text);
        let prose = prose.join("\n");
        for link in prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") {
                continue;
            }
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            let at = format!("{}: {link}", document.display());
            assert!(target.exists(), "{at}");
            if !fragment.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.contains(fragment), "{at}: only {known:?}");
            }
            count += 1;
        }
    }
    assert!(count > 10, "only {count} links were found");
}

/// A page that the book's table does not name is not in the book.
#[test]
fn every_page_is_in_the_book() {
    let summary = read("docs/SUMMARY.md");
    for entry in fs::read_dir(top().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_page = path.extension().is_some_and(|end| end == "md") && name != "SUMMARY.md";
        assert!(
            !is_page || summary.contains(&format!("]({name})\n")),
            "SUMMARY.md lacks {name}"
        );
    }
}

/// A shell script that does not parse would only show at its end.
#[test]
fn the_install_script_parses() {
    let status = Command::new("sh")
        .arg("-n")
        .arg(top().join("install.sh"))
        .status()
        .unwrap();
    assert!(status.success());
}

/// What is played each week, what the quick set leaves to it, and what the page of the tests has are the same parts.
#[test]
fn every_part_of_full_is_played_each_week_and_named_where_it_is_left_out() {
    let full = read(".ci/full");
    let parts = full.lines().find_map(|line| line.strip_prefix("all=("));
    let parts = parts.and_then(|line| line.strip_suffix(')')).unwrap();
    let parts: BTreeSet<_> = parts.split(' ').collect();

    let workflow = read(".github/workflows/full.yml");
    let mut lines = workflow.lines().map(str::trim);
    let left_out = lines.find_map(|line| line.strip_prefix("# Not here: "));
    let left_out = left_out.and_then(|line| line.split(',').next()).unwrap();
    let played = lines.skip_while(|line| *line != "part:").skip(1);
    let played = played.map_while(|line| line.strip_prefix("- "));
    let played: BTreeSet<_> = played.chain([left_out]).collect();
    assert_eq!(played, parts);

    let quick = read(".ci/run");
    let left = quick.split_once("cat <<'END'\n").unwrap().1;
    let left = left.lines().take_while(|line| *line != "END");
    let left: BTreeSet<_> = left.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(left, parts);

    let page = read("CONTRIBUTING.md");
    for part in parts {
        let name = format!("`{part}`");
        assert!(
            page.contains(&name),
            "CONTRIBUTING.md does not tell of {part}"
        );
    }
}

/// A host is on the page of hosts with what attest does in it, and with what was run of it.
#[test]
fn the_page_of_hosts_has_every_host_and_the_versions_that_are_played() {
    let page = read("docs/HOSTS.md");
    let rows = |name: &str| {
        let row = format!("| `{name}` |");
        page.lines().filter(|line| line.starts_with(&row)).count()
    };
    let hosts: BTreeSet<_> = attest_host::hosts::ALL
        .iter()
        .map(|host| host.name())
        .collect();
    let list = read("tests/hosts/versions.txt");
    let played = attest_scripted_host::driver::list(&list);
    for host in &hosts {
        // What it does, its guard, what was run, its versions, and what it reads of a program that is gone; what it
        // puts around the words of attest, if it is played.
        let is_played = played.iter().any(|it| it.name == *host);
        assert_eq!(rows(host), 5 + usize::from(is_played), "{host}");
    }
    for host in attest_host::hosts::ALL {
        if let attest_host::Support::Tested(tried) = &host.profile().executable.support {
            let row = format!("| `{}` | {} | {} |", host.name(), tried.least, tried.newest);
            assert!(page.contains(&row), "no row {row}");
        }
    }
    for played in played {
        assert!(hosts.contains(played.name.as_str()), "{played:?}");
        let row = format!("| `{}` |", played.name);
        let is_named = |line: &str| line.starts_with(&row) && line.contains(&played.version);
        assert!(
            page.lines().any(is_named),
            "no row {row} has {}",
            played.version
        );
    }
}

/// `cargo xtask words` writes them; what a word means stands in `crates/history/words/` and in the program.
#[test]
fn the_tables_of_words_are_those_of_the_program() {
    let context = TestContext::new();
    let mut pages = context.explained();
    // Those of the settings have a page of their own.
    pages.retain(|page| page["kind"] != "variable");
    let words = read("docs/WORDS.md");
    let rows: Vec<_> = words
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let known = |tier| {
        pages
            .iter()
            .filter(move |page| tier == 0 || page["tier"] == tier)
    };
    let expected: Vec<_> = known(1).chain(known(0)).collect();
    assert_eq!(rows.len(), expected.len(), "run `cargo xtask words`");
    for (row, page) in rows.iter().zip(expected) {
        let [word, meaning] = ["word", "meaning"].map(|field| page[field].as_str().unwrap());
        let begin = format!("| `{word}` | {meaning} |");
        assert!(row.starts_with(&begin), "run `cargo xtask words`: {row}");
        for field in ["more", "advice"] {
            let text = page[field].as_str().unwrap_or_default();
            let is_whole = row.len() == begin.len() || row.contains(text);
            assert!(is_whole, "run `cargo xtask words`: {row}");
        }
    }
    let page = read("crates/snapshot/README.md");
    // The table of doubts says more than what each means, of each and of no other.
    let (_, doubts) = page.split_once("| doubt | stays for |").unwrap();
    let rows = doubts
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|') || line.is_empty());
    let firsts = rows.filter_map(|row| row.split('|').nth(1));
    let named: BTreeSet<_> = firsts
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let of_doubts = pages.iter().filter(|page| page["kind"] == "doubt");
    let known: Vec<_> = of_doubts
        .map(|page| page["word"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, known.iter().map(String::as_str).collect());
}

/// The words in capitals that documents quote are those of the program, or of somebody else whom they name.
#[test]
fn every_word_that_a_document_quotes_is_explained() {
    let pages = TestContext::new().explained();
    let known: BTreeSet<_> = pages
        .iter()
        .map(|page| page["word"].as_str().unwrap())
        .collect();
    let mut count = 0;
    for name in [
        "README.md",
        "SECURITY.md",
        "docs/INSTALL.md",
        "docs/DESIGN.md",
        "crates/claim/README.md",
        "crates/snapshot/README.md",
        "crates/snapshot/READER.md",
        "crates/state/README.md",
        "crates/transcript/README.md",
        "crates/verdict/README.md",
        "docs/LIMITATIONS.md",
        "docs/GATES.md",
        "docs/HOSTS.md",
        "docs/REPORTS.md",
        "docs/SETTINGS.md",
        "docs/COMMANDS.md",
    ] {
        let text = read(name);
        let (_, prose) = split(&text);
        let quoted = prose
            .iter()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        for word in quoted {
            let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
            let is_word = word.contains('_') && word.len() > 3 && word.chars().all(is_part);
            let is_variable = [
                "ATTEST_",
                "GIT_",
                "GITHUB_",
                "CLAUDE_",
                "CODEX_",
                "COPILOT_",
                "OPENCLAW_",
                "OPENCODE_",
                "KILO_",
            ];
            if is_word && !is_variable.iter().any(|prefix| word.starts_with(prefix)) {
                let is_known = known.contains(word) || OF_OTHERS.contains(&word);
                assert!(
                    is_known,
                    "{name} has `{word}`, which `attest explain` does not know"
                );
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// Variables of other programs.
const OF_OTHERS: [&str; 6] = [
    "CAST_DB_PATH",
    "CLICOLOR_FORCE",
    "LC_ALL",
    "LC_CTYPE",
    "NO_COLOR",
    "VERIFY_DELIVERABLES_DISABLED",
];

#[test]
fn the_defaults_of_the_page_are_in_force() {
    let context = TestContext::new();
    let doctor = context.attest(["doctor", "--json"]).stdout;
    let doctor: Value = serde_json::from_str(&doctor).unwrap();
    let page = read("docs/SETTINGS.md");
    let settings = doctor["in_force"].as_array().unwrap();
    let of_default = settings.iter().filter(|it| it["from"] == "default");
    let mut count = 0;
    for setting in of_default {
        let text = |field: &str| setting[field].as_str().unwrap().to_owned();
        let row = format!("| `{}` | ", text("variable"));
        let cell = page.lines().find_map(|line| line.strip_prefix(&row));
        let cell = cell.unwrap_or_else(|| panic!("no {row}"));
        let default = cell.split(" |").next().unwrap().trim_matches('`');
        let home = context.home().display().to_string();
        let value = text("value").replace(&home, "~").replace('\\', "/");
        assert_eq!(default, value, "{row}");
        count += 1;
    }
    assert!(count > 5, "{doctor}");
}

/// Files of the repository that documents name are there.
#[test]
fn every_file_that_a_document_names_is_there() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let (_, prose) = split(&text);
        for name in prose
            .iter()
            .flat_map(|line| line.split('`').skip(1).step_by(2))
        {
            let is_security = document.ends_with("SECURITY.md");
            let name = match name.strip_prefix("hostile/") {
                Some(rest) if is_security => format!("tests/hostile/{rest}"),
                _ => name.to_owned(),
            };
            let folders = [
                "tests/",
                "crates/",
                "dev/",
                "docs/",
                "fixtures/",
                ".ci/",
                "fuzz/",
            ];
            let is_named = folders.iter().any(|folder| name.starts_with(folder));
            let is_plain = !name.contains([' ', '*', '<', '…', '{', '$', '=']);
            if is_named
                && is_plain
                && !document.ends_with("CHANGELOG.md")
                && !is_of_an_example(&name)
            {
                assert!(
                    top().join(&name).exists(),
                    "{} names {name}",
                    document.display()
                );
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// What reports name in examples.
fn is_of_an_example(name: &str) -> bool {
    ["tests/test_parser.py", "dev/null"].contains(&name.trim_start_matches('/'))
}

/// Each check of `doctor` has a row in the table of INSTALL.
#[test]
fn every_check_of_doctor_is_described() {
    let context = TestContext::new();
    let doctor = context.attest(["doctor", "--json"]).stdout;
    let doctor: Value = serde_json::from_str(&doctor).unwrap();
    let install = read("docs/INSTALL.md");
    let checks = doctor["checks"].as_array().unwrap();
    assert!(checks.len() > 4, "{doctor}");
    for check in checks {
        let name = check["name"].as_str().unwrap();
        assert!(
            install.contains(&format!("\n| `{name}` | ")),
            "no row for {name}"
        );
    }
}

/// All Rust below a folder.
fn rust_below(folder: &Path) -> String {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let texts = entries.map(|path| match path.extension() {
        _ if path.is_dir() => rust_below(&path),
        Some(end) if end == "rs" => read(&path),
        _ => String::new(),
    });
    texts.collect()
}

/// What a test is called is seen here; that it is left out under Wine only once a week.
#[test]
fn what_is_left_out_under_wine_is_there() {
    let mut count = 0;
    for line in read("tests/wine/left-out.txt").lines() {
        let Some((program, rest)) = line.split_once(' ').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let folder = match program.strip_prefix("attest_") {
            Some(name) => format!("crates/{name}"),
            None if program == "it" => "tests".to_owned(),
            None => "crates/attest/src".to_owned(),
        };
        let source = rust_below(&top().join(folder));
        let (test, _) = rest.split_once(": ").unwrap();
        let name = test.rsplit("::").next().unwrap();
        let is_there = ["fn", "mod"].iter().any(|word| {
            [" ", "(", ";"]
                .iter()
                .any(|end| source.contains(&format!("{word} {name}{end}")))
        });
        assert!(is_there, "{program} has no {test}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}
