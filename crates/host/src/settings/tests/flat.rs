//! Entries without matcher groups, in a file that has to have a version.

use super::super::*;
use super::BINARY;

fn file() -> &'static dyn HookFile {
    crate::hosts::named("cursor")
        .unwrap()
        .wiring()
        .any_file()
        .unwrap()
}

fn installed(text: &str) -> String {
    let merged = file()
        .install(text.as_bytes(), Scope::Core, BINARY)
        .unwrap();
    String::from_utf8(merged.bytes).unwrap()
}

fn uninstalled(text: &str) -> Option<String> {
    let removed = file().uninstall(text.as_bytes(), &mut std::iter::empty());
    Some(String::from_utf8(removed.unwrap().bytes?).unwrap())
}

#[test]
fn a_new_file_has_what_the_host_needs_and_goes_as_a_whole() {
    let text = installed("");
    insta::assert_snapshot!(text, @r#"
    {
      "version": 1,
      "hooks": {
        "subagentStart": [
          {
            "command": "'/opt/my tools/attest' hook start --harness cursor || true",
            "timeout": 15,
            "loop_limit": 10
          }
        ],
        "subagentStop": [
          {
            "command": "'/opt/my tools/attest' hook stop --harness cursor || true",
            "timeout": 30,
            "loop_limit": 10
          }
        ]
      }
    }
    "#);
    assert_eq!(installed(&text), text);
    assert_eq!(uninstalled(&text), None);
}

#[test]
fn what_somebody_else_has_under_an_event_stays_as_it_is() {
    let theirs = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"subagentStop\": [\n      {\"command\": \"./mine.sh\"} // mine\n    ]\n  }\n}\n";
    let both = installed(theirs);
    assert!(
        both.contains("./mine.sh") && both.contains("// mine"),
        "{both}"
    );
    let rest = uninstalled(&both).unwrap();
    let value = |text: &str| {
        let text = text.replace("// mine", "");
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    assert_eq!(value(&rest), value(theirs), "{rest}");
}

/// The host takes a file without hooks for invalid.
#[test]
fn the_hooks_of_a_file_that_has_to_have_some_stay_when_they_are_empty() {
    let text = installed("{\"later\": 1}");
    let rest = uninstalled(&text.replace("\"later\": 1", "\"later\": 2")).unwrap();
    let rest: serde_json::Value = serde_json::from_str(&rest).unwrap();
    assert_eq!(
        rest,
        serde_json::json!({"later": 2, "version": 1, "hooks": {}})
    );
}

#[test]
fn a_number_that_a_person_chose_stays_and_one_that_is_none_is_put_right() {
    let text = installed("");
    let chosen = text.replace("\"loop_limit\": 10", "\"loop_limit\": 3");
    assert_eq!(installed(&chosen), chosen);
    let odd = text.replacen("\"loop_limit\": 10", "\"loop_limit\": \"x\"", 1);
    assert_eq!(installed(&odd), text);
}
