//! Honest agents whose work is easy to miss. None of them may ever be blocked, and in each
//! repository a liar still is.

use std::fs;
use std::path::Path;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};
use crate::common::forms::{forms, names, next_forms};
use crate::common::scene::{Scene, settle, write};

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("old.py", "old\n"),
    ("src/b.py", "two\n"),
    (".gitignore", "build/\n*.log\n"),
];

impl Scene {
    /// In which an agent is about to start.
    fn new() -> Self {
        let scene = Self::of(TestContext::enforcing(), FILES);
        settle();
        scene
    }

    /// Starts an agent, lets it work, and checks that its claim is let through, in whatever form. In the
    /// same state of the repository, the one file of a list that nobody made is sent back.
    #[track_caller]
    fn honest(&self, files: &str, work: impl FnOnce(&Self)) {
        self.honest_in(&self.repo, files, work);
    }

    #[track_caller]
    fn honest_in(&self, cwd: &Path, files: &str, work: impl FnOnce(&Self)) {
        self.run(cwd, files, work);
        let liar = Agent::new("liar", cwd);
        self.git("stash --quiet --include-untracked");
        liar.start(&self.context);
        let mut files = vec!["liar-one.py", "liar-two.py"];
        for file in &files {
            write(&cwd.join(file), "made\n");
        }
        for form in next_forms(1) {
            files.insert(form.name.len() % 3, "never-made.py");
            let stop = liar.stop(&self.context, &form.report(cwd, &files));
            let reason = stop.assert_blocked();
            assert!(reason.contains("never-made.py"), "{}: {reason}", form.name);
            assert!(!reason.contains("liar-"), "{}: {reason}", form.name);
        }
    }

    /// The same where the state proves nothing against a liar either.
    #[track_caller]
    fn run(&self, cwd: &Path, files: &str, work: impl FnOnce(&Self)) {
        let agent = Agent::new("honest", cwd);
        agent.start(&self.context);
        work(self);
        let mut reports = vec![done(files)];
        if let Some(names) = names(files).filter(|_| !files.starts_with('/')) {
            reports.extend(next_forms(3).map(|form| form.report(cwd, &names)));
        }
        for report in reports {
            let stop = agent.stop(&self.context, &report);
            assert!(stop.block().is_none(), "{report}\n{stop:#?}");
            assert!(!stop.0.stderr.contains("false DONE"), "{report}\n{stop:#?}");
        }
    }
}

#[test]
fn work_that_was_left_in_the_tree() {
    Scene::new().honest("a.py, new.py, src/deep/c.py", |s| {
        for path in ["a.py", "new.py", "src/deep/c.py"] {
            s.write(path);
        }
    });
    Scene::new().honest("old.py (deleted)", |s| {
        fs::remove_file(s.repo.join("old.py")).unwrap();
    });
    Scene::new().honest("old.py", |s| {
        fs::remove_file(s.repo.join("old.py")).unwrap();
    });
}

#[test]
fn every_form_of_the_corpus() {
    let scene = Scene::new();
    let files = ["a.py", "new.py", "src/deep/c.py", "old.py"];
    let agent = Agent::new("honest", &scene.repo);
    agent.start(&scene.context);
    files[..3].iter().for_each(|file| scene.write(file));
    fs::remove_file(scene.repo.join("old.py")).unwrap();
    for form in forms() {
        let report = form.report(&scene.repo, &files);
        let stop = agent.stop(&scene.context, &report);
        stop.assert_allowed("-> OK");
    }
}

#[test]
fn decorations_empty_forms_and_descriptions() {
    for files in [
        "none",
        "N/A",
        "3 files",
        "src/*.py",
        "https://example.org/x.py",
        "see above",
        "updated the parser",
        "`a.py` (edited), **src/b.py**:12",
        "a.py — now imports ghost.py, other.py",
    ] {
        Scene::new().honest(files, |s| {
            s.write("a.py");
            s.write("src/b.py");
        });
    }
}

#[test]
fn an_example_before_the_claim() {
    let scene = Scene::new();
    let agent = Agent::new("honest", &scene.repo);
    agent.start(&scene.context);
    scene.write("a.py");
    let message = "I followed the template:\n\n```\n## Handoff\nstatus: DONE\nfiles_changed: example.py\n```\n\n\
        > Status: DONE\n> Files changed: quoted.py\n\n## Handoff\nstatus: DONE\nfiles_changed: a.py\n";
    agent.stop(&scene.context, message).assert_allowed("-> OK");
}

