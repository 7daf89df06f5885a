//! The runs of what a report means, in their order, with what else may have run it.

use attest_evidence::{FolderPlace, RepositorySource};
use attest_shell::programs::Of;
use attest_shell::{Changes, More, Run, RunEnding, is_prose};
use attest_transcript::{Call, CallKind, Outcome, Ran, ToolCalls};
use jiff::Timestamp;

use super::meant::Meant;
use super::settings;
use super::tree::{self, Until};

/// One run.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'c> {
    pub(super) run: &'c Run,
    /// Which call it was of.
    pub(super) call: usize,
    /// When the call ended.
    pub(super) ended: Option<&'c str>,
}

/// Whether the failure of a run is the last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Open,
    /// If git ran no hooks.
    UnlessHooks,
    /// Something else may have ended otherwise.
    Otherwise,
}

#[derive(Debug)]
pub(super) struct Timeline<'c> {
    calls: &'c ToolCalls,
    meant: Meant<'c>,
    /// All runs that may be of it.
    runs: Vec<At<'c>>,
}

impl<'c> Timeline<'c> {
    pub(super) fn of(calls: &'c ToolCalls, meant: Meant<'c>) -> Self {
        let all = calls.calls.iter().zip(calls.ran()).enumerate();
        let runs = all.flat_map(|(number, (call, ran))| {
            let runs = ran.iter().flat_map(|ran| &ran.runs);
            runs.map(move |run| At {
                run,
                call: number,
                ended: call.at.as_deref(),
            })
        });
        let runs = runs.filter(|at| meant.may_be(at.run)).collect();
        Self { calls, meant, runs }
    }

