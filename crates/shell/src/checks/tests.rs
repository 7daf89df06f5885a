mod understood;

use super::*;
use crate::programs::Of;
use crate::run::RunEnding;

/// What one command says of its checks if it ends with this status, and prints no more than that: "cargo test" with
/// `+` if it passed, `-` if it failed and `?` if that is not shown. A `*` behind them says that it may have run any
/// other check, an `h` that hooks of git ran, an `&` that something goes on.
fn ends(command: &str, status: i32) -> String {
    let command = Shell::default().read(command, None);
    let mut said: Vec<_> = command
        .seen
        .iter()
        .map(|seen| {
            let sign = match status {
                0 if seen.sight.of_success => '+',
                1.. if seen.sight.of_failure => '-',
                _ => '?',
            };
            assert_eq!(seen.run.ending, RunEnding::Unknown);
            let folder = if seen.run.folder.is_empty() {
                String::new()
            } else {
                format!("{}: ", seen.run.folder)
            };
            format!("{folder}{}{sign}", seen.run.shown())
        })
        .collect();
    said.extend(match command.more {
        More::Nothing => None,
        More::Hooks => Some("h".to_owned()),
        More::Anything => Some("*".to_owned()),
    });
    said.extend(command.is_left_running.then(|| "&".to_owned()));
    said.join(" ")
}

#[track_caller]
fn check(command: &str, passed: &str, failed: &str) {
    assert_eq!(ends(command, 0), passed, "{command} with 0");
    assert_eq!(ends(command, 1), failed, "{command} with 1");
}

#[test]
fn a_check_is_found_however_it_is_begun() {
    for (command, found) in [
        ("cargo test", "cargo test"),
        (
            "cargo +nightly test --workspace",
            "cargo test +nightly --workspace",
        ),
        ("RUST_LOG=x cargo test -q 2>&1", "cargo test"),
        ("time cargo test", "cargo test"),
        ("sudo -u me cargo test", "cargo test"),
        ("timeout 600 npm test", "npm test"),
        ("env CI=1 npm test", "npm test"),
        ("npm run test", "npm test"),
        ("npm t", "npm test"),
        ("npm --prefix web test", "npm test --prefix web"),
        ("pnpm run test:unit", "pnpm test:unit"),
        ("yarn test", "yarn test"),
        ("yarn jest a.test.js", "jest a.test.js"),
        ("npx jest", "jest"),
        ("npx --yes vitest run", "vitest"),
        ("pnpm exec tsc --noEmit", "tsc --noEmit"),
        (
            "python -m pytest tests/test_a.py -q",
            "pytest tests/test_a.py",
        ),
        ("python3 -m unittest", "unittest"),
        (".venv/bin/pytest", "pytest"),
        ("./node_modules/.bin/eslint src", "eslint src"),
        ("uv run pytest", "pytest"),
        ("uv run --with x pytest", "pytest"),
        ("poetry run pytest -x", "pytest"),
        ("bundle exec rspec", "rspec"),
        ("go test ./...", "go test ./..."),
        ("./gradlew test", "gradle test"),
        ("mvn -q test", "mvn test"),
        ("./mvnw clean verify", "mvn verify"),
        ("make test", "make test"),
        ("make -C web test", "make test -C web"),
        ("just ci", "just ci"),
        ("dotnet test", "dotnet test"),
        ("bash -c 'cargo test'", "cargo test"),
        ("bash -lc \"cargo test\"", "cargo test"),
        ("bash <<'E'\ncargo test\nE", "cargo test"),
        ("ruff check .", "ruff check ."),
        ("python manage.py test app", "manage.py test app"),
        ("./manage.py test", "manage.py test"),
        ("bin/rails test", "rails test"),
        ("gotestsum -- ./...", "gotestsum ./..."),
        ("bazel test //...", "bazel test //..."),
        ("composer test", "composer test"),
        ("meson test -C build", "meson test -C build"),
        ("bats test", "bats test"),
        ("docker build -t x .", "docker build -t x ."),
        ("mise run test", "mise test"),
        ("(cargo test)", "cargo test"),
        ("cargo test > out.txt 2>&1", "cargo test"),
    ] {
        check(command, &format!("{found}+"), &format!("{found}-"));
    }
}

