//! What a file of the project may set: a clone brings it, and a host puts its variables into the environment of every
//! hook.
//!
//! Such a value counts only in one direction, whoever else set it too: the environment does not tell from whom a value
//! is. What a person wants in spite of every project is in a settings file of theirs.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use super::{Env, HOME, OF_PROJECT, PATH};

/// What counts of a variable that a file of the project sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfProject {
    /// One of these words, if it stands behind the person's: each turns on more than the one before.
    On(&'static [&'static str]),
    /// The names of a list that the person's list has as well, if there are any.
    Narrower,
    /// A number above 0 and below the person's, or below the default, which this is.
    Lower(u32),
    /// Nothing: it names a place or a program, turns something off, or lets more happen.
    Never,
    /// Everything: it is about how text looks, or attest does not read it.
    Any,
}

/// A variable that a file of the project sets, and that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub name: String,
    /// What it is set to.
    pub value: String,
    /// The file.
    pub path: PathBuf,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, path } = self;
        write!(
            f,
            "{name}={value} does not count: {} sets {name}, and a project may not",
            path.display()
        )
    }
}

impl OfProject {
    /// That of a variable.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let found = OF_PROJECT.iter().find(|(known, _)| *known == name);
        found.map_or(Self::Any, |(_, of_project)| *of_project)
    }

    /// The names of those of which not everything counts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let guarded = OF_PROJECT.iter().filter(|(_, it)| *it != Self::Any);
        guarded.map(|(name, _)| *name)
    }

    /// What counts of `value`, where the person says `own`; `None` if that is the person's.
    fn taken(self, own: Option<&str>, value: &str) -> Option<String> {
        let value = value.trim();
        let is_taken = match self {
            Self::Any | Self::Never => false,
            Self::On(words) => {
                let place = |word: &str| words.iter().position(|it| *it == word);
                place(value) > own.and_then(place)
            }
            Self::Lower(default) => {
                let own = own.and_then(|own| own.trim().parse().ok());
                let number = value.parse::<u32>();
                number.is_ok_and(|number| (1..own.unwrap_or(default)).contains(&number))
            }
            Self::Narrower => return narrower(own.unwrap_or_default(), value),
        };
        is_taken.then(|| value.to_owned())
    }

    /// In words, as SECURITY has them.
    #[cfg(test)]
    #[must_use]
    pub fn phrase(self) -> String {
        match self {
            Self::On(words) => format!("on: `{}`", words.join("`, `")),
            Self::Narrower => "narrower".to_owned(),
            Self::Lower(_) => "lower, not 0".to_owned(),
            Self::Never => "never".to_owned(),
            Self::Any => "as it is".to_owned(),
        }
    }
}

/// The names of the list `value` that `own` has too, which has all if it has none.
fn narrower(own: &str, value: &str) -> Option<String> {
    let names = |list| -> Vec<&str> {
        let names = str::split(list, ',').map(str::trim);
        names.filter(|name| !name.is_empty()).collect()
    };
    let own: Vec<_> = names(own).iter().map(|name| name.to_lowercase()).collect();
    let mut wanted = names(value);
    wanted.retain(|name| own.is_empty() || own.contains(&name.to_lowercase()));
    (!wanted.is_empty()).then(|| wanted.join(","))
}

impl Env {
    /// Takes of a variable only what counts, since a file of the project sets it, too: the rest is what the person
    /// says in `own`, or else what is below. `tried` is what the file says.
    pub fn heed(&mut self, name: &str, own: Option<&str>, tried: &str, path: &Path) {
        // As they are kept of the process.
        let name = &if cfg!(windows) {
            name.to_ascii_uppercase()
        } else {
            name.to_owned()
        };
        let key = OsStr::new(name);
        let Some(value) = self.variables.get(key) else {
            return;
        };
        let of_project = OfProject::of(name);
        let below = self.below.get(key).and_then(|value| value.to_str());
        let taken = value
            .to_str()
            .and_then(|value| of_project.taken(own.or(below), value));
        if let Some(taken) = taken {
            self.variables.insert(key.to_owned(), taken.into());
        } else if of_project != OfProject::Any {
            match own {
                Some(own) => self.variables.insert(key.to_owned(), own.into()),
                None => self.variables.remove(key),
            };
            let refused = Refused {
                name: name.clone(),
                value: tried.to_owned(),
                path: path.to_owned(),
            };
            if own != Some(tried) && !self.refused.contains(&refused) {
                self.refused.push(refused);
            }
            return;
        }
        self.of_project.insert(key.to_owned());
    }

    /// The same with these variables of a file of the project over it, as far as they count.
    #[must_use]
    pub fn with_project(&self, variables: &[(String, String)], path: &Path) -> Self {
        let mut all = self.clone();
        for (name, value) in variables {
            // A host takes those of a `.env` only where it has none itself.
            let is_set = all.variables.contains_key(OsStr::new(name));
            let own = if is_set && attest_host::settings::is_assignments(path) {
                None
            } else {
                all.variables.insert(name.into(), value.into())
            };
            all.heed(name, own.as_deref().and_then(OsStr::to_str), value, path);
        }
        all
    }

    /// Whether the value of a variable may be that of a file of the project.
    #[must_use]
    pub fn is_of_project(&self, name: &str) -> bool {
        self.of_project.contains(OsStr::new(name))
    }

    /// The variables by which other libraries and programs go as well, as they are to be where a file of the project
    /// names them; the others are as they should be.
    pub fn misled(&self, is_named: impl Fn(&str) -> bool) -> Vec<(&'static str, Option<OsString>)> {
        let home = is_named(HOME).then(|| (HOME, system_home()));
        let path = is_named(PATH).then(|| (PATH, Some(USUAL_PATH.into())));
        let wanted = home.into_iter().chain(path);
        wanted
            .filter(|(name, value)| self.get(name) != value.as_deref())
            .collect()
    }
}

