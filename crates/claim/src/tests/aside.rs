//! What is said of tests beside a claim.

use super::*;

fn said_to_pass(message: &str, of: Checked) -> Vec<String> {
    let told = told(message);
    let said = aside(Kind::Checks, &parse(message), message, || &told).into_iter();
    let said = said.filter(|it| match it.check().unwrap().of {
        Checked::Anything => of == Checked::Tests,
        its => its == of,
    });
    said.map(|it| it.raw).collect()
}

/// Each beside a message that is most like it, and by which some tests need not pass, or of which the claim has the say.
#[test]
fn that_all_tests_pass_is_heard_where_nothing_may_except_one() {
    for (all, other) in [
        ("All tests pass.", "All new tests pass."),
        ("All 12 tests pass", "12 tests pass"),
        ("All tests passed.", "All tests passed but one."),
        (
            "I mended it. All tests pass.",
            "All tests pass if I mend it.",
        ),
        (
            "I mended it, and all tests are green.",
            "Verify that all tests are green.",
        ),
        ("All of the tests pass.", "All of the tests in `a/` pass."),
        ("All tests pass. 0 failed.", "All tests pass. 1 failed."),
        ("All tests pass.", "All tests pass?"),
        ("All tests pass.", "> All tests pass."),
        ("All tests pass.", "- [ ] All tests pass."),
        ("All tests pass.", "All unit tests pass."),
        ("All tests pass.", "## Next steps\n\nAll tests pass."),
        ("All tests pass.", "Bob says:\n\nAll tests pass."),
        (
            "All tests pass.",
            "All tests pass. The flaky one is left out.",
        ),
        (
            "All tests pass.",
            "All tests pass. `a.py` has a known problem.",
        ),
        (
            "All tests pass.",
            "All tests pass.\n\nThe integration suite needs Docker.",
        ),
        ("All tests pass.", "All tests pass on the baseline."),
        ("All tests pass.", "All tests pass with the old parser."),
        (
            "All tests pass and linting is clean.",
            "All tests pass in the parser and linting is clean.",
        ),
        (
            "All tests and linting pass.",
            "All tests and fixtures pass.",
        ),
        (
            "All 12 tests pass with 0 failures.",
            "All 12 tests pass with 1 failure.",
        ),
        (
            "I updated `a.py` with the new logic. All tests pass.",
            "I updated `a.py`. All tests pass with the new logic.",
        ),
        (
            "Fixed the failing case in `a.py`. All tests pass.",
            "A case in `a.py` is failing. All tests pass.",
        ),
        (
            "Added the integration with Stripe. All tests pass.",
            "All tests pass. The integration with Stripe needs Docker.",
        ),
        (
            "Some units are converted. All tests pass.",
            "The tests of some units are left out. All tests pass.",
        ),
        ("All tests pass (5/5).", "All tests pass a literal."),
        ("All tests pass now.", "All tests pass again in CI now."),
        ("The tests pass.", "The new tests pass."),
        ("All existing tests pass.", "All converted tests pass."),
        ("2/2 tests passing.", "2/3 tests passing."),
        ("12/12 tests pass.", "12 tests pass."),
        ("The full test suite passes.", "The parser suite passes."),
        (
            "Mended the loop; the whole suite is green.",
            "Mended the loop; the suite of the lexer is green.",
        ),
        ("Full suite passes: 42 passed.", "Full suite passes on CI."),
        ("Tests pass.", "Tests pass the folder on."),
        (
            "Tests pass, and linting is clean.",
            "Tests pass, save for `test_net`.",
        ),
        (
            "I mended it. Tests: all pass.",
            "I mended it. Tests: all to pass.",
        ),
        (
            "All tests pass.\n\n## Handoff\n- status: DONE\n- files_changed: a.py",
            "All tests pass.\n\n## Handoff\n- status: DONE\n- files_changed: a.py\n- tests: `pytest` passed",
        ),
        (
            "## Tests\n- `pytest -q`: 5 passed\n\n## Handoff\n- status: DONE\n- files_changed: a.py",
            "## Tests\n- `pytest -q`: 5 passed, 1 failed\n\n## Handoff\n- status: DONE\n- files_changed: a.py",
        ),
        (
            "## Verification\n- `pytest -q`: 5 passed",
            "## How to verify\n- `pytest -q`: 5 passed",
        ),
    ] {
        assert_eq!(said_to_pass(all, Checked::Tests).len(), 1, "{all}");
        assert_eq!(said_to_pass(other, Checked::Tests), [""; 0], "{other}");
    }
}

