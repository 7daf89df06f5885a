//! Runs that ended with status 0, and do not bear out what is said of them.

use attest_evidence::RepoPath;

use super::{Did, Seen, calls_of, found, judge_report, ran};
use crate::Finding;

#[test]
fn a_run_with_more_words_may_be_of_a_part() {
    let tests = "Tests: all pass";
    for (command, is_whole) in [
        ("cargo test --workspace -q", true),
        ("go test -race ./...", true),
        ("pytest .", true),
        ("cargo test .", false),
        ("go test .", false),
        ("npm test -- -v", false),
        ("bundle exec rspec -v", false),
    ] {
        let seen = found(tests, &[ran(command, 0)]) == Some(Finding::CheckSeen);
        assert_eq!(seen, is_whole, "{command}");
    }
}

#[test]
fn a_task_or_a_package_may_be_a_part() {
    for (command, key, is_whole) in [
        ("npm run test", "Tests", true),
        ("npm run test:ci", "Tests", true),
        ("make test-all", "Tests", true),
        ("yarn type-check", "Types", true),
        ("./gradlew assemble", "Build", true),
        ("go test ./...", "Tests", true),
        ("npm run test:unit", "Tests", false),
        ("pnpm test:unit", "Tests", false),
        ("make unit", "Tests", false),
        ("invoke test.unit", "Tests", false),
        ("npm run lint:js", "Lint", false),
        ("make build-client", "Build", false),
        ("./gradlew :app:test", "Tests", false),
        ("npx nx run a:test", "Tests", false),
        ("go test", "Tests", false),
        ("go vet", "Lint", false),
    ] {
        let did = [ran(command, 0)];
        let seen = found(&format!("{key}: all pass"), &did) == Some(Finding::CheckSeen);
        assert_eq!(seen, is_whole, "{command}");
        let named = found(&format!("{key}: `{command}` — all pass"), &did);
        assert_eq!(named, Some(Finding::CheckSeen), "{command}");
    }
}

#[test]
fn the_root_of_a_workspace_is_one_of_its_packages() {
    let alone = "[package]\nname = \"x\"\n";
    let of_several = format!("{alone}[workspace]\nmembers = [\"y\"]\n");
    for (manifest, command, is_seen) in [
        (alone, "cargo test", true),
        (&of_several, "cargo test", false),
        (&of_several, "cargo test --workspace", true),
        ("[workspace]\nmembers = [\"y\"]\n", "cargo test", true),
    ] {
        for report in ["Tests: all pass", "Tests: cargo test — full suite passes"] {
            let path = RepoPath::from_git(b"Cargo.toml").unwrap();
            let held = (None, manifest.as_bytes().to_vec());
            let seen = Seen {
                calls: Some(calls_of(&[ran(command, 0)])),
                files: [(path, held)].into(),
                ..Seen::default()
            };
            let found = judge_report(&format!("Status: DONE\n{report}\n"), &seen, true);
            let is_found = found[0].finding == Finding::CheckSeen;
            assert_eq!(is_found, is_seen, "{command}: {report}");
        }
    }
}

