//! No hook runs a program that a repository names or holds, and of git nothing but what is listed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
use crate::common::programs::make_program;
use crate::common::scene::settle;
use crate::hostile::canary::{is_sprung, plant, plant_brief};
use crate::hostile::trial::{Proof, READERS, Trial, repository, world};
use crate::writes;

fn tried(context: &TestContext, root: &Path, name: &str) {
    settle();
    let proof = Proof::Certain;
    Trial {
        context,
        root,
        name,
        proof,
    }
    .run();
}

/// Lets a filter be asked for every `.bin`.
fn set_filter(context: &TestContext, root: &Path, driver: &[u8], program: &Path) {
    let attributes = [b"*.bin filter=", driver, b"\n"].concat();
    fs::write(root.join(".git/info/attributes"), attributes).unwrap();
    for setting in ["clean", "smudge", "process"] {
        let key = [b"filter.", driver, b".", setting.as_bytes()].concat();
        let mut config = context.command("git");
        config.current_dir(root).arg("config");
        config.arg(OsString::from_vec(key)).arg(program);
        assert!(config.status().unwrap().success());
    }
}

#[test]
fn no_filter_runs_whatever_its_name() {
    for driver in [
        &b"mark"[..],
        b"ma=rk",
        b"m\xffrk",
        b"ma.rk",
        b"MARK",
        b"ma rk",
    ] {
        let context = world();
        let program = context.folder().join("program");
        for reader in READERS {
            let root = repository(&context, reader);
            plant(&context, &program);
            set_filter(&context, &root, driver, &program);
            let name = format!("{} {}", String::from_utf8_lossy(driver), reader.0);
            tried(&context, &root, &name);
            // Only a name without a space can be asked for by an attribute.
            if !driver.contains(&b' ') {
                plant_brief(&context, &program);
                fs::write(root.join("x.bin"), "4").unwrap();
                is_sprung(&context, &root, &["add", "x.bin"]);
            }
        }
    }
}

/// An entry of `PATH` for a repository, and what it is called.
type Entry = (&'static str, fn(&Path) -> OsString);

const ENTRIES: [Entry; 6] = [
    ("empty", |_| OsString::new()),
    ("dot", |_| ".".into()),
    ("relative", |_| "node_modules/.bin".into()),
    ("above a relative one", |_| {
        "src/../node_modules/.bin".into()
    }),
    ("in the work tree", |root| {
        root.join("node_modules/.bin").into()
    }),
    ("a link into the work tree", |root| {
        root.with_file_name("link").into()
    }),
];

#[expect(clippy::disallowed_methods, reason = "git has to be found")]
fn path() -> OsString {
    std::env::var_os("PATH").unwrap()
}

#[test]
fn the_git_of_a_repository_is_not_run() {
    for reader in READERS {
        let mut context = world();
        let root = repository(&context, reader);
        for place in ["git", "node_modules/.bin/git", "src/git"] {
            plant(&context, &root.join(place));
        }
        symlink(
            root.join("node_modules/.bin"),
            context.folder().join("link"),
        )
        .unwrap();
        context.git(&root, &["add", "--all"]);
        context.git(&root, &["commit", "--quiet", "--message", "programs"]);
        for (name, entry) in ENTRIES {
            let all = [entry(&root).as_bytes(), b":", path().as_bytes()].concat();
            context.set("PATH", OsString::from_vec(all));
            tried(&context, &root, name);
            // That it would have left a mark: a system looks into these entries as they are.
            is_sprung(&context, &root, &["status"]);
            context.set("PATH", path());
        }
    }
}

/// A `git` that writes down what it is asked, and asks the real one.
fn eavesdrop(context: &mut TestContext) -> PathBuf {
    let asked = context.home().join("asked");
    let program = context.home().join("bin/git");
    let path = path();
    let mut real = std::env::split_paths(&path).map(|entry| entry.join("git"));
    let real = real.find(|git| git.is_file()).unwrap();
    let text = format!(
        "#!/bin/sh\nline=$(printf '%s\\t' \"$@\")\nprintf '%s\\n' \"$line\" >> '{}'\nexec '{}' \"$@\"\n",
        asked.display(),
        real.display()
    );
    make_program(&program, &text);
    let folder = program.parent().unwrap().as_os_str();
    let all = [folder.as_bytes(), b":", path.as_bytes()];
    context.set("PATH", OsString::from_vec(all.concat()));
    asked
}

/// What every question begins with.
const BEFORE: &str = "--no-optional-locks --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null \
                      -c log.showSignature=false -c submodule.recurse=false";

/// The only questions: none reads a file of the work tree or an index, shows anything, or leads to
/// another repository, and so none has a program to run. What follows `..` is the repository's, and
/// stands behind `--` or an option that takes it.
const QUESTIONS: &[&str] = &[
    "config -z --type=path --get-all safe.directory",
    "config -z --list",
    "config -z --type=path --get ..",
    "rev-parse --path-format=absolute --show-toplevel --git-common-dir",
    "rev-parse --verify --quiet HEAD^{commit}",
    "symbolic-ref --quiet HEAD",
    "for-each-ref --format=%(objectname) %(refname) refs/heads refs/remotes refs/stash",
    "cat-file --batch-check",
    "cat-file --batch",
    "rev-list --all --max-count=1 -- ..",
];

fn is_listed(question: &str) -> bool {
    let words = question.strip_prefix(BEFORE).map(str::trim_start);
    words.is_some_and(|words| {
        QUESTIONS
            .iter()
            .any(|listed| match listed.strip_suffix("..") {
                Some(beginning) => words.starts_with(beginning),
                None => words == *listed,
            })
    })
}

/// What attest asks in one repository: at starts and stops, and for a snapshot and a comparison with
/// a map that knows no commits.
fn asked_in(context: &TestContext, asked: &Path, root: &Path) -> BTreeSet<String> {
    drop(fs::remove_file(asked));
    let at = root.to_str().unwrap();
    let agent = crate::common::agent::Agent::new("a", root);
    agent.start(context);
    fs::write(root.join("made.py"), "x").unwrap();
    let claim = crate::common::agent::done("made.py, lib/ghost.py, ghost.py");
    agent.stop(context, &claim);
    for format in ["json", "flat"] {
        let before = context.home().join("before");
        let printed = context.attest(["snapshot", "--repo", at, "--format", format]);
        fs::write(&before, printed.stdout).unwrap();
        fs::write(context.home().join("claim.md"), &claim).unwrap();
        let mut verify = context.command(crate::common::BINARY);
        verify
            .args(["verify", "--repo", at, "--before"])
            .arg(before);
        verify
            .arg("--claim-file")
            .arg(context.home().join("claim.md"));
        assert!(verify.output().unwrap().status.code().is_some());
    }
    let text = fs::read_to_string(asked).unwrap_or_default();
    let lines = text.lines().map(|line| line.trim_end().replace('\t', " "));
    lines.collect()
}

#[test]
fn git_is_asked_nothing_but_what_is_listed() {
    let mut all = BTreeSet::new();
    for (name, make) in writes::LAYOUTS {
        let mut context = TestContext::enforcing();
        let Some(root) = make(&context) else {
            continue;
        };
        let asked = eavesdrop(&mut context);
        let questions = asked_in(&context, &asked, &root);
        for question in &questions {
            assert!(is_listed(question), "{name}: {question}");
        }
        all.extend(questions);
    }
    // Something was asked, so that the list says something.
    assert!(all.len() > 5, "{all:#?}");
}
