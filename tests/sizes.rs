//! What is large beyond measure takes neither a hook nor a command beyond its time.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::agent::{Agent, done};
use crate::common::{SOON, TestContext, assert_within};

/// What reading a transcript may take, and as much for a program without optimisation.
const READING: Duration = Duration::from_secs(1);
const ALL_ELSE: Duration = Duration::from_secs(4);
const GIGABYTE: i64 = 1 << 30;

/// A line of a transcript in which a tool writes a file.
fn call(number: usize, path: &str) -> Value {
    let input = json!({ "file_path": path, "content": "x" });
    let block =
        json!({"type": "tool_use", "id": format!("t{number}"), "name": "Write", "input": input});
    json!({"type": "assistant", "message": {"id": format!("m{number}"), "content": [block]}})
}

fn transcript(context: &TestContext, calls: impl Iterator<Item = Value>) -> PathBuf {
    let path = context.folder().join("agent.jsonl");
    let mut file = std::io::BufWriter::new(File::create(&path).unwrap());
    for call in calls {
        writeln!(file, "{call}").unwrap();
    }
    file.flush().unwrap();
    path
}

/// A stop with this transcript has to come to an end within `most`, which lets the agent go or blocks it.
fn stops_within(
    most: Duration,
    context: &TestContext,
    repo: &Path,
    message: Option<&str>,
    transcript: &Path,
) {
    let agent = Agent::new("a1", repo);
    agent.start(context);
    let mut fields = json!({ "agent_transcript_path": transcript });
    if message.is_none() {
        fields["last_assistant_message"] = Value::Null;
    }
    assert_within(most, |_| {
        agent.stop_with(context, message.unwrap_or_default(), &fields);
    });
}

#[test]
fn many_calls_of_one_name_are_read_in_time() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    for folders in [1, 20_000] {
        let calls = (0..20_000)
            .map(|number| call(number, &format!("/nowhere/{}/ghost.py", number % folders)));
        let transcript = transcript(&context, calls);
        let claims: Vec<_> = (0..50)
            .map(|number| format!("src/{number}/ghost.py"))
            .collect();
        let message = done(&format!("ghost.py, {}", claims.join(", ")));
        let most = READING + ALL_ELSE;
        stops_within(most, &context, &repo, Some(&message), &transcript);
    }
}

/// The line is a hole: it costs no disk.
#[test]
fn a_line_without_end_is_read_in_time() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let path = transcript(&context, std::iter::once(call(1, "/x/a.py")));
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{").unwrap();
    file.set_len(8 * GIGABYTE as u64).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    for message in [Some(done("ghost.py")), None] {
        let most = 3 * READING + ALL_ELSE;
        stops_within(most, &context, &repo, message.as_deref(), &path);
    }
    assert_within(ALL_ELSE, |_| {
        context.attest(["agents", "--json"]).assert_success();
    });
}

/// A name of 20 bytes that no object has by its content: nobody looks at that before it is read.
const CIRCLE: [[u8; 20]; 2] = [[0x11; 20], [0x22; 20]];

/// Two objects, each of which is only how it differs from the other one.
fn write_circle(git_dir: &Path) {
    const TRAILER: [u8; 20] = [0x33; 20];
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x02".to_vec();
    let mut offsets = Vec::new();
    for base in [CIRCLE[1], CIRCLE[0]] {
        offsets.push(u32::try_from(pack.len()).unwrap());
        // A difference of four bytes, and the name of what it is from.
        pack.push(0x70 | 4);
        pack.extend(base);
        // One block as it is, of a stream of zlib, with its sum.
        pack.extend([0x78, 0x01, 0x01, 4, 0, 0xfb, 0xff, 1, 1, 1, b'a']);
        pack.extend(adler([1, 1, 1, b'a']).to_be_bytes());
    }
    pack.extend(TRAILER);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for byte in 0..=255_u8 {
        let up_to = CIRCLE.iter().filter(|name| name[0] <= byte).count();
        index.extend(u32::try_from(up_to).unwrap().to_be_bytes());
    }
    index.extend(CIRCLE.concat());
    index.extend([0; 8]);
    index.extend(offsets.iter().flat_map(|offset| offset.to_be_bytes()));
    index.extend(TRAILER);
    index.extend([0; 20]);
    let name = "objects/pack/pack-4444444444444444444444444444444444444444";
    fs::write(git_dir.join(format!("{name}.pack")), pack).unwrap();
    fs::write(git_dir.join(format!("{name}.idx")), index).unwrap();
}

fn adler(bytes: [u8; 4]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low += u32::from(byte);
        high += low;
    }
    high << 16 | low
}

/// libgit2 looks for the beginning of the circle, and for no deadline.
#[test]
fn objects_that_differ_from_each_other_in_a_circle_end_a_command_in_time() {
    let mut context = TestContext::enforcing();
    // A command may take six times as long.
    context.set("ATTEST_STOP_DEADLINE", "0.17");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let before = context
        .attest(["snapshot", "--repo", "repo"])
        .assert_success();
    fs::write(context.folder().join("before.json"), before.stdout).unwrap();
    fs::write(context.folder().join("claim.md"), done("ghost.py")).unwrap();
    write_circle(&repo.join(".git"));
    fs::write(
        repo.join(".git/refs/heads/main"),
        format!("{}\n", "11".repeat(20)),
    )
    .unwrap();
    let verify = [
        "verify",
        "--repo",
        "repo",
        "--before",
        "before.json",
        "--claim-file",
        "claim.md",
    ];
    for command in [&["snapshot", "--repo", "repo"][..], &verify] {
        let began = Instant::now();
        let printed = context.attest(command).assert_failure();
        assert!(began.elapsed() < SOON, "{printed:?}");
        assert_eq!(printed.stdout, "");
        let error: Value = serde_json::from_str(&printed.stderr).unwrap();
        assert!(error["error"].is_string(), "{printed:?}");
    }
}
