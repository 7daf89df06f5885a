//! What reports say of commits, branches and pushes, where it stands in the report.

use crate::{Says, parse};

fn said(report: &str) -> Vec<String> {
    let claim = parse(&format!("Status: DONE\n{report}\n"));
    let assertions = claim.assertions.iter();
    assertions.map(|it| it.says.to_string()).collect()
}

#[test]
fn commits_stand_behind_their_key_or_below_it() {
    for report in [
        "Commit: 1a2b3c4",
        "- **Commit:** `1a2b3c4` - fix: dates",
        "**Commit hash**: 1a2b3c4",
        "Commit SHA: 1a2b3c4",
        "commit_id: 1a2b3c4",
        "Committed as `1a2b3c4 fix: dates`.",
        "Committed: 1a2b3c4",
        "Fixed in `1a2b3c4`",
        "Fixed in: 1a2b3c4",
        "Commits:\n- `1a2b3c4` fix: dates",
        "## Commits\n\n1. 1a2b3c4 fix: dates",
        "**Commits**\n- 1a2b3c4: fix dates",
        "Commits:\n1a2b3c4 fix dates\n\n5d6e7f8 is what I looked at",
    ] {
        assert_eq!(said(report), ["commit 1a2b3c4"], "{report}");
    }
    let two = ["commit 1a2b3c4", "commit 5d6e7f8"];
    assert_eq!(said("Commits:\n- `1a2b3c4` a\n- `5d6e7f8` b"), two);
    assert_eq!(said("Commits: 1a2b3c4, 5d6e7f8"), two);
}

#[test]
fn a_push_and_a_tree_have_keys_of_several_words() {
    for (report, expected) in [
        ("Pushed to origin: yes", &["the commits were pushed"][..]),
        ("**Repo state:** clean", &["the work tree is clean"]),
        ("Repository status: clean", &["the work tree is clean"]),
        ("Pushed to origin: no", &[]),
        ("Repo state: two files are left", &[]),
    ] {
        assert_eq!(said(report), expected, "{report}");
    }
}

#[test]
fn json_says_the_same() {
    let claim = parse(
        r#"{"status": "DONE", "files_changed": [], "commits": ["1a2b3c4"], "branch": "feat/x", "pushed": "yes"}"#,
    );
    let said: Vec<_> = claim.assertions.iter().map(|it| &it.says).collect();
    let [Says::Branch { name }, Says::Commit { hash }, Says::Pushed] = &*said else {
        panic!("{said:?}");
    };
    assert_eq!((&**hash, &**name), ("1a2b3c4", "feat/x"));
}

#[test]
fn plans_open_boxes_prose_and_code_say_nothing() {
    for report in [
        "## Next steps\nCommit: 1a2b3c4",
        "- [ ] Commit: 1a2b3c4",
        "I looked at commit 1a2b3c4.",
        "Base commit: 1a2b3c4",
        "> Commit: 1a2b3c4",
        "Commit: git commit -m 1a2b3c4",
        "Commit:",
        "Commits: 3",
        "Branch coverage: 1a2b3c4",
    ] {
        assert_eq!(said(report), [""; 0], "{report}");
    }
}
