//! Who may be sent back, and what keeps that from happening.

use std::path::PathBuf;

use attest_host::settings::{Holder, Switched};
use attest_snapshot::escaped;

use super::layers::{Layer, Owner};
use super::{Covered, InForce, last_heard};
use attest_base::config::Config;
use attest_base::env;
use attest_base::off::Off;
use attest_base::targets;
use attest_base::time::ago;
use jiff::Timestamp;

/// Whether agents are blocked, as it comes out of all files and the environment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Enforcement {
    pub(crate) covered: Covered,
    /// Each of them alone keeps every hook from blocking, as far as is known.
    pub(crate) obstacles: Vec<Obstacle>,
    /// When hooks ran last, if the settings have none.
    pub(crate) heard: Option<Timestamp>,
}

/// Why nothing is blocked, whatever the variables say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A switch of the host is off in a file.
    Switch { switched: Switched, path: PathBuf },
    /// The person turned attest off, since when and where.
    Off(String),
    /// A setting of the host outside of the files with hooks.
    Setting(String),
    /// No file has a hook that judges a stop, and none ran lately. What a package has that is new is not known.
    NoHooks {
        /// What puts them there.
        command: String,
    },
    /// No file that can be read has a hook that judges a stop, and this one cannot be.
    Unreadable { path: PathBuf, why: String },
    /// This variable allows no block.
    NoBlocks {
        variable: &'static str,
        place: String,
    },
}

impl InForce<'_> {
    /// Whether agents are blocked.
    pub(crate) fn enforcement(&self) -> Enforcement {
        let mut obstacles = self.turned_off();
        let policy = Config::read(&self.env).policy;
        let limits = [
            (policy.max_retries, env::MAX_RETRIES),
            (policy.session_ceiling, env::SESSION_BLOCK_CEILING),
        ];
        let none = limits.into_iter().filter(|(limit, _)| *limit == 0);
        obstacles.extend(none.map(|(_, variable)| Obstacle::NoBlocks {
            variable,
            place: self.place(variable),
        }));
        let is_in_file = self.layers.iter().any(|layer| layer.judges);
        let unreadable = self.layers.iter().find_map(Obstacle::of_fault);
        let unreadable = unreadable.filter(|_| !is_in_file);
        let heard = || last_heard(&self.env).remove(self.host.name());
        let heard = (!is_in_file && unreadable.is_none()).then(heard).flatten();
        if !is_in_file && heard.is_none() {
            obstacles.push(unreadable.unwrap_or_else(|| Obstacle::NoHooks {
                command: targets::install_command(self.host),
            }));
        }
        Enforcement {
            covered: Covered::of(&self.env),
            obstacles,
            heard,
        }
    }

    /// What keeps the host from running hooks at all.
    pub(crate) fn turned_off(&self) -> Vec<Obstacle> {
        let off = Off::read(self.own).map(|off| Obstacle::Off(off.phrase()));
        let mut found = Vec::from_iter(off);
        let set = |layer: &Layer| layer.switches.clone();
        let switches = self.layers.iter().flat_map(set).map(|it| it.switch);
        for switch in switches {
            let says = |layer: &&Layer| layer.switches.iter().any(|it| it.switch == switch);
            let Some(last) = self.layers.iter().rfind(says) else {
                continue;
            };
            // Hooks that the administrator has put there run all the same.
            let is_his = |layer: &Layer| layer.owner == Owner::Administrator && layer.judges;
            if switch.holder == Holder::Administrator && self.layers.iter().any(is_his) {
                continue;
            }
            let mut decides = last.switches.iter().filter(|it| it.switch == switch);
            let obstacle = decides.find(|it| it.is_off()).map(|it| Obstacle::Switch {
                switched: *it,
                path: last.path.clone(),
            });
            found.extend(obstacle.filter(|obstacle| !found.contains(obstacle)));
        }
        found.extend(self.turned_off.clone().map(Obstacle::Setting));
        found
    }

    /// Where a variable is set.
    pub(crate) fn place(&self, variable: &str) -> String {
        match self.path(variable) {
            Some(path) => path.display().to_string(),
            None => "this environment".to_owned(),
        }
    }
}

impl Enforcement {
    /// In one sentence, with the first obstacle where there is something in its way.
    pub(crate) fn sentence(&self, is: &str) -> String {
        let phrase = self.covered.phrase();
        match (&self.covered, self.obstacles.first()) {
            (Covered::Nobody, Some(unreadable @ Obstacle::Unreadable { .. })) => {
                format!("enforcement {is} off; {unreadable}")
            }
            (Covered::Nobody, _) | (_, None) => {
                let heard = self.heard.map(|at| ago(at, Timestamp::now()));
                let heard =
                    heard.map(|ago| format!("; hooks ran {ago} that its settings do not have"));
                format!("enforcement {is} {phrase}{}", heard.unwrap_or_default())
            }
            (_, Some(none @ (Obstacle::NoHooks { .. } | Obstacle::Unreadable { .. }))) => {
                format!("enforcement {is} {phrase}, but {none}")
            }
            (_, Some(obstacle)) => {
                format!("enforcement {is} {phrase}, but nothing is blocked: {obstacle}")
            }
        }
    }
}

impl Obstacle {
    fn of_fault(layer: &Layer) -> Option<Self> {
        let path = layer.path.clone();
        let why = layer.fault.clone()?;
        Some(Self::Unreadable { path, why })
    }

    /// What a person can do about it.
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::Switch { switched, .. } if switched.switch.holder == Holder::Administrator => {
                "ask your administrator to run the hooks of attest too, or to take that out"
                    .to_owned()
            }
            Self::Switch { switched, .. } => {
                format!("set it to {}, or no hook runs", !switched.value)
            }
            Self::Off(_) => "run `attest on`".to_owned(),
            Self::Setting(_) => "set it to true, or no hook runs".to_owned(),
            Self::NoHooks { command } => format!("run `{command}`"),
            Self::Unreadable { .. } => "correct the file by hand".to_owned(),
            Self::NoBlocks { variable, .. } => {
                format!("set {variable} to 1 or more, or take it out")
            }
        }
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Switch { switched, path } => format!(
                "`{}` is {} in {}",
                switched.name(),
                switched.value,
                path.display()
            ),
            Self::Off(since) => format!("attest is off {since}"),
            Self::Setting(what) => what.clone(),
            Self::NoHooks { .. } => "no hook of attest is in the settings".to_owned(),
            Self::Unreadable { path, why } => {
                format!("{} cannot be read: {why}", path.display())
            }
            Self::NoBlocks { variable, place } => format!("{variable}=0 in {place}"),
        };
        out.write_str(&escaped(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests;
