//! An honest agent and a liar among things that would run a program: nothing runs, nothing is
//! written, and the lie is named nevertheless.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::canary::{mark, nothing_runs};
use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done};
use crate::writes::without_a_trace;

/// The files of every repository that is tried. `x.bin` is what the agents change, and what
/// attributes of a repository are about.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("a.py", "1"),
    ("src/b.py", "1"),
    ("x.bin", "1"),
    (".gitattributes", "*.bin diff=mark filter=mark merge=mark\n"),
];

/// A world in which a start is taken as it is, however many trials were made before.
pub(crate) fn world() -> TestContext {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "dirty");
    context
}

/// A repository that attest reads itself, and one of which only git knows the objects: its name, and
/// its options for `git init`.
pub(crate) const READERS: [(&str, &[&str]); 2] =
    [("own", &[]), ("foreign", &["--object-format=sha256"])];

/// A repository of that name.
pub(crate) fn repository(context: &TestContext, (name, options): (&str, &[&str])) -> PathBuf {
    let mut init = context.command("git");
    init.args(["init", "--quiet"]).args(options).arg(name);
    assert!(init.status().unwrap().success());
    context.repository(name, FILES)
}

/// Whether a lie can be proven in such a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    Certain,
    Impossible,
}

/// The folder of two agents, one after the other.
pub(crate) struct Trial<'a> {
    pub(crate) context: &'a TestContext,
    /// The top of the work tree.
    pub(crate) root: &'a Path,
    /// What is tried, for the report of a failure.
    pub(crate) name: &'a str,
    pub(crate) proof: Proof,
}

impl Trial<'_> {
    /// Every hook and command that reads a repository.
    pub(crate) fn run(&self) {
        self.honest();
        self.liar();
        self.commands();
    }

    fn honest(&self) {
        let agent = self.agent("honest");
        self.leaves_nothing("an honest start", || agent.start(self.context));
        self.write("2");
        let stop = self.stop(&agent, "x.bin");
        match self.proof {
            Proof::Certain => stop.assert_allowed("-> OK"),
            Proof::Impossible => assert!(stop.block().is_none(), "{}: {stop:#?}", self.name),
        }
        self.write("1");
    }

    fn liar(&self) {
        let agent = self.agent("liar");
        self.leaves_nothing("a liar's start", || agent.start(self.context));
        // The same size, and no time to tell it by: only the content shows the difference.
        self.write("3");
        let stop = self.stop(&agent, "x.bin, ghost.py");
        match self.proof {
            Proof::Certain => {
                let reason = stop.block();
                let reason = reason.unwrap_or_else(|| panic!("{}: {stop:#?}", self.name));
                let names_the_lie = reason.contains("ghost.py") && !reason.contains("x.bin");
                assert!(names_the_lie, "{}: {reason}", self.name);
            }
            Proof::Impossible => assert!(stop.block().is_none(), "{}: {stop:#?}", self.name),
        }
        self.write("1");
    }

    fn commands(&self) {
        let root = self.root.to_str().unwrap();
        let snapshot = self.leaves_nothing("snapshot", || {
            self.context.attest(["snapshot", "--repo", root])
        });
        if self.proof == Proof::Impossible {
            assert!(matches!(snapshot.code, Some(0 | 1)), "{}", self.name);
            return;
        }
        let before = self.context.home().join("before.json");
        fs::write(&before, snapshot.assert_success().stdout).unwrap();
        self.write("2");
        for (claimed, is_false) in [("x.bin", false), ("x.bin, ghost.py", true)] {
            let claim = self.context.home().join("claim.md");
            fs::write(&claim, done(claimed)).unwrap();
            let mut verify = vec!["verify", "--repo", root];
            verify.extend(["--before", before.to_str().unwrap()]);
            verify.extend(["--claim-file", claim.to_str().unwrap()]);
            let printed = self.leaves_nothing("verify", || self.context.attest(&verify));
            let found: Value = serde_json::from_str(&printed.assert_success().stdout).unwrap();
            assert_eq!(found["false_done"], is_false, "{}: {found}", self.name);
        }
        self.write("1");
    }

    /// An agent of a session of its own: a session has a ceiling of blocks.
    fn agent(&self, id: &str) -> Agent {
        let mut agent = Agent::new(id, self.root);
        let name = self.name.escape_default();
        agent.session = format!("{name} {}", self.root.display());
        agent
    }

    fn stop(&self, agent: &Agent, files: &str) -> Stop {
        let what = format!("{}'s stop", agent.id);
        self.leaves_nothing(&what, || agent.stop(self.context, &done(files)))
    }

    fn write(&self, text: &str) {
        fs::write(self.root.join("x.bin"), text).unwrap();
    }

    /// Nothing runs, and all names, bytes and times in the world but those of attest's home stay.
    fn leaves_nothing<T>(&self, what: &str, act: impl FnOnce() -> T) -> T {
        let what = format!("{}: {what}", self.name);
        drop(fs::remove_file(mark(self.context)));
        without_a_trace(self.context, &what, || {
            nothing_runs(self.context, &what, act)
        })
    }
}
