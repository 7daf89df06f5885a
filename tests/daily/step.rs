//! What an agent does in a day, and what of it a report may claim.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::common::TestContext;
use crate::common::agent::Agent;
use crate::common::scene::write;

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("src/b.py", "two\n"),
    ("docs/guide/intro.md", "three\n"),
    ("pkg/c.go", "four\n"),
    ("left/edited.py", "five\n"),
    ("left/kept.py", "six\n"),
    (".gitignore", "*.log\nbuild/\n"),
];
const NAMES: &[&str] = &[
    "a.py",
    "src/b.py",
    "src/new.py",
    "pkg/made.go",
    "docs/guide/more.md",
];
/// What no report can write as it is.
const ODD: &[&[u8]] = &[b"odd\nname.dat", b"odd\"name.dat", b"caf\xe9.dat"];

/// A day in a clone of a repository in which others work too.
pub struct Day {
    pub context: TestContext,
    pub repo: PathBuf,
    upstream: PathBuf,
    /// Paths that an honest report may claim.
    done: BTreeSet<String>,
    /// Of these, what only the work tree has.
    unrecorded: BTreeSet<String>,
    count: u32,
}

impl Day {
    pub fn new() -> Self {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "dirty");
        let upstream = context.repository("upstream", FILES);
        let repo = context.folder().join("repo");
        let (from, to) = (upstream.to_str().unwrap(), repo.to_str().unwrap());
        context.git(context.folder(), &["clone", "--quiet", from, to]);
        let mut day = Self {
            context,
            repo,
            upstream,
            done: BTreeSet::new(),
            unrecorded: BTreeSet::new(),
            count: 0,
        };
        // A branch to merge and to check out, and a commit that was amended away.
        day.git(&["checkout", "--quiet", "-b", "feature"]);
        day.commit_in(&day.repo.clone(), "feature.py");
        day.git(&["commit", "--quiet", "--amend", "--message", "feature"]);
        day.git(&["checkout", "--quiet", "main"]);
        day.commit_in(&day.upstream.clone(), "theirs/first.py");
        day
    }

    /// A git command that this state may not allow.
    pub fn git(&self, arguments: &[&str]) -> bool {
        self.git_in(&self.repo, arguments)
    }

    fn git_in(&self, folder: &Path, arguments: &[&str]) -> bool {
        let mut command = self.context.command("git");
        command.current_dir(folder).args(arguments);
        command.env("GIT_EDITOR", "true");
        command.output().unwrap().status.success()
    }

    fn commit_in(&mut self, folder: &Path, path: &str) {
        self.count += 1;
        write(&folder.join(path), &format!("of commit {}\n", self.count));
        self.git_in(folder, &["add", "--all"]);
        self.git_in(folder, &["commit", "--quiet", "--message", "of somebody"]);
    }

    /// Two branches that do not go together, `main` and `theirs`.
    pub fn diverge(&mut self) {
        let repo = self.repo.clone();
        self.git(&["checkout", "--quiet", "-b", "theirs"]);
        self.commit_in(&repo, "left/edited.py");
        self.git(&["checkout", "--quiet", "main"]);
        self.commit_in(&repo, "left/edited.py");
    }

    pub fn start_another(&self) {
        Agent::new("another", &self.repo).start(&self.context);
    }

    /// What an honest report may claim now.
    pub fn claimable(&self) -> Vec<String> {
        self.done.iter().cloned().collect()
    }

    fn write(&mut self, name: &str) {
        self.count += 1;
        let path = self.repo.join(name);
        write(&path, &format!("content {}\n", self.count));
        self.done.insert(name.to_owned());
        self.unrecorded.insert(name.to_owned());
    }

    fn recorded(&mut self, is_done: bool) {
        if is_done {
            self.unrecorded.clear();
        }
    }

    fn discarded(&mut self, is_done: bool) {
        if is_done {
            for name in std::mem::take(&mut self.unrecorded) {
                self.done.remove(&name);
            }
        }
    }
}

#[derive(Debug, Clone)]
pub enum Step {
    Write(usize),
    Delete(usize),
    Odd(usize),
    Commit,
    Amend,
    Pull,
    PullRebase,
    Fetch,
    Merge,
    MergeAndDelete,
    Rebase,
    NewBranch,
    Checkout,
    Main,
    Orphan,
    RmCached,
    Stash,
    Pop,
    Reset,
    Ignore,
    CollectAuto,
    Collect,
    Push,
}

