//! The words of a finding about a claimed path.

use attest_verdict::Finding;

use super::Texts;

pub(super) const PAGES: &[Texts<Finding>] = &[
    (
        Finding::Changed,
        [
            "Contents are compared, not times, and a commit, a reset or a rename in between counts.",
            "The report names `parser.py`, and its content is not that of the start.",
            "Nothing: the claim holds.",
        ],
    ),
    (
        Finding::LandedElsewhere,
        [
            "The path does not differ in the agent's own tree, but a commit, a stash, a linked work tree or a nested \
             repository that is new or changed since the start has it, or a place that the transcript names, or a new \
             tree in the object store.",
            "The agent commits its work to a branch and checks the old one out again.",
            "Nothing: the claim holds. `git log --all -- PATH` shows where the work is.",
        ],
    ),
    (
        Finding::Present,
        [
            "It may be ignored by git, lie outside of the repository, have been changed and changed back, or be claimed \
             although it was only read.",
            "The report names `README.md`, which is as it was.",
            "Look at it yourself if it matters: this never blocks.",
        ],
    ),
    (
        Finding::Unresolvable,
        [
            "A pattern, a number of files, a URL or a placeholder names no file that could be looked \
             at. Such an entry never counts against a report.",
            "The report says `Files changed: src/*.rs and 3 tests`.",
            "Ask your agents to name each file by its path from the top of the repository.",
        ],
    ),
    (
        Finding::Unproven,
        [
            "A doubt says why: the words beside it are not understood, git ignores it, objects were dropped, it may not be a \
             path. It never blocks; with `ATTEST_STRICT=remarks` words that are not understood are no excuse.",
            "The report says `src/x.py — in the stash`.",
            "Look whether the file is where the report says. Ask your agents to name only files that they \
             changed.",
        ],
    ),
    (
        Finding::TreeClean,
        [
            "What differed from HEAD when the agent began, and still does, is not the agent's and does not count.",
            "`Working tree: clean`, and all that the agent changed is committed.",
            "Nothing.",
        ],
    ),
    (
        Finding::TreeDirty,
        [
            "It is told and never blocks. What others may have written is left out: while other agents work in the same \
             tree it is not judged.",
            "`Working tree: clean`, and `src/a.py` changed and is not committed.",
            "`git status` shows what is left; commit it, or take it back.",
        ],
    ),
    (
        Finding::Emptied,
        [
            "It is told and never blocks: whoever says beside the file or in the report that it was emptied or moved is \
             not told of. Where other agents work in the same tree, nothing is told.",
            "`src/a.py` is claimed as changed, and `: > src/a.py` was the last thing done to it.",
            "Look whether the file was to be empty; `git diff` shows what it had.",
        ],
    ),
    (
        Finding::Empty,
        [
            "It is told and never blocks. Names that are empty by custom, such as `__init__.py` and `.gitkeep`, are left out.",
            "`src/new.py` is claimed, was made by `touch`, and has no bytes.",
            "Look whether the file was to be empty.",
        ],
    ),
    (
        Finding::Gutted,
        [
            "It is told and never blocks. A report that says why, files that grew by what this one lost, lock files and \
             data are left out, and so are files of less than half a kilobyte.",
            "`src/a.py` had 4000 bytes, is claimed as changed, and has 40 left.",
            "Look whether so little was to be left; `git diff` shows what is gone.",
        ],
    ),
    (
        Finding::Stubs,
        [
            "It is shown and never told: many agents leave such places on purpose. `todo!()`, `unimplemented!()`, \
             `NotImplementedError`, `TODO` and `FIXME` are counted.",
            "`src/a.py` is claimed, and has two places marked TODO more than at the start.",
            "Nothing, unless the work was to be finished.",
        ],
    ),
    (
        Finding::FileRead,
        [
            "It rests on the agent's transcript, and says nothing of how much was read.",
            "`Files reviewed: src/a.py`, and a call of Read names the file.",
            "Nothing.",
        ],
    ),
    (
        Finding::NotOpened,
        [
            "It is told and never blocks. A command, a search, another agent or a tool of a server may have read anything, \
             and who was given a file in a prompt need not open it: then nothing is told.",
            "`Files reviewed: src/a.py`, and the agent's only call read `src/b.py`.",
            "Ask for the review again, or look at the file yourself.",
        ],
    ),
    (
        Finding::CommitFound,
        [
            "It may be in the agent's repository, or in another one in which its calls worked. Who made it is not asked.",
            "`Commit: 1a2b3c4`, and `git show 1a2b3c4` shows it.",
            "Nothing.",
        ],
    ),
    (
        Finding::CommitOld,
        [
            "A branch of the start leads to it. It may be what the agent built on, what it looked at, or what it did in \
             an earlier turn, so it is never told.",
            "`Commit: 1a2b3c4`, which was HEAD when the agent began.",
            "If the report is to name a commit of its own, look with `git log` whether there is one.",
        ],
    ),
    (
        Finding::CommitMissing,
        [
            "Looked for among all objects of the agent's repository, of those in its work tree, and of those that its \
             calls name. It is only said if none of them is a shallow or partial clone or can have lost it, and if \
             nothing that the agent was told or answered has the name: a name that it was never shown it cannot know. It \
             is told, and makes a DONE false only with `ATTEST_STRICT=commits`.",
            "`Commit: 1a2b3c4`, and no tool ever printed that.",
            "Look with `git log` what was committed, and ask the agent for the name that git printed.",
        ],
    ),
    (
        Finding::BranchFound,
        [
            "A branch on a remote counts, and so does one that is gone again: it may have been merged.",
            "`Branch: feat/dates`, and `git branch --all` has it.",
            "Nothing.",
        ],
    ),
    (
        Finding::BranchMissing,
        [
            "Looked for in the agent's repository, in those in its work tree, and in those that its calls name. It is \
             told and never blocks.",
            "`Branch: feat/dates`, and no command of the agent ever named it.",
            "Look with `git branch --all` where the work is.",
        ],
    ),
    (
        Finding::Pushed,
        [
            "HEAD is the one at the stop, and what is known of the remote is from the last push or fetch.",
            "`Pushed: yes`, and `origin/main` has HEAD.",
            "Nothing.",
        ],
    ),
    (
        Finding::PushFailed,
        [
            "It is only said if git refused the push and nothing that the agent did after it can have pushed. It is told \
             and never blocks.",
            "`Pushed: yes`, after `git push` ended with `failed to push some refs`.",
            "Push it yourself, or ask the agent what the remote said.",
        ],
    ),
    (
        Finding::CheckSeen,
        [
            "What the agent's commands ran is read from its transcript, with the exit status that the host shows.",
            "`Tests: cargo test (42 passed)`, and the last `cargo test` of the agent ended with status 0.",
            "Nothing.",
        ],
    ),
    (
        Finding::CheckStale,
        [
            "The claim may well be true: it is shown with the times, and never told. Files of prose, such as `README.md`, \
             do not count.",
            "`Tests: npm test — all pass`, and `src/a.js` was edited after the last `npm test`.",
            "Run the check again if the edit matters.",
        ],
    ),
    (
        Finding::CheckFailed,
        [
            "It is told with the command, its status and the time. It counts only if that is the last word: no pipe, list \
             or background hides the end, and no script, server, other agent or unknown program ran after it. With \
             `ATTEST_STRICT=checks` it disproves a DONE.",
            "`Tests: cargo test (42 passed)`, and the last `cargo test` ended with status 101.",
            "Run the command yourself.",
        ],
    ),
    (
        Finding::CheckNotRun,
        [
            "It is told and never blocks, and only of a subagent whose transcript is complete and that can run commands: no \
             shell, server, other agent or unknown tool was called at all.",
            "`Tests: 42 passed`, of an agent that only read and wrote files.",
            "Run the checks: somebody else may have run them, but this agent did not.",
        ],
    ),
    (
        Finding::GoneAgain,
        [
            "Only `attest ci` finds it. A commit that removes the file and adds another may have renamed it, and is not counted.",
            "The text of a pull request names `notes.md`, which its first commit adds and its last one removes.",
            "Take the file out of the text, or bring it back.",
        ],
    ),
    (
        Finding::CommitElsewhere,
        [
            "Only `attest ci` finds it. A commit that is not seen may have been squashed or rebased since and proves nothing, and \
             neither does one that touches a file which the range touches too.",
            "The text of a pull request says `Commits: 1a2b3c4`, which is on the branch of another one.",
            "Push that commit, or take its name out of the text.",
        ],
    ),
    (
        Finding::CountHeld,
        [
            "All that may be meant is counted: the whole range, each commit, and all up to a commit, with a renamed file as one or \
             as two.",
            "The text of a pull request says `Files changed: 3`, and three files changed.",
            "Nothing: the claim holds.",
        ],
    ),
    (
        Finding::CountWrong,
        [
            "Only `attest ci` finds it. No commit, no beginning of the range and not all of it changed so many files.",
            "The text of a pull request says `12 files changed, 40 insertions(+)`, and two files changed.",
            "Correct the number, or look for the files that were not added.",
        ],
    ),
    (
        Finding::NotJudged,
        [
            "It is neither borne out nor contradicted, and never told on its own.",
            "`Working tree: clean`, while other agents worked in the same tree.",
            "Look at it yourself if it matters.",
        ],
    ),
    (
        Finding::Untouched,
        [
            "Its content is that of the start and its times are older. With `ATTEST_STRICT=untouched` \
             it disproves a DONE.",
            "The report claims an edit of `parser.py` that was never made.",
            "Look at the file; put `untouched` into `ATTEST_STRICT` if it is to count.",
        ],
    ),
    (
        Finding::NotDeleted,
        [
            "With `ATTEST_STRICT=deleted` it disproves a DONE.",
            "The report says `Files deleted: old.py`, and `old.py` is still there.",
            "Look at the file; put `deleted` into `ATTEST_STRICT` if it is to count.",
        ],
    ),
    (
        Finding::Absent,
        [
            "It is the last answer, given only after every doubt is ruled out: other folders, other \
             spellings, commits, stashes, other work trees, ignored files. It disproves a DONE.",
            "The report names `tests/test_parser.py`, and no such file was ever made.",
            "Ask for the file, or for a report without it. `attest enforce on` does that by itself.",
        ],
    ),
];