/// What stands in front of it and behind it has to be understood, and so has the title.
#[test]
fn that_tests_pass_is_heard_where_all_of_the_sentence_is_understood() {
    for (all, other) in [
        (
            "`ruff check` is clean.",
            "`ruff check` is clean for `a.py`.",
        ),
        (
            "I ran `pytest -q` and everything passes.",
            "I ran `pytest -q` and something passes.",
        ),
        ("`npm test` passes.", "`npm test` should pass."),
        ("All tests pass (45 passed).", "All tests pass (offline)."),
        (
            "All tests pass with `pytest -q`.",
            "All tests pass, save for `test_net`.",
        ),
        ("All tests pass (10 of 10).", "All tests pass (9 of 10)."),
        (
            "With these changes, all tests pass.",
            "With `NO_NET=1`, all tests pass.",
        ),
        (
            "I ran the linter, and all tests pass.",
            "The hook ran the tests, and all tests pass.",
        ),
        ("Result: all tests pass.", "Goal: all tests pass."),
        ("Finally, all tests pass.", "As you said, all tests pass."),
        (
            "I ran the full suite and they all pass.",
            "I ran the tests of the lexer and they all pass.",
        ),
        ("- ✅ All tests pass", "- ❌ All tests pass"),
        (
            "Summary:\n- All tests pass",
            "Definition of done:\n- All tests pass",
        ),
        (
            "Results:\n- All tests pass",
            "Acceptance:\n- All tests pass",
        ),
        (
            "All tests pass. I did not touch the docs.",
            "All tests pass. I could not confirm it here.",
        ),
        (
            "All tests pass. The loop is shorter now.",
            "All tests pass. That was before my change.",
        ),
        (
            "I mended it; all tests pass.",
            "All tests pass; the status is of the coverage.",
        ),
        (
            "All tests pass with `pytest -q`.",
            "All tests pass with `-k lexer`.",
        ),
        ("- 🧪 All tests pass", "All tests pass: ⏳"),
        (
            "## Summary\n\nAll tests pass.",
            "## How to test\n\nRun `npm test`. All tests pass.",
        ),
        (
            "## Verified\n- All tests pass",
            "## To verify\n- All tests pass",
        ),
        (
            "## Results\n- All tests pass",
            "## Success criteria\n1. All tests pass",
        ),
    ] {
        assert_eq!(said_to_pass(all, Checked::Tests).len(), 1, "{all}");
        assert_eq!(said_to_pass(other, Checked::Tests), [""; 0], "{other}");
    }
}

#[test]
fn that_another_check_passes_is_heard_where_nothing_may_except_a_part() {
    use Checked::{Build, Lint, Types};
    for (of, all, other) in [
        (Build, "The build succeeds.", "The build succeeds in CI."),
        (
            Build,
            "Mended it, and the build is green.",
            "I made the build green.",
        ),
        (
            Build,
            "The production build passes now.",
            "The build passes the flag on.",
        ),
        (
            Build,
            "All tests pass and the build is clean.",
            "All tests pass but the build.",
        ),
        (
            Build,
            "The build passes.",
            "Once it is merged, the build passes.",
        ),
        (
            Build,
            "The build passes.",
            "The build passes. The one of the docs is broken.",
        ),
        (Lint, "Lint is clean.", "Lint is clean but for `a.py`."),
        (
            Lint,
            "Tests, lint, and build pass.",
            "The lint rule passes.",
        ),
        (
            Lint,
            "Linting passes with 0 errors.",
            "Linting passes with 2 errors.",
        ),
        (Lint, "I ran it; lint passes.", "Is it that lint passes?"),
        (
            Lint,
            "## Summary\n\n- Lint is clean.",
            "## Acceptance criteria\n\n- Lint is clean.",
        ),
        (Types, "No type errors.", "No type errors in `a.ts`."),
        (
            Build,
            "Mended it; the code compiles.",
            "The code compiles; the linker is missing.",
        ),
        (Build, "The code compiles.", "The code compiles `a.ts`."),
        (
            Build,
            "The project builds without errors.",
            "The project builds without `a.ts`.",
        ),
        (
            Types,
            "Type checks pass.",
            "Type checks pass for most files.",
        ),
        (
            Types,
            "Typecheck is clean, and I updated `a.ts`.",
            "Typecheck is not clean.",
        ),
    ] {
        assert_eq!(said_to_pass(all, of).len(), 1, "{all}");
        assert_eq!(said_to_pass(other, of), [""; 0], "{other}");
    }
}

fn kept(message: &str) -> Vec<String> {
    let told = told(message);
    let said = aside(Kind::Commits, &parse(message), message, || &told).into_iter();
    said.map(|it| it.says.to_string()).collect()
}

