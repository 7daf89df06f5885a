//! Words of report lines, and those of `ATTEST_STRICT`.

use super::Told;

pub(super) const LINES: &[Told] = &[
    (
        "CRITERIA",
        "the result of the completion criteria at the stop, or what the agent's prompt asks for and is not there",
        [
            "With `ATTEST_CHECK=1` the stop hook checks the trusted criteria that the agent started \
             with. One that fails blocks only with `ATTEST_STRICT=criteria`.",
            "`CRITERIA passed: 3 of 3` follows the line of the claim.",
            "`attest check` checks the same by hand and shows the output of each command.",
        ],
    ),
    (
        "GATE",
        "what a program that `ATTEST_GATES` names says of the stop",
        [
            "It answers `continue`, `revise` or `finalize`; `no answer` comes with what went wrong, and \
             counts as `continue`.",
            "`GATE \"lint-gate\": revise (\"the linter fails\")` follows the line of the claim.",
            "Run the program by hand with a question from docs/GATES.md on its standard input.",
        ],
    ),
    (
        "DOUBT",
        "why a claimed path without a change proves nothing",
        [
            "Each doubt has a word of its own, under which `attest stats` counts it and `attest explain` has a page.",
            "`DOUBT: \"src/new.py\": a linked work tree was removed (WORKTREE_REMOVED)` follows the line of the claim.",
            "`attest explain WORD` says what the doubt rests on.",
        ],
    ),
    (
        "TOOLS",
        "what the agent's tool calls say about a path that shows no change",
        [
            "It is read from the agent's transcript. It explains a finding and never makes one.",
            "`Write` of the path reported success, and the file is not there: it was removed again.",
            "Compare with the findings of `attest show`.",
        ],
    ),
    (
        "RUNNING",
        "a command that the agent began in the background and that still runs beside its DONE",
        [
            "The host says that it runs, and the agent's transcript begins it. Nobody is told of it and it decides \
             nothing: a server or a watcher is meant to run.",
            "`RUNNING: npm run dev` follows the line of the claim.",
            "What it may still write is a doubt, BACKGROUND, and no proof.",
        ],
    ),
    (
        "ADVICE",
        "what the agent's transcript shows by itself",
        [
            "No tool call at all, none that writes, a write that left nothing behind, or an error of \
             the host in place of a report. Advice never blocks.",
            "A report of finished work without a single tool call.",
            "Look at the transcript that `attest agents --json` names. `ATTEST_ADVISE=0` turns advice \
             off.",
        ],
    ),
    (
        "WARNING",
        "the work tree had uncommitted changes at the start",
        [
            "An agent that started so is not blocked, see ALLOW_AMBIGUOUS.",
            "You edit a file without a commit, then start an agent in the same tree.",
            "Commit first, use a worktree for each agent, or put `dirty` into `ATTEST_STRICT`.",
        ],
    ),
    (
        "CLAIMED",
        "the paths that the report names",
        [
            "Each is the name as the report has it, from the top of the repository. Of several readings it is the first.",
            "`CLAIMED [a.py, b.py] OBSERVED [a.py] -> MISMATCH: b.py …`.",
            "`attest claim FILE` shows how a report is read.",
        ],
    ),
    (
        "OBSERVED",
        "the paths whose content at the stop is not that of the start",
        [
            "Commits, resets and stashes in between are changes of the paths that they touch. It is `(none)` as well if nothing was compared.",
            "`CLAIMED [a.py] OBSERVED [a.py, c.py] -> SCOPE_CREEP: c.py …`.",
            "`attest show` has them one a line.",
        ],
    ),
    (
        "claimed-but-unchanged",
        "the claimed paths that disprove the DONE",
        [
            "They are ABSENT, or what `ATTEST_STRICT` adds.",
            "`MISMATCH: b.py claimed-but-unchanged (would block in enforce mode)`.",
            "Do not build on the report.",
        ],
    ),
    (
        "observed-but-unclaimed",
        "the paths that changed and that no claim accounts for",
        [
            "They may be by-products, or work of others in the same tree.",
            "`SCOPE_CREEP: c.py observed-but-unclaimed`.",
            "Look whether they changed rightly.",
        ],
    ),
    (
        "claimed but not in delta",
        "the claimed paths without a change",
        [
            "That disproves nothing: a DOUBT line behind it says why, or the file is on disk.",
            "`WARN: a.py claimed but not in delta (status=DONE)`.",
            "Look at the paths yourself.",
        ],
    ),
    (
        "would block in enforce mode",
        "with `ATTEST_ENFORCE=1` the agent would have been sent back",
        [
            "`would not block in enforce mode` comes with the code of the decision that stands against it.",
            "`MISMATCH: b.py claimed-but-unchanged (would block in enforce mode)`.",
            "`attest enforce on` turns enforcement on.",
        ],
    ),
    (
        "NOT blocking",
        "a false DONE was let through, and the code behind it says why",
        [
            "A limit was reached, or something is open that a block must not rest on.",
            "`detected false DONE but NOT blocking (decision=ALLOW_RETRY_CAP)`.",
            "`attest explain` with the code says more.",
        ],
    ),
    (
        "counter persist failed",
        "a block could not be counted, so none was sent",
        [
            "A block that is not counted could come again and again: see ALLOW_COUNTER_NOT_DURABLE.",
            "`would block but counter persist failed — failing open (no block)`.",
            "`attest doctor` checks the state file.",
        ],
    ),
    (
        "claim source=none",
        "the report makes no claim that can be checked",
        [
            "It is never taken for a false DONE: see NO_CLAIM.",
            "`claim source=none — cannot verify (never treating as false DONE)`.",
            "Ask your agents to end with `Status: DONE` and `Files changed: …`.",
        ],
    ),
    (
        "no snapshot found",
        "the start of the agent was not seen",
        [
            "Without it there is nothing to compare with: see NO_SNAPSHOT.",
            "`no snapshot found for a1 (start event may have been missed) — skipping verification`.",
            "If it comes again, `attest doctor` checks the hooks.",
        ],
    ),
    (
        "source",
        "where the report was found",
        [
            "In the hook's `payload`, or in the agent's `transcript`.",
            "`[source=payload]` ends the line of the claim.",
            "Nothing.",
        ],
    ),
    (
        "SILENT_WRITE_FAILURE",
        "a tool reported that it wrote a claimed file, and nothing of it is left",
        [
            "The file is neither on disk nor among what changed. It is advice: it never blocks by itself.",
            "`ADVICE: SILENT_WRITE_FAILURE: \"a.py\": Write reported success at 12:01:03, the file is not on disk`.",
            "Look who removed the file, or where the tool wrote it.",
        ],
    ),
];

