//! Pass, fail, and two ways of not knowing.

use serde::Serialize;

/// The outcome of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is true.
    Pass,
    /// It is not true.
    Fail,
    /// It has not been judged.
    Skipped,
    /// The check could not be made.
    Error,
}

impl Outcome {
    /// All have to pass. What was not judged counts only if nothing else was judged either.
    pub(crate) fn all(outcomes: impl IntoIterator<Item = Self>) -> Self {
        let counted = Counted::of(outcomes);
        match counted {
            Counted { fail: true, .. } => Self::Fail,
            Counted { error: true, .. } => Self::Error,
            Counted { pass: true, .. } => Self::Pass,
            Counted { .. } => Self::Skipped,
        }
    }

    /// One has to pass. What was not judged might have been the one.
    pub(crate) fn any(outcomes: impl IntoIterator<Item = Self>) -> Self {
        let counted = Counted::of(outcomes);
        match counted {
            Counted { pass: true, .. } => Self::Pass,
            Counted { skipped: true, .. } => Self::Skipped,
            Counted { error: true, .. } => Self::Error,
            Counted { .. } => Self::Fail,
        }
    }

    /// The word that a person reads.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Skipped => "skipped",
            Self::Error => "error",
        }
    }
}

/// Which outcomes occur.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one per outcome")]
struct Counted {
    pass: bool,
    fail: bool,
    skipped: bool,
    error: bool,
}

impl Counted {
    fn of(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut counted = Self::default();
        for outcome in outcomes {
            match outcome {
                Outcome::Pass => counted.pass = true,
                Outcome::Fail => counted.fail = true,
                Outcome::Skipped => counted.skipped = true,
                Outcome::Error => counted.error = true,
            }
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{self, Error, Fail, Pass, Skipped};

    #[test]
    fn a_group_passes_where_all_that_was_judged_passes() {
        for (outcomes, expected) in [
            (&[Pass, Pass][..], Pass),
            (&[Pass, Skipped], Pass),
            (&[Skipped, Skipped], Skipped),
            (&[Skipped, Error], Error),
            (&[Pass, Error], Error),
            (&[Error, Fail, Pass, Skipped], Fail),
        ] {
            assert_eq!(
                Outcome::all(outcomes.iter().copied()),
                expected,
                "{outcomes:?}"
            );
        }
    }

    #[test]
    fn any_of_fails_only_where_none_can_have_passed() {
        for (outcomes, expected) in [
            (&[Fail, Pass][..], Pass),
            (&[Error, Skipped, Pass], Pass),
            (&[Fail, Skipped], Skipped),
            (&[Error, Skipped], Skipped),
            (&[Skipped], Skipped),
            (&[Fail, Error], Error),
            (&[Fail, Fail], Fail),
        ] {
            assert_eq!(
                Outcome::any(outcomes.iter().copied()),
                expected,
                "{outcomes:?}"
            );
        }
    }
}
