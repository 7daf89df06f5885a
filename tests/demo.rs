//! `attest demo`, in an empty home and without a terminal.

use std::fs;

#[cfg(unix)]
use crate::common::BINARY;
use crate::common::TestContext;
#[cfg(unix)]
use crate::common::terminal::Terminal;

#[test]
fn the_demonstration_shows_an_honest_a_reported_and_a_blocked_agent() {
    let mut context = TestContext::new();
    let temporary = context.folder().join("temporary");
    fs::create_dir(&temporary).unwrap();
    for name in ["TMPDIR", "TMP", "TEMP"] {
        context.set(name, &temporary);
    }
    // What the person has set is not what is shown.
    context.set("ATTEST_MAX_RETRIES", "0");
    let printed = context.attest(["demo"]).assert_success();
    let text = printed.stdout;
    let at = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part:?} in {text}"))
    };
    let honest = at("OBSERVED [a.py] -> OK");
    let reported = at("-> MISMATCH: test_a.py claimed-but-unchanged (would block in enforce mode)");
    let blocked = at("- \"test_a.py\": not on disk, and no change of it was found");
    assert!(honest < reported && reported < blocked, "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert_eq!(printed.stderr, "");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "it cleans up");
    assert_eq!(fs::read_dir(context.home()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn without_git_the_demonstration_says_what_is_missing() {
    let mut context = TestContext::new();
    context.set("PATH", context.folder().join("nothing"));
    let printed = context.attest(["demo"]).assert_failure();
    let said = "error: there is no git on the PATH";
    assert!(printed.stderr.starts_with(said), "{printed:?}");
    assert_eq!(printed.stdout, "");
}

#[cfg(unix)]
#[test]
fn the_demonstration_is_as_wide_as_the_terminal() {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1");
    let terminal = Terminal::of_width(40);
    let mut command = context.command(BINARY);
    let status = command.arg("demo").stdout(terminal.end()).status().unwrap();
    assert!(status.success());
    let shown = terminal.shown();
    assert!(shown.contains("MISMATCH"), "{shown}");
    for line in shown.lines() {
        assert!(line.trim_end().chars().count() <= 40, "{line}\n{shown}");
    }
}