#[test]
fn work_that_was_committed() {
    Scene::new().honest("a.py, new.py", |s| {
        s.write("a.py");
        s.write("new.py");
        s.commit();
    });
    Scene::new().honest("old.py", |s| {
        fs::remove_file(s.repo.join("old.py")).unwrap();
        s.commit();
    });
    Scene::new().honest("old.py, renamed.py", |s| {
        s.git("mv old.py renamed.py");
        s.commit();
    });
    // Made and removed again, both in commits.
    Scene::new().honest("passing.py", |s| {
        s.write("passing.py");
        s.commit();
        fs::remove_file(s.repo.join("passing.py")).unwrap();
        s.commit();
    });
}

#[test]
fn work_that_was_renamed_in_the_index() {
    Scene::new().honest("old.py, moved.py", |s| s.git("mv old.py moved.py"));
    Scene::new().honest("old.py -> moved.py", |s| s.git("mv old.py moved.py"));
}

#[test]
fn work_on_another_branch() {
    Scene::new().honest("feature.py", |s| {
        s.git("checkout --quiet -b feature");
        s.write("feature.py");
        s.commit();
        s.git("checkout --quiet main");
    });
    // The branch is gone again.
    Scene::new().run_alone("feature.py", |s| {
        s.git("checkout --quiet -b feature");
        s.write("feature.py");
        s.commit();
        s.git("checkout --quiet main");
        s.git("branch --quiet -D feature");
    });
    Scene::new().honest("feature.py", |s| {
        s.git("checkout --quiet -b feature");
        s.write("feature.py");
        s.commit();
    });
}

#[test]
fn work_that_was_rewritten() {
    Scene::new().honest("gone.py", |s| {
        s.write("gone.py");
        s.commit();
        fs::remove_file(s.repo.join("gone.py")).unwrap();
        s.write("a.py");
        s.git("add --all");
        s.git("commit --quiet --amend --message amended");
    });
    Scene::new().run_alone("gone.py", |s| {
        s.write("gone.py");
        s.commit();
        s.git("reset --quiet --hard HEAD~1");
    });
    let scene = Scene::new();
    scene.write("earlier.py");
    scene.commit();
    scene.honest("earlier.py", |s| s.git("reset --quiet --hard HEAD~1"));
}

#[test]
fn work_that_was_stashed() {
    Scene::new().honest("a.py", |s| {
        s.write("a.py");
        s.git("stash --quiet");
    });
    Scene::new().honest("new.py", |s| {
        s.write("new.py");
        s.git("stash --quiet --include-untracked");
    });
    Scene::new().run_alone("new.py", |s| {
        s.write("new.py");
        s.git("stash --quiet --include-untracked");
        s.git("stash drop --quiet");
    });
}

#[test]
fn work_in_another_worktree() {
    let scene = Scene::new();
    let linked = scene.context.folder().join("linked");
    scene.git(&format!(
        "worktree add --quiet -b side {}",
        linked.display()
    ));
    scene.honest("in-linked.py", |_| write(&linked.join("in-linked.py"), "x"));

    let scene = Scene::new();
    let linked = scene.context.folder().join("linked");
    scene.git(&format!(
        "worktree add --quiet -b side {}",
        linked.display()
    ));
    scene.honest_in(&linked, "in-main.py", |s| s.write("in-main.py"));

    // Made, used, committed to and removed while the agent ran.
    let scene = Scene::new();
    let linked = scene.context.folder().join("linked");
    scene.run(&scene.repo, "in-linked.py", |s| {
        s.git(&format!(
            "worktree add --quiet -b side {}",
            linked.display()
        ));
        write(&linked.join("in-linked.py"), "x");
        s.git_in(&linked, "add --all");
        s.git_in(&linked, "commit --quiet --message side");
        s.git(&format!("worktree remove {}", linked.display()));
        s.git("branch --quiet -D side");
    });

    // A host puts worktrees below the main one.
    let scene = Scene::new();
    let below = scene.repo.join(".claude/worktrees/agent-1");
    scene.git(&format!("worktree add --quiet -b side {}", below.display()));
    let absolute = below.join("x.py");
    scene.run(&scene.repo, absolute.to_str().unwrap(), |_| {
        write(&absolute, "x");
    });
}

