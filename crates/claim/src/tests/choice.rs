//! Which text of a message is the claim, and which is none.

use super::{check, parse, short};

#[test]
fn what_is_no_claim() {
    check(&[
        ("I changed ghost.py. DONE", "None - []"),
        (
            "The task is DONE, see `ghost.py`.\nThe status: DONE is set by files_changed: x\n",
            "None - []",
        ),
        (
            "```\nStatus: DONE\nFiles changed: ghost.py\n```\n",
            "None - []",
        ),
        (
            "    Status: DONE\n    Files changed: ghost.py\n",
            "None - []",
        ),
        ("> Status: DONE\n> Files changed: ghost.py\n", "None - []"),
        (
            "<!-- Status: DONE\nFiles changed: ghost.py -->\n",
            "None - []",
        ),
        ("`x\nStatus: DONE\n`\n", "None - []"),
        ("| Status: DONE |\n", "None - []"),
        ("Summary / Status: DONE\n", "None - []"),
        ("Blockers: none\n", "None - []"),
        ("", "None - []"),
        (
            "~~~\n## Handoff\nstatus: DONE\n~~~\nNo handoff yet.\n",
            "None - []",
        ),
    ]);
}

#[test]
fn the_last_claim_is_the_real_one() {
    check(&[
        (
            "```\n## Handoff\nstatus: DONE\nfiles_changed: example.py\n```\n\n## Handoff\nstatus: DONE\nfiles_changed: a.py\n",
            "Handoff DONE [a.py]",
        ),
        (
            "Status: DONE | BLOCKED\nFiles changed: <list>\n\nStatus: DONE\nFiles changed: a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles created: example.py\n\nStatus: DONE\nFiles changed: a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "Files created: example.py\nStatus: DONE\n\nFiles changed: a.py\nStatus: DONE\n",
            "Lines DONE [a.py]",
        ),
        ("Status: BLOCKED\nlater\nStatus: DONE\n", "Lines - []"),
        (
            "Files changed: a.py\nFiles changed: b.py\nStatus: DONE",
            "Lines DONE [b.py]",
        ),
    ]);
}

#[test]
fn a_title_without_a_colon_is_marked_or_stands_right_above_its_list() {
    for title in [
        "**Files changed**",
        "__Files changed__",
        "📝 **Files changed** 📝",
        "## Files changed",
        "Files changed",
        "📝 Files changed",
    ] {
        for list in [
            "- src/a.py",
            "\n- src/a.py",
            "\n| File |\n|---|\n| src/a.py |",
        ] {
            let message = format!("{title}\n{list}");
            assert_eq!(short(&message), "Lines - [src/a.py]", "{message}");
        }
    }
    for message in [
        "I looked at the\nFiles changed\n- src/a.py",
        "Files changed\n\nI ran it.\n\n- src/a.py",
        "- Files changed\n  - src/a.py",
        "Files changed by hand\n- src/a.py",
        "Status\n- DONE",
    ] {
        assert_eq!(short(message), "None - []", "{message}");
    }
    assert_eq!(
        short("Status: DONE\nFiles changed\n- src/a.py"),
        "Lines DONE [src/a.py]"
    );
}

#[test]
fn a_title_of_a_status_is_no_status_of_its_own() {
    let list = "## Files changed\n- src/a.py";
    check(&[
        (
            &format!("{list}\n\n## Status\n\nStatus: DONE"),
            "Lines DONE [src/a.py]",
        ),
        (
            &format!("{list}\n\n### Status\n**Status:** BLOCKED"),
            "Lines BLOCKED [src/a.py]",
        ),
        (
            &format!("## Status\n\nStatus: DONE\n\n{list}"),
            "Lines DONE [src/a.py]",
        ),
        (
            &format!("{list}\n\n## Status\n\nDONE"),
            "Lines DONE [src/a.py]",
        ),
    ]);
}