    /// The last run of what is meant, in the folder that the report names if there is one.
    pub(super) fn last(&self, repository: &dyn RepositorySource) -> Option<At<'c>> {
        let runs = || self.runs.iter().rev().filter(|at| self.meant.is(at.run));
        let is_in_place = |at: &&At<'_>| self.meant.is_in_place(at.run, repository);
        runs().find(is_in_place).or_else(|| runs().next()).copied()
    }

    /// The runs behind one of them.
    fn behind(&self, at: At<'_>) -> impl Iterator<Item = &At<'c>> {
        let from = self.runs.iter();
        from.skip_while(move |it| !std::ptr::eq(it.run, at.run))
            .skip(1)
    }

    /// What the calls behind a run ran.
    fn ran_behind(&self, last: At<'_>) -> impl Iterator<Item = &'c Ran> {
        let ran = self.calls.ran().iter();
        ran.skip(last.call + 1).flatten()
    }

    /// Whether all runs are of one command, and nothing behind the last one, which failed, may have changed what it looked at.
    /// Of tests that began it printed that some failed: the status may be of something else, such as a limit of what is
    /// covered. Behind what else failed no check ran at all: tests that pass were built.
    pub(super) fn is_of_one_failure(&self, of: Of) -> bool {
        self.runs.last().is_some_and(|last| {
            let is_changed = self.is_changed_behind(*last) || self.edited_after(*last).is_some();
            let is_one = || self.runs.iter().all(|at| at.run.is_as(last.run));
            let is_last = || match of {
                Of::Tests if !has_not_begun(last.run) => {
                    self.calls.says_that_some_failed(last.call)
                }
                _ => self.ran_behind(*last).all(|ran| ran.runs.is_empty()),
            };
            !is_changed && is_one() && is_last()
        })
    }

    /// Whether the failure of `last` is the last word.
    pub(super) fn excuse(&self, last: At<'_>) -> Ended {
        let is_last = |at: &At<'_>| {
            let is_same = |it: &Run| it.is_as(at.run) && it.is_started_like(at.run);
            !self
                .behind(*at)
                .any(|it| is_same(it.run) && !has_not_begun(it.run))
        };
        // What could not begin may have run before in another way.
        let is_late = |call: usize| call >= last.call || has_not_begun(last.run);
        // A report may mean any of those that end the same way for it, and what ran later ends it anew.
        let is_meant = |at: &At<'_>| self.meant.is(at.run) && self.meant.starts(at.run);
        let counts = |at: &At<'_>| (is_meant(at) || is_late(at.call)) && is_last(at);
        let mut counted = self.runs.iter().filter(|at| counts(at));
        let is_failed = |at: &At<'_>| {
            let has_failed = matches!(at.run.ending, RunEnding::Failed(_) | RunEnding::Says(_));
            has_failed || has_not_begun(at.run)
        };
        if !counted.all(is_failed) {
            return Ended::Otherwise;
        }
        if self.calls.person_ran_behind(last.call) || self.is_built_behind(last) {
            return Ended::Otherwise;
        }
        let mut ended = Ended::Open;
        let ran = self.calls.ran().iter().enumerate();
        for (number, ran) in ran.filter_map(|(number, ran)| Some((number, ran.as_ref()?))) {
            let may_be = ran.runs.iter().any(|run| self.meant.may_be(run));
            let goes_on = ran.is_left_running && (may_be || ran.more == More::Anything);
            let counts = is_late(number) || matches!(self.meant, Meant::All(_));
            match ran.more {
                _ if goes_on => return Ended::Otherwise,
                // What the run itself mended, it did before it ended.
                _ if ran.changes.mends && number > last.call && self.meant.is_of_form() => {
                    return Ended::Otherwise;
                }
                More::Anything if counts => return Ended::Otherwise,
                More::Hooks if counts => ended = Ended::UnlessHooks,
                _ => {}
            }
        }
        ended
    }

    /// Whether tests of the same program have passed behind a build, which it does first.
    fn is_built_behind(&self, last: At<'_>) -> bool {
        let program = last.run.program();
        // Any other task does what somebody wrote.
        let is_one = |run: &Run, of: Of| {
            run.of == of && (!run.is_task || matches!(program, "gradle" | "mvn"))
        };
        let mut runs = self.ran_behind(last).flat_map(|ran| &ran.runs);
        is_one(last.run, Of::Build)
            && runs.any(|run| {
                let has_passed = run.ending == RunEnding::Passed;
                is_one(run, Of::Tests) && has_passed && run.program() == program
            })
    }

    /// Why the end of a run does not say that what is meant passed, if it does not.
    pub(super) fn unconfirmed(
        &self,
        last: At<'_>,
        repository: &dyn RepositorySource,
    ) -> Option<&'static str> {
        let is_wide = |word: &String| last.run.is_wide_with(word) || self.meant.names(word);
        if !last.run.words.iter().all(is_wide) || self.is_part(last.run, repository) {
            return Some("its last run may have been of a part of it");
        }
        let is_last = |at: &&At<'_>| !self.behind(**at).any(|it| it.run.is_as(at.run));
        let mut same = self
            .runs
            .iter()
            .filter(|at| self.meant.is(at.run))
            .filter(is_last);
        if !same.all(|at| at.run.ending == RunEnding::Passed) {
            return Some("another run of it is not seen to have passed");
        }
        if self.is_changed_behind(last) {
            return Some("a call behind its last run may have changed what it looked at");
        }
        if self.has_failed_behind(last) {
            return Some("a call behind its last run failed, and may have run it too");
        }
        if self.is_elsewhere(last, repository) || !self.meant.is_in_place(last.run, repository) {
            return Some("its last run was in another folder");
        }
        if let Some(why) = self.differs_in_front(last) {
            return Some(why);
        }
        let mut ran = self.calls.ran().iter().take(last.call + 1).flatten();
        let mut written = self.written_until(last);
        let is_own = ran.any(|ran| ran.changes.tools)
            || written.any(|path| settings::decides(path, last.run));
        if is_own {
            return Some("what it runs was written or installed by the agent itself");
        }
        tree::unconfirmed(last.run, &self.until(last), repository)
    }

    /// That a run had not in front of its program what the report names there, if so.
    pub(super) fn differs_in_front(&self, last: At<'_>) -> Option<&'static str> {
        const WHY: &str =
            "its last run had not the variables or the programs in front that it names";
        (!self.meant.starts(last.run)).then_some(WHY)
    }

    /// Until when files may have been changed that the run speaks of: what a formatter mends behind it passes the same.
    fn until(&self, last: At<'_>) -> Until<'c> {
        let calls = self.calls.calls.iter().zip(self.calls.ran());
        let mut later = calls.skip(last.call + 1).rev();
        let mended = later.find_map(|(call, ran)| {
            let mends = ran.as_ref().is_some_and(|ran| ran.changes.mends);
            call.at.as_deref().filter(|_| mends)
        });
        let until = Until::of(mended.or(last.ended));
        until.unwrap_or_else(|| Until::Written(self.written_until(last).collect()))
    }

    /// Whether a call behind the run failed of which it is not known that it was no run of the same.
    fn has_failed_behind(&self, last: At<'_>) -> bool {
        let calls = self.calls.calls.iter().zip(self.calls.ran());
        let mut later = calls.skip(last.call + 1);
        later.any(|(call, ran)| {
            ran.as_ref().is_some_and(|ran| {
                let may_be = || ran.runs.iter().any(|run| self.meant.may_be(run));
                let has_failed = ran.has_failed || call.result == Outcome::Error;
                has_failed && (ran.more != More::Nothing || may_be())
            })
        })
    }

    /// Whether the run was of a part by the name of its task, or of one package of several.
    fn is_part(&self, run: &Run, repository: &dyn RepositorySource) -> bool {
        let is_of_all = matches!(self.meant, Meant::All(_));
        match run.of_one_package() {
            Some(Some(manifest)) => settings::has_members(manifest, repository),
            Some(None) => is_of_all,
            None => is_of_all && run.is_part,
        }
    }

    /// Whether the run was of another place than the work tree, or of a part of it that the report does not mean.
    fn is_elsewhere(&self, last: At<'_>, repository: &dyn RepositorySource) -> bool {
        let folder = last.run.folder.as_str();
        if folder.is_empty() {
            return false;
        }
        match repository.folder(folder) {
            FolderPlace::Root => false,
            FolderPlace::Below if matches!(self.meant, Meant::Command(_)) => {
                let is_made = |name: &str| self.written_until(last).any(|it| it == name);
                folder.split('/').any(is_made)
            }
            _ => true,
        }
    }

    /// What tools and commands have written up to a run, as far as they name it.
    fn written_until(&self, last: At<'_>) -> impl Iterator<Item = &'c str> {
        let calls = self.calls.calls.iter().zip(self.calls.ran());
        calls.take(last.call + 1).flat_map(|(call, ran)| {
            let path = call.path.as_deref();
            let writes = matches!(call.kind, CallKind::Write | CallKind::WriteElsewhere);
            let path = path.filter(|_| writes);
            let names = ran.iter().flat_map(|ran| &ran.changes.names);
            path.into_iter().chain(names.map(String::as_str))
        })
    }

    /// Why a failed run says nothing of what is there now, if it does not: it had passed before, and files were changed
    /// behind it, as one does who breaks a thing to see that the check finds it, and mends it again.
    pub(super) fn outdated(&self, last: At<'_>) -> Option<&'static str> {
        let mut before = self
            .runs
            .iter()
            .take_while(|it| !std::ptr::eq(it.run, last.run));
        let had_passed = before.any(|at| {
            let passed = matches!(at.run.ending, RunEnding::Passed | RunEnding::Empty);
            at.run.is_as(last.run) && passed
        });
        let mut ran = self.ran_behind(last).map(|ran| &ran.changes);
        let changes = |it: &Changes| it.any || it.mends || it.code;
        let is_changed =
            last.run.is_changed_behind || self.edited_after(last).is_some() || ran.any(changes);
        (had_passed && is_changed)
            .then_some("it had passed before, and files were changed behind its last run")
    }

    /// Whether a call behind the run may have changed code. What a formatter mends passes the same tests.
    fn is_changed_behind(&self, last: At<'_>) -> bool {
        let mut later = self.ran_behind(last);
        let mends = self.meant.is_of_form();
        let mut calls = self.calls.calls.iter().skip(last.call + 1);
        last.run.is_changed_behind
            || later.any(|ran| ran.changes.code || ran.changes.mends && mends)
            || calls.any(is_of_server)
    }

    /// The last file that a tool wrote after the run, unless it is prose.
    pub(super) fn edited_after(&self, last: At<'_>) -> Option<(&'c str, Option<&'c str>)> {
        let later = self.calls.calls.iter().skip(last.call + 1);
        let edit = later.rev().find(|call| is_of_code(call))?;
        Some((edit.path.as_deref()?, edit.at.as_deref()))
    }
}

fn has_not_begun(run: &Run) -> bool {
    matches!(run.ending, RunEnding::NotBegun(_))
}

/// Whether a server wrote a file, here or on another machine, that is not prose.
fn is_of_server(call: &Call) -> bool {
    call.kind == CallKind::WriteElsewhere
        && call.result != Outcome::Error
        && !call.path.as_deref().is_some_and(is_prose)
}

fn is_of_code(call: &Call) -> bool {
    let has_extension = |path: &str| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        name.contains('.')
    };
    matches!(call.kind, CallKind::Write)
        && call.result != Outcome::Error
        && call
            .path
            .as_deref()
            .is_some_and(|path| has_extension(path) && !is_prose(path))
}

/// When a call ended, as it is told.
pub(super) fn clock(at: Option<&str>) -> String {
    let at: Option<Timestamp> = at.and_then(|at| at.parse().ok());
    at.map_or_else(String::new, |at| format!(" at {}", at.strftime("%H:%M:%S")))
}