/// Each beside a message that is most like it, and says something else or leaves it open.
#[test]
fn what_was_committed_and_pushed_is_heard_in_sentences_that_are_understood() {
    let commit = "commit 1a2b3c4";
    let pushed = "the commits were pushed";
    let committed = "the files are committed";
    for (message, says, other) in [
        (
            "Committed as `1a2b3c4`.",
            vec![commit],
            "The loop was committed as `1a2b3c4` by Bob.",
        ),
        (
            "I mended it. Committed as 1a2b3c4 — 4 files.",
            vec![commit],
            "Committed as planned.",
        ),
        (
            "I've committed it as `1a2b3c4`",
            vec![commit],
            "Not committed as `1a2b3c4`.",
        ),
        (
            "Committed as `1a2b3c4` and pushed.",
            vec![commit, pushed],
            "Committed as `1a2b3c4`, not pushed.",
        ),
        ("Pushed.", vec![pushed], "Pushed the loop down."),
        (
            "Committed and pushed.",
            vec![committed, pushed],
            "Committed and pushed back.",
        ),
        (
            "All changes are committed and pushed.",
            vec![committed, pushed],
            "All changes are to be committed and pushed.",
        ),
        (
            "Fixed it, and pushed to origin/main as `1a2b3c4`.",
            vec![pushed, commit],
            "Fixed how it is pushed.",
        ),
        ("Force-pushed.", vec![pushed], "Bob force-pushed."),
        (
            "I committed and pushed the change.",
            vec![committed, pushed],
            "I committed and pushed the limit.",
        ),
        (
            "I pushed the branch to origin.",
            vec![pushed],
            "I pushed the limit to 40.",
        ),
        (
            "The changes have been pushed to the remote.",
            vec![pushed],
            "The changes have been pushed to the back.",
        ),
        (
            "Committed in `1a2b3c4`.",
            vec![commit],
            "Committed in `src/a.py`.",
        ),
        (
            "I pushed to origin/main.",
            vec![pushed],
            "I pushed to `rest`.",
        ),
        (
            "**Commit:** `1a2b3c4`",
            vec![commit],
            "## Next steps\n\nCommitted as `1a2b3c4`.",
        ),
    ] {
        assert_eq!(kept(message), says, "{message}");
        assert_eq!(kept(other), [""; 0], "{other}");
    }
    let handoff = "\n\n## Handoff\n- status: DONE\n- files_changed: a.py\n";
    assert_eq!(kept(&format!("Pushed.{handoff}")), [pushed]);
    assert_eq!(kept(&format!("Pushed.{handoff}- commit: none")), [pushed]);
    let judged = format!("Pushed.{handoff}- commit: 1a2b3c4");
    assert_eq!(kept(&judged), [""; 0], "the claim has the say");
    let judged = format!("All committed.{handoff}- working tree: clean");
    assert_eq!(kept(&judged), [""; 0], "the claim has the say");
}

#[test]
fn that_all_is_committed_or_clean_is_heard_where_it_is_said_of_the_own_work() {
    let (committed, clean) = ("the files are committed", "the work tree is clean");
    for (message, says, other) in [
        (
            "I committed the changes.",
            vec![committed],
            "## The committed changes",
        ),
        (
            "Fixed the loop and committed it.",
            vec![committed],
            "Fixed the loop that was committed to the plan.",
        ),
        ("Committed.", vec![committed], "## Committed"),
        (
            "I committed the change.",
            vec![committed],
            "I committed a change.",
        ),
        (
            "The changes have been committed to `main`.",
            vec![committed],
            "The changes have been committed to paper.",
        ),
        (
            "Everything is committed!",
            vec![committed],
            "Is everything committed?",
        ),
        (
            "## Summary\n\nEverything is committed.",
            vec![committed],
            "## Acceptance criteria\n\nEverything is committed.",
        ),
        (
            "I updated `src/a.py`. The working tree is clean.",
            vec![clean],
            "The working tree is clean. I updated `src/a.py`.",
        ),
        (
            "The worktree is clean.",
            vec![clean],
            "Is the worktree clean?",
        ),
        (
            "I have committed all of my changes.",
            vec![committed],
            "I have committed all of my changes but one.",
        ),
        (
            "The changes have been committed.",
            vec![committed],
            "The changes have been committed by Bob.",
        ),
        (
            "Everything is committed.",
            vec![committed],
            "Everything is committed except `a.py`.",
        ),
        (
            "The working tree is now clean.",
            vec![clean],
            "The working tree is not clean.",
        ),
        ("Git status is clean.", vec![clean], "The code is clean."),
    ] {
        assert_eq!(kept(message), says, "{message}");
        assert_eq!(kept(other), [""; 0], "{other}");
    }
}
