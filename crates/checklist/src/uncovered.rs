//! What a command line runs without showing it: `make test` runs the Makefile, which can change
//! while the criteria file stays the same.
//!
//! A person reads this before trusting a line. Only common programs that run what a repository
//! contains are known; any other program is not named.

/// A command of a line, and what it runs that the line does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncovered {
    /// The command alone, without the rest of the line.
    pub command: String,
    /// What it runs, in words.
    pub runs: String,
}

/// Programs, and what they run from a repository.
const PROGRAMS: &[(&[&str], &str)] = &[
    (&["make", "gmake"], "the Makefile"),
    (
        &["npm", "yarn", "pnpm", "bun"],
        "the scripts of package.json and the installed packages",
    ),
    (&["npx", "pnpx", "bunx"], "the installed packages"),
    (&["deno"], "the tasks and the code"),
    (&["cargo"], "the code, the tests and the build scripts"),
    (&["go"], "the code and the tests"),
    (&["just"], "the justfile"),
    (&["task", "go-task"], "the Taskfile"),
    (&["tox"], "the tox settings and the tests"),
    (&["nox"], "noxfile.py"),
    (&["pytest", "py.test"], "the tests and conftest.py"),
    (
        &["uv", "poetry", "pdm", "hatch", "pipenv"],
        "the code and the settings of the project",
    ),
    (
        &["pre-commit", "prek", "lefthook"],
        "the hooks that its settings name",
    ),
    (&["rake"], "the Rakefile"),
    (
        &["bundle", "rspec", "rails"],
        "the code, the tests and the Gemfile",
    ),
    (
        &["mvn", "gradle", "ant", "sbt"],
        "the build file, its plugins and the tests",
    ),
    (
        &["dotnet", "msbuild", "mix", "rebar3"],
        "the project files and the tests",
    ),
    (
        &["composer", "phpunit"],
        "the scripts of composer.json and the tests",
    ),
    (
        &["jest", "vitest", "mocha", "eslint", "tsx", "ts-node"],
        "the code and its settings",
    ),
    (
        &[
            "cmake", "ctest", "ninja", "meson", "bazel", "buck2", "scons",
        ],
        "the build files",
    ),
    (
        &["swift", "zig", "stack", "cabal", "flutter", "dart"],
        "the code and the build files",
    ),
    (
        &["docker", "podman", "nix", "nix-build", "vagrant"],
        "the files that describe what it builds",
    ),
];

/// Programs that run the file given as their first plain argument.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "fish",
    "python",
    "python2",
    "python3",
    "node",
    "nodejs",
    "ruby",
    "perl",
    "php",
    "lua",
    "Rscript",
    "julia",
    "pwsh",
    "powershell",
    "osascript",
    "tclsh",
    "source",
    ".",
];

/// Words that come before a command and are not commands themselves.
const PREFIX_WORDS: &[&str] = &[
    "!", "if", "then", "elif", "else", "while", "until", "do", "{", "time", "env", "exec",
    "command", "nohup", "nice", "sudo", "xargs", "builtin", "eval",
];

/// The commands of `line`, as a shell sees them, that run something the line does not show.
#[must_use]
pub fn uncovered(line: &str) -> Vec<Uncovered> {
    let mut found = Vec::new();
    for command in commands(line) {
        if let Some(runs) = runs(&command, &mut found) {
            let command = command.join(" ");
            found.push(Uncovered { command, runs });
        }
    }
    found.dedup();
    found
}

fn runs(words: &[String], found: &mut Vec<Uncovered>) -> Option<String> {
    let (path, arguments) = words.split_first()?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let known = PROGRAMS.iter().find(|(names, _)| names.contains(&name));
    if let Some((_, runs)) = known {
        return Some((*runs).to_owned());
    }
    if name.starts_with("python") || INTERPRETERS.contains(&name) {
        return interpreted(arguments, found);
    }
    // `./gradlew`, `scripts/test.sh`: a program of the repository.
    (!path.starts_with('/') && path.contains('/')).then(|| path.clone())
}

/// What an interpreter is given: a file, a module, or a line that is searched as well.
fn interpreted(arguments: &[String], found: &mut Vec<Uncovered>) -> Option<String> {
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
            found.extend(next().map_or_else(Vec::new, |line| uncovered(line)));
            None
        }
        file if file.starts_with('/') => None,
        file => Some(file.to_owned()),
    }
}

/// The commands of a line, each as its words: without quotes, assignments and words like `if`.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut words = Words::default();
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match (quote, char) {
            // A command may also be inside double quotes.
            (None | Some('"'), '$') if chars.peek() == Some(&'(') => {
                chars.next();
                quote = None;
                words.end_command();
            }
            (None | Some('"'), '`') | (None, ';' | '|' | '&' | '\n' | '(' | ')') => {
                words.end_command();
            }
            (Some(open), _) if char == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(char);
                words.extend(None);
            }
            (None | Some('"'), '\\') => words.extend(chars.next()),
            (None, char) if char.is_whitespace() => words.end_word(),
            _ => words.extend(Some(char)),
        }
    }
    words.end_command();
    words.commands.into_iter().map(stripped).collect()
}

#[derive(Default)]
struct Words {
    commands: Vec<Vec<String>>,
    command: Vec<String>,
    word: Option<String>,
}

impl Words {
    /// Adds to the word, which exists from then on even if it is empty.
    fn extend(&mut self, char: Option<char>) {
        self.word.get_or_insert_default().extend(char);
    }

    fn end_word(&mut self) {
        self.command.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        self.commands.push(std::mem::take(&mut self.command));
    }
}

fn stripped(words: Vec<String>) -> Vec<String> {
    let is_prefix = |word: &String| {
        let name = word.split('=').next().unwrap_or(word);
        let is_assignment = name.len() < word.len()
            && name
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || char == '_');
        is_assignment || PREFIX_WORDS.contains(&word.as_str())
    };
    words.into_iter().skip_while(is_prefix).collect()
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
