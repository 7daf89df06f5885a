//! The programs that run checks, by their names and first words.

use crate::ran::Of;
use crate::shell::programs::{is_one_of, words};

/// What a program with its words is, as far as checks go.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Check {
        family: String,
        of: Of,
        is_task: bool,
        /// The words that are not part of the family.
        rest: Vec<String>,
    },
    /// The program whose words begin here.
    Runs(usize),
    /// It runs no check.
    Nothing,
    /// Nobody knows.
    Anything,
}

/// Words that say only how it is told, or in what order it works.
const OF_NO_CONCERN: &str = "-q -v -vv -vvv -x -s -ra -rA --quiet --verbose --silent --no-fail-fast --nocapture \
    --color=always --color=never --color=auto --no-color --colors --tb=short --tb=long --tb=line --tb=no --locked \
    --offline --frozen --no-header --maxfail=1 -- run --run --reporter=verbose --reporter=dot --verbose=true -y --yes \
    --console=plain --no-daemon -B --batch-mode --no-progress --ci";
/// Words with which a program runs nothing.
const NO_RUN: &str = "--help --version -V --no-run --collect-only --co --list --list-tests --listTests --dry-run --just-print \
    --showConfig --print-config";
/// Words with which it goes on.
const GOES_ON: &str = "--watch --watchAll -w --looponfail -f";

/// Whether a word says only how a check is told, or in what order it works.
pub(super) fn of_no_concern(word: &str) -> bool {
    is_one_of(OF_NO_CONCERN, word)
}

/// What `name` does with `texts`.
pub(super) fn kind(name: &str, texts: &[&str]) -> Kind {
    if texts.iter().any(|text| is_one_of(NO_RUN, text)) {
        return Kind::Nothing;
    }
    let is_node = is_one_of("npm pnpm yarn bun", name);
    let watches = |text: &&str| is_one_of(GOES_ON, text) || text.starts_with("--watch");
    if !is_node && is_one_of("jest vitest tsc cargo mocha ava", name) && texts.iter().any(watches) {
        return Kind::Anything;
    }
    match name {
        "cargo" => cargo(texts),
        "go" => go(texts),
        _ if is_node => node(name, texts),
        "make" | "gmake" | "just" | "task" | "rake" | "mage" | "invoke" | "inv" => {
            tasks(name, texts)
        }
        "gradle" | "gradlew" | "mvn" | "mvnw" => java(name, texts),
        "python" | "python2" | "python3" | "pypy" | "pypy3" => python(texts),
        "poetry" | "uv" | "pipenv" | "bundle" | "hatch" | "pdm" | "rye" | "conda" | "mise" => {
            environment(name, texts)
        }
        _ => tool(name, texts),
    }
}

fn check(family: String, of: Of, is_task: bool, rest: &[&str]) -> Kind {
    let rest = rest.iter().filter(|word| !of_no_concern(word));
    Kind::Check {
        family,
        of,
        is_task,
        rest: rest.map(|word| (*word).to_owned()).collect(),
    }
}

/// A program that is one check, or is one with these first words.
fn tool(name: &str, texts: &[&str]) -> Kind {
    let first = texts.first().copied().unwrap_or_default();
    let has = |word: &str| texts.contains(&word);
    let whole = |of| check(name.to_owned(), of, false, texts);
    let verb = |of, is_task| {
        check(
            format!("{name} {first}"),
            of,
            is_task,
            texts.get(1..).unwrap_or_default(),
        )
    };
    match (name, first) {
        ("pytest" | "py.test", _) => check("pytest".to_owned(), Of::Tests, false, texts),
        ("ctest" | "rspec" | "phpunit" | "jest" | "vitest" | "mocha" | "ava" | "nosetests", _) => {
            whole(Of::Tests)
        }
        ("tox" | "nox", _) => check(name.to_owned(), Of::Anything, true, texts),
        ("tsc" | "vue-tsc" | "mypy" | "pyright" | "basedpyright", _) => whole(Of::Types),
        (
            "eslint" | "flake8" | "pylint" | "stylelint" | "golangci-lint" | "shellcheck"
            | "rubocop" | "ktlint" | "swiftlint" | "hadolint" | "actionlint" | "markdownlint",
            _,
        ) => whole(Of::Lint),
        ("black" | "isort" | "prettier" | "rustfmt", _) => {
            if has("--check") || has("-c") || has("--check-only") {
                whole(Of::Lint)
            } else {
                Kind::Nothing
            }
        }
        ("ruff", "format") if !has("--check") => Kind::Nothing,
        ("ruff", "check" | "format")
        | ("biome", "check" | "lint" | "ci")
        | ("deno", "lint" | "check") => verb(Of::Lint, false),
        ("dotnet" | "mix" | "swift" | "zig" | "deno" | "flutter" | "dart" | "sbt", "test") => {
            verb(Of::Tests, false)
        }
        ("dotnet" | "swift" | "zig" | "flutter", "build") | ("mix", "compile") => {
            verb(Of::Build, false)
        }
        ("rails" | "artisan", "test") => verb(Of::Tests, true),
        ("playwright", "test") | ("cypress", "run") => verb(Of::Tests, false),
        (
            "pip" | "pip3" | "apt" | "apt-get" | "brew" | "dnf" | "apk" | "nvm" | "rustup"
            | "gofmt" | "goimports",
            _,
        ) => Kind::Nothing,
        _ => Kind::Anything,
    }
}

