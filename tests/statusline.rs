//! The line below a host's prompt: what it says, that it never fails, and that a person's own line stays.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use attest_made_history::{Plan, Truth, make};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use crate::common::{BINARY, Printed, TestContext};

/// A history that goes on until now, with agents that are at work.
fn history() -> (TestContext, Truth, PathBuf) {
    let context = TestContext::new();
    let state = context.home().join(".attest/state.db");
    let truth = make(&state, &Plan::new(&state, 3000, Timestamp::now())).unwrap();
    (context, truth, state)
}

/// What the host sends, as its documentation has it.
fn sent(folder: &Path) -> Vec<u8> {
    let sent = json!({
        "hook_event_name": "Status",
        "session_id": "abc123",
        "transcript_path": "/home/me/.claude/projects/x/abc123.jsonl",
        "cwd": folder,
        "model": {"id": "claude-opus-4-1", "display_name": "Opus"},
        "workspace": {"current_dir": folder, "project_dir": folder},
        "version": "1.0.80",
        "output_style": {"name": "default"},
        "cost": {"total_cost_usd": 0.01234, "total_duration_ms": 45000},
    });
    sent.to_string().into_bytes()
}

fn line(context: &TestContext, input: &[u8]) -> String {
    let printed = context
        .attest_with_input(["statusline"], input)
        .assert_success();
    assert_eq!(printed.stderr, "");
    printed.stdout
}

#[test]
fn the_line_has_who_is_at_work_and_what_came_of_today() {
    let (context, truth, _) = history();
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    let midnight = now.start_of_day().unwrap().timestamp();
    let today = truth.stops.iter().filter(|stop| stop.at >= midnight);
    let mut agents = BTreeMap::<_, Vec<_>>::new();
    for stop in today {
        let agent = (&stop.session, &stop.agent, stop.repository);
        let is_judged = stop.claims.iter().any(|(_, is_so)| is_so.is_some());
        let found = (stop.outcome.as_str(), is_judged);
        agents.entry(agent).or_default().push(found);
    }
    let (mut verified, mut mended, mut unjudged, mut false_dones) = (0, 0, 0, 0);
    for stops in agents.values() {
        let outcomes: Vec<_> = stops.iter().map(|(outcome, _)| outcome).collect();
        let is = |outcome: &&str, all: &[&str]| all.contains(outcome);
        let bad = &["MISMATCH", "BLOCKED"][..];
        let good = &["OK", "SCOPE_CREEP"][..];
        let open = &["WARN", "NO_CLAIM"][..];
        let last = outcomes.last().unwrap();
        let mut judged = stops.iter().rev();
        let judged = judged
            .find(|(it, is_judged)| is(it, good) && *is_judged || is(it, bad) || *it == "WARN");
        if outcomes.iter().any(|it| is(it, bad)) {
            let is_mended = is(last, good) || is(last, open);
            mended += u32::from(is_mended);
            false_dones += u32::from(!is_mended);
        } else {
            verified += u32::from(judged.is_some_and(|(it, _)| is(it, good)));
            let is_quiet =
                |(it, is_judged): &(&str, bool)| !is_judged && (is(it, good) || *it == "NO_CLAIM");
            unjudged += u32::from(stops.iter().all(is_quiet));
        }
    }
    let work = truth.at_work.len();
    let mut expected = format!("attest: {work} subagents at work");
    // Shortly after midnight there is nothing yet.
    if verified + mended + unjudged + false_dones > 0 {
        let more = [(mended, "mended"), (unjudged, "with nothing to judge")];
        let more = more.into_iter().filter(|(count, _)| *count > 0);
        let more: Vec<_> = more
            .map(|(count, what)| format!(", {count} {what}"))
            .collect();
        let more = more.concat();
        expected.push_str(&format!(
            ", {verified} verified{more} and {false_dones} false today"
        ));
    }
    assert_eq!(
        line(&context, &sent(context.folder())),
        format!("{expected}\n")
    );
}

/// It writes a path into the state file, where the paths of other systems look otherwise.
#[cfg(unix)]
#[test]
fn the_line_is_of_the_repository_that_the_host_is_in() {
    let (context, _, state) = history();
    let here = context.repository("here", &[("a.txt", "1\n")]);
    assert_eq!(
        line(&context, &sent(&here)),
        "",
        "nothing of it is recorded"
    );
    let common = fs::canonicalize(here.join(".git")).unwrap();
    let common = common.to_str().unwrap().as_bytes();
    let store = rusqlite::Connection::open(state).unwrap();
    let update = "UPDATE runs SET repository = ?1 WHERE agent_id = 'at-work-1'";
    assert_eq!(store.execute(update, [common]).unwrap(), 1);
    assert_eq!(line(&context, &sent(&here)), "attest: 1 subagent at work\n");
    let below = here.join("below");
    fs::create_dir(&below).unwrap();
    assert_eq!(
        line(&context, &sent(&below)),
        "attest: 1 subagent at work\n"
    );
}

#[test]
fn the_line_never_fails_and_says_nothing_without_a_reason() {
    let context = TestContext::new();
    for input in [
        &b""[..],
        b"{}",
        b"[]",
        b"not json",
        b"{\"cwd\":7}",
        &[0xff; 3000],
    ] {
        assert_eq!(line(&context, input), "");
    }
    assert_eq!(
        fs::read_dir(context.home()).unwrap().count(),
        0,
        "looking makes nothing"
    );
    let folder = context.home().join(".attest");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("state.db"), "damaged").unwrap();
    assert_eq!(line(&context, &sent(&folder)), "");
    let mut homeless = TestContext::new();
    homeless.unset("HOME");
    #[cfg(not(windows))]
    assert_eq!(line(&homeless, b"{}"), "");
    // A host that never closes what it sends on.
    let (made, _, _) = history();
    let mut command = made.command(BINARY);
    command
        .arg("statusline")
        .stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let open = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(open);
    assert!(
        Printed::of(output)
            .stdout
            .starts_with("attest: 3 subagents")
    );
}

