//! `attest log -i`, at a real terminal: what the screen shows after each key, and that the terminal is given back.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use attest_made_history::{Plan, make};
use attest_state::history::Detail;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustix::process::Signal;
use unicode_width::UnicodeWidthStr as _;

use crate::common::TestContext;
use crate::common::player::Player;
use crate::common::recorded::{Recorded, record, state};
use crate::common::terminal::Terminal;
use crate::listings::scene;

const LIST: &[&str] = &["log", "-i"];
/// Keys as a terminal sends them.
const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";
const PAGE_DOWN: &str = "\u{1b}[6~";
const PAGE_UP: &str = "\u{1b}[5~";
const END: &str = "\u{1b}[F";
const HOME: &str = "\u{1b}[H";
const ESCAPE: &str = "\u{1b}";

fn snapshot(name: &str, screen: &str) {
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(format!("interactive_{name}"), screen);
    });
}

#[test]
fn each_key_shows_what_it_says_in_terminals_of_three_widths() {
    let context = scene();
    for width in [40, 80, 120] {
        let name = |what: &str| format!("{what}_{width}");
        let mut player = Player::new(&context, LIST, width, 16);
        snapshot(&name("list"), &player.until("1 of 6"));
        player
            .press(DOWN)
            .press("j")
            .press(DOWN)
            .press("j")
            .press(UP);
        player.until("4 of 6");
        player.press("j").until("5 of 6");
        snapshot(&name("explained"), &{
            player.press("\r");
            player.until("explained")
        });
        player.press(PAGE_DOWN).press("d");
        snapshot(&name("compared"), &player.until("compared"));
        player.press("d").until("explained");
        player.press("q").until("5 of 6");
        player.press("/mismatch").until("/mismatch_");
        player.press("\r");
        snapshot(&name("found"), &player.until("1 of 1"));
        player.press("/ ghost\r").until("no verdict has all");
        player.press(ESCAPE).until("of 6");
        player.press("q");
        assert!(player.end().success());
    }
}

#[test]
fn the_list_fits_a_terminal_of_any_size() {
    let context = scene();
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("1 of 6");
    for (width, height) in [
        (200, 50),
        (60, 8),
        (41, 5),
        (40, 4),
        (39, 3),
        (20, 2),
        (8, 1),
        (1, 1),
        (80, 24),
    ] {
        player.resize(width, height).press(END).press("k");
        player.once("a row", |screen| screen.contains('>'));
        for keys in ["d", "d", "j", "k", "q", "/x", ESCAPE] {
            player.press(keys);
            std::thread::sleep(Duration::from_millis(30));
        }
        for line in player.screen().lines() {
            assert!(line.width() <= width.into(), "{line:?} at {width}");
        }
    }
    player.press(HOME).until("1 of 6");
    player.press("q");
    assert!(player.end().success());
}

#[test]
fn ten_thousand_verdicts_are_moved_in_by_pages() {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1").set("TERM", "xterm");
    let path = context.folder().join("state/state.db");
    context.set("ATTEST_STATE_DB", &path);
    drop(state(&mut context));
    let plan = Plan::new(&path, 10_000, jiff::Timestamp::now());
    make(&path, &plan).unwrap();
    let began = Instant::now();
    let mut player = Player::new(&context, LIST, 100, 30);
    player.until("1 of 10000");
    // It is 60 ms where nothing else runs, and the program is not built for tests.
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    player.press(END).until("10000 of 10000");
    player.press(PAGE_UP).until("9973 of 10000");
    player.press(PAGE_DOWN).until("10000 of 10000");
    player.press("j").press("G").press(HOME).until("1 of 10000");
    let listed = context
        .attest(["log", "--json", "-n", "27"])
        .assert_success()
        .stdout;
    let screen = player.screen();
    let rows: Vec<_> = screen.lines().skip(2).collect();
    for (line, row) in listed.lines().zip(rows) {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = entry["id"].as_str().unwrap();
        assert!(
            row.contains(&id[..8]) || !row.contains("  "),
            "{row:?} is not {id}"
        );
    }
    player
        .press("/blocked explore\r")
        .until("/blocked explore  Stops");
    let screen = player.screen();
    assert!(
        screen.lines().skip(2).any(|row| row.contains("BLOCKED")),
        "{screen}"
    );
    assert!(!screen.contains("MISMATCH"), "{screen}");
    player.press("\u{3}");
    assert!(player.end().success());
}