#[test]
fn json_at_the_end_is_the_report_of_prose_that_names_no_files() {
    let json = "```json\n{\"status\": \"DONE\", \"files_changed\": [\"src/a.py\"]}\n```";
    for (before, file) in [
        ("", "src/a.py"),
        ("Status: DONE", "src/a.py"),
        ("It works.\n\nStatus: DONE", "src/a.py"),
        ("Tests: 3 passed\n", "src/a.py"),
        ("All done.", "src/a.py"),
        ("Done. Here is the rundown:", "src/a.py"),
        ("## Report", "src/a.py"),
        ("It works.", "?src/a.py"),
        ("## What agent B did\n\nDone.", "?src/a.py"),
        ("The report of agent B:", "?src/a.py"),
        ("The implementer sent back what follows.", "?src/a.py"),
    ] {
        let message = format!("{before}\n\n{json}");
        let expected = format!("Lines DONE [{file}]");
        assert_eq!(short(&message), expected, "{message}");
    }
    for (before, behind, found) in [
        ("It prints:", "", "None - []"),
        ("**It prints:**", "", "None - []"),
        ("Here is the report that it prints:", "", "None - []"),
        ("它返回：", "", "None - []"),
        ("## Example", "", "None - []"),
        ("## Report of the first attempt", "", "None - []"),
        ("It works.", "More later.", "None - []"),
        ("Status: BLOCKED", "", "Lines BLOCKED []"),
        ("Status: DONE\nFiles changed: none", "", "Lines DONE []"),
        ("Files changed: src/b.py", "", "Lines - [src/b.py]"),
        ("", "Status: DONE", "Lines DONE [src/a.py]"),
        ("", "Status: BLOCKED", "Lines BLOCKED []"),
        ("It works.", "**Status:** DONE", "Lines DONE [?src/a.py]"),
    ] {
        let message = format!("{before}\n\n{json}\n\n{behind}");
        assert_eq!(short(&message), found, "{message}");
    }
    // A status of the message is that of the data as well, if the data names files.
    check(&[
        (
            "Status: DONE\n```json\n{\"files_changed\": [\"src/a.py\"]}\n```",
            "Lines DONE [src/a.py]",
        ),
        (
            "Status: DONE\n```json\n{\"name\": \"src/a.py\"}\n```",
            "Lines DONE []",
        ),
        (
            "It prints:\n```json\n{\"files_changed\": [\"src/a.py\"]}\n```\nStatus: DONE",
            "Lines DONE []",
        ),
        (
            "## Handoff\n\n```yaml\nstatus: DONE\nfiles_changed:\n  - src/a.py\n```\n\nStatus: DONE",
            "Handoff DONE [src/a.py]",
        ),
        // Beside a status, a fence may as well be an example.
        (
            "## Handoff\n\nStatus: DONE\n\n```yaml\nfiles_changed:\n  - src/a.py\n```",
            "Handoff DONE []",
        ),
        (
            "## Handoff\n\nStatus: DONE\n\n```\nstatus: DONE\nfiles_changed: src/a.py\n```",
            "Handoff DONE []",
        ),
        (
            "## Handoff\n\n```yaml\nstatus: BLOCKED\nfiles_changed:\n  - src/a.py\n```\n\nStatus: DONE",
            "Handoff - [src/a.py]",
        ),
    ]);
}

#[test]
fn another_sign_than_a_colon_stands_behind_a_key_of_the_claim() {
    check(&[
        (
            "Status = DONE\nFiles changed — src/a.py",
            "Lines DONE [src/a.py]",
        ),
        (
            "**Status** → `DONE`\n\nFiles changed: src/a.py",
            "Lines DONE [src/a.py]",
        ),
        ("Files changed (1): - src/a.py", "Lines - [src/a.py]"),
        ("Files planned — src/a.py", "None - []"),
    ]);
    assert_eq!(parse("Status: DONE\nBlockers = none").blockers, None);
}

#[test]
fn a_second_report_that_may_be_a_model_leaves_doubt() {
    let report = |name: &str| format!("## Handoff\nstatus: DONE\nfiles_changed: {name}\n");
    let (first, second) = (report("src/a.py"), report("src/b.py"));
    let intro = "The report should look like this:";
    check(&[
        (
            &format!("{first}\n{intro}\n\n{second}"),
            "Handoff DONE [?src/b.py]",
        ),
        (
            &format!("{first}\nCorrected:\n\n{second}"),
            "Handoff DONE [src/b.py]",
        ),
        (&format!("{intro}\n\n{second}"), "Handoff DONE [src/b.py]"),
        (
            &format!("Here is a sample:\n\n{first}"),
            "Handoff DONE [?src/a.py]",
        ),
        (
            &format!("Here is a summary:\n\n{first}"),
            "Handoff DONE [src/a.py]",
        ),
    ]);
}

