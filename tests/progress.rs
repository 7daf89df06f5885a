//! Signs that work goes on, at a real terminal.

use std::fs;

use crate::common::player::Player;
use crate::common::{BINARY, TestContext};

const CRITERIA: &str = "\
base_case:
  checklist:
    - {item: quick, check: {type: command, value: 'true'}}
    - {item: slow, check: {type: command, value: 'until [ -e go ]; do sleep 0.02; done'}}
";

#[test]
fn what_is_checked_is_shown_below_what_was_and_goes_when_it_is_done() {
    let context = TestContext::new();
    let folder = context.folder();
    fs::create_dir_all(folder.join(".attest")).unwrap();
    fs::write(folder.join(".attest/criteria.yaml"), CRITERIA).unwrap();
    let mut command = context.command(BINARY);
    command.env("TERM", "xterm");
    command.current_dir(folder).args(["check", "--yes"]);
    let mut player = Player::of(command, 60, 12);

    let screen = player.once("a sign below a result", |screen| {
        screen.contains("slow 0.") && screen.contains("pass ")
    });
    let lines: Vec<_> = screen.lines().collect();
    let [.., result, sign] = lines[..] else {
        panic!("{screen}");
    };
    assert!(result.contains("quick"), "{screen}");
    assert!(sign.contains("slow"), "{screen}");

    fs::write(folder.join("go"), "").unwrap();
    assert!(player.end().success());
    let screen = player.once("the end", |screen| screen.contains("passed:"));
    assert_eq!(screen.matches("slow").count(), 1, "{screen}");
    assert_eq!(screen.matches("quick").count(), 1, "{screen}");
}
