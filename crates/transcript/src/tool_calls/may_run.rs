//! What can have run among the commands of an agent: a push, or a check that is not seen.

use attest_shell::programs::Of;
use attest_shell::pushes::{Push, push};
use attest_shell::{More, Run};

use super::ToolCalls;
use crate::Ran;
use crate::call::{Call, CallKind};
use crate::deeds::{command_of, runs_unread};

/// What the command has somewhere that has git run what pushes.
const HOOK: &str = "hook";

impl ToolCalls {
    /// Whether a call can have run a command: one that is asked to, or a tool of a server, which may run what it names. Or
    /// the person ran one.
    #[must_use]
    pub fn may_have_run_any(&self) -> bool {
        let mut calls = self.calls.iter().zip(self.ran());
        self.person_ran_behind.is_some()
            || calls.any(|(call, ran)| ran.is_some() || call.kind == CallKind::WriteElsewhere)
    }

    /// What can have pushed among what the agent and the person ran; hooks only if one of these ran at all. Whatever
    /// may run any check may push as well, and so may a task that somebody wrote.
    #[must_use]
    pub fn may_have_pushed(&self) -> More {
        let mut calls = self.calls.iter().filter(|call| call.path.is_none());
        let may_name_it = calls.any(|call| {
            let input = call.input.as_deref().unwrap_or_default().to_lowercase();
            let names_push = || {
                input.contains("push") && command_of(call).is_none_or(|it| push(&it) != Push::Never)
            };
            input.contains(HOOK) || names_push()
        });
        if may_name_it {
            return More::Anything;
        }
        self.may_have_run(|_, ran| ran.runs.iter().any(|run| run.is_task))
    }

    /// The same of tests, which no formatter, no linter and no check of types is, whatever files they write. What installs
    /// packages may run what they bring, and what else writes unread may be a task.
    #[must_use]
    pub fn may_have_tested(&self) -> More {
        let is_other = |run: &Run| run.is_task || !matches!(run.of, Of::Lint | Of::Types);
        self.may_have_run(|call, ran| {
            ran.runs.iter().any(is_other) || ran.changes.code && runs_unread(call)
        })
    }

    /// The same of any check. What a formatter or an installation does, a report may call one.
    #[must_use]
    pub fn may_have_checked(&self) -> More {
        let is_open =
            |call: &Call, ran: &Ran| !ran.runs.is_empty() || ran.changes.mends || runs_unread(call);
        self.may_have_run(is_open)
    }

    /// What the calls can have run, those that are open to anything included.
    fn may_have_run(&self, is_open: impl Fn(&Call, &Ran) -> bool) -> More {
        if !self.is_whole || self.person_ran_behind.is_some() {
            return More::Anything;
        }
        let calls = self.calls.iter().zip(self.ran());
        let more = calls.map(|(call, ran)| match ran {
            Some(ran) if !ran.is_left_running && !is_open(call, ran) => ran.more,
            None if call.kind != CallKind::WriteElsewhere => More::Nothing,
            _ => More::Anything,
        });
        more.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(command: &str) -> ToolCalls {
        let input = serde_json::json!({ "command": command }).to_string();
        let call = Call {
            kind: CallKind::MayWrite,
            tool: "Bash".to_owned(),
            input: Some(input),
            exit: Some(0),
            ..Call::default()
        };
        ToolCalls {
            calls: vec![call],
            is_whole: true,
            ..ToolCalls::default()
        }
    }

    #[test]
    fn only_what_is_read_can_be_known_to_push_nothing() {
        let may_push = |command: &str| one(command).may_have_pushed();
        for command in [
            "git add -A && git commit -qm one",
            "pytest -q && git commit -qam one 2>&1 | tail -3",
        ] {
            assert_eq!(may_push(command), More::Hooks, "{command}");
        }
        for command in ["git status", "git push --dry-run 2>&1 | tail -2"] {
            assert_eq!(may_push(command), More::Nothing, "{command}");
        }
        for command in [
            "git commit -qam one; git push 2>&1 | tail -2",
            "git commit -qam one && ./deploy.sh",
            "make release",
            "npm run release",
            "gh pr create --fill",
            "git ci",
            "git -c core.hooksPath=x commit -qam one",
            "python3 -c 'import release; release.run()'",
            "ssh server x",
        ] {
            assert_eq!(may_push(command), More::Anything, "{command}");
        }
    }

    #[test]
    fn formatters_and_linters_are_no_tests_and_what_installs_may_run_some() {
        let may_test = |command: &str| one(command).may_have_tested();
        for command in [
            "black .",
            "cargo fmt",
            "npx prettier --write .",
            "ruff check .",
            "npx tsc --noEmit",
            "python --version",
            "pip list",
            "sed -i s/a/b/ a.py",
        ] {
            assert_eq!(may_test(command), More::Nothing, "{command}");
        }
        for command in [
            "npm ci",
            "pip install -e .",
            "uv sync",
            "go generate ./...",
            "npm run lint",
            "npm run format",
            "cargo build",
            "docker run x test --version",
            "ssh server test -V",
            "curl -X POST https://ci/run",
            "gh pr view 12",
            "python -c 'x'",
            "pytest",
        ] {
            assert_eq!(may_test(command), More::Anything, "{command}");
        }
    }

    #[test]
    fn only_what_is_read_can_be_known_to_be_no_check() {
        let may_check = |command: &str| one(command).may_have_checked();
        for command in [
            "git status --short",
            "cd src && ls -la | head -5; cat a.py 2>/dev/null || true",
            "grep -rn pytest . && sed -n 1,20p a.py && wc -l a.py",
            "mkdir -p a && cp b a/b && sed -i s/a/b/ a/b",
            "cat > a.py <<'EOF'\npytest\nEOF",
            "git add -A; git diff --stat; git stash list",
        ] {
            assert_eq!(may_check(command), More::Nothing, "{command}");
        }
        for command in ["git commit -qm one", "git add . && git push"] {
            assert_eq!(may_check(command), More::Hooks, "{command}");
        }
        for command in [
            "pytest -q",
            "ruff check .",
            "black .",
            "make",
            "./run.sh",
            "task all",
            "npm install",
            "pip install -e .",
            "node --check a.js",
            "php -l a.php",
            "git diff --check",
            "git rebase --exec pytest main",
            "git submodule foreach make",
            "git bisect run pytest",
            "git -c alias.x='!pytest' x",
            "find . -name '*.py' -exec pytest {} +",
            "ls | xargs pytest",
            "echo $(./run.sh)",
            "bash -c '$X'",
            "time ./run.sh",
            "trap ./run.sh EXIT",
            "curl -X POST https://ci/run",
            "psql -f tests.sql",
            "vercel build",
            "systemctl start ci",
            "cat 'a",
        ] {
            assert_eq!(may_check(command), More::Anything, "{command}");
        }
    }
}
