use serde_json::Value;

use super::*;
use crate::hosts;

mod corpus;
mod properties;

const BINARY: Program<'static> = Program {
    path: "/opt/my tools/attest",
    form: CallForm::Shell,
};

// What is edited and how does not depend on how many hooks there are.
const SCOPE: Scope = Scope::Core;

fn file() -> &'static dyn HookFile {
    hosts::usual().wiring().any_file().unwrap()
}

fn install(content: &[u8], scope: Scope, program: Program<'_>) -> Result<Merged, ContentError> {
    file().install(content, scope, program)
}

fn uninstall(content: &[u8], backup: Option<Vec<u8>>) -> Result<Removed, ContentError> {
    file().uninstall(content, &mut backup.into_iter())
}

fn inspect(content: &[u8]) -> Result<Inspection, ContentError> {
    file().inspect(content)
}

fn installed(text: &str) -> String {
    String::from_utf8(install(text.as_bytes(), SCOPE, BINARY).unwrap().bytes).unwrap()
}

/// What is left after uninstalling without a backup to compare with.
fn uninstalled(text: &str) -> String {
    uninstalled_with(text, None).unwrap()
}

fn uninstalled_with(text: &str, backup: Option<&str>) -> Option<String> {
    let backups = backup.map(|backup| backup.as_bytes().to_vec());
    let removed = uninstall(text.as_bytes(), backups).unwrap();
    removed.bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

fn refusal(content: &[u8]) -> String {
    let installing = install(content, SCOPE, BINARY).unwrap_err().to_string();
    let removing = uninstall(content, None).unwrap_err().to_string();
    assert_eq!(installing, removing);
    installing
}

fn value(text: &str) -> Value {
    let options = jsonc_parser::ParseOptions::default();
    let parsed =
        jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &options);
    parsed.unwrap().value.unwrap().into()
}

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
                "command": "'/opt/my tools/attest' hook start",
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
                "command": "'/opt/my tools/attest' hook stop",
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
            .map(|verb| format!("'/opt/my tools/attest' hook {verb}"))
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
                            "command": "'/opt/my tools/attest' hook stop",
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
                            "command": "'/opt/my tools/attest' hook start",
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

#[test]
fn uninstall_gives_the_original_back() {
    for text in corpus::layouts() {
        let installed = installed(text);
        assert_eq!(
            uninstalled_with(&installed, Some(text)).as_deref(),
            Some(text)
        );
        if !corpus::AMBIGUOUS.contains(&text) {
            let rest = uninstalled(&installed);
            assert_eq!(
                corpus::tokens(&rest),
                corpus::tokens(text),
                "without a backup"
            );
        }
    }
}

#[test]
fn without_a_backup_an_empty_object_comes_back_in_its_shortest_form() {
    for text in corpus::AMBIGUOUS
        .iter()
        .filter(|text| !text.trim().is_empty())
    {
        let rest = uninstalled(&format!("{}\n", installed(text).trim_end()).replace("15", "16"));
        let mut expected = value(text);
        if let Some(object) = expected.as_object_mut() {
            object.remove("hooks");
        }
        assert_eq!(value(&rest), expected, "{text:?}");
    }
}

#[test]
fn a_file_that_only_attest_wrote_goes_away() {
    assert_eq!(uninstalled_with(&installed(""), None), None);
    assert_eq!(
        uninstalled_with(&installed("{}\n"), Some("{}\n")).as_deref(),
        Some("{}\n")
    );
    assert_eq!(
        uninstalled_with(&installed(""), Some("")).as_deref(),
        Some("")
    );
    let edited = installed("").replace("15", "20");
    assert_eq!(uninstalled(&edited), "{}\n");
}

#[test]
fn a_backup_that_holds_our_hooks_is_not_what_was_before() {
    let older = installed("{\n  \"a\": 1\n}\n").replace("/opt/my tools", "/old");
    let now = installed(&older);
    assert_eq!(
        uninstalled_with(&now, Some(&older)).as_deref(),
        Some("{\n  \"a\": 1\n}\n")
    );
}

