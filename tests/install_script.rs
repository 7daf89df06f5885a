//! `install.sh`, with a cargo that has built attest already.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::programs::{make_program, put_binary};
use crate::common::{BINARY, Printed, TestContext};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../install.sh");

/// A context with spaces in its home, whose cargo only says where the program is.
fn context() -> TestContext {
    let mut context = TestContext::with_home("my home");
    let tools = context.folder().join("tools");
    fs::create_dir(&tools).unwrap();
    let cargo = format!(
        "#!/bin/sh\necho \"$*\" >>'{}'\ncase $* in *json*) echo '{{\"executable\":\"{BINARY}\"}}' ;; esac\n",
        context.folder().join("cargo.log").display(),
    );
    make_program(&tools.join("cargo"), &cargo);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", tools.display());
    context.set("PATH", path);
    context
}

fn run(context: &TestContext, args: &[&str]) -> Printed {
    Printed::of(
        context
            .command("sh")
            .arg(SCRIPT)
            .args(args)
            .output()
            .unwrap(),
    )
}

/// What the script has asked of cargo.
fn cargo_log(context: &TestContext) -> String {
    fs::read_to_string(context.folder().join("cargo.log")).unwrap()
}

fn program(context: &TestContext) -> PathBuf {
    context.home().join(".local/bin/attest")
}

