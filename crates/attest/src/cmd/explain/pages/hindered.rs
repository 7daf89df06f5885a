//! Words for what kept a stop from being checked as the person wants.

use super::{Texts, Told};

pub(super) const CRITERIA: &[Texts<&str>] = &[
    (
        "CRITERIA_UNTRUSTED",
        [
            "Its commands are run only after `attest trust`, and each change of the file needs that again. Until \
             then no report is checked against it, also with `ATTEST_STRICT=criteria`.",
            "You pull a commit that changes `.attest/criteria.yaml`.",
            "Read the commands with `attest trust --show`, then run `attest trust`.",
        ],
    ),
    (
        "CRITERIA_FOREIGN",
        [
            "What others can change is not run, whatever you have trusted.",
            "The checkout was made by another user, or is writable for a group.",
            "Make the file and its folders yours, and writable for nobody else.",
        ],
    ),
    (
        "CRITERIA_CHANGED",
        [
            "An agent cannot move its own goal: a file that changed under it is not run, even if it is trusted by now.",
            "The agent adds an exception to `.attest/criteria.yaml`.",
            "Look at the change. Agents that start from now on are checked against the file once you trust it.",
        ],
    ),
    (
        "CRITERIA_UNREADABLE",
        [
            "A file that cannot be read proves nothing about a report.",
            "A key is mistyped, or the file is larger than 1 MiB.",
            "`attest check` says what is wrong, with line and column.",
        ],
    ),
    (
        "CRITERIA_NO_TIME",
        [
            "Criteria get four fifths of what the stop hook has left of `ATTEST_STOP_DEADLINE`.",
            "A work tree of a million files on a slow disk.",
            "Raise `ATTEST_STOP_DEADLINE`, and the timeout of the hook with it.",
        ],
    ),
    (
        "CRITERIA_FAILED",
        [
            "A command that is not there or does not end in time neither passes nor fails.",
            "`CRITERIA not checked: tests`, because the test suite takes longer than the hook may.",
            "`attest check` runs the same without the hook's limit, and shows what each command says.",
        ],
    ),
];

pub(super) const GATES: &[Told] = &[
    (
        "GATE_LATE",
        "the gate was still at work when its time was over",
        [
            "It was ended, which counts as `continue`. A gate that is late at two stops of a session in a row gets \
             one second at the next ones, until it answers in time again.",
            "A gate asks a service that does not answer.",
            "Make it answer sooner, give it a limit of its own, or take it out of `ATTEST_GATES`.",
        ],
    ),
    (
        "GATE_FAILED",
        "the gate ended with an error, or its answer is not valid",
        [
            "That counts as `continue`; the log has the error, and what the gate said last.",
            "A script calls a program that is not installed.",
            "Run it by hand with a question from docs/GATES.md on its standard input.",
        ],
    ),
    (
        "GATE_REFUSED",
        "the gate is not a program that only you can have put there",
        [
            "It is in a work tree of the repository, or others may write to it, so it was not run.",
            "`ATTEST_GATES` names a script of the repository.",
            "Put it outside of repositories, where only you may write.",
        ],
    ),
];
