//! What a stop asks about an absent path: rules in every place where git reads them, other things
//! in place of their files, and how many git processes it takes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::common::agent::{Agent, Stop, done};
use crate::common::programs::make_program;
use crate::common::scene::settle;
use crate::common::{SOON, TestContext};

fn stop_of(context: &TestContext, cwd: &Path, id: &str, files: &str) -> Stop {
    let agent = Agent::new(id, cwd);
    agent.start(context);
    agent.stop(context, &done(files))
}

fn repository(context: &TestContext) -> PathBuf {
    context.repository("repo", &[("a.py", "1"), ("src/b.py", "1")])
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A place of rules: what is set up, and the file.
type Place = (&'static str, fn(&TestContext, &Path) -> PathBuf);

const PLACES: &[Place] = &[
    ("top folder", |_, root| root.join(".gitignore")),
    ("folder", |_, root| root.join("src/.gitignore")),
    ("repository", |_, root| root.join(".git/info/exclude")),
    ("default of the person", |context, _| {
        context.home().join(".config/git/ignore")
    }),
    ("setting with a home folder", |context, _| {
        let config = "[core]\n\texcludesFile = ~/rules\n";
        fs::write(context.home().join(".gitconfig"), config).unwrap();
        context.home().join("rules")
    }),
    ("relative setting", |context, root| {
        context.git(root, &["config", "core.excludesFile", "src/rules"]);
        root.join("src/rules")
    }),
    ("setting of an included file", |context, root| {
        let rules = context.folder().join("rules");
        let included = format!("[core]\n\texcludesFile = {}\n", rules.display());
        fs::write(context.folder().join("included"), included).unwrap();
        context.git(root, &["config", "include.path", "../../included"]);
        rules
    }),
];

/// `src/x.log` is ignored, `src/x.py` beside it is not.
#[test]
fn rules_are_found_wherever_git_reads_them() {
    for (name, place) in PLACES {
        let context = TestContext::enforcing();
        let root = repository(&context);
        write(&place(&context, &root), "*.log\n!src/kept.log\n!kept.log\n");
        if root.join("src/rules").exists()
            || root.join(".gitignore").exists()
            || root.join("src/.gitignore").exists()
        {
            context.git(&root, &["add", "--all"]);
            context.git(&root, &["commit", "--quiet", "--message", "rules"]);
        }
        // From another folder than the top one, on which nothing may depend.
        let stop = stop_of(&context, &root.join("src"), "ignored", "src/x.log");
        assert!(stop.block().is_none(), "{name}: {stop:#?}");
        for ghost in ["src/x.py", "src/kept.log"] {
            let stop = stop_of(&context, &root.join("src"), ghost, ghost);
            assert!(stop.block().is_some(), "{name}: {stop:#?}");
        }
    }
}

/// The folder with the rules is gone, and so is what it held; git asks the index for them.
#[test]
fn rules_of_a_folder_that_is_left_out_are_found_in_the_index() {
    for option in ["--sparse-index", "--no-sparse-index"] {
        let context = TestContext::enforcing();
        let root = context.repository(
            "repo",
            &[
                ("src/a.py", "1"),
                ("lib/.gitignore", "*.o\n"),
                ("lib/c.py", "1"),
            ],
        );
        context.git(&root, &["sparse-checkout", "set", "--cone", option, "src"]);
        let stop = stop_of(&context, &root, "ignored", "lib/x.o");
        assert!(stop.block().is_none(), "{option}: {stop:#?}");
        let stop = stop_of(&context, &root, "tracked", "lib/C.py");
        assert!(stop.block().is_none(), "{option}: {stop:#?}");
        stop_of(&context, &root, "ghost", "lib/x.py").assert_blocked();
    }
}

/// A rule file that only this process may not read might cover the path.
#[test]
fn rules_that_cannot_be_read_are_a_doubt() {
    let context = TestContext::enforcing();
    let root = repository(&context);
    // Root may read everything, but nobody reads a larger file.
    let file = fs::File::create(root.join(".git/info/exclude")).unwrap();
    file.set_len(200 * 1024 * 1024).unwrap();
    let stop = stop_of(&context, &root, "a", "ghost.py");
    assert!(stop.block().is_none(), "{stop:#?}");
}

#[test]
fn something_else_in_place_of_a_rule_file_costs_nothing() {
    let attributes: &[Place] = &[
        ("attributes", |_, root| root.join(".gitattributes")),
        ("attributes of a folder", |_, root| {
            root.join("src/.gitattributes")
        }),
        ("attributes of the repository", |_, root| {
            root.join(".git/info/attributes")
        }),
        ("attributes of the person", |context, _| {
            context.home().join(".config/git/attributes")
        }),
    ];
    std::thread::scope(|scope| {
        for (name, place) in PLACES.iter().chain(attributes) {
            for is_fifo in [true, false] {
                scope.spawn(move || an_odd_file(name, *place, is_fifo));
            }
        }
    });
}

/// Puts a FIFO or a link to an endless device in the place of a file.
fn an_odd_file(name: &str, place: fn(&TestContext, &Path) -> PathBuf, is_fifo: bool) {
    let context = TestContext::enforcing();
    let root = repository(&context);
    let file = place(&context, &root);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    drop(fs::remove_file(&file));
    if is_fifo {
        let made = context.command("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
    } else {
        symlink("/dev/zero", &file).unwrap();
        if file.starts_with(root.join("src")) || file.parent() == Some(&root) {
            // A link in the work tree is work; this one is there before anybody starts.
            let rules = ["-c", "core.excludesFile=", "-c", "core.attributesFile="];
            context.git(&root, &[&rules[..], &["add", "--all"]].concat());
            context.git(&root, &["commit", "--quiet", "--message", "odd"]);
        }
    }
    // Rules that are as young as the start may have been others at the start.
    settle();
    let in_time = |began: Instant| {
        let took = began.elapsed();
        assert!(took < SOON, "{name}, FIFO {is_fifo}: {took:?}");
    };
    let began = Instant::now();
    let honest = Agent::new("honest", &root);
    honest.start(&context);
    fs::write(root.join("src/b.py"), "2").unwrap();
    let stop = honest.stop(&context, &done("src/b.py"));
    stop.assert_allowed("-> OK");
    in_time(began);
    fs::write(root.join("src/b.py"), "1").unwrap();
    let began = Instant::now();
    let stop = stop_of(&context, &root, "liar", "src/ghost.py");
    in_time(began);
    assert!(stop.block().is_some(), "{name}, FIFO {is_fifo}: {stop:#?}");
}

/// Where only git reads the repository, it is not asked to wait.
#[test]
fn git_is_not_left_to_wait_for_a_rule_file() {
    for name in [
        ".gitignore",
        ".gitattributes",
        ".git/info/exclude",
        ".git/info/attributes",
    ] {
        for is_fifo in [true, false] {
            let context = TestContext::enforcing();
            let root = foreign(&context, "--object-format=sha256");
            let file = root.join(name);
            drop(fs::remove_file(&file));
            if is_fifo {
                let made = context.command("mkfifo").arg(&file).status().unwrap();
                assert!(made.success());
            } else {
                symlink("/dev/zero", &file).unwrap();
            }
            let began = Instant::now();
            let stop = stop_of(&context, &root, "a", "src/b.py");
            let took = began.elapsed();
            assert!(stop.block().is_none(), "{name}: {stop:#?}");
            assert!(took < SOON, "{name}, FIFO {is_fifo}: {took:?}");
        }
    }
}

/// A repository that libgit2 does not open.
fn foreign(context: &TestContext, option: &str) -> PathBuf {
    let root = context.folder().join("repo");
    let mut init = context.command("git");
    init.args(["init", "--quiet", option]).arg(&root);
    assert!(init.status().unwrap().success());
    repository(context)
}

/// Puts a `git` first on the PATH that notes each call. Returns the file of notes.
fn count_git(context: &mut TestContext) -> PathBuf {
    let folder = context.folder().join("bin");
    let notes = context.folder().join("notes");
    #[expect(clippy::disallowed_methods, reason = "git has to be found")]
    let path = std::env::var("PATH").unwrap();
    let text = format!(
        "#!/bin/sh\necho \"$*\" >> '{}'\nPATH='{path}' exec git \"$@\"\n",
        notes.display()
    );
    make_program(&folder.join("git"), &text);
    context.set("PATH", format!("{}:{path}", folder.display()));
    notes
}

/// The git processes of one stop that judges so many absent paths, each of several readings.
fn processes(context: &TestContext, root: &Path, notes: &Path, count: usize) -> Vec<String> {
    let files: Vec<String> = (0..count)
        .map(|number| format!("src/ghost{number}.py"))
        .collect();
    // Objects that are as young as the start could be the agent's.
    settle();
    let mut agent = Agent::new(&format!("a{count}"), root);
    // The start of an earlier agent of the same session would be asked for, too.
    agent.session = format!("session-{count}");
    agent.start(context);
    drop(fs::remove_file(notes));
    agent
        .stop(
            context,
            &format!("Status: DONE\nFiles changed:\n- {}\n", files.join("\n- ")),
        )
        .assert_blocked();
    let notes = fs::read_to_string(notes).unwrap_or_default();
    notes.lines().map(ToOwned::to_owned).collect()
}

#[test]
fn a_proof_takes_no_git_process() {
    let mut context = TestContext::enforcing();
    let root = repository(&context);
    let notes = count_git(&mut context);
    for count in [1, 100] {
        let asked = processes(&context, &root, &notes, count);
        assert!(asked.is_empty(), "{asked:#?}");
    }
}

/// If only git reads the repository, each question is one process for all paths.
fn asks_once_for_all_paths(option: &str) {
    let mut context = TestContext::enforcing();
    let root = foreign(&context, option);
    let notes = count_git(&mut context);
    let one = processes(&context, &root, &notes, 1);
    let many = processes(&context, &root, &notes, 100);
    assert_eq!(one.len(), many.len(), "{one:#?} {many:#?}");
    // A list that only git gives is asked of two processes, which have to agree.
    assert!((1..=24).contains(&many.len()), "{many:#?}");
}

#[test]
fn the_number_of_git_processes_does_not_depend_on_the_number_of_paths() {
    asks_once_for_all_paths("--object-format=sha256");
}

#[attest_needs::needs(reftable)]
#[test]
fn nor_does_it_with_refs_in_tables() {
    asks_once_for_all_paths("--ref-format=reftable");
}
