//! What a person sees.

use std::path::Path;
use std::process::Stdio;

use unicode_width::UnicodeWidthStr as _;

use super::transcript::{Kind, Step};
use crate::common::terminal::Terminal;
use crate::common::{BINARY, TestContext};

/// A home with a report in which files are missing, one of what a program may have made, one in doubt, and one that
/// cannot be looked into.
fn scene() -> TestContext {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1").set("TERM", "xterm");
    // All of it is below the home folder, whose name is then not shown.
    let root = context.repository("home/work", &[("start.py", "x\n")]);
    let keep = |kind: Kind, folder: &Path, session: &str, steps: &[Step]| {
        let prompt = Step::Prompt("go".to_owned());
        let steps: Vec<_> = std::iter::once(prompt)
            .chain(steps.iter().cloned())
            .collect();
        kind.keep(context.home(), folder, session, &steps);
    };
    let said = |report: &str| Step::Say(report.to_owned());
    let lie = "Both are there.\n\nStatus: DONE\nFiles changed:\n- start.py\n\
        - src/資料/parser_test_with_a_long_name.py (new, tests for the parser)\n- other.py\n";
    let write = Step::Write(root.join("start.py"), true);
    keep(Kind::Codex, &root, "session-1", &[write, said(lie)]);
    let made = said("Status: DONE\nFiles changed: made\u{1b}[31m.py, gen.py\n");
    let command = Step::Shell("make generate".to_owned());
    keep(Kind::Copilot, &root, "session-2", &[command, made]);
    let doubt = said("I created `lib/remote.py`.");
    let command = Step::Shell("ssh build ./make.sh".to_owned());
    keep(Kind::Copilot, &root, "session-4", &[command, doubt]);
    let gone = context.home().join("gone/with/a/long/name/of/a/folder");
    let report = said("Status: DONE\nFiles changed: x.py");
    keep(Kind::Droid, &gone, "session-3", &[report]);
    context
}

/// What the terminal shows.
fn shown(context: &TestContext, width: u16, args: &[&str]) -> String {
    let terminal = Terminal::of_width(width);
    let mut command = context.command(BINARY);
    command.arg("audit").args(args);
    command
        .stdin(Stdio::null())
        .stdout(terminal.end())
        .stderr(Stdio::piped());
    let output = command.output().unwrap();
    drop(command);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let text = terminal.shown().replace('\r', "");
    // The names of transcripts have the one of the home folder in them.
    let slug = context.folder().to_str().unwrap().replace('/', "-");
    assert!(!text.contains(&slug), "{text}");
    for line in text.lines() {
        assert!(line.width() <= width.into(), "{width}: {line:?}");
    }
    text
}

#[test]
fn a_page_is_legible_at_any_width() {
    let context = scene();
    for width in [40, 80, 120] {
        for (name, args) in [("audit", &[][..]), ("audit_doubts", &["--doubts"])] {
            let text = shown(&context, width, args);
            insta::with_settings!({
                filters => vec![(r"\d{4}-\d\d-\d\d", "[-DATE-]"), (r"\d\d:\d\d", "[TM]")],
                omit_expression => true,
            }, {
                insta::assert_snapshot!(format!("{name}_{width}"), text);
            });
        }
    }
    for width in (41..130).step_by(7) {
        shown(&context, width, &["--doubts"]);
    }
}

#[test]
fn who_has_the_hooks_is_not_told_to_install_them() {
    let context = TestContext::new();
    let before = context.attest(["audit"]).assert_success().stdout;
    assert!(
        before.ends_with("`attest install` has every report checked when it is made.\n"),
        "{before}"
    );
    context.attest(["install"]).assert_success();
    let after = context.attest(["audit"]).assert_success().stdout;
    assert!(
        after.ends_with("`attest log` has what was found since.\n"),
        "{after}"
    );
}

#[test]
fn what_has_no_snapshot_is_never_called_a_lie() {
    let context = scene();
    let text = shown(&context, 120, &["--doubts"]).to_lowercase();
    for word in [
        "lie", "lying", "lied", "false", "disprove", "mismatch", "block",
    ] {
        let has = text
            .split(|c: char| !c.is_alphabetic())
            .any(|it| it == word);
        assert!(!has, "{word}: {text}");
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let context = TestContext::new();
    let root = context.repository("home/work", &[("parser.py", "x\n")]);
    let report = "Status: DONE\nFiles changed: parser.py, tests/test_parser.py";
    let steps = [
        Step::Prompt("go".to_owned()),
        Step::Write(root.join("parser.py"), true),
        Step::Say(report.to_owned()),
    ];
    Kind::ClaudeSubagent.keep(context.home(), &root, "5f0c2d1e", &steps);
    let printed = context.attest(["audit"]).assert_success().stdout;
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(top.join("README.md")).unwrap();
    let (found, _) = printed.split_once("  ~/.claude").unwrap();
    for line in found.lines() {
        // Numbers and times are those of another day.
        let same = line
            .find(" changed files; 1 names")
            .map_or(line, |at| &line[at..]);
        let same = same
            .find("  general-purpose")
            .map_or(same, |at| &same[at..]);
        assert!(readme.contains(same), "README lacks {same:?}");
    }
    assert!(found.lines().count() > 4, "{printed}");
}
