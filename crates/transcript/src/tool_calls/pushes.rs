//! Whether the last `git push` of an agent failed, and whether anything that it ran can have pushed.

use super::{CallKind, ToolCalls};
use crate::deeds::command_of;
use crate::{More, Ran};

/// What the command has somewhere that pushes, or has git run what does.
const PUSHES: [&str; 2] = ["push", "hook"];

/// What a command begins with that pushes nothing.
const HARMLESS: [&str; 9] = [
    "git status",
    "git log",
    "git diff",
    "git show",
    "git branch",
    "git remote",
    "git rev-parse",
    "git fetch",
    "git ls-remote",
];

impl ToolCalls {
    /// Whether the last call that pushes is a `git push` that git refused, and nothing behind it can have pushed.
    #[must_use]
    pub fn has_failed_push(&self) -> bool {
        let mut has_failed = false;
        // What names the file that it writes is no push.
        let calls = self.calls.iter().filter(|call| call.path.is_none());
        for call in calls.filter(|call| call.kind != CallKind::Other) {
            has_failed = match command_of(call) {
                Some(command) if pushes_last(&command) => call.is_refused,
                Some(command) if is_harmless(&command) => has_failed,
                _ => false,
            };
        }
        self.is_whole && has_failed
    }

    /// What can have pushed among what the agent and the person ran; hooks only if one of these ran at all. Whatever
    /// may run any check may push as well, and so may a task that somebody wrote.
    #[must_use]
    pub fn may_have_pushed(&self) -> More {
        let mut calls = self.calls.iter().filter(|call| call.path.is_none());
        let may_name_it = calls.any(|call| {
            let input = call.input.as_deref().unwrap_or_default().to_lowercase();
            PUSHES.iter().any(|it| input.contains(it))
        });
        if !self.is_whole || self.person_ran_behind.is_some() || may_name_it {
            return More::Anything;
        }
        let of = |ran: &Ran| {
            let is_open = ran.is_left_running || ran.runs.iter().any(|run| run.is_task);
            if is_open { More::Anything } else { ran.more }
        };
        self.ran()
            .iter()
            .flatten()
            .map(of)
            .max()
            .unwrap_or_default()
    }
}

/// Whether a command ends with a push and shows how that went.
fn pushes_last(command: &str) -> bool {
    let hides = ["|", ";", "\n", "`", "$(", "2>"];
    let last = command.rsplit("&&").next().unwrap_or_default().trim();
    let is_one = last.strip_prefix("git ").is_some_and(|rest| {
        let mut words = rest.split_whitespace();
        words.next() == Some("push") || rest.starts_with("-C ") && words.nth(1) == Some("push")
    });
    is_one && !last.contains('&') && !hides.iter().any(|it| command.trim().contains(it))
}

fn is_harmless(command: &str) -> bool {
    let command = command.trim();
    let is_alone = !command.contains(['&', '|', ';', '\n', '`', '$']);
    is_alone && HARMLESS.iter().any(|begin| command.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool_calls::Call;

    #[test]
    fn only_what_is_read_can_be_known_to_push_nothing() {
        let may_push = |command: &str| {
            let input = serde_json::json!({ "command": command }).to_string();
            let call = Call {
                kind: CallKind::MayWrite,
                tool: "Bash".to_owned(),
                input: Some(input),
                exit: Some(0),
                ..Call::default()
            };
            let calls = ToolCalls {
                calls: vec![call],
                is_whole: true,
                ..ToolCalls::default()
            };
            calls.may_have_pushed()
        };
        for command in [
            "git add -A && git commit -qm one",
            "pytest -q && git commit -qam one 2>&1 | tail -3",
        ] {
            assert_eq!(may_push(command), More::Hooks, "{command}");
        }
        assert_eq!(may_push("git status"), More::Nothing);
        for command in [
            "git push --dry-run",
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
    fn a_command_is_read_however_the_host_gives_it() {
        for input in [
            r#"{"command":"git push origin main"}"#,
            r#"{"command":["bash","-lc","git push origin main"]}"#,
        ] {
            let call = Call {
                kind: CallKind::MayWrite,
                input: Some(input.to_owned()),
                is_refused: true,
                ..Call::default()
            };
            let calls = ToolCalls {
                calls: vec![call],
                is_whole: true,
                ..ToolCalls::default()
            };
            assert!(calls.has_failed_push(), "{input}");
        }
    }
}