#[test]
fn what_was_empty_before_stays_without_help_of_a_backup() {
    let text = "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SubagentStop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n";
    assert_eq!(uninstalled(&installed(text)), text);
}

#[test]
fn what_others_added_since_stays() {
    let theirs = "{ \"hooks\": [{ \"command\": \"x\" }] }";
    for event in ["SubagentStart", "SubagentStop"] {
        let array = format!("\"{event}\": [\n");
        let text = installed("{\n  \"a\": 1\n}\n");
        let before = text.replace(&array, &format!("{array}      {theirs},\n"));
        let expected = format!(
            "{{\n  \"a\": 1,\n  \"hooks\": {{\n    \"{event}\": [\n      {theirs}\n    ]\n  }}\n}}\n"
        );
        assert_eq!(uninstalled(&before), expected);
        let end = text.find(&array).unwrap();
        let end = end + text[end..].find("\n    ]").unwrap();
        let after = format!("{},\n      {theirs}{}", &text[..end], &text[end..]);
        assert_eq!(uninstalled(&after), expected);
    }
}

#[test]
fn comments_of_a_person_are_never_removed() {
    let text = installed("{\n  \"a\": 1\n}\n")
        .replace("\"SubagentStart\": [", "\"SubagentStart\": [ // keep me")
        .replace(
            "\"timeout\": 15,",
            "\"timeout\": 15, // mine goes with the entry",
        );
    insta::assert_snapshot!(uninstalled(&text), @r#"
    {
      "a": 1,
      "hooks": {
        "SubagentStart": [ // keep me
        ]
      }
    }
    "#);
}

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
                "command": "'/opt/my tools/attest' hook start",
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
fn the_time_of_an_earlier_attest_is_replaced_and_that_of_a_person_stays() {
    let whole = |text: &str| {
        let merged = install(text.as_bytes(), Scope::All, BINARY).unwrap();
        (String::from_utf8(merged.bytes).unwrap(), merged.changes)
    };
    let (new, _) = whole("{}");
    let with = |stop: u32, prompt: u32| {
        let mut settings = value(&new);
        for (event, seconds) in [("Stop", stop), ("UserPromptSubmit", prompt)] {
            settings["hooks"][event][0]["hooks"][0]["timeout"] = seconds.into();
        }
        settings
    };
    let old = with(10, 10);
    let (mended, changes) = whole(&old.to_string());
    assert_eq!(value(&mended), value(&new));
    assert_eq!(changes, ["Stop", "UserPromptSubmit"].map(Change::Updated));
    for chosen in [with(12, 8), with(600, 600)] {
        let (kept, changes) = whole(&chosen.to_string());
        assert_eq!((kept, changes), (chosen.to_string(), vec![]));
    }
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
            "'/opt/my tools/attest' hook stop --harness claude-code",
        ),
        (
            r#""command":"$HOME/attest hook stop","args":[]"#,
            "'/opt/my tools/attest' hook stop",
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

#[test]
fn what_cannot_be_edited_is_refused() {
    insta::assert_snapshot!(
        corpus::REFUSED.map(|content| format!("{}: {}", content.escape_ascii(), refusal(content))).join("\n"),
        @r#"
        {\n  \"a\": 1\n  \"b\": 2\n}: line 2, column 9: a comma is missing
        {\"a\": 1: line 1, column 1: the brace is not closed
        {\"a\": }: line 1, column 7: a value should be here, not a closing brace
        {a: 1}: line 1, column 2: a key has to be in double quotes
        {\'a\': 1}: line 1, column 2: a string has to be in double quotes
        {\"a\": 0x10}: line 1, column 7: this is not a number as JSON writes it
        {} {}: line 1, column 4: there is more text behind the end
        []: expected a JSON object, found an array
        null: expected a JSON object, found null
        \"text\": expected a JSON object, found a string
        // only a comment\n: expected a JSON object, found only comments
        {\"a\": \"x\n\"}: line 1, column 9: a line break, a tab or another control character is not allowed in a string
        {\n  \"a\": \"\xff\"\n}: line 2, column 9: not UTF-8
        {\"a\": 1}\x00: line 1, column 9: a JSON value should be here
        {\"hooks\": []}: line 1, column 11: `hooks` must be an object, found an array
        {\"hooks\": null}: line 1, column 11: `hooks` must be an object, found null
        {\"hooks\": {}, \"hooks\": {}}: line 1, column 15: `hooks` is there twice, and a host reads only one of them
        {\"a\" 1}: line 1, column 6: a colon is missing behind the key
        {\"a\":: line 1, column 6: a value is missing behind the colon
        {\"a\": [1, 2}: line 1, column 12: a value should be here, not a closing brace
        {\"a\": ,}: line 1, column 7: a value should be here, not a comma
        {\"a\": ]}: line 1, column 7: a value should be here, not a closing bracket
        {\"a\": :}: line 1, column 7: a value should be here, not a colon
        {} // fine\n/* not closed: line 2, column 1: the comment is not closed
        {\"a\": \"x}: line 1, column 7: the quotes are not closed
        {\"a\": \"\\q\"}: line 1, column 8: a string has a backslash with nothing after it that JSON knows
        {\"a\": yes}: line 1, column 7: a JSON value should be here
        {\"a\": -}: line 1, column 8: this is not a number as JSON writes it
        "#
    );
}

#[test]
fn a_repeated_key_beside_attest_is_refused_by_both_and_another_by_neither() {
    let settings = |event: &str, command: &str| {
        format!(
            r#"{{"hooks": {{"{event}": [{{"hooks": [{{"command": "x", "command": "{command}"}}]}}]}}}}"#
        )
    };
    for event in ["SubagentStop", "PreToolUse"] {
        let why = refusal(settings(event, "attest hook stop").as_bytes());
        assert!(why.contains("`command` is there twice"), "{why}");
        let group = format!(r#"{{"hooks": {{"{event}": [{{"hooks": [], "hooks": []}}]}}}}"#);
        for theirs in [settings(event, "y"), group] {
            let both = installed(&theirs);
            assert_eq!(inspect(both.as_bytes()).unwrap().entries.len(), 2);
            let rest = uninstalled(&both);
            assert_eq!(corpus::tokens(&rest), corpus::tokens(&theirs));
        }
    }
}

#[test]
fn an_event_of_a_wrong_type_is_refused() {
    let error = install(br#"{"hooks": {"SubagentStop": {}}}"#, SCOPE, BINARY).unwrap_err();
    insta::assert_snapshot!(error, @r#"line 1, column 28: `hooks.SubagentStop` must be an array, found an object"#);
}

#[test]
fn inspection_names_the_faults() {
    let text = r#"{"disableAllHooks": true, "env": {"ATTEST_MAX_RETRIES": 2, "X": null}, "hooks": {"SubagentStop": [{"matcher": "w", "hooks": [
        {"type": "prompt", "command": "attest hook stop", "async": true, "if": "x"},
        {"type": "command", "command": "true; attest hook stop"}]}]}}"#;
    insta::assert_debug_snapshot!(inspect(text.as_bytes()).unwrap(), @r#"
    Inspection {
        entries: [
            Entry {
                event: "SubagentStop",
                verb: "stop",
                matcher: Some(
                    "w",
                ),
                program: "attest",
                is_literal: true,
                has_args: false,
                timeout: None,
                faults: [
                    "its type is not `command`",
                    "it has no timeout",
                    "it is asynchronous, so that the host does not wait for its answer",
                    "it has an `if`, with which the host never runs it",
                ],
            },
        ],
        mentions: [
            "SubagentStop",
        ],
        disabled_by: Some(
            "disableAllHooks",
        ),
        plugin: None,
        env: [
            (
                "ATTEST_MAX_RETRIES",
                "2",
            ),
        ],
    }
    "#);
}

mod flat {
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
                "command": "'/opt/my tools/attest' hook start --harness cursor",
                "timeout": 15,
                "loop_limit": 10
              }
            ],
            "subagentStop": [
              {
                "command": "'/opt/my tools/attest' hook stop --harness cursor",
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
}
