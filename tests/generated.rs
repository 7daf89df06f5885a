//! Generated agents: whatever an honest one does with git, and claims only what it did, it is
//! never blocked; and one more name that it never made is always found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
use crate::common::agent::Agent;
use crate::common::forms::{Form, cases, forms};
use proptest::prelude::*;
use proptest::sample::Index;

const NAMES: &[&str] = &[
    "a.py",
    "src/b.py",
    "new.py",
    "src/deep/c.rs",
    "caf\u{e9}.md",
    "with space.txt",
    "logs/x.log",
    "build/out.bin",
    "old.py",
];

/// Those that are there from the start.
const STARTED_WITH: [&str; 3] = ["a.py", "old.py", "src/b.py"];

#[derive(Debug, Clone)]
enum Step {
    Write(usize),
    Delete(usize),
    Rename(usize, usize),
    Commit,
    Amend,
    Branch,
    Back,
    DropBranch,
    ResetHard,
    ResetSoft,
    Stash,
    DropStash,
    Pop,
    Worktree(usize),
    DropWorktree,
    Collect,
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    prop_oneof![
        5 => name.clone().prop_map(Step::Write),
        2 => name.clone().prop_map(Step::Delete),
        1 => (name.clone(), name.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        3 => Just(Step::Commit),
        1 => Just(Step::Amend),
        1 => Just(Step::Branch),
        1 => Just(Step::Back),
        1 => Just(Step::DropBranch),
        1 => Just(Step::ResetHard),
        1 => Just(Step::ResetSoft),
        1 => Just(Step::Stash),
        1 => Just(Step::DropStash),
        1 => Just(Step::Pop),
        1 => name.prop_map(Step::Worktree),
        1 => Just(Step::DropWorktree),
        1 => Just(Step::Collect),
    ]
}

struct Work {
    context: TestContext,
    repo: PathBuf,
    /// What was written or removed, and so may be claimed. A file that was written and removed
    /// again without ever being recorded anywhere is no work that anybody could see.
    done: BTreeSet<usize>,
    unrecorded: BTreeSet<usize>,
    /// What was ever made in the work tree.
    made: BTreeSet<usize>,
    count: usize,
}

impl Work {
    fn new() -> Self {
        let context = TestContext::enforcing();
        let mut files = vec![(".gitignore", "*.log\nbuild/\n")];
        files.extend(STARTED_WITH.map(|name| (name, "1")));
        let repo = context.repository("repo", &files);
        Self {
            context,
            repo,
            done: BTreeSet::new(),
            unrecorded: BTreeSet::new(),
            made: BTreeSet::new(),
            count: 0,
        }
    }

    /// A git command that this state may not allow.
    fn git(&self, folder: &Path, arguments: &[&str]) -> bool {
        let mut command = self.context.command("git");
        command.current_dir(folder).args(arguments);
        command.output().unwrap().status.success()
    }

    fn linked(&self) -> PathBuf {
        self.context.folder().join("linked")
    }

    fn apply(&mut self, step: &Step) {
        self.count += 1;
        let repo = self.repo.clone();
        match step {
            Step::Write(name) => self.write(&repo, *name),
            Step::Delete(name) => {
                if fs::remove_file(repo.join(NAMES[*name])).is_ok() {
                    self.removed(*name);
                }
            }
            Step::Rename(from, to) => {
                let (source, target) = (repo.join(NAMES[*from]), repo.join(NAMES[*to]));
                if source.is_file() && from != to {
                    fs::create_dir_all(target.parent().unwrap()).unwrap();
                    fs::rename(source, target).unwrap();
                    self.removed(*from);
                    self.done.insert(*to);
                    self.unrecorded.insert(*to);
                    self.made.insert(*to);
                }
            }
            Step::Commit => {
                self.git(&repo, &["add", "--all"]);
                if self.git(&repo, &["commit", "--quiet", "--message", "work"]) {
                    self.unrecorded.clear();
                }
            }
            Step::Amend => {
                self.git(&repo, &["add", "--all"]);
                if self.git(
                    &repo,
                    &["commit", "--quiet", "--amend", "--message", "amended"],
                ) {
                    self.unrecorded.clear();
                }
            }
            Step::Branch => drop(self.git(&repo, &["checkout", "--quiet", "-B", "side"])),
            Step::Back => drop(self.git(&repo, &["checkout", "--quiet", "main"])),
            Step::DropBranch => drop(self.git(&repo, &["branch", "--quiet", "-D", "side"])),
            Step::ResetHard => {
                if self.git(&repo, &["reset", "--quiet", "--hard", "HEAD~1"]) {
                    self.forget_unrecorded();
                }
            }
            Step::ResetSoft => drop(self.git(&repo, &["reset", "--quiet", "--soft", "HEAD~1"])),
            Step::Stash => {
                if self.git(&repo, &["stash", "--quiet", "--include-untracked"]) {
                    self.unrecorded.clear();
                }
            }
            Step::DropStash => drop(self.git(&repo, &["stash", "drop", "--quiet"])),
            Step::Pop => drop(self.git(&repo, &["stash", "pop", "--quiet"])),
            Step::Worktree(name) => {
                let linked = self.linked();
                let path = linked.to_str().unwrap();
                self.git(
                    &repo,
                    &[
                        "worktree", "add", "--quiet", "--force", "-B", "linked", path,
                    ],
                );
                if linked.is_dir() {
                    self.write(&linked, *name);
                    self.git(&linked, &["add", "--all"]);
                    self.git(&linked, &["commit", "--quiet", "--message", "linked"]);
                }
            }
            Step::DropWorktree => {
                let linked = self.linked();
                let path = linked.to_str().unwrap();
                self.git(&repo, &["worktree", "remove", "--force", path]);
                self.git(&repo, &["branch", "--quiet", "-D", "linked"]);
            }
            Step::Collect => drop(self.git(&repo, &["gc", "--quiet", "--prune=now"])),
        }
    }

