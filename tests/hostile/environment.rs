//! What variables of git name is not run, not written, and not taken for the repository.

use super::canary::{mark, plant_brief};
use super::trial::{FILES, Proof, READERS, Trial, repository, world};
use crate::common::scene::settle;
use crate::common::{TestContext, size};

/// Variables, and a git command that heeds them, where one can be given that needs neither a
/// terminal nor a network. `{program}` leaves a mark, `{programs}` is a folder with programs
/// that have the names of git's commands, `{trace}` is a file that is not there, `{other}` another
/// repository, `{root}` the agent's own.
type Variables = (
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const VARIABLES: &[Variables] = &[
    // Programs.
    (&[("GIT_EXTERNAL_DIFF", "{program}")], &["diff"]),
    (
        &[("GIT_SSH_COMMAND", "{program}")],
        &["ls-remote", "ssh://example.invalid/x"],
    ),
    (
        &[("GIT_SSH", "{program}"), ("GIT_SSH_VARIANT", "simple")],
        &["ls-remote", "ssh://example.invalid/x"],
    ),
    (
        &[("GIT_PROXY_COMMAND", "{program}")],
        &["ls-remote", "git://example.invalid/x"],
    ),
    (
        &[("GIT_ASKPASS", "{program}"), ("SSH_ASKPASS", "{program}")],
        &[],
    ),
    (&[("GIT_PAGER", "{program}"), ("PAGER", "{program}")], &[]),
    (
        &[("GIT_PAGER_IN_USE", "1"), ("LESSOPEN", "|{program} %s")],
        &[],
    ),
    (&[("GIT_EDITOR", "{program}")], &["commit", "--amend"]),
    (
        &[("EDITOR", "{program}"), ("VISUAL", "{program}")],
        &["commit", "--amend"],
    ),
    (
        &[("GIT_SEQUENCE_EDITOR", "{program}")],
        &["rebase", "--autostash", "-i", "--root"],
    ),
    (&[("GIT_EXEC_PATH", "{programs}")], &["mark"]),
    (&[("GIT_TEMPLATE_DIR", "{programs}")], &[]),
    (
        &[
            ("GIT_SHELL_PATH", "{program}"),
            ("GIT_MAN_VIEWER", "{program}"),
        ],
        &[],
    ),
    // Settings.
    (
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
            ("GIT_CONFIG_VALUE_0", "{program}"),
        ],
        &["status"],
    ),
    (
        &[("GIT_CONFIG_PARAMETERS", "'core.fsmonitor={program}'")],
        &["status"],
    ),
    (&[("GIT_CONFIG_GLOBAL", "{settings}")], &["status"]),
    (
        &[
            ("GIT_CONFIG_SYSTEM", "{settings}"),
            ("GIT_CONFIG_NOSYSTEM", "0"),
        ],
        &["status"],
    ),
    (&[("GIT_CONFIG", "{settings}")], &[]),
    // Files that are written.
    (
        &[("GIT_TRACE", "{trace}"), ("GIT_TRACE_SETUP", "{trace}")],
        &["status"],
    ),
    (
        &[
            ("GIT_TRACE_PERFORMANCE", "{trace}"),
            ("GIT_TRACE_REFS", "{trace}"),
        ],
        &["status"],
    ),
    (
        &[
            ("GIT_TRACE_PACK_ACCESS", "{trace}"),
            ("GIT_TRACE_PACKET", "{trace}"),
        ],
        &[],
    ),
    (
        &[
            ("GIT_TRACE_FSMONITOR", "{trace}"),
            ("GIT_TRACE_CURL", "{trace}"),
        ],
        &[],
    ),
    (&[("GIT_TRACE2", "{trace}")], &["status"]),
    (&[("GIT_TRACE2_EVENT", "{trace}")], &["status"]),
    (&[("GIT_TRACE2_PERF", "{trace}")], &["status"]),
    (
        &[
            ("GIT_REDIRECT_STDOUT", "{trace}"),
            ("GIT_REDIRECT_STDERR", "{trace}"),
        ],
        &[],
    ),
    (&[("GIT_OPTIONAL_LOCKS", "1"), ("GIT_FLUSH", "1")], &[]),
    (
        &[("GIT_INDEX_VERSION", "4"), ("GIT_TEST_SPLIT_INDEX", "1")],
        &[],
    ),
    // Other places.
    (&[("GIT_DIR", "{other}/.git")], &[]),
    (
        &[("GIT_DIR", "{other}/.git"), ("GIT_WORK_TREE", "{other}")],
        &[],
    ),
    (&[("GIT_COMMON_DIR", "{other}/.git")], &[]),
    (&[("GIT_INDEX_FILE", "{other}/.git/index")], &[]),
    (&[("GIT_OBJECT_DIRECTORY", "{other}/.git/objects")], &[]),
    (
        &[("GIT_ALTERNATE_OBJECT_DIRECTORIES", "{other}/.git/objects")],
        &[],
    ),
    (&[("GIT_CEILING_DIRECTORIES", "{root}")], &[]),
    (&[("GIT_CEILING_DIRECTORIES", "{root}:{other}:/")], &[]),
    (&[("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1")], &[]),
    (&[("GIT_NAMESPACE", "other"), ("GIT_PREFIX", "src/")], &[]),
    (
        &[
            ("GIT_SHALLOW_FILE", "{trace}"),
            ("GIT_GRAFT_FILE", "{settings}"),
        ],
        &[],
    ),
    (
        &[
            ("GIT_REPLACE_REF_BASE", "refs/heads/"),
            ("GIT_QUARANTINE_PATH", "{other}"),
        ],
        &[],
    ),
    (
        &[("GIT_ATTR_SOURCE", "HEAD"), ("GIT_ATTR_NOSYSTEM", "0")],
        &[],
    ),
    (
        &[("GIT_LITERAL_PATHSPECS", "1"), ("GIT_ICASE_PATHSPECS", "0")],
        &[],
    ),
    (
        &[
            ("GIT_DEFAULT_HASH", "sha256"),
            ("GIT_DEFAULT_REF_FORMAT", "reftable"),
        ],
        &[],
    ),
    (
        &[
            ("GIT_ALLOW_PROTOCOL", "ext:file"),
            ("GIT_PROTOCOL_FROM_USER", "1"),
        ],
        &[],
    ),
    (
        &[("GIT_NO_LAZY_FETCH", "0"), ("GIT_TERMINAL_PROMPT", "1")],
        &[],
    ),
    (
        &[("git_dir", "{other}/.git"), ("Git_Work_Tree", "{other}")],
        &[],
    ),
];

