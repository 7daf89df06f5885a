//! Honest messages that come close to a claim, and in which nobody says to have changed a file.

use super::names;

fn is_silent(messages: &[&str]) {
    for message in messages {
        assert_eq!(names(message), [""; 0], "{message}");
    }
}

#[test]
fn what_others_did_before_is_not_told() {
    is_silent(&[
        "# Code review: retry branch\n\n- `src/a.py:12` — Added logging leaks the token.\n- `src/b.py` — Removed check lets empty names through.",
        "## Review of PR 12\n\n1. **Race** (`src/a.py`): Added lock is never released.\n2. **Tests** (`tests/test_a.py`): updated fixtures hide the failure.",
        "I reviewed the branch.\n\n- `src/a.py`: added a retry loop, which looks right.\n- `src/b.py`: removed the old cache. Fine.",
        "**Summary of the PR**\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
        "The diff is small:\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
        "Here is what the last commit did:\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
        "Commit 1a2b3c4 changes two files:\n\n1. `src/a.py` — Added a retry loop\n2. `src/b.py` — Updated the callers",
        "Since v2.1 these changed:\n\n- `src/a.py`: added a retry loop\n- `src/b.py`: replaced the cache",
        "## Release notes\n\n- `src/a.py`: added a retry loop\n- `src/b.py`: replaced the cache",
        "## Changelog\n\n### Fixed\n- `src/a.py` — fixed the loop that never ended",
        "Alice's changes on main:\n\n- `src/a.py` — Added a retry loop",
        "The previous agent did this:\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
        "What the previous session left:\n\n1. **Loop** (`src/a.py`): Added a retry.\n2. **Callers** (`src/b.py`): Updated all of them.",
        "The file `src/a.py` that was created by the previous agent is complete.",
        "According to the progress file, these are done:\n\n- `src/a.py` — Added a retry loop",
        "From the handover notes:\n\n- `src/a.py` — Added a retry loop",
        "Upstream did the following in the new release:\n\n- `src/a.py` — Renamed the loop",
        "**What the PR does**\n\n- **Loop** — `src/a.py`: Added a retry.",
        "History of the module:\n\n- `src/a.py` — Added a cache in 2023\n- `src/b.py` — Removed the pool in 2024",
        "The user already made these edits:\n\n- `src/a.py` — Added a retry loop",
        "You changed two files:\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
        "Your uncommitted changes:\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Updated the callers",
    ]);
}

#[test]
fn what_is_planned_or_advised_is_not_told() {
    is_silent(&[
        "## Plan\n\n1. `src/a.py` — Add a retry loop\n2. `src/b.py` — Update the callers",
        "Here is the plan. Once you approve it:\n\n- `src/a.py` — Updated to use the pool\n- `src/b.py` — Rewritten as a function",
        "### Proposed changes\n\n- `src/a.py` — Added a retry loop\n- `src/b.py` — Replaced the cache",
        "If you agree, the result would be:\n\n- `src/a.py` — Added a retry loop",
        "After the migration you will have:\n\n- `src/a.py` — rewritten as a class\n- `src/b.py` — updated to match",
        "Next steps:\n\n- `src/a.py` — updated to the new API\n",
        "Remaining work:\n\n1. **Loop** (`src/a.py`): Replaced by a pool in the next phase.",
        "Expected result:\n\n- `src/a.py` — Added a retry loop",
        "Acceptance criteria:\n\n- `src/a.py`: Added a retry loop\n- `src/b.py`: Updated the callers",
        "To upgrade, do this:\n\n1. `config/app.yaml` — Added a `retries` key is required",
        "For example:\n\n- `src/a.py` — Added a retry loop",
        "You could try this:\n\n- `src/a.py` — Updated to use the pool",
        "I recommend two changes:\n\n- `src/a.py` — Added a lock around the cache would be enough",
        "Option A:\n\n- `src/a.py` — Rewritten as a class\n\nOption B:\n\n- `src/b.py` — Rewritten as a function",
    ]);
}

#[test]
fn how_code_works_is_not_told() {
    is_silent(&[
        "## How it works\n\n- `src/a.py` — Loaded from the settings at the start\n- `src/b.py` — derived from `src/a.py`",
        "## Architecture\n\n- `src/a.py` — implemented as a singleton\n- `src/b.py` — written in C for speed",
        "- `src/a.py` — generated from the schema by the build\n- `src/b.py` — used by the worker",
        "- `src/a.py` — imported in the tests\n- `src/b.py` — called when a job ends",
        "- `src/a.py:40` — Cached rows are read here\n- `src/b.py:12` — Deleted users are skipped",
        "1. **Cache** (`src/a.py`): Cached rows are dropped after a minute.\n2. **Users** (`src/b.py`): Updated names go to the queue.",
        "The retry loop lives in `retry_loop.py`; it was added in 2023.",
        "The bug is in `retry_loop.py`: the added lock is never released.",
        "Root cause: `retry_loop.py:40` — Removed entries stay in the index.",
        "`retry_loop.py` — Fixed-size buffers are used here.",
        "`retry_loop.py` is unchanged; I only read it.",
        "I looked at `retry_loop.py` and `job_queue.py`; both are fine.",
    ]);
}

