//! Messages by which the reader decides one thing, each with the one most like it that is read otherwise.

use super::{check, short};

#[test]
fn a_report_in_braces_on_one_line_need_not_be_json() {
    check(&[
        (
            "## Handoff\n```yaml\n{status: DONE, files_changed: [a.py, b.py]}\n```",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```\n  {status: DONE, files_changed: a.py}  \n```",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\n```\n{files_changed: a.py, b.py, status: DONE}\n```",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```\n{files_changed: a.py, not_changed: b.py, status: DONE,}\n```",
            "Handoff DONE [a.py]",
        ),
    ]);
}

#[test]
fn only_a_fence_that_follows_at_once_is_the_list() {
    check(&[
        (
            "Status: DONE\nFiles changed:\n```\na.py\n```",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n> from the task\n```\na.py\n```",
            "Lines DONE []",
        ),
    ]);
}

#[test]
fn a_rule_ends_no_list_of_plain_lines() {
    check(&[
        (
            "Status: DONE\nFiles changed:\nsrc/a.py — new\n---\nsrc/b.py — new",
            "Lines DONE [src/a.py | src/b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\nsrc/a.py\n---\nsrc/b.py",
            "Lines DONE [src/a.py | src/b.py]",
        ),
    ]);
}

#[test]
fn letters_and_numbers_number_a_list() {
    check(&[
        (
            "Status: DONE\nFiles changed:\na) src/a.py — new\n\nb) src/b.py — new",
            "Lines DONE [src/a.py | src/b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n1) src/a.py — new\n\n1234) src/b.py — new\n\n12345) src/c.py — new",
            "Lines DONE [src/a.py | src/b.py | src/c.py]",
        ),
    ]);
}

#[test]
fn who_read_a_file_and_changed_it_changed_it() {
    check(&[
        (
            "Files changed:\n- a.py (reviewed and updated)\n- b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py (reviewed and approved)\n- b.py",
            "Lines - [!a.py (reviewed and approved) | b.py]",
        ),
    ]);
}

#[test]
fn what_a_file_need_not_be_denies_it_but_not_what_it_lacks() {
    check(&[
        (
            "Files changed:\n- a.py — does not have to change\n- b.py",
            "Lines - [?a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py — does not have side effects\n- b.py",
            "Lines - [?a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py — n/a because it is generated\n- b.py",
            "Lines - [?a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py — n/a values are read\n- b.py",
            "Lines - [?a.py | b.py]",
        ),
    ]);
}

/// A blank line between a title and its list changes nothing, as in Markdown.
#[test]
fn a_list_below_an_item_may_follow_a_blank_line() {
    check(&[
        (
            "Files changed:\n- **Created:**\n\n  - a.py\n    - adds x\n\n- **Deleted:**\n\n  - b.py",
            "Lines - [a.py | -b.py]",
        ),
        (
            "Files changed:\n- Parser\n\n  - a.py\n\n- b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- **Not changed:**\n\n  - a.py\n    - b.py\n\n- c.py",
            "Lines - [c.py]",
        ),
        (
            "Files changed:\n- a.py\n\n  - b.py is called\n\n- c.py",
            "Lines - [?a.py | c.py]",
        ),
    ]);
}

#[test]
fn a_group_ends_with_its_items() {
    check(&[
        (
            "Files changed:\n- Not changed:\n   - a.py\n - b.py",
            "Lines - [b.py]",
        ),
        (
            "Files changed:\n- Not changed:\n   - a.py\n  - b.py",
            "Lines - []",
        ),
        (
            "Status: DONE\nfiles_changed:\n  deleted:\n    - a.py\n  - b.py",
            "Lines DONE [-a.py | b.py]",
        ),
        (
            "Status: DONE\nfiles_changed:\n  not_changed:\n    - a.py\n  - b.py",
            "Lines DONE [b.py]",
        ),
    ]);
}

#[test]
fn a_remark_below_a_plain_line_ends_no_list_unless_it_is_apart_or_a_key() {
    check(&[
        (
            "Files changed:\na.py\n- adds the parser\nb.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\na.py\n\n- it is new\nb.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\na.py\n- Blockers: none\nb.py",
            "Lines - [a.py]",
        ),
    ]);
}

#[test]
fn a_plain_line_with_a_label_goes_on_only_if_that_says_what_was_done() {
    check(&[
        ("Files changed:\na.py\nnew: b.py", "Lines - [a.py | b.py]"),
        ("Files changed:\na.py\nOutcome: b.py", "Lines - [a.py]"),
    ]);
}

#[test]
fn a_line_of_git_with_two_names_is_a_rename() {
    check(&[
        (
            "Files changed:\nR100 a.py b.py (moved)",
            "Lines - [a.py->b.py]",
        ),
        ("Files changed:\nR100 a.py other words", "Lines - [?a.py]"),
    ]);
}

