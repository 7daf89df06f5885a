//! What commands of git write.

use crate::places::Unknown;
use crate::shell::argument::Argument;
use crate::shell::programs::is_one_of;
use crate::shell::reader::Reader;

/// Commands that leave all files as they are.
const READ_ONLY: &str = "status log diff show branch rev-parse ls-files ls-tree ls-remote cat-file blame annotate describe \
    remote config fetch shortlog reflog grep rev-list name-rev for-each-ref show-ref symbolic-ref merge-base diff-tree \
    diff-index diff-files check-ignore check-attr tag push var version help count-objects fsck whatchanged cherry \
    range-diff notes gc prune repack maintenance";
/// Commands that write where their words say.
const NAMING: &str = "clone init worktree archive format-patch bundle checkout-index submodule";

impl Reader<'_> {
    pub(super) fn git(&mut self, words: &[Argument]) {
        let before = self.folders.clone();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            rest = match word.text() {
                Some("-C") => {
                    let to = more.first().and_then(|word| word.values.as_deref());
                    self.folders.change(to, true);
                    more.get(1..).unwrap_or_default()
                }
                Some("-c" | "--exec-path" | "--namespace") => more.get(1..).unwrap_or_default(),
                Some("--git-dir" | "--work-tree") => {
                    more.iter().take(1).for_each(|word| self.around(word));
                    more.get(1..).unwrap_or_default()
                }
                _ if word.is_option() => {
                    let options = ["--git-dir", "--work-tree"];
                    if let Some(named) = options.iter().find_map(|option| word.behind(option)) {
                        self.around(&named);
                    }
                    more
                }
                Some(verb) => {
                    self.git_verb(verb, more);
                    break;
                }
                None => {
                    self.places.miss(Unknown::Expansion, &word.shown);
                    break;
                }
            };
        }
        self.folders = before;
    }

    fn git_verb(&mut self, verb: &str, words: &[Argument]) {
        if only_reads(verb) {
            return;
        }
        self.here("git");
        let runs =
            |word: &Argument| matches!(word.text(), Some("run" | "-x" | "--exec" | "foreach"));
        if is_one_of("bisect filter-branch rebase submodule", verb) && words.iter().any(runs) {
            self.places.miss(Unknown::Script, verb);
        }
        if is_one_of(NAMING, verb) {
            for word in words {
                self.named(word);
            }
            // The last word of `git clone` need not look like a path.
            if let Some(last) = words.last().filter(|word| !word.is_option()) {
                self.around(last);
            }
        }
    }
}

pub(super) fn only_reads(verb: &str) -> bool {
    is_one_of(READ_ONLY, verb)
}