#[test]
fn what_decides_what_runs_may_be_of_the_agents_own_making() {
    let report = "Tests: `make test` — all pass";
    let task = |file| [Did::Wrote(file), ran("make test", 0)];
    assert_eq!(found(report, &task("Makefile")), Some(Finding::NotJudged));
    assert_eq!(found(report, &task("src/a.c")), Some(Finding::CheckSeen));
    let written = [
        ran("printf 'test:\\n\\ttrue\\n' > sub/Makefile", 0),
        ran("make test", 0),
    ];
    assert_eq!(found(report, &written), Some(Finding::NotJudged));
    let read = [ran("cat Makefile > /dev/null", 0), ran("make test", 0)];
    assert_eq!(found(report, &read), Some(Finding::CheckSeen));
    let tests = "Tests: all pass";
    for (own, check) in [
        (Did::Wrote("pytest.py"), "python -m pytest"),
        (Did::Wrote("pytest/__init__.py"), "python -m pytest"),
        (Did::Wrote("pytest.ini"), "pytest"),
        (Did::Wrote("conftest.py"), "pytest"),
        (Did::Wrote("pyproject.toml"), "pytest"),
        (Did::Wrote("jest.config.js"), "npx jest"),
        (Did::Wrote(".npmrc"), "npm test"),
        (ran("printf 'x' > pytest.ini", 0), "pytest"),
        (ran("sed -i s/a/b/ setup.cfg", 0), "pytest"),
        (ran("npm pkg set scripts.test=true", 0), "npm test"),
        (ran("npm config set script-shell true", 0), "npm test"),
        (ran("npm set script-shell true", 0), "npm test"),
        (Did::Wrote("gradlew"), "./gradlew test"),
        (Did::Wrote("/w/x/.mvn/jvm.config"), "mvn test"),
        (Did::Wrote("/w/x/.mvn/extensions.xml"), "mvn test"),
        (ran("echo x > .mvn/maven.config", 0), "mvn test"),
        (Did::Wrote("/w/x/.claude/settings.local.json"), "pytest"),
        (Did::Wrote("testconfig.json"), "npm test"),
        (Did::Wrote("tasks.py"), "invoke test"),
        (Did::Wrote("BUILD.bazel"), "bazel test //..."),
        (Did::Wrote("test/test_helper.exs"), "mix test"),
        (Did::Wrote("spec/spec_helper.rb"), "bundle exec rspec"),
        (Did::Wrote("tests/Pest.php"), "vendor/bin/pest"),
        (Did::Wrote("tests/__init__.py"), "pytest"),
        (ran("echo x >> \"$CLAUDE_ENV_FILE\"", 0), "pytest"),
        (ran("echo x > $S/x.pth", 0), "pytest"),
        (ran("npm i -D ./fakejest", 0), "npx jest"),
        (ran("npm link ../fakejest", 0), "npx jest"),
        (ran("pip install ./fake_pytest", 0), "pytest"),
    ] {
        let seen = found(tests, &[own.clone(), ran(check, 0)]);
        assert_eq!(seen, Some(Finding::NotJudged), "{own:?}");
    }
    for (other, check) in [
        (Did::Wrote("tests/test_a.py"), "pytest"),
        (Did::Wrote(".gitignore"), "pytest"),
        (Did::Wrote("src/config.js"), "npm test"),
        (ran("sed -n 1,5p pyproject.toml", 0), "pytest"),
        (ran("npm pkg get scripts", 0), "npm test"),
        (ran("npm install", 0), "npm test"),
        (ran("npm ci", 0), "npm test"),
        (ran("pip install -r requirements.txt", 0), "pytest"),
        (ran("pip install -e '.[test]'", 0), "pytest"),
        (ran("uv sync --frozen", 0), "pytest"),
        (ran("bundle install", 0), "bundle exec rspec"),
        (ran("echo x > $OUT", 0), "pytest"),
        (Did::Wrote("src/__init__.py"), "pytest"),
        (Did::Wrote("lib/helpers.js"), "npm test"),
        (Did::Wrote("./src/a.py"), "pytest"),
        (Did::Wrote("/w/.x/notes.md"), "pytest"),
        (Did::Wrote("/w/x/.github/workflows/ci.yml"), "pytest"),
    ] {
        let seen = found(tests, &[other.clone(), ran(check, 0)]);
        assert_eq!(seen, Some(Finding::CheckSeen), "{other:?}");
    }
}