fn cargo(texts: &[&str]) -> Kind {
    let mut at = 0;
    while let Some(text) = texts.get(at) {
        match *text {
            "-C" | "--manifest-path" | "--config" | "-Z" | "--color" => at += 2,
            text if text.starts_with(['-', '+']) => at += 1,
            _ => break,
        }
    }
    let Some(verb) = texts.get(at) else {
        return Kind::Nothing;
    };
    let rest: Vec<_> = [&texts[..at], &texts[at + 1..]].concat();
    let of = |verb: &str, of| check(format!("cargo {verb}"), of, false, &rest);
    match *verb {
        "test" | "t" => of("test", Of::Tests),
        "nextest" if rest.contains(&"run") => of("nextest", Of::Tests),
        "build" | "b" => of("build", Of::Build),
        "check" | "c" => of("check", Of::Build),
        "clippy" => of("clippy", Of::Lint),
        "fmt" if rest.contains(&"--check") => of("fmt", Of::Lint),
        "fmt" | "add" | "remove" | "rm" | "update" | "tree" | "metadata" | "clean" | "fetch"
        | "init" | "new" | "search" | "install" | "generate-lockfile" | "locate-project"
        | "version" | "help" | "fix" | "doc" => Kind::Nothing,
        _ => Kind::Anything,
    }
}

fn go(texts: &[&str]) -> Kind {
    let rest = texts.get(1..).unwrap_or_default();
    match texts.first().copied().unwrap_or_default() {
        "test" => check("go test".to_owned(), Of::Tests, false, rest),
        "build" => check("go build".to_owned(), Of::Build, false, rest),
        "vet" => check("go vet".to_owned(), Of::Lint, false, rest),
        "fmt" | "mod" | "get" | "version" | "env" | "list" | "doc" | "install" | "clean"
        | "work" | "help" => Kind::Nothing,
        _ => Kind::Anything,
    }
}

/// Managers of packages, which run what a project calls so.
fn node(name: &str, texts: &[&str]) -> Kind {
    const WITH_VALUE: &str =
        "--prefix -w --workspace --filter -F -C --dir --cwd --loglevel --reporter";
    let verb = |from: usize| {
        let mut at = from;
        while let Some(text) = texts.get(at) {
            match *text {
                text if is_one_of(WITH_VALUE, text) => at += 2,
                text if text.starts_with('-') => at += 1,
                _ => return Some(at),
            }
        }
        None
    };
    let Some(at) = verb(0) else {
        return if name == "yarn" || texts.is_empty() {
            Kind::Nothing
        } else {
            Kind::Anything
        };
    };
    let script = |at: usize| {
        let name_of = if is_one_of("t tst", texts[at]) {
            "test"
        } else {
            texts[at]
        };
        let rest = texts[..at]
            .iter()
            .filter(|it| !is_one_of("run run-script", it));
        let rest: Vec<_> = rest.chain(&texts[at + 1..]).copied().collect();
        match of_task(name_of) {
            Some(of) => check(format!("{name} {name_of}"), of, true, &rest),
            None => Kind::Anything,
        }
    };
    match texts[at] {
        "test" | "t" | "tst" => script(at),
        "run" | "run-script" => verb(at + 1).map_or(Kind::Nothing, script),
        "exec" | "x" | "dlx" => {
            let rest = texts[at + 1..].iter();
            let options = rest.take_while(|text| text.starts_with('-')).count();
            Kind::Runs(at + 1 + options)
        }
        "install" | "i" | "ci" | "add" | "remove" | "rm" | "uninstall" | "update" | "up"
        | "upgrade" | "why" | "list" | "ls" | "info" | "view" | "init" | "link" | "unlink"
        | "cache" | "config" | "outdated" | "pack" | "version" | "dedupe" | "store" | "audit"
        | "set" | "get" | "root" | "prune" | "pkg" | "whoami" => Kind::Nothing,
        _ if name == "npm" => Kind::Anything,
        // The program of a package, or a script.
        text => match (tool(text, &texts[at + 1..]), of_task(text)) {
            (Kind::Anything, Some(_)) => script(at),
            (Kind::Anything, None) => Kind::Anything,
            _ => Kind::Runs(at),
        },
    }
}

