//! Programs that are named elsewhere than in the configuration of the repository itself: hooks, a
//! work tree's own configuration, repositories within, and those that hold missing objects.

use std::fs;
use std::path::{Path, PathBuf};

use super::canary::{is_sprung, mark, plant, plant_brief};
use super::traps::{Bait, HOOKS};
use super::trial::{FILES, Proof, READERS, Trial, repository, world};
use crate::common::TestContext;
use crate::common::scene::settle;

fn trial(context: &TestContext, name: &str, root: &Path, proof: Proof) {
    settle();
    Trial {
        context,
        root,
        name,
        proof,
    }
    .run();
}

#[test]
fn no_hook_of_a_repository_runs() {
    for reader in READERS {
        let context = world();
        let root = repository(&context, reader);
        for hook in HOOKS {
            plant(&context, &root.join(".git/hooks").join(hook));
        }
        trial(&context, "hooks", &root, Proof::Certain);
        is_sprung(&context, &root, &["commit", "--allow-empty", "-mx"]);
        let ran = fs::read_to_string(mark(&context)).unwrap();
        assert!(ran.contains("pre-commit") && ran.contains("reference-transaction"));
    }
}

#[test]
fn the_configuration_of_one_work_tree_runs_nothing() {
    for reader in READERS {
        let context = world();
        let bait = Bait::lay(&context);
        let root = repository(&context, reader);
        let linked = context.folder().join("linked");
        let add = ["worktree", "add", "--quiet", linked.to_str().unwrap()];
        context.git(&root, &add);
        context.git(&root, &["config", "extensions.worktreeConfig", "true"]);
        for place in [".git", ".git/worktrees/linked"] {
            bait.set_all(&root.join(place).join("config.worktree"));
        }
        trial(&context, "linked", &linked, Proof::Certain);
        trial(&context, "main", &root, Proof::Certain);
        plant_brief(&context, &bait.program);
        is_sprung(&context, &linked, &["status"]);
    }
}

/// A repository within another one, with all that a configuration can name and all hooks.
fn nested(context: &TestContext, bait: &Bait, root: &Path, reader: (&str, &[&str])) {
    let name = format!("inner-{}", reader.0);
    let inner = repository(context, (&name, reader.1));
    let moved = root.join("nested").join(reader.0);
    fs::create_dir_all(moved.parent().unwrap()).unwrap();
    fs::rename(inner, &moved).unwrap();
    bait.set_all(&moved.join(".git/config"));
    for hook in HOOKS {
        plant(context, &moved.join(".git/hooks").join(hook));
    }
}

#[test]
fn no_repository_within_runs_anything() {
    for reader in READERS {
        let context = world();
        let bait = Bait::lay(&context);
        let root = repository(&context, reader);
        for inner in READERS {
            nested(&context, &bait, &root, inner);
        }
        trial(&context, "nested", &root, Proof::Certain);
        let inner = root.join("nested").join(READERS[0].0);
        trial(&context, "in the nested one", &inner, Proof::Certain);
    }
}

#[test]
fn no_submodule_runs_anything() {
    let context = world();
    let bait = Bait::lay(&context);
    context.repository("inner", FILES);
    let root = repository(&context, READERS[0]);
    let inner = context.folder().join("inner");
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.to_str().unwrap(),
        "module",
    ];
    context.git(&root, &add);
    let text = fs::read_to_string(root.join(".gitmodules")).unwrap();
    context.git(&root, &["commit", "--quiet", "-mmodule"]);
    let program = bait.program.display();
    let text = format!("{text}\tupdate = !{program}\n[core]\n\tfsmonitor = {program}\n");
    fs::write(root.join(".gitmodules"), text).unwrap();
    let git_dir = root.join(".git/modules/module");
    for hook in HOOKS {
        plant(&context, &git_dir.join("hooks").join(hook));
    }
    bait.set_all(&git_dir.join("config"));
    trial(&context, "module", &root, Proof::Certain);
    trial(
        &context,
        "in the module",
        &root.join("module"),
        Proof::Certain,
    );
    plant_brief(&context, &bait.program);
    is_sprung(&context, &root.join("module"), &["status"]);
}

#[test]
fn no_other_object_store_runs_anything() {
    let context = world();
    let bait = Bait::lay(&context);
    let origin = context.repository("origin", FILES);
    let url = origin.to_str().unwrap();
    let clone = ["clone", "--quiet", "--shared", url, "shared"];
    context.git(context.folder(), &clone);
    let root = context.folder().join("shared");
    for hook in HOOKS {
        plant(&context, &origin.join(".git/hooks").join(hook));
    }
    bait.set_all(&origin.join(".git/config"));
    bait.set_all(&root.join(".git/config"));
    trial(&context, "alternates", &root, Proof::Certain);
}

/// The file of a loose object.
fn file_of(context: &TestContext, root: &Path, object: &str) -> PathBuf {
    let oid = context.git(root, &["rev-parse", object]).stdout;
    let (folder, rest) = oid.trim().split_at(2);
    root.join(".git/objects").join(folder).join(rest)
}

/// Objects that are not there and would be fetched by a program.
#[test]
fn no_missing_object_is_fetched() {
    for reader in READERS {
        for (object, proof) in [
            ("HEAD:x.bin", Proof::Certain),
            ("HEAD:src", Proof::Certain),
            ("HEAD:.gitattributes", Proof::Certain),
            ("HEAD^{tree}", Proof::Impossible),
            ("HEAD", Proof::Impossible),
        ] {
            let context = world();
            let root = repository(&context, reader);
            let missing = file_of(&context, &root, object);
            let program = context.folder().join("program");
            plant_brief(&context, &program);
            for (key, value) in [
                ("core.repositoryFormatVersion", "1"),
                ("extensions.partialClone", "origin"),
                ("remote.origin.promisor", "true"),
                (
                    "remote.origin.url",
                    &format!("ext::{} x", program.display()),
                ),
                ("protocol.allow", "always"),
                ("protocol.ext.allow", "always"),
            ] {
                context.git(&root, &["config", key, value]);
            }
            fs::remove_file(&missing).unwrap();
            let name = format!("{object} is missing in {}", reader.0);
            trial(&context, &name, &root, proof);
            is_sprung(&context, &root, &["cat-file", "-p", object]);
        }
    }
}
