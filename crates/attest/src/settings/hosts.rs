//! Which hooks attest wants in which host's settings file.

use std::path::PathBuf;

use super::fragment::Fragment;
use super::shell;
use crate::env::{self, Env};

/// One hook of a host.
#[derive(Debug)]
pub(crate) struct HookSpec {
    /// The host's name for the event.
    pub(crate) event: &'static str,
    /// What the host matches before it runs the hook; `None` for every time.
    pub(crate) matcher: Option<&'static str>,
    /// The word behind `attest hook`.
    pub(crate) verb: &'static str,
    /// Seconds after which the host gives up. The hook's own deadline is shorter.
    pub(crate) timeout: u32,
}

/// How an entry says what to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// `command` is a line for a shell. Every version that runs hooks knows it.
    Shell,
    /// `command` is the program and `args` are its arguments. A host that does not know `args` runs
    /// the bare program.
    Exec,
}

impl CallForm {
    /// What works here. On Windows the shell is Git Bash, `PowerShell` or `cmd`, by the host's
    /// version and what is installed, and no quoted path is a call for all three.
    pub(crate) const HERE: Self = if cfg!(windows) {
        Self::Exec
    } else {
        Self::Shell
    };
}

/// The program that the hooks run, and how their entries say so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program<'p> {
    pub(crate) path: &'p str,
    pub(crate) form: CallForm,
}

/// A host whose settings file has the shape `hooks` / event / matcher group / handler.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) hooks: &'static [HookSpec],
}

const START: HookSpec = HookSpec {
    event: "SubagentStart",
    matcher: None,
    verb: "start",
    timeout: 15,
};
const STOP: HookSpec = HookSpec {
    event: "SubagentStop",
    matcher: None,
    verb: "stop",
    timeout: 30,
};
const SESSION_STOP: HookSpec = HookSpec {
    event: "Stop",
    matcher: None,
    verb: "session-stop",
    timeout: 10,
};
const POST_TOOL_USE: HookSpec = HookSpec {
    event: "PostToolUse",
    // The tool that starts an agent, by its present and its earlier name.
    matcher: Some("Agent|Task"),
    verb: "post-tool-use",
    timeout: 10,
};
const PROMPT: HookSpec = HookSpec {
    event: "UserPromptSubmit",
    matcher: None,
    verb: "prompt",
    timeout: 10,
};

/// Claude Code: the pair that does the work, and the three that tell what it found.
pub(crate) const CLAUDE_CODE: Host = Host {
    hooks: &[START, STOP, SESSION_STOP, POST_TOOL_USE, PROMPT],
};

/// Claude Code with the pair alone.
pub(crate) const CLAUDE_CODE_CORE: Host = Host {
    hooks: &[START, STOP],
};

/// Every word that may stand behind `attest hook`, whichever version wrote the entry.
pub(super) const VERBS: [&str; 5] = ["start", "stop", "session-stop", "post-tool-use", "prompt"];

/// Shown by the host while the hook runs, and quoted to the model in place of the command line.
const STATUS_MESSAGE: &str = "attest";

/// The settings file of Claude Code for this person, or `None` without a home folder.
pub(crate) fn claude_code_settings(env: &Env) -> Option<PathBuf> {
    env.path(env::SETTINGS).or_else(|| {
        let folder = env
            .path(env::CLAUDE_CONFIG_DIR)
            .or_else(|| env.home().map(|home| home.join(".claude")))?;
        Some(folder.join("settings.json"))
    })
}

impl Host {
    /// Whether the host is to run `attest hook verb` at all.
    pub(crate) fn wants(&self, verb: &str) -> bool {
        self.hooks.iter().any(|spec| spec.verb == verb)
    }
}

impl Program<'_> {
    /// The value of `command` for a call with `args`.
    pub(super) fn command(self, args: &[String]) -> Fragment {
        Fragment::Text(match self.form {
            CallForm::Shell => shell::command_line(self.path, args),
            CallForm::Exec => self.path.to_owned(),
        })
    }
}

impl HookSpec {
    /// A matcher group with nothing but this hook.
    pub(super) fn group(&self, program: Program<'_>) -> Fragment {
        let mut group = Vec::new();
        if let Some(matcher) = self.matcher {
            group.push(("matcher", Fragment::Text(matcher.to_owned())));
        }
        group.push(("hooks", Fragment::Array(vec![self.handler(program)])));
        Fragment::Object(group)
    }

    // The full path, because a host need not have the PATH of the person's shell.
    fn handler(&self, program: Program<'_>) -> Fragment {
        let args = ["hook", self.verb].map(str::to_owned);
        let mut handler = vec![
            ("type", Fragment::Text("command".to_owned())),
            ("command", program.command(&args)),
        ];
        if program.form == CallForm::Exec {
            handler.push(("args", Fragment::words(&args)));
        }
        handler.extend([
            ("timeout", self.timeout()),
            ("async", Fragment::Bool(false)),
            ("statusMessage", Self::status_message()),
        ]);
        Fragment::Object(handler)
    }

    pub(super) fn timeout(&self) -> Fragment {
        Fragment::Number(self.timeout)
    }

    pub(super) fn status_message() -> Fragment {
        Fragment::Text(STATUS_MESSAGE.to_owned())
    }
}
