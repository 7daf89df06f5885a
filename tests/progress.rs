//! Signs that work goes on, at a real terminal.

use std::fs;
use std::io::Read as _;

use crate::common::terminal::Terminal;
use crate::common::{BINARY, TestContext};

const CRITERIA: &str = "\
base_case:
  checklist:
    - {item: quick, check: {type: command, value: 'true'}}
    - {item: slow, check: {type: command, value: 'until [ -e go ]; do sleep 0.02; done'}}
";

/// What takes one line away.
const ERASED: &str = "\r\u{1b}[J";

#[test]
fn what_is_checked_is_shown_below_what_was_and_goes_when_it_is_done() {
    let context = TestContext::new();
    let folder = context.folder();
    fs::create_dir_all(folder.join(".attest")).unwrap();
    fs::write(folder.join(".attest/criteria.yaml"), CRITERIA).unwrap();
    let mut command = context.command(BINARY);
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    command.current_dir(folder).args(["check", "--yes"]);
    let terminal = Terminal::of_width(60);
    command.stdin(terminal.end());
    command.stdout(terminal.end()).stderr(terminal.end());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut person = terminal.leave();

    let mut sent = String::new();
    let mut part = [0; 4096];
    // A terminal that no program has any more is an error.
    while let Ok(length @ 1..) = person.read(&mut part) {
        sent.push_str(&String::from_utf8_lossy(&part[..length]));
        // The result of the other is there, and this sign alone below it was drawn again.
        let drawn = sent.rsplit_once(ERASED);
        if drawn.is_some_and(|(_, sign)| sign.contains("slow") && !sign.contains("quick")) {
            fs::write(folder.join("go"), "").unwrap();
        }
    }
    assert!(child.wait().unwrap().success(), "{sent:?}");

    let (before, last) = sent.rsplit_once(ERASED).unwrap();
    let (result, sign) = before.rsplit_once('\n').unwrap();
    assert!(sign.contains("slow"), "{sent:?}");
    assert!(result.contains("quick"), "{sent:?}");
    assert_eq!(last.matches("slow").count(), 1, "{sent:?}");
    assert!(last.contains("passed:"), "{sent:?}");
}
