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
    fn no_text_panics_and_each_is_refused_in_a_line(text in "(base_case|checklist|item|check|group|type|value|[:{}\\[\\]&*!|>%@`\"' \n-]){0,30}") {
        if let Err(error) = Criteria::parse(&text) {
            assert_one_line(&error.message);
        }
    }

    #[test]
    fn a_file_that_is_damaged_is_refused_in_a_line(at in 0..WHOLE.len(), damage in "[\\[\\]{}:,'\"&*!|>%@#?`\t\n -]{0,3}", cut in 0..4_usize) {
        let (before, rest) = WHOLE.split_at(at);
        let text = format!("{before}{damage}{}", rest.get(cut..).unwrap_or_default());
        if let Err(error) = Criteria::parse(&text) {
            assert_one_line(&error.message);
        }
    }
}

/// A file with every kind of value.
const WHOLE: &str = r#"base_case:
  checklist:
    - item: tests
      check: {type: command, value: "cargo test", timeout: 2m}
    - item: either
      any_of:
        - {item: a, check: {type: file, value: '*.rs', matches: '^fn', min_bytes: 10}}
        - item: b
          check:
            type: quality
            criteria: &good it is good
            rubric: [{criterion: c, weight: 2, levels: {1: poor, 5: good}}]
            pass_threshold: 3.5
            scope: [src/**]
"#;

/// What is shown beside its place, without the drawing that the library makes.
#[track_caller]
fn assert_one_line(message: &str) {
    assert!(
        !message.is_empty() && !message.contains('\n'),
        "{message:?}"
    );
}

/// Files that make no sense, each in its own way.
const WRONG: &[&str] = &[
    "",
    "[]",
    "base_case: [",
    "base_case: \t- x",
    "a: 1",
    "base_case:\n",
    "base_case: x",
    "base_case: [a]",
    "base_case: {type: comand, value: x}",
    "base_case: {type: command, value: x, timout: 3}",
    "base_case: {type: command, value: x}\nmore: 1",
    "base_case: {type: file, value: x, min_bytes: many}",
    "base_case: {type: file, value: x, min_bytes: -1}",
    "base_case: {type: file, value: x, min_bytes: 1.5}",
    "base_case: {type: file, value: x, min_bytes: [1]}",
    "base_case: {type: command, value: x, timeout: [1, 2]}",
    "base_case:\n  type: command\n  value: x\n  timeout:\n    - 1\n    - 2\n",
    "base_case:\n  type: command\n  value: x\n  timeout:\n    a: 1\n",
    "base_case:\n  type: command\n  value: x\n  timeout: {a: 1}\n",
    "base_case:\n  type: command\n  value:\n",
    "base_case:\n  type: command\n  value: ~\n",
    "base_case:\n  type:\n  value: ~\n",
    "base_case:\n  type: [command]\n  value: a\n",
    "base_case:\n  checklist: yes\n",
    "base_case:\n  checklist:\n    item: a\n",
    "base_case:\n  checklist:\n  - a\n",
    "base_case:\n  checklist:\n  - item: [a]\n    check: {type: file, value: a}",
    "base_case:\n  checklist:\n  - check: {type: file, value: a}",
    "base_case:\n  checklist:\n  - item: a\n    check: cargo test",
    "base_case: {type: quality, pass_threshold: high, criteria: a}",
    "base_case: {type: quality, pass_threshold: .nan, criteria: a}",
    "base_case: {type: quality, pass_threshold: 3, criteria: a, scope: {a: b}}",
    "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, levels: {low: x, 5: y}}]}",
    "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, levels: [1]}]}",
    "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, weight: heavy}]}",
    "base_case: {type: command, type: file, value: x}",
    "base_case: {type: command, value: x}\n---\na: b",
    "base_case: {type: command, value: *x}",
    "base_case: {type: command, value: !!binary abcd}",
    "base_case: {type: !x command, value: abcd}",
    "base_case:\n\ttype: command\n",
    "base_case:\n  type: command\n value: x\n",
    "base_case:\n  type: command\n   value: x\n",
    "base_case:\n  type: command\n  value: a: b\n",
    "base_case:\n  type: command\n  value: 'x\n",
    "base_case:\n  type: command\n  value: 'x' y\n",
    "base_case:\n  type: command\n  value: \"\\d\"\n",
    "base_case:\n  type: command\n  value: @x\n",
    "base_case:\n  type: command\n  value: %x\n",
    "base_case:\n  type: command\n  value: `x`\n",
    "base_case:\n  type command\n  value: x\n",
    "base_case: {type: command, value: x]\n",
    "base_case: {type: command, value: x\n",
    "base_case: type: command\n",
    "]",
    "base_case: {type: command, value: [-]}",
    "base_case: {type: file, value: a, matches: '('}",
    "base_case: {type: file, value: 'a[.txt'}",
    "base_case: {type: file, value: '{a'}",
    "base_case: {type: file, value: '[z-a]'}",
    "base_case: {type: file, value: 'a*\\'}",
    "base_case: {type: file, value: 'a}*'}",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nbase_case: *c",
    "base_case: {<<: 3, type: command}",
    "base_case: {\"timeout\": [], type: command}",
    "base_case: {? [a] : b}",
    "%YAML 3.0\n---\na",
    "base_case: {type: command, value: x, test_commands: [[a]]}",
    "base_case: {type: command, value: x}#c",
    "base_case: !include a.yaml",
    "\u{1}",
    "base_case: {type: command, value: x, contains: y}",
    "base_case: {type: command}",
    "base_case: {value: x}",
    "base_case: {type: command, value: '  '}",
    "base_case:\n  checklist: []",
    "base_case:\n  checklist:\n  - item: a\n    group: []",
    "base_case:\n  checklist:\n  - item: a\n    any_of: []",
    "base_case:\n  checklist:\n  - item: a",
    "base_case:\n  type: file\n  checklist:\n  - item: a\n    check: {type: file, value: a}",
    "base_case: {type: file, value: ../a}",
    "base_case: {type: file, value: /etc/passwd}",
    "base_case: {type: file, value: a, sha256: abc}",
    "base_case: {type: command, value: a, timeout: soon}",
    "base_case: {type: quality, criteria: good}",
    "base_case: {type: quality, pass_threshold: 3}",
    "base_case: {type: quality, pass_threshold: 3, rubric: []}",
    "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, weight: 0}]}",
    "base_case: {type: quality, pass_threshold: 9, rubric: [{criterion: a, levels: {1: x, 5: y}}]}",
    "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a}, {criterion: a}]}",
    "base_case:\n  checklist:\n  - item: a\n    check: {type: file, value: a}\n  - item: a\n    check: {type: file, value: b}",
];

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let mut messages = String::new();
    for text in WRONG {
        let message = error(text);
        assert!(message.starts_with("line "), "{message}");
        assert!(!message.contains('\n'), "{message}");
        messages.push_str(&format!("{text:?}\n    {message}\n"));
    }
    insta::assert_snapshot!("wrong", messages);
}

#[test]
fn a_long_value_is_repeated_as_its_beginning() {
    let long = "x".repeat(10_000);
    for text in [
        format!("base_case: {long}"),
        format!("base_case: {{{long}: 1}}"),
        format!("base_case: {{type: {long}}}"),
        format!("base_case: {{type: file, value: a, min_bytes: {long}}}"),
        format!("base_case: {{{long}: 1, {long}: 2}}"),
    ] {
        let message = error(&text);
        assert!(message.len() < 500 && message.contains("xxx…"), "{message}");
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
