//! The words of what became of a block.

use attest_verdict::Fate;

use super::Texts;

pub(super) const PAGES: &[Texts<Fate>] = &[
    (
        Fate::Fixed,
        [
            "At the next stop of the agent everything that was disproved had been written, whether or not it is claimed again.",
            "The agent is sent back for `tests/test_parser.py`, writes it and reports again.",
            "Nothing: that is what a block is for.",
        ],
    ),
    (
        Fate::Withdrawn,
        [
            "The next report does not name the path any more, or its status is not DONE any more.",
            "The agent is sent back for `tests/test_parser.py` and reports only `parser.py`.",
            "Look whether what is left is what you asked for.",
        ],
    ),
    (
        Fate::Repeated,
        [
            "The next report claims the same path as DONE, and nothing of it was found to have changed.",
            "The agent is sent back for `tests/test_parser.py` and says once more that it is done.",
            "Do not build on the report. `ATTEST_MAX_RETRIES=2` gives a second try.",
        ],
    ),
    (
        Fate::Unanswered,
        [
            "The agent did not stop again, or its work tree could not be read at that stop.",
            "The session is closed while the agent mends its report.",
            "Look at what the agent left, if it matters.",
        ],
    ),
];