    fn write(&mut self, root: &Path, name: usize) {
        let path = root.join(NAMES[name]);
        if path.is_dir() {
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("content {}\n", self.count)).unwrap();
        self.done.insert(name);
        if root == self.repo {
            self.unrecorded.insert(name);
            self.made.insert(name);
        }
    }

    fn removed(&mut self, name: usize) {
        if self.unrecorded.remove(&name) {
            self.done.remove(&name);
        } else {
            self.done.insert(name);
        }
    }

    fn forget_unrecorded(&mut self) {
        for name in std::mem::take(&mut self.unrecorded) {
            self.done.remove(&name);
        }
    }

    /// Whether something is gone that was made since the start: without a transcript it may have been any file.
    fn has_lost(&self) -> bool {
        let mut made = self.made.iter().map(|name| NAMES[*name]);
        made.any(|name| !STARTED_WITH.contains(&name) && !self.repo.join(name).exists())
    }

    fn files(&self) -> Vec<&'static str> {
        self.done.iter().map(|name| NAMES[*name]).collect()
    }
}

fn form() -> impl Strategy<Value = Form> {
    proptest::sample::select(forms())
}

proptest! {
    #![proptest_config(cases(8, 25))]
    #[test]
    fn honest_work_is_never_blocked(steps in proptest::collection::vec(step(), 1..12), form in form()) {
        let mut work = Work::new();
        let agent = Agent::new("honest", &work.repo);
        agent.start(&work.context);
        for step in &steps {
            work.apply(step);
        }
        let report = form.report(&work.repo, &work.files());
        let stop = agent.stop(&work.context, &report);
        prop_assert!(stop.block().is_none(), "{:#?}\n{}", stop, report);
    }

    #[test]
    fn a_name_that_was_never_made_is_found(
        steps in proptest::collection::vec(step(), 0..8), form in form(), place: Index
    ) {
        let mut work = Work::new();
        let agent = Agent::new("liar", &work.repo);
        agent.start(&work.context);
        for step in &steps {
            work.apply(step);
        }
        // What packing, removed work trees and removed files leave behind proves nothing, nor does a file that was given a
        // name which the report does not carry: without a transcript it may be what was made.
        let mut files = work.files();
        let is_told = files.iter().all(|file| Form::carries(file));
        let is_clear = !work.has_lost() && !steps.iter().any(|step| match step {
            Step::Collect | Step::DropWorktree => true,
            // A folder in which one took the place of another changed, and has the names that it had.
            Step::Rename(_, to) => !is_told || STARTED_WITH.contains(&NAMES[*to]),
            _ => false,
        });
        files.retain(|file| Form::carries(file));
        files.insert(place.index(files.len() + 1), "never-made.py");
        let report = form.report(&work.repo, &files);
        let stop = agent.stop(&work.context, &report);
        let reason = stop.block().unwrap_or_default();
        prop_assert!(!is_clear || reason.contains("never-made.py"), "{}\n{:#?}", report, stop);
        let others = files.iter().filter(|file| **file != "never-made.py");
        let quoted = |file: &str| reason.contains(&format!("\"{file}\""));
        prop_assert!(others.clone().all(|file| !quoted(file)), "{}\n{}", report, reason);
    }
}
