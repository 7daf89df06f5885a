//! What the end-to-end tests share: the binary in a world of its own.

pub mod agent;
pub mod forms;
pub mod lines;
#[cfg(unix)]
pub mod older;
pub mod programs;
pub mod recorded;
pub mod scene;
pub mod stage;
#[cfg(unix)]
pub mod terminal;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub use attest_clock::size;
use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_attest");

/// Far longer than anything takes on a busy machine, and far shorter than what hangs.
pub const SOON: Duration = Duration::from_mins(1);

/// Fails unless it is so in one of some tries: a busy machine may keep any process waiting, and does not do so each time.
#[track_caller]
pub fn in_one_of_some_tries(mut is_so: impl FnMut(usize) -> bool) {
    const TRIES: usize = 20;
    assert!((0..TRIES).any(&mut is_so), "in none of {TRIES} tries");
}

/// Fails unless one of some tries takes less than `most`.
#[track_caller]
pub fn assert_within(most: Duration, mut run: impl FnMut(usize)) {
    in_one_of_some_tries(|at| {
        let began = Instant::now();
        run(at);
        let took = began.elapsed();
        println!("{took:?} of {most:?}");
        took < most
    });
}

/// The deadlines of hooks.
const DEADLINES: [&str; 1] = ["ATTEST_STOP_DEADLINE"];
/// Seconds that a hook has in a test that is not about a deadline.
const PATIENCE: &str = "300";

/// A temporary folder with a home of its own, and an environment that nothing of the machine's
/// leaks into but the PATH.
pub struct TestContext {
    folder: TempDir,
    home: PathBuf,
    variables: BTreeMap<OsString, OsString>,
}

/// What a program printed, as text.
#[derive(Debug)]
pub struct Printed {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl TestContext {
    pub fn new() -> Self {
        Self::with_home("home")
    }

    /// The same, with enforcement on.
    pub fn enforcing() -> Self {
        let mut context = Self::new();
        context.set("ATTEST_ENFORCE", "1");
        context
    }

    /// A context whose home folder has the given name.
    pub fn with_home(name: &str) -> Self {
        let folder = new_folder();
        let home = folder.path().join(name);
        fs::create_dir(&home).unwrap();
        let mut variables: BTreeMap<OsString, OsString> = BTreeMap::new();
        #[expect(clippy::disallowed_methods, reason = "git has to be found")]
        let path = std::env::var_os("PATH").unwrap_or_default();
        for (name, value) in [
            ("PATH", path),
            ("HOME", home.clone().into()),
            ("LC_ALL", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_AUTHOR_NAME", "Test".into()),
            ("GIT_AUTHOR_EMAIL", "test@example.invalid".into()),
            ("GIT_COMMITTER_NAME", "Test".into()),
            ("GIT_COMMITTER_EMAIL", "test@example.invalid".into()),
        ] {
            variables.insert(name.into(), value);
        }
        #[cfg(windows)]
        variables.extend(of_windows(&home));
        Self {
            folder,
            home,
            variables,
        }
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder that holds the home and whatever a test puts beside it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets a variable for every program from now on.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Self {
        self.variables
            .insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// Takes a variable away.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.variables.remove(OsStr::new(name));
        self
    }

    /// Puts a folder in front of those in which programs are looked for.
    #[cfg(unix)]
    pub fn look_first_in(&mut self, folder: &Path) -> &mut Self {
        let path = self.variables.get(OsStr::new("PATH"));
        let folders = path.iter().flat_map(|path| std::env::split_paths(path));
        let all = std::env::join_paths([folder.into()].into_iter().chain(folders)).unwrap();
        self.set("PATH", all)
    }

    /// Where a program is: the whole process is copied to start one that is looked for.
    fn program(&self, name: &OsStr) -> PathBuf {
        let path = self.variables.get(OsStr::new("PATH"));
        let folders = path.iter().flat_map(|path| std::env::split_paths(path));
        let mut places = folders.map(|folder| folder.join(name));
        let found = places.find(|place| !place.is_absolute() || place.is_file());
        // What an entry means that is not absolute is left to the system.
        let found = found.filter(|place| place.is_absolute());
        found.unwrap_or_else(|| name.into())
    }

    /// A program in this world, not yet started.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(self.program(program.as_ref()));
        command
            .env_clear()
            .envs(&self.variables)
            .current_dir(self.folder());
        command
    }

    /// Runs attest.
    pub fn attest<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Printed {
        Printed::of(self.command(BINARY).args(args).output().unwrap())
    }

    /// attest as a hook, with a deadline that no busy machine reaches unless the test has set one.
    pub fn hook_command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Command {
        let mut command = self.command(BINARY);
        self.be_patient(&mut command);
        command.args(args);
        command
    }

    /// Gives the hook that `command` starts the time of [`PATIENCE`], unless the test says how much it has.
    pub fn be_patient(&self, command: &mut Command) {
        let unset = DEADLINES
            .iter()
            .filter(|name| !self.variables.contains_key(OsStr::new(name)));
        command.envs(unset.map(|name| (name, PATIENCE)));
    }

    /// Runs attest with something on standard input.
    pub fn attest_with_input<I, S>(&self, args: I, input: &[u8]) -> Printed
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = self.hook_command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that ends without reading everything closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input);
        Printed::of(child.wait_with_output().unwrap())
    }

