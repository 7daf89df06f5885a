//! Every environment variable that attest reads, in one place.
//!
//! Nothing else in the workspace touches the process environment (`clippy.toml`
//! forbids it), so this page is the whole list, but for the variable that a host has for the folder of
//! its settings, which only its own module names. Tests build an [`Env`] from a map.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// `1` turns enforcement on; every other value leaves it off.
pub(crate) const ENFORCE: &str = "ATTEST_ENFORCE";
/// Comma list of the agent types that enforcement applies to.
pub(crate) const ENFORCE_AGENTS: &str = "ATTEST_ENFORCE_AGENTS";
/// Comma list of further proofs that may block.
pub(crate) const STRICT: &str = "ATTEST_STRICT";
/// The words of it that `attest enforce on` added. Only that command reads it.
pub(crate) const ENFORCE_ADDED: &str = "ATTEST_ENFORCE_ADDED";
/// Blocks per agent generation.
pub(crate) const MAX_RETRIES: &str = "ATTEST_MAX_RETRIES";
/// Blocks per session and repository.
pub(crate) const SESSION_BLOCK_CEILING: &str = "ATTEST_SESSION_BLOCK_CEILING";
/// The SQLite state file.
pub(crate) const STATE_DB: &str = "ATTEST_STATE_DB";
/// Megabytes of the state file above which the oldest of it is let go.
pub(crate) const STATE_MAX_MB: &str = "ATTEST_STATE_MAX_MB";
/// Files larger than this many bytes are not hashed whole.
pub(crate) const MAX_HASH_BYTES: &str = "ATTEST_MAX_HASH_BYTES";
/// `0` turns off everything that is told beyond a block.
pub(crate) const ADVISE: &str = "ATTEST_ADVISE";
/// `1` turns off the checks of a report against its transcript; older tools know it as well.
pub(crate) const VERIFY_DELIVERABLES_DISABLED: &str = "VERIFY_DELIVERABLES_DISABLED";
/// `1` asks each subagent for a report that can be judged.
pub(crate) const ASK: &str = "ATTEST_ASK";
/// A file with the words for that.
pub(crate) const ASK_FILE: &str = "ATTEST_ASK_FILE";
/// `1` keeps payloads and transcripts.
pub(crate) const CAPTURE: &str = "ATTEST_CAPTURE";
/// Where captures go.
pub(crate) const CAPTURE_DIR: &str = "ATTEST_CAPTURE_DIR";
/// `1` checks the completion criteria when an agent stops.
pub(crate) const CHECK: &str = "ATTEST_CHECK";
/// Comma list of variables that the commands of criteria get besides what all get.
pub(crate) const CHECK_ENV: &str = "ATTEST_CHECK_ENV";
/// `1` judges the turns of main agents, `0` does not; otherwise each host has its own default.
pub(crate) const SESSIONS: &str = "ATTEST_SESSIONS";
/// Programs that are asked about each stop, separated as in `PATH`.
pub(crate) const GATES: &str = "ATTEST_GATES";
/// Level of the log file.
pub(crate) const LOG: &str = "ATTEST_LOG";
/// The settings file that the installer edits.
pub(crate) const SETTINGS: &str = "ATTEST_SETTINGS";
/// Where programs are looked for.
pub(crate) const PATH: &str = "PATH";
/// The person's home folder.
pub(crate) const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
/// Seconds that the start hook may take.
pub(crate) const START_DEADLINE: &str = "ATTEST_START_DEADLINE";
/// Seconds that the stop hook may take.
pub(crate) const STOP_DEADLINE: &str = "ATTEST_STOP_DEADLINE";
/// Seconds that a command may take to read a repository.
pub(crate) const COMMAND_DEADLINE: &str = "ATTEST_COMMAND_DEADLINE";

/// The database of CAST, which verdicts are mirrored to where it exists.
pub(crate) const CAST_DB_PATH: &str = "CAST_DB_PATH";
/// What long output is shown with.
pub(crate) const PAGER: &str = "PAGER";
/// Options of `less`.
pub(crate) const LESS: &str = "LESS";

