//! Every environment variable that attest reads, in one place.
//!
//! Nothing else in the workspace touches the process environment (`clippy.toml`
//! forbids it), so this page is the whole list, but for the variable that a host has for the folder of
//! its settings, which only its own module names. Tests build an [`Env`] from a map.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

mod of_project;

pub use self::of_project::{OfProject, Refused};
use OfProject::{Any, Lower, Narrower, Never, On};

/// Names variables: `NAME = "VARIABLE", what counts of one that a project sets: "what it is for, for a person";`.
macro_rules! variables {
    ($($name:ident = $variable:literal, $of_project:expr, $meaning:literal;)+) => {
        $(
            #[doc = $meaning]
            pub const $name: &str = $variable;
        )+

        /// Every variable with what it is for: the manual has them.
        pub const MEANINGS: &[(&str, &str)] = &[$(($variable, $meaning)),+];

        /// Every variable with what counts of one that a file of the project sets.
        const OF_PROJECT: &[(&str, OfProject)] = &[(HOME, Never), $(($variable, $of_project)),+];
    };
}

variables! {
    ENFORCE = "ATTEST_ENFORCE", On(&["1"]), "`1` turns enforcement on; every other value leaves it off";
    ENFORCE_AGENTS = "ATTEST_ENFORCE_AGENTS", Narrower, "Comma list of the agent types that enforcement applies to";
    STRICT = "ATTEST_STRICT", Never, "Comma list of further proofs that may block: `dirty`, `untouched`, `deleted`, `basename`, `lost`, `remarks`, `commits`, `checks`, or `all` of them but `remarks`";
    MAX_RETRIES = "ATTEST_MAX_RETRIES", Lower(1), "Blocks per agent generation";
    SESSION_BLOCK_CEILING = "ATTEST_SESSION_BLOCK_CEILING", Lower(10), "Blocks per session and repository";
    STATE_DB = "ATTEST_STATE_DB", Never, "The SQLite state file";
    STATE_MAX_MB = "ATTEST_STATE_MAX_MB", Never, "Megabytes of the state file above which the oldest of it is let go";
    MAX_HASH_BYTES = "ATTEST_MAX_HASH_BYTES", Never, "Files larger than this many bytes are not hashed whole";
    ADVISE = "ATTEST_ADVISE", On(&["1"]), "`0` turns off everything that is told beyond a block";
    VERIFY_DELIVERABLES_DISABLED = "VERIFY_DELIVERABLES_DISABLED", Never, "`1` turns off the checks of a report against its transcript; older tools know it as well";
    ASK = "ATTEST_ASK", On(&["1"]), "`1`, which `attest install` writes, asks each new subagent for a report that can be judged";
    CAPTURE = "ATTEST_CAPTURE", Never, "`1` keeps payloads and transcripts";
    CAPTURE_DIR = "ATTEST_CAPTURE_DIR", Never, "The folder for captures, outside of the repository";
    CHECK = "ATTEST_CHECK", On(&["1", "block"]), "`1` checks the completion criteria when an agent stops, and `block` sends a DONE back, too, if one is not met";
    CHECK_ENV = "ATTEST_CHECK_ENV", Never, "Comma list of variables that the commands of criteria get besides what all get";
    SESSIONS = "ATTEST_SESSIONS", On(&["1"]), "`1` judges the turns of main agents, `0` does not; otherwise each host has its own default";
    GATES = "ATTEST_GATES", Never, "Programs that are asked about each stop, separated as in `PATH`";
    LOG = "ATTEST_LOG", Never, "How much is logged: `off`, `error`, `warn`, `info` or `debug`";
    SETTINGS = "ATTEST_SETTINGS", Never, "The settings file that hooks are installed into";
    PATH = "PATH", Never, "Where programs are looked for";
    TMPDIR = "TMPDIR", Never, "The folder for temporary files, in which a path that a report names is looked at wherever it lies";
    STOP_DEADLINE = "ATTEST_STOP_DEADLINE", Never, "Seconds that the stop hook may take; the start hook may take half of them, and a command six times as many";
    CAST_DB_PATH = "CAST_DB_PATH", Never, "The database of CAST, which verdicts are mirrored to where it exists";
    GITHUB_STEP_SUMMARY = "GITHUB_STEP_SUMMARY", Never, "The file to which `attest ci` adds what it found";
    PAGER = "PAGER", Never, "What long output is shown with";
    LESS = "LESS", Never, "Options of `less`";
    LC_ALL = "LC_ALL", Any, "The locale: without UTF-8, marks, bars and lines of blocks are ASCII";
    LC_CTYPE = "LC_CTYPE", Any, "The same, if `LC_ALL` is not set";
    LANG = "LANG", Any, "The same, if neither is set";
    SESSION = "CLAUDE_CODE_SESSION_ID", Any, "The session of the agent that runs a command, as Claude Code says";
    PROJECT_DIR = "CLAUDE_PROJECT_DIR", Any, "The folder of the project, as the host that runs the hook says";
}