#[test]
fn an_example_behind_the_claim_begins_with_its_first_line() {
    let claim = "Files changed: src/a.py\nStatus: DONE\n";
    let second = "Files created: src/b.py\nStatus: DONE\n";
    check(&[
        (
            &format!("{claim}\nExample:\n\n{second}"),
            "Lines DONE [src/a.py]",
        ),
        (
            &format!("{claim}\nCorrected:\n\n{second}"),
            "Lines DONE [src/b.py]",
        ),
    ]);
}

#[test]
fn a_title_of_what_reads_is_none_of_an_example() {
    let report = |title| {
        short(&format!(
            "## {title}\n\nStatus: DONE\nFiles changed: src/a.py\n"
        ))
    };
    assert_eq!(report("Faster reads"), report("Faster loops"));
    assert!(report("Faster reads").contains("src/a.py"));
}

#[test]
fn a_tag_around_the_report_is_no_part_of_it() {
    let report = "Status: DONE\nFiles changed: src/a.py,\n";
    for (tag, expected) in [
        ("handoff", "Lines DONE [src/a.py]"),
        ("example", "None - []"),
    ] {
        let message = format!("<{tag}>\n{report}</{tag}>\n");
        assert_eq!(short(&message), expected, "{message}");
    }
}

#[test]
fn what_is_only_shown_is_on_the_line_of_its_key_or_below() {
    let blockers = |message: &str| parse(message).blockers;
    for (message, expected) in [
        (
            "Status: BLOCKED\nBlockers: no network\nRan tests: yes",
            "no network",
        ),
        ("Status: BLOCKED\nBlockers:\nno network\n", "no network"),
        ("Status: BLOCKED\nBlockers: |\n  no network\n", "no network"),
        ("Status: BLOCKED\nBlockers:\nRan tests: yes", ""),
        (
            "```json\n{\"status\": \"BLOCKED\", \"blockers\": \"no network\"}\n```",
            "no network",
        ),
        (
            "```json\n{\"status\": \"BLOCKED\", \"blockers\": [\"no\"]}\n```",
            "[\"no\"]",
        ),
    ] {
        assert_eq!(blockers(message).as_deref(), Some(expected), "{message}");
    }
}

#[test]
fn what_is_quoted_in_the_message_is_not_its_report() {
    check(&[
        ("> ```\n> x\n> ```\n> text\nStatus: DONE", "None - []"),
        ("> ```\n> x\n> ```\n> text\n\nStatus: DONE", "Lines DONE []"),
        (
            "Status: DONE\nFiles changed:\n`src/a.py\nx`\nsrc/b.py",
            "Lines DONE [!`src/a.py\nx` | src/b.py]",
        ),
        (
            "- so:\n\n  ## Handoff\n  ```\n  status: DONE\n  files_changed: src/a.py\n  ```",
            "None - []",
        ),
        (
            "## Handoff\n```\nstatus: DONE\nfiles_changed: src/a.py\n```",
            "Handoff DONE [src/a.py]",
        ),
    ]);
}

#[test]
fn a_report_in_data_may_be_one_object_within_another() {
    let fence = |json: &str| short(&format!("```json\n{json}\n```"));
    for (json, expected) in [
        (
            r#"{"report": {"status": "DONE", "files_changed": ["src/a.py"]}}"#,
            "Lines DONE [src/a.py]",
        ),
        (
            r#"{"files_changed": {"src/a.py": "new"}}"#,
            "Lines - [src/a.py]",
        ),
        (
            r#"{"status": "done", "changes": [{"file": "src/a.py", "action": "created"}]}"#,
            "Lines DONE [src/a.py]",
        ),
        (
            r#"{"status": "done", "changes": [{"name": "parser", "action": "created"}]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "done", "changes": [{"file": "src/a.py", "action": "keep"}]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"example": {"status": "DONE"}, "other": {"status": "DONE"}}"#,
            "None - []",
        ),
    ] {
        assert_eq!(fence(json), expected, "{json}");
    }
    check(&[
        (
            "Files changed:\n```json\n[\"src/a.py\", {\"path\": \"src/b.py\", \"action\": \"deleted\"}]\n```",
            "Lines - [src/a.py | -src/b.py]",
        ),
        (
            "Files changed:\n```\n[src/a.py, src/b.py]\n```",
            "Lines - [src/a.py | src/b.py]",
        ),
    ]);
}

#[test]
fn names_are_the_preferred_readings() {
    let claim = parse("Files changed: src/a.py, lib/, a.py -> b.py, *.rs");
    assert_eq!(claim.names(), ["src/a.py", "lib/", "a.py -> b.py", "*.rs"]);
}
