//! What people ask when something is wrong: from the README and from `attest explain` each answer is one step away.

use std::fs;
use std::path::Path;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};

/// Each question, and the first thing to type.
const QUESTIONS: [(&str, &str); 10] = [
    (
        "An agent was sent back, and it was right",
        "attest dispute --honest",
    ),
    ("How do I turn it off, now?", "attest off"),
    ("A liar was let go", "attest log"),
    ("Nothing is ever said", "attest status"),
    ("How do I remove it, with its plugin?", "attest uninstall"),
    (
        "How do I report a false accusation?",
        "attest show --redact",
    ),
    ("Two hosts use one repository", "attest stats --by host"),
    ("A machine that several people use", "attest doctor"),
    (
        "It says something that I do not understand",
        "attest explain NO_CLAIM",
    ),
    ("Something else does not work", "attest doctor"),
];

fn top() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page that a document links to under these words.
fn linked(document: &str, words: &str) -> String {
    let text = fs::read_to_string(top().join(document)).unwrap();
    let (_, link) = text.split_once(&format!("[{words}](")).unwrap();
    let page = link.split_once(')').unwrap().0;
    fs::read_to_string(top().join(page)).unwrap()
}

#[test]
fn each_question_is_one_step_from_the_readme() {
    let page = linked("README.md", "ten questions");
    let parts: Vec<_> = page.split("\n## ").skip(1).collect();
    assert_eq!(parts.len(), QUESTIONS.len());
    for ((question, typed), part) in QUESTIONS.iter().zip(parts) {
        let (title, answer) = part.split_once('\n').unwrap();
        assert_eq!(title, *question);
        let answer = answer.trim();
        let first = answer.strip_prefix("```sh\n").unwrap();
        assert_eq!(first.lines().next(), Some(*typed));
        let told = answer.split("```\n").nth(1).unwrap();
        assert!(told.trim().len() > 40, "{question}: {answer}");
    }
}

#[test]
fn each_question_is_one_step_from_explain() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    let explained = context.attest(["explain"]).assert_success().stdout;
    let step = explained.split('`').find(|it| it.ends_with(" questions"));
    let words: Vec<_> = step.unwrap().split(' ').skip(1).collect();
    let said = context.attest(words).assert_success().stdout;
    let mut lines = said.lines();
    for (question, typed) in QUESTIONS {
        assert!(lines.any(|line| line == question), "{question}: {said}");
        assert_eq!(lines.next().map(str::trim), Some(typed), "{said}");
    }
    // From a block to both commands about it there is one step, too.
    for option in ["--honest", "--redact"] {
        let command = explained.split('`').find(|it| it.ends_with(option));
        let words: Vec<_> = command.unwrap().split(' ').skip(1).collect();
        context.attest(words).assert_success();
    }
}

/// What people type of what they have read.
#[test]
fn explain_knows_terms_and_variables() {
    let context = TestContext::new();
    for (typed, says) in [
        (&["false DONE"][..], "false DONE (term)"),
        (&["false-done"], "of which a claim is disproved"),
        (&["verified"], "all of that held when it last was"),
        (&["verdict"], "attest dispute ID"),
        (&["enforce"], "attest enforce off"),
        (&["ATTEST_STRICT"], "ATTEST_STRICT (variable)"),
        (&["attest_max_retries"], "Without it: 1."),
    ] {
        let words = ["explain"].iter().chain(typed);
        let said = context.attest(words).assert_success().stdout;
        assert!(said.contains(says), "{typed:?}: {said}");
        assert!(!said.contains("]("), "{said}");
    }
    let unknown = context
        .attest(["explain", "ATTEST_STRCIT"])
        .assert_failure();
    assert!(unknown.stderr.contains("ATTEST_STRICT"), "{unknown:?}");
}
