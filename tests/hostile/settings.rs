//! What the configuration of a repository names is not run, in whatever place it is kept.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::canary::{mark, plant_brief};
use super::traps::{Bait, TRAPS};
use super::trial::{Proof, READERS, Trial, repository, world};
use crate::common::scene::settle;
use crate::common::{TestContext, size};

/// A commit that says that it is signed, so that whoever shows it may ask a program.
fn sign(context: &TestContext, root: &Path) {
    let commit = context.git(root, &["cat-file", "commit", "HEAD"]).stdout;
    let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
    let signed = commit.replacen("\n\n", &format!("\n{signature}"), 1);
    let file = context.folder().join("commit");
    fs::write(&file, signed).unwrap();
    let arguments = ["hash-object", "-w", "-t", "commit", file.to_str().unwrap()];
    let oid = context.git(root, &arguments).stdout;
    context.git(root, &["reset", "--quiet", "--soft", oid.trim()]);
}

/// Every trap alone (one of three if not in `.ci/full`), and all of them at once.
fn every_trap(reader: (&str, &[&str])) {
    let context = world();
    let bait = Bait::lay(&context);
    let root = repository(&context, reader);
    sign(&context, &root);
    settle();
    let config = root.join(".git/config");
    let plain = fs::read(&config).unwrap();
    let trial = |name: &str| {
        let (context, root, proof) = (&context, &*root, Proof::Certain);
        Trial {
            context,
            root,
            name,
            proof,
        }
        .run();
    };
    for trap in TRAPS.iter().step_by(size(3, 1)) {
        fs::write(&config, &plain).unwrap();
        bait.set(&config, trap);
        trial(&format!("{:?}", trap.0));
    }
    fs::write(&config, &plain).unwrap();
    bait.set_all(&config);
    trial("all settings");
}

#[test]
fn no_setting_runs_where_attest_reads() {
    every_trap(READERS[0]);
}

#[test]
fn no_setting_runs_where_git_is_asked() {
    every_trap(READERS[1]);
}

/// Whether a setting is one that git would heed: otherwise the tests above show nothing.
#[test]
fn git_itself_runs_what_the_settings_name() {
    let mut harmless = Vec::new();
    for trap in TRAPS.iter().filter(|(_, springs)| !springs.is_empty()) {
        let context = world();
        let bait = Bait::lay(&context);
        let root = repository(&context, READERS[0]);
        sign(&context, &root);
        plant_brief(&context, &bait.program);
        let config = root.join(".git/config");
        bait.set(&config, trap);
        fs::write(root.join("x.bin"), "2").unwrap();
        drop(fs::remove_file(mark(&context)));
        let input = context.folder().join("input");
        fs::write(&input, "url=https://example.invalid\n\n").unwrap();
        let mut git = context.command("git");
        git.current_dir(&root).args(trap.1);
        git.stdin(fs::File::open(input).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        git.status().unwrap();
        if !mark(&context).exists() {
            harmless.push(trap);
        }
    }
    assert!(harmless.is_empty(), "{harmless:#?}");
}
