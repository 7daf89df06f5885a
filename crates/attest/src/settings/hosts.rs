//! Which hooks attest wants in which host's settings file.

use std::path::PathBuf;

use jsonc_parser::cst::CstInputValue;

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
    pub(super) fn command(self, args: &[String]) -> CstInputValue {
        match self.form {
            CallForm::Shell => shell::command_line(self.path, args).into(),
            CallForm::Exec => self.path.into(),
        }
    }
}

impl HookSpec {
    /// Shown by the host while the hook runs, and quoted to the model in place of the command line.
    pub(super) const STATUS_MESSAGE: &str = "attest";

    /// The matcher groups of an event with nothing but this hook.
    pub(super) fn groups(&self, program: Program<'_>) -> CstInputValue {
        CstInputValue::Array(vec![self.group(program)])
    }

    /// A matcher group with nothing but this hook.
    pub(super) fn group(&self, program: Program<'_>) -> CstInputValue {
        let matcher = self.matcher.map(|matcher| ("matcher", matcher.into()));
        let handlers = CstInputValue::Array(vec![self.handler(program)]);
        object(matcher.into_iter().chain([("hooks", handlers)]))
    }

    // The full path, because a host need not have the PATH of the person's shell.
    fn handler(&self, program: Program<'_>) -> CstInputValue {
        let words = ["hook", self.verb].map(str::to_owned).to_vec();
        let command = program.command(&words);
        let args = (program.form == CallForm::Exec).then(|| ("args", words.into()));
        let call = [("type", "command".into()), ("command", command)];
        let settings = [
            ("timeout", self.timeout.into()),
            ("async", false.into()),
            ("statusMessage", Self::STATUS_MESSAGE.into()),
        ];
        object(call.into_iter().chain(args).chain(settings))
    }
}

fn object(properties: impl IntoIterator<Item = (&'static str, CstInputValue)>) -> CstInputValue {
    let properties = properties.into_iter();
    CstInputValue::Object(
        properties
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}
