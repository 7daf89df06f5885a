//! `attest check --init`: a criteria file to begin with, which fits what the folder holds.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attest_shell::programs;
use serde_json::Value;
use thiserror::Error;

use attest_base::criteria::path_in;

/// Why no file was written.
#[derive(Debug, Error)]
pub(super) enum StarterError {
    #[error("{path:?} is there already; nothing was written")]
    Exists { path: PathBuf },
    #[error("cannot write {path:?}")]
    Write { path: PathBuf, source: io::Error },
}

/// Writes the file, which must not be there yet, and gives its path.
pub(super) fn write(named: Option<&Path>, folder: &Path) -> Result<PathBuf, StarterError> {
    let path = named.map_or_else(|| path_in(folder), |named| folder.join(named));
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| {
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)?;
            file.write_all(text(folder).as_bytes())
        });
    match written {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(StarterError::Exists { path })
        }
        Err(source) => Err(StarterError::Write { path, source }),
    }
}

/// One item to begin with.
struct Suggestion {
    item: &'static str,
    command: &'static str,
    timeout: &'static str,
}

fn text(folder: &Path) -> String {
    let mut text = String::from(HEAD);
    let suggestions = suggestions(folder);
    for Suggestion {
        item,
        command,
        timeout,
    } in &suggestions
    {
        text.push_str(&format!(
            "    - item: {item}\n      check:\n        type: command\n        value: {command}\n        \
             timeout: {timeout}\n"
        ));
    }
    if suggestions.is_empty() {
        text.push_str(PLAIN);
    }
    text.push_str(TAIL);
    text
}

fn suggestions(folder: &Path) -> Vec<Suggestion> {
    // Of those of one row the first that is there says all.
    const FILES: [&[&str]; 5] = [
        &["Cargo.toml"],
        &["package.json"],
        &[
            "pytest.ini",
            "pyproject.toml",
            "tox.ini",
            "setup.cfg",
            "conftest.py",
        ],
        &["go.mod"],
        &["Makefile", "makefile", "GNUmakefile"],
    ];
    let mut found = Vec::new();
    for files in FILES {
        let says_enough = |name: &&&str| match **name {
            "package.json" => has_npm_tests(folder),
            name if name.ends_with("akefile") => found.is_empty() && has_tests(&folder.join(name)),
            _ => true,
        };
        let is_there = |name: &&&str| folder.join(name).is_file();
        let file = files
            .iter()
            .find(|name| is_there(name) && says_enough(name));
        let suggested = file
            .into_iter()
            .flat_map(|file| programs::suggested_by(file));
        found.extend(suggested.map(|(item, command)| Suggestion {
            item,
            command,
            timeout: "10m",
        }));
    }
    found
}

/// A package without a test script makes `npm test` fail.
fn has_npm_tests(folder: &Path) -> bool {
    let package = fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    let package: Value = serde_json::from_str(&package).unwrap_or_default();
    package["scripts"]["test"].is_string()
}

fn has_tests(makefile: &Path) -> bool {
    let makefile = fs::read_to_string(makefile).unwrap_or_default();
    makefile.lines().any(|line| line.starts_with("test:"))
}

const HEAD: &str = "\
# What done means here. `attest check` checks it; `attest trust` lets its commands run.
# More types, groups and rubrics: docs/CRITERIA.md of attest, and `attest check --schema`.
base_case:
  checklist:
";

const PLAIN: &str = "    \
    # - item: tests pass
    #   check:
    #     type: command # put the command of your tests here
    #     value: ./run-tests
    - item: there is a README
      check:
        type: file
        value: \"README*\"
";

const TAIL: &str = "    \
    - item: nothing is left over
      check:
        type: not_file
        value: \"**/*.{orig,rej}\"
    # - item: no debugging output
    #   check:
    #     type: not_command # has to fail: grep ends with 1 where it finds nothing
    #     value: grep -rn 'dbg!(' src
    # - item: either is enough
    #   any_of:
    #     - item: a changelog entry
    #       check: {type: file, value: CHANGELOG.md, contains: Unreleased}
    #     - item: a news fragment
    #       check: {type: file, value: \"changes/*.md\"}
    # - item: the documentation is right
    #   check:
    #     type: assertion # for a person
    #     value: The README describes the new behaviour.
";

#[cfg(test)]
mod tests {
    use attest_checklist::Criteria;
    use tempfile::TempDir;

    use super::*;

    fn commands(files: &[(&str, &str)]) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let criteria = Criteria::parse(&text(folder.path())).unwrap();
        let checks = criteria.checks();
        let commands = checks.iter().flat_map(|(_, check)| check.commands());
        commands.map(str::to_owned).collect()
    }

    #[test]
    fn it_fits_what_the_folder_holds() {
        for (file, content, command) in [
            ("Cargo.toml", "", "cargo test --workspace"),
            (
                "package.json",
                r#"{"scripts": {"test": "jest"}}"#,
                "npm test",
            ),
            ("pytest.ini", "", "python -m pytest -q"),
            ("go.mod", "", "go vet ./... && go test ./..."),
            ("Makefile", "all:\n\ntest: all\n\ttrue\n", "make test"),
        ] {
            assert_eq!(commands(&[(file, content)])[0], command, "{file}");
        }
        for (file, content) in [
            ("package.json", "{}"),
            ("Makefile", "all:\n"),
            ("README.md", ""),
        ] {
            assert!(commands(&[(file, content)]).is_empty(), "{file}");
        }
        let both = commands(&[("Cargo.toml", ""), ("go.mod", ""), ("Makefile", "test:\n")]);
        assert_eq!(both.len(), 3);
    }

    /// What is commented out has to be right as well.
    #[test]
    fn its_comments_are_criteria_too() {
        let uncommented = TAIL.replace("    # ", "    ");
        let criteria = Criteria::parse(&format!("{HEAD}{uncommented}")).unwrap();
        assert_eq!(criteria.items.len(), 4);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = TempDir::new().unwrap();
        let path = write(None, folder.path()).unwrap();
        fs::write(&path, "mine").unwrap();
        assert!(matches!(
            write(None, folder.path()),
            Err(StarterError::Exists { .. })
        ));
        assert_eq!(fs::read_to_string(path).unwrap(), "mine");
    }
}