pub fn any() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    prop_oneof![
        10 => name.clone().prop_map(Step::Write),
        1 => name.prop_map(Step::Delete),
        1 => (0..ODD.len()).prop_map(Step::Odd),
        6 => Just(Step::Commit),
        1 => Just(Step::Amend),
        3 => Just(Step::Pull),
        2 => Just(Step::PullRebase),
        3 => Just(Step::Fetch),
        3 => Just(Step::Merge),
        1 => Just(Step::MergeAndDelete),
        2 => Just(Step::Rebase),
        3 => Just(Step::NewBranch),
        2 => Just(Step::Checkout),
        2 => Just(Step::Main),
        1 => Just(Step::Orphan),
        1 => Just(Step::RmCached),
        2 => Just(Step::Stash),
        2 => Just(Step::Pop),
        1 => Just(Step::Reset),
        1 => Just(Step::Ignore),
        2 => Just(Step::CollectAuto),
        1 => Just(Step::Collect),
        2 => Just(Step::Push),
    ]
}

impl Step {
    pub fn apply(&self, day: &mut Day) {
        let upstream = day.upstream.clone();
        match self {
            Self::Write(name) => day.write(NAMES[*name]),
            Self::Delete(name) => {
                if fs::remove_file(day.repo.join(NAMES[*name])).is_ok() {
                    let was_new = day.unrecorded.remove(NAMES[*name]);
                    if was_new {
                        day.done.remove(NAMES[*name]);
                    } else {
                        day.done.insert(NAMES[*name].to_owned());
                    }
                }
            }
            Self::Odd(at) => odd(day, ODD[*at]),
            Self::Commit => {
                day.git(&["add", "--all"]);
                let is_done = day.git(&["commit", "--quiet", "--message", "work"]);
                day.recorded(is_done);
            }
            Self::Amend => {
                let is_done = day.git(&[
                    "commit",
                    "--quiet",
                    "--all",
                    "--amend",
                    "--message",
                    "again",
                ]);
                // What is untracked stays so.
                if is_done && day.git(&["diff", "--quiet", "HEAD"]) {
                    day.git(&["add", "--all"]);
                    let is_done = day.git(&["commit", "--quiet", "--amend", "--message", "again"]);
                    day.recorded(is_done);
                }
            }
            Self::Pull => {
                day.count += 1;
                let path = format!("theirs/pulled{}.py", day.count);
                day.commit_in(&upstream, &path);
                day.git(&["pull", "--quiet", "--no-rebase", "--no-edit"]);
            }
            Self::PullRebase => {
                day.commit_in(&upstream, "theirs/first.py");
                day.git(&["pull", "--quiet", "--rebase", "--autostash"]);
            }
            Self::Fetch => {
                day.commit_in(&upstream, "theirs/fetched.py");
                day.git(&["fetch", "--quiet"]);
            }
            Self::Merge => drop(day.git(&["merge", "--quiet", "--no-edit", "feature"])),
            Self::MergeAndDelete => {
                day.git(&["merge", "--quiet", "--no-edit", "feature"]);
                day.git(&["branch", "--quiet", "--delete", "feature"]);
            }
            Self::Rebase => drop(day.git(&["rebase", "--quiet", "feature"])),
            Self::NewBranch => drop(day.git(&["checkout", "--quiet", "-B", "mine"])),
            Self::Checkout => drop(day.git(&["checkout", "--quiet", "feature"])),
            Self::Main => drop(day.git(&["checkout", "--quiet", "main"])),
            Self::Orphan => drop(day.git(&["checkout", "--quiet", "--orphan", "new-root"])),
            Self::RmCached => drop(day.git(&["rm", "--quiet", "-r", "--cached", "pkg"])),
            Self::Stash => {
                let is_done = day.git(&["stash", "--quiet", "--include-untracked"]);
                day.recorded(is_done);
            }
            Self::Pop => drop(day.git(&["stash", "pop", "--quiet"])),
            Self::Reset => {
                let is_done = day.git(&["reset", "--quiet", "--hard"])
                    && day.git(&["clean", "--quiet", "--force", "-d"]);
                day.discarded(is_done);
            }
            Self::Ignore => {
                let rules = day.repo.join(".gitignore");
                let text = fs::read_to_string(&rules).unwrap_or_default();
                day.count += 1;
                fs::write(rules, format!("{text}*.tmp{}\n", day.count)).unwrap();
                day.done.insert(".gitignore".to_owned());
                day.unrecorded.insert(".gitignore".to_owned());
            }
            // What `git gc --auto` does where there is enough to pack: a pack more, and no loose object twice.
            Self::CollectAuto => drop(day.git(&["repack", "-d", "-l", "--quiet"])),
            Self::Collect => drop(day.git(&["gc", "--quiet"])),
            Self::Push => drop(day.git(&["push", "--quiet", "origin", "HEAD:refs/heads/pushed"])),
        }
    }
}

#[cfg(unix)]
fn odd(day: &Day, name: &[u8]) {
    use std::os::unix::ffi::OsStrExt;
    let path = day.repo.join(std::ffi::OsStr::from_bytes(name));
    // Some file systems do not take every name.
    let _ = fs::write(path, "odd\n");
}

#[cfg(not(unix))]
fn odd(_day: &Day, _name: &[u8]) {}
