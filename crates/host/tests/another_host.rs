//! A host is one module: everything that is peculiar to it is said here, through the trait, and all
//! the rest is shared.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attest_host::settings::{
    CallForm, Change, HookFile, HookSpec, JsonFile, PersonFile, Places, Program, Rule, Scope,
    Shape, Wanted,
};
use attest_host::{
    AgentTranscript, Executable, Host, Object, Payload, Printable, Profile, SampleAgent, Support,
    Tried, Version, hosts,
};
use attest_transcript::{Block, Event, Form, Line, ReadLimits, Reply, Tools, final_message};

/// It has other names for everything, knows no subagents, counts milliseconds, takes one object as
/// its reply and wants to know what is sent back, and has no way to give an agent a text.
struct Sketch;

static PROFILE: Profile = Profile {
    transcripts: &[&Sketch],
    ..Profile::of(
        "sketch",
        Executable {
            title: "Sketch",
            name: "sketch",
            support: Support::Tested(Tried {
                least: Version(1, 0, 0),
                newest: Version(1, 0, 0),
                fault: None,
            }),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("sketch"),
    person: Some(PersonFile {
        variable: Some("SKETCH_HOME"),
        folder: ".sketch",
        file: "hooks.json",
    }),
    project: Some(".sketch/hooks.json"),
    shared: None,
    variable_files: &[],
    shape: Shape::Groups,
    head: &[],
    command: "command",
    hooks: &[
        HookSpec {
            event: "BeforeAgent",
            matcher: None,
            verb: "start",
            timeout: 15,
            since: None,
            is_core: true,
        },
        HookSpec {
            event: "AfterAgent",
            matcher: None,
            verb: "stop",
            timeout: 30,
            since: None,
            is_core: true,
        },
    ],
    rules: &[
        Rule {
            key: "type",
            wanted: Wanted::Text("command"),
            fault: Some("its type is not `command`"),
        },
        Rule {
            key: "timeout",
            wanted: Wanted::Timeout,
            fault: Some("it has no timeout"),
        },
    ],
    units_per_second: 1000,
    shows_standard_error: false,
    has_powershell: false,
    switches: &[],
    left_out: None,
    managed: None,
    plugins: None,
    env: None,
    status_line: None,
};

impl Host for Sketch {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            session_id: sent.text("sessionKey"),
            agent_id: sent.text("runId"),
            cwd: sent.text("workspace").map(PathBuf::from),
            // It sends all that was said since the prompt; the last of it is the report.
            message: sent
                .text("said")
                .and_then(|said| said.rsplit("\n\n").next().map(str::to_owned)),
            ..Payload::default()
        }
    }

    fn usual_transcript(&self, payload: &Payload) -> Option<PathBuf> {
        let name = format!("{}.jsonl", payload.agent_id.as_ref()?);
        Some(payload.cwd.as_ref()?.join(name))
    }

    fn block(&self, payload: &Payload, reason: &Printable) -> String {
        let key = payload.agent_id.as_deref().unwrap_or_default();
        let retry = serde_json::json!({ "instruction": &**reason, "idempotencyKey": key });
        serde_json::json!({ "action": "revise", "retry": retry }).to_string()
    }

    fn notice(&self, _payload: &Payload, _text: &Printable) -> Option<String> {
        None
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        serde_json::json!({
            "sessionKey": agent.session,
            "runId": agent.id,
            "workspace": agent.folder.to_string_lossy(),
            "said": agent.message.map(|message| format!("I begin.\n\n{message}")),
        })
        .to_string()
    }

    fn is_block(&self, reply: &str) -> bool {
        reply.contains("revise")
    }
}

impl Form for Sketch {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        let reply = Reply::of_blocks(None, vec![Block::Text(line.text("says")?)]);
        Some(Event::Assistant(reply).into())
    }

    fn tools(&self) -> &'static Tools {
        const TOOLS: &Tools = &Tools {
            write: &[],
            only_read: "look",
            show_a_file: &[],
            show_a_folder: "",
            show_nothing: "",
        };
        TOOLS
    }
}

const HOST: &dyn Host = &Sketch;
const PROGRAM: Program<'static> = Program {
    path: "/opt/attest",
    form: CallForm::Shell,
};

fn file() -> &'static dyn HookFile {
    HOST.wiring().any_file().unwrap()
}

#[test]
fn what_it_sends_and_is_sent_goes_through_the_trait() {
    let sample = |message| {
        let sent = HOST.sample(&SampleAgent {
            session: "s",
            id: "run-7",
            folder: Path::new("/w"),
            message,
        });
        HOST.parse(sent.as_bytes()).unwrap()
    };
    assert_eq!(sample(None).message, None);
    let payload = sample(Some("DONE"));
    assert_eq!(payload.message.as_deref(), Some("DONE"));
    assert_eq!(payload.agent_transcript, AgentTranscript::Absent);
    let transcript = HOST.likely_transcript(&payload);
    assert_eq!(transcript, Some(PathBuf::from("/w/run-7.jsonl")));
    let reply = HOST.block(&payload, &Printable::new("there is no a.py"));
    assert!(HOST.is_block(&reply) && reply.contains("run-7"), "{reply}");
}

