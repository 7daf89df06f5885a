//! The workflows of docs/CI.md and the steps of the action, run as far as they can be here: with an event as GitHub
//! writes it, and a `gh` that keeps what it is given.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::Branch;
use crate::common::BINARY;
use crate::common::programs::make_program;

fn read(file: &str) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(top.join(file)).unwrap()
}

/// The scripts of a file of YAML: what stands deeper below `run: |`.
fn scripts(yaml: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = yaml.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() != "run: |" {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        let is_in = |line: &&str| line.is_empty() || line.len() - line.trim_start().len() > depth;
        let mut script = String::new();
        while let Some(line) = lines.next_if(is_in) {
            script.push_str(line);
            script.push('\n');
        }
        scripts.push(script);
    }
    scripts
}

/// A `gh` that writes down how it was called and with what, and finds the comment that was written before.
const GH: &str = r#"#!/usr/bin/env bash
printf '%s\n' "$*" >>"$GH_CALLS"
case " $* " in
*" --paginate "*) cat "$GH_KNOWN" 2>/dev/null; exit 0 ;;
esac
[ -z "${GH_REFUSES:-}" ] || exit 1
while [ $# -gt 0 ]; do [ "$1" = --input ] && cp "$2" "$GH_BODY"; shift; done
"#;

struct Runner {
    branch: Branch,
    temp: PathBuf,
}

impl Runner {
    fn new() -> Self {
        let mut branch = Branch::new();
        let temp = branch.context.folder().join("runner");
        let programs = temp.join("programs");
        make_program(&programs.join("gh"), GH);
        #[expect(clippy::disallowed_methods, reason = "git has to be found")]
        let path = std::env::var("PATH").unwrap();
        let built = Path::new(BINARY).parent().unwrap().display();
        branch.git(&["update-ref", "refs/remotes/origin/main", "main"]);
        let in_temp = |name: &str| temp.join(name);
        for (name, value) in [
            ("GITHUB_EVENT_PATH", in_temp("event.json")),
            ("GITHUB_STEP_SUMMARY", in_temp("summary.md")),
            ("GITHUB_OUTPUT", in_temp("output")),
            ("RUNNER_TEMP", temp.clone()),
            ("GH_CALLS", in_temp("calls")),
            ("GH_KNOWN", in_temp("known")),
            ("GH_BODY", in_temp("body.json")),
        ] {
            branch.context.set(name, value);
        }
        branch.context.set("GITHUB_REPOSITORY", "owner/project");
        branch
            .context
            .set("PATH", format!("{}:{built}:{path}", programs.display()));
        Self { branch, temp }
    }

    fn bash(&self, script: &str) -> Output {
        let mut bash = self.branch.context.command("bash");
        let bash = bash.current_dir(&self.branch.root);
        // As a runner starts it.
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        bash.output().unwrap()
    }

    /// Runs the steps of the action for a pull request with this text. Gives whether it failed, and what was printed.
    fn action(&mut self, body: &str) -> (bool, String) {
        let event = json!({"pull_request": {
            "number": 7,
            "body": body,
            "base": {"ref": "main"},
            "head": {"sha": self.branch.git(&["rev-parse", "HEAD"])},
        }});
        fs::write(self.temp.join("event.json"), event.to_string()).unwrap();
        for name in ["calls", "body.json", "output", "summary.md"] {
            let _ = fs::remove_file(self.temp.join(name));
        }
        let mut printed = String::new();
        let scripts = scripts(&read("action.yml"));
        assert_eq!(scripts.len(), 4);
        for script in scripts {
            let output = self.bash(&script);
            printed += &String::from_utf8(output.stdout).unwrap();
            if let Ok(outputs) = fs::read_to_string(self.temp.join("output")) {
                let status = outputs.trim().trim_start_matches("status=");
                self.branch.context.set("STATUS", status);
            }
            if !output.status.success() {
                let errors = String::from_utf8(output.stderr).unwrap();
                return (true, printed + &errors);
            }
        }
        (false, printed)
    }

    fn of(&self, name: &str) -> String {
        fs::read_to_string(self.temp.join(name)).unwrap_or_default()
    }

    fn comment(&self) -> String {
        let body: Value = serde_json::from_str(&self.of("body.json")).unwrap();
        body["body"].as_str().unwrap().to_owned()
    }
}

#[test]
fn the_action_comments_once_on_what_is_false_and_changes_that_comment() {
    let mut runner = Runner::new();
    let (failed, printed) = runner.action("Files changed:\n- src/a.py\n- src/ghost.py\n");
    assert!(failed, "{printed}");
    let annotation = "::error file=src/ghost.py,title=attest ABSENT::src/ghost.py: no commit";
    assert!(printed.contains(annotation), "{printed}");
    let summary = runner.of("summary.md");
    assert!(
        summary.starts_with("### attest: 1 of 2 claims is false\n"),
        "{summary}"
    );
    assert!(
        summary.contains("| ❌ | ABSENT | src/ghost.py |"),
        "{summary}"
    );
    let comment = runner.comment();
    assert!(
        comment.starts_with("<!-- attest -->\n### attest: 1 of 2"),
        "{comment}"
    );
    let posted = "api --method POST repos/owner/project/issues/7/comments --silent";
    assert!(
        runner.of("calls").contains(posted),
        "{}",
        runner.of("calls")
    );

    fs::write(runner.temp.join("known"), "99\n").unwrap();
    let (failed, printed) = runner.action("Files changed: src/a.py");
    assert!(!failed, "{printed}");
    let patched = "api --method PATCH repos/owner/project/issues/comments/99 --silent";
    assert!(
        runner.of("calls").contains(patched),
        "{}",
        runner.of("calls")
    );
    assert!(runner.comment().contains("1 claim, none is false"));
}

#[test]
fn the_action_is_quiet_where_nothing_is_false_or_can_be_judged() {
    let mut runner = Runner::new();
    for body in ["Files changed: src/a.py", "It is better now.", ""] {
        let (failed, printed) = runner.action(body);
        assert!(!failed, "{printed}");
        assert_eq!(runner.of("body.json"), "", "{body}");
        assert!(!printed.contains("::error"), "{printed}");
    }
}

/// The token of a pull request from a fork has no right to write.
#[test]
fn the_action_fails_without_a_comment_where_it_may_not_write_one() {
    let mut runner = Runner::new();
    runner.branch.context.set("GH_REFUSES", "1");
    let (failed, printed) = runner.action("Files changed: src/ghost.py");
    assert!(
        failed && printed.contains("::notice::attest may not comment here"),
        "{printed}"
    );
    assert!(runner.of("summary.md").contains("ABSENT"));
}

/// Nothing in a text becomes a command of the workflow, a mark of the summary or a line of its own.
#[test]
fn somebody_elses_words_stay_words() {
    let mut runner = Runner::new();
    let name = "src/::set-output name=x::y%0A,z|<img src=x>`@all`.py";
    let (_, printed) = runner.action(&format!("Files changed:\n- `{name}`\n- src/ghost.py\n"));
    assert!(
        !printed.lines().any(|line| line.starts_with("::set-output")),
        "{printed}"
    );
    for sign in ["<img", "`@all`", "@all"] {
        assert!(
            !runner.of("summary.md").contains(sign),
            "{}",
            runner.of("summary.md")
        );
    }
}

#[test]
fn the_snippets_of_the_page_run() {
    let mut runner = Runner::new();
    let page = read("docs/CI.md");
    let blocks = |language: &str| {
        let begin = format!("```{language}\n");
        let parts = page.split(&begin).skip(1);
        let blocks: Vec<_> = parts
            .map(|part| part.split("```").next().unwrap().to_owned())
            .collect();
        blocks
    };
    // GitHub's workflow calls the action, whose steps are run above, and has what they need.
    let yaml = blocks("yaml");
    for needed in [
        "pull_request:",
        "fetch-depth: 0",
        "contents: read",
        "/attest@",
    ] {
        assert!(yaml[0].contains(needed), "{needed}");
    }
    // GitLab's has lines.
    let lines = yaml[1]
        .lines()
        .filter_map(|line| line.strip_prefix("    - "));
    let lines: Vec<_> = lines.filter(|line| !line.starts_with("if:")).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let root = runner.branch.root.clone();
    runner
        .branch
        .git(&["remote", "add", "origin", root.to_str().unwrap()]);
    runner.branch.context.set("CI_PROJECT_DIR", &root);
    runner
        .branch
        .context
        .set("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
    for (text, status) in [
        ("Files changed: src/a.py", 0),
        ("Files changed: x/y.py", 1),
        ("", 0),
    ] {
        runner
            .branch
            .context
            .set("CI_MERGE_REQUEST_DESCRIPTION", text);
        let output = runner.bash(&lines.join("\n"));
        assert_eq!(output.status.code(), Some(status), "{text}: {output:?}");
    }
    // The policy is one.
    let policy = &blocks("toml")[0];
    runner.branch.git(&["checkout", "--quiet", "main"]);
    runner.branch.write(".attest/settings.toml", policy);
    runner.branch.commit("Policy");
    runner.branch.git(&["checkout", "--quiet", "work"]);
    runner.branch.git(&["fetch", "--quiet", "origin"]);
    fs::write(root.join("../pull-request.md"), "Files changed: 12").unwrap();
    for line in blocks("sh") {
        let line = line.replace("pull-request.md", "../pull-request.md");
        let output = runner.bash(line.trim());
        let expected = if line.contains("--report") { 0 } else { 4 };
        let expected = if line.contains("||") { 0 } else { expected };
        assert_eq!(output.status.code(), Some(expected), "{line}: {output:?}");
    }
}
