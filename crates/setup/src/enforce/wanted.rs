//! Which agents a command wants to be sent back, and how the settings file says so.

use crate::in_force::Covered;
use attest_base::env::{self, Env};

/// One type cannot be taken out of all.
#[derive(Debug, thiserror::Error)]
#[error("enforcement covers every type of agent, so that one alone cannot be taken out")]
pub(super) struct CoversAll;

/// Who is covered if these types are named behind `on`: they alone, or all if none is.
pub(super) fn on(agents: &[String]) -> Covered {
    let mut types: Vec<String> = Vec::new();
    for agent in agents {
        if !is_among(agent, &types) {
            types.push(agent.clone());
        }
    }
    if types.is_empty() {
        Covered::Everybody
    } else {
        Covered::Types(types)
    }
}

/// Who is left of those of `before` if these types are named behind `off`: nobody if none is.
pub(super) fn off(before: Covered, agents: &[String]) -> Result<Covered, CoversAll> {
    match before {
        _ if agents.is_empty() => Ok(Covered::Nobody),
        Covered::Nobody => Ok(Covered::Nobody),
        Covered::Everybody => Err(CoversAll),
        Covered::Types(mut types) => {
            types.retain(|name| !is_among(name, agents));
            Ok(if types.is_empty() {
                Covered::Nobody
            } else {
                Covered::Types(types)
            })
        }
    }
}

/// Types are compared as the hooks compare them.
fn is_among(name: &str, types: &[String]) -> bool {
    let mut types = types.iter();
    types.any(|other| other.to_lowercase() == name.to_lowercase())
}

/// What the variables have to be. Enforcement that this environment turns on is turned off by
/// the settings, which count more.
pub(super) fn variables(covered: &Covered, env: &Env) -> [(&'static str, Option<String>); 2] {
    let enforce = match covered {
        Covered::Nobody => env.get(env::ENFORCE).map(|_| "0"),
        Covered::Everybody | Covered::Types(_) => Some("1"),
    };
    let agents = match covered {
        Covered::Types(names) => Some(names.join(",")),
        // An empty list in the settings hides the one of this environment.
        Covered::Everybody => env.get(env::ENFORCE_AGENTS).map(|_| String::new()),
        Covered::Nobody => None,
    };
    [
        (env::ENFORCE, enforce.map(str::to_owned)),
        (env::ENFORCE_AGENTS, agents),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn types(list: &[&str]) -> Covered {
        Covered::Types(names(list))
    }

    #[test]
    fn on_means_these_types_and_no_others_whatever_was_before() {
        for (agents, expected) in [
            (&[][..], Covered::Everybody),
            (&["a"], types(&["a"])),
            (&["a", "b"], types(&["a", "b"])),
            (&["a", "A"], types(&["a"])),
        ] {
            assert_eq!(on(&names(agents)), expected, "{agents:?}");
        }
    }

    #[test]
    fn off_takes_types_away_and_the_last_one_turns_it_off() {
        let off = |before: Covered, agents: &[&str]| super::off(before, &names(agents)).ok();
        for (before, agents, after) in [
            (types(&["a", "b"]), &["B"][..], Some(types(&["a"]))),
            (types(&["a"]), &["a"], Some(Covered::Nobody)),
            (types(&["a"]), &["b"], Some(types(&["a"]))),
            (types(&["a"]), &[], Some(Covered::Nobody)),
            (Covered::Nobody, &["a"], Some(Covered::Nobody)),
            (Covered::Everybody, &[], Some(Covered::Nobody)),
            (Covered::Everybody, &["a"], None),
        ] {
            assert_eq!(off(before.clone(), agents), after, "{before:?} {agents:?}");
        }
    }

    #[test]
    fn what_the_environment_says_is_hidden() {
        let env = Env::from([(env::ENFORCE, "1"), (env::ENFORCE_AGENTS, "a")]);
        let [enforce, agents] = variables(&Covered::Everybody, &env);
        assert_eq!(enforce.1.as_deref(), Some("1"));
        assert_eq!(agents.1.as_deref(), Some(""));
        assert_eq!(variables(&Covered::Nobody, &env)[0].1.as_deref(), Some("0"));
        let none = variables(&Covered::Everybody, &Env::from([]));
        assert_eq!(none[1].1, None);
    }
}