fn settings(context: &TestContext) -> PathBuf {
    context.home().join(".claude/settings.json")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn installs_and_uninstalls_without_leftovers() {
    let context = context();
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert!(printed.stdout.contains("is not on the PATH"), "{printed:?}");
    assert_eq!(names(program(&context).parent().unwrap()), ["attest"]);
    assert_eq!(
        fs::read(program(&context)).unwrap(),
        fs::read(BINARY).unwrap()
    );
    let hooks = fs::read_to_string(settings(&context)).unwrap();
    assert!(
        hooks.contains(&format!(
            "\"command\": \"'{}' hook start || true\"",
            program(&context).display()
        )),
        "{hooks}"
    );
    let log = cargo_log(&context);
    assert!(log.contains("build --release --locked -p attest"), "{log}");

    fs::write(context.home().join(".attest/theirs"), "").unwrap();
    let printed = run(&context, &["--uninstall"]).assert_success();
    assert!(
        printed
            .stdout
            .contains(".attest stays; --uninstall --purge removes"),
        "{printed:?}"
    );
    assert!(!program(&context).exists());
    assert!(!settings(&context).exists());
    assert!(!context.home().join(".local").exists());
}

#[test]
fn the_manual_and_the_completions_are_installed() {
    let context = context();
    let printed = run(&context, &["--no-doctor"]).assert_success();
    let share = context.home().join(".local/share");
    for file in [
        "man/man1/attest.1",
        "man/man1/attest-doctor.1",
        "bash-completion/completions/attest",
        "fish/vendor_completions.d/attest.fish",
        "zsh/site-functions/_attest",
    ] {
        assert!(
            fs::metadata(share.join(file)).unwrap().len() > 100,
            "{file}"
        );
    }
    for line in [
        "new session",
        "attest audit",
        "attest log --follow",
        &format!(
            "export PATH=\"{}/.local/bin:$PATH\"",
            context.home().display()
        ),
    ] {
        assert!(printed.stdout.contains(line), "{printed:?}");
    }
    // What somebody else has put there stays.
    fs::write(share.join("man/man1/other.1"), "").unwrap();
    run(&context, &["--uninstall"]).assert_success();
    assert_eq!(names(&share), ["man"]);
    assert_eq!(names(&share.join("man/man1")), ["other.1"]);
}

/// Packs a folder with this program as a release does.
fn archive(context: &TestContext, script: &str) -> PathBuf {
    let folder = context.folder().join("attest-0.0.0-here");
    make_program(&folder.join("attest"), script);
    let archive = context.folder().join("my archive.tar.gz");
    let mut tar = context.command("tar");
    tar.arg("-czf").arg(&archive).arg("attest-0.0.0-here");
    assert!(tar.status().unwrap().success());
    archive
}

#[test]
fn a_program_of_an_archive_needs_no_rust() {
    let mut context = context();
    context.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    context.set("CARGO_HOME", "/nowhere");
    let archive = archive(&context, &format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n"));
    let from = ["--no-doctor", "--from", archive.to_str().unwrap()];
    let printed = run(&context, &from).assert_success();
    assert!(!printed.stdout.contains("building"), "{printed:?}");
    assert!(settings(&context).exists() && program(&context).exists());
    run(&context, &["--uninstall"]).assert_success();
    assert!(!settings(&context).exists());

    let sums = context.folder().join("SHA256SUMS");
    fs::write(&sums, format!("{}  my archive.tar.gz\n", "0".repeat(64))).unwrap();
    let printed = run(&context, &from).assert_failure();
    assert!(printed.stderr.contains("is not what"), "{printed:?}");
    fs::write(&sums, format!("{}  other.tar.gz\n", "0".repeat(64))).unwrap();
    let printed = run(&context, &from).assert_failure();
    assert!(printed.stderr.contains("does not name my archive.tar.gz"));
    assert!(!program(&context).exists());
    let sum = context.command("sha256sum").arg(&archive).output().unwrap();
    let sum = Printed::of(sum).stdout;
    let sum = sum.split_whitespace().next().unwrap();
    fs::write(&sums, format!("{sum}  my archive.tar.gz\n")).unwrap();
    run(&context, &from).assert_success();
}

#[test]
fn an_archive_that_is_of_no_use_is_refused() {
    let context = context();
    let text = context.folder().join("text.tar.gz");
    // The program in it is whole; only the sum at the end says that something is not as it was.
    let whole = archive(&context, &format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n"));
    let mut bytes = fs::read(&whole).unwrap();
    let sum = bytes.len() - 8;
    bytes[sum] ^= 1;
    let damaged = context.folder().join("damaged.tar.gz");
    fs::write(&damaged, bytes).unwrap();
    let of_another = archive(&context, "not a program of this system");
    fs::write(&text, "text").unwrap();
    for (file, why) in [
        (damaged.as_path(), "is damaged, or is not an archive"),
        (of_another.as_path(), "does not run here"),
        (&text, "is not an archive of a release"),
        (Path::new("/nowhere"), "there is no archive /nowhere"),
    ] {
        let printed = run(&context, &["--from", file.to_str().unwrap()]).assert_failure();
        assert!(printed.stderr.contains(why), "{printed:?}");
        assert!(!program(&context).exists());
    }
    let printed = run(&context, &["--static", "--from", "x"]);
    assert_eq!(printed.code, Some(2));
}

#[test]
fn what_doctor_live_runs_is_installed_where_it_is_asked_for() {
    let context = context();
    let tools = context.folder().join("tools");
    let player = tools.join("attest-scripted-host");
    make_program(&player, "#!/bin/sh\n");
    let cargo = fs::read_to_string(tools.join("cargo")).unwrap();
    let names_it = format!(
        "case $* in *json*host*|*host*json*) echo '{{\"executable\":\"{}\"}}' ;; esac\n",
        player.display()
    );
    fs::write(tools.join("cargo"), cargo + &names_it).unwrap();
    let programs = program(&context).parent().unwrap().to_owned();
    let installed = programs.join("attest-scripted-host");
    let printed = run(&context, &["--live", "--dry-run"]).assert_success();
    assert!(
        printed.stdout.contains(installed.to_str().unwrap()),
        "{printed:?}"
    );
    run(&context, &["--live", "--no-doctor"]).assert_success();
    assert_eq!(fs::read(&installed).unwrap(), fs::read(&player).unwrap());
    assert_eq!(
        fs::read(program(&context)).unwrap(),
        fs::read(BINARY).unwrap()
    );
    assert!(cargo_log(&context).contains("-p attest -p attest-scripted-host"));
    run(&context, &["--uninstall"]).assert_success();
    assert!(!programs.exists());
}

#[test]
fn ends_with_doctor_and_what_comes_next() {
    let printed = run(&context(), &[]);
    let (checks, in_force) = printed
        .stdout
        .split_once("in force for the hooks\n")
        .unwrap();
    for check in ["hooks", "binary", "state", "git", "round trip"] {
        assert!(checks.contains(&format!("pass  {check} ")), "{printed:?}");
    }
    let enforcement = in_force
        .lines()
        .find(|line| line.contains("enforcement"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(
        enforcement,
        Some(vec!["enforcement", "off", "default"]),
        "{printed:?}"
    );
    let (_, next) = in_force.split_once("What comes next:\n").unwrap();
    assert!(next.contains("Start a new session"), "{printed:?}");
    assert!(!printed.stdout.contains("next: "), "one list: {printed:?}");
}

/// The last line is that of `attest enforce`, whatever was said before an update.
#[test]
fn the_last_line_says_what_is_in_force() {
    let context = context();
    let last = |printed: &Printed| printed.stdout.lines().last().unwrap().to_owned();
    for (set, is) in [
        (
            &[][..],
            "enforcement is off: nothing is blocked, only reported",
        ),
        (
            &["enforce", "on"],
            "enforcement is on for every type of agent",
        ),
    ] {
        if !set.is_empty() {
            context.attest(set).assert_success();
        }
        let printed = run(&context, &["--no-doctor"]).assert_success();
        assert_eq!(last(&printed), is);
        let said = context.attest(["enforce"]).assert_success();
        assert_eq!(last(&said), is);
        let offers = printed.stdout.contains("attest enforce on");
        assert_eq!(offers, set.is_empty(), "{printed:?}");
    }
}

#[test]
fn the_program_alone_adds_no_hooks() {
    let context = context();
    let printed = run(&context, &["--no-hooks"]).assert_success();
    assert!(program(&context).exists() && !settings(&context).exists());
    assert!(!context.home().join(".attest").exists());
    let (_, next) = printed.stdout.split_once("What comes next:\n").unwrap();
    for command in ["attest audit", "attest install"] {
        assert!(next.contains(command), "{printed:?}");
    }
    assert!(!next.contains("attest log"), "{printed:?}");
    let printed = run(&context, &["--no-hooks", "--dry-run"]).assert_success();
    assert!(!printed.stdout.contains("SubagentStop"), "{printed:?}");
    run(&context, &["--uninstall"]).assert_success();
    assert!(!program(&context).exists());
}

/// Where nobody can answer, `--yes` does.
#[test]
fn what_attest_has_kept_goes_without_a_terminal() {
    let context = context();
    run(&context, &["--no-doctor"]).assert_success();
    context.attest(["off"]).assert_success();
    let kept = context.home().join(".attest");
    let printed = run(&context, &["--uninstall", "--purge"]).assert_failure();
    assert!(printed.stderr.contains("--yes"), "{printed:?}");
    assert!(kept.exists());
    run(&context, &["--no-doctor"]).assert_success();
    context.attest(["enforce", "on"]).assert_success();
    run(&context, &["--uninstall", "--purge", "--yes"]).assert_success();
    assert!(!kept.exists() && !program(&context).exists());
    for wrong in [&["--yes"][..], &["--uninstall", "--yes"]] {
        assert_eq!(run(&context, wrong).code, Some(2));
    }
}

/// A warning is nothing that went wrong, and what failed is not said to be well.
#[test]
fn it_ends_as_doctor_does() {
    let mut context = context();
    let archive = archive(&context, &format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n"));
    let from = ["--from", archive.to_str().unwrap()];
    let printed = run(&context, &from).assert_success();
    assert!(printed.stdout.contains("warn  host "), "{printed:?}");

    let tools = context.folder().join("without git");
    fs::create_dir(&tools).unwrap();
    for folder in ["/bin", "/usr/bin"] {
        for name in names(Path::new(folder)) {
            let place = tools.join(&name);
            if !name.starts_with("git") && fs::symlink_metadata(&place).is_err() {
                std::os::unix::fs::symlink(Path::new(folder).join(name), place).unwrap();
            }
        }
    }
    context.set("PATH", &tools);
    let printed = run(&context, &from).assert_failure();
    assert!(printed.stdout.contains("FAIL  git "), "{printed:?}");
    assert!(program(&context).exists() && settings(&context).exists());
}

/// `install.sh` of an archive takes what is beside it.
#[test]
fn the_script_of_an_archive_installs_what_is_beside_it() {
    let mut context = context();
    context.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    archive(&context, &format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n"));
    let script = context.folder().join("attest-0.0.0-here/install.sh");
    fs::copy(SCRIPT, &script).unwrap();
    let run = |args: &[&str]| {
        let mut shell = context.command("sh");
        Printed::of(shell.arg(&script).args(args).output().unwrap())
    };
    let printed = run(&["--static"]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    let printed = run(&["--no-doctor"]).assert_success();
    assert!(!printed.stdout.contains("building"), "{printed:?}");
    assert!(program(&context).exists() && settings(&context).exists());
    run(&["--uninstall"]).assert_success();
    assert!(!settings(&context).exists());
}

#[test]
fn another_attest_that_the_shell_would_run_is_named() {
    let mut context = context();
    let tools = context.folder().join("tools");
    let bin = context.home().join(".local/bin");
    let path = |first: &Path, second: &Path| {
        let [first, second] = [first, second].map(Path::display);
        format!("{first}:{second}:/usr/local/bin:/usr/bin:/bin")
    };
    make_program(&tools.join("attest"), "#!/bin/sh\n");
    context.set("PATH", path(&tools, &bin));
    let printed = run(&context, &["--no-doctor"]).assert_success();
    let said = format!("another attest, {}/attest; put", tools.display());
    assert!(printed.stdout.contains(&said), "{printed:?}");
    context.set("PATH", path(&bin, &tools));
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert!(!printed.stdout.contains("another attest"), "{printed:?}");
}

#[test]
fn zsh_is_told_where_its_completions_are() {
    let mut context = context();
    context.set("SHELL", "/usr/bin/zsh");
    let printed = run(&context, &["--no-doctor"]).assert_success();
    let share = context.home().join(".local/share");
    let line = format!("fpath=(\"{}/zsh/site-functions\" $fpath)", share.display());
    assert!(printed.stdout.contains(&line), "{printed:?}");
    context.set("SHELL", "/bin/bash");
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert!(!printed.stdout.contains("fpath"), "{printed:?}");
}

#[test]
fn a_second_run_replaces_the_program() {
    let context = context();
    run(&context, &["--no-doctor"]).assert_success();
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert!(printed.stdout.contains("nothing to change"), "{printed:?}");
    assert!(!printed.stdout.contains("kept what was"), "{printed:?}");
    assert_eq!(
        fs::read(program(&context)).unwrap(),
        fs::read(BINARY).unwrap()
    );
    assert_eq!(names(program(&context).parent().unwrap()), ["attest"]);
}

/// One that was installed before there was a list of what was.
#[test]
fn an_attest_of_an_earlier_script_is_known() {
    let context = context();
    fs::create_dir_all(program(&context).parent().unwrap()).unwrap();
    put_binary(&program(&context));
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert!(!printed.stdout.contains("kept what was"), "{printed:?}");
    fs::remove_dir_all(context.home().join(".local/share")).unwrap();
    run(&context, &["--uninstall"]).assert_success();
    assert!(!program(&context).exists());
}

#[test]
fn what_somebody_else_has_there_is_kept_and_never_run() {
    let context = context();
    let (bin, share) = (
        context.home().join(".local/bin"),
        context.home().join(".local/share"),
    );
    let theirs = "#!/bin/sh\ntouch \"$HOME/was run\"\n";
    for (folder, name) in [(&bin, "attest"), (&share.join("man/man1"), "attest.1")] {
        make_program(&folder.join(name), theirs);
    }
    fs::create_dir_all(share.join("fish")).unwrap();
    // Uninstalling what was never installed leaves it alone.
    let printed = run(&context, &["--uninstall"]).assert_success();
    assert!(printed.stdout.contains("left "), "{printed:?}");
    assert_eq!(fs::read_to_string(bin.join("attest")).unwrap(), theirs);
    let printed = run(&context, &["--no-doctor"]).assert_success();
    assert_eq!(
        printed.stdout.matches("kept what was at").count(),
        2,
        "{printed:?}"
    );
    assert!(!context.home().join("was run").exists());
    // Changed since: it is not what was put there any more.
    let page = share.join("man/man1/attest-gc.1");
    fs::write(&page, "mine").unwrap();
    run(&context, &["--uninstall"]).assert_success();
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    assert!(!bin.join("attest").exists());
    for (folder, name) in [
        (&bin, "attest.before-"),
        (&share.join("man/man1"), "attest.1.before-"),
    ] {
        let names = names(folder);
        let aside = names.iter().find(|it| it.starts_with(name)).unwrap();
        assert_eq!(fs::read_to_string(folder.join(aside)).unwrap(), theirs);
    }
    // That folder was theirs, and is as empty as it was.
    assert!(share.join("fish").is_dir() && !share.join("fish/vendor_completions.d").exists());
}

#[test]
fn a_link_in_the_place_of_the_program_is_kept_and_not_followed() {
    let context = context();
    let bin = context.home().join(".local/bin");
    fs::create_dir_all(&bin).unwrap();
    let theirs = context.folder().join("their attest");
    fs::write(&theirs, "theirs").unwrap();
    std::os::unix::fs::symlink(&theirs, bin.join("attest")).unwrap();
    run(&context, &["--no-doctor"]).assert_success();
    run(&context, &["--uninstall"]).assert_success();
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    let names = names(&bin);
    assert_eq!(names.len(), 1, "{names:?}");
    assert_eq!(fs::read_link(bin.join(&names[0])).unwrap(), theirs);
}

#[test]
fn a_dry_run_changes_nothing() {
    let context = context();
    let printed = run(&context, &["--dry-run"]).assert_success();
    assert!(
        printed.stdout.contains("+    \"SubagentStop\": ["),
        "{printed:?}"
    );
    assert!(
        printed.stdout.contains(program(&context).to_str().unwrap()),
        "{printed:?}"
    );
    assert_eq!(names(context.home()), [""; 0]);
    run(&context, &["--no-doctor"]).assert_success();
    let printed = run(&context, &["--uninstall", "--dry-run"]).assert_success();
    assert!(printed.stdout.contains("would remove"), "{printed:?}");
    assert!(program(&context).exists() && settings(&context).exists());
}

#[test]
fn the_prefix_may_be_relative() {
    let context = context();
    for args in [
        ["--no-doctor", "--prefix", "some where"],
        ["--no-doctor", "--uninstall", "--prefix=some where"],
    ] {
        run(&context, &args).assert_success();
        let installed = context.folder().join("some where/bin/attest").exists();
        assert_eq!(installed, !args.contains(&"--uninstall"));
    }
}

#[test]
fn uninstall_needs_no_installed_program() {
    let context = context();
    run(&context, &["--no-doctor"]).assert_success();
    fs::remove_file(program(&context)).unwrap();
    run(&context, &["--uninstall"]).assert_success();
    assert!(!settings(&context).exists());
}

#[test]
fn a_rustup_of_another_home_is_used() {
    let mut context = context();
    let other = context.folder().join("other home");
    let cargo = other.join(".cargo/bin/cargo");
    fs::create_dir_all(other.join(".rustup")).unwrap();
    let tool = fs::read_to_string(context.folder().join("tools/cargo")).unwrap();
    let check = format!(
        "[ \"$RUSTUP_HOME\" = '{}' ] || exit 1\n",
        other.join(".rustup").display()
    );
    make_program(&cargo, &tool.replacen('\n', &format!("\n{check}"), 1));
    let path = format!("{}:/usr/bin:/bin", cargo.parent().unwrap().display());
    context.set("PATH", path);
    run(&context, &["--no-doctor"]).assert_success();
    context.set("RUSTUP_HOME", "/nowhere");
    let printed = run(&context, &["--no-doctor"]).assert_failure();
    assert!(printed.stderr.contains("does not run"), "{printed:?}");
}

/// Nobody downloads a second Rust to build with.
#[test]
fn the_rust_that_is_there_builds() {
    let context = context();
    let said = |installed: &str| {
        let rustup = format!(
            "case $* in *list) echo '{installed}' ;; default) echo 'stable-of-mine (default)' ;; esac"
        );
        add_tool(&context, "rustup", &rustup);
        add_tool(
            &context,
            "cargo",
            "echo \"with ${RUSTUP_TOOLCHAIN:-that of the project}\" >&2; exit 1",
        );
        run(&context, &["--dry-run"]).assert_failure().stderr
    };
    let stderr = said("stable-of-mine (active, default)");
    assert!(stderr.starts_with("with stable-of-mine\n"), "{stderr}");
    let stderr = said("1.95.0-of-mine\nstable-of-mine (default)");
    assert!(stderr.starts_with("with that of the project\n"), "{stderr}");
}

#[test]
fn what_is_missing_is_named() {
    let mut context = context();
    for (args, code, why) in [
        (&["--prefix"] as &[&str], 2, "--prefix needs a folder"),
        (&["--frob"], 2, "unknown option --frob"),
    ] {
        let printed = run(&context, args);
        assert_eq!(printed.code, Some(code));
        assert!(printed.stderr.contains(why), "{printed:?}");
    }
    fs::create_dir_all(program(&context)).unwrap();
    let printed = run(&context, &[]).assert_failure();
    assert!(printed.stderr.contains("is a folder"), "{printed:?}");
    context.set("CC", "no-such-compiler -O2");
    let printed = run(&context, &[]).assert_failure();
    assert!(
        printed
            .stderr
            .contains("there is no C compiler (no-such-compiler -O2)"),
        "{printed:?}"
    );
    context
        .set("PATH", "/usr/bin:/bin")
        .set("CARGO_HOME", "/nowhere");
    let printed = run(&context, &[]).assert_failure();
    assert!(printed.stderr.contains("there is no cargo"), "{printed:?}");
    context.unset("HOME");
    let printed = run(&context, &[]).assert_failure();
    assert!(
        printed.stderr.contains("there is no home folder"),
        "{printed:?}"
    );
}

/// Puts a program into the folder where the context's cargo is.
fn add_tool(context: &TestContext, name: &str, script: &str) {
    let place = context.folder().join("tools").join(name);
    make_program(&place, &format!("#!/bin/sh\n{script}\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_static_build_asks_for_its_target() {
    let context = context();
    add_tool(&context, "rustc", "echo /nowhere");
    add_tool(&context, "musl-gcc", "exit 0");
    let arguments = ["--static", "--no-doctor"];
    let printed = run(&context, &arguments).assert_failure();
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    for line in [
        format!("error: Rust has no target {target} here"),
        format!("hint: run: rustup target add {target}"),
    ] {
        assert!(printed.stderr.contains(&line), "{printed:?}");
    }
    add_tool(&context, "rustc", "echo /usr/bin");
    run(&context, &arguments).assert_success();
    let log = cargo_log(&context);
    assert!(
        log.contains(&format!("--release --locked -p attest --target {target}")),
        "{log}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_c_library_becomes_part_of_the_program_where_it_can() {
    let context = context();
    let cargo = fs::read_to_string(context.folder().join("tools/cargo")).unwrap();
    let asked = |host: &str, compiler: &str| {
        let says_host = format!("case $* in -vV) echo 'host: {host}' ;; esac");
        add_tool(&context, "cargo", &format!("{cargo}{says_host}"));
        add_tool(&context, "cc", compiler);
        let _ = fs::remove_file(context.folder().join("cargo.log"));
        run(&context, &["--no-doctor"]).assert_success();
        let log = cargo_log(&context);
        log.contains(&format!("--config .cargo/static.toml --target {host}\n"))
    };
    assert!(asked("riscv64gc-unknown-linux-gnu", "exit 0"));
    assert!(!asked("riscv64gc-unknown-linux-gnu", "exit 1"));
    assert!(!asked("x86_64-unknown-linux-musl", "exit 0"));
    assert!(!asked("aarch64-apple-darwin", "exit 0"));
}
