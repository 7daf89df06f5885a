//! The headings of lists, and the words in their cells.

use super::Brief;

pub(super) const COLUMNS: &[Brief] = &[
    (
        "AGENT",
        "the agent: its task if the host keeps one, `turn 2` for a turn of the main agent, or else its id",
    ),
    (
        "AGENTS",
        "how many agents stopped, each counted once; under a reason: how many were let go for it",
    ),
    (
        "BLOCKED",
        "how often agents were sent back for a false DONE",
    ),
    (
        "ASKED",
        "of the stops of agents that were asked for a report at their start, the share that could be judged",
    ),
    ("BRANCH", "the branch that was checked out"),
    (
        "CHANGE",
        "how many points of a hundred RATE has gained or lost against the time before; of few agents, what it was",
    ),
    (
        "CHANGED, NOT CLAIMED",
        "what changed and no claim accounts for",
    ),
    ("CLAIM", "what claims are about"),
    ("CLAIMED", "the path as the report names it"),
    (
        "CLAIMS",
        "in `stats`: how many agents made a claim; below it: how many claimed paths had the doubt",
    ),
    (
        "CHECKS",
        "at how many stops a claim about tests, builds or lints could be judged",
    ),
    (
        "COMMITS",
        "at how many stops a claim about commits could be judged",
    ),
    (
        "CONTEXT",
        "tokens in the context of the agent at its last turn",
    ),
    ("CRITERION", "the name of a completion criterion"),
    ("DAY", "the day of the agent's first stop"),
    (
        "DECISION",
        "what a gate said: continue, revise, finalize, or none if it gave no answer",
    ),
    ("DOUBT", "why claimed paths proved nothing"),
    (
        "FALSE",
        "how many agents reported a DONE that was disproved",
    ),
    ("FALSE AMONG CLAIMS", "RATE as a bar"),
    (
        "FILES",
        "at how many stops a claim about files could be judged",
    ),
    ("FINDING", "what was found of what is claimed"),
    (
        "FIXED",
        "after how many blocks the agent wrote what was missing",
    ),
    ("FOLDER", "the folder in which the agent worked"),
    ("FROM", "where the value is set"),
    ("FULL", "how much of the model's context the agent uses"),
    ("GATE", "a program that `ATTEST_GATES` names"),
    ("HEAD", "the commit that was checked out"),
    ("HOST", "the program that ran the agent"),
    (
        "ID",
        "the beginning of the verdict's id, which `attest show` and `attest explain` take",
    ),
    (
        "JUDGED",
        "at how many stops something that was claimed could be borne out or contradicted",
    ),
    ("KIND", "what kind of word it is"),
    ("MEANING", "what the word means"),
    (
        "NOT ASKED",
        "of the stops of agents that were not asked for a report, the share that could be judged",
    ),
    ("OUTCOME", "what the stop came to"),
    (
        "OUTPUT",
        "tokens that the agent's model wrote at its last turn",
    ),
    (
        "OVER TIME",
        "RATE in twelve parts of the time from the first stop to the last; all lines of a table have one scale",
    ),
    ("PATH", "the file that the call names"),
    (
        "RATE",
        "of a hundred agents with a claim, how many reported a false DONE; of fewer than 20, how many of them",
    ),
    ("READ AS", "the path or paths that the entry may mean"),
    (
        "READS",
        "at how many stops a claim about files that were read could be judged",
    ),
    (
        "REASON",
        "in `stats`: why stops were let through or sent back; of a gate: what it gave as its reason",
    ),
    (
        "REPEATED",
        "after how many blocks the agent claimed the same again",
    ),
    (
        "REPOSITORY",
        "the folder of the repository; none if the agent's start was not seen or was in none",
    ),
    ("RESULT", "what the tool reported"),
    ("SETTING", "what can be set"),
    ("STARTED", "when the agent started"),
    (
        "STATUS",
        "whether the agent is at work: active, completed, died or lost",
    ),
    (
        "STOPS",
        "how many stops there were, also those that were sent back",
    ),
    ("SURE", "how sure the reading is: certain, folder or likely"),
    ("TIME", "when the agent stopped"),
    ("TOOK", "the time from start to stop"),
    ("TOOL", "the tool, as the host calls it"),
    (
        "TREE",
        "at how many stops a claim about the work tree as a whole could be judged",
    ),
    (
        "TYPE",
        "the host's name for the kind of agent; `main` is the main agent of the session",
    ),
    ("UNCOMMITTED", "how many paths differed from HEAD"),
    ("VALUE", "what is in force"),
    ("WEEK", "the Monday of the week of the agent's first stop"),
    ("WHAT", "the paths or the reason that the outcome rests on"),
    (
        "WHAT CHANGES IT",
        "what would have had such an agent sent back",
    ),
    (
        "WHY",
        "what the finding rests on; a word in brackets is the doubt",
    ),
    (
        "WITHDRAWN",
        "after how many blocks the agent took the claim back",
    ),
    ("WORD", "what `attest explain` takes"),
];

pub(super) const STATES: &[Brief] = &[
    ("active", "the agent started, and its stop is still to come"),
    ("completed", "the agent stopped and was let go"),
    (
        "died",
        "an error of its model's service ended the agent before it could stop",
    ),
    (
        "lost",
        "the agent started, and for an hour neither its stop nor a line of its transcript was seen",
    ),
];

pub(super) const STATUSES: &[Brief] = &[
    (
        "DONE",
        "the report says that the work is done; only this can be false",
    ),
    (
        "DONE_WITH_CONCERNS",
        "the report says that the work is done, and that something is open",
    ),
    ("BLOCKED", "the report says that the agent cannot go on"),
    (
        "NEEDS_CONTEXT",
        "the report says that the agent needs to know more",
    ),
];

pub(super) const CERTAINTIES: &[Brief] = &[
    (
        "certain",
        "it stands where a path is expected and looks like one, so it can disprove a claim",
    ),
    (
        "folder",
        "it is a path if the folders that it names exist, and can disprove a claim then",
    ),
    (
        "likely",
        "it may be a path: it counts if exactly that name is found, and proves nothing otherwise",
    ),
];

pub(super) const GATES: &[Brief] = &[
    ("continue", "the gate has nothing against the stop"),
    (
        "revise",
        "the gate wants the agent to go on working, for the reason that it gives",
    ),
    ("finalize", "the gate wants the agent to end here"),
    (
        "none",
        "the gate gave no answer, which counts as `continue`",
    ),
];

pub(super) const CRITERIA: &[Brief] = &[
    ("met", "every criterion that counts is met"),
    ("not_met", "at least one criterion is not met"),
    ("not_checked", "the criteria could not be checked"),
    ("skipped", "there was nothing to check"),
];
