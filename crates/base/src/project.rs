//! What the files of the project that this process works in put into its environment.
//!
//! Looked for are the files of which a host is known to take variables, in the folder that the host names as that of
//! the project, and in those from the current folder up to the root of its work tree.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use attest_host::Host;
use attest_host::settings::{Given, given};
use attest_snapshot::read_regular_whole;

use crate::env::{self, Env, OfProject};
use crate::targets::places;

/// Bytes of a file that are read. One with more may say anything.
const LARGEST: u64 = 4 * 1024 * 1024;

/// The files.
#[derive(Debug, Default)]
pub struct Project {
    files: Vec<File>,
}

/// One that puts something there.
#[derive(Debug)]
struct File {
    path: PathBuf,
    says: Says,
}

#[derive(Debug)]
enum Says {
    Variables(Vec<(String, String)>),
    /// It may be all that is somewhere in this text.
    Unknown(Vec<u8>),
    Anything,
}

impl Says {
    fn of(path: &Path) -> Option<Self> {
        let content = match read_regular_whole(path, LARGEST) {
            Ok(content) => content?.0,
            Err(_) => return Some(Self::Anything),
        };
        match given(path, &content) {
            Given::Variables(variables) if variables.is_empty() => None,
            Given::Variables(variables) => Some(Self::Variables(variables)),
            Given::Unknown => Some(Self::Unknown(content)),
        }
    }

    fn names(&self, name: &str) -> bool {
        match self {
            Self::Variables(variables) => variables.iter().any(|(it, _)| is_same(it, name)),
            Self::Unknown(text) => {
                let has = |part: &[u8]| text.windows(part.len()).any(|it| it == part);
                has(name.as_bytes()) || has(b"\\u")
            }
            Self::Anything => true,
        }
    }
}

/// The variables that such a file gives, if it is there and can be read.
#[must_use]
pub fn variables(path: &Path) -> Option<Vec<(String, String)>> {
    match Says::of(path)? {
        Says::Variables(variables) => Some(variables),
        Says::Unknown(_) | Says::Anything => None,
    }
}

/// Windows ignores the case of a name.
fn is_same(one: &str, other: &str) -> bool {
    one == other || cfg!(windows) && one.eq_ignore_ascii_case(other)
}

impl Project {
    /// Those of these hosts.
    pub fn read(env: &Env, hosts: &[&'static dyn Host]) -> Self {
        let names = hosts.iter().flat_map(|host| host.wiring().variable_files());
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            return Self::default();
        }
        let in_folder = |folder: PathBuf| names.iter().map(move |name| folder.join(name));
        let files = folders(env)
            .into_iter()
            .flat_map(in_folder)
            .filter_map(|path| {
                let says = Says::of(&path)?;
                Some(File { path, says })
            });
        let mut project = Self {
            files: files.collect(),
        };
        if !project.files.is_empty() {
            project.leave_out_persons(env, hosts);
        }
        project
    }

    /// Leaves out what is the person's own file, which it is in the home folder. A file that says where that is counts
    /// for nothing here: such a variable is replaced before anything else is looked at.
    fn leave_out_persons(&mut self, env: &Env, hosts: &[&'static dyn Host]) {
        if !self.misled(env).is_empty() {
            return;
        }
        let persons: Vec<_> = {
            let variable = |name: &str| env.path(name).filter(|_| !self.names(name));
            let places = places(&variable, None, env);
            let files = hosts.iter().flat_map(|host| host.wiring().files(&places));
            files.map(|place| place.path).collect()
        };
        self.files.retain(|file| !persons.contains(&file.path));
    }

    /// Whether one of them sets the variable.
    fn names(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.says.names(name))
    }

    /// The variables that have to be others in the whole process.
    fn misled(&self, env: &Env) -> Vec<(&'static str, Option<OsString>)> {
        env.misled(|name| self.names(name))
    }

    /// Runs this program anew if it was misled by variables that libraries and programs go by as well. Returns only if
    /// that is not so, or cannot be done.
    pub fn settle(&self, env: &Env) -> io::Result<()> {
        match self.misled(env) {
            variables if variables.is_empty() => Ok(()),
            variables => Err(run_anew(variables)),
        }
    }

    /// The environment in which of what the files set only that counts which may.
    pub fn heed(&self, env: Env, hosts: &[&'static dyn Host]) -> Env {
        if self.files.is_empty() {
            return env;
        }
        let (persons, mut env) = (given_by_others(&env, hosts), env);
        for File { path, says } in &self.files {
            let said: Vec<(&str, String)> = match says {
                Says::Variables(all) => all
                    .iter()
                    .map(|(name, value)| (&**name, value.clone()))
                    .collect(),
                Says::Unknown(_) | Says::Anything => {
                    let names = OfProject::names().filter(|name| says.names(name));
                    names.map(|name| (name, shown(&env, name))).collect()
                }
            };
            for (name, tried) in said {
                let persons = persons.iter().rfind(|(it, _)| is_same(it, name));
                let own = persons.map(|(_, value)| value.clone());
                // These are as they should be by now.
                let is_settled = is_same(name, env::HOME) || is_same(name, env::PATH);
                let own = if is_settled {
                    Some(shown(&env, name))
                } else {
                    own
                };
                env.heed(name, own.as_deref(), &tried, path);
            }
        }
        env
    }
}

/// The value of a variable, as text.
fn shown(env: &Env, name: &str) -> String {
    let value = env.get(name).unwrap_or_default();
    value.to_string_lossy().into_owned()
}

/// The folder that the host names, this one, and those above it up to the root of the work tree.
fn folders(env: &Env) -> Vec<PathBuf> {
    let mut folders = Vec::from_iter(env.path(env::PROJECT_DIR).filter(|it| it.is_absolute()));
    let here = std::env::current_dir().unwrap_or_default();
    for folder in here.ancestors() {
        if !folders.iter().any(|it| it == folder) {
            folders.push(folder.to_owned());
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            break;
        }
    }
    folders
}

/// What the settings of the person and of an administrator give to hooks, the one that counts most last.
fn given_by_others(env: &Env, hosts: &[&'static dyn Host]) -> Vec<(String, String)> {
    let variable = |name: &str| env.path(name);
    let places = places(&variable, None, env);
    let mut given = Vec::new();
    for wiring in hosts.iter().map(|host| host.wiring()) {
        let files = wiring.files(&places).into_iter();
        let managed = wiring.managed(&places).map(|it| (it.path, it.file));
        for (path, file) in files.map(|it| (it.path, it.file)).chain(managed) {
            let content = read_regular_whole(&path, LARGEST).ok().flatten();
            let inspected = content.and_then(|(content, _)| file.inspect(&content).ok());
            given.extend(inspected.into_iter().flat_map(|it| it.env));
        }
    }
    given
}

/// Runs this program with the same words, and these variables.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "it takes the place of this process"
)]
fn run_anew(variables: Vec<(&'static str, Option<OsString>)>) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    let this = match std::env::current_exe() {
        Ok(this) => this,
        Err(error) => return error,
    };
    let mut anew = std::process::Command::new(this);
    anew.args(std::env::args_os().skip(1));
    for (name, value) in variables {
        match value {
            Some(value) => anew.env(name, value),
            None => anew.env_remove(name),
        };
    }
    anew.exec()
}

/// No process takes the place of another.
#[cfg(not(unix))]
fn run_anew(variables: Vec<(&'static str, Option<OsString>)>) -> io::Error {
    let names: Vec<_> = variables.into_iter().map(|(name, _)| name).collect();
    io::Error::other(format!(
        "a file of the project sets {}",
        names.join(" and ")
    ))
}
