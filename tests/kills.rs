//! Hooks that are killed at any moment: whatever reached the host was counted before.
//!
//! `KILLS=2000` kills more of them.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::agent::{Agent, done};
use crate::common::{TestContext, size};
use rusqlite::Connection;

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("src/b.py", "two\n")];

/// Numbers by chance, the same each time.
struct Chance(u64);

impl Chance {
    /// A number below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

/// How many hooks are killed in each test.
fn kills() -> usize {
    #[expect(clippy::disallowed_methods, reason = "how many are killed")]
    let wanted = std::env::var("KILLS");
    wanted.map_or(size(30, 100), |number| number.parse().unwrap())
}

/// An agent in a session of its own, so that no ceiling lets a liar go.
fn agent(id: &str, repo: &Path) -> Agent {
    Agent {
        session: format!("session of {id}"),
        ..Agent::new(id, repo)
    }
}

/// How often the state file says that an agent was sent back; `None` where it knows no such agent.
fn count(context: &TestContext, agent: &str) -> Option<i64> {
    let state = Connection::open(context.home().join(".attest/state.db")).unwrap();
    let query = "SELECT block_count FROM agents WHERE agent = ?1";
    state.query_row(query, [agent], |row| row.get(0)).ok()
}

fn of_all_sessions(context: &TestContext) -> i64 {
    let state = Connection::open(context.home().join(".attest/state.db")).unwrap();
    let query = "SELECT coalesce(sum(blocks), 0) FROM session_blocks";
    state.query_row(query, [], |row| row.get(0)).unwrap()
}

/// Lets a liar stop, and kills the hook after `time`. Returns what it had printed.
fn killed_stop(context: &TestContext, agent: &Agent, time: Duration) -> String {
    let mut stop = agent.spawn_stop(context, &done("ghost.py"), Stdio::piped());
    thread::sleep(time);
    stop.kill().unwrap();
    String::from_utf8(stop.wait_with_output().unwrap().stdout).unwrap()
}

/// How long a stop that blocks takes here.
fn usual_time(context: &TestContext, repo: &Path) -> Duration {
    let agent = agent("usual", repo);
    agent.start(context);
    let began = Instant::now();
    agent.stop(context, &done("ghost.py")).assert_blocked();
    began.elapsed()
}

#[test]
fn no_block_without_its_count_however_the_hook_is_killed() {
    let kills = kills();
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    // Half of the kills shall be too late, however busy the machine is.
    let mut usual = usual_time(&context, &repo);
    let mut chance = Chance(14);
    let (mut sent, mut lost, mut counts) = (0, 0, 1);
    let mut number = 0;
    // Some have to be killed before the block and some after it, however busy the machine is.
    while number < kills || (sent == 0 || sent == number) && number < 20 * kills {
        let agent = agent(&format!("a{number}"), &repo);
        agent.start(&context);
        let printed = killed_stop(&context, &agent, usual.mul_f64(chance.next() * 2.0));
        let counted = count(&context, &agent.id).unwrap();
        assert!(counted <= 1, "{counted} blocks of one stop");
        if printed.is_empty() {
            lost += counted;
            usual = usual.mul_f64(1.1);
        } else {
            assert_eq!(counted, 1, "a block that was not counted: {printed}");
            sent += 1;
            usual = usual.mul_f64(0.9);
        }
        counts += counted;
        // The next stop of the same agent: the limit counts what was lost, too.
        let next = agent.stop(&context, &done("ghost.py"));
        assert_eq!(next.block().is_none(), counted == 1, "{next:?}");
        counts += i64::from(counted == 0);
        number += 1;
    }
    println!("figure kills {number}");
    println!("figure kills-sent {sent}");
    println!("figure kills-counted-only {lost}");
    assert_eq!(of_all_sessions(&context), counts);
    assert!(sent > 0 && sent < number, "{sent} of {number} were sent");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod call_by_call {
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;

    use serde_json::json;

    use super::{Agent, Duration, FILES, Path, TestContext, agent, count, done, kills};
    use crate::common::BINARY;
    use crate::faults::disk::is_write;
    use crate::faults::tracer::{self, Call, Fault, Run};

    const LIMIT: Duration = Duration::from_secs(30);

    /// A stop hook of a liar, followed call by call. Returns what it printed.
    fn stop(
        context: &TestContext,
        agent: &Agent,
        plan: Option<(Call, Fault)>,
    ) -> std::io::Result<(Run, String)> {
        let (input, output) = (path(context, "payload"), path(context, "stdout"));
        let payload = agent.stop_payload(&done("ghost.py"), &json!({}));
        fs::write(&input, payload.to_string())?;
        let mut command: Command = context.command("sh");
        command
            .args(["-c", tracer::WAIT_AND_BECOME, BINARY, "hook", "stop"])
            .stdin(fs::File::open(input)?)
            .stdout(fs::File::create(&output)?)
            .stderr(fs::File::create(path(context, "stderr"))?);
        context.be_patient(&mut command);
        let run = tracer::run(&mut command, plan, LIMIT)?;
        Ok((run, fs::read_to_string(output)?))
    }

    fn path(context: &TestContext, name: &str) -> PathBuf {
        context.folder().join(name)
    }

    fn started(context: &TestContext, repo: &Path, id: &str) -> Agent {
        let agent = agent(id, repo);
        agent.start(context);
        agent
    }

    /// From the first call that writes on.
    #[attest_needs::needs(trace)]
    #[test]
    fn a_kill_at_any_call_leaves_no_block_without_its_count() {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", FILES);
        let usual = started(&context, &repo, "usual");
        let (run, printed) = stop(&context, &usual, None).unwrap();
        assert!(!printed.is_empty(), "the liar is not blocked");
        let own: Vec<_> = run.calls.iter().filter(|call| call.process == 0).collect();
        let first = own.iter().position(|call| is_write(call.number)).unwrap();
        let step = own[first..].len().div_ceil(kills());
        let (mut killed, mut sent) = (0, 0);
        for (number, call) in own[first..].iter().step_by(step).enumerate() {
            let agent = started(&context, &repo, &format!("a{number}"));
            let (_, printed) = stop(&context, &agent, Some((**call, Fault::Kill))).unwrap();
            let counted = count(&context, &agent.id).unwrap();
            assert!(counted <= 1, "{call:?}");
            assert!(printed.is_empty() || counted == 1, "{call:?}: {printed}");
            killed += 1;
            sent += usize::from(!printed.is_empty());
        }
        println!("figure kills-by-call {killed}");
        println!("figure kills-by-call-sent {sent}");
        assert!(sent > 0 && sent < killed, "{sent} of {killed} were sent");
    }

    /// What a power cut may take is what was written and not yet synced.
    #[attest_needs::needs(trace)]
    #[test]
    fn the_counters_are_on_the_disk_before_the_first_byte() {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", FILES);
        let agent = started(&context, &repo, "a1");
        let (run, printed) = stop(&context, &agent, None).unwrap();
        assert!(!printed.is_empty(), "the liar is not blocked");
        let moment = run.at_output.unwrap();
        let name = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().into_owned();
        let unsynced: Vec<_> = moment.unsynced.iter().map(name).collect();
        // The file of shared memory is made anew after a crash.
        let is_safe = |name: &&String| !name.starts_with("state.db") || name.ends_with("-shm");
        assert!(
            unsynced.iter().all(|name| is_safe(&name)),
            "not on the disk yet: {unsynced:?}"
        );
        let mut synced = moment.synced.iter().map(name);
        assert!(synced.any(|name| name == "state.db-wal"), "{moment:?}");
    }
}
