//! Which agents may be sent back.

use attest_snapshot::escaped;
use serde::Serialize;

use attest_base::env::{self, Env};

/// Which agents may be sent back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Covered {
    Nobody,
    Everybody,
    Types(Vec<String>),
}

impl Covered {
    /// What these variables say.
    pub(crate) fn of(env: &Env) -> Self {
        if env.text(env::ENFORCE) != Some("1") {
            return Self::Nobody;
        }
        let list = env.text(env::ENFORCE_AGENTS).unwrap_or_default();
        let names = list.split(',').map(str::trim);
        let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return Self::Everybody;
        }
        Self::Types(names.into_iter().map(str::to_owned).collect())
    }

    /// That, behind "enforcement is".
    pub(crate) fn phrase(&self) -> String {
        match self {
            Self::Nobody => "off: nothing is blocked, only reported".to_owned(),
            Self::Everybody => "on for every type of agent".to_owned(),
            Self::Types(names) => format!("on for {}", escaped(names.join(", ").as_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_on() {
        let types = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned());
            Covered::Types(names.collect())
        };
        let enforce = |value| (env::ENFORCE, value);
        assert_eq!(Covered::of(&Env::from([])), Covered::Nobody);
        for (value, expected) in [
            ("true", Covered::Nobody),
            (" 1", Covered::Nobody),
            ("", Covered::Nobody),
            ("1", Covered::Everybody),
        ] {
            assert_eq!(
                Covered::of(&Env::from([enforce(value)])),
                expected,
                "{value:?}"
            );
        }
        for (list, expected) in [
            (" a, ,B ", types(&["a", "B"])),
            (" , ", Covered::Everybody),
            ("", Covered::Everybody),
        ] {
            let env = Env::from([enforce("1"), (env::ENFORCE_AGENTS, list)]);
            assert_eq!(Covered::of(&env), expected, "{list:?}");
        }
    }
}
