//! No hook makes anybody write: every name, byte and time of the work tree and its repository is
//! the same before and after each hook, in every kind of repository.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done};
use crate::common::scene::settle;

/// What a file or folder is known by, with a file's bytes. A reading changes nothing but the time
/// of access.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    ino: u64,
    mode: u32,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    content: Option<Vec<u8>>,
}

/// All that lies in the folder of the context but the home of attest, other repositories included.
fn everything(context: &TestContext) -> BTreeMap<PathBuf, Known> {
    let mut all = BTreeMap::new();
    let mut folders = vec![context.folder().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path == context.home() {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            let known = Known {
                ino: metadata.ino(),
                mode: metadata.mode(),
                size: metadata.size(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
                content: metadata.is_file().then(|| fs::read(&path).unwrap()),
            };
            all.insert(path, known);
        }
    }
    all
}

/// Does something that must leave no trace.
#[track_caller]
pub(crate) fn without_a_trace<T>(context: &TestContext, what: &str, act: impl FnOnce() -> T) -> T {
    let before = everything(context);
    let result = act();
    let after = everything(context);
    let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let changed: Vec<_> = before.keys().chain(after.keys()).filter(differs).collect();
    assert!(changed.is_empty(), "{what} changed {changed:#?}");
    result
}

/// Three agents in a repository: one that does its work, one that commits it, and one that lies
/// about files that a proof has to ask for.
fn three_agents(context: &TestContext, name: &str, cwd: &Path) {
    let start = |agent: &Agent| {
        let what = format!("{name}: start of {}", agent.id);
        without_a_trace(context, &what, || agent.start(context));
    };
    let stop = |agent: &Agent, message: &str| -> Stop {
        let what = format!("{name}: stop of {}", agent.id);
        without_a_trace(context, &what, || agent.stop(context, message))
    };
    let honest = Agent::new("honest", cwd);
    start(&honest);
    fs::create_dir_all(cwd.join("lib")).unwrap();
    fs::write(cwd.join("made.py"), "x").unwrap();
    fs::write(cwd.join("lib/made.py"), "x").unwrap();
    let stopped = stop(&honest, &done("made.py, lib/made.py"));
    stopped.assert_allowed("-> OK");
    fs::remove_file(cwd.join("made.py")).unwrap();
    fs::remove_file(cwd.join("lib/made.py")).unwrap();
    // Where the folder was not there before.
    drop(fs::remove_dir(cwd.join("lib")));
    // What is removed in the moment of a start may be removed behind it.
    settle();

    // What git itself rewrites where it can, it has rewritten before.
    let liar = Agent::new("liar", cwd);
    start(&liar);
    let stopped = stop(&liar, &done("never.py, lib/never.py, gone/never.py"));
    let reason = stopped
        .block()
        .unwrap_or_else(|| panic!("{name}: {stopped:#?}"));
    assert!(reason.contains("lib/never.py"), "{name}: {reason}");

    let committer = Agent::new("committer", cwd);
    start(&committer);
    fs::write(cwd.join("kept.py"), "x").unwrap();
    context.git(cwd, &["add", "kept.py"]);
    context.git(cwd, &["commit", "--quiet", "--message", "work"]);
    stop(&committer, &done("kept.py, ghost.py"));
}

const FILES: &[(&str, &str)] = &[
    ("a.py", "1"),
    ("src/b.py", "1"),
    ("lib/c.py", "1"),
    ("lib/.gitignore", "*.o\n"),
    (".gitignore", "*.log\n"),
];

/// Every way to arrange a repository that is known here: its name, and how it comes to be below the
/// folder of the context. `None` if this git does not know it.
pub(crate) type Layout = (&'static str, fn(&TestContext) -> Option<PathBuf>);

pub(crate) const LAYOUTS: &[Layout] = &[
    ("plain", |context| Some(plain(context))),
    ("detached", |context| {
        after(context, &[&["checkout", "--quiet", "--detach"]])
    }),
    ("index of version 4", |context| {
        after(context, &[&["update-index", "--index-version", "4"]])
    }),
    ("split index", |context| {
        after(context, &[&["update-index", "--split-index"]])
    }),
    ("split index with changes of its own", |context| {
        let root = after(
            context,
            &[
                &["config", "splitIndex.maxPercentChange", "100"],
                &["update-index", "--split-index"],
            ],
        )?;
        fs::write(root.join("src/new.py"), "x").unwrap();
        fs::write(root.join("a.py"), "changed").unwrap();
        context.git(&root, &["rm", "--quiet", "src/b.py"]);
        context.git(&root, &["add", "--all"]);
        context.git(&root, &["commit", "--quiet", "--message", "second"]);
        Some(root)
    }),
    ("sparse checkout", |context| {
        after(
            context,
            &[&[
                "sparse-checkout",
                "set",
                "--cone",
                "--no-sparse-index",
                "src",
            ]],
        )
    }),
    ("sparse index", |context| {
        after(
            context,
            &[&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]],
        )
    }),
    ("sparse index over a pack", |context| {
        after(
            context,
            &[
                &["sparse-checkout", "set", "--cone", "--sparse-index", "src"],
                &["gc", "--quiet"],
            ],
        )
    }),
    ("untracked cache", |context| {
        after(
            context,
            &[&["update-index", "--force-untracked-cache"], &["status"]],
        )
    }),
    ("fsmonitor", |context| {
        after(
            context,
            &[
                &["config", "core.fsmonitor", "true"],
                &["update-index", "--fsmonitor"],
            ],
        )
    }),
    ("packed refs and objects", |context| {
        after(
            context,
            &[
                &["pack-refs", "--all"],
                &["gc", "--quiet"],
                &["commit-graph", "write"],
            ],
        )
    }),
    ("filters", |context| {
        let root = plain(context);
        fs::write(
            root.join(".gitattributes"),
            "*.bin filter=lfs -text\n*.txt text=auto\n",
        )
        .unwrap();
        fs::write(root.join("x.bin"), "content\n").unwrap();
        fs::write(root.join("x.txt"), "line\r\n").unwrap();
        context.git(&root, &["config", "filter.lfs.clean", "sed s/con/kon/"]);
        context.git(&root, &["config", "filter.lfs.required", "true"]);
        context.git(&root, &["add", "--all"]);
        context.git(&root, &["commit", "--quiet", "--message", "second"]);
        Some(root)
    }),
    ("sha256", |context| {
        init(context, &["--object-format=sha256"])
    }),
    ("separate folder", |context| {
        let elsewhere = context.folder().join("gitdir");
        init(
            context,
            &[&format!("--separate-git-dir={}", elsewhere.display())],
        )
    }),
    ("shallow", |context| clone(context, &["--depth=1"])),
    ("partial", |context| clone(context, &["--filter=blob:none"])),
    ("alternates", |context| {
        let root = plain(context);
        let other = context.folder().join("other");
        let arguments = [
            "clone",
            "--quiet",
            "--shared",
            root.to_str()?,
            other.to_str()?,
        ];
        context.git(context.folder(), &arguments);
        Some(other)
    }),
    ("linked work tree", |context| linked(context, &[])),
    ("linked work tree with a split index", |context| {
        linked(context, &["update-index", "--split-index"])
    }),
    ("linked work tree with a sparse index", |context| {
        linked(
            context,
            &["sparse-checkout", "set", "--cone", "--sparse-index", "src"],
        )
    }),
    ("with a submodule", |context| submodule(context)),
    ("in a submodule", |context| {
        Some(submodule(context)?.join("module"))
    }),
];

fn plain(context: &TestContext) -> PathBuf {
    context.repository("repo", FILES)
}

#[expect(clippy::unnecessary_wraps, reason = "as every way to make a layout")]
fn after(context: &TestContext, commands: &[&[&str]]) -> Option<PathBuf> {
    let root = plain(context);
    for command in commands {
        context.git(&root, command);
    }
    Some(root)
}

fn init(context: &TestContext, options: &[&str]) -> Option<PathBuf> {
    let root = context.folder().join("repo");
    let mut command = context.command("git");
    command.args(["init", "--quiet"]).args(options).arg(&root);
    if !command.output().unwrap().status.success() {
        return None;
    }
    Some(plain(context))
}

#[expect(clippy::unnecessary_wraps, reason = "as every way to make a layout")]
fn clone(context: &TestContext, options: &[&str]) -> Option<PathBuf> {
    let origin = context.repository("origin", FILES);
    context.git(&origin, &["config", "uploadpack.allowFilter", "true"]);
    fs::write(origin.join("a.py"), "2").unwrap();
    context.git(
        &origin,
        &["commit", "--quiet", "--all", "--message", "second"],
    );
    let url = format!("file://{}", origin.display());
    let arguments = [&["clone", "--quiet"], options, &[&url, "repo"]].concat();
    context.git(context.folder(), &arguments);
    Some(context.folder().join("repo"))
}

fn linked(context: &TestContext, command: &[&str]) -> Option<PathBuf> {
    let linked = context.folder().join("linked");
    let arguments = ["worktree", "add", "--quiet", linked.to_str()?];
    context.git(&plain(context), &arguments);
    if !command.is_empty() {
        context.git(&linked, command);
    }
    Some(linked)
}

fn submodule(context: &TestContext) -> Option<PathBuf> {
    let inner = context.repository("inner", FILES);
    let root = plain(context);
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.to_str()?,
        "module",
    ];
    context.git(&root, &add);
    context.git(&root, &["commit", "--quiet", "--message", "module"]);
    Some(root)
}

#[test]
fn no_hook_leaves_a_trace() {
    std::thread::scope(|scope| {
        for (name, make) in LAYOUTS {
            scope.spawn(move || {
                let context = TestContext::enforcing();
                let root = make(&context).unwrap_or_else(|| panic!("no {name}"));
                // A pack that is as young as the start could be the agent's.
                settle();
                three_agents(&context, name, &root);
            });
        }
    });
}

#[attest_needs::needs(reftable)]
#[test]
fn no_hook_leaves_a_trace_in_tables_of_refs() {
    let context = TestContext::enforcing();
    let root = init(&context, &["--ref-format=reftable"]).unwrap();
    settle();
    three_agents(&context, "reftable", &root);
}