#[test]
fn code_below_an_item_ends_no_list_whatever_is_in_it() {
    check(&[
        (
            "Files changed:\n- a.py\n  ```\n  x\n\n  c.py\n  ```\n- b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py\n\n```\nx\n\nc.py\n```\n- b.py",
            "Lines - [a.py]",
        ),
    ]);
}

/// The first title of a list that can be folded may say anything, a later one that something else begins.
#[test]
fn the_title_of_what_can_be_folded_is_that_of_a_list() {
    let folded =
        |title: &str| format!("<details>\n<summary>{title}</summary>\n\n- b.py\n\n</details>");
    for (title, alone, behind) in [
        ("More files", "[b.py]", "[a.py | b.py]"),
        ("Deleted", "[-b.py]", "[a.py | -b.py]"),
        ("Details", "[b.py]", "[a.py | ?b.py]"),
    ] {
        let list = folded(title);
        let read = short(&format!("Files changed:\n\n{list}"));
        assert_eq!(read, format!("Lines - {alone}"), "{title}");
        let read = short(&format!("Files changed:\n- a.py\n\n{list}"));
        assert_eq!(read, format!("Lines - {behind}"), "{title}");
    }
}

#[test]
fn a_label_that_is_not_understood_doubts_its_file() {
    check(&[
        (
            "Files changed:\n- src/a.py\n- Last night: src/b.py",
            "Lines - [src/a.py | ?src/b.py]",
        ),
        (
            "Files changed: src/a.py, Last night: src/b.py",
            "Lines - [src/a.py | ?src/b.py]",
        ),
        (
            "Files changed: Entry point: src/a.py, src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        (
            "Files changed:\n- Entry point: src/a.py\n- Start screen: src/b.py\n- src/c.py",
            "Lines - [src/a.py | src/b.py | src/c.py]",
        ),
    ]);
}

#[test]
fn a_folder_in_a_folder_is_below_it_unless_its_name_says_so() {
    check(&[
        (
            "Files changed:\n- src/\n  - lib/\n    - a.py\n  - b.py",
            "Lines - [src/lib/a.py | src/b.py]",
        ),
        (
            "Files changed:\n- src/\n  - src/lib/\n    - a.py",
            "Lines - [src/lib/a.py]",
        ),
    ]);
}

#[test]
fn a_deeper_heading_with_a_remark_names_a_file_and_one_with_a_name_in_brackets_does_not() {
    check(&[
        (
            "Status: DONE\n### Files changed\n#### src/a.py (new)\n- b.py is used",
            "Lines DONE [src/a.py]",
        ),
        (
            "Status: DONE\n### Files changed\n#### 1. `src/a.py` (new)\n- b.py\n#### 2) src/c.py\n#### 100. src/d.py",
            "Lines DONE [src/a.py | src/c.py | src/d.py]",
        ),
        (
            "Status: DONE\n### Files changed\n#### .env\n#### 2024.md",
            "Lines DONE [.env | 2024.md]",
        ),
        (
            "Status: DONE\n### Files changed\n#### Parser (src/a.py)\n- b.py",
            "Lines DONE [b.py]",
        ),
    ]);
}

#[test]
fn a_sentence_behind_a_list_claims_no_file() {
    check(&[
        (
            "Files changed: a.py, b.py. Tests in c.py.",
            "Lines - [a.py | b.py | ?c.py]",
        ),
        (
            "Files changed: a.py, b.py, tests in c.py.",
            "Lines - [a.py | b.py | c.py]",
        ),
    ]);
}

#[test]
fn what_follows_a_long_remark_is_heard_too() {
    let remark = "word ".repeat(250);
    for (end, mark) in [("reverted later", "?"), ("with a cache", "?")] {
        let read = short(&format!("Files changed:\n- a.py — {remark}, {end}"));
        assert_eq!(read, format!("Lines - [{mark}a.py]"));
    }
}

/// Each beside a column that says something of the content.
#[test]
fn a_column_of_a_place_or_an_owner_leaves_a_file_open() {
    for (title, other, own) in [
        ("Repo", "shop-core", ""),
        ("By", "user", ""),
        ("PR", "#12", ""),
        ("Where", "shop-core", "local"),
        ("Location", "server", "lines 10-20"),
        ("Purpose", "", "server"),
    ] {
        let list = |cell: &str| {
            format!("Files changed:\n\n| File | {title} |\n|---|---|\n| src/a.py | {cell} |\n")
        };
        let is_open = short(&list(other)) == "Lines - [?src/a.py]";
        assert!(is_open || other.is_empty(), "{title}: {other}");
        let is_sure = short(&list(own)) == "Lines - [src/a.py]";
        assert!(is_sure || own.is_empty(), "{title}: {own}");
    }
    check(&[
        (
            "Files changed (this repo):\n- src/a.py\n\nFiles changed (shop-core repo):\n- src/b.py",
            "Lines - [src/a.py | ?src/b.py]",
        ),
        (
            "Files changed in this task:\n- src/a.py\n\nFiles created in shop-core:\n- src/b.py",
            "Lines - [src/a.py | ?src/b.py]",
        ),
    ]);
}
