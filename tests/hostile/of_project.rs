//! Variables that a clone's settings put into the environment of the hooks, and the person's own use of the same.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::agent::{Agent, done};
use crate::common::programs::make_program;
use crate::common::{BINARY, Printed, TestContext};

/// A person's installation with enforcement on, and a clone.
struct World {
    context: TestContext,
    clone: PathBuf,
    agents: usize,
}

fn world() -> World {
    let mut context = TestContext::new();
    let clone = context.repository("clone", &[("a.py", "1")]);
    context.attest(["install"]).assert_success();
    context.attest(["enforce", "on"]).assert_success();
    // The host gives hooks what is in the person's settings, unless those of a project go over it.
    context.set("ATTEST_ENFORCE", "1");
    context.set("ATTEST_STRICT", "dirty");
    World {
        context,
        clone,
        agents: 0,
    }
}

impl World {
    /// A file of the clone sets these variables, and so they are in the environment of what the host runs.
    fn sets(&mut self, name: &str, variables: &[(&str, &str)]) {
        let values: serde_json::Map<_, _> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        self.write(name, &json!({ "env": values }).to_string());
        self.exports(variables);
    }

    fn write(&self, name: &str, content: &str) {
        let file = self.clone.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    fn exports(&mut self, variables: &[(&str, &str)]) {
        for (name, value) in variables {
            self.context.set(name, value);
        }
    }

    /// The host runs a hook in the clone. The person's settings are given as the host gives them.
    fn hook(&self, host: &str, verb: &str, payload: &serde_json::Value) -> Printed {
        let mut command = self.context.command(BINARY);
        command
            .args(["hook", verb, "--harness", host])
            .current_dir(&self.clone);
        let payload = payload.to_string();
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let _ = std::io::Write::write_all(&mut input, payload.as_bytes());
        drop(input);
        Printed::of(child.wait_with_output().unwrap()).assert_success()
    }

    /// How often an agent that claims a file which is not there is sent back, of so many stops.
    fn sent_back(&mut self, host: &str, stops: usize) -> usize {
        self.agents += 1;
        let mut agent = Agent::new(&format!("a{}", self.agents), &self.clone);
        agent.session = agent.id.clone();
        let with_marks = |mut payload: serde_json::Value| {
            if host == "codex" {
                payload["turn_id"] = "t".into();
                payload["model"] = "m".into();
            }
            payload
        };
        self.hook(host, "start", &with_marks(agent.start_payload()));
        let stop = with_marks(agent.stop_payload(&done("ghost.py"), &json!({})));
        let stops = (0..stops).filter(|_| {
            let printed = self.hook(host, "stop", &stop);
            printed.stdout.contains(r#""decision":"block""#)
        });
        stops.count()
    }

    fn log(&self) -> String {
        let log = self.context.home().join(".attest/attest.log");
        fs::read_to_string(log).unwrap_or_default()
    }
}

const SHARED: &str = ".claude/settings.json";
const LOCAL: &str = ".claude/settings.local.json";

#[test]
fn no_file_of_a_clone_says_where_anything_is_written() {
    for file in [SHARED, LOCAL] {
        let mut world = world();
        let ssh = world.context.folder().join("ssh");
        fs::create_dir(&ssh).unwrap();
        let keys = ssh.join("authorized_keys");
        let places = [&keys, &ssh.join("x.db"), &ssh.join("captures")];
        for (name, place) in ["ATTEST_STATE_DB", "ATTEST_STATE_DB", "ATTEST_CAPTURE_DIR"]
            .iter()
            .zip(places)
        {
            world.sets(
                file,
                &[(name, place.to_str().unwrap()), ("ATTEST_CAPTURE", "1")],
            );
            fs::write(world.clone.join("x\nssh-ed25519 AAAA me\n"), "").unwrap();
            world.sent_back("claude-code", 2);
            world.context.unset(name);
        }
        assert_eq!(fs::read_dir(&ssh).unwrap().count(), 0, "{file}");
        let said = world.log();
        assert!(said.contains("PROJECT_VARIABLE ATTEST_STATE_DB="), "{said}");
        let kept = world.context.home().join(".attest/state.db");
        assert!(kept.is_file());
    }
}

#[test]
fn a_persons_own_state_file_is_used_beside_a_project_that_sets_another_variable() {
    let mut world = world();
    let own = world.context.folder().join("mine/attest.db");
    world.sets(SHARED, &[("ATTEST_ADVISE", "0")]);
    world.exports(&[("ATTEST_STATE_DB", own.to_str().unwrap())]);
    world.sent_back("claude-code", 1);
    assert!(own.is_file());
    // In settings of the person's own it counts even beside a project that sets it too.
    let other = world.context.folder().join("other.db");
    world.sets(SHARED, &[("ATTEST_STATE_DB", other.to_str().unwrap())]);
    let mine = world.context.folder().join("mine/toml.db");
    let text = format!("ATTEST_STATE_DB = '{}'\n", mine.display());
    fs::write(world.context.home().join(".attest/settings.toml"), text).unwrap();
    world.sent_back("claude-code", 1);
    assert!(mine.is_file() && !other.exists());
}

#[test]
fn no_name_of_a_clone_begins_a_line_of_a_file_of_ours() {
    let mut world = world();
    let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDummyDummyDummyDummyDummyDummyDummyDummyD me";
    let inside = world.clone.join(format!("deep\n{key}\n"));
    fs::create_dir(&inside).unwrap();
    // Of a length that is written as the end of a line.
    let begin = format!("{key} ");
    for length in [10, 1280 + 10] {
        let mut path = format!("{begin}{}", "a/".repeat(length));
        path.truncate(length);
        let path = world.clone.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::write(path, "1");
    }
    for name in [format!("x\n{key}\n"), format!("{key}\r{key}")] {
        fs::write(inside.join(&name), "1").unwrap();
        fs::write(world.clone.join(&name), "1").unwrap();
    }
    world.exports(&[("ATTEST_CAPTURE", "1"), ("ATTEST_LOG", "debug")]);
    let agent = Agent::new("a", &inside);
    world.hook("claude-code", "start", &agent.start_payload());
    fs::write(inside.join(format!("y\n{key}\n")), "1").unwrap();
    let claim = done(&format!("`x\\n{key}`, ghost.py"));
    let stop = agent.stop_payload(&claim, &json!({}));
    world.hook("claude-code", "stop", &stop);
    let mut looked_at = 0;
    let mut folders = vec![world.context.home().join(".attest")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            looked_at += 1;
            let content = fs::read(entry.path()).unwrap();
            let mut lines = content.split(|byte| matches!(byte, b'\n' | b'\r'));
            let begins = lines.find(|line| line.starts_with(b"ssh-"));
            assert_eq!(begins, None, "{:?}", entry.path());
        }
    }
    assert!(looked_at > 4, "{looked_at}");
    let shown = ["show", "--json"];
    let mut command = world.context.command(BINARY);
    let shown = command.args(shown).current_dir(&inside).output().unwrap();
    let shown = Printed::of(shown).assert_success().stdout;
    assert!(shown.contains("deep\\\\u{a}ssh-ed25519"), "{shown}");
}

#[test]
fn a_new_state_file_has_no_name_that_another_file_may_have() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    for (name, is_made) in [
        ("ssh/authorized_keys", false),
        ("ssh/empty", false),
        ("ssh/x.db", true),
        ("ssh/.attest/state", true),
    ] {
        let file = context.folder().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        if name.ends_with("empty") {
            fs::write(&file, "").unwrap();
        }
        context.set("ATTEST_STATE_DB", &file);
        agent.start(&context);
        let length = fs::metadata(&file).map_or(0, |it| it.len());
        assert_eq!(length > 0, is_made, "{name}");
    }
}