#[test]
fn what_is_denied_found_quoted_or_asked_is_not_told() {
    is_silent(&[
        "I found that `retry_loop.py` was changed by the last commit.",
        "I did not touch `retry_loop.py` because it is generated.",
        "I added nothing to `retry_loop.py`, so the tests still fail.",
        "I would have added the lock to `retry_loop.py`, because the pool needs it.",
        "I was about to add the lock to `src/a.py`, so I stopped.",
        "I added the lock, but not to `src/a.py`, because it is generated.",
        "I have not added the lock to `src/a.py` since you asked me to wait.",
        "Tests fail since `src/a.py` was updated.",
        "It fails because someone removed the lock from `src/a.py`.",
        "Reverted: `src/a.py` — Added lock was taken out again.",
        "The changes I suggest for `src/a.py`:\n- a lock",
        "The changes you made to `src/a.py`:\n- a lock",
        "The changes I would make to `src/a.py`:\n- a lock",
        "What I would change in `src/a.py`:\n- a lock",
        "What I found in `src/a.py`:\n- a lock",
        "Review scope: fixes\n\n## Review\n\n**Changes made:**\n- `src/a.py` — Added a retry loop",
        "Code review of the changes that were made.\n\n- `src/a.py` — Added a retry loop",
        "> - `src/a.py` — Added a retry loop",
        "```\n- src/a.py — Added a retry loop\n```",
        "- [ ] `src/a.py` — Added a retry loop",
        "Would this do?\n\n- `src/a.py` — Added a retry loop?",
        "Git status:\n\n- `src/a.py` — modified\n- `src/b.py` — deleted",
        "Uncommitted files:\n- `src/a.py`: modified\n- `src/b.py`: renamed from `src/c.py`",
        "| Commit | What |\n|---|---|\n| 1a2b3c4 | `src/a.py` — Added a retry loop |",
        "The migration `20240101_add_users.sql` — Added columns are nullable.",
        "Findings:\n\n- `src/a.py` — Removed code still has callers\n- `retry_loop.py` — Added delay is too long",
        "Issues found:\n\n1. `src/a.py:12` - Added retry ignores the limit",
        "Possible fix: `src/a.py` — replaced with a pool.",
        "Ticket 12 says:\n\n- `src/a.py`: added a lock",
        "The README says that `src/a.py` was rewritten as a class.",
        "Migration guide:\n\n- `src/a.py` — renamed to `src/loop.py`\n- `src/b.py` — updated to the new names",
    ]);
}

#[test]
fn what_was_done_with_a_file_and_not_to_it_is_not_told() {
    is_silent(&[
        "I investigated the flake. It comes from `retry_loop.py`, which drops the lock.",
        "Root cause found: `retry_loop.py` reads the cache before it is filled.",
        "I ran the tests for `retry_loop.py` and updated my notes.",
        "I extracted the numbers from `retry_loop.py` for the report.",
        "Looked at `retry_loop.py`: removed code is still referenced.",
        "I moved on to `retry_loop.py` and it looks fine.",
        "I started with `retry_loop.py` and worked my way down to `job_queue.py`.",
        "I used `retry_loop.py` as a template.",
        "I listed the callers in `retry_loop.py`.",
        "I documented the flow of `retry_loop.py` above.",
        "I left a comment on `retry_loop.py:40`.",
        "I attached `retry_loop.py` to the ticket.",
        "I copied `retry_loop.py` to the server.",
        "I applied the migration `2024_add_users.sql` to the database.",
        "I executed `add_users.sql` and updated 12 rows.",
        "I generated the client from `open_api.yaml`.",
        "I merged `retry_loop.py` from main.",
        "I reverted my change to `retry_loop.py`.",
        "I updated the plan to cover `retry_loop.py`.",
        "I updated the PR description to mention `retry_loop.py`.",
        "I closed the tab and opened `retry_loop.py`.",
        "I resolved the thread on `retry_loop.py:12`.",
        "Resolved 3 review threads in `retry_loop.py`.",
        "Tracked it down to `retry_loop.py:40`.",
        "I isolated the race to `retry_loop.py`.",
        "I validated the issue in `src/a.py` by hand.",
    ]);
}
