//! Whether a dirty start lets an agent go: the word `dirty` of `ATTEST_STRICT`, which `attest enforce on` adds.
//!
//! What was added is named in a variable of its own, so that `attest enforce off` takes that away and nothing that
//! a person wrote.

use attest_verdict::Strict;

use crate::cmd::variables::Variable;
use crate::env::{self, Env};

/// The word that is added.
const DIRTY: &str = "dirty";

/// What the two variables are in the settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirtyStarts {
    strict: Option<String>,
    added: Option<String>,
}

impl DirtyStarts {
    pub(super) fn of(variables: &[(String, String)]) -> Self {
        let value = |wanted: &str| {
            let found = variables.iter().rev().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.clone())
        };
        Self {
            strict: value(env::STRICT),
            added: value(env::ENFORCE_ADDED),
        }
    }

    /// Blocks from dirty starts, too. A value that cannot be read stays as it is.
    pub(super) fn counted(self, env: &Env) -> Self {
        // A variable of the settings file goes over that of the environment, whose words are kept.
        let own = self.strict.clone();
        let own = own.or_else(|| env.text(env::STRICT).map(str::to_owned));
        let own = own.unwrap_or_default();
        match own.parse::<Strict>() {
            Ok(strict) if !strict.dirty => {
                let is_none = own.trim().is_empty();
                let words = [own.as_str(), DIRTY].join(",");
                Self {
                    strict: Some(if is_none { DIRTY.to_owned() } else { words }),
                    added: Some(DIRTY.to_owned()),
                }
            }
            Ok(_) | Err(_) => self,
        }
    }

    /// Takes away what was added.
    pub(super) fn let_go(self, env: &Env) -> Self {
        if self.added.is_none() {
            return self;
        }
        let strict = self.strict.unwrap_or_default();
        let words = strict.split(',');
        let rest = words.filter(|word| !word.trim().eq_ignore_ascii_case(DIRTY));
        let rest = rest.collect::<Vec<_>>().join(",");
        let of_environment = env.text(env::STRICT).unwrap_or_default();
        Self {
            strict: Some(rest).filter(|rest| !rest.is_empty() && rest != of_environment),
            added: None,
        }
    }

    pub(super) fn variables(&self) -> [Variable; 2] {
        [
            (env::STRICT, self.strict.clone()),
            (env::ENFORCE_ADDED, self.added.clone()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(strict: Option<&str>, added: Option<&str>) -> DirtyStarts {
        DirtyStarts {
            strict: strict.map(str::to_owned),
            added: added.map(str::to_owned),
        }
    }

    #[test]
    fn what_is_added_goes_and_what_a_person_wrote_stays() {
        let none = Env::from([]);
        for (before, on, off) in [
            (None, of(Some("dirty"), Some("dirty")), of(None, None)),
            (
                Some("untouched, deleted"),
                of(Some("untouched, deleted,dirty"), Some("dirty")),
                of(Some("untouched, deleted"), None),
            ),
            (
                Some("Dirty"),
                of(Some("Dirty"), None),
                of(Some("Dirty"), None),
            ),
            (Some("all"), of(Some("all"), None), of(Some("all"), None)),
            (
                Some("nonsense"),
                of(Some("nonsense"), None),
                of(Some("nonsense"), None),
            ),
        ] {
            let counted = of(before, None).counted(&none);
            assert_eq!(counted, on, "{before:?}");
            assert_eq!(counted.clone().counted(&none), on, "twice is once");
            assert_eq!(counted.let_go(&none), off, "{before:?}");
        }
    }

    #[test]
    fn the_words_of_the_environment_are_kept_under_those_of_the_file() {
        let env = Env::from([(env::STRICT, "untouched")]);
        let on = of(None, None).counted(&env);
        assert_eq!(on, of(Some("untouched,dirty"), Some("dirty")));
        assert_eq!(on.let_go(&env), of(None, None));
        let env = Env::from([(env::STRICT, "dirty")]);
        assert_eq!(of(None, None).counted(&env), of(None, None));
    }

    #[test]
    fn a_word_that_a_person_adds_later_survives() {
        let none = Env::from([]);
        let later = of(Some("dirty,untouched"), Some("dirty"));
        assert_eq!(later.let_go(&none), of(Some("untouched"), None));
    }
}