#[test]
fn the_id_is_copied_by_the_terminal() {
    let context = scene();
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("1 of 6");
    player
        .press("jy")
        .until("asked the terminal to copy 4a1b2c3d4e5f6075");
    let id = BASE64_STANDARD.encode("4a1b2c3d4e5f6075");
    assert!(player.sent().contains(&format!("\u{1b}]52;c;{id}\u{7}")));
    player.press("\rk").press("y");
    player.until("asked the terminal to copy 4a1b2c3d4e5f6075");
    player.press("qq");
    assert!(player.end().success());
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let context = scene();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut player = Player::new(&context, LIST, 80, 24);
        player.until("1 of 6");
        player.signal(signal);
        assert_eq!(player.end().signal(), Some(signal.as_raw()));
    }
}

#[test]
fn a_terminal_that_is_gone_ends_it() {
    let context = scene();
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("1 of 6");
    player.hang_up();
    player.wait();
}

#[test]
fn an_error_is_said_after_the_terminal_is_given_back() {
    let mut context = TestContext::new();
    context.set("NO_COLOR", "1").set("TERM", "xterm");
    let state = state(&mut context);
    for number in ["1", "2"] {
        record(&state, stop(number, "Explore"), &Detail::default());
    }
    let damaged = "UPDATE verdicts SET detail = '{' WHERE id = '2'";
    state.execute(damaged, []).unwrap();
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("1 of 2");
    // One that cannot be read keeps nobody from the others.
    player.press("\r").until("verdict 2 is damaged");
    player.press("j\r").until("explained");
    player.press("q");
    state.execute("DROP TABLE verdicts", []).unwrap();
    player.press("/x\r");
    assert_eq!(player.end().code(), Some(1));
    player.until("cannot read the history");
}

#[test]
fn what_agents_wrote_does_nothing_to_the_terminal() {
    let mut context = TestContext::new();
    context.set("TERM", "xterm-256color");
    let state = state(&mut context);
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}";
    let detail = Detail {
        unreadable: Some(hostile.into()),
        ..Detail::default()
    };
    let hostile = Recorded {
        agent: hostile,
        session: hostile,
        summary: "owned",
        ..stop("1", hostile)
    };
    record(&state, hostile, &detail);
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("1 of 1");
    player.press("d").until("compared");
    player.press("d").until("explained");
    player.press("q/owned\r").until("/owned");
    player.press("qq");
    assert!(player.end().success());
    let sent = player.sent();
    for bad in ["\u{1b}]0;", "\u{1b}[2J", "\u{202e}"] {
        assert!(!sent.contains(bad), "{sent:?}");
    }
}

fn stop<'a>(id: &'a str, kind: &'a str) -> Recorded<'a> {
    Recorded {
        id,
        session: "s",
        agent: "a",
        kind,
        started: "2020-01-02T03:04:05.000000Z",
        at: "2020-01-02T03:04:05.000000Z",
        outcome: "UNVERIFIABLE",
        reason: "ALLOW_DELTA_UNRELIABLE",
        summary: kind,
        repository: "/repo",
        transcript: None,
    }
}

#[test]
fn what_is_not_a_terminal_is_told_what_to_do() {
    let mut context = scene();
    let printed = context.attest(LIST).assert_failure();
    insta::assert_snapshot!(printed.stderr, @r"
    error: this needs a terminal, and standard input is not one
    hint: leave out `-i` for a list that is printed; `--json` is for programs
    ");
    let terminal = Terminal::of_width(80);
    let mut command = context.command(crate::common::BINARY);
    command
        .args(LIST)
        .stdin(terminal.end())
        .stdout(Stdio::piped());
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("standard output is not one"), "{said}");
    for term in ["dumb", ""] {
        context.set("TERM", term);
        let mut player = Player::new(&context, LIST, 80, 24);
        player.until("a terminal that can be drawn on");
        assert_eq!(player.end().code(), Some(1));
    }
}

#[test]
fn an_empty_list_is_said_as_without_it() {
    let mut context = TestContext::new();
    context.set("TERM", "xterm");
    let mut player = Player::new(&context, LIST, 80, 24);
    player.until("no verdict is recorded yet");
    assert!(player.end().success());
    let context = scene();
    let arguments = ["log", "-i", "--agent-type", "nobody"];
    let mut player = Player::new(&context, &arguments, 80, 24);
    player.until("no verdict matches (of 6)");
    assert!(player.end().success());
}