/// What the variables name, filled in.
fn fill(context: &TestContext, name: &str, text: &str) -> String {
    let names = ["program", "programs", "trace", "other", "settings"];
    let text = names.iter().fold(text.to_owned(), |text, name| {
        let place = context.folder().join(name);
        text.replace(&format!("{{{name}}}"), place.to_str().unwrap())
    });
    let root = context.folder().join(name);
    text.replace("{root}", root.to_str().unwrap())
}

fn lay(context: &TestContext) {
    let program = context.folder().join("program");
    plant_brief(context, &program);
    for command in ["config", "rev-parse", "cat-file", "for-each-ref", "mark"] {
        let name = format!("programs/git-{command}");
        plant_brief(context, &context.folder().join(name));
    }
    let settings = format!("[core]\n\tfsmonitor = {}\n", program.display());
    std::fs::write(context.folder().join("settings"), settings).unwrap();
    context.repository("other", FILES);
}

/// All of them, one after the other (one of three if not in `.ci/full`).
fn every_variable(reader: (&str, &[&str])) {
    let mut context = world();
    lay(&context);
    let root = repository(&context, reader);
    settle();
    for (variables, _) in VARIABLES.iter().step_by(size(3, 1)) {
        for (name, value) in *variables {
            let value = fill(&context, reader.0, value);
            context.set(name, value);
        }
        Trial {
            context: &context,
            root: &root,
            name: &format!("{variables:?}"),
            proof: Proof::Certain,
        }
        .run();
        for (name, _) in *variables {
            context.unset(name);
        }
        context.set("GIT_CONFIG_NOSYSTEM", "1");
        context.set("GIT_CONFIG_GLOBAL", "/dev/null");
    }
}

#[test]
fn no_variable_counts_where_attest_reads() {
    every_variable(READERS[0]);
}

#[test]
fn no_variable_counts_where_git_is_asked() {
    every_variable(READERS[1]);
}

/// Whether a variable is one that git would heed: otherwise the tests above show nothing.
#[test]
fn git_itself_heeds_the_variables() {
    let mut harmless = Vec::new();
    for (variables, springs) in VARIABLES.iter().filter(|it| !it.1.is_empty()) {
        let mut context = world();
        lay(&context);
        let root = repository(&context, READERS[0]);
        std::fs::write(root.join("x.bin"), "2").unwrap();
        for (name, value) in *variables {
            let value = fill(&context, READERS[0].0, value);
            context.set(name, value);
        }
        let mut git = context.command("git");
        git.current_dir(&root).args(*springs);
        git.stdin(std::process::Stdio::null());
        git.output().unwrap();
        if !mark(&context).exists() && !context.folder().join("trace").exists() {
            harmless.push(variables);
        }
    }
    assert!(harmless.is_empty(), "{harmless:#?}");
}
