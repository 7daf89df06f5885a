//! What is in force after the command, said so that the last line is the answer.

use std::path::Path;

use attest_snapshot::escaped;

use crate::in_force::{Covered, InForce, Source};
use attest_base::config::Config;
use attest_base::env;
use attest_base::error::CommandError;
use attest_base::ui::Ui;

/// What is in force in this folder, and in folders of no project.
pub(super) struct Truth<'a> {
    pub(super) here: InForce<'a>,
    pub(super) elsewhere: InForce<'a>,
}

impl Truth<'_> {
    /// Who is blocked now, and what stands against it; `path` is the file that the command is about.
    pub(super) fn say(
        &self,
        ui: &mut Ui,
        path: &Path,
        words: &mut Words,
    ) -> Result<(), CommandError> {
        let now = self.here.enforcement();
        if now.covered != Covered::Nobody {
            let policy = Config::read(&self.here.env).policy;
            words.tell_once(ui, of_dirty_starts(policy.strict.dirty))?;
        }
        if let Covered::Types(_) = now.covered {
            words.tell_once(
                ui,
                "other types are only reported: `attest enforce on` covers all of them again",
            )?;
        }
        for line in self.others_that_count(path) {
            words.tell_once(ui, &line)?;
        }
        let title = self.here.host().profile().executable.title;
        let elsewhere = self.elsewhere.enforcement();
        if elsewhere != now {
            let sentence = elsewhere.sentence(words.is);
            ui.tell(&words.of(title, &format!("in other folders, {sentence}")))?;
        }
        if now.covered != Covered::Nobody {
            for obstacle in &now.obstacles {
                let text = format!("{obstacle}: {}", obstacle.advice());
                ui.warn(&words.of(title, &text));
            }
        }
        ui.tell(&words.of(title, &now.sentence(words.is)))
    }

    /// What is not decided by the file that the command is about.
    fn others_that_count(&self, path: &Path) -> Vec<String> {
        let variables = [env::ENFORCE, env::ENFORCE_AGENTS, env::STRICT];
        let others = variables.into_iter().filter_map(|variable| {
            let layer = self
                .here
                .layer(variable)
                .filter(|layer| layer.path != path)?;
            let mut values = layer.variables.iter().rev();
            let (_, value) = values.find(|(name, _)| name == variable)?;
            let (other, path) = (layer.path.display(), path.display());
            let line = format!("{other} sets {variable}={value}, which counts more than {path}");
            Some(escaped(line.as_bytes()))
        });
        let mut lines: Vec<_> = others.collect();
        if self.here.source(env::ENFORCE) == Source::Environment {
            let mut line = format!(
                "{} is set in this environment, and only for hosts that are started from it",
                env::ENFORCE
            );
            if self.here.own_settings().path.as_deref() == Some(path) {
                line.push_str(&format!(", where it counts more than {}", path.display()));
            }
            lines.push(escaped(line.as_bytes()));
        }
        lines
    }
}

/// How it is said.
pub(super) struct Words {
    is: &'static str,
    /// Whether each host has to be named.
    are_several: bool,
    said: Vec<String>,
}

impl Words {
    pub(super) fn new(is: &'static str, are_several: bool) -> Self {
        Self {
            is,
            are_several,
            said: Vec::new(),
        }
    }

    /// Says what is so in one host and in the next only once.
    fn tell_once(&mut self, ui: &mut Ui, line: &str) -> Result<(), CommandError> {
        if self.said.iter().any(|said| said == line) {
            return Ok(());
        }
        self.said.push(line.to_owned());
        ui.tell(line)
    }

    /// What is said of one of the hosts.
    fn of(&self, title: &str, sentence: &str) -> String {
        if self.are_several {
            format!("{title}: {sentence}")
        } else {
            sentence.to_owned()
        }
    }
}

/// What happens to an agent that began in a dirty work tree.
fn of_dirty_starts(are_counted: bool) -> &'static str {
    if are_counted {
        "agents that started with uncommitted changes are blocked, too (ATTEST_STRICT=dirty): `--lenient` turns that off"
    } else {
        "agents that started with uncommitted changes are not blocked: leave out `--lenient`, or put `dirty` into ATTEST_STRICT"
    }
}
