//! What is not edited, and the faults that are named.

use super::*;

/// Whoever has a thousand is not refused.
#[test]
fn what_no_person_has_is_refused() {
    let root = |count: usize| {
        let keys = (0..count).map(|at| format!("\"k{at}\": 0"));
        format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
    };
    let stops = |count| {
        format!(
            "{{\"hooks\": {{\"Stop\": [{}]}}}}",
            vec!["{}"; count].join(",")
        )
    };
    let env = |count| format!("{{\"env\": {}}}", root(count));
    for text in [
        root(1001),
        stops(1001),
        env(1001),
        " ".repeat(1 << 20) + "{}",
    ] {
        assert!(refusal(text.as_bytes()).contains("more than 1 MiB"));
    }
    for text in [root(900), stops(900), env(1000)] {
        assert_eq!(value(&uninstalled(&installed(&text))), value(&text));
    }
}

#[test]
fn what_cannot_be_edited_is_refused() {
    insta::assert_snapshot!(
        corpus::REFUSED.map(|content| format!("{}: {}", content.escape_ascii(), refusal(content))).join("\n"),
        @r#"
        {\n  \"a\": 1\n  \"b\": 2\n}: line 2, column 9: expected comma
        {\"a\": 1: line 1, column 1: unterminated object
        {\"a\": }: line 1, column 7: unexpected close brace
        {a: 1}: line 1, column 2: a key has to be in double quotes
        {\'a\': 1}: line 1, column 2: single-quoted strings are not allowed
        {\"a\": 0x10}: line 1, column 7: hexadecimal numbers are not allowed
        {} {}: line 1, column 4: text cannot contain more than one JSON value
        []: expected a JSON object, found an array
        null: expected a JSON object, found null
        \"text\": expected a JSON object, found a string
        // only a comment\n: expected a JSON object, found only comments
        {\"a\": \"x\n\"}: line 1, column 9: a line break, a tab or another control character is not allowed in a string
        {\n  \"a\": \"\xff\"\n}: line 2, column 9: not UTF-8
        {\"a\": 1}\x00: line 1, column 9: unexpected token
        {\"hooks\": []}: line 1, column 11: `hooks` must be an object, found an array
        {\"hooks\": null}: line 1, column 11: `hooks` must be an object, found null
        {\"hooks\": {}, \"hooks\": {}}: line 1, column 15: `hooks` is there twice, and a host reads only one of them
        {\"a\" 1}: line 1, column 6: expected colon after the string or word in object property
        {\"a\":: line 1, column 6: expected value after colon in object property
        {\"a\": [1, 2}: line 1, column 12: unexpected close brace
        {\"a\": ,}: line 1, column 7: unexpected comma
        {\"a\": ]}: line 1, column 7: unexpected close bracket
        {\"a\": :}: line 1, column 7: unexpected colon
        {} // fine\n/* not closed: line 2, column 1: unterminated comment block
        {\"a\": \"x}: line 1, column 7: unterminated string literal
        {\"a\": \"\\q\"}: line 1, column 8: invalid escape
        {\"a\": yes}: line 1, column 7: unexpected token
        {\"a\": -}: line 1, column 8: expected digit following negative sign
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
        switches: [
            Switched {
                switch: Switch {
                    keys: [
                        "disableAllHooks",
                    ],
                    off: true,
                    holder: Everybody,
                },
                value: true,
            },
        ],
        left_out: [],
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
