//! `attest ci`: what the text of a pull request says, by the commits of its range.

mod generated;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::common::{BINARY, Printed, TestContext, assert_within};

/// A repository whose branch `work` has one commit more than `main`.
pub struct Branch {
    pub context: TestContext,
    pub root: PathBuf,
}

impl Branch {
    pub fn new() -> Self {
        let context = TestContext::new();
        let files = [
            ("src/a.py", "a = 1\n"),
            ("src/b.py", "b = 1\n"),
            ("src/old.py", "old = 1\n"),
            ("README.md", "# Project\n"),
            (".gitignore", "dist/\n"),
        ];
        let root = context.repository("project", &files);
        context.git(&root, &["checkout", "--quiet", "-b", "work"]);
        let branch = Self { context, root };
        branch.write("src/a.py", "a = 2\n");
        branch.write("src/new.py", "new = 1\n");
        branch.git(&["rm", "--quiet", "src/old.py"]);
        branch.commit("Work");
        branch
    }

    pub fn git(&self, args: &[&str]) -> String {
        self.context.git(&self.root, args).stdout.trim().to_owned()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits all there is, and gives the name of the commit.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// What `attest ci` says of a text.
    pub fn judge(&self, text: &str, args: &[&str]) -> Printed {
        let repo = self.root.to_str().unwrap();
        let all = ["ci", "--repo", repo, "--report", "-"];
        let all = all.iter().chain(args);
        self.context.attest_with_input(all, text.as_bytes())
    }

    /// The status, and each finding of a text that fails.
    pub fn failing(&self, text: &str) -> (i32, Vec<String>) {
        let printed = self.judge(text, &["--json"]);
        let judged: Value = serde_json::from_str(&printed.stdout).unwrap();
        assert_schema(&judged, "ci.json");
        (printed.code.unwrap(), failing(&judged))
    }

    /// What is only told, and never fails.
    fn told(&self, text: &str) -> Vec<String> {
        let printed = self.judge(text, &["--json"]);
        let judged = serde_json::from_str(&printed.stdout).unwrap();
        words(&judged, |found| found["is_told"] == true)
    }

    #[track_caller]
    fn assert_false(&self, text: &str, finding: &str) {
        assert_eq!(self.failing(text), (3, vec![finding.to_owned()]), "{text}");
    }

    #[track_caller]
    fn assert_held(&self, text: &str) {
        assert_eq!(self.failing(text), (0, Vec::new()), "{text}");
    }

    /// Nothing of it can be judged, and so nothing is false.
    #[track_caller]
    fn assert_open(&self, text: &str) {
        assert_eq!(self.failing(text), (4, Vec::new()), "{text}");
    }
}

fn failing(judged: &Value) -> Vec<String> {
    words(judged, |found| found["fails"] == true)
}

fn words(judged: &Value, is_meant: impl Fn(&Value) -> bool) -> Vec<String> {
    let texts = judged["texts"].as_array().unwrap().iter();
    let findings = texts.flat_map(|text| text["findings"].as_array().unwrap());
    let found = findings.filter(|found| is_meant(found));
    let words = found.map(|found| format!("{} {}", found["finding"], found["claimed"]));
    words.map(|words| words.replace('"', "")).collect()
}

/// Holds a document against a schema of `docs/schemas/`.
#[track_caller]
pub fn assert_schema(document: &Value, schema: &str) {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(top.join(schema)).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(document)
        .map(|it| it.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{document:#}");
}

#[test]
fn a_file_that_is_not_in_the_range_is_named_and_its_twin_is_not() {
    let branch = Branch::new();
    branch.assert_false(
        "### Files changed\n- src/a.py\n- src/ghost.py",
        "ABSENT src/ghost.py",
    );
    branch.assert_false("Files changed: src/a.py, src/b.py", "UNTOUCHED src/b.py");
    branch.assert_false("Files deleted: src/b.py", "NOT_DELETED src/b.py");
    branch.assert_false(
        "Files created:\n- src/other.py (the parser)",
        "ABSENT src/other.py",
    );
    branch.assert_false("Files renamed:\n- src/b.py -> src/c.py", "ABSENT src/c.py");
    branch
        .assert_held("### Files changed\n- `src/a.py`: two\n- src/new.py\n- src/old.py (removed)");
    branch.assert_held("Files created: src/new.py\nFiles deleted: src/old.py");
    branch.assert_held("Files renamed:\n- src/old.py -> src/new.py");
    // What is there already may have come with a pull request on which this one was built.
    branch.assert_open("Files created: src/b.py");
    // Kept out of commits by a rule, in the words of a plan, of another place, or described as something else.
    for open in [
        "Files changed: dist/app.js",
        "Files to change: src/ghost.py",
        "### Files touched by the previous pull request\n- src/ghost.py",
        "### Out of scope\n- src/ghost.py",
        "It also needs `src/ghost.py`, which comes later.",
        "> Files changed: src/ghost.py",
        "```\nFiles changed: src/ghost.py\n```",
        "Status: BLOCKED\nFiles changed: src/ghost.py",
        "Files changed: none",
        "",
    ] {
        branch.assert_open(open);
    }
}

#[test]
fn a_commit_of_another_branch_is_named_and_one_that_is_not_seen_is_not() {
    let branch = Branch::new();
    // Of seven digits one name in 27 has no letter, and may be a number.
    let own = branch.git(&["rev-parse", "--short=20", "HEAD"]);
    branch.git(&["checkout", "--quiet", "-b", "other", "main"]);
    branch.write("lib/other.py", "other = 1\n");
    let other = branch.commit("Another");
    branch.write("src/a.py", "a = 3\n");
    let rebased = branch.commit("The same, before it was rebased");
    branch.git(&["checkout", "--quiet", "work"]);
    branch.assert_false(
        &format!("Commits: {own}, {other}"),
        &format!("COMMIT_ELSEWHERE {other}"),
    );
    branch.assert_held(&format!("Commits: {own}"));
    branch.assert_open(&format!("Commits: {rebased}"));
    branch.assert_open("Commits: 0123456789abcdef0123456789abcdef01234567");
    branch.git(&["branch", "--quiet", "-D", "other"]);
    branch.assert_open(&format!("Commits: {other}"));
}

#[test]
fn a_file_that_is_emptied_is_named_unless_the_text_says_so() {
    let branch = Branch::new();
    branch.write("src/b.py", "");
    branch.commit("More");
    branch.assert_false("Files changed: src/b.py", "EMPTIED src/b.py");
    branch.assert_held("Files changed:\n- src/b.py: emptied, its content is in src/a.py");
    branch.assert_held("Files changed: src/a.py");
}

#[test]
fn a_file_that_is_deleted_again_is_named_and_one_that_is_renamed_is_not() {
    let branch = Branch::new();
    branch.write("notes.md", "for now\n");
    branch.commit("Notes");
    branch.git(&["rm", "--quiet", "notes.md"]);
    branch.commit("No notes");
    branch.assert_false("Files created: notes.md", "GONE_AGAIN notes.md");
    branch.assert_held("Files created: src/new.py");
    branch.git(&["mv", "src/new.py", "src/newer.py"]);
    branch.commit("Another name");
    branch.assert_open("Files created: src/new.py");
    branch.assert_held("Files created: src/newer.py");
}

#[test]
fn a_wrong_number_is_named_and_one_that_was_right_on_the_way_is_not() {
    let branch = Branch::new();
    branch.assert_false("Files changed: 12", "COUNT_WRONG 12");
    let of_git = "7 files changed, 2 insertions(+), 1 deletion(-)";
    branch.assert_false(of_git, &format!("COUNT_WRONG {of_git}"));
    branch.assert_held("Files changed: 3 files");
    // A renamed file is one or two.
    branch.assert_held("2 files changed, 2 insertions(+), 2 deletions(-)");
    branch.write("src/b.py", "b = 2\n");
    branch.write("README.md", "# The project\n");
    branch.commit("More");
    for held in ["Files changed: 5", "Files changed: 3", "Files changed: 2"] {
        branch.assert_held(held);
    }
    branch.assert_open("Around 12 files changed, 3 of them tests");
}

#[test]
fn each_commit_is_held_to_its_own_message() {
    let branch = Branch::new();
    branch.write("src/b.py", "b = 2\n");
    let lie = branch.commit("More\n\nFiles changed: src/a.py, src/b.py");
    let printed = branch.judge("Files changed: src/a.py, src/b.py", &["--json"]);
    let judged: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(printed.code, Some(3));
    assert_eq!(failing(&judged), ["UNTOUCHED src/a.py"]);
    assert_eq!(judged["texts"][1]["commit"], *lie);
    assert_eq!(judged["texts"][1]["subject"], "More");
}

/// As a host writes the message of commits that it squashes: what one did, another may have undone.
#[test]
fn a_message_of_several_commits_is_open_where_it_does_not_hold() {
    let branch = Branch::new();
    branch.write("src/b.py", "b = 2\n");
    branch.commit("Title (#1)\n\n* Begin\n\nFiles changed:\n- src/b.py\n- src/short.py\n\n* Go on");
    branch.assert_held("");
    branch.write("src/b.py", "b = 3\n");
    branch.commit("Title (#2)\n\n* Begin\n* Go on\n\nFiles changed:\n- src/b.py\n- src/short.py");
    branch.assert_false("", "ABSENT src/short.py");
}

#[test]
fn the_policy_is_that_of_the_base() {
    let branch = Branch::new();
    // What the pull request itself says counts for nothing.
    branch.write(".attest/settings.toml", "[ci]\nfail = []\n");
    branch.commit("No rules");
    branch.assert_false("Files changed: 12", "COUNT_WRONG 12");
    branch.git(&["checkout", "--quiet", "main"]);
    branch.write(".attest/settings.toml", "[ci]\nfail = [\"absent\"]\n");
    branch.commit("Rules");
    branch.git(&["checkout", "--quiet", "work"]);
    branch.assert_held("Files changed: 12");
    branch.assert_false("Files changed: src/ghost.py", "ABSENT src/ghost.py");
    branch.git(&["checkout", "--quiet", "main"]);
    branch.write(".attest/settings.toml", "[ci]\nfail = [\"absnet\"]\n");
    branch.commit("Mistyped");
    let printed = branch.judge("", &["--head", "work"]).assert_failure();
    assert!(printed.stderr.contains("absnet"), "{printed:?}");
}

#[test]
fn a_shallow_clone_cannot_be_judged_and_hears_the_line_that_mends_it() {
    let branch = Branch::new();
    let place = branch.context.folder().join("shallow");
    let from = format!("file://{}", branch.root.to_str().unwrap());
    let to = place.to_str().unwrap();
    let args = ["clone", "--quiet", "--depth=1", "--branch=work", &from, to];
    branch.context.git(branch.context.folder(), &args);
    let shallow = Branch {
        context: TestContext::new(),
        root: place,
    };
    let printed = shallow.judge("Files changed: src/ghost.py", &["--base", "HEAD"]);
    assert_eq!(printed.code, Some(4), "{printed:?}");
    assert!(
        printed.stdout.contains("git fetch --unshallow"),
        "{printed:?}"
    );
}

#[test]
fn what_has_nothing_in_common_cannot_be_judged() {
    let branch = Branch::new();
    branch.git(&["checkout", "--quiet", "--orphan", "alone"]);
    branch.commit("Alone");
    branch.assert_open("Files changed: src/ghost.py");
    let printed = branch.judge("", &["--base", "nowhere"]).assert_failure();
    assert!(printed.stderr.contains("nowhere"), "{printed:?}");
    let printed = branch.judge("", &["--base=--output=x"]).assert_failure();
    assert!(!branch.root.join("x").exists(), "{printed:?}");
}

#[test]
fn what_a_person_reads_has_the_headline_first() {
    let branch = Branch::new();
    let printed = branch.judge("Files changed: src/a.py, src/ghost.py", &[]);
    let lines: Vec<_> = printed.stdout.lines().collect();
    assert_eq!(lines[0], "✗ 1 of 2 claims is false");
    assert!(
        lines[1].ends_with(": 1 commit, 3 changed files"),
        "{lines:?}"
    );
    assert!(
        printed.stdout.contains("ABSENT   src/ghost.py"),
        "{printed:?}"
    );
    // Nothing is written.
    assert_eq!(branch.git(&["status", "--porcelain"]), "");
}

#[test]
fn sentences_are_shown_and_never_fail() {
    let branch = Branch::new();
    for (lie, finding, twin) in [
        (
            "Added the loop to `src/b.py`.",
            "UNTOUCHED src/b.py",
            "Added the loop to `src/a.py`.",
        ),
        (
            "I created src/ghost.py",
            "ABSENT src/ghost.py",
            "I created src/new.py",
        ),
        (
            "Removed src/b.py",
            "NOT_DELETED src/b.py",
            "Removed src/old.py",
        ),
        (
            "Adds tests for the parser",
            "NO_TESTS Adds tests for the parser",
            "Adds an option for the parser",
        ),
    ] {
        for (text, found) in [(lie, vec![finding]), (twin, vec![])] {
            // Alone it is nothing to judge; beside a list, it is shown below what is judged.
            for (list, status) in [("", 4), ("\n\nFiles changed: src/a.py", 0)] {
                let text = format!("{text}{list}");
                assert_eq!(branch.failing(&text), (status, Vec::new()), "{text}");
                assert_eq!(branch.told(&text), found, "{text}");
            }
        }
    }
    // What a list has is judged, and not told as well.
    let both = "Added the loop to src/b.py\n\nFiles changed: src/b.py";
    branch.assert_false(both, "UNTOUCHED src/b.py");
    assert_eq!(branch.told(both), [""; 0]);
    // Of what may come from elsewhere, or is not there at all, nothing is told.
    for open in [
        "Created src/b.py",
        "Updated dist/app.js",
        "## Next steps\n\nAdded src/ghost.py",
    ] {
        assert_eq!(branch.told(open), [""; 0], "{open}");
    }
    let printed = branch.judge("I created src/ghost.py", &[]);
    assert!(
        printed
            .stdout
            .contains("a sentence says so, and no commit of the range"),
        "{printed:?}"
    );
}

#[test]
fn a_file_that_changed_and_may_be_a_test_is_one() {
    for (path, content) in [
        ("src/parser_test.go", "package parser\n"),
        ("src/lib.rs", "#[cfg(test)]\nmod it;\n"),
        ("src/c.py", "assert c == 1\n"),
    ] {
        let branch = Branch::new();
        assert_eq!(branch.told("Adds tests").len(), 1);
        branch.write(path, content);
        let lie = branch.commit("Adds tests");
        assert_eq!(branch.told("Adds tests"), [""; 0], "{path}");
        // The message of a commit is about that commit alone.
        branch.write("src/d.py", "d = 1\n");
        branch.commit("Adds tests, as the one before");
        assert_eq!(
            branch.told(""),
            ["NO_TESTS Adds tests, as the one before"],
            "{lie}"
        );
    }
}

/// 500 commits and 5,000 files, of which the text names 50 and the message of each commit one.
#[test]
#[ignore = "needs the program as it is released; .ci/full engines"]
fn a_range_of_500_commits_is_judged_in_time() {
    use std::fmt::Write as _;
    let branch = Branch::new();
    let mut stream = String::new();
    // A commit is not older than what it builds on.
    let began = branch.git(&["log", "-1", "--format=%ct", "main"]);
    let began: i64 = began.parse().unwrap();
    for at in 0..500 {
        let message = format!("Commit {at}\n\nFiles changed: src/d{at}/f0.py\n");
        let length = message.len();
        let _ = write!(
            stream,
            "commit refs/heads/large\ncommitter T <t@e.x> {} +0000\ndata {length}\n{message}",
            began + at
        );
        if at == 0 {
            let _ = writeln!(stream, "from refs/heads/main");
        }
        for file in 0..10 {
            let _ = write!(
                stream,
                "M 644 inline src/d{at}/f{file}.py\ndata 3\n{at:03}\n"
            );
        }
    }
    let file = branch.context.folder().join("stream");
    fs::write(&file, stream).unwrap();
    let mut import = branch.context.command("git");
    import
        .current_dir(&branch.root)
        .args(["fast-import", "--quiet"]);
    assert!(
        import
            .stdin(fs::File::open(&file).unwrap())
            .status()
            .unwrap()
            .success()
    );
    let names: Vec<_> = (0..50).map(|at| format!("src/d{at}/f1.py")).collect();
    let text = format!(
        "Files changed: {}, src/ghost.py, src/b.py",
        names.join(", ")
    );
    let report = branch.context.folder().join("report.md");
    fs::write(&report, text).unwrap();
    let target = Path::new(BINARY).ancestors().nth(2).unwrap();
    let released = target.join("release/attest");
    let args = ["ci", "--head", "large", "--json", "--report"];
    let mut judged = Value::Null;
    assert_within(Duration::from_millis(500), |_| {
        let mut attest = branch.context.command(&released);
        let attest = attest.current_dir(&branch.root).args(args).arg(&report);
        let output = attest.output().unwrap();
        judged = serde_json::from_slice(&output.stdout).unwrap();
    });
    assert_eq!(
        (judged["commits"].as_u64(), judged["files"].as_u64()),
        (Some(500), Some(5000))
    );
    assert_eq!(
        failing(&judged),
        ["UNTOUCHED src/b.py", "ABSENT src/ghost.py"]
    );
}