    /// Runs git in `folder`, which has to succeed. What it would start behind a commit is most of what some tests cost.
    pub fn git(&self, folder: &Path, args: &[&str]) -> Printed {
        let mut command = self.command("git");
        command.args(["-c", "maintenance.auto=false"]);
        let printed = Printed::of(command.current_dir(folder).args(args).output().unwrap());
        printed.assert_success()
    }

    /// A repository with one commit, which holds the given files.
    pub fn repository(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = self.folder().join(name);
        fs::create_dir_all(&root).unwrap();
        // Samples of hooks are most of what git would make.
        let init = ["init", "--quiet", "--initial-branch=main", "--template="];
        self.git(&root, &init);
        let git_dir = root.join(".git");
        // In a linked work tree it is a file.
        if git_dir.is_dir() {
            for folder in ["hooks", "info"] {
                fs::create_dir_all(git_dir.join(folder)).unwrap();
            }
        }
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        self.git(&root, &["add", "--all"]);
        self.git(
            &root,
            &["commit", "--quiet", "--allow-empty", "--message", "start"],
        );
        root
    }

    /// Every word that `attest explain` knows, as JSON.
    pub fn explained(&self) -> Vec<serde_json::Value> {
        let listed = self.attest(["explain", "--list", "--json"]);
        serde_json::from_str(&listed.assert_success().stdout).unwrap()
    }

    /// `text` with the paths of this context and of the binary replaced by names.
    pub fn named(&self, text: &str) -> String {
        [
            (BINARY, "[BINARY]"),
            (self.home.to_str().unwrap(), "[HOME]"),
            (self.folder().to_str().unwrap(), "[FOLDER]"),
        ]
        .iter()
        .fold(text.to_owned(), |text, (path, name)| {
            text.replace(path, name)
        })
    }
}

/// A folder of its own. ext4 puts what lies in one folder into one place, and passes over each inode there that was freed in
/// the last minutes whenever it gives one away: half of what thousands of such folders take. Told so, it spreads them.
fn new_folder() -> TempDir {
    static SPREAD: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let folder = std::env::temp_dir().join("attest-tests");
        fs::create_dir_all(&folder).ok()?;
        let mut spread = Command::new("chattr");
        let spread = spread.arg("+T").arg(&folder).output().ok()?;
        spread.status.success().then_some(folder)
    });
    let made = SPREAD.as_ref().map(TempDir::new_in);
    made.and_then(Result::ok)
        .unwrap_or_else(|| TempDir::new().unwrap())
}

/// What programs need on Windows, whose home folder has a name of its own.
#[cfg(windows)]
#[expect(clippy::disallowed_methods, reason = "the system says where it is")]
fn of_windows(home: &Path) -> impl Iterator<Item = (OsString, OsString)> {
    let of_the_system = ["SystemRoot", "TEMP", "TMP", "PATHEXT"]
        .into_iter()
        .filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    of_the_system.chain([("USERPROFILE".into(), home.into())])
}

impl Printed {
    pub fn of(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }

    #[track_caller]
    pub fn assert_success(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    #[track_caller]
    pub fn assert_failure(self) -> Self {
        assert_eq!(self.code, Some(1), "{self:#?}");
        self
    }
}
