//! What options of a shell and variables make of the commands behind them. Only those that are known to leave each
//! command what it says are of no concern.

use crate::shell::tasks::is_one_of;

/// Letters of options with which a shell runs what it is given: when it ends, what it prints, and how it begins.
const LETTERS: &str = "ceuxvlishBCEHT";
/// The same as words.
const WORDS: &str = "--login --norc --noprofile --noediting --posix";
/// Names of options behind `-o`.
const NAMES: &str = "pipefail errexit nounset xtrace verbose errtrace functrace noclobber history";
/// Options of `shopt`.
const OF_SHOPT: &str =
    "globstar nullglob extglob dotglob failglob nocaseglob inherit_errexit lastpipe pipefail";

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
