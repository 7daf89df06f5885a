use super::*;

fn said(of: Checked, text: &str) -> Vec<String> {
    let said = read(of, text).into_iter().flatten();
    said.map(|says| says.to_string()).collect()
}

/// How agents write what passed, each with what is read.
const PASSED: &[(&str, &str)] = &[
    ("cargo test (42 passed)", "tests: cargo test passed"),
    ("`npm test` — all pass", "tests: npm test passed"),
    ("passed", "tests: passed"),
    ("Passing.", "tests: passed"),
    ("all pass", "tests: passed"),
    ("✅", "tests: passed"),
    ("✅ All tests pass", "tests: passed"),
    ("✔️ green", "tests: passed"),
    ("ok", "tests: passed"),
    ("PASS", "tests: passed"),
    ("42 passed", "tests: passed"),
    ("42/42", "tests: passed"),
    ("148/148 passing (100%)", "tests: passed"),
    ("42 of 42 passed", "tests: passed"),
    ("all pass, no regressions", "tests: passed"),
    ("0 failed", "tests: passed"),
    ("no failures", "tests: passed"),
    ("42 passed, 0 failed, 3 skipped", "tests: passed"),
    ("Passed: 54, Failed: 0, Skipped: 2", "tests: passed"),
    ("all 5 tests passing", "tests: passed"),
    ("12 passed in 0.32s", "tests: passed"),
    ("`pytest -q` → 5 passed in 0.3s", "tests: pytest -q passed"),
    (
        "pytest tests/test_a.py -q: 5 passed",
        "tests: pytest tests/test_a.py -q passed",
    ),
    ("All green (`go test ./...`)", "tests: go test ./... passed"),
    ("`cargo test` exited 0", "tests: cargo test passed"),
    ("`cargo test`: exit code 0", "tests: cargo test passed"),
    ("**PASS** (17 tests)", "tests: passed"),
    ("full suite green", "tests: passed"),
    ("yes, all pass", "tests: passed"),
    ("`make test` succeeds", "tests: make test passed"),
    (
        "./gradlew test - 17 tests, 0 failures",
        "tests: ./gradlew test passed",
    ),
    ("3 suites, 20 tests, all passing", "tests: passed"),
    ("pytest, all passed", "tests: pytest passed"),
    ("cargo test passed", "tests: cargo test passed"),
    ("go build ./... ok", "tests: go build ./... passed"),
    ("flake8 clean", "tests: flake8 passed"),
    ("cargo clippy clean", "tests: cargo clippy passed"),
    ("ruff check passed.", "tests: ruff check passed"),
    ("make lint clean", "tests: make lint passed"),
    ("ruff check clean", "tests: ruff check passed"),
    ("npx eslint . clean", "tests: npx eslint . passed"),
    ("npx tsc --noEmit clean", "tests: npx tsc --noEmit passed"),
    ("pytest clean", "tests: pytest passed"),
    ("black --check clean", "tests: black --check passed"),
    (
        "bundle exec rspec (5 examples, 0 failures)",
        "tests: bundle exec rspec passed",
    ),
    ("npm test all pass", "tests: npm test passed"),
    ("pytest -n 4 passed", "tests: pytest -n 4 passed"),
    ("pytest 42 passed", "tests: pytest passed"),
    (
        "vendor/bin/phpunit passes",
        "tests: vendor/bin/phpunit passed",
    ),
    ("gotestsum ok", "tests: gotestsum passed"),
    ("mvn clean test succeeded", "tests: mvn clean test passed"),
    ("5 passed (4 new)", "tests: passed"),
    ("pytest -q (5 passed, 4 new)", "tests: pytest -q passed"),
    ("5 passed, including 2 new", "tests: passed"),
    ("ran pytest -q, 5 passed", "tests: pytest -q passed"),
    (
        "pytest -q (5 passed), npm test (3 passed)",
        "tests: pytest -q passed; tests: npm test passed",
    ),
    (
        "5 passed; flake8 clean",
        "tests: passed; tests: flake8 passed",
    ),
];

const FAILED: &[&str] = &[
    "3 failed, 39 passed",
    "40/42 passed",
    "40 of 42 passed",
    "40 out of 42 green",
    "all pass, 2 regressions",
    "❌ failing",
    "failed",
    "Failed: 2, Passed: 40",
    "`npm test` exited with code 1",
    "pytest, 2 failed",
    "cargo test failed",
    "red",
];

