//! What a command line runs without showing it: `make test` runs the Makefile, which can change
//! while the criteria file stays the same.
//!
//! A person reads this before trusting a line. Only common programs that run what a repository
//! contains are known; any other program is not named.

use attest_shell::programs::{self, Effect};
use attest_shell::{List, Node, Word, parse};

/// Commands in each other.
const MAX_DEPTH: usize = 8;

/// A command of a line, and what it runs that the line does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncovered {
    /// The command alone, without the rest of the line.
    pub command: String,
    /// What it runs, in words.
    pub runs: String,
}

/// The commands of `line`, as a shell sees them, that run something the line does not show.
#[must_use]
pub fn uncovered(line: &str) -> Vec<Uncovered> {
    let mut found = Vec::new();
    of_list(&parse(line).list, &mut found, MAX_DEPTH);
    found.dedup();
    found
}

fn of_list(list: &List, found: &mut Vec<Uncovered>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for node in list.nodes() {
        let (words, redirects) = match node {
            Node::Simple(simple) => (&simple.words, &simple.redirects),
            Node::Group(group) => (&group.words, &group.redirects),
        };
        let words = words.iter().chain(redirects.iter().map(|it| &it.target));
        for inner in words.flat_map(Word::commands) {
            of_list(inner, found, depth);
        }
        match node {
            Node::Simple(simple) => {
                let words: Vec<_> = simple
                    .behind_assignments()
                    .iter()
                    .map(Word::shown)
                    .collect();
                of_command(&words, found, depth);
            }
            Node::Group(group) => group.lists.iter().for_each(|it| of_list(it, found, depth)),
        }
    }
}

fn of_command(words: &[String], found: &mut Vec<Uncovered>, depth: usize) {
    let mut words = words;
    while let Some((path, arguments)) = words.split_first() {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        // `python3.12` is another version of one that is known.
        let name = if name.starts_with("python") {
            "python"
        } else {
            name
        };
        let program = programs::of(name);
        let effect = program.map(|it| it.effect(&[]));
        let runs = match program {
            Some(program) if program.runs().is_some() => program.runs().map(str::to_owned),
            Some(program) if program.is("file") => interpreted(arguments, found, depth),
            Some(_)
                if matches!(
                    effect,
                    Some(Effect::Runs | Effect::RunsWithInput | Effect::Evaluates)
                ) =>
            {
                let is_before = |word: &&String| word.starts_with('-') || word.contains('=');
                let before = arguments.iter().take_while(is_before).count();
                words = &arguments[before..];
                continue;
            }
            // `./gradlew`, `scripts/test.sh`: a program of the repository.
            _ => (!path.starts_with('/') && path.contains('/')).then(|| path.clone()),
        };
        found.extend(runs.map(|runs| Uncovered {
            command: words.join(" "),
            runs,
        }));
        return;
    }
}

/// What an interpreter is given: a file, a module, or a line that is searched as well.
fn interpreted(arguments: &[String], found: &mut Vec<Uncovered>, depth: usize) -> Option<String> {
    let first = arguments.iter().position(|word| {
        !word.starts_with('-') || matches!(word.as_str(), "-m" | "-c" | "-lc" | "-ec" | "-xc")
    })?;
    let next = || arguments.get(first + 1);
    match arguments[first].as_str() {
        "-m" => next().map(|module| match module.as_str() {
            "pytest" | "unittest" => "the tests and what they load".to_owned(),
            module => format!("the module {module}"),
        }),
        text if text.starts_with('-') => {
            if let Some(line) = next() {
                of_list(&parse(line).list, found, depth);
            }
            None
        }
        file if file.starts_with('/') => None,
        file => Some(file.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let found = uncovered(line).into_iter();
        found
            .map(|one| format!("{}: {}", one.command, one.runs))
            .collect()
    }

    #[test]
    fn what_a_line_does_not_show_is_named() {
        for (line, expected) in [
            ("make test", &["make test: the Makefile"][..]),
            (
                "CI=1 /usr/bin/make -C sub",
                &["/usr/bin/make -C sub: the Makefile"],
            ),
            ("test -f a && ! grep x b | wc -l; true", &[]),
            ("/usr/bin/grep -r x . || /opt/check", &[]),
            (
                "./scripts/test.sh --all",
                &["./scripts/test.sh --all: ./scripts/test.sh"],
            ),
            ("sh -e ci/run", &["sh -e ci/run: ci/run"]),
            ("sh -c 'cd a && just build'", &["just build: the justfile"]),
            (". ./env.sh", &[". ./env.sh: ./env.sh"]),
            (
                "python -m pytest -q",
                &["python -m pytest -q: the tests and what they load"],
            ),
            (
                "python3.12 tools/x.py",
                &["python3.12 tools/x.py: tools/x.py"],
            ),
            (
                "if tox; then echo \"$(npm test)\"; fi",
                &[
                    "tox: the tox settings and the tests",
                    "npm test: the scripts of package.json and the installed packages",
                ],
            ),
            (
                "go vet ./... && go test ./...",
                &[
                    "go vet ./...: the code and the tests",
                    "go test ./...: the code and the tests",
                ],
            ),
            ("echo 'make test; npm test'", &[]),
            ("printf '%s' \"make\" \\; make", &[]),
            (
                "(task a & cargo test)",
                &[
                    "task a: the Taskfile",
                    "cargo test: the code, the tests and the build scripts",
                ],
            ),
            ("", &[]),
            ("'unclosed", &[]),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }
}
