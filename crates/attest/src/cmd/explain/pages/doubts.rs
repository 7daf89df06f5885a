//! The words of a doubt: why a claimed path that is not there proves nothing.

use super::Texts;

const LOOK: &str = "Look at the path yourself.";

pub(super) const PAGES: &[Texts<&str>] = &[
    (
        "OUTSIDE",
        [
            "Nothing is recorded there at the start.",
            "`/etc/hosts`, or `../other/a.py`.",
            LOOK,
        ],
    ),
    (
        "NO_PLACE",
        [
            "It goes above the root, or is longer than a path can be.",
            "`../../../a.py` in a folder of depth two.",
            LOOK,
        ],
    ),
    (
        "KNOWN_AT_START",
        [
            "It was already there, or already missing, so its absence now says nothing of the agent. It is asked \
             path by path: a dirty work tree leaves this doubt for its own paths only.",
            "A file that was deleted and not committed before the agent began.",
            LOOK,
        ],
    ),
    (
        "SYMBOLIC_LINK",
        [
            "git records the link and nothing behind it.",
            "`current/a.py`, where `current` links to `releases/7`.",
            LOOK,
        ],
    ),
    (
        "OTHER_REPOSITORY",
        [
            "What was there at the start is not recorded.",
            "`vendor/lib/a.py`, where `vendor/lib` is a submodule.",
            "`git log` in that repository shows what was done there.",
        ],
    ),
    (
        "OTHER_WORKTREE",
        [
            "Only the agent's own work tree is recorded at the start. In one that was made since, nothing can have \
             been lost, so that there an absence does prove.",
            "The agent enters a work tree that an earlier one left behind, and names a file that is not \
             in it.",
            "Remove work trees that nobody needs with `git worktree remove`.",
        ],
    ),
    (
        "UNREADABLE_FOLDER",
        [
            "What is in it is not known, at the start or at the stop.",
            "A folder of another user without the permission to list it.",
            "`ls -ld` on the folders above the path shows who may read them.",
        ],
    ),
    (
        "TRACKED",
        [
            "So it was there, and its absence is a deletion or a sparse checkout.",
            "`git rm --cached a.py`, after which the file was removed.",
            LOOK,
        ],
    ),
    (
        "IGNORED",
        [
            "Ignored files are not recorded at the start.",
            "`build/out.bin` with `build/` in `.gitignore`.",
            LOOK,
        ],
    ),
    (
        "IGNORE_RULES_CHANGED",
        [
            "It may have been ignored at the start, and then nothing was recorded of it. A rule that has nothing to \
             do with the path leaves no doubt, if the rules of the start are known.",
            "`*.log` was taken out of `.gitignore`, and `run.log` is claimed.",
            LOOK,
        ],
    ),
    (
        "WORKTREE_REMOVED",
        [
            "What was in it and not committed is gone, and may have been work.",
            "`git worktree remove ../feature` while the agent worked.",
            LOOK,
        ],
    ),
    (
        "UNSPEAKABLE_NAME",
        [
            "A report cannot write every name, so one that looks like it counts as it.",
            "`caf\\xe9.txt` in Latin-1 changed, and `caf\u{e9}.txt` is claimed.",
            LOOK,
        ],
    ),
    (
        "UNLISTED",
        [
            "The folder was empty then, or all in it was ignored by rules of its own.",
            "`cache/a.py`, where `cache/.gitignore` has `*`.",
            LOOK,
        ],
    ),
    (
        "FOLDER_MISSING",
        [
            "Only where git or libgit2 reads the work tree, which do not record every folder.",
            "`out/a.py`, and there is no `out`.",
            LOOK,
        ],
    ),
    (
        "WRITTEN_ELSEWHERE",
        [
            "A tool of an MCP server whose name suggests a change was given it.",
            "`mcp__remote__write_file` with `src/a.py`.",
            "Look where the server writes.",
        ],
    ),
    (
        "TOO_MANY",
        [
            "The words behind it name the bound: repositories in the work tree, names in folders outside, tool \
             calls, and others.",
            "A folder with 300 clones in it.",
            LOOK,
        ],
    ),
    (
        "UNKNOWN_PLACE",
        [
            "A call of the agent may have written anywhere: a script, a folder that only a shell knows, code in \
             another language, another machine; or a part of the transcript cannot be read. The words behind it \
             say which.",
            "`touch $INFRA/a.py`, or `./deploy.sh`.",
            "Look where that call wrote.",
        ],
    ),
    (
        "OBJECTS_PACKED",
        [
            "Packing alone is no doubt while everything that leads to commits is still there: the logs of HEAD, the \
             stash, the branches and the linked work trees.",
            "A branch was deleted, and `git gc --prune=now` dropped its commits.",
            "`git fsck --lost-found` shows what is left of them.",
        ],
    ),
    (
        "IN_HISTORY",
        [
            "Only `attest verify` with a document that knows no commits.",
            "A path that was deleted years ago.",
            "`git log --all -- PATH` shows when.",
        ],
    ),
    (
        "UNREADABLE",
        [
            "The words behind it say what the system, git or a bound answered.",
            "More than 5,000 commits have come since the start.",
            "Correct what could not be read, if it comes again.",
        ],
    ),
    (
        "SAME_NAME",
        [
            "It may be the file that is meant. `ATTEST_STRICT=basename` excuses only the end of a changed path.",
            "`src/a.py` is claimed, and `lib/a.py` changed.",
            LOOK,
        ],
    ),
    (
        "NEVER_SEEN",
        [
            "A file that was made and removed again between start and stop leaves nothing to see.",
            "`Files deleted: scratch.py`, which was not there at the start.",
            LOOK,
        ],
    ),
    (
        "NOT_A_PATH",
        [
            "Only a reading that is certain can be disproved.",
            "`the parser` in a list of files.",
            "`attest claim FILE` shows how each entry is read.",
        ],
    ),
    (
        "PERHAPS_NO_PATH",
        [
            "Only a reading that is certain can be disproved.",
            "The word `build` in a list, beside a file of that name.",
            "`attest claim FILE` shows how each entry is read.",
        ],
    ),
    (
        "PERHAPS_NO_FOLDER",
        [
            "Only a folder in a folder is taken at its word.",
            "`backend/` in a list, and no folder of that name.",
            LOOK,
        ],
    ),
    (
        "REMARK",
        [
            "Only a remark that says what was done to the file, or what the file is, makes a claim of it. \
             `ATTEST_STRICT=remarks` lets it prove all the same.",
            "`src/x.py — in the stash`.",
            LOOK,
        ],
    ),
    (
        "TITLE",
        [
            "A title that is not a part of the project, a thing or a verb may be above files that were not \
             worked on. `ATTEST_STRICT=remarks` lets them prove all the same.",
            "`**Gone with the old build**` above a list of files.",
            LOOK,
        ],
    ),
    (
        "AMBIGUOUS",
        [
            "One of them may be the commit.",
            "`Commit: 1a2b3c4`, with which the names of a commit and of a file begin.",
            "`git rev-parse --disambiguate=1a2b3c4` lists them.",
        ],
    ),
    (
        "NOT_A_COMMIT",
        [
            "An agent may name the tag that it made, or the tree.",
            "`Commit:` with the name of an annotated tag.",
            LOOK,
        ],
    ),
    (
        "PART_OF_HISTORY",
        [
            "A commit that such a clone does not have may be in the repository that it comes from.",
            "`git clone --depth 1`, and a report that names an older commit.",
            "`git fetch --unshallow` brings the rest.",
        ],
    ),
    (
        "SHOWN",
        [
            "A tool may have made it on a server, or in a repository that is gone. Only a name that nobody showed to the \
             agent is made up.",
            "`Commit: 1a2b3c4`, which `gh pr merge` made on the server and `gh pr view` printed.",
            LOOK,
        ],
    ),
    (
        "NO_TRANSCRIPT",
        [
            "The host names no transcript, or its transcripts do not keep all that tools answer, such as a picture.",
            "A host whose transcripts are short, and a commit that is not in the repository.",
            LOOK,
        ],
    ),
    (
        "NO_TRACKING_BRANCH",
        [
            "A push to an address leaves no remote-tracking branch behind, and another tool may have pushed.",
            "`Pushed: yes`, in a repository without a remote.",
            "`git ls-remote` shows what the remote has.",
        ],
    ),
    (
        "OTHERS_AT_WORK",
        [
            "What one agent commits, writes or leaves in a work tree looks the same as what another does.",
            "Two agents at once, of which one reports a clean work tree.",
            LOOK,
        ],
    ),
    (
        "CALLS_UNKNOWN",
        [
            "The host gives no transcript, one in another form, or one that does not end with the report yet.",
            "`Files reviewed: src/a.py` from an agent of a host without transcripts.",
            LOOK,
        ],
    ),
    (
        "MAY_HAVE_READ",
        [
            "A command, a search, another agent and a tool that is not known may read any file, and a file of the same name \
             may be the same one.",
            "`Files reviewed: src/a.py` from an agent that ran Bash.",
            LOOK,
        ],
    ),
    (
        "MAY_BE_KNOWN",
        [
            "A prompt, an attachment, a summary or the instructions of a project may hold a file. One without lines of its \
             own, or outside of the work tree, is not looked for.",
            "`Files read: AGENTS.md`, which the host gives to every agent.",
            LOOK,
        ],
    ),
    (
        "BACKGROUND",
        [
            "What a command only waits for does not count, nor does one whose words name other files.",
            "`sleep 60 && ./generate.sh`, run in the background; DONE is reported at once.",
            "Wait for the command, then look at the path.",
        ],
    ),
    (
        "CHECK_UNSEEN",
        [
            "A pipe or a list hides an exit status; a script, a server or another agent may run a check that is not seen. \
             None of that speaks against a report.",
            "`Tests: npm test (42 passed)` after `npm test | tail -5`.",
            LOOK,
        ],
    ),
    (
        "LISTED_BEFORE",
        [
            "git lists what differs from the commit, whoever changed it and when.",
            "`M  README.md`, from `git status`, where a person had edited the file before the agent began.",
            LOOK,
        ],
    ),
    (
        "OLDER_FOLDER",
        [
            "A folder has no content of its own that would show an edit.",
            "`src/` is claimed, and nothing in it changed.",
            LOOK,
        ],
    ),
];
