//! The mechanism that attest relies on in the real Claude Code, without attest.
//!
//! Each test runs on every version in `tests/claude_code/versions.txt` of the workspace. They are
//! looked for where the scenarios of `tests/claude_code/` look for them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use attest_scripted_host::{Host, Outcome, Scenario, Workbench, installed};
use serde_json::{Value, json};

const REASON: &str = "ghost.py does not exist";

fn hosts() -> Vec<Host> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    #[expect(clippy::disallowed_methods, reason = "attest itself never reads it")]
    let folder = std::env::var_os("ATTEST_TEST_CLAUDE_CODE")
        .map_or_else(|| workspace.join("target/claude-code"), PathBuf::from);
    let list = workspace.join("tests/claude_code/versions.txt");
    let list = std::fs::read_to_string(list).unwrap();
    let hosts: Vec<_> = installed::versions(&list)
        .iter()
        .map(|version| Host {
            program: installed::program(&folder, version)
                .unwrap_or_else(|| panic!("no {version} in {}", folder.display())),
            probe: PathBuf::from(env!("CARGO_BIN_EXE_attest-scripted-host")),
            limit: Duration::from_mins(1),
        })
        .collect();
    assert!(!hosts.is_empty());
    hosts
}

fn scenario(name: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    Scenario::load(&folder.join(name).with_extension("toml")).unwrap()
}

/// Plays it to the end, with `settings` as the person's own.
fn play(host: &Host, scenario: &Scenario, settings: impl Fn(&Workbench) -> Value) -> Outcome {
    let bench = Workbench::new(&scenario.files).unwrap();
    std::fs::create_dir_all(bench.configuration()).unwrap();
    let text = settings(&bench).to_string();
    std::fs::write(bench.configuration().join("settings.json"), text).unwrap();
    let outcome = host.play(scenario, bench).unwrap();
    assert!(outcome.end.is_success(), "{}", outcome.errors);
    let strays: Vec<_> = outcome.strays().map(|entry| &entry.path).collect();
    assert!(strays.is_empty(), "{strays:?}");
    assert_eq!(outcome.unplayed(scenario), [""; 0]);
    outcome
}

/// The probe under a name as attest's, in a folder whose name needs quoting.
fn program(host: &Host, bench: &Workbench) -> String {
    let folder = bench.home().join("path with space");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("attest");
    std::fs::copy(&host.probe, &program).unwrap();
    program.to_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs the real host, see ATTEST_TEST_CLAUDE_CODE"]
fn a_block_continues_the_same_agent_without_a_second_start() {
    for host in hosts() {
        let outcome = play(&host, &scenario("blocked"), |_| json!({}));
        let of_agent: Vec<_> = outcome
            .payloads
            .iter()
            .filter(|payload| payload["agent_id"].is_string())
            .map(|payload| {
                assert_eq!(payload["agent_id"], outcome.payloads[1]["agent_id"]);
                let active = payload["stop_hook_active"].as_bool();
                (payload["hook_event_name"].as_str().unwrap(), active)
            })
            .collect();
        let expected = [
            ("SubagentStart", None),
            ("SubagentStop", Some(false)),
            ("SubagentStop", Some(true)),
        ];
        assert_eq!(of_agent, expected, "{}", host.program.display());
        assert_eq!(outcome.bench.tree().unwrap()["ghost.py"], b"g = 1\n");
    }
}

/// Every shape of a hook entry that an installer might write, each with a folder of its own.
#[test]
#[ignore = "needs the real host, see ATTEST_TEST_CLAUDE_CODE"]
fn quoted_shell_entries_run_and_exec_ones_only_where_the_host_knows_args() {
    for host in hosts() {
        let knows_args = {
            let bench = Workbench::new(&scenario("honest").files).unwrap();
            installed::is_since(&host.version(&bench).unwrap(), "2.1.139")
        };
        let outcome = play(&host, &scenario("honest"), |bench| {
            let program = program(&host, bench);
            let into = |name: &str| bench.home().join(name).to_str().unwrap().to_owned();
            let entry = |mut fields: Value| {
                fields["type"] = json!("command");
                fields["timeout"] = json!(15);
                fields
            };
            let exec = |name: &str| json!({"command": program, "args": ["probe", into(name)]});
            let mut full = exec("full");
            full["statusMessage"] = json!("attest");
            full["async"] = json!(false);
            let shell = |name: &str| json!(format!("'{program}' probe '{}'", into(name)));
            let unquoted = format!("{program} probe {}", into("unquoted"));
            let entries: Vec<_> = [
                full,
                exec("exec"),
                json!({"command": shell("shell")}),
                json!({"command": shell("shell-async-false"), "async": false}),
                json!({"command": unquoted}),
            ]
            .map(entry)
            .into();
            json!({"hooks": {"SubagentStart": [{"hooks": entries}]}})
        });
        let ran = |name: &str| outcome.bench.home().join(name).is_dir();
        let ran = ["full", "exec", "shell", "shell-async-false", "unquoted"]
            .map(|name| (name, ran(name)));
        let expected = [
            ("full", knows_args),
            ("exec", knows_args),
            ("shell", true),
            ("shell-async-false", true),
            ("unquoted", false),
        ];
        assert_eq!(ran, expected, "{}", host.program.display());
    }
}

/// The newest quotes the command line of a blocking hook to the subagent unless it has a status
/// message; those up to 2.1.170 never do.
#[test]
#[ignore = "needs the real host, see ATTEST_TEST_CLAUDE_CODE"]
fn with_a_status_message_the_subagent_is_told_the_reason_and_no_command_line() {
    let mut scenario = scenario("blocked");
    scenario.block = None;
    for host in hosts() {
        for fields in [json!({}), json!({"async": false})] {
            let outcome = play(&host, &scenario, |bench| {
                let mut entry = fields.clone();
                entry["type"] = json!("command");
                let (program, own) = (program(&host, bench), bench.home().join("own"));
                let own = own.display();
                entry["command"] = json!(format!("'{program}' probe '{own}' --block '{REASON}'"));
                entry["statusMessage"] = json!("attest");
                json!({"hooks": {"SubagentStop": [{"hooks": [entry]}]}})
            });
            let told = outcome.told("worker");
            let told: Vec<_> = told.iter().filter(|text| text.contains(REASON)).collect();
            let feedback = format!("Stop hook feedback:\n{REASON}");
            // 2.1.332 puts words of its own in front.
            match told[0].strip_suffix("\n</system-reminder>") {
                Some(told) => assert!(told.ends_with(&feedback), "{told}"),
                None => assert_eq!(*told[0], feedback),
            }
            assert!(
                !told.iter().any(|text| text.contains("path with space")),
                "{told:#?}"
            );
        }
    }
}
