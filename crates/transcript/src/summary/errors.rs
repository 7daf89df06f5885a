//! What a build, a linter or a check of types prints in the end that has found errors.

use super::{ERRORS, counts};

/// How such a line begins.
const BEGINS: [&str; 13] = [
    "error: could not compile",
    "error TS",
    "error during build:",
    "error Command failed with exit code",
    "error: script \"",
    "Failed to compile",
    "ERROR: failed to ",
    "npm error ",
    "npm ERR! ",
    "make: *** [",
    "BUILD FAILED",
    "[INFO] BUILD FAILURE",
    "** BUILD FAILED **",
];
/// What has its own kind of line for each error, behind the place.
const OF_TYPES: &str = "): error TS";
/// What such a line counts beside errors.
const LEFT: &str = "remaining";
/// What a later line has, in small letters, that says otherwise.
const GOOD: [&str; 7] = [
    "success",
    "succeeded",
    "passed",
    "finished",
    "compiled",
    "built",
    "done",
];

/// Whether it says so last. What is set in may be what it prints of something else.
pub(crate) fn ends_in_errors(text: &str) -> bool {
    let is_good = |line: &str| {
        let line = line.to_lowercase();
        GOOD.iter().any(|word| line.contains(word))
    };
    let said = |line: &str| errors(line).or_else(|| is_good(line).then_some(false));
    text.lines().rev().find_map(said) == Some(true)
}

/// Whether a line tells of errors, if it is of that kind.
fn errors(line: &str) -> Option<bool> {
    if BEGINS.iter().any(|begin| line.starts_with(begin)) || line.contains(OF_TYPES) {
        return Some(true);
    }
    let counted = line.strip_prefix("Found ").or(line.strip_prefix("✖ "));
    let is_counted = counted
        .unwrap_or(line)
        .starts_with(|c: char| c.is_ascii_digit());
    let first = |words: &str| counts(line, words).first().copied();
    let found = first(ERRORS).filter(|_| is_counted)?;
    Some(first(LEFT).unwrap_or(found) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_prints_last_tells_of_errors() {
        for text in [
            "src/a.ts(1,1): error TS2322: Type 'x' is not assignable",
            "error TS18003: No inputs were found in config file",
            "src/a.py:3: error: Name \"x\" is not defined\nFound 3 errors in 1 file (checked 9 source files)",
            "Found 2 errors.\n[*] 1 fixable with the `--fix` option.",
            "Found 3 errors (2 fixed, 1 remaining).",
            "\n✖ 3 problems (2 errors, 1 warning)\n",
            "3 errors, 0 warnings, 0 informations",
            "error: could not compile `x` (lib) due to 2 previous errors",
            "warning: build failed, waiting for other jobs to finish...\nerror: could not compile `x`",
            "Failed to compile.\n\nType error: x",
            "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 2",
            "npm error code ELIFECYCLE\nnpm error A complete log of this run can be found in: /x",
            "BUILD FAILED in 3s\n2 actionable tasks: 2 executed",
            "make: *** [Makefile:2: build] Error 1",
            "Compiled successfully\n12 passed\nerror: script \"build\" exited with code 1",
        ] {
            assert!(ends_in_errors(text), "{text}");
        }
    }

    #[test]
    fn what_ends_well_or_tells_of_others_does_not() {
        for text in [
            "",
            "Found 0 errors",
            "Found 0 errors. Watching for file changes.",
            "0 errors, 3 warnings, 0 informations",
            "✖ 3 problems (0 errors, 3 warnings)",
            "Found 3 errors (3 fixed, 0 remaining).",
            "Success: no issues found in 9 source files",
            "All checks passed!",
            // What it prints of something else.
            "  Found 2 errors in 1 file",
            "log: Found 2 errors in 1 file",
            "docs/errors.md: 3 errors are explained",
            "> echo error: could not compile",
            // It went on.
            "Found 2 errors in 1 file\n✓ built in 1.2s",
            "Failed to compile.\nCompiled successfully.",
            "npm error code E404\nnpm error 404\n    Finished `dev` profile in 0.1s",
            "12",
        ] {
            assert!(!ends_in_errors(text), "{text}");
        }
    }
}
