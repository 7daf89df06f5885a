//! A repository of somebody else, and what declares it safe.

use std::fs;
use std::path::Path;

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop, done};
use crate::common::scene::settle;

/// Gives something away, which only root may.
fn chown(context: &TestContext, owner: &str, place: &Path) {
    let mut chown = context.command("chown");
    let done = chown.args(["-hR", owner]).arg(place).status().unwrap();
    assert!(done.success());
}

fn lie(context: &TestContext, id: &str, root: &Path) -> Stop {
    settle();
    let liar = Agent::new(id, root);
    liar.start(context);
    liar.stop(context, &done("ghost.py"))
}

#[attest_needs::needs(root)]
#[test]
fn a_repository_of_somebody_else_is_not_read() {
    // The work tree, the folder of the repository, or the file that names it.
    for part in ["", ".git", "elsewhere"] {
        let context = TestContext::enforcing();
        let root = context.repository("repo", &[("a.py", "1")]);
        let place = if part == "elsewhere" {
            fs::rename(root.join(".git"), context.folder().join("moved")).unwrap();
            fs::write(root.join(".git"), "gitdir: ../moved\n").unwrap();
            root.join(".git")
        } else {
            root.join(part)
        };
        lie(&context, "own", &root).assert_blocked();
        chown(&context, "65534", &place);
        lie(&context, "foreign", &root).assert_allowed("belongs to user 65534");
    }
}

#[attest_needs::needs(root)]
#[test]
fn only_the_person_and_the_system_declare_one_safe() {
    let mut context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    let global = context.folder().join("home/.gitconfig");
    context.git(&root, &["config", "--add", "safe.directory", "*"]);
    chown(&context, "65534", &root);
    context.unset("GIT_CONFIG_GLOBAL");
    let path = attest_snapshot::canonical(&root).unwrap();
    let above = path.parent().unwrap();
    let [path, above] = [path.to_str().unwrap(), above.to_str().unwrap()];
    let prefix = format!("%(prefix)/{path}");
    for (number, (text, is_safe)) in [
        (String::new(), false),
        (format!("directory = {path}\n"), true),
        (format!("directory = {above}/*\n"), true),
        (format!("directory = {path}/*\n"), false),
        ("directory = *\n".to_owned(), true),
        ("directory = *\ndirectory =\n".to_owned(), false),
        (
            format!("directory = *\ndirectory =\ndirectory = {path}\n"),
            true,
        ),
        (format!("directory = /nowhere\ndirectory = {path}/\n"), true),
        ("directory = .\n".to_owned(), false),
        (format!("directory = {prefix}\n"), true),
        ("directory = %(prefix)/nowhere/*\n".to_owned(), false),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(&global, format!("[safe]\n{text}")).unwrap();
        let stop = lie(&context, &format!("a{number}"), &root);
        assert_eq!(stop.block().is_some(), is_safe, "{text:?}: {stop:#?}");
    }
}

/// Whoever became root by sudo is trusted, and nobody else.
#[attest_needs::needs(root)]
#[test]
fn root_trusts_whom_sudo_names() {
    let mut context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    chown(&context, "1234", &root);
    for (user, is_trusted) in [("1234", true), ("1235", false), ("x", false)] {
        context.set("SUDO_UID", user);
        let stop = lie(&context, user, &root);
        assert_eq!(stop.block().is_some(), is_trusted, "{user}: {stop:#?}");
    }
}
