//! Entries that are there already: those of an earlier attest, and those that a person has changed.

use super::*;

#[test]
fn entries_of_ours_are_updated_in_place() {
    insta::assert_snapshot!(installed(corpus::OLD_ENTRIES), @r#"
    {
      "hooks": {
        "SubagentStart": [
          {
            "matcher": "worker",
            "hooks": [
              { "type": "command", "command": "other hook start" },
              {
                "type": "command",
                "command": "'/opt/my tools/attest' hook start || true",
                "timeout": 5,
                "async": false,
                "statusMessage": "attest"
              }
            ]
          }
        ],
        "SubagentStop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "ATTEST_ENFORCE=1 '/opt/my tools/attest' hook stop 2>>/tmp/log", // mine
                "async": false,
                "timeout": 30,
                "statusMessage": "attest"
              }
            ]
          }
        ]
      }
    }
    "#);
    assert_eq!(
        installed(&installed(corpus::OLD_ENTRIES)),
        installed(corpus::OLD_ENTRIES)
    );
}

/// What an earlier attest installed: entries with `args`.
fn installed_with_args(text: &str) -> String {
    let program = Program {
        form: CallForm::Exec,
        ..BINARY
    };
    String::from_utf8(install(text.as_bytes(), SCOPE, program).unwrap().bytes).unwrap()
}

#[test]
fn entries_with_args_become_those_of_a_new_installation() {
    for text in corpus::layouts() {
        let old = installed_with_args(text);
        assert!(old.contains("args"), "{text}");
        assert_eq!(installed(&old), installed(text), "{text}");
        assert_eq!(
            uninstalled_with(&old, Some(text)).as_deref(),
            Some(text),
            "{text}"
        );
        let new = install(old.as_bytes(), SCOPE, BINARY).unwrap();
        assert_eq!(
            new.changes,
            ["SubagentStart", "SubagentStop"].map(Change::Updated)
        );
    }
    let back = installed_with_args(&installed("{}\n"));
    assert_eq!(value(&back), value(&installed_with_args("{}\n")));
}

/// What an earlier attest installed in every host: a line that ended as the program did, without a name.
#[test]
fn entries_that_end_as_the_program_does_become_those_of_a_new_installation() {
    let json = |host: &&dyn crate::Host| host.wiring().any_file().is_some();
    for host in hosts::ALL.iter().copied().filter(json) {
        let file = host.wiring().any_file().unwrap();
        let text = "{\n  \"model\": \"mine\"\n}\n";
        let install = |content: &[u8], form| {
            let program = Program { form, ..BINARY };
            file.install(content, Scope::All, program).unwrap()
        };
        let old = install(text.as_bytes(), CallForm::Earlier).bytes;
        let new = install(text.as_bytes(), CallForm::Shell).bytes;
        let updated = install(&old, CallForm::Shell);
        let events = host
            .wiring()
            .hooks()
            .iter()
            .filter(|spec| spec.since.is_none());
        let events: Vec<_> = events.map(|spec| Change::Updated(spec.event)).collect();
        assert_eq!(updated.changes, events, "{host:?}");
        assert_eq!(value_of(&updated.bytes), value_of(&new), "{host:?}");
        for content in [&old, &new] {
            let mut backups = vec![text.as_bytes().to_vec()].into_iter();
            let removed = file.uninstall(content, &mut backups).unwrap();
            assert_eq!(removed.bytes.as_deref(), Some(text.as_bytes()), "{host:?}");
            assert_eq!(removed.events.len(), events.len());
        }
    }
}

/// A person's own line is theirs, whatever stands behind it.
#[test]
fn a_line_with_more_than_the_call_keeps_its_end() {
    let with = |command: &str| {
        let text = format!(
            r#"{{"hooks":{{"SubagentStop":[{{"hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#
        );
        let settings = value(&installed(&text));
        settings["hooks"]["SubagentStop"][0]["hooks"][0]["command"].clone()
    };
    for end in ["2>>/tmp/log", "2>>/tmp/log || true"] {
        let expected = format!("A=1 '/opt/my tools/attest' hook stop {end}");
        assert_eq!(with(&format!("A=1 attest hook stop {end}")), expected);
    }
}

fn value_of(content: &[u8]) -> Value {
    value(str::from_utf8(content).unwrap())
}

#[test]
fn args_that_a_host_would_take_for_an_exec_form_go() {
    let call = |fields: &str| {
        let text = format!(r#"{{"hooks":{{"SubagentStop":[{{"hooks":[{{{fields}}}]}}]}}}}"#);
        let settings = value(&installed(&text));
        settings["hooks"]["SubagentStop"][0]["hooks"][0].clone()
    };
    for (fields, expected) in [
        (
            r#""command":"/opt/my tools/attest","args":["hook","stop","--harness","claude-code"]"#,
            "'/opt/my tools/attest' hook stop --harness claude-code || true",
        ),
        (
            r#""command":"$HOME/attest hook stop","args":[]"#,
            "'/opt/my tools/attest' hook stop || true",
        ),
        (
            r#""args":[],"command":"A=1 '/opt/my tools/attest' hook stop 2>>/tmp/log""#,
            "A=1 '/opt/my tools/attest' hook stop 2>>/tmp/log",
        ),
    ] {
        let handler = call(fields);
        assert_eq!(handler["command"], expected, "{fields}");
        assert_eq!(handler.get("args"), None, "{fields}");
    }
}

#[test]
fn a_second_entry_for_the_same_agents_is_removed() {
    let twice = r#"{"hooks":{"SubagentStop":[{"hooks":[{"command":"attest hook stop"}]},{"matcher":"*","hooks":[{"type":"command","command":"/x/attest","args":["hook","stop"]}]},{"matcher":"worker","hooks":[{"command":"attest hook stop"}]}]}}"#;
    let text = installed(twice);
    let groups = value(&text)["hooks"]["SubagentStop"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(groups.len(), 2, "{text}");
    assert_eq!(groups[1]["matcher"], "worker");
}