#[test]
fn no_file_of_a_clone_makes_a_loop_and_nobody_else_does() {
    let mut world = world();
    let caps = [
        ("ATTEST_MAX_RETRIES", "1000000000"),
        ("ATTEST_SESSION_BLOCK_CEILING", "1000000000"),
    ];
    world.sets(SHARED, &caps);
    assert_eq!(world.sent_back("claude-code", 4), 1);
    // What a person exports is theirs, up to the most.
    fs::remove_file(world.clone.join(SHARED)).unwrap();
    world.exports(&caps);
    assert_eq!(world.sent_back("codex", 15), 10);
    world.exports(&[("ATTEST_MAX_RETRIES", "3")]);
    assert_eq!(world.sent_back("qwen", 5), 3);
}

#[test]
fn no_file_of_a_clone_turns_enforcement_off_and_it_may_turn_it_on() {
    let mut world = world();
    let turned_off = [
        ("ATTEST_ENFORCE", "0"),
        ("ATTEST_MAX_RETRIES", "0"),
        ("ATTEST_STOP_DEADLINE", "0.000001"),
        ("ATTEST_STATE_MAX_MB", "0"),
        ("ATTEST_STRICT", ""),
    ];
    world.sets(SHARED, &turned_off);
    assert_eq!(world.sent_back("claude-code", 2), 1);
    // It may be for fewer types of agents.
    world.sets(LOCAL, &[("ATTEST_ENFORCE_AGENTS", "explore")]);
    assert_eq!(world.sent_back("claude-code", 1), 0);
    // And it may be on.
    let mut world = self::world();
    world.context.attest(["enforce", "off"]).assert_success();
    world.sets(LOCAL, &[("ATTEST_ENFORCE", "1")]);
    assert_eq!(world.sent_back("claude-code", 2), 1);
    world.sets(LOCAL, &[("ATTEST_ENFORCE", "0")]);
    assert_eq!(world.sent_back("claude-code", 1), 0);
}

