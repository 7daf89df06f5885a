//! Whether the last `git push` of an agent failed.

use super::{CallKind, ToolCalls};
use crate::deeds::command_of;

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
