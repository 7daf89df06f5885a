//! A scratch home with a repository in it, so that a run sees nothing of the person who starts it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::run::{RunError, run};

/// Where programs are looked for. The caller's own list is part of the caller's environment.
const PATH: &str = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin";

/// How long git may take.
const GIT: Duration = Duration::from_mins(1);

/// The scratch home. It is removed when it is dropped.
#[derive(Debug)]
pub struct Workbench {
    home: PathBuf,
    path: OsString,
    _folder: TempDir,
}

impl Workbench {
    /// A home with one repository, whose first commit holds `files` (path to content).
    pub fn new(files: &BTreeMap<String, String>) -> Result<Self, RunError> {
        Self::searching(files, PATH)
    }

    /// The same, where programs are looked for in the folders of `path`.
    pub fn searching(
        files: &BTreeMap<String, String>,
        path: impl Into<OsString>,
    ) -> Result<Self, RunError> {
        let folder = tempfile::Builder::new().prefix("scripted").tempdir()?;
        let mut bench = Self {
            // Hosts report resolved paths, and the temporary folder is a link on some systems.
            home: dunce::canonicalize(folder.path())?,
            path: path.into(),
            _folder: folder,
        };
        let mut path = bench.programs().into_os_string();
        path.push(":");
        path.push(&bench.path);
        bench.path = path;
        for folder in [
            bench.repository(),
            bench.payloads(),
            bench.temporary(),
            bench.programs(),
        ] {
            std::fs::create_dir_all(folder)?;
        }
        for (path, content) in files {
            let path = bench.repository().join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, content)?;
        }
        bench.git(["init", "--quiet", "--initial-branch=main"])?;
        bench.git(["config", "user.name", "Somebody"])?;
        bench.git(["config", "user.email", "somebody@example.org"])?;
        bench.git(["add", "--all"])?;
        bench.git(["commit", "--quiet", "--allow-empty", "--message=start"])?;
        Ok(bench)
    }

    /// The home, which holds everything else.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The repository, the folder in which the host is started.
    #[must_use]
    pub fn repository(&self) -> PathBuf {
        self.home.join("project")
    }

    /// The host's settings and transcripts.
    #[must_use]
    pub fn configuration(&self) -> PathBuf {
        self.home.join(".claude")
    }

    /// Where the probe leaves the payloads.
    #[must_use]
    pub fn payloads(&self) -> PathBuf {
        self.home.join(".payloads")
    }

    /// What the host asked the model, as JSON lines.
    pub(crate) fn log(&self) -> PathBuf {
        self.home.join(".requests.jsonl")
    }

    /// The person's own programs, which are found first.
    pub(crate) fn programs(&self) -> PathBuf {
        self.home.join("bin")
    }

    /// The host's temporary folder.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.home.join(".tmp")
    }

    /// A program in the repository, with an environment that names only the scratch home.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "it is built here and run by `run`"
    )]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.repository())
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", &self.home)
            .env("TMPDIR", self.temporary())
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// The same beside another program, which is found first where programs are looked for.
    pub(crate) fn command_beside(&self, program: &Path, other: &Path) -> Command {
        let mut path = other.parent().map_or_else(OsString::new, OsString::from);
        path.push(":");
        path.push(&self.path);
        let mut command = self.command(program);
        command.env("PATH", path);
        command
    }

    /// Runs git in the repository and gives back what it printed.
    pub fn git<'a>(
        &self,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Result<String, RunError> {
        let mut git = self.command("git");
        git.args(arguments);
        let ran = run(git, GIT)?;
        if !ran.end.is_success() {
            return Err(RunError::Git(ran.stderr));
        }
        Ok(ran.stdout)
    }

    /// The files of the work tree that git does not ignore, path to content.
    pub fn tree(&self) -> Result<BTreeMap<String, Vec<u8>>, RunError> {
        let listed = self.git([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])?;
        let mut tree = BTreeMap::new();
        for path in listed.split('\0').filter(|path| !path.is_empty()) {
            let full = self.repository().join(path);
            // A tracked file may be gone, and an untracked worktree is listed as a folder.
            if full.is_file() {
                tree.insert(path.to_owned(), std::fs::read(full)?);
            }
        }
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_holds_a_clean_repository_with_the_files_that_were_asked_for() {
        let files = BTreeMap::from([("src/a.py".to_owned(), "a = 1\n".to_owned())]);
        let bench = Workbench::new(&files).unwrap();
        assert_eq!(bench.git(["status", "--porcelain"]).unwrap(), "");
        std::fs::write(bench.repository().join("new"), "n").unwrap();
        let tree = bench.tree().unwrap();
        assert_eq!(tree.keys().collect::<Vec<_>>(), ["new", "src/a.py"]);
        assert_eq!(tree["src/a.py"], b"a = 1\n");
    }

    #[test]
    fn a_program_sees_the_scratch_home_and_no_other_variables() {
        let bench = Workbench::new(&BTreeMap::new()).unwrap();
        let output = bench.command("env").output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        assert!(output.contains(&format!("HOME={}\n", bench.home().display())));
        assert!(!output.contains("CARGO"), "{output}");
    }

    #[test]
    fn a_git_that_fails_is_an_error_with_its_own_words() {
        let bench = Workbench::new(&BTreeMap::new()).unwrap();
        let error = bench.git(["no-such-command"]).unwrap_err().to_string();
        assert!(error.contains("no-such-command"), "{error}");
    }
}