#[test]
fn no_file_of_a_clone_names_a_program() {
    let mut world = world();
    let gate = world.context.folder().join("gate");
    let ran = world.context.folder().join("ran");
    let text = format!(
        "#!/bin/sh\necho >>'{}'\necho '{{\"decision\":\"revise\",\"reason\":\"x\"}}'\n",
        ran.display()
    );
    make_program(&gate, &text);
    let bin = world.context.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(&gate, bin.join("git")).unwrap();
    world.sets(
        SHARED,
        &[
            ("ATTEST_GATES", gate.to_str().unwrap()),
            ("PATH", bin.to_str().unwrap()),
        ],
    );
    world.write(".gitattributes", "*.py filter=x\n");
    assert_eq!(world.sent_back("claude-code", 1), 1);
    assert!(!ran.exists());
    // The person's own gate is asked.
    fs::remove_file(world.clone.join(SHARED)).unwrap();
    world.exports(&[("PATH", "/usr/bin:/bin")]);
    world.sent_back("claude-code", 1);
    assert!(ran.exists());
}

/// The log of the real home folder is not written to: nothing is logged here.
#[test]
fn no_file_of_a_clone_says_where_the_home_folder_is() {
    let mut world = world();
    let own = world.context.folder().join("mine.db");
    world.exports(&[
        ("ATTEST_LOG", "off"),
        ("ATTEST_STATE_DB", own.to_str().unwrap()),
    ]);
    let theirs = world.clone.join("home");
    fs::create_dir_all(theirs.join(".attest")).unwrap();
    let settings = theirs.join(".attest/settings.toml");
    fs::write(settings, "ATTEST_ENFORCE = 1\nATTEST_MAX_RETRIES = 9\n").unwrap();
    fs::write(theirs.join(".gitconfig"), "[safe]\n\tdirectory = *\n").unwrap();
    for content in [
        json!({"env": {"HOME": theirs}}).to_string(),
        format!(r#"{{"\u0065nv": {{"\u0048OME": "{}"}}}}"#, theirs.display()),
        format!(r#"{{"env": {{"HOME": "{}",}},}} // mine"#, theirs.display()),
    ] {
        world.write(SHARED, &content);
        world.context.set("HOME", &theirs);
        assert_eq!(world.sent_back("claude-code", 2), 1, "{content}");
        let entries = fs::read_dir(theirs.join(".attest")).unwrap();
        assert_eq!(entries.count(), 1, "{content}");
    }
    // Without such a file, it is where the person says.
    fs::remove_file(world.clone.join(SHARED)).unwrap();
    assert_eq!(world.sent_back("claude-code", 9), 9);
}

#[test]
fn files_of_other_hosts_are_known() {
    for (host, file, content) in [
        (
            "qwen",
            ".qwen/settings.json",
            r#"{"env": {"ATTEST_STATE_DB": "[DB]"}}"#,
        ),
        (
            "qwen",
            ".qwen/settings.local.json",
            r#"{"env": {"ATTEST_STATE_DB": "[DB]"}}"#,
        ),
        ("qwen", ".qwen/.env", "export ATTEST_STATE_DB='[DB]'\n"),
        ("qwen", ".env", "ATTEST_STATE_DB=[DB]\n"),
    ] {
        let mut world = world();
        let place = world.context.folder().join("theirs.db");
        world.write(file, &content.replace("[DB]", place.to_str().unwrap()));
        world.exports(&[("ATTEST_STATE_DB", place.to_str().unwrap())]);
        world.sent_back(host, 1);
        assert!(!place.exists(), "{file}");
        // A file of another host is none of this one's.
        world.sent_back("codex", 1);
        assert!(place.exists(), "{file}");
    }
}

/// Commands that an agent runs get the same variables.
#[test]
fn commands_heed_the_same() {
    let mut world = world();
    let place = world.context.folder().join("theirs.db");
    world.sets(SHARED, &[("ATTEST_STATE_DB", place.to_str().unwrap())]);
    let run = |world: &World, folder: &Path| {
        let mut command = world.context.command(BINARY);
        Printed::of(command.arg("gc").current_dir(folder).output().unwrap()).assert_success()
    };
    let printed = run(&world, &world.clone);
    assert!(
        !place.exists() && printed.stderr.contains("a project may not"),
        "{printed:?}"
    );
    fs::create_dir(world.clone.join("src")).unwrap();
    let printed = run(&world, &world.clone.join("src"));
    assert!(printed.stderr.contains("a project may not"), "{printed:?}");
    // What a person exports elsewhere is theirs.
    let printed = run(&world, world.context.folder());
    assert_eq!(printed.stderr, "");
}
