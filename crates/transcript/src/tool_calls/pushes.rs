//! Whether the last `git push` of an agent failed.

use attest_shell::pushes::{Push, push};
use attest_shell::text::is_one_of;

use super::{CallKind, ToolCalls};
use crate::Outcome;
use crate::call::Call;
use crate::deeds::command_of;
use crate::server::{self, Says};

/// What git prints in the end of a push that did not happen, or not of all; the second ends its advice.
const REFUSALS: [&str; 2] = [
    "error: failed to push some refs",
    "See the 'Note about fast-forwards' in 'git push --help'",
];

/// Programs that may bring work to a server by its API.
const CLIENTS: &str = "gh glab hub tea curl wget http https xh";

impl ToolCalls {
    /// Whether a call may have brought work to a server without a commit here: a tool of a server that writes, or a client of
    /// one.
    #[must_use]
    pub fn may_have_sent(&self) -> bool {
        let mut calls = self
            .calls
            .iter()
            .filter(|call| call.result != Outcome::Error);
        calls.any(|call| {
            let is_client = |command: &str| {
                let mut words = command.split(|c: char| !c.is_alphanumeric());
                words.any(|word| is_one_of(CLIENTS, word))
            };
            server::says(&call.tool) == Some(Says::Writes)
                || command_of(call).is_some_and(|command| is_client(&command))
        })
    }

    /// Whether the last call that pushes is a `git push` that git refused, and nothing behind it can have pushed.
    #[must_use]
    pub fn has_failed_push(&self) -> bool {
        let mut has_failed = false;
        // What names the file that it writes is no push.
        let calls = self.calls.iter().filter(|call| call.path.is_none());
        for call in calls.filter(|call| call.kind != CallKind::Other) {
            has_failed = match command_of(call).map(|it| push(&it)) {
                Some(Push::Never) => has_failed,
                Some(Push::Shown) => call.is_refused,
                Some(Push::Hidden) => says_refused(call),
                Some(Push::Unknown) | None => false,
            };
        }
        self.is_whole && has_failed
    }
}

/// Whether git's word for it is printed, where the status may be that of something else.
fn says_refused(call: &Call) -> bool {
    let printed = call.printed.as_ref();
    printed.is_some_and(|it| REFUSALS.iter().any(|text| it.ending().contains(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