/// Where programs are looked for if a file of the project says where.
const USUAL_PATH: &str = if cfg!(windows) {
    r"C:\Program Files\Git\cmd;C:\Windows\System32;C:\Windows"
} else {
    "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin"
};

/// The home folder that the system has for the user.
#[cfg(unix)]
fn system_home() -> Option<OsString> {
    let user = nix::unistd::User::from_uid(nix::unistd::Uid::effective());
    let home = user.ok().flatten()?.dir;
    (!home.as_os_str().is_empty()).then(|| home.into())
}

/// It is asked for with the variable alone.
#[cfg(not(unix))]
fn system_home() -> Option<OsString> {
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::env;

    /// What is in force of a variable that a project sets to `value`, where the person says `own`.
    fn in_force(name: &str, own: Option<&str>, value: &str) -> Option<String> {
        let mut env = Env::from([(name, value)]);
        env.heed(name, own, value, Path::new("/clone/settings.json"));
        env.text(name).map(str::to_owned)
    }

    #[test]
    fn a_project_leads_in_one_direction() {
        for (name, own, value, expected) in [
            (env::ENFORCE, None, "1", Some("1")),
            (env::ENFORCE, Some("0"), "1", Some("1")),
            (env::ENFORCE, Some("1"), "0", Some("1")),
            (env::ENFORCE, Some("1"), "", Some("1")),
            (env::ENFORCE, None, "true", None),
            (env::ADVISE, None, "0", None),
            (env::ADVISE, Some("0"), "1", Some("1")),
            (env::ASK, Some("1"), "0", Some("1")),
            (env::MAX_RETRIES, None, "1000000000", None),
            (env::MAX_RETRIES, None, "2", None),
            (env::MAX_RETRIES, Some("3"), "2", Some("2")),
            (env::MAX_RETRIES, Some("3"), "4", Some("3")),
            (env::MAX_RETRIES, Some("3"), "0", Some("3")),
            (env::MAX_RETRIES, Some("3"), "-1", Some("3")),
            (env::SESSION_BLOCK_CEILING, None, "4", Some("4")),
            (env::SESSION_BLOCK_CEILING, None, "11", None),
            (env::ENFORCE_AGENTS, None, "A, b", Some("A,b")),
            (env::ENFORCE_AGENTS, Some("b,c"), "A,B", Some("B")),
            (env::ENFORCE_AGENTS, Some("c"), "a,b", Some("c")),
            (env::ENFORCE_AGENTS, Some("c"), " , ", Some("c")),
            (env::STRICT, Some("dirty"), "all", Some("dirty")),
            (env::STATE_DB, None, "/x.db", None),
            (env::STATE_DB, Some("/mine.db"), "/x.db", Some("/mine.db")),
            (env::GATES, None, "/bin/sh", None),
            (env::LANG, None, "C", Some("C")),
            ("ANOTHER", None, "x", Some("x")),
        ] {
            let found = in_force(name, own, value);
            assert_eq!(found.as_deref(), expected, "{name}: {own:?} {value:?}");
        }
    }

    #[test]
    fn what_is_below_is_the_persons_too() {
        let below = [(env::ENFORCE.to_owned(), "1".to_owned())];
        let mut env = Env::from([(env::ENFORCE, "0")]).over(&below);
        env.heed(env::ENFORCE, None, "0", Path::new("/clone/settings.json"));
        assert_eq!(env.text(env::ENFORCE), Some("1"));
        assert!(env.is_from_below(env::ENFORCE));
        assert_eq!(env.refused.len(), 1);
    }

    #[test]
    fn a_place_of_a_project_is_none_and_reaches_no_gate() {
        let variables = [
            ("CODEX_HOME", "/clone/x"),
            ("PYTHONPATH", "/clone"),
            (env::ENFORCE, "1"),
        ];
        let own = [
            ("CODEX_HOME", "/me/codex"),
            ("PYTHONPATH", "/me/lib"),
            ("LANG", "C"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let env = Env::from(own).with_project(&variables, Path::new("/clone/settings.json"));
        assert_eq!(env.path("CODEX_HOME"), None);
        let names: Vec<_> = env.of_person().map(|(name, _)| name).collect();
        assert_eq!(names, ["LANG"]);
        assert_eq!(env.text(env::ENFORCE), Some("1"));
    }

    #[test]
    fn the_defaults_below_which_a_project_may_go_are_those_in_force() {
        let policy = attest_verdict::Policy::default();
        for (name, default) in [
            (env::MAX_RETRIES, policy.max_retries),
            (env::SESSION_BLOCK_CEILING, policy.session_ceiling),
        ] {
            assert_eq!(OfProject::of(name), OfProject::Lower(default));
        }
    }

    #[test]
    fn the_table_of_security_is_this_one() {
        let page = include_str!("../../../../SECURITY.md");
        let (_, table) = page
            .split_once("| variable | of a project's, what counts |\n|---|---|\n")
            .unwrap();
        let rows = table.lines().take_while(|line| !line.is_empty());
        let rows: Vec<_> = rows
            .map(|row| {
                let (name, counts) = row.trim_matches('|').split_once(" | ").unwrap();
                (name.trim().trim_matches('`'), counts)
            })
            .collect();
        let named: BTreeSet<_> = rows.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, OfProject::names().collect());
        for (name, said) in rows {
            let phrase = OfProject::of(name).phrase();
            assert!(
                said.starts_with(&phrase),
                "{name}: {said:?} is not {phrase:?}"
            );
        }
    }
}