#[test]
fn what_is_in_front_of_it_or_behind_it_decides_what_is_seen() {
    for (command, passed, failed) in [
        ("cd web && npm test", "web: npm test+", "web: npm test-"),
        ("cd /w; npm test", "/w: npm test+", "/w: npm test-"),
        ("(cd web && npm test)", "web: npm test+", "web: npm test-"),
        ("export CI=1\nnpm test", "npm test+", "npm test-"),
        ("npm test && echo ok", "npm test+", "npm test-"),
        ("source .venv/bin/activate && pytest", "pytest+", "pytest-"),
        // Which of them failed is not seen.
        (
            "npm run build && npm test",
            "npm build+ npm test+",
            "npm build? npm test?",
        ),
        ("git add . && npm test", "npm test+", "npm test?"),
        // Hidden.
        ("npm test | tail -5", "npm test?", "npm test?"),
        (
            "npm test 2>&1 | tail -5; echo done",
            "npm test?",
            "npm test?",
        ),
        ("npm test || true", "npm test?", "npm test?"),
        ("npm test; echo $?", "npm test?", "npm test?"),
        ("npm test\necho \"exit: $?\"", "npm test?", "npm test?"),
        ("! npm test", "npm test?", "npm test?"),
        ("OUT=$(npm test)", "npm test?", "npm test?"),
        ("echo \"$(npm test)\"", "npm test?", "npm test?"),
        ("if npm test; then echo ok; fi", "npm test?", "npm test?"),
        ("bash -c 'npm test | tail'", "npm test?", "npm test?"),
        ("npm test &", "npm test? &", "npm test? &"),
        ("coproc npm test", "npm test? &", "npm test? &"),
        ("hash -p /bin/true npm; npm test", "npm test?", "npm test?"),
        ("read PATH < places; npm test", "npm test?", "npm test-"),
        ("printf -v PATH %s bin; npm test", "npm test?", "npm test-"),
        ("readonly A; A=b; npm test", "npm test?", "npm test?"),
        ("((npm test))", "npm test?", "npm test?"),
        ("! cd web && npm test", "web: npm test+", "web: npm test?"),
        (
            "nohup npm test > log &\nsleep 5",
            "npm test? &",
            "npm test? &",
        ),
        // A pipe that tells.
        (
            "set -o pipefail; npm test | tail -5",
            "npm test+",
            "npm test-",
        ),
        (
            "set -euo pipefail\nnpm test 2>&1 | tee log",
            "npm test+",
            "npm test-",
        ),
        (
            "bash -o pipefail -c 'npm test | tail'",
            "npm test+",
            "npm test-",
        ),
        (
            "set -o pipefail; npm test | grep x",
            "npm test+",
            "npm test?",
        ),
        (
            "set -o pipefail; npm test | head -5",
            "npm test+",
            "npm test?",
        ),
        ("echo y | npm test", "npm test+", "npm test-"),
        (
            "set -e\nnpm run lint\nnpm test",
            "npm lint+ npm test+",
            "npm lint? npm test?",
        ),
    ] {
        check(command, passed, failed);
    }
}

#[test]
fn what_is_not_understood_may_have_run_anything() {
    for command in [
        "./run.sh",
        "bash scripts/test.sh",
        "t",
        "npm run everything",
        "make release",
        "python -c 'import subprocess'",
        "hatch run test",
        "python x.py test",
        "node test.js",
        "docker compose run app pytest",
        "ssh host cargo test",
        "find . -exec pytest {} +",
        "ls | xargs pytest",
        "eval \"$CMD\"",
        "$CMD",
        "source run_tests.sh",
        "gh run watch",
        "git bisect run x",
        "git t",
        "npx some-tool",
        "cargo run",
        "cargo xtask test",
        "pre-commit run",
        "echo 'unclosed",
        "cargo test --watch",
    ] {
        let found = ends(command, 0);
        let is_open = found.ends_with('*') || command.contains("unclosed");
        assert!(is_open, "{command}: {found}");
    }
    assert_eq!(ends(&format!("echo {}", "x".repeat(70_000)), 0), "*");
    assert_eq!(ends(&"cargo test;".repeat(40), 0).matches('*').count(), 1);
}

#[test]
fn what_runs_no_check_is_known() {
    for command in [
        "ls -la",
        "git status && git diff",
        "grep -rn 'cargo test' .",
        "echo 'npm test'",
        "cat <<'E' > a.md\nnpm test\nE",
        "test -f a",
        "sed -i s/a/b/ a.py",
        "npm install",
        "npm ci",
        "pip install pytest",
        "cargo fmt",
        "cargo test --no-run",
        "cargo --version",
        "pytest --collect-only",
        "rm -rf target",
        "find . -name '*.py'",
        "mkdir -p a && cp b a",
        "uv sync",
        "# cargo test",
    ] {
        assert_eq!(ends(command, 0), "", "{command}");
    }
    assert_eq!(ends("git commit -qm x", 0), "h");
    assert_eq!(ends("git commit --no-verify -m x", 0), "");
}

