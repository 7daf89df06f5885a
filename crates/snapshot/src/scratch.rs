//! A repository to do things in, for tests.

#![expect(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

#[cfg(unix)]
use crate::Repository;
use crate::{Limits, Snapshot, WorkTree};

/// A repository with one commit.
pub(crate) struct Scratch {
    _folder: TempDir,
    pub(crate) root: PathBuf,
}

impl Scratch {
    pub(crate) fn new(files: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let scratch = Self {
            _folder: folder,
            root,
        };
        // Samples of hooks are most of what git would make.
        scratch.git(&["init", "--quiet", "--template="]);
        for folder in ["hooks", "info"] {
            fs::create_dir(scratch.root.join(".git").join(folder)).unwrap();
        }
        for file in files {
            scratch.write(file, "old\n");
        }
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "--allow-empty", "--message", "start"]);
        scratch
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        self.ask(arguments, b"");
    }

    /// Runs git with something on its standard input, and returns what it says.
    pub(crate) fn ask(&self, arguments: &[&str], input: &[u8]) -> String {
        let file = self.root.with_file_name("input");
        fs::write(&file, input).unwrap();
        let mut git = Command::new("git");
        git.current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.invalid"])
            .args(["-c", "maintenance.auto=false"])
            .args(arguments)
            .stdin(fs::File::open(file).unwrap());
        let output = git.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Runs commands of a shell, as an agent does.
    #[cfg(unix)]
    pub(crate) fn sh(&self, commands: &str) {
        let mut shell = Command::new("bash");
        shell
            .args(["-ec", commands])
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        for who in ["AUTHOR", "COMMITTER"] {
            shell
                .env(format!("GIT_{who}_NAME"), "T")
                .env(format!("GIT_{who}_EMAIL"), "t@example.invalid");
        }
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{commands}: {output:?}");
    }

    /// The repository as attest reads it, and as it is read where only git knows its objects.
    #[cfg(unix)]
    pub(crate) fn both(&self) -> [Repository; 2] {
        let discover = || Repository::discover(&self.root, &Limits::default()).unwrap();
        [discover(), discover().through_program("a test")]
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn start(&self) -> WorkTree {
        match Snapshot::take(&self.root, &Limits::default(), |_| None) {
            Snapshot::Readable(tree) => tree,
            Snapshot::Unreadable(why) => panic!("{why}"),
        }
    }

    /// Lets what is there grow older than a start that comes now.
    pub(crate) fn settle(&self) {
        assert!(self.root.is_dir());
        thread::sleep(Duration::from_millis(150));
    }
}