#[test]
fn its_hooks_are_installed_in_its_file_with_its_name_and_its_units() {
    let wiring = HOST.wiring();
    let home = Some(PathBuf::from("/home/user"));
    let places = |set: bool, project: Option<&str>| {
        let variable = move |name: &str| (set && name == "SKETCH_HOME").then(|| "/s".into());
        let home = home.clone();
        let project = project.map(PathBuf::from);
        let files = wiring.files(&Places {
            variable: &variable,
            home,
            project,
        });
        files
            .into_iter()
            .map(|place| place.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(places(true, None), [PathBuf::from("/s/hooks.json")]);
    let usual = PathBuf::from("/home/user/.sketch/hooks.json");
    assert_eq!(places(false, None), [usual]);
    let of_project = PathBuf::from("/w/.sketch/hooks.json");
    assert_eq!(places(true, Some("/w")), [of_project]);
    let wiring = file();
    let installed = wiring.install(b"", Scope::All, PROGRAM).unwrap();
    let text = String::from_utf8(installed.bytes.clone()).unwrap();
    let entry = "{\n            \"type\": \"command\",\n            \
                 \"command\": \"'/opt/attest' hook stop --harness sketch || true\",\n            \
                 \"timeout\": 30000\n          }";
    assert!(text.contains(entry), "{text}");
    let inspection = wiring.inspect(text.as_bytes()).unwrap();
    let events: Vec<_> = inspection
        .entries
        .iter()
        .map(|entry| &entry.event)
        .collect();
    assert_eq!(events, ["BeforeAgent", "AfterAgent"]);
    assert!(
        inspection
            .entries
            .iter()
            .all(|entry| entry.faults.is_empty())
    );
    let removed = wiring.uninstall(text.as_bytes(), &mut std::iter::empty());
    assert_eq!(removed.unwrap().bytes, None);
}

#[test]
fn an_entry_that_names_another_host_is_put_right() {
    let wiring = file();
    let installed = wiring.install(b"", Scope::All, PROGRAM).unwrap().bytes;
    let text = String::from_utf8(installed.clone()).unwrap();
    for wrong in ["", " --harness other"] {
        let text = text.replace(" hook stop --harness sketch", &format!(" hook stop{wrong}"));
        let again = wiring
            .install(text.as_bytes(), Scope::All, PROGRAM)
            .unwrap();
        assert_eq!(again.changes, [Change::Updated("AfterAgent")]);
        assert_eq!(again.bytes, installed);
    }
}

#[test]
fn its_transcripts_are_read_by_its_own_form() {
    let file = std::env::temp_dir().join(format!("attest-sketch-{}.jsonl", std::process::id()));
    fs::write(&file, "{\"says\": \"first\"}\n{\"says\": \"last\"}\n").unwrap();
    let limits = ReadLimits {
        wait: Duration::ZERO,
        deadline: Instant::now() + Duration::from_mins(1),
    };
    let message = final_message(&file, HOST.profile().transcripts, limits, &|_| false);
    fs::remove_file(&file).unwrap();
    assert_eq!(message.unwrap().as_deref(), Some("last"));
}

/// Every source of the product that a host's name may not stand in.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// What names a host beside its own module: the list of hosts, a database of another tool that lies beside the
/// settings of one, what drives a real program, the folder of the plugin and how it is removed, the files that the
/// manual lists and those into which a person may put the words that ask, and the list of all variables that are read,
/// which has two that hosts set.
const MAY_NAME_A_HOST: [&str; 8] = [
    "attest/src/cmd/man.rs",
    "base/src/config.rs",
    "base/src/env.rs",
    "base/src/paragraph.rs",
    "host/src/hosts.rs",
    "setup/src/doctor/live.rs",
    "setup/src/plugin_dir.rs",
    "setup/src/uninstall.rs",
];

/// Whether a line of code names a host. What is an English word as well names one only as a text.
fn names(line: &str, host: &str) -> bool {
    let line = line.trim().to_lowercase();
    let name = match host {
        "claude-code" => "claude".to_owned(),
        "cursor" | "kilo" => format!("\"{host}\""),
        host => host.to_owned(),
    };
    !line.starts_with("//") && line.contains(&name)
}

#[test]
fn no_other_code_names_a_host() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for name in ["attest", "base", "history", "host", "setup"] {
        sources(&crates.join(name).join("src"), &mut all);
    }
    assert!(all.len() > 50, "{}", all.len());
    let own = crates.join("host/src/hosts");
    let mut found = Vec::new();
    let mut unneeded = Vec::from(MAY_NAME_A_HOST);
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let lines: Vec<_> = hosts::ALL
            .iter()
            .flat_map(|host| code.lines().filter(|line| names(line, host.name())))
            .map(|line| format!("{}: {line}", path.display()))
            .collect();
        let known = unneeded.iter().position(|name| path.ends_with(name));
        if let Some(known) = known.filter(|_| !lines.is_empty()) {
            unneeded.remove(known);
        } else if !path.starts_with(&own) {
            found.extend(lines);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(unneeded.is_empty(), "they name none: {unneeded:?}");
}

/// Adding a host touches one file of its own, and in the list its module and its place.
#[test]
fn a_host_is_a_file_of_its_own_and_a_line_of_the_list() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let list = fs::read_to_string(source.join("hosts.rs")).unwrap();
    let code = list.split("#[cfg(test)]").next().unwrap();
    for host in hosts::ALL {
        let module = host.name().replace('-', "_");
        assert!(source.join(format!("hosts/{module}.rs")).is_file());
        let lines = code.lines().map(str::trim).filter(|line| {
            line.starts_with(&format!("mod {module};")) || line.starts_with(&format!("&{module}::"))
        });
        assert_eq!(lines.count(), 2, "{module}");
    }
}
