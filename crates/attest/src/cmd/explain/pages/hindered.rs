//! Words for what kept a stop from being checked as the person wants.

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

const CRITERIA: &str = "why criteria were not checked";
const GATE: &str = "why a gate has no say";

pub(super) const PAGES: &[Page] = &[
    page(
        "CRITERIA_UNTRUSTED",
        CRITERIA,
        "no person has trusted the criteria file as it is, where it is",
        [
            "Its commands are run only after `attest trust`, and each change of the file needs that again. Until \
             then no report is checked against it, also with `ATTEST_STRICT=criteria`.",
            "You pull a commit that changes `.attest/criteria.yaml`.",
            "Read the commands with `attest trust --show`, then run `attest trust`.",
        ],
    ),
    page(
        "CRITERIA_FOREIGN",
        CRITERIA,
        "the criteria file or a folder of it belongs to somebody else, or others may write to it",
        [
            "What others can change is not run, whatever you have trusted.",
            "The checkout was made by another user, or is writable for a group.",
            "Make the file and its folders yours, and writable for nobody else.",
        ],
    ),
    page(
        "CRITERIA_CHANGED",
        CRITERIA,
        "the criteria file is not what it was when the agent started, or it is gone",
        [
            "An agent cannot move its own goal: a file that changed under it is not run, even if it is trusted by now.",
            "The agent adds an exception to `.attest/criteria.yaml`.",
            "Look at the change. Agents that start from now on are checked against the file once you trust it.",
        ],
    ),
    page(
        "CRITERIA_UNREADABLE",
        CRITERIA,
        "the criteria file cannot be read, or is not valid",
        [
            "A file that cannot be read proves nothing about a report.",
            "A key is mistyped, or the file is larger than 1 MiB.",
            "`attest check` says what is wrong, with line and column.",
        ],
    ),
    page(
        "CRITERIA_NO_TIME",
        CRITERIA,
        "reading the work tree left no time for the criteria",
        [
            "Criteria get four fifths of what the stop hook has left of `ATTEST_STOP_DEADLINE`.",
            "A work tree of a million files on a slow disk.",
            "Raise `ATTEST_STOP_DEADLINE`, and the timeout of the hook with it.",
        ],
    ),
    page(
        "CRITERIA_FAILED",
        CRITERIA,
        "some checks could not be made, and the others do not decide",
        [
            "A command that is not there or does not end in time neither passes nor fails.",
            "`CRITERIA not checked: tests`, because the test suite takes longer than the hook may.",
            "`attest check` runs the same without the hook's limit, and shows what each command says.",
        ],
    ),
    page(
        "GATE_LATE",
        GATE,
        "the gate was still at work when its time was over",
        [
            "It was ended, which counts as `continue`. A gate that is late at two stops of a session in a row gets \
             one second at the next ones, until it answers in time again.",
            "A gate asks a service that does not answer.",
            "Make it answer sooner, give it a limit of its own, or take it out of `ATTEST_GATES`.",
        ],
    ),
    page(
        "GATE_FAILED",
        GATE,
        "the gate ended with an error, or its answer is not valid",
        [
            "That counts as `continue`; the log has the error, and what the gate said last.",
            "A script calls a program that is not installed.",
            "Run it by hand with a question from docs/GATES.md on its standard input.",
        ],
    ),
    page(
        "GATE_REFUSED",
        GATE,
        "the gate is not a program that only you can have put there",
        [
            "It is in a work tree of the repository, or others may write to it, so it was not run.",
            "`ATTEST_GATES` names a script of the repository.",
            "Put it outside of repositories, where only you may write.",
        ],
    ),
];
