//! The words of a doubt: why a claimed path that is not there proves nothing.

use super::Page;

const fn doubt(
    word: &'static str,
    meaning: &'static str,
    [more, example, advice]: [&'static str; 3],
) -> Page {
    Page {
        word,
        kind: "doubt",
        meaning,
        more,
        example,
        advice,
    }
}

const LOOK: &str = "Look at the path yourself.";

pub(super) const PAGES: &[Page] = &[
    doubt(
        "OUTSIDE",
        "the path lies outside the work tree",
        [
            "Nothing is recorded there at the start.",
            "`/etc/hosts`, or `../other/a.py`.",
            LOOK,
        ],
    ),
    doubt(
        "NO_PLACE",
        "the text does not name a place in the work tree",
        [
            "It goes above the root, or is longer than a path can be.",
            "`../../../a.py` in a folder of depth two.",
            LOOK,
        ],
    ),
    doubt(
        "KNOWN_AT_START",
        "the path differed from HEAD at the start or at the stop",
        [
            "It was already there, or already missing, so its absence now says nothing of the agent. It is asked \
             path by path: a dirty work tree leaves this doubt for its own paths only.",
            "A file that was deleted and not committed before the agent began.",
            LOOK,
        ],
    ),
    doubt(
        "SYMBOLIC_LINK",
        "a folder above the path is a symbolic link",
        [
            "git records the link and nothing behind it.",
            "`current/a.py`, where `current` links to `releases/7`.",
            LOOK,
        ],
    ),
    doubt(
        "OTHER_REPOSITORY",
        "the path lies in a submodule or another repository",
        [
            "What was there at the start is not recorded.",
            "`vendor/lib/a.py`, where `vendor/lib` is a submodule.",
            "`git log` in that repository shows what was done there.",
        ],
    ),
    doubt(
        "OTHER_WORKTREE",
        "the path lies in another work tree of the repository that was there before the agent",
        [
            "Only the agent's own work tree is recorded at the start. In one that was made since, nothing can have \
             been lost, so that there an absence does prove.",
            "The agent enters a work tree that an earlier one left behind, and names a file that is not \
             in it.",
            "Remove work trees that nobody needs with `git worktree remove`.",
        ],
    ),
    doubt(
        "UNREADABLE_FOLDER",
        "a folder above the path, or one that may hold it, cannot be read",
        [
            "What is in it is not known, at the start or at the stop.",
            "A folder of another user without the permission to list it.",
            "`ls -ld` on the folders above the path shows who may read them.",
        ],
    ),
    doubt(
        "TRACKED",
        "git has the path in the index or had it in the commit of the start",
        [
            "So it was there, and its absence is a deletion or a sparse checkout.",
            "`git rm --cached a.py`, after which the file was removed.",
            LOOK,
        ],
    ),
    doubt(
        "IGNORED",
        "git ignores the path",
        [
            "Ignored files are not recorded at the start.",
            "`build/out.bin` with `build/` in `.gitignore`.",
            LOOK,
        ],
    ),
    doubt(
        "IGNORE_RULES_CHANGED",
        "a rule that may have covered the path came or went",
        [
            "It may have been ignored at the start, and then nothing was recorded of it. A rule that has nothing to \
             do with the path leaves no doubt, if the rules of the start are known.",
            "`*.log` was taken out of `.gitignore`, and `run.log` is claimed.",
            LOOK,
        ],
    ),
    doubt(
        "WORKTREE_REMOVED",
        "a linked work tree was removed since the start",
        [
            "What was in it and not committed is gone, and may have been work.",
            "`git worktree remove ../feature` while the agent worked.",
            LOOK,
        ],
    ),
    doubt(
        "UNSPEAKABLE_NAME",
        "a changed file has a name that text cannot carry, and may be meant",
        [
            "A report cannot write every name, so one that looks like it counts as it.",
            "`caf\\xe9.txt` in Latin-1 changed, and `caf\u{e9}.txt` is claimed.",
            LOOK,
        ],
    ),
    doubt(
        "UNLISTED",
        "the path lies in a folder of which git listed nothing at the start",
        [
            "The folder was empty then, or all in it was ignored by rules of its own.",
            "`cache/a.py`, where `cache/.gitignore` has `*`.",
            LOOK,
        ],
    ),
    doubt(
        "FOLDER_MISSING",
        "a folder above the path is missing, and may have been there at the start",
        [
            "Only where git or libgit2 reads the work tree, which do not record every folder.",
            "`out/a.py`, and there is no `out`.",
            LOOK,
        ],
    ),
    doubt(
        "WRITTEN_ELSEWHERE",
        "a tool that may write on another machine names the path",
        [
            "A tool of an MCP server whose name suggests a change was given it.",
            "`mcp__remote__write_file` with `src/a.py`.",
            "Look where the server writes.",
        ],
    ),
    doubt(
        "TOO_MANY",
        "there is more than is searched, and the work may be in what was not looked at",
        [
            "The words behind it name the bound: repositories in the work tree, names in folders outside, tool \
             calls, and others.",
            "A folder with 300 clones in it.",
            LOOK,
        ],
    ),
    doubt(
        "UNKNOWN_PLACE",
        "the agent may have worked where it cannot be looked for",
        [
            "A call of the agent may have written anywhere: a script, a folder that only a shell knows, code in \
             another language, another machine; or a part of the transcript cannot be read. The words behind it \
             say which.",
            "`touch $INFRA/a.py`, or `./deploy.sh`.",
            "Look where that call wrote.",
        ],
    ),
    doubt(
        "OBJECTS_PACKED",
        "objects of the repository were dropped, and a commit may be gone with them",
        [
            "Packing alone is no doubt while everything that leads to commits is still there: the logs of HEAD, the \
             stash, the branches and the linked work trees.",
            "A branch was deleted, and `git gc --prune=now` dropped its commits.",
            "`git fsck --lost-found` shows what is left of them.",
        ],
    ),
    doubt(
        "IN_HISTORY",
        "a commit touches the path, and it is not known when",
        [
            "Only `attest verify` with a document that knows no commits.",
            "A path that was deleted years ago.",
            "`git log --all -- PATH` shows when.",
        ],
    ),
    doubt(
        "UNREADABLE",
        "a question that the absence depends on could not be answered",
        [
            "The words behind it say what the system, git or a bound answered.",
            "More than 5,000 commits have come since the start.",
            "Correct what could not be read, if it comes again.",
        ],
    ),
    doubt(
        "SAME_NAME",
        "a changed file elsewhere has the name of the path",
        [
            "It may be the file that is meant. `ATTEST_STRICT=basename` excuses only the end of a changed path.",
            "`src/a.py` is claimed, and `lib/a.py` changed.",
            LOOK,
        ],
    ),
    doubt(
        "NOT_A_PATH",
        "nothing has that name, and the text may not be a path",
        [
            "Only a reading that is certain can be disproved.",
            "`the parser` in a list of files.",
            "`attest claim FILE` shows how each entry is read.",
        ],
    ),
    doubt(
        "PERHAPS_NO_PATH",
        "the file is there as it was, and the text may not be a path",
        [
            "Only a reading that is certain can be disproved.",
            "The word `build` in a list, beside a file of that name.",
            "`attest claim FILE` shows how each entry is read.",
        ],
    ),
    doubt(
        "PERHAPS_NO_FOLDER",
        "a single word with a slash may be the name of a part of the project",
        [
            "Only a folder in a folder is taken at its word.",
            "`backend/` in a list, and no folder of that name.",
            LOOK,
        ],
    ),
    doubt(
        "REMARK",
        "the words beside the path are not understood as work",
        [
            "Only a remark that says what was done to the file, or what the file is, makes a claim of it. \
             `ATTEST_STRICT=remarks` lets it prove all the same.",
            "`src/x.py — in the stash`.",
            LOOK,
        ],
    ),
    doubt(
        "TITLE",
        "the words above the path, or in front of it, are not understood",
        [
            "A title that is not a part of the project, a thing or a verb may be above files that were not \
             worked on. `ATTEST_STRICT=remarks` lets them prove all the same.",
            "`**Gone with the old build**` above a list of files.",
            LOOK,
        ],
    ),
    doubt(
        "OLDER_FOLDER",
        "the folder is there as it was, and a file in it may be meant",
        [
            "A folder has no content of its own that would show an edit.",
            "`src/` is claimed, and nothing in it changed.",
            LOOK,
        ],
    ),
];