fn settings(context: &TestContext) -> PathBuf {
    context.home().join(".claude/settings.json")
}

fn read(context: &TestContext) -> Value {
    serde_json::from_str(&fs::read_to_string(settings(context)).unwrap()).unwrap()
}

#[test]
fn the_line_is_shown_and_taken_out_again() {
    let context = TestContext::new();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    fs::create_dir(context.home().join(".claude")).unwrap();
    fs::write(settings(&context), before).unwrap();
    let dry = context
        .attest(["statusline", "on", "--dry-run"])
        .assert_success();
    assert!(dry.stdout.contains("+  \"statusLine\""), "{}", dry.stdout);
    assert_eq!(fs::read_to_string(settings(&context)).unwrap(), before);
    let on = context.attest(["statusline", "on"]).assert_success();
    assert!(on.stdout.contains("backup:"), "{}", on.stdout);
    let line = read(&context)["statusLine"].clone();
    assert_eq!(line["type"], "command");
    let again = context.attest(["statusline", "on"]).assert_success();
    assert!(again.stdout.contains("already"), "{}", again.stdout);
    // As the host runs it.
    #[cfg(unix)]
    {
        let run = line["command"].as_str().unwrap();
        let output = context.command("sh").args(["-c", run]).output().unwrap();
        assert_eq!(Printed::of(output).assert_success().stderr, "");
    }
    context.attest(["statusline", "off"]).assert_success();
    assert_eq!(read(&context), json!({"model": "opus"}));
    let none = context.attest(["statusline", "off"]).assert_success();
    assert!(
        none.stdout.contains("no status line of attest"),
        "{}",
        none.stdout
    );
}

#[test]
fn a_line_of_the_person_stays() {
    let context = TestContext::new();
    let own = "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"~/line.sh\"}\n}\n";
    fs::create_dir(context.home().join(".claude")).unwrap();
    fs::write(settings(&context), own).unwrap();
    let refused = context.attest(["statusline", "on"]).assert_failure();
    assert!(
        refused.stderr.contains("has a status line already"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("hint: it stays"),
        "{}",
        refused.stderr
    );
    context.attest(["statusline", "off"]).assert_success();
    context.attest(["install", "--force"]).assert_success();
    context.attest(["uninstall"]).assert_success();
    assert_eq!(fs::read_to_string(settings(&context)).unwrap(), own);
}

#[test]
fn an_uninstallation_takes_the_line_with_the_hooks() {
    let context = TestContext::new();
    context.attest(["install", "--force"]).assert_success();
    context.attest(["statusline", "on"]).assert_success();
    let removed = context.attest(["uninstall"]).assert_success();
    assert!(
        removed.stdout.contains("removed statusLine"),
        "{}",
        removed.stdout
    );
    assert!(!settings(&context).exists(), "attest had made it");
}

const MARKDOWN: &[&str] = &["stats", "--format", "markdown"];

#[test]
fn markdown_has_the_numbers_and_nothing_of_others_is_read_as_such() {
    let (context, truth, state) = history();
    let week = Timestamp::now()
        .to_zoned(TimeZone::UTC)
        .checked_sub(7.days())
        .unwrap();
    let stops = truth
        .stops
        .iter()
        .filter(|stop| stop.at >= week.timestamp());
    let count = |is: fn(&&attest_made_history::Stop) -> bool| {
        let stops = stops.clone().filter(is);
        let agents = stops.map(|stop| (&stop.session, &stop.agent, stop.repository));
        agents.collect::<std::collections::BTreeSet<_>>().len()
    };
    let (claims, lies) = (count(|stop| stop.is_claim()), count(|stop| stop.is_false()));
    let page = context
        .attest([MARKDOWN, &["--since", "7d"]].concat())
        .assert_success()
        .stdout;
    let expected = format!("**{lies} of {claims} agents with a claim had a false DONE**");
    assert!(page.contains(&expected), "{expected}: {page}");
    for part in [
        "in every repository.",
        "| Type | Agents |",
        "| Repository | Agents |",
        "## False DONEs, the newest first",
        "There are ",
        "(`attest show ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(page.matches("\n- `").count(), 0);
    let store = rusqlite::Connection::open(state).unwrap();
    let odd =
        "UPDATE verdicts SET agent_type = 'a`|<b>' || char(10) || '# c', summary = '**x** `y`'";
    store.execute_batch(odd).unwrap();
    let page = context
        .attest([MARKDOWN, &["--since", "2d"]].concat())
        .assert_success()
        .stdout;
    assert!(page.contains("| ``a`\\|<b>\\u{a}# c`` |"), "{page}");
    assert!(page.contains("`` **x** `y` ``"), "{page}");
    assert!(!page.contains("\n# c"), "{page}");
}

#[test]
fn markdown_of_nothing_says_so() {
    let context = TestContext::new();
    let page = context
        .attest([MARKDOWN, &["--since", "monday"]].concat())
        .assert_success();
    assert!(
        page.stdout.ends_with("No agent has stopped.\n"),
        "{}",
        page.stdout
    );
    let (made, _, _) = history();
    let page = made
        .attest([MARKDOWN, &["--until", "2019-01-01"]].concat())
        .assert_success();
    assert!(
        page.stdout.contains("Up to Tuesday, 1 January 2019"),
        "{}",
        page.stdout
    );
    assert!(page.stdout.ends_with("No agent has stopped.\n"));
}
