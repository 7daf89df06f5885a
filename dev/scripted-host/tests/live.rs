//! `attest-scripted-host live`, with hosts that are not what they should be.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and starts what it tests"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Plays to a host that says its version and then does `body`; `true` stands in for attest.
fn live(body: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("claude");
    let script =
        format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 9.9.9; exit; fi\n{body}\n");
    fs::write(&host, script).unwrap();
    fs::set_permissions(&host, fs::Permissions::from_mode(0o755)).unwrap();
    Command::new(env!("CARGO_BIN_EXE_attest-scripted-host"))
        .args([
            "live", "--limit", "1", "--attest", "true", "--path", PATH, "--host",
        ])
        .arg(&host)
        .output()
        .unwrap()
}

#[test]
fn a_host_that_does_not_keep_the_contract_is_found_out() {
    for (body, expected) in [
        (
            "echo 'no such model' >&2; exit 1",
            "(exit status 1): no such model",
        ),
        ("exit 0", "blocks: found 0, expected 1"),
    ] {
        let output = live(body);
        assert!(output.status.success(), "{output:?}");
        let tried: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(tried["version"], "9.9.9");
        let faults = tried["faults"].to_string();
        assert!(faults.contains(expected), "{faults}");
    }
}

#[test]
fn a_host_that_prints_something_else_is_an_error() {
    let output = live("echo hello");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = "the host printed no JSON: \"hello\"";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn a_host_that_hangs_is_ended() {
    let begun = Instant::now();
    let output = live("sleep 600 & sleep 600");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("claude: timed out after 1 s"), "{errors}");
    assert!(begun.elapsed() < Duration::from_mins(1));
}