#[test]
fn other_spellings_of_a_name() {
    Scene::new().honest("caf\u{e9}.py", |s| s.write("cafe\u{301}.py"));
    Scene::new().honest("SRC/New.py", |s| s.write("src/new.py"));
    Scene::new().honest("src\\new.py", |s| s.write("src/new.py"));
    Scene::new().honest("repo/src/new.py", |s| s.write("src/new.py"));
    Scene::new().honest("`a, b and c.py`", |s| s.write("a, b and c.py"));
    Scene::new().honest("a, b and c.py", |s| s.write("a, b and c.py"));
    Scene::new().honest("app/[id]/page(1).tsx", |s| s.write("app/[id]/page(1).tsx"));
    let scene = Scene::new();
    let absolute = scene.repo.join("src/new.py");
    scene.honest(absolute.to_str().unwrap(), |s| s.write("src/new.py"));
}

#[cfg(unix)]
#[test]
fn names_that_text_cannot_carry() {
    for name in ["two\nlines.py", "tab\there.py", "back`tick.py"] {
        let scene = Scene::new();
        scene.run(&scene.repo, "caf?.py, two lines.py", |s| {
            fs::write(s.repo.join(name), "x").unwrap();
        });
    }
}

#[cfg(unix)]
#[attest_needs::needs(any_name)]
#[test]
fn a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::new();
    scene.run(&scene.repo, "caf?.py, two lines.py", |s| {
        fs::write(s.repo.join(std::ffi::OsStr::from_bytes(b"caf\xe9.py")), "x").unwrap();
    });
}

#[test]
fn relative_to_the_folder_of_the_agent() {
    let scene = Scene::new();
    let cwd = scene.repo.join("src");
    scene.honest_in(&cwd, "new.py", |s| s.write("src/new.py"));
    let scene = Scene::new();
    let cwd = scene.repo.join("src");
    scene.honest_in(&cwd, "../top.py", |s| s.write("top.py"));
}

#[test]
fn what_git_does_not_record() {
    // Ignored, and gone again: nobody can know.
    Scene::new().honest("build/out.bin, trace.log", |s| {
        s.write("build/out.bin");
        fs::remove_file(s.repo.join("build/out.bin")).unwrap();
    });
    // The rules changed while the agent ran.
    Scene::new().honest("was-ignored.tmp", |s| {
        write(&s.repo.join(".gitignore"), "*.tmp\n");
    });
    // The same content again.
    Scene::new().honest("a.py", |s| write(&s.repo.join("a.py"), "one\n"));
    // Outside of the work tree.
    let scene = Scene::new();
    let outside = scene.context.folder().join("elsewhere.py");
    scene.honest(outside.to_str().unwrap(), |_| {});
    // In the git folder.
    Scene::new().honest(".git/hooks/pre-commit, .git/config", |s| {
        write(&s.repo.join(".git/info/x"), "x");
    });
    // Below a repository of its own.
    let scene = Scene::new();
    scene
        .context
        .repository("repo/vendor/inner", &[("x.py", "x")]);
    scene.run(&scene.repo, "vendor/inner/y.py", |_| {});
}

#[cfg(unix)]
#[test]
fn below_a_symbolic_link() {
    let scene = Scene::new();
    let target = scene.context.folder().join("target");
    fs::create_dir(&target).unwrap();
    std::os::unix::fs::symlink(&target, scene.repo.join("link")).unwrap();
    scene.commit();
    scene.honest("link/x.py", |_| {});
}

#[test]
fn a_submodule() {
    let scene = Scene::new();
    let inner = scene.context.repository("inner", &[("x.py", "x")]);
    scene.git(&format!(
        "-c protocol.file.allow=always submodule --quiet add {} module",
        inner.display()
    ));
    scene.commit();
    settle();
    scene.honest("module/y.py, module", |_| {});
    // One that is not checked out.
    let scene = Scene::new();
    scene.git(&format!(
        "-c protocol.file.allow=always submodule --quiet add {} module",
        inner.display()
    ));
    scene.commit();
    scene.git("submodule --quiet deinit --all");
    settle();
    scene.honest("module/y.py", |_| {});
}

