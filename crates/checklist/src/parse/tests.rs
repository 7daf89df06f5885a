use proptest::prelude::*;

use super::*;

fn error(text: &str) -> String {
    match Criteria::parse(text) {
        Ok(criteria) => panic!("accepted {text:?} as {criteria:?}"),
        Err(error) => error.to_string(),
    }
}

fn commands(text: &str) -> Vec<String> {
    let criteria = Criteria::parse(text).unwrap();
    let checks = criteria.checks();
    let commands = checks.iter().flat_map(|(_, check)| check.commands());
    commands.map(str::to_owned).collect()
}

#[test]
fn the_simple_form() {
    let criteria = Criteria::parse("base_case: {type: command, value: cargo test}").unwrap();
    assert_eq!(criteria.names(), ["base_case"]);
    assert_eq!(criteria.checks()[0].1.kind(), "command");
}

#[test]
fn the_checklist_form_nested() {
    let criteria = Criteria::parse(
        r#"
base_case:
  checklist:
    - item: works
      group:
        - item: tests
          check: {type: command, value: cargo test, timeout: 2m}
        - item: either
          any_of:
            - item: a
              check: {type: file, value: a.txt}
            - item: b
              check: {type: not_file, value: "**/*.orig"}
    - item: clean
      check:
        type: not_command
        value: grep -r TODO src
"#,
    )
    .unwrap();
    assert_eq!(
        criteria.names(),
        [
            "works",
            "works > tests",
            "works > either",
            "works > either > a",
            "works > either > b",
            "clean"
        ]
    );
    let only = criteria.only("either").unwrap();
    assert_eq!(
        only.names(),
        ["works > either", "works > either > a", "works > either > b"]
    );
    assert!(criteria.only("nobody").is_none());
}

#[test]
fn values_stay_as_they_were_written() {
    for (yaml, value) in [
        (r#""npm test && echo \"ok\"""#, r#"npm test && echo "ok""#),
        (
            r"'a && b: $HOME # no comment'",
            "a && b: $HOME # no comment",
        ),
        (r#"echo "a:b" && $SHELL"#, r#"echo "a:b" && $SHELL"#),
        ("'it''s'", "it's"),
        ("grün ✅ 日本", "grün ✅ 日本"),
        ("|\n      first\n      second: $x\n", "first\nsecond: $x\n"),
        ("yes", "yes"),
        ("1.0", "1.0"),
    ] {
        let text = format!("base_case:\n  type: command\n  value: {yaml}\n");
        assert_eq!(commands(&text), [value], "{yaml}");
    }
}

proptest! {
    #[test]
    fn any_text_arrives_unchanged(text in "[ -~äß✅\u{1F600}\n\t]{1,60}") {
        prop_assume!(!text.trim().is_empty());
        let yaml = format!("base_case: {{type: command, value: {}}}", serde_json::to_string(&text).unwrap());
        prop_assert_eq!(commands(&yaml), [text]);
    }

    #[test]
    fn no_text_panics(text in "(base_case|checklist|item|check|group|type|value|[:{}\\[\\]&*!|>%@`\"' \n-]){0,30}") {
        let _ = Criteria::parse(&text);
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        (
            "base_case: {type: comand, value: x}",
            "line 1, column 19: unknown variant",
        ),
        (
            "base_case: {type: command, value: x, timout: 3}",
            "unknown field `timout`",
        ),
        (
            "base_case: {type: command, value: x}\nmore: 1",
            "line 2, column 1: unknown field `more`",
        ),
        (
            "base_case: {type: command, value: x, contains: y}",
            "line 1, column 48: a check of type command has no key \"contains\"",
        ),
        (
            "base_case: {type: file, value: x, min_bytes: many}",
            "line 1, column 46",
        ),
        (
            "base_case: {type: command}",
            "line 1, column 12: a check of type command needs a value",
        ),
        ("base_case: {value: x}", "the check has no type"),
        (
            "base_case: {type: command, value: '  '}",
            "column 35: the value is empty",
        ),
        (
            "base_case:\n  checklist: []",
            "line 2, column 14: the checklist is empty",
        ),
        (
            "base_case:\n  checklist:\n  - item: a\n    group: []",
            "line 4, column 12: the group is empty",
        ),
        (
            "base_case:\n  checklist:\n  - item: a\n    any_of: []",
            "the list of any_of is empty",
        ),
        (
            "base_case:\n  checklist:\n  - item: a",
            "\"a\" needs exactly one of check, group and any_of",
        ),
        (
            "base_case:\n  checklist:\n  - check: {type: file, value: a}",
            "missing field `item`",
        ),
        (
            "base_case:\n  type: file\n  checklist:\n  - item: a\n    check: {type: file, value: a}",
            "line 2, column 9: a checklist has no key \"type\"",
        ),
        (
            "base_case: {type: file, value: a, matches: '('}",
            "line 1, column 44: regex parse error",
        ),
        (
            "base_case: {type: file, value: 'a[.txt'}",
            "line 1, column 32: error parsing glob",
        ),
        (
            "base_case: {type: file, value: ../a}",
            "leads out of the folder",
        ),
        ("base_case: {type: file, value: /etc/passwd}", "is absolute"),
        (
            "base_case: {type: file, value: a, sha256: abc}",
            "64 hexadecimal digits",
        ),
        (
            "base_case: {type: command, value: a, timeout: soon}",
            "\"soon\" is not a length of time",
        ),
        (
            "base_case: {type: quality, criteria: good}",
            "needs a pass_threshold",
        ),
        (
            "base_case: {type: quality, pass_threshold: 3}",
            "needs a rubric",
        ),
        (
            "base_case: {type: quality, pass_threshold: 3, rubric: []}",
            "the rubric is empty",
        ),
        (
            "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, weight: 0}]}",
            "a weight has to be above 0",
        ),
        (
            "base_case: {type: quality, pass_threshold: 9, rubric: [{criterion: a, levels: {1: x, 5: y}}]}",
            "the levels range from 1 to 5, but the threshold is 9",
        ),
        (
            "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a}, {criterion: a}]}",
            "two criteria are called \"a\"",
        ),
        (
            "base_case: {type: quality, pass_threshold: 3, criteria: a, scope: {a: b}}",
            "a path or a list of paths",
        ),
        (
            "base_case:\n  checklist:\n  - item: a\n    check: {type: file, value: a}\n  - item: a\n    check: {type: file, value: b}",
            "line 5, column 11: two items are called \"a\"",
        ),
        (
            "base_case: {type: command, type: file, value: x}",
            "duplicate",
        ),
        ("base_case: [", "line 1"),
        ("base_case: \t- x", "line 1"),
        ("", "line 1"),
        ("[]", "line 1"),
    ] {
        let found = error(text);
        assert!(
            found.contains(expected),
            "{text}\n  expected {expected}\n  found {found}"
        );
        assert!(found.starts_with("line "), "{found}");
        assert!(
            !found.contains('\n') || found.contains("regex"),
            "{found:?}"
        );
    }
}

fn nested(levels: usize) -> String {
    let mut text = "base_case: {checklist: [".to_owned();
    for _ in 0..levels {
        text.push_str("{item: g, group: [");
    }
    text.push_str("{item: x, check: {type: file, value: x}}");
    text.push_str(&"]}".repeat(levels));
    text.push_str("]}");
    text
}

#[test]
fn groups_are_nested_deep_and_a_bomb_is_refused() {
    assert_eq!(Criteria::parse(&nested(100)).unwrap().names().len(), 101);
    assert!(Criteria::parse(&nested(100_000)).is_err());
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nbase_case: *c";
    assert!(Criteria::parse(bomb).is_err());
}
