//! What an installation adds, and what it leaves alone.

use super::*;

#[test]
fn a_new_file() {
    insta::assert_snapshot!(installed(""), @r#"
    {
      "hooks": {
        "SubagentStart": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "'/opt/my tools/attest' hook start || true",
                "timeout": 15,
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
                "command": "'/opt/my tools/attest' hook stop || true",
                "timeout": 30,
                "async": false,
                "statusMessage": "attest"
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn the_hooks_that_tell_come_and_go_with_the_choice() {
    let pair = installed("");
    let to = |text: &str, scope| {
        let merged = install(text.as_bytes(), scope, BINARY).unwrap();
        (String::from_utf8(merged.bytes).unwrap(), merged.changes)
    };
    let (all, changes) = to(&pair, Scope::All);
    let told = ["Stop", "PostToolUse", "UserPromptSubmit"];
    assert_eq!(changes, told.map(Change::Added));
    let hooks = &value(&all)["hooks"];
    let command = |event: &str| hooks[event][0]["hooks"][0]["command"].as_str();
    assert_eq!(
        told.map(command),
        ["session-stop", "post-tool-use", "prompt"]
            .map(|verb| format!("'/opt/my tools/attest' hook {verb} || true"))
            .each_ref()
            .map(|command| Some(command.as_str()))
    );
    assert_eq!(hooks["PostToolUse"][0]["matcher"], "Agent|Task");
    let (back, changes) = to(&all, SCOPE);
    assert_eq!(
        (back.as_str(), changes),
        (pair.as_str(), told.map(Change::Removed).to_vec())
    );
    assert_eq!(
        uninstalled_with(&all, Some("{ }")),
        None,
        "attest made the file"
    );
    assert_eq!(
        uninstalled_with(&to("{ }", Scope::All).0, Some("{ }")).as_deref(),
        Some("{ }")
    );
}

#[test]
fn hooks_of_others_comments_and_order_stay() {
    insta::assert_snapshot!(installed(corpus::LIVED_IN), @r#"
    // my settings
    {
        "model": "opus", // the big one
        "env": { "A": "1", "B": "2" },

        "hooks": {
            /* formatter */
            "PostToolUse": [
                { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "fmt" }] }
            ],
            "SubagentStop": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/home/attest/bin/notify hook stop" // not attest
                        }
                    ]
                },
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "'/opt/my tools/attest' hook stop || true",
                            "timeout": 30,
                            "async": false,
                            "statusMessage": "attest"
                        }
                    ]
                }
                // more to come
            ],
            "SubagentStart": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "'/opt/my tools/attest' hook start || true",
                            "timeout": 15,
                            "async": false,
                            "statusMessage": "attest"
                        }
                    ]
                }
            ]
        },
        "permissions": { "allow": [] }
    }
    "#);
}

#[test]
fn one_line_becomes_many() {
    let text = installed(r#"{"model":"opus", "env": { "A": "1" }}"#);
    let start = "{\n  \"model\":\"opus\",\n  \"env\": { \"A\": \"1\" },\n  \"hooks\": {\n    \"Sub";
    assert!(text.starts_with(start), "{text}");
    assert!(text.ends_with("\n    ]\n  }\n}"), "{text}");
}

#[test]
fn tabs_line_ends_and_the_mark_are_kept() {
    let text = installed("\u{feff}{\r\n\t\"model\": \"opus\"\r\n}");
    assert!(text.starts_with(
        "\u{feff}{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t\t\"SubagentStart\""
    ));
    assert!(text.ends_with("\r\n\t}\r\n}"));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn trailing_commas_are_kept() {
    let text = installed("{\n  \"a\": [\n    1,\n  ], // about a\n}\n");
    assert!(text.starts_with("{\n  \"a\": [\n    1,\n  ], // about a\n  \"hooks\": {\n"));
    assert!(text.ends_with("\n  },\n}\n"));
}

#[test]
fn the_second_install_changes_nothing() {
    for text in corpus::layouts() {
        let once = installed(text);
        let twice = install(once.as_bytes(), SCOPE, BINARY).unwrap();
        assert_eq!(twice.changes, [], "{text}");
        assert_eq!(String::from_utf8(twice.bytes).unwrap(), once);
    }
}

#[test]
fn nothing_of_others_changes() {
    for text in corpus::layouts() {
        let (before, after) = (corpus::tokens(text), corpus::tokens(&installed(text)));
        assert!(corpus::is_within(&before, &after), "{text}");
    }
}
