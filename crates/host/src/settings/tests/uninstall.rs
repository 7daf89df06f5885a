//! What is left when the hooks have gone.

use super::*;

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

/// The person's edit since keeps the backup from being the answer, and it still tells what was there.
#[test]
fn what_was_empty_before_an_edit_is_so_after_it() {
    for (hooks, rest) in [
        (r#"{"SubagentStop": []}"#, r#"{"SubagentStop": []}"#),
        (
            r#"{"SubagentStart": [], "Stop": []}"#,
            r#"{"SubagentStart": [], "Stop": []}"#,
        ),
        ("{}", "{}"),
    ] {
        let text = format!("{{\n  \"a\": 1,\n  \"hooks\": {hooks}\n}}\n");
        let edited = |text: &str| text.replace("\"a\": 1", "\"a\": 2");
        let left = uninstalled_with(&edited(&installed(&text)), Some(&text)).unwrap();
        assert_eq!(value(&left), value(&edited(&text)), "{left}");
        assert_eq!(value(&left)["hooks"], value(rest));
        // A list that the person never had does not stay.
        let none = uninstalled_with(&edited(&installed(&text)), Some("{\"a\": 1}")).unwrap();
        assert_eq!(value(&none)["hooks"].get("SubagentStop"), None, "{none}");
    }
}

#[test]
fn the_line_ends_of_a_file_are_kept_when_the_hooks_come_and_go() {
    let layouts = corpus::layouts().filter(|text| text.contains('\n'));
    for text in layouts.chain(["{\n}\n", "{\n  \"a\": 1,\n  \"hooks\": {\n  }\n}\n"]) {
        let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        let installed = installed(&text);
        let edited = installed.replace("\"timeout\": 15", "\"timeout\": 16");
        for left in [uninstalled(&edited), edited] {
            let ends = left.matches('\n').count();
            assert_eq!(left.matches("\r\n").count(), ends, "{text:?} {left:?}");
        }
    }
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
