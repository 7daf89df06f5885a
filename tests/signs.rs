//! What is printed where there is little room, no colour or nothing but ASCII.

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use attest_made_history::{Plan, make};
use jiff::Timestamp;

use crate::common::terminal::Terminal;
use crate::common::{BINARY, Printed, TestContext};

fn context() -> TestContext {
    let context = TestContext::new();
    let state = context.home().join(".attest/state.db");
    make(&state, &Plan::new(&state, 300, Timestamp::now())).unwrap();
    context
}

/// What a terminal of this width shows, and all that is printed without one.
fn at_terminal(context: &TestContext, words: &[&str], width: u16) -> String {
    let terminal = Terminal::of_width(width);
    let mut command = context.command(BINARY);
    command.args(words).stdin(Stdio::null());
    command.stdout(terminal.end()).stderr(terminal.end());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut person: File = terminal.leave();
    let reader = std::thread::spawn(move || {
        let (mut shown, mut part) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = person.read(&mut part) {
            shown.extend_from_slice(&part[..length]);
        }
        String::from_utf8(shown).unwrap().replace("\r\n", "\n")
    });
    child.wait().unwrap();
    reader.join().unwrap()
}

const PRINTED: [&[&str]; 13] = [
    &["log", "-n", "30"],
    &["log", "--all", "--outcome", "mismatch,ok,no-claim"],
    &["agents"],
    &["show"],
    &["explain"],
    &["explain", "no-claim"],
    &["explain", "recheck-missing"],
    &["stats"],
    &["stats", "--by", "repository", "--since", "7d"],
    &["stats", "--format", "markdown"],
    &["doctor"],
    &["claim", "nothing.md"],
    &["verify", "--help"],
];

#[test]
fn a_locale_without_utf_8_gets_ascii() {
    let mut context = context();
    std::fs::write(context.folder().join("nothing.md"), "Well.\n").unwrap();
    let has_others = |context: &TestContext| {
        let printed = PRINTED.map(|words| {
            let Printed { stdout, stderr, .. } = context.attest(words);
            let shown = at_terminal(context, words, 80);
            (words, format!("{stdout}{stderr}{shown}"))
        });
        let others = printed.into_iter().filter(|(_, text)| !text.is_ascii());
        others.collect::<Vec<_>>()
    };
    assert!(
        has_others(&context).len() > 3,
        "the marks are there otherwise"
    );
    for locale in ["C", "POSIX", "en_US.ISO-8859-1"] {
        context.set("LC_ALL", locale);
        assert_eq!(has_others(&context), [], "{locale}");
    }
    let shown = at_terminal(&context, &["log", "--all"], 80);
    assert!(shown.contains(" x ") && shown.contains(" + "), "{shown}");
}

#[test]
fn a_program_reads_the_same_in_every_locale() {
    let mut context = context();
    let words = [
        &["log", "--json"][..],
        &["show", "--json"],
        &["explain", "--list", "--json"],
    ];
    let printed =
        |context: &TestContext| words.map(|it| context.attest(it).assert_success().stdout);
    let usual = printed(&context);
    context.set("LC_ALL", "C");
    assert_eq!(printed(&context), usual);
}

#[test]
fn colours_are_printed_when_they_are_asked_for() {
    let mut context = context();
    context.set("TERM", "xterm");
    let has = |text: &str| text.contains('\u{1b}');
    let piped = |context: &TestContext, words: &[&str]| has(&context.attest(words).stdout);
    assert!(!piped(&context, &["log"]));
    assert!(piped(&context, &["log", "--color", "always"]));
    assert!(piped(&context, &["--color=always", "log"]));
    let error = context.attest(["log", "--color=always", "--since", "soon"]);
    assert!(has(&error.stderr) && error.code == Some(2));
    assert!(!has(&context.attest(["log", "--since", "soon"]).stderr));
    let shown = |context: &TestContext, words: &[&str]| has(&at_terminal(context, words, 80));
    assert!(shown(&context, &["log"]));
    assert!(!shown(&context, &["log", "--color", "never"]));
    assert!(!shown(
        &context,
        &["log", "--color=never", "--since", "soon"]
    ));
    context.set("NO_COLOR", "1");
    assert!(!shown(&context, &["log"]));
    assert!(
        shown(&context, &["log", "--color", "always"]),
        "who asks has more to say"
    );
    context.unset("NO_COLOR").set("CLICOLOR_FORCE", "1");
    assert!(piped(&context, &["log"]));
    assert!(!piped(&context, &["log", "--color", "never"]));
    let wrong = context.attest(["log", "--color", "purple"]);
    assert!(wrong.stderr.contains("always") && wrong.code == Some(2));
}

#[test]
fn a_list_of_every_repository_says_of_which() {
    let context = context();
    for width in [80, 100, 120] {
        let shown = at_terminal(&context, &["log", "--all", "--color", "never"], width);
        let header = shown.lines().next().unwrap();
        assert!(header.contains("REPOSITORY"), "{width}: {shown}");
        for column in ["TIME", "OUTCOME", "ID"] {
            assert!(header.contains(column), "{width}: {header}");
        }
        assert!(shown.contains("mobile-app"), "{shown}");
    }
    // The names of folders stay whole.
    let shown = at_terminal(
        &context,
        &["stats", "--all", "--by", "repository", "--color", "never"],
        80,
    );
    for name in ["mobile-app", "website", "billing", "shop", "tools"] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
}

#[test]
fn a_demonstration_does_not_advise_what_is_done() {
    let context = TestContext::new();
    let end = |context: &TestContext| {
        let printed = context.attest(["demo"]).assert_success().stdout;
        let line = printed.lines().find(|line| line.starts_with("Next:"));
        line.unwrap().to_owned()
    };
    assert!(end(&context).contains("`attest install`"));
    context.attest(["install", "--force"]).assert_success();
    let installed = end(&context);
    assert!(installed.contains("the hooks are installed"), "{installed}");
    assert!(!installed.contains("attest install"), "{installed}");
}
