//! The codes of the lines in `~/.attest/attest.log`.

use super::Brief;

pub(super) const PAGES: &[Brief] = &[
    (
        "ALLOW_COUNTER_NOT_DURABLE",
        "a block could not be recorded, so the agent was let through; the error follows",
    ),
    (
        "ALLOW_DEADLINE",
        "the hook was ended at its deadline, and the agent let through",
    ),
    (
        "ANOTHER_HOST",
        "a host ran an entry that was installed for another one, and was answered in its own form",
    ),
    (
        "BAD_COMMAND_LINE",
        "the host ran `attest hook` with words that it does not know",
    ),
    (
        "BAD_SETTINGS",
        "something in `~/.attest/settings.toml` is not understood and counts for nothing",
    ),
    (
        "BAD_VARIABLE",
        "a variable has a value that cannot be read; its default is in force",
    ),
    (
        "ASKED",
        "the agent was asked for a report that can be judged",
    ),
    (
        "ASK_NOT_HEARD",
        "the host hands nothing on to an agent that starts, so the agent was asked for nothing",
    ),
    (
        "ASK_UNREADABLE",
        "the file that `ATTEST_ASK_FILE` names cannot be used, so the agent was asked for nothing",
    ),
    (
        "BASELINE_UNREADABLE",
        "what was recorded at the agent's start cannot be read, so nothing was judged",
    ),
    (
        "BEGAN_WHILE_OFF",
        "the agent began while attest was off, so its stop was not judged",
    ),
    (
        "CAPTURE_FAILED",
        "a payload could not be kept, as `ATTEST_CAPTURE=1` asks for",
    ),
    (
        "CAPTURE_REFUSED",
        "payloads are not kept because the folder for them lies in a repository",
    ),
    (
        "CAST_NOT_WRITTEN",
        "the verdict could not be copied into the database of CAST",
    ),
    ("COLLECTED", "old data was forgotten, as it is once a day"),
    (
        "CRITERIA_UNKNOWN",
        "it could not be looked up whether the criteria are trusted",
    ),
    ("DECISION", "the code of the decision on a stop"),
    (
        "DIED",
        "an error of its model's service ended the agent; the host's word for it follows",
    ),
    (
        "GATES_UNKNOWN",
        "it could not be looked up which gates were late, so all get their time",
    ),
    (
        "HISTORY_NOT_RECORDED",
        "the history lacks this start or stop; the decision was made without it",
    ),
    (
        "LEDGER_INCOMPLETE",
        "the agent's transcript could not be read in full, so what it lacks counts for nothing",
    ),
    (
        "LEDGER_UNREADABLE",
        "the agent's transcript could not be read for its tool calls",
    ),
    (
        "NOT_COLLECTED",
        "old data could not be forgotten; it is tried again at the next stop",
    ),
    (
        "NOT_EXPORTED",
        "the line of a verdict could not be added to the file of `export.file`",
    ),
    (
        "NOT_TIDIED",
        "the state file could not be tidied; it is tried again at the next stop",
    ),
    (
        "NO_COMMAND",
        "the host ran `attest` without a command, as a hook",
    ),
    ("NO_EVENT", "the host ran `attest hook` without an event"),
    (
        "NO_FOLDER",
        "neither the payload nor the process names a folder, so nothing was read",
    ),
    (
        "NO_SUCH_EVENT",
        "the payload tells of an event for which there is no hook",
    ),
    (
        "OTHERS_UNKNOWN",
        "it could not be looked up who else was at work",
    ),
    (
        "PANIC",
        "attest itself failed; the agent was let through. Please report it",
    ),
    (
        "PAYLOAD_UNREADABLE",
        "what the host sent is not understood, so nothing was judged",
    ),
    (
        "PLUGIN_NOT_NEEDED",
        "the plugin was silent because the hooks of the settings run as well",
    ),
    (
        "PROJECT_VARIABLE",
        "a file of the project sets a variable that a project may not set so; it does not count",
    ),
    (
        "PROMPT_NOT_HELD",
        "the prompt asks for something that was not found, and the agent may have been told otherwise since",
    ),
    ("REPORT", "a line of what was said of a stop"),
    ("RESUMED", "an agent started again, and keeps its baseline"),
    (
        "STATE_MOVED_ASIDE",
        "a state file that is not attest's was renamed, and a new one made",
    ),
    (
        "STATE_UNUSABLE",
        "the state file could not be opened or written, so nothing was judged",
    ),
    (
        "TOLD",
        "a line of what the person or the parent agent was told",
    ),
    (
        "TRANSCRIPT_UNREADABLE",
        "the agent's final message could not be read from its transcript",
    ),
    (
        "TURN_NOT_SEEN",
        "the session stopped, and no prompt of it was seen",
    ),
    (
        "TURN_OVER",
        "the session stopped again after its turn had been let go",
    ),
    (
        "UNKNOWN_ARGUMENT",
        "the host ran `attest hook` with an option that it does not know",
    ),
    (
        "UNKNOWN_EVENT",
        "the host ran `attest hook` with an event that it does not know",
    ),
    (
        "UNKNOWN_HARNESS",
        "the host ran `attest hook` with the name of a host that it does not know",
    ),
    (
        "UNREADABLE",
        "the work tree could not be read at the start, and why",
    ),
];
