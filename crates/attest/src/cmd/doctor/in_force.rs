//! What is in force for the hooks, and who says so.
//!
//! A host gives its hooks its own environment, and over that what the `env` of its settings file
//! holds (run in 2.1.138 and 2.1.330: the settings win, numbers and booleans arrive as text).

use std::path::PathBuf;

use attest_verdict::Strict;
use serde::Serialize;

use super::layers::Layer;
use super::report::Check;
use crate::config::Config;
use crate::env::{self, Env};

const NAME: &str = "settings";
/// What the names of all settings begin with.
const PREFIX: &str = "ATTEST_";
/// More edits make another word.
const MOST_EDITS: usize = 3;

/// One setting.
#[derive(Debug, Serialize)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) value: String,
    variable: &'static str,
    /// What the variable holds, where it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
    from: Source,
}

/// Who says what a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Settings,
    Project,
    Environment,
    Default,
}

/// The environment of a hook: this one, and over it the variables of the settings file.
pub(super) struct HookEnv<'a> {
    layers: Vec<Layer>,
    own: &'a Env,
    pub(super) env: Env,
}

impl<'a> HookEnv<'a> {
    /// With the variables of `layers`, of which the last counts most.
    pub(super) fn new(layers: Vec<Layer>, own: &'a Env) -> Self {
        let over = |env: Env, layer: &Layer| env.with(&layer.variables);
        Self {
            env: layers.iter().fold(own.clone(), over),
            layers,
            own,
        }
    }

    /// The file that says what a variable is.
    fn layer(&self, variable: &str) -> Option<&Layer> {
        let has = |layer: &&Layer| layer.variables.iter().any(|(name, _)| name == variable);
        self.layers.iter().rfind(has)
    }

    fn source(&self, variable: &str) -> Source {
        if let Some(layer) = self.layer(variable) {
            if layer.is_of_project {
                Source::Project
            } else {
                Source::Settings
            }
        } else if self.own.get(variable).is_some() {
            Source::Environment
        } else {
            Source::Default
        }
    }

    /// Every value that cannot be read, and a state file that the commands of this shell do not use.
    pub(super) fn check(&self) -> Vec<Check> {
        let config = Config::read(&self.env);
        let complaints = config.complaints.iter().map(|complaint| {
            let detail = match self.layer(variable_of(complaint)) {
                Some(layer) => format!("{complaint} (in {})", layer.path.display()),
                None => format!("{complaint} (in this environment)"),
            };
            Check::fail(
                NAME,
                detail,
                "correct it; until then the default is in force",
            )
        });
        let mut checks: Vec<_> = complaints.collect();
        checks.extend(self.misunderstood());
        let own = Config::read(self.own).state_db;
        if let (Some(own), Some(of_hooks)) = (own, config.state_db)
            && own != of_hooks
        {
            let (own, of_hooks) = (own.display(), of_hooks.display());
            checks.push(Check::warn(
                NAME,
                format!(
                    "the hooks use the state file {of_hooks}, and commands in this shell {own}"
                ),
                "set ATTEST_STATE_DB in this shell as well to see what the hooks recorded",
            ));
        }
        let gates = config.gates.programs.iter();
        checks.extend(gates.filter(|gate| !gate.is_file()).map(|gate| {
            Check::fail(
                NAME,
                format!("{}={}: there is no such file", env::GATES, gate.display()),
                "correct the path; until then this gate has no say",
            )
        }));
        checks
    }

    /// What a person has probably meant otherwise: switches that are not on, and names that are not read.
    fn misunderstood(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        for switch in [env::ENFORCE, env::CHECK] {
            let value = self.env.text(switch).unwrap_or("0");
            let is_clear = ["0", "1", "off", "no", "false"]
                .iter()
                .any(|clear| value.eq_ignore_ascii_case(clear));
            if !is_clear {
                let detail = format!("{switch}={value}: it is off, because only 1 turns it on");
                checks.push(Check::warn(NAME, detail, "set it to 1, or to 0"));
            }
        }
        checks.extend(self.layers.iter().flat_map(unknown_in));
        checks
    }