/// What is no claim that a check passed or failed, or not of all.
const UNREAD: &[&str] = &[
    "",
    "must pass",
    "pass*",
    "42 passed[1]",
    "should pass",
    "all tests must pass",
    "to be run",
    "not run",
    "not run (no test suite)",
    "see CI",
    "N/A",
    "none",
    "yes",
    "skipped",
    "pending",
    "no regressions",
    "3 new tests pass",
    "5 passed, 3 new pass",
    "new",
    "pytest, npm test",
    "pytest (all of npm test, 5 passed)",
    "unit tests pass",
    "all pass except the flaky one",
    "pass if the database runs",
    "will pass once merged",
    "`tests/test_a.py` (new)",
    "`cargo test`",
    "run `npm test` to verify",
    "added 12 tests",
    "Added unit tests; all pass",
    "not all pass",
    "0 passed",
    "95% coverage",
    "passed on my machine last week",
    "affected tests pass",
    "42 passed before the change",
    "`a` and `b",
    "could not run: no network",
    "untested",
    "expected to pass",
    "build passes",
    "`npm test` passed, `npm run lint`",
    "manual testing passed",
    "make clean",
    "npm run clean",
    "mvn -q clean",
    "mvn test clean",
    "cargo clean",
    "pre-commit clean",
    "cargo test passed before the change",
    "cargo test should pass",
    "cargo test not ok",
    "pytest, cargo test: all passed",
    "pytest, once it is installed",
    "the pytest run passed",
];

#[test]
fn what_passed_is_read_with_its_command() {
    for (text, expected) in PASSED {
        assert_eq!(said(Checked::Tests, text).join("; "), *expected, "{text}");
    }
}