#[test]
fn a_run_in_another_place_is_of_other_code() {
    let (all, named) = ("Tests: all pass", "Tests: `pytest` — all pass");
    for (command, of_all, of_named) in [
        ("pytest", true, true),
        ("cd /repo && pytest", true, true),
        ("cd web && pytest", false, true),
        ("cd /tmp/copy && pytest", false, false),
        ("cd ../other && pytest", false, false),
        ("mkdir -p mini; cd mini && pytest", false, false),
    ] {
        for (report, is_seen) in [(all, of_all), (named, of_named)] {
            let seen = found(report, &[ran(command, 0)]) == Some(Finding::CheckSeen);
            assert_eq!(seen, is_seen, "{report}: {command}");
        }
    }
}

#[test]
fn a_command_behind_a_run_may_have_changed_what_it_looked_at() {
    let tests = "Tests: `pytest` — all pass";
    for changed in [
        "sed -i s/a/b/ src/b.py",
        "sed -Ei s/a/b/ src/b.py",
        "cat > src/b.py <<'E'\nx\nE",
        "git checkout src/b.py",
        "git checkout other",
        "git -C . checkout src/b.py",
        "git restore src/b.py",
        "git reset -q --hard",
        "git stash -q",
        "git merge other",
        "git pull",
        "python -c 'x'",
        "./mend.sh",
        "cp old.py src/b.py",
        "mv src tests",
        "rm src/b.py",
        "rm -r src",
        "rm -rf .",
        "find . -name '*.py' -delete",
        "curl -o src/b.py http://x",
        "echo x > \"$F\"",
        "awk '{print > \"a.py\"}' b",
        "gh pr checkout 3",
        "fd py -x rm",
    ] {
        let apart = [ran("pytest", 0), ran(changed, 0)];
        assert_eq!(found(tests, &apart), Some(Finding::NotJudged), "{changed}");
        let one = [Did::Ran(format!("pytest && {changed}"), 0)];
        assert_eq!(found(tests, &one), Some(Finding::NotJudged), "{changed}");
        let before = [ran(changed, 0), ran("pytest", 0)];
        assert_eq!(found(tests, &before), Some(Finding::CheckSeen), "{changed}");
    }
    for other in [
        "git add -A && git commit -qm x",
        "git checkout -b new",
        "git reset -q",
        "git restore --staged a.py",
        "git push",
        "git status; git diff",
        "git stash list",
        "sed -n 1,5p src/b.py",
        "cat > notes.md <<'E'\nx\nE",
        "cp src/b.py notes.txt",
        "mkdir -p out",
        "chmod +x run.sh",
        "gh pr create",
        "git --version",
        "black .",
        "rm -rf build/ web/.pytest_cache /tmp/copy notes.txt",
        "ls > /dev/null",
    ] {
        let all = [ran("pytest", 0), ran(other, 0)];
        assert_eq!(found(tests, &all), Some(Finding::CheckSeen), "{other}");
    }
    for (tool, is_seen) in [
        ("mcp__serena__replace_symbol_body", false),
        ("mcp__filesystem__edit_file", false),
        ("mcp__serena__find_symbol", true),
        ("mcp__filesystem__read_file", true),
    ] {
        let seen = found(tests, &[ran("pytest", 0), Did::Called(tool)]);
        assert_eq!(seen == Some(Finding::CheckSeen), is_seen, "{tool}");
    }
    let lint = [ran("ruff check", 0), ran("black .", 0)];
    assert_eq!(found("Lint: clean", &lint), Some(Finding::NotJudged));
}

#[test]
fn a_tool_behind_a_run_may_do_more_than_format() {
    let tests = "Tests: `pytest` — all pass";
    let behind = |command: &str| found(tests, &[ran("pytest", 0), ran(command, 0)]);
    for changed in [
        "ruff check --fix .",
        "npx eslint --fix .",
        "rubocop -a",
        "cargo fix --allow-dirty",
        "pyupgrade src/b.py",
        "go generate ./...",
        "make format",
        "npm run format",
        "npm run lint:fix",
        "make",
        "go mod tidy",
        "npm install x",
        "npm ci",
        "npm audit fix",
        "pip install -U x",
        "poetry update",
        "bundle update",
        "cargo update",
    ] {
        assert_eq!(behind(changed), Some(Finding::NotJudged), "{changed}");
    }
    for other in [
        "black .",
        "ruff format .",
        "ruff check .",
        "npx prettier --write .",
        "cargo fmt",
        "make build",
        "make clean",
        "npm run lint",
        "npm ls",
        "npm audit",
        "pip list",
        "cargo tree",
        "go list ./...",
    ] {
        assert_eq!(behind(other), Some(Finding::CheckSeen), "{other}");
    }
}

