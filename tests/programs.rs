//! No hook runs a program that a repository names or holds: each of them would leave a mark.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};

/// A program that leaves a mark, and passes on what it reads.
fn canary(context: &TestContext, program: &Path) {
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let mark = mark(context);
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display());
    fs::write(program, text).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn mark(context: &TestContext) -> PathBuf {
    context.folder().join("ran")
}

/// A repository that attest reads itself, and one that only git reads.
fn repositories(context: &TestContext, files: &[(&str, &str)]) -> Vec<PathBuf> {
    let foreign = context.folder().join("foreign");
    let mut init = context.command("git");
    init.args(["init", "--quiet", "--object-format=sha256"])
        .arg(&foreign);
    let mut all = vec![context.repository("own", files)];
    if init.output().unwrap().status.success() {
        all.push(context.repository("foreign", files));
    }
    all
}

/// A liar is blocked, an honest agent is not, and nothing of the repository runs.
fn nothing_runs(context: &TestContext, root: &Path, name: &str) {
    std::thread::sleep(Duration::from_millis(250));
    drop(fs::remove_file(mark(context)));
    let liar = Agent::new(root.file_name().unwrap().to_str().unwrap(), root);
    liar.start(context);
    // The same size, and no time to tell it by: only the content shows the difference.
    fs::write(root.join("x.bin"), "2").unwrap();
    let stop = liar.stop(context, &done("x.bin, ghost.py"));
    let ran = fs::read_to_string(mark(context));
    assert!(ran.is_err(), "{name}: {ran:?}");
    let reason = stop.block().unwrap_or_else(|| panic!("{name}: {stop:#?}"));
    assert!(
        reason.contains("ghost.py") && !reason.contains("x.bin"),
        "{name}: {reason}"
    );
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
        let context = TestContext::enforcing();
        let program = context.folder().join("program");
        canary(&context, &program);
        for root in repositories(&context, &[("a.py", "1"), ("x.bin", "1")]) {
            let name = format!("{} {}", String::from_utf8_lossy(driver), root.display());
            let attributes = [b"*.bin filter=", driver, b"\n"].concat();
            fs::write(root.join(".git/info/attributes"), &attributes).unwrap();
            for setting in ["clean", "smudge", "process"] {
                let key = [b"filter.", driver, b".", setting.as_bytes()].concat();
                let key = OsString::from_vec(key);
                let mut config = context.command("git");
                config
                    .current_dir(&root)
                    .arg("config")
                    .arg(key)
                    .arg(&program);
                assert!(config.status().unwrap().success());
            }
            nothing_runs(&context, &root, &name);
        }
    }
}

/// Whether the driver of a name is one that git would run: otherwise the test above shows nothing.
#[test]
fn git_itself_runs_such_a_filter() {
    for driver in [&b"ma=rk"[..], b"m\xffrk"] {
        let context = TestContext::enforcing();
        let program = context.folder().join("program");
        canary(&context, &program);
        let root = context.repository("own", &[("x.bin", "1")]);
        let attributes = [b"*.bin filter=", driver, b"\n"].concat();
        fs::write(root.join(".git/info/attributes"), attributes).unwrap();
        let key = OsString::from_vec([b"filter.", driver, b".clean"].concat());
        let mut config = context.command("git");
        config
            .current_dir(&root)
            .arg("config")
            .arg(key)
            .arg(&program);
        assert!(config.status().unwrap().success());
        fs::write(root.join("x.bin"), "2").unwrap();
        context.git(&root, &["status"]);
        assert!(mark(&context).exists());
    }
}

/// An entry of `PATH` for a repository, and what it is called.
type Entry = (&'static str, fn(&Path) -> OsString);

#[test]
fn the_git_of_a_repository_is_not_run() {
    #[expect(clippy::disallowed_methods, reason = "git has to be found")]
    let path = std::env::var_os("PATH").unwrap();
    let paths: [Entry; 5] = [
        ("empty", |_| OsString::new()),
        ("dot", |_| ".".into()),
        ("relative", |_| "node_modules/.bin".into()),
        ("in the work tree", |root| {
            root.join("node_modules/.bin").into()
        }),
        ("a link into the work tree", |root| {
            root.with_file_name("link").into()
        }),
    ];
    for (name, entry) in paths {
        let mut context = TestContext::enforcing();
        for root in repositories(
            &context,
            &[("a.py", "1"), ("x.bin", "1"), ("src/b.py", "1")],
        ) {
            canary(&context, &root.join("git"));
            canary(&context, &root.join("node_modules/.bin/git"));
            let link = root.with_file_name("link");
            drop(fs::remove_file(&link));
            std::os::unix::fs::symlink(root.join("node_modules/.bin"), link).unwrap();
            context.git(&root, &["add", "--all"]);
            context.git(&root, &["commit", "--quiet", "--message", "programs"]);
            let before = entry(&root);
            let all = [before.as_bytes(), b":", path.as_bytes()].concat();
            context.set("PATH", OsString::from_vec(all));
            nothing_runs(&context, &root, &format!("{name} {}", root.display()));
            context.set("PATH", &path);
            // That it would have left a mark.
            let ran = Command::new(root.join("git"))
                .stdin(std::process::Stdio::null())
                .status();
            assert!(ran.unwrap().success() && mark(&context).exists());
        }
    }
}
