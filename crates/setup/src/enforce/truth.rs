//! What is in force after the command, said so that the last line is the answer.

use std::path::Path;

use attest_snapshot::escaped;
use attest_verdict::Strict;

use super::dirty::DirtyStarts;
use crate::in_force::{Covered, InForce, Source};
use attest_base::config::Config;
use attest_base::env;
use attest_base::error::CommandError;
use attest_base::shell_word::shell_word;
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
            let line = self.of_dirty_starts(path, &now.covered, words);
            words.tell_once(ui, &escaped(line.as_bytes()))?;
        }
        if let Covered::Types(_) = now.covered {
            let line = self.of_other_types(path, words);
            words.tell_once(ui, &escaped(line.as_bytes()))?;
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

    /// What happens to an agent that began in a dirty work tree, with the command that changes it, if one does.
    fn of_dirty_starts(&self, path: &Path, covered: &Covered, words: &Words) -> String {
        let (strict, said) = (self.strict(), self.here.env.text(env::STRICT));
        let is_free = self.is_free(env::STRICT, path);
        if !strict.dirty {
            let can_add = is_free && said.is_none_or(|said| said.parse::<Strict>().is_ok());
            let command = self.command(covered, false, words);
            let change = can_add.then(|| format!(": `{command}` changes that"));
            let begin = "agents that started with uncommitted changes are not blocked";
            return format!("{begin}{}", change.unwrap_or_default());
        }
        // Behind `all` nothing is left out, nor what is said for all hosts.
        let section = self.here.own_settings().section(self.here.host().name());
        let can_take = is_free && DirtyStarts::of(&section).is_said();
        let command = self.command(covered, true, words);
        let change = can_take.then(|| format!(": `{command}` turns that off"));
        format!(
            "agents that started with uncommitted changes are blocked, too (ATTEST_STRICT={}){}",
            said.unwrap_or_default(),
            change.unwrap_or_default()
        )
    }

    fn of_other_types(&self, path: &Path, words: &Words) -> String {
        let command = self.command(&Covered::Everybody, !self.strict().dirty, words);
        let is_free = self.is_free(env::ENFORCE_AGENTS, path);
        let change = is_free.then(|| format!(": `{command}` covers all of them again"));
        format!(
            "other types are only reported{}",
            change.unwrap_or_default()
        )
    }

    fn strict(&self) -> Strict {
        Config::read(&self.here.env).policy.strict
    }

    /// Whether the file that the command is about decides what a variable is, as nothing that counts more has it.
    fn is_free(&self, variable: &str, path: &Path) -> bool {
        let source = self.here.source(variable);
        source == Source::Default || self.here.path(variable) == Some(path)
    }

    /// What makes them be covered so.
    fn command(&self, covered: &Covered, is_lenient: bool, words: &Words) -> String {
        let mut command = "attest enforce on".to_owned();
        if words.are_several {
            command.push_str(&format!(" --host {}", self.here.host().name()));
        }
        if let Covered::Types(types) = covered {
            let types = types.iter().map(|name| shell_word(name.as_bytes()));
            command.extend(types.map(|name| format!(" --agent {name}")));
        }
        command.push_str(if is_lenient { " --lenient" } else { "" });
        command
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