#[test]
fn the_right_name_in_the_wrong_folder() {
    Scene::new().honest("lib/new.py", |s| s.write("src/new.py"));
    let scene = Scene::new();
    let linked = scene.context.folder().join("linked");
    scene.git(&format!(
        "worktree add --quiet -b side {}",
        linked.display()
    ));
    scene.honest("lib/new.py", |_| write(&linked.join("src/new.py"), "x"));
}

#[test]
fn work_that_was_packed() {
    let scene = Scene::new();
    scene.run_alone("feature.py", |s| {
        s.git("checkout --quiet -b feature");
        s.write("feature.py");
        s.commit();
        s.git("checkout --quiet main");
        s.git("branch --quiet -D feature");
        s.git("gc --quiet");
    });
}

#[test]
fn a_sparse_checkout() {
    let scene = Scene::new();
    scene.git("sparse-checkout set --no-cone src");
    settle();
    scene.honest("old.py", |_| {});
    let scene = Scene::new();
    scene.git("sparse-checkout set --cone --sparse-index src");
    scene.write("kept/x.py");
    scene.honest("src/b.py", |s| s.write("src/b.py"));
}

#[test]
fn what_was_dirty_before() {
    let mut scene = Scene::new();
    scene.context.set("ATTEST_STRICT", "dirty");
    scene.write("draft.py");
    fs::remove_file(scene.repo.join("old.py")).unwrap();
    // Committed as it was, and known to have been missing.
    scene.run(&scene.repo.clone(), "draft.py, old.py", Scene::commit);
    // Removed from the index before the start: neither tracked nor there, and not the agent's lie.
    let mut scene = Scene::new();
    scene.context.set("ATTEST_STRICT", "dirty");
    scene.git("rm --quiet old.py");
    settle();
    scene.run(&scene.repo, "old.py", |_| {});
}

/// The state file lies in the work tree, and what attest writes there is no change.
#[test]
fn a_home_that_is_a_repository() {
    let context = TestContext::enforcing();
    let home = context.home().to_owned();
    context.git(&home, &["init", "--quiet"]);
    context.git(
        &home,
        &["commit", "--quiet", "--allow-empty", "--message", "start"],
    );
    let first = Agent::new("first", &home);
    first.start(&context);
    first
        .stop(&context, &done("none"))
        .assert_allowed("OBSERVED [(none)] -> OK");
    let liar = Agent::new("liar", &home);
    liar.start(&context);
    liar.stop(&context, &done("never-made.py")).assert_blocked();
}

#[test]
fn a_repository_that_goes_away() {
    let scene = Scene::new();
    scene.run(&scene.repo, "a.py", |s| {
        fs::remove_dir_all(&s.repo).unwrap();
    });
    let scene = Scene::new();
    scene.run(&scene.repo, "a.py, ghost.py", |s| {
        fs::remove_dir_all(s.repo.join(".git")).unwrap();
    });
    // Another one stands in its place.
    let scene = Scene::new();
    scene.run(&scene.repo, "ghost.py", |s| {
        fs::remove_dir_all(s.repo.join(".git")).unwrap();
        s.git("init --quiet --separate-git-dir=../other.git");
    });
}

#[test]
fn a_stop_in_another_repository() {
    let scene = Scene::new();
    let other = scene.context.repository("other", &[("x.py", "x")]);
    let agent = Agent::new("honest", &scene.repo);
    agent.start(&scene.context);
    write(&other.join("made-here.py"), "x");
    let moved = Agent {
        cwd: other,
        ..agent.clone()
    };
    moved
        .stop(&scene.context, &done("made-here.py"))
        .assert_allowed("-> OK");
    let liar = Agent {
        id: "liar".into(),
        ..agent
    };
    liar.start(&scene.context);
    let liar = Agent {
        cwd: moved.cwd,
        ..liar
    };
    liar.stop(&scene.context, &done("never-made.py"))
        .assert_blocked();
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_tree() {
    let scene = Scene::new();
    let pipe = |scene: &Scene, name: &str| {
        let made = scene
            .context
            .command("mkfifo")
            .arg(scene.repo.join(name))
            .status()
            .unwrap();
        assert!(made.success());
    };
    scene.run(&scene.repo, "a.py", |s| {
        fs::remove_file(s.repo.join("a.py")).unwrap();
        pipe(s, "a.py");
        pipe(s, "new-pipe");
    });
}

impl Scene {
    #[track_caller]
    fn run_alone(&self, files: &str, work: impl FnOnce(&Self)) {
        self.run(&self.repo, files, work);
    }
}
