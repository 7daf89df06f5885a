//! The words of an outcome.

use attest_verdict::Outcome;

use super::Texts;

pub(super) const PAGES: &[Texts<Outcome>] = &[
    (
        Outcome::Ok,
        [
            "Each path that the report names changed between start and stop, or the work is in a \
             commit, a stash or another work tree.",
            "The report says `Files changed: parser.py`, and `parser.py` is all that changed.",
            "Nothing. That a file changed does not mean that it changed rightly: completion criteria \
             (`attest check --init`) can check that.",
        ],
    ),
    (
        Outcome::ScopeCreep,
        [
            "What changed besides may be a by-product, the work of another agent in the same tree, or \
             work that the report keeps to itself.",
            "The report says `Files changed: parser.py`; `setup.cfg` changed as well.",
            "Look at the paths that `attest show` marks as not claimed. If agents share a work tree, \
             give each a worktree of its own.",
        ],
    ),
    (
        Outcome::Warn,
        [
            "The status is not DONE, or the file is on disk, or there is a reason why its absence \
             proves nothing: only a certain absence counts against a report.",
            "The report says `Files changed: parser.py`, and `parser.py` is as it was.",
            "Look at the path yourself. `ATTEST_STRICT=untouched` makes a file that was not written \
             since the start count as a false DONE.",
        ],
    ),
    (
        Outcome::Mismatch,
        [
            "The status is DONE, and at least one claimed path is disproved. The agent was let \
             through for the reason that the verdict names, mostly because enforcement is off.",
            "The report says `Status: DONE` and names `tests/test_parser.py`; there is no such file, \
             and there never was.",
            "Do not build on the report: `attest explain` says which paths are missing. `attest \
             enforce on` sends such reports back to their agents.",
        ],
    ),
    (
        Outcome::Blocked,
        [
            "The agent was told which paths are disproved and went on working. Its next stop has a \
             verdict of its own, and it is let through after `ATTEST_MAX_RETRIES` blocks in any case.",
            "The report names `tests/test_parser.py`, which does not exist; the agent writes it and \
             reports again, which is OK.",
            "Nothing; look at the next verdict of the same agent with `attest show AGENT`.",
        ],
    ),
    (
        Outcome::SentBack,
        [
            "A program that `ATTEST_GATES` names asked for a revision. What the report claims held, or could not \
             be checked; the next stop of the agent has a verdict of its own.",
            "The report is true, and `lint-gate` answers `revise` with what the linter found.",
            "`attest show` has the words that the agent was told.",
        ],
    ),
    (
        Outcome::Unverifiable,
        [
            "A failure to look is never taken for `nothing changed`, so the agent was let through.",
            "Another program holds the index, or a rule file is larger than attest reads.",
            "The verdict names the reason; `git status` in the same folder often says the same.",
        ],
    ),
    (
        Outcome::NoClaim,
        [
            "It has neither a status nor a list of files in one of the forms that attest reads. Prose \
             is never read as a claim.",
            "The report ends with the words `I have updated the parser as you asked`.",
            "Ask your agents to end with a line `Status: DONE` and a line `Files changed: …`. \
             `attest claim FILE` shows how a report is understood.",
        ],
    ),
    (
        Outcome::NoSnapshot,
        [
            "Without the state of the work tree at the start there is nothing to compare with.",
            "The hooks were installed while the agent was at work, the start hook failed, or the host does not \
             tell of the start, as some older versions do not.",
            "If it happens again, `attest doctor` checks the hooks, and `~/.attest/attest.log` says \
             why a start was not recorded.",
        ],
    ),
];
