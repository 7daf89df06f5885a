//! Places that mount something when they are looked at, devices, and places that nobody but the report names: they are
//! not looked at, whoever names them, and what a report says of them is open. The calls of the system show it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::agent::{Agent, Stop, done};
use crate::common::scene::{Scene, settle, write};
use crate::common::{BINARY, Printed, TestContext};
use crate::places::transcript;

const NOWHERE: [&str; 5] = [
    "/net/far/a.py",
    "//host/share/a.py",
    "/proc/self/fd/0",
    "/dev/shm/attest/a.py",
    "/net/far/../near/a.py",
];

/// A repository in a world in which only the home folder and one for temporary files are the person's.
fn scene() -> Scene {
    let mut context = TestContext::enforcing();
    let temporary = context.folder().join("temporary");
    fs::create_dir(&temporary).unwrap();
    context.set("TMPDIR", &temporary);
    let scene = Scene::of(context, &[("a.py", "1\n")]);
    symlink("/net/far", scene.repo.join("far")).unwrap();
    scene.git("add far");
    scene.git("commit --quiet --message link");
    write(&scene.path("beside/b.py"), "1\n");
    scene
}

/// Runs attest, and says which names it asked the system for, line by line.
fn traced(context: &TestContext, args: &[&str], input: &Value) -> (Printed, String) {
    let (trace, payload) = (
        context.folder().join("trace"),
        context.folder().join("payload"),
    );
    fs::write(&payload, input.to_string()).unwrap();
    let mut command = context.command("strace");
    context.be_patient(&mut command);
    command
        .args(["-f", "-qq", "-y", "-e", "trace=%file", "-o"])
        .arg(&trace);
    command
        .arg(BINARY)
        .args(args)
        .stdin(fs::File::open(&payload).unwrap());
    let printed = Printed::of(command.output().unwrap()).assert_success();
    let trace = fs::read_to_string(trace).unwrap();
    // Behind the name may stand what a link says.
    let names = trace.lines().filter_map(|line| line.split('"').nth(1));
    (printed, names.flat_map(|name| [name, "\n"]).collect())
}

fn stop(scene: &Scene, agent: &Agent, message: &str, fields: &Value) -> (Stop, String) {
    let payload = agent.stop_payload(message, fields);
    let (printed, trace) = traced(&scene.context, &["hook", "stop"], &payload);
    (Stop(printed), trace)
}

#[track_caller]
fn assert_not_looked_at(trace: &str, places: &[&str]) {
    for place in places {
        let line = trace.lines().find(|line| line.starts_with(place));
        assert_eq!(line, None, "{place}");
    }
}

const AWAY: [&str; 5] = ["/net/", "/host/", "//host/", "/proc/self/fd/0", "/dev/shm"];

#[attest_needs::needs(strace)]
#[test]
fn what_a_report_names_elsewhere_is_not_looked_at_and_proves_nothing() {
    let scene = scene();
    let beside = scene.path("beside/b.py");
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    let files = [&NOWHERE[..], &["far/a.py", beside.to_str().unwrap()]].concat();
    let (honest, trace) = stop(&scene, &agent, &done(&files.join(", ")), &json!({}));
    assert_eq!(honest.block(), None);
    assert_not_looked_at(&trace, &AWAY);
    assert_not_looked_at(&trace, &[beside.to_str().unwrap()]);
    let files = [&files[..], &["ghost.py"]].concat();
    let (liar, trace) = stop(&scene, &agent, &done(&files.join(", ")), &json!({}));
    let reason = liar.assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("b.py"),
        "{reason}"
    );
    assert_not_looked_at(&trace, &AWAY);
}

#[attest_needs::needs(strace)]
#[test]
fn where_a_call_says_that_it_wrote_is_looked_at() {
    let scene = scene();
    let beside = scene.path("beside/b.py");
    let beside = beside.to_str().unwrap();
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    write(Path::new(beside), "2\n");
    let message = done(&format!("{beside}, /net/far/a.py"));
    let write = |path: &str| ("Write", json!({"file_path": path, "content": "2\n"}));
    let path = transcript(&scene, &[write(beside), write("/net/far/a.py")], &message);
    let fields = json!({"agent_transcript_path": path});
    let (honest, trace) = stop(&scene, &agent, &message, &fields);
    assert_eq!(honest.block(), None);
    assert!(trace.contains(beside));
    assert_not_looked_at(&trace, &AWAY);
    // A place that nobody looks at may hold what is claimed.
    let message = done("a.py, ghost.py");
    let path = transcript(&scene, &[write("/net/far/ghost.py")], &message);
    let fields = json!({"agent_transcript_path": path});
    let (doubted, trace) = stop(&scene, &agent, &message, &fields);
    assert_eq!(doubted.block(), None);
    assert_not_looked_at(&trace, &AWAY);
    let path = transcript(&scene, &[write(beside)], &message);
    let fields = json!({"agent_transcript_path": path});
    let (liar, _) = stop(&scene, &agent, &message, &fields);
    assert!(liar.assert_blocked().contains("ghost.py"));
}

#[attest_needs::needs(strace)]
#[test]
fn a_folder_elsewhere_is_not_where_an_agent_is_judged() {
    let scene = scene();
    let mut agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    agent.cwd = "/net/far/project".into();
    let (stopped, trace) = stop(&scene, &agent, &done("ghost.py"), &json!({}));
    assert_eq!(stopped.block(), None, "it may have worked there");
    assert_not_looked_at(&trace, &AWAY);
    let mut other = Agent::new("other", Path::new("/net/far/project"));
    let (_, trace) = traced(&scene.context, &["hook", "start"], &other.start_payload());
    assert_not_looked_at(&trace, &AWAY);
    other.cwd.clone_from(&scene.repo);
    let (stopped, _) = stop(&scene, &other, &done("ghost.py"), &json!({}));
    assert_eq!(stopped.block(), None);
}

#[attest_needs::needs(strace)]
#[test]
fn an_audit_does_not_look_there_either() {
    let scene = scene();
    let context = &scene.context;
    let session = |name: &str, folder: &str, files: &str| {
        let lines = [
            json!({"type": "user", "cwd": folder, "sessionId": name, "timestamp": "2026-01-02T03:04:05.000Z",
                "message": {"role": "user", "content": "Do it."}}),
            json!({"type": "assistant", "cwd": folder, "sessionId": name, "timestamp": "2026-01-02T03:04:06.000Z",
                "message": {"role": "assistant", "stop_reason": "end_turn",
                    "content": [{"type": "text", "text": done(files)}]}}),
        ];
        let text = lines.map(|line| format!("{line}\n")).concat();
        write(
            &context
                .home()
                .join(format!(".claude/projects/x/{name}.jsonl")),
            &text,
        );
    };
    let beside = scene.path("beside/b.py");
    let files = [
        &NOWHERE[..],
        &["far/a.py", "ghost.py", beside.to_str().unwrap()],
    ]
    .concat();
    session("one", scene.repo.to_str().unwrap(), &files.join(", "));
    session("two", "/net/far/project", "a.py");
    let args = ["audit", "--json", "--since", "2026-01-01"];
    let (printed, trace) = traced(context, &args, &json!({}));
    assert_not_looked_at(&trace, &AWAY);
    assert_not_looked_at(&trace, &[beside.to_str().unwrap()]);
    assert!(printed.stdout.contains("ghost.py"), "{}", printed.stdout);
    assert!(
        printed.stdout.contains("/net/far/project"),
        "{}",
        printed.stdout
    );
}
