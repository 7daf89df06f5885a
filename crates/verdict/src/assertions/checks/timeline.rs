//! The runs of what a report means, in their order, with what else may have run it.

use attest_transcript::{Call, Kind, More, Of, Outcome, Run, RunEnding, ToolCalls};
use jiff::Timestamp;

use super::Meant;

/// What files end with that no check reads.
const PROSE: [&str; 8] = ["md", "txt", "rst", "adoc", "markdown", "csv", "log", "svg"];

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

    /// The last run of what is meant.
    pub(super) fn last(&self) -> Option<At<'c>> {
        let mut runs = self.runs.iter().rev();
        runs.find(|at| self.meant.is(at.run)).copied()
    }

    /// Whether the failure of `last` is the last word.
    pub(super) fn excuse(&self, last: At<'_>) -> Ended {
        let is_last = |at: &At<'_>| {
            let later = self
                .runs
                .iter()
                .skip_while(|it| !std::ptr::eq(it.run, at.run));
            !later.skip(1).any(|it| it.run.is_as(at.run))
        };
        // A report may mean any of those that end the same way for it, and what ran later ends it anew.
        let counts = |at: &At<'_>| {
            self.meant.is(at.run) && is_last(at) || at.call >= last.call && is_last(at)
        };
        let mut counted = self.runs.iter().filter(|at| counts(at));
        if !counted.all(|at| matches!(at.run.ending, RunEnding::Failed(_))) {
            return Ended::Otherwise;
        }
        let mut ended = Ended::Open;
        let ran = self.calls.ran().iter().enumerate();
        for (number, ran) in ran.filter_map(|(number, ran)| Some((number, ran.as_ref()?))) {
            let may_be = ran.runs.iter().any(|run| self.meant.may_be(run));
            let goes_on = ran.is_left_running && (may_be || ran.more == More::Anything);
            let counts = number >= last.call || matches!(self.meant, Meant::All(_));
            match ran.more {
                _ if goes_on => return Ended::Otherwise,
                More::Anything if counts => return Ended::Otherwise,
                More::Hooks if counts => ended = Ended::UnlessHooks,
                _ => {}
            }
        }
        ended
    }

    /// The last file that a tool wrote after the run, unless it is prose.
    pub(super) fn edited_after(&self, last: At<'_>) -> Option<(&'c str, Option<&'c str>)> {
        let later = self.calls.calls.iter().skip(last.call + 1);
        let edit = later.rev().find(|call| is_of_code(call))?;
        Some((edit.path.as_deref()?, edit.at.as_deref()))
    }
}

impl Meant<'_> {
    /// Whether the report names this run.
    fn is(self, run: &Run) -> bool {
        match self {
            Self::Command(named) => run.may_be_named(named),
            Self::All(of) => run.of == of,
        }
    }

    /// Whether the run may be one of it, also as a part of another task.
    fn may_be(self, run: &Run) -> bool {
        let of = match self {
            Self::Command(named) if run.family == named.family => return true,
            Self::Command(named) => named.of,
            Self::All(of) => of,
        };
        // A task of a project may test what it builds.
        run.of == of
            || of == Of::Anything
            || run.is_task && matches!(run.of, Of::Anything | Of::Build)
    }
}

fn is_of_code(call: &Call) -> bool {
    let is_prose = |path: &str| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_none_or(|it| PROSE.contains(&it))
    };
    matches!(call.kind, Kind::Write)
        && call.result != Outcome::Error
        && call.path.as_deref().is_some_and(|path| !is_prose(path))
}

/// When a call ended, as it is told.
pub(super) fn clock(at: Option<&str>) -> String {
    let at: Option<Timestamp> = at.and_then(|at| at.parse().ok());
    at.map_or_else(String::new, |at| format!(" at {}", at.strftime("%H:%M:%S")))
}