/// Every variable of attest's own.
pub(crate) const SETTINGS_OF_ATTEST: [&str; 23] = [
    ENFORCE,
    ENFORCE_AGENTS,
    STRICT,
    ENFORCE_ADDED,
    MAX_RETRIES,
    SESSION_BLOCK_CEILING,
    STATE_DB,
    STATE_MAX_MB,
    MAX_HASH_BYTES,
    ADVISE,
    ASK,
    ASK_FILE,
    CAPTURE,
    CAPTURE_DIR,
    CHECK,
    CHECK_ENV,
    SESSIONS,
    GATES,
    LOG,
    SETTINGS,
    START_DEADLINE,
    STOP_DEADLINE,
    COMMAND_DEADLINE,
];

/// The variables of the process, read once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Env(BTreeMap<OsString, OsString>);

impl Env {
    /// Takes the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is the registry")]
    pub(crate) fn of_process() -> Self {
        let name = |name: OsString| {
            // Windows ignores the case of a name, and writes `Path` itself.
            if cfg!(windows) {
                name.to_ascii_uppercase()
            } else {
                name
            }
        };
        Self(
            std::env::vars_os()
                .map(|(key, value)| (name(key), value))
                .collect(),
        )
    }

    /// The variable's value when it is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// The same as text; a value that is not UTF-8 reads as unset.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str)
    }

    /// The variable as a path. `~/` at its beginning is the home folder, which a shell puts there
    /// only where the value is not quoted, and a settings file never does.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(self.get(name)?);
        Some(at_home(path, self.home().as_deref()))
    }

    /// The variable as a list of paths, separated as in `PATH`.
    pub(crate) fn paths(&self, name: &str) -> Vec<PathBuf> {
        let list = self.get(name).unwrap_or_default();
        let paths = std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty());
        let home = self.home();
        paths.map(|path| at_home(path, home.as_deref())).collect()
    }

    /// The same with other variables over it.
    pub(crate) fn with(&self, variables: &[(String, String)]) -> Self {
        let mut all = self.0.clone();
        all.extend(
            variables
                .iter()
                .map(|(name, value)| (name.into(), value.into())),
        );
        Self(all)
    }

    /// All variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.0.keys().map(OsString::as_os_str)
    }

    /// The person's home folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.home_or_why().ok()
    }

    /// The same, or why there is none.
    pub(crate) fn home_or_why(&self) -> Result<PathBuf, NoHome> {
        let home = self.get(HOME).map(PathBuf::from).ok_or(NoHome::Unset)?;
        if home.is_absolute() {
            Ok(home)
        } else {
            Err(NoHome::Relative(home))
        }
    }
}

/// Why there is no home folder.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoHome {
    #[error("there is no home folder: {HOME} is not set")]
    Unset,
    /// What it leads to would depend on the folder that a command is run in.
    #[error("there is no home folder: {HOME} is {0:?}, which is not an absolute path")]
    Relative(PathBuf),
}

/// The path, of which `~` at its beginning is the home folder.
pub(crate) fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Env {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(k, v)| (k.into(), v.into()))
                .collect(),
        )
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_settings_is_whole() {
        let names = include_str!("env.rs").lines().filter(|line| {
            line.starts_with("pub(crate) const ") && line.contains("&str = \"ATTEST_")
        });
        assert_eq!(names.count(), SETTINGS_OF_ATTEST.len());
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
    fn a_home_that_is_set_is_not_called_unset() {
        let why = |env: Env| env.home_or_why().unwrap_err().to_string();
        assert!(why(Env::from([])).ends_with("HOME is not set"));
        let relative = why(Env::from([("HOME", "me")]));
        assert!(relative.ends_with("HOME is \"me\", which is not an absolute path"));
        assert_eq!(Env::from([("HOME", "/me")]).home_or_why(), Ok("/me".into()));
    }
}