pub(super) const STRICT: &[Told] = &[
    (
        "dirty",
        "block even if the work tree had uncommitted changes at the start",
        [
            "It takes ALLOW_AMBIGUOUS away.",
            "`ATTEST_STRICT=dirty`, for a tree in which only agents work.",
            "Do not use it where people edit while agents work.",
        ],
    ),
    (
        "untouched",
        "a claimed file that was not written since the start makes a DONE false",
        [
            "It makes the finding UNTOUCHED count.",
            "The report claims an edit of `parser.py` that was never made.",
            "`ATTEST_STRICT=untouched`, alone or among other words.",
        ],
    ),
    (
        "deleted",
        "a claimed deletion that did not happen makes a DONE false",
        [
            "It makes the finding NOT_DELETED count.",
            "`Files deleted: old.py`, and `old.py` is there as it was.",
            "`ATTEST_STRICT=deleted`, alone or among other words.",
        ],
    ),
    (
        "basename",
        "a changed file of the same name in another folder excuses no more",
        [
            "Without it a claim of `parser.py` is not disproved while any `parser.py` changed.",
            "The report names `src/parser.py`, and `lib/parser.py` changed.",
            "Use it if your agents name files by their whole path.",
        ],
    ),
    (
        "criteria",
        "a completion criterion that fails makes a DONE false",
        [
            "For the criteria of a file `ATTEST_CHECK=1` has to be set, and they have to be trusted; those of a prompt need neither. One that is skipped, or could not be run, does not count.",
            "`attest check` prints `not passed: tests`, and the report says DONE.",
            "`attest check` shows what fails.",
        ],
    ),
    (
        "remarks",
        "a path that is absent counts although the words beside or above it are not understood",
        [
            "It takes the doubts REMARK and TITLE away. `all` does not include it.",
            "The report says `src/x.py — in the stash`.",
            "Use it if your agents put nothing beside a path but what they did.",
        ],
    ),
    (
        "commits",
        "a commit that is claimed and is nowhere makes a DONE false",
        [
            "It makes the finding COMMIT_MISSING count.",
            "`Commit: 47d0420`, and no repository that the agent can have worked in has such an object.",
            "`ATTEST_STRICT=commits`, alone or among other words.",
        ],
    ),
    (
        "checks",
        "a command whose last run failed, beside a claim that it passed, makes a DONE false",
        [
            "It makes the finding CHECK_FAILED count, which rests on the agent's transcript.",
            "`Tests: cargo test (42 passed)`, and its last run ended with status 101.",
            "`ATTEST_STRICT=checks`, alone or among other words.",
        ],
    ),
    (
        "all",
        "every word of `ATTEST_STRICT` but `remarks`",
        [
            "That is dirty, untouched, deleted, basename, criteria, commits and checks. `remarks,all` is every word.",
            "`ATTEST_STRICT=all`, in a tree of agents with good habits.",
            "Begin with single words, and watch `attest log` for a week.",
        ],
    ),
];
