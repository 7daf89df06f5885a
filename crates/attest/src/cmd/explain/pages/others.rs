//! Words of report lines, and those of `ATTEST_STRICT`.

use super::Page;

const fn page(
    word: &'static str,
    kind: &'static str,
    meaning: &'static str,
    [more, example, advice]: [&'static str; 3],
) -> Page {
    Page {
        word,
        kind,
        meaning,
        more,
        example,
        advice,
    }
}

const LINE: &str = "report line";
const STRICT: &str = "ATTEST_STRICT";

pub(super) const PAGES: &[Page] = &[
    page(
        "CRITERIA",
        LINE,
        "the result of the completion criteria at the stop",
        [
            "With `ATTEST_CHECK=1` the stop hook checks the trusted criteria that the agent started \
             with. One that fails blocks only with `ATTEST_STRICT=criteria`.",
            "`CRITERIA passed: 3 of 3` follows the line of the claim.",
            "`attest check` checks the same by hand and shows the output of each command.",
        ],
    ),
    page(
        "GATE",
        LINE,
        "what a program that `ATTEST_GATES` names says of the stop",
        [
            "It answers `continue`, `revise` or `finalize`; `no answer` comes with what went wrong, and \
             counts as `continue`.",
            "`GATE \"lint-gate\": revise (\"the linter fails\")` follows the line of the claim.",
            "Run the program by hand with a question from docs/GATES.md on its standard input.",
        ],
    ),
    page(
        "DOUBT",
        LINE,
        "why a claimed path without a change proves nothing",
        [
            "Each doubt has a word of its own, under which `attest stats` counts it and `attest explain` has a page.",
            "`DOUBT: \"src/new.py\": a linked work tree was removed (WORKTREE_REMOVED)` follows the line of the claim.",
            "`attest explain WORD` says what the doubt rests on.",
        ],
    ),
    page(
        "TOOLS",
        LINE,
        "what the agent's tool calls say about a path that shows no change",
        [
            "It is read from the agent's transcript. It explains a finding and never makes one.",
            "`Write` of the path reported success, and the file is not there: it was removed again.",
            "Compare with the findings of `attest show`.",
        ],
    ),
    page(
        "ADVICE",
        LINE,
        "what the agent's transcript shows by itself",
        [
            "No tool call at all, none that writes, a write that left nothing behind, or an error of \
             the host in place of a report. Advice never blocks.",
            "A report of finished work without a single tool call.",
            "Look at the transcript that `attest agents --json` names. `ATTEST_ADVISE=0` turns advice \
             off.",
        ],
    ),
    page(
        "WARNING",
        LINE,
        "the work tree had uncommitted changes at the start",
        [
            "An agent that started so is not blocked, see ALLOW_AMBIGUOUS.",
            "You edit a file without a commit, then start an agent in the same tree.",
            "Commit first, use a worktree for each agent, or put `dirty` into `ATTEST_STRICT`.",
        ],
    ),
    page(
        "DIRTY",
        STRICT,
        "block even if the work tree had uncommitted changes at the start",
        [
            "It takes ALLOW_AMBIGUOUS away.",
            "`ATTEST_STRICT=dirty`, for a tree in which only agents work.",
            "Do not use it where people edit while agents work.",
        ],
    ),
    page(
        "BASENAME",
        STRICT,
        "a changed file of the same name in another folder excuses no more",
        [
            "Without it a claim of `parser.py` is not disproved while any `parser.py` changed.",
            "The report names `src/parser.py`, and `lib/parser.py` changed.",
            "Use it if your agents name files by their whole path.",
        ],
    ),
    page(
        "DELETED",
        STRICT,
        "a claimed deletion that did not happen makes a DONE false",
        [
            "It makes the finding NOT_DELETED count.",
            "`Files deleted: old.py`, and `old.py` is there as it was.",
            "`ATTEST_STRICT=deleted`, alone or among other words.",
        ],
    ),
    page(
        "ALL",
        STRICT,
        "every word of `ATTEST_STRICT` at once",
        [
            "That is dirty, untouched, deleted, basename, criteria and remarks.",
            "`ATTEST_STRICT=all`, in a tree of agents with good habits.",
            "Begin with single words, and watch `attest log` for a week.",
        ],
    ),
];
