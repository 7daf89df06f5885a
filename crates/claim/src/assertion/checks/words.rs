//! The words of a value that says how a check went. All others make it one that is not understood.

use super::Checked;

/// What one word adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Passed,
    /// What went wrong, which a count of zero turns around.
    Failed,
    /// What is counted and says nothing: skipped tests, warnings.
    Neutral,
    /// Of the counted things none.
    Nothing,
    /// The status of a process follows.
    Exit,
    Thing(Checked),
    Filler,
}

/// The meaning of a word in lower case.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    Some(match word {
        "pass" | "passed" | "passes" | "passing" | "green" | "ok" | "okay" | "success"
        | "successful" | "successfully" | "succeeded" | "succeeds" | "clean" => Meaning::Passed,
        "fail" | "failed" | "fails" | "failing" | "failure" | "failures" | "red" | "broken"
        | "error" | "errors" | "errored" | "issue" | "issues" | "problem" | "problems"
        | "regression" | "regressions" => Meaning::Failed,
        "skip" | "skipped" | "ignored" | "todo" | "xfailed" | "xfail" | "deselected"
        | "warning" | "warnings" | "flaky" | "filtered" | "measured" => Meaning::Neutral,
        "no" | "zero" | "without" => Meaning::Nothing,
        "exit" | "exited" => Meaning::Exit,
        "test" | "tests" | "testcases" => Meaning::Thing(Checked::Tests),
        "build" | "builds" | "built" | "compile" | "compiles" | "compiled" | "compilation" => {
            Meaning::Thing(Checked::Build)
        }
        "lint" | "linting" | "linter" => Meaning::Thing(Checked::Lint),
        "type" | "types" | "typecheck" | "typechecks" | "typechecking" => {
            Meaning::Thing(Checked::Types)
        }
        "all" | "the" | "suite" | "suites" | "full" | "whole" | "entire" | "is" | "are" | "was"
        | "were" | "and" | "with" | "in" | "of" | "total" | "run" | "ran" | "runs" | "still"
        | "now" | "everything" | "case" | "cases" | "file" | "files" | "specs" | "check"
        | "checks" | "checking" | "yes" | "result" | "results" | "status" | "code" | "out"
        | "locally" | "cleanly" | "via" | "by" | "using" | "command" | "finished" | "completed" => {
            Meaning::Filler
        }
        _ => return None,
    })
}

/// Programs that a command in front of an outcome begins with where it has no back-ticks.
pub(super) fn is_program(word: &str) -> bool {
    let name = word.strip_prefix("./").unwrap_or(word);
    matches!(
        name,
        "cargo"
            | "pytest"
            | "python"
            | "python3"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "npx"
            | "bunx"
            | "go"
            | "gradle"
            | "gradlew"
            | "mvn"
            | "mvnw"
            | "make"
            | "just"
            | "ctest"
            | "rspec"
            | "bundle"
            | "phpunit"
            | "dotnet"
            | "tox"
            | "nox"
            | "tsc"
            | "eslint"
            | "ruff"
            | "mypy"
            | "pyright"
            | "jest"
            | "vitest"
            | "uv"
            | "poetry"
            | "deno"
            | "mix"
            | "swift"
    )
}