/// The person's home folder.
pub const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// What the names of attest's own variables begin with.
pub const PREFIX: &str = "ATTEST_";

/// Every variable of attest's own.
pub fn settings() -> impl Iterator<Item = &'static str> {
    let names = MEANINGS.iter().map(|(name, _)| *name);
    names.filter(|name| name.starts_with(PREFIX))
}

/// The variables of the process, read once, and what is said of attest's own where they say nothing.
#[derive(Debug, Clone, Default)]
pub struct Env {
    variables: BTreeMap<OsString, OsString>,
    below: BTreeMap<OsString, OsString>,
    /// Names whose value here may be that of a file of the project.
    of_project: BTreeSet<OsString>,
    /// What such files set and what does not count.
    pub refused: Vec<Refused>,
}

impl Env {
    /// Takes the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is the registry")]
    #[must_use]
    pub fn of_process() -> Self {
        let name = |name: OsString| {
            // Windows ignores the case of a name, and writes `Path` itself.
            if cfg!(windows) {
                name.to_ascii_uppercase()
            } else {
                name
            }
        };
        let variables = std::env::vars_os().map(|(key, value)| (name(key), value));
        Self {
            variables: variables.collect(),
            ..Self::default()
        }
    }

    /// The variable's value when it is set and not empty. One that is set to nothing hides what is below.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let name = OsStr::new(name);
        let value = self.variables.get(name).or_else(|| self.below.get(name));
        value
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// Whether what [`Self::get`] gives is said below the variables of the process.
    #[must_use]
    pub fn is_from_below(&self, name: &str) -> bool {
        !self.variables.contains_key(OsStr::new(name)) && self.get(name).is_some()
    }

    /// The same as text; a value that is not UTF-8 reads as unset.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str)
    }

    /// The variable as a path. `~/` at its beginning is the home folder, which a shell puts there
    /// only where the value is not quoted, and a settings file never does.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(self.get(name).filter(|_| !self.is_of_project(name))?);
        Some(at_home(path, self.home().as_deref()))
    }

    /// The variable as a list of paths, separated as in `PATH`.
    #[must_use]
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        let list = self.get(name).filter(|_| !self.is_of_project(name));
        let list = list.unwrap_or_default();
        let paths = std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty());
        let home = self.home();
        paths.map(|path| at_home(path, home.as_deref())).collect()
    }

    /// The same with other variables over it.
    #[must_use]
    pub fn with(&self, variables: &[(String, String)]) -> Self {
        let mut all = self.clone();
        all.variables.extend(pairs(variables));
        all
    }

    /// The same with nothing but these below it.
    #[must_use]
    pub fn over(&self, variables: &[(String, String)]) -> Self {
        Self {
            below: pairs(variables).collect(),
            ..self.clone()
        }
    }

    /// The variables of the process that no file of the project may have set.
    pub fn of_person(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let all = self.variables();
        all.filter(|(name, _)| !self.of_project.contains(*name))
    }

    /// All variables of the process.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let variables = self.variables.iter();
        variables.map(|(name, value)| (&**name, &**value))
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.variables.keys().map(OsString::as_os_str)
    }

    /// The person's home folder.
    #[must_use]
    pub fn home(&self) -> Option<PathBuf> {
        self.home_or_why().ok()
    }

    /// The same, or why there is none.
    pub fn home_or_why(&self) -> Result<PathBuf, NoHome> {
        let home = self.get(HOME).map(PathBuf::from).ok_or(NoHome::Unset)?;
        if home.is_absolute() {
            Ok(home)
        } else {
            Err(NoHome::Relative(home))
        }
    }
}

