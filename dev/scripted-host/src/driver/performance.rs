//! What came of a run, and what of it is not as it must be.

use std::collections::BTreeMap;
use std::path::PathBuf;

use attest_process::Finished;

use super::Driver;
use super::script::Expect;
use crate::journal::{self, Entry};
use crate::scenario::Scenario;

/// What came of a run.
#[derive(Debug)]
pub struct Performance {
    /// How the host ended, and what it printed.
    pub ran: Finished,
    /// What attest's own commands printed.
    pub printed: String,
    /// The scratch home, which is gone.
    pub home: PathBuf,
    /// What it asked the model, and was told.
    pub requests: Vec<Entry>,
    /// attest's own log.
    pub log: String,
    /// The files of the work tree.
    pub tree: BTreeMap<String, Vec<u8>>,
}

impl Performance {
    /// What a text of attest stands between in what the conversation of a script was told: before the text that begins
    /// with `first`, and behind the one that ends with `last`.
    #[must_use]
    pub fn around(&self, script: &str, first: &str, last: &str) -> Option<(&str, &str)> {
        let mut told = journal::told(&self.requests, script).into_iter();
        told.find_map(|text| {
            let (before, rest) = text.split_once(first)?;
            Some((before, rest.split_once(last)?.1))
        })
    }

    /// What a line that the host printed has before a text of attest.
    #[must_use]
    pub fn before_notice(&self, text: &str) -> Option<&str> {
        let mut lines = self.lines();
        lines.find_map(|line| Some(line.split_once(text)?.0))
    }

    /// What is not as it must be, each in a sentence.
    pub(super) fn faults(
        &self,
        driver: &dyn Driver,
        scenario: &Scenario,
        expect: &Expect,
    ) -> Vec<String> {
        let mut faults = Faults(Vec::new());
        let end = &self.ran.end;
        let what = format!("the host did not end well ({end})");
        faults.must(end.is_success(), what);
        self.find_unplayed(scenario, &mut faults);
        self.find_unreported(expect, &mut faults);
        self.find_unprinted(expect, &mut faults);
        for report in &expect.reports_somewhere {
            let what = format!("the log lacks {report:?}");
            faults.must(self.log.contains(report.as_str()), what);
        }
        let is_without = !self.log.contains(" ERROR ");
        faults.must(is_without, "the log has an error".to_owned());
        for (paths, is_there) in [(&expect.tree, true), (&expect.no_tree, false)] {
            for path in paths {
                let what = format!("{path} is there: {}", !is_there);
                faults.must(self.tree.contains_key(path) == is_there, what);
            }
        }
        self.find_untold(expect, &mut faults);
        self.find_unshown(driver, expect, &mut faults);
        faults.0
    }

    /// Turns that the host did not ask for, or asked for too often.
    fn find_unplayed(&self, scenario: &Scenario, faults: &mut Faults) {
        for (name, turns) in &scenario.scripts {
            let played = self.played(name);
            let what = format!("{name}: {played} of {} turns were played", turns.len());
            faults.must(played >= turns.len(), what);
            let repeats = turns.last().is_some_and(|turn| turn.repeat);
            let last = journal::told(&self.requests, name);
            let last = last.last().copied().unwrap_or_default();
            let what = format!("{name}: asked for more than is written, told {last:?}");
            faults.must(repeats || played == turns.len(), what);
        }
    }

    /// What attest did not do in the order that is expected, by its log.
    fn find_unreported(&self, expect: &Expect, faults: &mut Faults) {
        let revisions = self.log.matches("BLOCKED false DONE: ").count();
        let what = format!("{revisions} revisions, expected {}", expect.revisions);
        faults.must(revisions == expect.revisions, what);
        let mut rest = self.log.as_str();
        for report in &expect.reports {
            let at = rest.find(report.as_str());
            let what = format!("the log lacks {report:?}, or has it too early");
            faults.must(at.is_some(), what);
            rest = at.and_then(|at| rest.get(at..)).unwrap_or(rest);
        }
    }

    /// What attest's own commands did not print, or should not have.
    fn find_unprinted(&self, expect: &Expect, faults: &mut Faults) {
        for text in &expect.printed {
            let what = format!("attest did not print {text:?}: {}", self.printed);
            faults.must(self.printed.contains(text.as_str()), what);
        }
        for text in &expect.not_printed {
            let printed = self.printed.lines();
            let found = printed.filter(|line| line.to_lowercase().contains(&text.to_lowercase()));
            let found: Vec<_> = found.collect();
            faults.must(found.is_empty(), format!("attest printed {found:?}"));
        }
    }

    /// What a conversation was not told, or should not have been.
    fn find_untold(&self, expect: &Expect, faults: &mut Faults) {
        for (told, is_told) in [(&expect.told, true), (&expect.not_told, false)] {
            for (script, text) in told
                .iter()
                .flat_map(|(script, texts)| texts.iter().map(move |text| (script, text)))
            {
                let heard = journal::told(&self.requests, script).join("\n");
                let what = format!("{script} is told {text:?}: {}", !is_told);
                faults.must(heard.contains(text) == is_told, what);
            }
        }
    }

    /// What the person was not shown, or should not have been.
    fn find_unshown(&self, driver: &dyn Driver, expect: &Expect, faults: &mut Faults) {
        let told: Vec<&str> = self
            .lines()
            .filter(|line| !driver.is_about_plugin(line))
            .collect();
        let shown = |text: &str| told.iter().any(|line| line.contains(text));
        for text in expect.person.iter().filter(|_| driver.shows_notices()) {
            faults.must(shown(text), format!("the person is not shown {text:?}"));
        }
        for text in &expect.not_person {
            faults.must(!shown(text), format!("the person is shown {text:?}"));
        }
    }

    /// What the host printed, on any stream.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.ran.stdout.lines().chain(self.ran.stderr.lines())
    }

    /// How many turns of a script the host asked for.
    fn played(&self, script: &str) -> usize {
        let entries = self.requests.iter();
        let own = entries.filter(|entry| entry.script.as_deref() == Some(script));
        own.filter_map(|entry| entry.turn)
            .max()
            .map_or(0, |last| last + 1)
    }
}

/// What is not as it must be.
struct Faults(Vec<String>);

impl Faults {
    fn must(&mut self, holds: bool, what: String) {
        if !holds {
            self.0.push(what);
        }
    }
}
