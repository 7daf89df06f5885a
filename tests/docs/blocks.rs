//! Every command line that a document shows in a block for a shell is run here, or is on a list that
//! says where it is run instead.

use std::fs;
use std::path::Path;

use super::{documents, split, top};
use crate::common::agent::Agent;
use crate::common::programs::put_binary;
use crate::common::{BINARY, Printed, TestContext};

/// What ends in another way than with success in the world of this test, and why.
const ENDS_WITH: &[(&str, i32)] = &[
    // The work tree does not meet the criteria to start from.
    ("attest check", 3),
    // Nobody is there to be asked.
    ("attest uninstall --purge", 1),
];

/// What is run elsewhere.
const ELSEWHERE: &[(&str, &str)] = &[
    ("attest log --follow", "it never ends: tests/cli.rs"),
    ("attest doctor --live", "it needs a host: tests/doctor.rs"),
    (
        "attest log | fzf",
        "it needs a person at a terminal: by hand",
    ),
    ("attest ci", "it needs a branch: tests/ci/workflows.rs"),
    ("./install.sh", "tests/install_script.rs"),
    ("brew ", "tests/formula"),
    ("tar -xzf attest-VERSION", ".ci/archives"),
    ("sh attest-VERSION", ".ci/archives"),
    ("ruby tests/formula/play.rb", ".ci/run"),
    ("cargo fmt", ".ci/run"),
    ("cargo clippy", ".ci/run"),
    ("cargo test", ".ci/run, .ci/claude-code"),
    ("cargo bench", "by hand"),
];

/// The lines of each block for a shell, with the document that it is in.
fn blocks() -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for document in documents() {
        // How fixtures came to be is no instruction.
        if document
            .components()
            .any(|part| part.as_os_str() == "fixtures")
        {
            continue;
        }
        let name = document.display().to_string();
        let text = fs::read_to_string(&document).unwrap();
        for block in split(&text).0 {
            // A script is a file, and has a test of its own.
            let is_script = block.lines.first().is_some_and(|it| it.starts_with("#!"));
            if block.language == "sh" && !is_script {
                all.push((name.clone(), block.lines));
            }
        }
    }
    assert!(all.len() > 15, "only {} blocks", all.len());
    all
}

/// A home with the hooks in it, and a repository with an agent that was judged.
fn world() -> (TestContext, std::path::PathBuf) {
    let mut context = TestContext::new();
    let repository = context.repository("repo", &[("a.py", "1\n")]);
    let tools = context.home().join("tools");
    fs::create_dir(&tools).unwrap();
    put_binary(&tools.join("attest"));
    #[expect(clippy::disallowed_methods, reason = "git has to be found")]
    let path = std::env::var("PATH").unwrap();
    let programs = Path::new(BINARY).parent().unwrap();
    context.set("PATH", format!("{}:{path}", programs.display()));
    context.attest(["install", "--no-ask"]).assert_success();
    let agent = Agent::new("a1", &repository);
    agent.start(&context);
    agent.stop(&context, "Status: DONE\nFiles changed: ghost.py");
    (context, repository)
}

#[cfg(unix)]
#[test]
fn every_line_for_a_shell_is_run_somewhere() {
    let mut count = 0;
    for (document, lines) in blocks() {
        let mut place = None;
        for line in lines {
            let at = format!("{document}: {line}");
            if ELSEWHERE.iter().any(|(known, _)| line.starts_with(known)) {
                continue;
            }
            if let Some(chore) = line.strip_prefix("cargo xtask ") {
                assert!(has_chore(chore), "{at}");
                continue;
            }
            if line.starts_with(".ci/") {
                let program = line.split_whitespace().next().unwrap_or_default();
                assert!(is_executable(&top().join(program)), "{at}");
                continue;
            }
            assert!(line.starts_with("attest "), "nothing runs {at}");
            let (context, repository) = place.get_or_insert_with(world);
            let mut shell = context.command("sh");
            let shell = shell.current_dir(repository).args(["-c", &line]);
            let printed = Printed::of(shell.output().unwrap());
            let known = ENDS_WITH.iter().find(|(known, _)| *known == line);
            let expected = known.map_or(0, |(_, status)| *status);
            assert_eq!(printed.code, Some(expected), "{at}: {printed:#?}");
            count += 1;
        }
    }
    assert!(count > 15, "only {count} lines were run");
}

/// Whether the first word is a chore of the workspace.
fn has_chore(words: &str) -> bool {
    let name = words.split_whitespace().next().unwrap_or_default();
    let chores = fs::read_to_string(top().join("dev/xtask/src/main.rs")).unwrap();
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let variant: String = name.split('-').map(capitalised).collect();
    let module = name.replace('-', "_");
    chores.contains(&format!("    {variant}({module}::"))
        || chores.contains(&format!("    {variant}(reliability::"))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(file).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}
