//! What options of a shell and variables make of the commands behind them. Only those that are known to leave each
//! command what it says are of no concern.

use crate::tasks::is_of_a_tool;
use crate::text::is_one_of;

/// Stands for what is not known in a folder or a word.
pub(super) const UNKNOWN: &str = "…";
/// Letters of options with which a shell runs what it is given: when it ends, what it prints, and how it begins.
const LETTERS: &str = "ceuxvlishBCEHT";
/// The same as words.
const WORDS: &str = "--login --norc --noprofile --noediting --posix";
/// Names of options behind `-o`.
const NAMES: &str = "pipefail errexit nounset xtrace verbose errtrace functrace noclobber history";
/// Options of `shopt`.
const OF_SHOPT: &str =
    "globstar nullglob extglob dotglob failglob nocaseglob inherit_errexit lastpipe pipefail";

/// Variables with which a program is the same and does the same.
const VARIABLES: &str = "CI RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS RUST_MIN_STACK CARGO_TERM_COLOR CARGO_TERM_VERBOSE \
    CARGO_TARGET_DIR CARGO_INCREMENTAL CARGO_BUILD_JOBS CARGO_NET_OFFLINE NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR DEBUG \
    PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED LANG LANGUAGE TERM COLUMNS LINES TZ TMPDIR DISPLAY PWD";
/// Folders that hold the programs of tools, by their ends.
const TOOLS: [&str; 4] = ["/.cargo/bin", "/.local/bin", "/.bin", "/go/bin"];

/// Whether a program that gets a variable with this value may be another one, or do something else.
pub(super) fn disguises(name: &str, value: &str) -> bool {
    let mut folders = value.split(':');
    let is_usual = |part: &str| {
        part == UNKNOWN || is_of_a_tool(part) || TOOLS.iter().any(|end| part.ends_with(end))
    };
    match name {
        "PATH" => !folders.all(is_usual),
        _ => !is_one_of(VARIABLES, name) && !name.starts_with("LC_"),
    }
}

/// The same of a variable that is set only for the shell: programs get it if they have it already, and by custom theirs
/// are written in capitals.
pub(super) fn disguises_if_shared(name: &str, value: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_uppercase()) && disguises(name, value)
}

/// Whether these options of a shell, all in one word, are such: `-euo`.
pub(super) fn are_usual(word: &str) -> bool {
    let letters = word.trim_start_matches(['-', '+']);
    is_one_of(WORDS, word)
        || !word.starts_with("--") && letters.chars().all(|it| it == 'o' || LETTERS.contains(it))
}

/// Whether the option that has this name is.
pub(super) fn is_usual_name(name: &str) -> bool {
    is_one_of(NAMES, name)
}

/// Whether all that `shopt` sets is.
pub(super) fn are_usual_of_shopt(words: &[&str]) -> bool {
    words
        .iter()
        .all(|word| matches!(*word, "-s" | "-u" | "-q" | "-p") || is_one_of(OF_SHOPT, word))
}
