//! Tests that need something of the machine, and are reported as ignored without it.
//!
//! A test that returns early passes, and nobody learns that nothing was tried. libtest ignores what
//! is marked when it is compiled, so the machine is asked then; after installing what was missing,
//! `touch tests/main.rs`. `cargo test -- --ignored` runs the test in any case.

use std::path::Path;
use std::process::{Command, Stdio};

use proc_macro::TokenStream;

/// Marks a test that needs one of: `any_name`, `browser`, `elvish`, `fish`, `namespace`, `python3`, `reftable`, `root`,
/// `script`, `strace`, `tmpfs`, `trace`, `zsh`.
#[proc_macro_attribute]
pub fn needs(what: TokenStream, test: TokenStream) -> TokenStream {
    let (is_there, reason) = match what.to_string().as_str() {
        "any_name" => (
            takes_any_name(),
            "needs a file system that takes names which are not UTF-8",
        ),
        "browser" => (has_browser(), "needs Chromium"),
        "elvish" => (runs("elvish", &["--version"]), "needs elvish"),
        "fish" => (runs("fish", &["--version"]), "needs fish"),
        "namespace" => (
            may_mount_over(),
            "needs the right to mount over a folder in a namespace of its own",
        ),
        "python3" => (runs("python3", &["--version"]), "needs python3"),
        "reftable" => (knows_reftable(), "needs a git that knows reftable"),
        "root" => (is_root(), "needs to be root, to give files away"),
        "script" => (
            runs("script", &["--version"]),
            "needs `script`, to lend a terminal",
        ),
        "strace" => (
            runs("strace", &["-qq", "-o", "/dev/null", "true"]),
            "needs strace, and the right to trace a process",
        ),
        "tmpfs" => (may_mount(), "needs the right to mount a tmpfs"),
        "trace" => (may_trace(), "needs the right to trace a process"),
        "zsh" => (runs("zsh", &["--version"]), "needs zsh"),
        other => {
            let error = format!("compile_error!(\"nothing is known about the need {other}\");");
            return error.parse().unwrap_or_default();
        }
    };
    if is_there {
        return test;
    }
    let mut marked: TokenStream = format!("#[ignore = \"{reason}\"]")
        .parse()
        .unwrap_or_default();
    marked.extend(test);
    marked
}

#[expect(
    clippy::disallowed_methods,
    reason = "it ends at once, and no test has begun"
)]
fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let status = command(program, arguments).status();
    status.is_ok_and(|status| status.success())
}

fn has_browser() -> bool {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .any(|name| runs(name, &["--version"]))
}

/// What `ask` says, in a folder that is there only for it.
fn in_a_folder(name: &str, ask: impl FnOnce(&Path) -> bool) -> bool {
    let folder = std::env::temp_dir().join(format!("attest-needs-{name}-{}", std::process::id()));
    let answer = std::fs::create_dir(&folder).is_ok() && ask(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    answer
}

/// Asked of the file system: there are some that take no such name on every system.
fn takes_any_name() -> bool {
    in_a_folder("name", has_any_name)
}

#[cfg(unix)]
fn has_any_name(folder: &Path) -> bool {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    std::fs::write(folder.join(OsStr::from_bytes(b"caf\xe9")), "").is_ok()
}

#[cfg(not(unix))]
fn has_any_name(_: &Path) -> bool {
    false
}

fn knows_reftable() -> bool {
    in_a_folder("reftable", |folder| {
        let mut init = command("git", &["init", "--quiet", "--ref-format=reftable"]);
        init.arg(folder);
        init.status().is_ok_and(|status| status.success())
    })
}

fn is_root() -> bool {
    in_a_folder("root", gives_away)
}

#[cfg(unix)]
fn gives_away(folder: &Path) -> bool {
    let file = folder.join("file");
    std::fs::write(&file, "").is_ok() && std::os::unix::fs::chown(&file, Some(65_534), None).is_ok()
}

#[cfg(not(unix))]
fn gives_away(_: &Path) -> bool {
    false
}

fn may_mount() -> bool {
    in_a_folder("tmpfs", |folder| {
        let mut mount = command("mount", &["-t", "tmpfs", "-o", "size=64k", "tmpfs"]);
        mount.arg(folder);
        let is_mounted = mount.status().is_ok_and(|status| status.success());
        is_mounted && {
            let mut unmount = command("umount", &[]);
            unmount.arg(folder);
            unmount.status().is_ok_and(|status| status.success())
        }
    })
}

fn may_mount_over() -> bool {
    in_a_folder("namespace", |folder| {
        let name = folder.display();
        let script = format!(
            "mount -t tmpfs tmpfs '{name}' && mkdir '{name}/upper' '{name}/work' && \
             mount -t overlay overlay -o 'lowerdir=/etc,upperdir={name}/upper,workdir={name}/work' /etc"
        );
        runs("unshare", &["--mount", "sh", "-c", &script])
    })
}

#[cfg(target_os = "linux")]
fn may_trace() -> bool {
    use nix::sys::ptrace::{Options, seize};
    use nix::unistd::Pid;
    let Ok(mut child) = command("sleep", &["5"]).spawn() else {
        return false;
    };
    let pid = i32::try_from(child.id()).map(Pid::from_raw);
    let is_traced = pid.is_ok_and(|pid| seize(pid, Options::empty()).is_ok());
    let _ = child.kill();
    let _ = child.wait();
    is_traced
}

#[cfg(not(target_os = "linux"))]
fn may_trace() -> bool {
    false
}