#[test]
fn what_failed_is_no_claim_that_it_passed() {
    for text in FAILED {
        let found = said(Checked::Tests, text);
        assert!(
            matches!(found.as_slice(), [one] if one.ends_with("failed")),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn what_is_not_understood_whole_asserts_nothing() {
    for text in UNREAD {
        assert_eq!(said(Checked::Tests, text), [""; 0], "{text}");
    }
    let long = format!("passed {}", "ok ".repeat(200));
    assert_eq!(said(Checked::Tests, &long), [""; 0]);
}

#[test]
fn several_commands_have_the_outcome_that_is_theirs() {
    let two = ["tests: cargo test passed", "tests: cargo clippy passed"];
    for text in [
        "`cargo test` (42 passed), `cargo clippy` clean",
        "`cargo test` and `cargo clippy` pass",
        "all pass: `cargo test`, `cargo clippy`",
        "`cargo test` → 42 passed; `cargo clippy` → ok",
    ] {
        assert_eq!(said(Checked::Tests, text), two, "{text}");
    }
    assert_eq!(
        said(Checked::Tests, "`a` passed, `b` 2 failed"),
        ["tests: a passed", "tests: b failed"]
    );
}

#[test]
fn other_keys_speak_of_other_things() {
    for (of, text, expected) in [
        (Checked::Build, "succeeded", &["build: passed"][..]),
        (
            Checked::Build,
            "`npm run build` ✓",
            &["build: npm run build passed"],
        ),
        (
            Checked::Build,
            "compiles without errors",
            &["build: passed"],
        ),
        (Checked::Lint, "clean", &["lint: passed"]),
        (Checked::Lint, "0 errors, 3 warnings", &["lint: passed"]),
        (Checked::Types, "no type errors", &["types: passed"]),
        (
            Checked::Types,
            "tsc --noEmit (0 errors)",
            &["types: tsc --noEmit passed"],
        ),
        (
            Checked::Anything,
            "tests and build pass",
            &["tests: passed", "build: passed"],
        ),
        (
            Checked::Anything,
            "`just ci` passes",
            &["check: just ci passed"],
        ),
        (Checked::Anything, "passed", &[]),
        (Checked::Build, "tests pass", &[]),
        (Checked::Build, "npm scripts", &[]),
    ] {
        assert_eq!(said(of, text), expected, "{text}");
    }
}

/// The assertions of a report, and the names of its files.
fn of_report(lines: &str) -> (Vec<String>, Vec<String>) {
    let claim = crate::parse(&format!("Status: DONE\n{lines}\n"));
    let said = claim.assertions.iter().map(|it| it.says.to_string());
    let files = claim.entries.iter().map(|entry| entry.raw.clone());
    (said.collect(), files.collect())
}

#[test]
fn a_check_stands_wherever_a_report_has_a_key() {
    let one = ["tests: npm test passed".to_owned()];
    for lines in [
        "Files changed:\n- a.py\n\n- **Tests**: `npm test` passed",
        "Files changed:\n- a.py\n- **Tests:** `npm test` passed",
        "- **Files changed:** a.py\n- **Tests:** `npm test` passed",
        "Files changed: a.py\nTests:\n- `npm test` — all pass",
        "Files changed: a.py\n\n## Tests\n\nnpm test: 42 passed",
        "Tests: npm test (42 passed)\nFiles changed: a.py",
        "Files changed:\n- a.py\n- Tests run: `npm test` (42 passed)",
        "Files changed: a.py\nran_tests: `npm test` passed",
        "Files changed: a.py\n**Tests run:** `npm test` (42 passed)",
    ] {
        let (said, files) = of_report(lines);
        assert_eq!(said, one, "{lines}");
        assert_eq!(files, ["a.py"], "{lines}");
    }
}

#[test]
fn what_stands_in_brackets_behind_a_key_is_part_of_what_it_says() {
    for (line, expected) in [
        ("Tests (npm test): pass", "tests: npm test passed"),
        ("**Tests** (`npm test`): 3 passed", "tests: npm test passed"),
        ("Tests run (npm test): pass", "tests: npm test passed"),
        ("## Tests (npm test)\n\n3 passed", "tests: npm test passed"),
        ("Lint (eslint): clean", "lint: eslint passed"),
        ("Tests (42): all pass", "tests: passed"),
        ("Tests (full suite): pass", "tests: passed"),
        ("Tests (e2e): pass", ""),
        ("Tests (e2e): `npm test` passed", ""),
        ("Tests run (Windows): pass", ""),
        ("Build (release): ok", ""),
        ("Working tree (main): clean", "the work tree is clean"),
    ] {
        let (said, _) = of_report(line);
        assert_eq!(said.join(", "), expected, "{line}");
    }
    let json = r#"{"status": "DONE", "tests (e2e)": "pass", "lint (ruff)": "clean"}"#;
    let said = crate::parse(json).assertions;
    assert_eq!(said.len(), 1, "{said:?}");
}

#[test]
fn a_key_of_words_of_one_check_is_of_it() {
    for (line, expected) in [
        ("Test suite: green", "tests: passed"),
        ("Test results: 5 passed", "tests: passed"),
        ("Testing: all tests pass", "tests: passed"),
        ("Linter: 0 issues", "lint: passed"),
        ("Tests passed: 5/5", "tests: passed"),
        ("**Lint status:** clean", "lint: passed"),
        ("Type checks: pass", "types: passed"),
        ("Format: black --check clean", "check: black --check passed"),
        ("Unit tests: pass", ""),
        ("Tests and build: pass", ""),
        ("Test files: pass", ""),
        ("Status: pass", ""),
    ] {
        assert_eq!(of_report(line).0.join(", "), expected, "{line}");
    }
}

#[test]
fn what_passed_below_the_files_is_no_file() {
    for title in ["Tests:", "**Tests:**", "\nTests:", "\n**Tests**"] {
        for (item, expected) in [
            ("t/a.py: 1 passed", "tests: t/a.py passed"),
            ("`t/a.py` ✅", "tests: t/a.py passed"),
            ("t/a.py passes", "tests: t/a.py passed"),
            (
                "com/x/AppTest.java (3 passed)",
                "tests: com/x/AppTest.java passed",
            ),
            ("pytest: 5 passed", "tests: pytest passed"),
            ("all 12 in t/a.py pass", ""),
        ] {
            for key in ["Files changed:", "## Files changed"] {
                let (said, files) = of_report(&format!("{key}\n- a.py\n{title}\n- {item}"));
                assert_eq!(said.join(", "), expected, "{key} {title} {item}");
                assert_eq!(files, ["a.py"], "{key} {title} {item}");
            }
        }
    }
    // A list that began with titles goes on.
    let (said, files) = of_report("Files changed:\n**Code**\n- a.py ✅\n**Tests**\n- t/a.py ✅");
    assert_eq!(said, [""; 0]);
    assert_eq!(files, ["a.py ✅", "t/a.py ✅"]);
}

#[test]
fn a_list_of_tests_stays_a_list_of_files() {
    let (said, files) = of_report("Files changed:\n- a.py\n- Tests: `tests/a.py` (new)");
    assert_eq!(said, [""; 0]);
    assert_eq!(files.len(), 2, "{files:?}");
    let (said, files) = of_report("## Tests\n\nAll pass\n**Files changed**\n- a.py");
    assert_eq!(said, ["tests: passed"]);
    assert_eq!(files, ["a.py"]);
    let (said, _) = of_report("## Next steps\nTests: all pass");
    assert_eq!(said, [""; 0]);
}