fn tasks(name: &str, texts: &[&str]) -> Kind {
    const WITH_VALUE: &str = "-C --directory -f --file -j -I -o -l --justfile -d";
    let mut names = Vec::new();
    let mut rest = Vec::new();
    let mut all = texts.iter();
    while let Some(text) = all.next() {
        if is_one_of(WITH_VALUE, text) {
            rest.push(*text);
            rest.extend(all.next());
        } else if text.starts_with('-') || text.contains('=') {
            rest.push(*text);
        } else {
            names.push(*text);
        }
    }
    let of = match names.as_slice() {
        [] if is_one_of("just task invoke inv", name) => return Kind::Anything,
        [] => Some(Of::Anything),
        // What follows the name of a recipe are its arguments.
        [first, ..] if name == "just" => of_task(first),
        [one] => of_task(one),
        all if all.iter().all(|it| of_task(it).is_some()) => Some(Of::Anything),
        _ => None,
    };
    match of {
        Some(of) => {
            let family = [&[name], names.as_slice()].concat().join(" ");
            check(family, of, true, &rest)
        }
        None if names
            .iter()
            .all(|name| is_one_of("clean fmt format install deps", name)) =>
        {
            Kind::Nothing
        }
        None => Kind::Anything,
    }
}

fn java(name: &str, texts: &[&str]) -> Kind {
    let is_option = |text: &&&str| text.starts_with('-');
    let (rest, names): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| is_option(text));
    let names: Vec<_> = names.into_iter().filter(|name| *name != "clean").collect();
    let of = |name: &&str| {
        let task = name.rsplit(':').next().unwrap_or(name);
        match task {
            "package" | "install" | "assemble" | "classes" | "bootJar" | "jar" | "test-compile"
            | "compileJava" | "compileKotlin" | "compileTestJava" => Some(Of::Build),
            _ => of_task(task),
        }
    };
    let kinds: Option<Vec<_>> = names.iter().map(of).collect();
    let of = match kinds.as_deref() {
        Some([]) => return Kind::Nothing,
        Some([one]) => *one,
        Some(_) => Of::Anything,
        None => return Kind::Anything,
    };
    // The wrapper runs the same.
    let name = name
        .strip_suffix('w')
        .filter(|_| name != "mvnw")
        .unwrap_or(name);
    let name = if name == "mvnw" { "mvn" } else { name };
    check(
        [&[name], names.as_slice()].concat().join(" "),
        of,
        true,
        &rest,
    )
}

fn python(texts: &[&str]) -> Kind {
    let at = texts
        .iter()
        .position(|text| !is_one_of("-u -B -s -I -E -O", text));
    match at.map(|at| &texts[at..]) {
        Some(["-m", "unittest", rest @ ..]) => check("unittest".to_owned(), Of::Tests, false, rest),
        Some(["-m", "coverage", "run", "-m", ..]) => Kind::Runs(at.unwrap_or(0) + 4),
        Some(["-m", "pip" | "venv" | "virtualenv" | "json.tool", ..]) => Kind::Nothing,
        Some(["-m", "py_compile" | "compileall", rest @ ..]) => {
            check("py_compile".to_owned(), Of::Build, false, rest)
        }
        Some(["-m", ..]) => Kind::Runs(at.unwrap_or(0) + 1),
        _ => Kind::Anything,
    }
}

/// A program in the environment of a project.
fn environment(name: &str, texts: &[&str]) -> Kind {
    let at = texts.iter().position(|text| !text.starts_with('-'));
    match at.map(|at| texts[at]) {
        Some("run" | "exec" | "x") => {
            let at = at.unwrap_or(0) + 1;
            let mut skip = at;
            while let Some(text) = texts.get(skip) {
                skip += match *text {
                    "--with" | "--extra" | "--group" | "--python" | "-p" | "-n" | "--package"
                    | "--project" | "--directory" | "--env-file" => 2,
                    text if text.starts_with('-') => 1,
                    _ => break,
                };
            }
            Kind::Runs(skip)
        }
        Some(
            "add" | "remove" | "lock" | "sync" | "install" | "update" | "pip" | "venv" | "init"
            | "show" | "tree" | "config" | "python" | "use" | "list",
        ) if name != "bundle" => Kind::Nothing,
        Some("install" | "update" | "add" | "config") => Kind::Nothing,
        _ => Kind::Anything,
    }
}

/// What a task of this name checks; `None` if it may do anything.
pub(super) fn of_task(task: &str) -> Option<Of> {
    let words: Vec<_> = words(task).collect();
    let has = |list: &str| words.iter().any(|word| is_one_of(list, word));
    if has("new create generate scaffold deploy publish watch update dev start serve") {
        return None;
    }
    if has("test tests e2e spec specs unit integration coverage") {
        Some(Of::Tests)
    } else if has("typecheck types tsc mypy pyright") || has("type") && has("check") {
        Some(Of::Types)
    } else if has("lint eslint clippy ruff prettier stylelint") || has("format fmt") && has("check")
    {
        Some(Of::Lint)
    } else if has("build compile") {
        Some(Of::Build)
    } else if has("check checks ci verify validate all qa") {
        Some(Of::Anything)
    } else {
        None
    }
}