#[test]
fn a_number_is_confirmed_only_if_the_run_printed_it() {
    let of = |report: &str, printed| found(report, &[Did::Printed("pytest", printed)]);
    let claimed = "Tests: `pytest` 42 passed";
    assert_eq!(of(claimed, "42 passed in 0.3s"), Some(Finding::CheckSeen));
    for printed in ["3 passed in 0.1s", "142 passed", ""] {
        assert_eq!(of(claimed, printed), Some(Finding::NotJudged), "{printed}");
    }
    for (report, printed) in [
        ("Tests: `pytest` 42 passed", "3 passed, 42 skipped in 0.1s"),
        (
            "Tests: `pytest` 42 passed",
            "Python 3.11.42\n3 passed in 0.1s",
        ),
        (
            "Tests: `pytest` (42 tests passed)",
            "Test Suites: 42 passed\nTests: 3 passed, 3 total",
        ),
    ] {
        assert_eq!(of(report, printed), Some(Finding::NotJudged), "{printed}");
    }
    let both = "Tests: `pytest` (42 passed, 3 skipped)";
    let printed = "=== 42 passed, 3 skipped in 0.1s ===";
    assert_eq!(of(both, printed), Some(Finding::CheckSeen));
    assert_eq!(
        of("Tests: `pytest` — 42/42 tests pass", "42 passed in 1s"),
        Some(Finding::CheckSeen)
    );
    // A number in the command is no number of tests.
    let named = [Did::Printed("pytest -n 4", "3 passed")];
    assert_eq!(
        found("Tests: `pytest -n 4` passed", &named),
        Some(Finding::CheckSeen)
    );
}

/// Reports, the command that ran, what it printed, and whether that bears the report out.
#[track_caller]
fn check_seen(cases: &[(&str, &'static str, &'static str, bool)]) {
    for (report, command, printed, is_seen) in cases {
        let seen = found(report, &[Did::Printed(command, printed)]);
        assert_eq!(
            seen == Some(Finding::CheckSeen),
            *is_seen,
            "{report}: {printed}"
        );
    }
}

#[test]
fn that_there_is_none_of_something_is_confirmed_only_if_the_run_says_so() {
    let warns = "✖ 12 problems (0 errors, 12 warnings)";
    let pytest = "3 passed, 5 skipped, 2 warnings in 0.1s";
    check_seen(&[
        ("Lint: 0 errors, 0 warnings", "npx eslint .", warns, false),
        ("Lint: 0 errors, 12 warnings", "npx eslint .", warns, true),
        ("Lint: clean", "npx eslint .", warns, false),
        ("Lint: no issues, 0 problems", "npx eslint .", warns, false),
        ("Lint: passes", "npx eslint .", warns, true),
        ("Lint: no errors", "npx eslint .", "", true),
        ("Lint: clean", "npx eslint .", "", true),
        ("Lint: clean, no warnings", "npx eslint .", "", false),
        (
            "Build: clean",
            "npm run build",
            "Compiled with warnings.",
            false,
        ),
        (
            "Types: 0 errors, 0 warnings",
            "pyright",
            "0 errors, 0 warnings",
            true,
        ),
        (
            "Types: 0 errors, 0 warnings",
            "pyright",
            "0 errors, 14 warnings",
            false,
        ),
        ("Tests: 3 passed, 0 failed", "pytest", pytest, true),
        ("Tests: 3 passed, 0 skipped", "pytest", pytest, false),
        ("Tests: 3 passed, no warnings", "pytest", pytest, false),
        ("Tests: 3 passed, no warnings", "pytest", "3 passed", false),
        (
            "Tests: 3 passed in 0.1s (exit code 0)",
            "pytest",
            "3 passed",
            true,
        ),
    ]);
}

