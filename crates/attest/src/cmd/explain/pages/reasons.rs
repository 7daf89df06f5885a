//! The codes of the decision.

use attest_verdict::ReasonCode;

use super::Texts;

pub(super) const PAGES: &[Texts<ReasonCode>] = &[
    (
        ReasonCode::AllowNotEnforcing,
        [
            "`ATTEST_ENFORCE` is not exactly `1`: attest then only reports. A value such as `true` \
             does not turn it on, so that nothing is blocked by accident.",
            "After `attest install` alone every agent is let through with this code.",
            "`attest enforce on` turns enforcement on; `attest doctor` shows what is in force.",
        ],
    ),
    (
        ReasonCode::AllowAgentNotInScope,
        [
            "`ATTEST_ENFORCE_AGENTS` is set and does not list the type. Case does not matter.",
            "It lists `general-purpose`, and an agent of the type Explore stops.",
            "`attest enforce on --agent TYPE` adds a type; `attest enforce on` alone covers all.",
        ],
    ),
    (
        ReasonCode::AllowNoAgentId,
        [
            "Without an id its retries cannot be counted, so that a loop could not be ended.",
            "A host of another version leaves the field out.",
            "`attest doctor` shows the version of the host; a newer one may give ids.",
        ],
    ),
    (
        ReasonCode::AllowNotFalseDone,
        [
            "Only a DONE with a disproved path blocks. Any other status, a doubt, or a path without a \
             change does not.",
            "All claimed files changed, or the report makes no claim.",
            "Nothing. `attest explain` says of each verdict what would have disproved it.",
        ],
    ),
    (
        ReasonCode::AllowDeltaUnreliable,
        [
            "The outcome is UNVERIFIABLE: that git fails does not mean that nothing changed.",
            "The repository has a form that attest does not read, or its files cannot be read.",
            "The verdict names the reason; correct that if it comes again.",
        ],
    ),
    (
        ReasonCode::AllowAmbiguous,
        [
            "What others left there may be mixed up with the agent's work, so even a disproved claim \
             does not block.",
            "You edit `a.py` without a commit and start an agent, which claims a file that does not \
             exist: the outcome is MISMATCH, and the agent goes.",
            "`attest enforce on` puts `dirty` into `ATTEST_STRICT`: what was there at the start keeps its doubt path by \
             path, and the rest is as certain as in a clean work tree.",
        ],
    ),
    (
        ReasonCode::AllowSubagentAtWork,
        [
            "What is missing may still come: the turn goes on when the subagent reports, and is judged \
             then.",
            "The main agent starts a subagent in the background and says Status: DONE at once.",
            "Nothing. A subagent that was killed counts as at work until the next turn.",
        ],
    ),
    (
        ReasonCode::AllowAlreadySent,
        [
            "One stop uses one retry, however many hooks a host runs for it.",
            "attest is installed in the settings and as a plugin, and the host runs both.",
            "Remove one of the two; `attest doctor` shows what is installed.",
        ],
    ),
    (
        ReasonCode::AllowRetryCap,
        [
            "An agent that cannot comply has to be able to stop: after `ATTEST_MAX_RETRIES` blocks \
             (1 unless set) it goes, whatever it says.",
            "The agent is sent back for a missing file and claims it again.",
            "Take the verdict for what it is, a false DONE. `ATTEST_MAX_RETRIES=2` gives a second try.",
        ],
    ),
    (
        ReasonCode::AllowSessionCeiling,
        [
            "Many agents must not use a session up together: it has at most \
             `ATTEST_SESSION_BLOCK_CEILING` blocks in one repository (10 unless set).",
            "Twelve agents of one session each claim a file that does not exist; ten are sent back.",
            "Look why so many reports are wrong: `attest stats` and `attest log --session ID`.",
        ],
    ),
    (
        ReasonCode::AllowStopHookActive,
        [
            "It is the host's own guard against loops, which attest never overrides.",
            "Another stop hook sent the agent back just before.",
            "Nothing, if another hook is meant to send agents back as well.",
        ],
    ),
    (
        ReasonCode::AllowDeadline,
        [
            "The host would otherwise end the hook in the middle of a block. \
             `ATTEST_STOP_DEADLINE` is 20 seconds unless set.",
            "The repository is on a slow network file system.",
            "`attest snapshot` shows how long one reading takes; a higher deadline has to stay below \
             the time-out of the hook.",
        ],
    ),
    (
        ReasonCode::AllowCounterNotDurable,
        [
            "A block that is not counted could come again and again.",
            "The disk is full, or another process holds the state file.",
            "`attest doctor` checks the state file; `~/.attest/attest.log` has the error.",
        ],
    ),
    (
        ReasonCode::BlockFalseDone,
        [
            "It is the last row of the decision table: every other code is a reason to let an agent \
             through.",
            "Enforcement is on, the tree was clean at the start, and a claimed file does not exist.",
            "Nothing: the agent was told what is missing. `attest show` has the words.",
        ],
    ),
    (
        ReasonCode::BlockGate,
        [
            "A gate is a program that `ATTEST_GATES` names. It is asked about each stop, and may send an \
             agent back within the same limits as a false DONE.",
            "The report is true, and a gate that runs the linter finds a fault.",
            "Nothing: the agent was told what the gate said. `attest show` has the words.",
        ],
    ),
];
