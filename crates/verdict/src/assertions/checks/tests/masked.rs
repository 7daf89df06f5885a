//! Errors that a build, a linter or a check of types printed where its status is hidden.

use super::*;

const MYPY: &str = "Found 3 errors in 1 file (checked 9 source files)";

#[test]
fn what_a_tool_prints_of_its_errors_stands_where_its_status_is_hidden() {
    for (report, command, printed) in [
        ("Types: `mypy src` clean", "mypy src | tail -1", MYPY),
        ("Types: `mypy src` clean", "mypy src || true", MYPY),
        (
            "Typecheck: clean",
            "npx tsc --noEmit 2>&1 | head -5",
            "src/a.ts(1,1): error TS2322: Type 'x' is not assignable",
        ),
        (
            "Lint: `ruff check` clean",
            "ruff check . | tail -1",
            "Found 2 errors.",
        ),
        (
            "Lint: `npx eslint .` clean",
            "npx eslint . | tail -2",
            "✖ 3 problems (2 errors, 1 warning)",
        ),
        (
            "Build: `npm run build` ok",
            "npm run build 2>&1 | tail -3",
            "Failed to compile.\n\nType error: x",
        ),
        (
            "Build: `cargo build` ok",
            "cargo build 2>&1 | tail -2; exit 0",
            "error: could not compile `x` (lib) due to 2 previous errors",
        ),
    ] {
        let run = Did::Printed(command, printed);
        assert_eq!(
            found(report, &[run]),
            Some(Finding::CheckSaysFailed),
            "{command}"
        );
    }
    let seen = Seen {
        calls: Some(calls_of(&[Did::Printed("mypy src | tail -1", MYPY)])),
        ..Seen::default()
    };
    assert_eq!(
        why("Types: `mypy src` clean", &seen),
        "the last run of `mypy src` printed errors at 14:00:00"
    );
}

#[test]
fn what_ended_well_was_told_or_may_be_of_others_is_no_masked_error() {
    let report = "Types: `mypy src` clean";
    let run = || Did::Printed("mypy src | tail -1", MYPY);
    for printed in ["Found 0 errors", "  log: Found 3 errors in 1 file", "3"] {
        let run = Did::Printed("mypy src | tail -1", printed);
        assert_eq!(found(report, &[run]), Some(Finding::NotJudged), "{printed}");
    }
    let problems = "✖ 3 problems (0 errors, 3 warnings)";
    let lint = Did::Printed("npx eslint . | tail -2", problems);
    assert_eq!(
        found("Lint: `npx eslint .` clean", &[lint]),
        Some(Finding::NotJudged)
    );
    for told in [
        "The same 3 errors are there without my change.",
        "The baseline has 3 errors in src/old.py.",
        "3 pre-existing errors are left as they were.",
    ] {
        let report = format!("{report}\n\n{told}");
        assert_ne!(
            found(&report, &[run()]),
            Some(Finding::CheckSaysFailed),
            "{told}"
        );
    }
    for later in [
        Did::Printed(
            "mypy src | tail -1",
            "Success: no issues found in 9 source files",
        ),
        ran("mypy src", 0),
        ran("npm run types", 0),
        ran("./run.sh", 0),
    ] {
        assert_ne!(
            found(report, &[run(), later.clone()]),
            Some(Finding::CheckSaysFailed),
            "{later:?}"
        );
    }
    let both = Did::Printed("mypy src; ./run.sh", MYPY);
    assert_ne!(found(report, &[both]), Some(Finding::CheckSaysFailed));
}
