//! What a program has to do with checks.

/// What a check is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Of {
    /// Tests.
    Tests,
    /// A build.
    Build,
    /// Style.
    Lint,
    /// Types.
    Types,
    /// It does not say.
    #[default]
    Anything,
}

/// What a program has to do with checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It is one.
    Check(Of),
    /// It may mend what one finds.
    Mends,
    /// It runs none.
    Nothing,
    /// It may run any, or tell how one went that ran elsewhere.
    Anything,
    /// It runs hooks of git.
    Hooks,
}

impl Part {
    pub(super) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "tests" => Self::Check(Of::Tests),
            "build" => Self::Check(Of::Build),
            "lint" => Self::Check(Of::Lint),
            "types" => Self::Check(Of::Types),
            "any" => Self::Check(Of::Anything),
            "mends" => Self::Mends,
            "nothing" => Self::Nothing,
            "anything" => Self::Anything,
            "hooks" => Self::Hooks,
            _ => return None,
        })
    }
}