#[test]
fn a_folder_that_is_not_known_may_be_another_one() {
    assert_eq!(ends("cd $D && npm test", 1), "…: npm test?");
    assert_eq!(ends("pytest $F", 1), "pytest …?");
    let mut shell = Shell::default();
    let folder = |command: crate::checks::Command| command.seen[0].run.folder.clone();
    shell.read("cd web", None);
    assert_eq!(folder(shell.read("npm test", None)), "web");
    assert_eq!(folder(shell.read("npm test", Some("/x"))), "/x");
    shell.read("(cd other)", None);
    assert_eq!(folder(shell.read("cd /a && npm test", None)), "/a");
}

#[test]
fn a_task_says_by_its_name_what_it_checks() {
    let of = |command: &str| {
        let run = named(command, &OwnChecks::default()).pop().unwrap();
        (run.of, run.is_task)
    };
    assert_eq!(of("npm run test:unit"), (Of::Tests, true));
    assert_eq!(of("npm run lint"), (Of::Lint, true));
    assert_eq!(of("npm run type-check"), (Of::Types, true));
    assert_eq!(of("make"), (Of::Anything, true));
    assert_eq!(of("./gradlew build"), (Of::Build, true));
    assert_eq!(of("cargo clippy"), (Of::Lint, false));
    assert_eq!(of("cargo test"), (Of::Tests, false));
}

#[test]
fn what_a_person_calls_a_check_is_one() {
    let own = [
        "./scripts/check.sh",
        "bazel test",
        "./lint --all",
        "make",
        "a; b",
        "$X",
    ];
    let own = OwnChecks::of(&own.map(str::to_owned));
    let ran = |command: &str| {
        let ran = Shell::with(&own).read(command, None);
        let runs = ran.seen.into_iter();
        let runs: Vec<_> = runs.map(|seen| (seen.run.shown(), seen.run.of)).collect();
        (runs, ran.more)
    };
    let one = |shown: &str, of| (vec![(shown.to_owned(), of)], More::Nothing);
    assert_eq!(
        ran("./scripts/check.sh"),
        one("./scripts/check.sh", Of::Anything)
    );
    assert_eq!(
        ran("cd x && bazel test //a --quiet"),
        one("bazel test //a", Of::Tests)
    );
    assert_eq!(ran("./lint --all"), one("./lint --all", Of::Lint));
    for other in [
        "./scripts/other.sh",
        "bazel run //a",
        "./lint",
        "sh scripts/check.sh",
    ] {
        assert_eq!(ran(other), (Vec::new(), More::Anything), "{other}");
    }
    assert_eq!(ran("make clean"), (Vec::new(), More::Nothing));
    assert_eq!(named("bazel test //a", &own).len(), 1);
}

#[test]
fn programs_check_what_their_examples_say() {
    for (does, command) in crate::writes::tests::examples() {
        let found = Shell::default().read(&command, None);
        let is = |class| does.contains(&class);
        let checks = [
            ("tests", Of::Tests),
            ("build", Of::Build),
            ("lint", Of::Lint),
            ("types", Of::Types),
            ("any", Of::Anything),
        ];
        let of = checks.into_iter().find(|(class, _)| is(class));
        let runs: Vec<_> = found.seen.iter().map(|seen| seen.run.of).collect();
        if let Some((_, of)) = of.filter(|_| !is("goal")) {
            assert_eq!((runs, found.more), (vec![of], More::Nothing), "{command}");
        } else if is("nothing") || is("mends") || is("looks") && !is("find") {
            assert_eq!((runs.len(), found.more), (0, More::Nothing), "{command}");
        } else if is("anything") {
            assert_eq!((runs.len(), found.more), (0, More::Anything), "{command}");
        } else if is("hooks") {
            assert_eq!(found.more, More::Hooks, "{command}");
        }
        let of_sight = |command: &str| ends(command, 1);
        if is("filter") {
            assert_eq!(
                of_sight(&format!("set -o pipefail; npm test | {command}")),
                "npm test-"
            );
        }
        if is("sure") && !is("set-up") && !is("folder") {
            assert_eq!(
                of_sight(&format!("{command}; npm test")),
                "npm test-",
                "{command}"
            );
        }
    }
}

#[test]
fn what_else_prints_could_be_taken_for_the_word_of_a_check() {
    let prints = |command: &str| Shell::default().read(command, None).prints;
    for command in [
        "pytest | tail -3",
        "cd a && pytest 2>&1 | tee log | grep -E 'passed|failed'",
        "pytest || true",
        "pytest; exit 0",
        "pytest; echo $?",
        "bash -c 'pytest; true'",
    ] {
        assert!(!prints(command), "{command}");
    }
    for command in [
        "pytest > o; cat old.log",
        "pytest; tail -3 log",
        "pytest; echo 2 failed",
        "pytest; git status",
    ] {
        assert!(prints(command), "{command}");
    }
}
