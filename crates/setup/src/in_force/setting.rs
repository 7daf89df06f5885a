//! Everything that decides what the hooks do, with who says so.

use std::path::{Path, PathBuf};

use attest_snapshot::escaped;
use serde::Serialize;

use super::{InForce, Source, hears_at_start};
use attest_base::config::{Config, leaves_default, variable_of};
use attest_base::env;
use attest_base::ui::{Cell, Column, STRONG, Table};

/// One setting.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    variable: &'static str,
    /// What the variable holds, where it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
    from: Source,
    /// The file that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathBuf>,
}

impl InForce<'_> {
    /// All that decides what the hooks do.
    pub(crate) fn settings(&self) -> Vec<Setting> {
        let config = Config::read(&self.env);
        let is_read = |variable: &str| {
            let mut complaints = config.complaints.iter();
            !complaints.any(|it| variable_of(it) == variable && leaves_default(it))
        };
        let asks = self.asks(config.asks);
        let policy = config.policy;
        let on = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
        let agents = policy.agents.map_or_else(
            || "all".to_owned(),
            |names| names.into_iter().collect::<Vec<_>>().join(", "),
        );
        let state = config.state_db.as_deref().map_or_else(
            || match self.env.home_or_why() {
                Err(why) => format!("none: {why}"),
                Ok(_) => "none".to_owned(),
            },
            |path| path.display().to_string(),
        );
        let asking = if hears_at_start(self.host) {
            on(asks)
        } else {
            "not heard in this host".to_owned()
        };
        let check = match (
            config.check_environment.is_some(),
            policy.criteria_send_back,
        ) {
            (false, _) => "off",
            (true, false) => "on",
            (true, true) => "block",
        };
        let gates = config.gates.programs.iter();
        let gates: Vec<_> = gates.map(|path| path.display().to_string()).collect();
        let retries = match policy.max_retries {
            most @ 0..=1 => most.to_string(),
            most => format!("up to {most} (see ALLOW_STOP_HOOK_ACTIVE)"),
        };
        let all = [
            ("enforcement", on(policy.enforce), env::ENFORCE),
            ("agent types", agents, env::ENFORCE_AGENTS),
            ("strict", list(&policy.strict.words()), env::STRICT),
            ("retries", retries, env::MAX_RETRIES),
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
            ("asking", asking, env::ASK),
            ("check", check.to_owned(), env::CHECK),
            ("gates", list(&gates), env::GATES),
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
                    path: self
                        .path(variable)
                        .filter(|_| from != Source::Default)
                        .map(Path::to_owned),
                    from,
                }
            })
            .collect()
    }
}

/// What is on a list, or that nothing is.
fn list(all: &[impl AsRef<str>]) -> String {
    if all.is_empty() {
        return "none".to_owned();
    }
    let all: Vec<_> = all.iter().map(AsRef::as_ref).collect();
    all.join(", ")
}

impl Setting {
    /// Who says so, safe to print.
    fn origin(&self) -> String {
        let raw = self.raw.as_deref().unwrap_or_default();
        let text = match (self.from, &self.path) {
            (Source::Default, _) => "default".to_owned(),
            (_, Some(path)) => format!("{}={raw} in {}", self.variable, path.display()),
            (_, None) => format!("{}={raw} in this environment", self.variable),
        };
        escaped(text.as_bytes())
    }
}

/// The settings in a table.
pub(crate) fn table<'s>(
    settings: impl Iterator<Item = &'s Setting>,
    width: Option<usize>,
) -> String {
    let columns = [
        Column::whole("SETTING", 9),
        Column::path("VALUE", 8),
        Column::prose("FROM", 1),
    ];
    let mut table = Table::new(columns).indented(2);
    for setting in settings {
        let value = escaped(setting.value.as_bytes());
        table.push([
            Cell::new(setting.name),
            Cell::styled(STRONG, value),
            Cell::new(setting.origin()),
        ]);
    }
    table.render(width)
}