fn pairs(variables: &[(String, String)]) -> impl Iterator<Item = (OsString, OsString)> {
    let variables = variables.iter();
    variables.map(|(name, value)| (name.into(), value.into()))
}

/// Why there is no home folder.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoHome {
    /// There is none.
    #[error("there is no home folder: {HOME} is not set")]
    Unset,
    /// What it leads to would depend on the folder that a command is run in.
    #[error("there is no home folder: {HOME} is {0:?}, which is not an absolute path")]
    Relative(PathBuf),
}

/// The path, of which `~` at its beginning is the home folder.
#[must_use]
pub fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Env {
    fn from(pairs: [(&str, &str); N]) -> Self {
        let variables = pairs.into_iter().map(|(k, v)| (k.into(), v.into()));
        Self {
            variables: variables.collect(),
            ..Self::default()
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn settings_are_the_variables_of_attest_alone() {
        let is_setting = |name| settings().any(|it| it == name);
        assert!([ENFORCE, STRICT, STOP_DEADLINE].into_iter().all(is_setting));
        assert!(
            ![PATH, CAST_DB_PATH, PROJECT_DIR]
                .into_iter()
                .any(is_setting)
        );
    }

    #[test]
    fn a_tilde_at_the_beginning_is_the_home_folder() {
        let path = |value: &str, home: &str| {
            let env = Env::from([(STATE_DB, value), ("HOME", home)]);
            env.path(STATE_DB).unwrap()
        };
        for (value, expected) in [
            ("~/a b/state.db", "/home/user/a b/state.db"),
            ("~", "/home/user/"),
            ("~other/state.db", "~other/state.db"),
            ("/x/~/state.db", "/x/~/state.db"),
            ("./~/state.db", "./~/state.db"),
        ] {
            assert_eq!(path(value, "/home/user"), Path::new(expected), "{value}");
        }
        assert_eq!(path("~/state.db", "relative"), Path::new("~/state.db"));
    }

    #[test]
    fn what_is_below_counts_where_the_process_says_nothing() {
        let below = [(STRICT, "dirty"), (ENFORCE, "1"), (GATES, "")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let env = Env::from([(STRICT, "untouched"), (ENFORCE, ""), ("HOME", "/me")]).over(&below);
        assert_eq!(
            (env.text(STRICT), env.is_from_below(STRICT)),
            (Some("untouched"), false)
        );
        assert_eq!(
            (env.text(ENFORCE), env.is_from_below(ENFORCE)),
            (None, false)
        );
        assert_eq!((env.text(GATES), env.is_from_below(GATES)), (None, false));
        let env = Env::from([]).over(&below);
        assert_eq!(
            (env.text(ENFORCE), env.is_from_below(ENFORCE)),
            (Some("1"), true)
        );
        let set = [(ENFORCE.to_owned(), "0".to_owned())];
        assert_eq!(env.with(&set).text(ENFORCE), Some("0"));
        assert_eq!(env.variables().count(), 0, "no program is given any of it");
    }

    #[test]
    fn a_home_that_is_set_is_not_called_unset() {
        let why = |env: Env| env.home_or_why().unwrap_err().to_string();
        assert!(why(Env::from([])).ends_with("HOME is not set"));
        let relative = why(Env::from([("HOME", "me")]));
        assert!(relative.ends_with("HOME is \"me\", which is not an absolute path"));
        assert_eq!(Env::from([("HOME", "/me")]).home_or_why(), Ok("/me".into()));
    }
}
