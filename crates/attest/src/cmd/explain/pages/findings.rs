//! The words of a finding about a claimed path.

use super::Page;

const fn finding(
    word: &'static str,
    meaning: &'static str,
    [more, example, advice]: [&'static str; 3],
) -> Page {
    Page {
        word,
        kind: "finding",
        meaning,
        more,
        example,
        advice,
    }
}

pub(super) const PAGES: &[Page] = &[
    finding(
        "CHANGED",
        "the claimed path changed between start and stop",
        [
            "Contents are compared, not times, and a commit, a reset or a rename in between counts.",
            "The report names `parser.py`, and its content is not that of the start.",
            "Nothing: the claim holds.",
        ],
    ),
    finding(
        "LANDED_ELSEWHERE",
        "the work is in a commit, a stash or another work tree",
        [
            "The path does not differ in the agent's own tree, but a commit, a stash or a linked work \
             tree that is new since the start has it.",
            "The agent commits its work to a branch and checks the old one out again.",
            "Nothing: the claim holds. `git log --all -- PATH` shows where the work is.",
        ],
    ),
    finding(
        "PRESENT",
        "the claimed path is on disk without a change, which proves nothing",
        [
            "It may have been changed and changed back, or be claimed although it was only read.",
            "The report names `README.md`, which is as it was.",
            "Look at it yourself if it matters: this never blocks.",
        ],
    ),
    finding(
        "UNRESOLVABLE",
        "no path can be read from the entry",
        [
            "A pattern, a number of files, a URL or a placeholder names no file that could be looked \
             at. Such an entry never counts against a report.",
            "The report says `Files changed: src/*.rs and 3 tests`.",
            "Ask your agents to name each file by its path from the top of the repository.",
        ],
    ),
    finding(
        "UNPROVEN",
        "the claimed path is not on disk, and it is open whether it should be",
        [
            "The words beside it or above it are not understood as work, or the text may not be a path. It \
             never blocks; with `ATTEST_STRICT=remarks` words that are not understood are no excuse.",
            "The report says `src/x.py — in the stash`.",
            "Look whether the file is where the report says. Ask your agents to name only files that they \
             changed.",
        ],
    ),
    finding(
        "UNTOUCHED",
        "the claimed file is on disk, and was not written since the start",
        [
            "Its content is that of the start and its times are older. With `ATTEST_STRICT=untouched` \
             it disproves a DONE.",
            "The report claims an edit of `parser.py` that was never made.",
            "Look at the file; put `untouched` into `ATTEST_STRICT` if it is to count.",
        ],
    ),
    finding(
        "NOT_DELETED",
        "the path was claimed as deleted, and is there as it was",
        [
            "With `ATTEST_STRICT=deleted` it disproves a DONE.",
            "The report says `Files deleted: old.py`, and `old.py` is still there.",
            "Look at the file; put `deleted` into `ATTEST_STRICT` if it is to count.",
        ],
    ),
    finding(
        "ABSENT",
        "the claimed path is not on disk, never was, and nobody worked on it",
        [
            "It is the last answer, given only after every doubt is ruled out: other folders, other \
             spellings, commits, stashes, other work trees, ignored files. It disproves a DONE.",
            "The report names `tests/test_parser.py`, and no such file was ever made.",
            "Ask for the file, or for a report without it. `attest enforce on` does that by itself.",
        ],
    ),
];
