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
    let mended = at("CLAIMED [a.py, test_a.py] OBSERVED [a.py, test_a.py] -> OK");
    assert!(
        honest < reported && reported < blocked && blocked < mended,
        "{text}"
    );
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

/// The picture of the README is what the program prints, without a script.
#[cfg(unix)]
#[test]
fn the_picture_shows_what_the_demonstration_prints() {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1");
    let terminal = Terminal::of_width(60);
    let mut command = context.command(BINARY);
    let status = command.arg("demo").stdout(terminal.end()).status().unwrap();
    assert!(status.success());
    let shown = terminal.shown().replace('\r', "");
    let picture = include_str!("../docs/demo.svg");
    let lines = picture.lines().filter_map(|line| {
        let (_, line) = line.trim().strip_prefix("<text ")?.split_once('>')?;
        let mut text = String::new();
        for part in line.split('<') {
            let text_of_part = part.split_once('>').map_or(part, |(_, text)| text);
            text.push_str(text_of_part);
        }
        Some(
            text.replace("&gt;", ">")
                .replace("&lt;", "<")
                .replace("&amp;", "&"),
        )
    });
    let (shown, _) = shown.split_once("\n\nThe same, with").unwrap();
    let printed = shown.lines().filter(|line| !line.is_empty());
    let expected: Vec<_> = ["$ attest demo"]
        .into_iter()
        .chain(printed)
        .chain(["…"])
        .collect();
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines, expected, "`cargo xtask picture` draws it anew");
    assert!(picture.contains("prefers-color-scheme"));
    assert!(!picture.contains("<script") && !picture.contains("href"));
}