#[test]
fn a_total_is_no_number_of_those_that_passed() {
    let skips = "Ran 3 tests in 0.000s\n\nOK (skipped=2)";
    let excludes = "10 tests, 0 failures, 9 excluded";
    check_seen(&[
        ("Tests: 3 tests pass", "python -m unittest", skips, false),
        (
            "Tests: 3 tests, 2 skipped, OK",
            "python -m unittest",
            skips,
            true,
        ),
        (
            "Tests: 3 tests pass",
            "python -m unittest",
            "Ran 3 tests in 0.000s\n\nOK",
            true,
        ),
        ("Tests: 10 tests, 0 failures", "mix test", excludes, false),
        (
            "Tests: 10 tests, 0 failures",
            "mix test",
            "10 tests, 0 failures",
            true,
        ),
    ]);
}

#[test]
fn a_full_suite_has_no_test_that_did_not_run() {
    let (some, all) = ("5 passed, 90 deselected in 0.1s", "5 passed in 0.1s");
    for report in [
        "Tests: full suite passes (5 passed)",
        "Tests: entire suite passes",
        "Tests: 5/5 passed",
        "Tests: 5 of 5 pass",
    ] {
        check_seen(&[
            (report, "pytest -q", some, false),
            (report, "pytest -q", all, true),
        ]);
    }
    let skips = "5 passed, 2 skipped in 0.1s";
    check_seen(&[
        (
            "Tests: full suite passes (5 passed, 2 skipped)",
            "pytest -q",
            skips,
            true,
        ),
        ("Tests: all pass", "pytest -q", skips, true),
    ]);
}

#[test]
fn a_run_of_nothing_is_no_pass_and_no_failure() {
    let tests = "Tests: all pass";
    for (command, printed) in [
        ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK"),
        ("make test", "make: 'test' is up to date."),
        ("go test ./...", "?   \tx\t[no test files]"),
        ("pytest", "3 skipped in 0.01s"),
        ("npm test", "No tests found, exiting with code 0"),
    ] {
        let seen = found(tests, &[Did::Printed(command, printed)]);
        assert_eq!(seen, Some(Finding::NotJudged), "{command}");
    }
    for (command, printed) in [
        ("python -m unittest", "Ran 3 tests in 0.000s\n\nOK"),
        ("make test", "cc test.c\nall is well"),
        ("go test ./...", "?   \tx\t[no test files]\nok  \ty\t0.003s"),
        ("pytest", "1 passed, 3 skipped in 0.01s"),
        ("npm test", ""),
    ] {
        let seen = found(tests, &[Did::Printed(command, printed)]);
        assert_eq!(seen, Some(Finding::CheckSeen), "{command}");
    }
    let baseline = [ran("rubocop --auto-gen-config", 0), ran("rubocop", 0)];
    assert_eq!(found("Lint: clean", &baseline), Some(Finding::NotJudged));
    let lint = Did::Printed("ruff check", "warning: No Python files found under .");
    assert_eq!(found("Lint: clean", &[lint]), Some(Finding::NotJudged));
    // It counts as one that passed where that excuses a later failure.
    let all = [
        Did::Printed("npm test", "No tests found, exiting with code 0"),
        Did::Wrote("a.test.js"),
        ran("npm test", 1),
        Did::Wrote("a.js"),
    ];
    let seen = found("Tests: `npm test` passes", &all);
    assert_eq!(seen, Some(Finding::NotJudged));
}
