//! What is in force for the hooks, who says so, and what stands against it: one computation for every command that
//! speaks of it. Values first; what is printed of them is made of these.
//!
//! A host gives its hooks its own environment, and over that what the `env` of its settings files
//! holds (run in 2.1.138 and 2.1.330: the settings win, numbers and booleans arrive as text).

mod covered;
mod enforcement;
mod heard;
pub(crate) mod layers;
mod setting;

use std::path::Path;

use attest_host::{Host, SampleAgent, hosts};
use attest_snapshot::Printable;
use serde::Serialize;

pub(super) use self::covered::Covered;
pub(super) use self::enforcement::Obstacle;
pub(super) use self::heard::{PACKAGES, last_heard};
use self::layers::{Layer, Owner};
pub(super) use self::setting::{Setting, table};
use attest_base::env::Env;
use attest_base::own_settings::OwnSettings;
use attest_base::targets;

/// Who says what a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    Settings,
    Project,
    Administrator,
    Environment,
    /// The person's own file, for all hosts.
    Attest,
    Default,
}

/// The hosts that have hooks of ours which judge, in the files of the person or of this project or elsewhere, as a package
/// or hooks that ran lately show, and those whose agents the person's own file has blocked; the usual one if none has.
pub(super) fn with_hooks(env: &Env) -> Vec<&'static dyn Host> {
    let (own, heard) = (OwnSettings::read(env), last_heard(env));
    let is_covered = |host: &dyn Host| {
        Covered::of(&Env::default().with(&own.section(host.name()))) != Covered::Nobody
    };
    let all = hosts::ALL.iter().copied();
    let all = all.filter(|host| {
        let is_elsewhere = heard.contains_key(host.name()) || heard::has_package(*host, env);
        is_elsewhere || is_covered(*host) || has_hooks(*host, env)
    });
    let found: Vec<_> = all.collect();
    if found.is_empty() {
        vec![hosts::usual()]
    } else {
        found
    }
}

/// Whether a host has hooks of ours which judge, in the files of the person or of this project.
pub(super) fn has_hooks(host: &'static dyn Host, env: &Env) -> bool {
    let project = targets::project_of_this_folder();
    let layers = layers::of_host(host, project.as_deref(), env);
    layers.iter().any(|layer| layer.judges)
}

/// Whether what its hooks say at the start of a subagent is handed on.
pub(super) fn hears_at_start(host: &'static dyn Host) -> bool {
    let sample = host.sample(&SampleAgent {
        session: "s",
        id: "a",
        folder: Path::new("/"),
        message: None,
    });
    let payload = host.parse(sample.as_bytes());
    payload.is_ok_and(|payload| host.context(&payload, &Printable::new("x")).is_some())
        && host.wiring().hooks().iter().any(|it| it.verb == "start")
}

/// What the hooks of a host run with, in one folder.
pub(super) struct InForce<'a> {
    host: &'static dyn Host,
    /// The one that counts most last.
    layers: Vec<Layer>,
    /// That of the shell, which is taken for the host's own.
    own: &'a Env,
    /// What the person's own file says.
    settings: OwnSettings,
    /// The environment of a hook: below `own` what that file says, and over it the variables of the layers.
    pub(super) env: Env,
    /// The setting in another file of the person that turns hooks off.
    turned_off: Option<String>,
}

impl<'a> InForce<'a> {
    /// In a folder of this project, if it is in one.
    pub(super) fn of(host: &'static dyn Host, project: Option<&Path>, own: &'a Env) -> Self {
        Self::with(host, layers::of_host(host, project, own), own)
    }

    /// With these layers, of which the last counts most.
    pub(super) fn with(host: &'static dyn Host, layers: Vec<Layer>, own: &'a Env) -> Self {
        Self::given(host, layers, OwnSettings::read(own), own)
    }

    fn given(
        host: &'static dyn Host,
        layers: Vec<Layer>,
        settings: OwnSettings,
        own: &'a Env,
    ) -> Self {
        let over = |env: Env, layer: &Layer| match layer.owner {
            Owner::Project => env.with_project(&layer.variables, &layer.path),
            Owner::Person | Owner::Administrator => env.with(&layer.variables),
        };
        let below = settings.below(own, Some(host.name()));
        Self {
            host,
            env: layers.iter().fold(below, over),
            turned_off: targets::turned_off(host, own),
            layers,
            settings,
            own,
        }
    }

    /// The same if the person's own file said this.
    pub(super) fn saying(self, settings: OwnSettings) -> Self {
        Self::given(self.host, self.layers, settings, self.own)
    }

    /// Whether a new subagent is asked for a report. The plugin asks as long as nobody has said whether it is to.
    pub(super) fn asks(&self, said: Option<bool>) -> bool {
        let is_of_plugin = || self.layers.iter().any(|layer| layer.has_only_plugin);
        said.unwrap_or_else(is_of_plugin)
    }

    pub(super) fn host(&self) -> &'static dyn Host {
        self.host
    }

    /// What the person's own file says.
    pub(super) fn own_settings(&self) -> &OwnSettings {
        &self.settings
    }

    pub(super) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The environment of the shell alone.
    pub(super) fn own(&self) -> &'a Env {
        self.own
    }

    /// The settings file of the host that says what a variable is.
    pub(super) fn layer(&self, variable: &str) -> Option<&Layer> {
        let is_refused = |layer: &Layer| {
            let mut refused = self.env.refused.iter();
            refused.any(|it| it.path == layer.path && it.name == variable)
        };
        let has = |layer: &&Layer| {
            let mut variables = layer.variables.iter();
            variables.any(|(name, _)| name == variable) && !is_refused(layer)
        };
        self.layers.iter().rfind(has)
    }

    pub(super) fn source(&self, variable: &str) -> Source {
        match self.layer(variable).map(|layer| layer.owner) {
            Some(Owner::Person) => Source::Settings,
            Some(Owner::Project) => Source::Project,
            Some(Owner::Administrator) => Source::Administrator,
            None if self.env.is_from_below(variable) => Source::Attest,
            None if self.env.get(variable).is_some() => Source::Environment,
            None => Source::Default,
        }
    }

    /// The file that says what a variable is.
    pub(super) fn path(&self, variable: &str) -> Option<&Path> {
        match self.source(variable) {
            Source::Attest => self.settings.path.as_deref(),
            _ => self.layer(variable).map(|layer| &*layer.path),
        }
    }
}