    /// All that decides what the hooks do.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let config = Config::read(&self.env);
        let is_read = |variable: &str| {
            let mut complaints = config.complaints.iter();
            !complaints.any(|complaint| variable_of(complaint) == variable)
        };
        let policy = config.policy;
        let on = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
        let agents = policy.agents.map_or_else(
            || "all".to_owned(),
            |names| names.into_iter().collect::<Vec<_>>().join(", "),
        );
        let state = config.state_db.as_deref().map_or_else(
            || "none: there is no home folder".to_owned(),
            |path| path.display().to_string(),
        );
        let all = [
            ("enforcement", on(policy.enforce), env::ENFORCE),
            ("agent types", agents, env::ENFORCE_AGENTS),
            ("strict", words(policy.strict), env::STRICT),
            ("retries", policy.max_retries.to_string(), env::MAX_RETRIES),
            (
                "session ceiling",
                policy.session_ceiling.to_string(),
                env::SESSION_BLOCK_CEILING,
            ),
            (
                "turns",
                config
                    .sessions
                    .map_or_else(|| "as is usual for the host".to_owned(), on),
                env::SESSIONS,
            ),
            ("check", on(config.check_environment.is_some()), env::CHECK),
            ("gates", paths(&config.gates.programs), env::GATES),
            ("advise", on(config.advise), env::ADVISE),
            ("state file", state, env::STATE_DB),
        ];
        all.into_iter()
            .map(|(name, value, variable)| {
                let from = match self.source(variable) {
                    from if is_read(variable) => from,
                    _ => Source::Default,
                };
                let raw = self.env.get(variable).filter(|_| from != Source::Default);
                let raw = raw.map(|raw| raw.to_string_lossy().into_owned());
                Setting {
                    name,
                    value,
                    variable,
                    raw,
                    from,
                }
            })
            .collect()
    }
}

/// A warning for each variable of a file that looks like a setting and is not one.
fn unknown_in(layer: &Layer) -> Vec<Check> {
    let names = layer.variables.iter().map(|(name, _)| name);
    let is_unknown =
        |name: &&String| name.starts_with(PREFIX) && !env::SETTINGS_OF_ATTEST.contains(&&***name);
    let unknown = names.filter(is_unknown).map(|name| {
        let advice = nearest(name).map_or_else(
            || "take it out".to_owned(),
            |nearest| format!("take it out, or call it {nearest} if that is meant"),
        );
        let detail = format!("{name} in {} is not a setting", layer.path.display());
        Check::warn(NAME, detail, advice)
    });
    unknown.collect()
}

/// The setting whose name is most like `name`, if one is.
fn nearest(name: &str) -> Option<&'static str> {
    let settings = env::SETTINGS_OF_ATTEST.iter().copied();
    let edits = settings.map(|setting| (strsim::osa_distance(name, setting), setting));
    let (edits, setting) = edits.min()?;
    (edits <= MOST_EDITS).then_some(setting)
}

/// The variable that a complaint is about, with which it begins.
fn variable_of(complaint: &str) -> &str {
    complaint.split('=').next().unwrap_or_default()
}

fn paths(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    shown.join(", ")
}

/// The words of `ATTEST_STRICT`.
fn words(strict: Strict) -> String {
    let words = [
        (strict.dirty, "dirty"),
        (strict.untouched, "untouched"),
        (strict.deleted, "deleted"),
        (strict.basename, "basename"),
        (strict.criteria, "criteria"),
    ];
    let on: Vec<_> = words.iter().filter(|(is_on, _)| *is_on).collect();
    if on.is_empty() {
        return "none".to_owned();
    }
    let on: Vec<_> = on.into_iter().map(|(_, word)| *word).collect();
    on.join(", ")
}

impl Setting {
    /// Who says so, safe to print.
    pub(super) fn origin(&self) -> String {
        let raw = self.raw.as_deref().unwrap_or_default();
        let text = match self.from {
            Source::Settings => format!("{}={raw} in the settings file", self.variable),
            Source::Project => format!("{}={raw} in the settings of the project", self.variable),
            Source::Environment => format!("{}={raw} in this environment", self.variable),
            Source::Default => "default".to_owned(),
        };
        attest_snapshot::escaped(text.as_bytes())
    }
}
