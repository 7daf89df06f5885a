//! Which variables a command of a criteria file gets.
//!
//! The file belongs to the repository and the variables belong to the person, and a credential may
//! have any name. So a command gets the variables that are known to say where tools and their files
//! are and how to show text, plus those that the person adds.

use std::ffi::{OsStr, OsString};

use attest_process::MARK;

/// Words, and lines that begin with `#`.
const ALLOWED_NAMES: &str = include_str!("environment/allowed.txt");

/// Names that a person adds to those that commands always get.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

/// Why a list of names cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected the name of a variable, or the beginning of one and `*`")]
pub struct BadName(String);

impl std::str::FromStr for Names {
    type Err = BadName;

    /// Reads a comma-separated list. A `*` at the end of a name stands for any ending. A `*` alone
    /// is refused: it would give everything to a stranger's command.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let names = names.map(|name| {
            let begin = name.strip_suffix('*').unwrap_or(name);
            let is_name = !begin.is_empty() && !begin.contains(['*', '=', '\0']);
            is_name
                .then(|| name.to_owned())
                .ok_or_else(|| BadName(name.to_owned()))
        });
        names.collect::<Result<_, _>>().map(Self)
    }
}

impl Names {
    /// The person's variables that a command of a criteria file gets.
    #[must_use]
    pub fn of<'v>(
        &self,
        variables: impl IntoIterator<Item = (&'v OsStr, &'v OsStr)>,
    ) -> Vec<(OsString, OsString)> {
        variables
            .into_iter()
            .filter(|(name, _)| self.is_allowed(name))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// A name that is not text is never allowed.
    fn is_allowed(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| {
            let is_added = self.0.iter().any(|pattern| matches(pattern, name));
            is_added || allowed().any(|pattern| matches(pattern, name))
        })
    }
}

/// The names that commands always get. A `*` stands for anything. [`MARK`] is among them, because
/// attest recognises by it what it started, also when it runs inside a command.
pub fn allowed() -> impl Iterator<Item = &'static str> {
    let lines = ALLOWED_NAMES.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).chain([MARK])
}

/// Whether the name matches the pattern, which may contain one `*`. Windows ignores case.
fn matches(pattern: &str, name: &str) -> bool {
    if cfg!(windows) {
        let [pattern, name] = [pattern, name].map(str::to_ascii_uppercase);
        return matches_exactly(&pattern, &name);
    }
    matches_exactly(pattern, name)
}

fn matches_exactly(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((begin, end)) => name
            .strip_prefix(begin)
            .is_some_and(|rest| rest.ends_with(end)),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(names: &Names, name: &str) -> bool {
        names.is_allowed(OsStr::new(name))
    }

    /// Names of secrets that are in use, of which no list of endings and beginnings has all.
    const SECRETS: &str = "
        ANTHROPIC_API_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
        AZURE_CLIENT_SECRET BUNDLE_GEMS__EXAMPLE__COM CARGO_REGISTRIES_MINE_TOKEN
        CARGO_REGISTRY_TOKEN CC_TEST_REPORTER_ID CI_JOB_JWT CLAUDECODE CLAUDE_CODE_OAUTH_TOKEN
        CLOUDFLARE_API_KEY COMPOSER_AUTH DATABASE_URL DB_PASS DIGITALOCEAN_ACCESS_TOKEN
        DOCKER_AUTH_CONFIG GH_TOKEN GITHUB_PAT GITHUB_TOKEN GITLAB_PRIVATE_TOKEN GIT_ASKPASS
        GOOGLE_APPLICATION_CREDENTIALS GPG_AGENT_INFO HEROKU_API_KEY HF_TOKEN
        HOMEBREW_GITHUB_API_TOKEN HTTPS_PROXY JIRA_PAT KUBECONFIG MAVEN_OPTS MISE_GITHUB_TOKEN
        MONGODB_URI MYSQL_PWD NETRC NIX_CONFIG NODE_AUTH_TOKEN NPM_TOKEN NUGET_CREDENTIALS
        OPENAI_API_KEY OP_SESSION_my PGPASSWORD PGPASSFILE PIP_INDEX_URL
        POETRY_HTTP_BASIC_PRIVATE_PASSWORD PYPI_TOKEN REDISCLI_AUTH REDIS_URL RUBYGEMS_API_KEY
        SENTRY_DSN SLACK_WEBHOOK_URL SSHPASS SSH_AUTH_SOCK STRIPE_SK SUDO_ASKPASS TWINE_PASSWORD
        UV_INDEX_PRIVATE_PASSWORD VAULT_TOKEN XDG_RUNTIME_DIR npm_config__auth ATTEST_STATE_DB
        PATHS HOMES MY_PATH";

    #[test]
    fn a_secret_of_any_name_stays_out() {
        let names = Names::default();
        for name in SECRETS.split_whitespace().chain([""]) {
            assert!(!passes(&names, name), "{name}");
        }
    }

    #[test]
    fn what_tools_need_is_let_in() {
        let names = Names::default();
        for name in [
            "PATH",
            "HOME",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TMPDIR",
            "CARGO_HOME",
            "XDG_CACHE_HOME",
            "JAVA_HOME",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER",
            "ASDF_NODEJS_VERSION",
            "SystemRoot",
            "ProgramFiles(x86)",
            "ATTEST_CHECK_RUN",
        ] {
            assert!(passes(&names, name), "{name}");
        }
        assert_eq!(passes(&names, "Path"), cfg!(windows));
    }

    #[test]
    fn a_person_adds_names_and_beginnings() {
        let names: Names = " PGPASSWORD, MY_* ,,".parse().unwrap();
        assert!(
            ["PGPASSWORD", "MY_DATABASE", "MY_", "PATH"]
                .iter()
                .all(|name| passes(&names, name))
        );
        assert!(
            !["PGPASSWORDS", "NOT_MY_X", "my_x"]
                .iter()
                .any(|name| passes(&names, name))
                || cfg!(windows)
        );
        for bad in ["*", "A*B", "A=B", "A,*"] {
            assert!(bad.parse::<Names>().is_err(), "{bad}");
        }
        assert_eq!("".parse(), Ok(Names::default()));
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut names: Vec<_> = allowed().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
