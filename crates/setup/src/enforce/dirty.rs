//! Whether a dirty start lets an agent go: the word `dirty` of `ATTEST_STRICT`, which `attest enforce on` adds and `off`
//! takes away, whoever wrote it: without enforcement it means nothing.

use attest_verdict::Strict;

use crate::own_file::Variable;
use attest_base::env::{self, Env};

/// The word that is added.
const DIRTY: &str = "dirty";

/// What `ATTEST_STRICT` is in the settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DirtyStarts(Option<String>);

impl DirtyStarts {
    pub(crate) fn of(variables: &[(String, String)]) -> Self {
        let found = variables.iter().rev().find(|(name, _)| name == env::STRICT);
        Self(found.map(|(_, value)| value.clone()))
    }

    /// Blocks from dirty starts, too. A value that cannot be read stays as it is.
    pub(super) fn counted(self, env: &Env) -> Self {
        // A variable of the settings file goes over that of the environment, whose words are kept.
        let own = self.0.as_deref().or_else(|| env.text(env::STRICT));
        let own = own.unwrap_or_default();
        match own.parse::<Strict>() {
            Ok(strict) if !strict.dirty => {
                let words = own.split(',').filter(|word| !word.trim().is_empty());
                let words: Vec<_> = words.chain([DIRTY]).collect();
                Self(Some(words.join(",")))
            }
            Ok(_) | Err(_) => self,
        }
    }

    /// Lets them go. What stands in the environment as well is not said again.
    pub(crate) fn let_go(self, env: &Env) -> Self {
        let of_environment = env.text(env::STRICT).unwrap_or_default();
        let rest = self.0.map(|strict| {
            let words = strict.split(',');
            let rest = words.filter(|word| !is_dirty(word));
            rest.collect::<Vec<_>>().join(",")
        });
        Self(rest.filter(|rest| !rest.is_empty() && rest != of_environment))
    }

    /// Whether the word is there, to be taken away.
    pub(super) fn is_said(&self) -> bool {
        let said = self.0.as_deref().unwrap_or_default();
        said.split(',').any(is_dirty)
    }

    pub(crate) fn variable(self) -> Variable {
        (env::STRICT, self.0)
    }
}

fn is_dirty(word: &str) -> bool {
    word.trim().eq_ignore_ascii_case(DIRTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(strict: Option<&str>) -> DirtyStarts {
        DirtyStarts(strict.map(str::to_owned))
    }

    #[test]
    fn the_word_comes_and_goes_and_all_others_stay() {
        let none = Env::from([]);
        for (before, on, off) in [
            (None, of(Some("dirty")), of(None)),
            (
                Some("untouched, deleted"),
                of(Some("untouched, deleted,dirty")),
                of(Some("untouched, deleted")),
            ),
            (Some("Dirty"), of(Some("Dirty")), of(None)),
            (Some("all"), of(Some("all")), of(Some("all"))),
            (Some("nonsense"), of(Some("nonsense")), of(Some("nonsense"))),
        ] {
            let counted = of(before).counted(&none);
            assert_eq!(counted, on, "{before:?}");
            assert_eq!(counted.clone().counted(&none), on, "twice is once");
            assert_eq!(counted.let_go(&none), off, "{before:?}");
        }
    }

    #[test]
    fn the_words_of_the_environment_are_kept_under_those_of_the_file() {
        let env = Env::from([(env::STRICT, "untouched")]);
        let on = of(None).counted(&env);
        assert_eq!(on, of(Some("untouched,dirty")));
        assert_eq!(on.let_go(&env), of(None));
        let env = Env::from([(env::STRICT, "dirty")]);
        assert_eq!(of(None).counted(&env), of(None));
    }
}
