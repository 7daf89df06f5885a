//! A trial that has been played: whether it came out as it must.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::PathBuf;

use serde_json::Value;

use super::Trial;
use crate::outcome::{HookReply, Outcome};
use crate::run::RunError;

/// The most characters that a subagent may be told by a block, in one text, beside what the host puts around it.
const LONGEST_BLOCK: usize = 700;
/// What the log has before the files for which an agent was sent back.
const BLOCKED: &str = "BLOCKED false DONE: ";
/// What every block asks for: a subagent for all of its report, the main agent for a report.
const REQUESTS: [&str; 2] = ["complete final report again", "Then report again"];

/// A trial and what came of it.
#[derive(Debug)]
pub struct Played<'t> {
    pub(super) trial: &'t Trial,
    /// The program whose hooks were tried.
    pub(super) attest: PathBuf,
    /// What came of it.
    pub outcome: Outcome,
}

impl Played<'_> {
    /// What is not as it must be, each in a sentence. None where all is well.
    pub fn faults(&self) -> Result<Vec<String>, RunError> {
        let mut faults = Faults(Vec::new());
        let end = &self.outcome.end;
        faults.unless(end.is_success(), || {
            let said = self.outcome.errors.lines().next().unwrap_or_default();
            format!("the host did not end well ({end}): {said}")
        });
        self.check_script(&mut faults);
        self.check_events(&mut faults);
        self.check_blocks(&mut faults);
        self.check_log(&mut faults);
        self.check_told(&mut faults);
        self.check_screen(&mut faults);
        let expect = &self.trial.expect;
        let tree = self.outcome.bench.tree()?;
        for (paths, is_there) in [(&expect.tree, true), (&expect.no_tree, false)] {
            for path in paths {
                faults.unless(tree.contains_key(path) == is_there, || {
                    format!("{path} is there: {}", !is_there)
                });
            }
        }
        if let Some(count) = expect.collected {
            let mut gc = self.outcome.bench.command(&self.attest);
            let output = gc.args(["gc", "--older-than", "0s"]).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            faults.unless(text.starts_with(&format!("forgot {count} ")), || {
                format!("`attest gc` said {text:?}")
            });
        }
        Ok(faults.0)
    }

    /// Whether only the order of each conversation's own events is certain.
    #[must_use]
    pub fn is_concurrent(&self) -> bool {
        self.trial.expect.concurrent
    }

    /// Every text in which a subagent received a block, in the order of the scripts. What the host
    /// says of other things in the same message, in paragraphs of their own, is left out.
    #[must_use]
    pub fn received(&self) -> Vec<&str> {
        let reasons = self.reasons();
        let scripts = self.trial.scenario.scripts.keys();
        scripts
            .flat_map(|script| self.outcome.told(script))
            .flat_map(|text| text.split("\n\n"))
            .filter(|text| reasons.iter().any(|reason| text.contains(reason)))
            .collect()
    }

    /// attest's own log.
    #[must_use]
    pub fn log(&self) -> String {
        let path = self.outcome.bench.home().join(".attest/attest.log");
        std::fs::read_to_string(path).unwrap_or_default()
    }

    /// The reasons of all blocks, as the host received them from the hook; or as attest recorded them, if the host
    /// is too old to report what its hooks answer.
    fn reasons(&self) -> Vec<String> {
        let is_stop = |reply: &HookReply| matches!(reply.event.as_str(), "SubagentStop" | "Stop");
        if !self.outcome.replies.iter().any(is_stop) {
            return self.recorded();
        }
        let replies = self.outcome.replies.iter();
        replies
            .filter(|reply| is_stop(reply))
            .filter_map(|reply| serde_json::from_str::<Value>(&reply.stdout).ok())
            .filter(|reply| reply["decision"] == "block")
            .filter_map(|reply| reply["reason"].as_str().map(str::to_owned))
            .collect()
    }

    fn recorded(&self) -> Vec<String> {
        let ask = |arguments: &[&str]| {
            let mut attest = self.outcome.bench.command(&self.attest);
            let output = attest.args(arguments).arg("--json").output();
            let text = output.map(|output| output.stdout).unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        };
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let log = ask(&["log", "--all", "--outcome", "blocked,sent-back"]);
        let mut reasons: Vec<_> = log
            .lines()
            .filter_map(|line| {
                let id = read(line)?["id"].as_str()?.to_owned();
                let reason = read(&ask(&["show", &id]))?["block"].as_str()?.to_owned();
                Some(reason)
            })
            .collect();
        // The log has the newest first.
        reasons.reverse();
        reasons
    }

    fn check_script(&self, faults: &mut Faults) {
        // Not the requests themselves: they hold the host's own prompts.
        let is_elsewhere = |path: &str| !path.starts_with('/');
        let may_ask = self.trial.expect.any_version;
        let strays: Vec<_> = self
            .outcome
            .strays()
            .filter(|entry| !may_ask || !is_elsewhere(&entry.path))
            .map(|entry| (&entry.path, &entry.script, entry.turn))
            .collect();
        faults.unless(strays.is_empty(), || {
            format!("requests that nobody wrote: {strays:?}")
        });
        let unplayed = self.outcome.unplayed(&self.trial.scenario);
        faults.unless(unplayed.is_empty(), || {
            format!("scripts left before their end: {unplayed:?}")
        });
    }

    fn check_events(&self, faults: &mut Faults) {
        let (outcome, expect) = (&self.outcome, &self.trial.expect);
        if expect.any_version && outcome.payloads.is_empty() {
            return;
        }
        let starts: Vec<_> = outcome.events("SubagentStart").collect();
        let stops: Vec<_> = outcome.events("SubagentStop").collect();
        faults.compare("starts", &starts.len(), &expect.starts);
        faults.compare("stops", &stops.len(), &expect.stops);
        let ids = starts.iter().chain(&stops);
        let ids: BTreeSet<_> = ids.map(|event| event["agent_id"].as_str()).collect();
        faults.compare("agents", &ids.len(), &expect.agents);
        if let Some(active) = &expect.active {
            let seen = stops.iter().map(|stop| stop["stop_hook_active"] == true);
            faults.compare("stop_hook_active", &seen.collect(), active);
        }
    }

    /// The text of a block: short, with every file's name, a request for the whole report, and
    /// without the command line of the hook.
    fn check_blocks(&self, faults: &mut Faults) {
        let reasons = self.reasons();
        let expected = self.trial.expect.blocks;
        faults.compare("blocks", &reasons.len(), &expected);
        let received = self.received();
        for reason in &reasons {
            let count = received.iter().filter(|text| text.contains(reason)).count();
            faults.unless(count > 0, || format!("no agent was told {reason:?}"));
            let is_short = reason.chars().count() <= LONGEST_BLOCK;
            faults.unless(is_short, || {
                format!("the text of a block is too long: {reason:?}")
            });
        }
        let program = self.attest.to_string_lossy();
        for text in &received {
            let mut must = |holds: bool, what: &str| {
                faults.unless(holds, || format!("the text of a block {what}: {text:?}"));
            };
            let asks = REQUESTS.iter().any(|request| text.contains(request));
            must(asks, "does not ask for the report");
            must(!text.contains("hook stop"), "has a command line");
            must(!text.contains(&*program), "has the program's path");
        }
        let log = self.log();
        let lines = log.lines().filter_map(|line| line.split_once(BLOCKED));
        for file in lines.flat_map(|(_, files)| files.split(", ")) {
            let name = file.trim_start_matches("criterion ");
            let is_named = received.iter().any(|text| text.contains(name));
            faults.unless(is_named, || format!("no block names {file}"));
        }
    }

    fn check_log(&self, faults: &mut Faults) {
        let log = self.log();
        let mut rest = log.as_str();
        for report in &self.trial.expect.reports {
            match rest.find(report.as_str()) {
                Some(at) => rest = &rest[at..],
                None => faults
                    .0
                    .push(format!("the log lacks {report:?}, or has it too early")),
            }
        }
        faults.unless(!log.contains(" ERROR "), || {
            "the log has an error".to_owned()
        });
    }

    fn check_told(&self, faults: &mut Faults) {
        let expect = &self.trial.expect;
        for (told, is_told) in [(&expect.told, true), (&expect.not_told, false)] {
            for (script, texts) in told {
                let heard = self.outcome.told(script).join("\n");
                for text in texts {
                    faults.unless(heard.contains(text) == is_told, || {
                        format!("{script} is told {text:?}: {}", !is_told)
                    });
                }
            }
        }
        for (script, texts) in &expect.told_once {
            let heard = self.outcome.told(script).join("\n");
            for text in texts {
                let count = heard.matches(text.as_str()).count();
                faults.unless(count == 1, || {
                    format!("{script} is told {text:?} {count} times, not once")
                });
            }
        }
    }

    fn check_screen(&self, faults: &mut Faults) {
        let Some(expected) = &self.trial.expect.screen else {
            return;
        };
        let mut seen = vec![self.outcome.notices()];
        if self.outcome.shows_notices() {
            let mut shown = self.outcome.screen();
            shown.retain(|text| text.contains("attest: "));
            seen.push(shown.into_iter().map(str::to_owned).collect());
        }
        for notices in seen {
            let mut pairs = notices.iter().zip(expected);
            let holds = notices.len() == expected.len()
                && pairs.all(|(notice, text)| notice.matches(text.as_str()).count() == 1);
            faults.unless(holds, || {
                format!("the person is shown {notices:?}, expected {expected:?}")
            });
        }
    }
}

struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.0.push(what());
        }
    }

    fn compare<T: PartialEq + Debug>(&mut self, what: &str, found: &T, expected: &T) {
        self.unless(found == expected, || {
            format!("{what}: found {found:?}, expected {expected:?}")
        });
    }
}
