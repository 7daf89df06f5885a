//! Runs all checks of a file: first the commands, several at once; then the files in one walk, so
//! that what a command makes is found; then what has to be judged.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use attest_process::{End, Kept, Reach, Stop, Task, Window};

use crate::criteria::{Check, Conditions, Criteria, FileCheck};
use crate::files::{Found, Wanted, search};
use crate::outcome::Outcome;
use crate::report::{CheckResult, ItemResult, Report};
use crate::settings::{Event, Grading, Settings};
use crate::shell::{marks, shell};

/// How much of an output a person is shown.
pub(crate) const SHOWN_OUTPUT: Window = Window {
    head: 2 * 1024,
    tail: 6 * 1024,
};

/// The exit statuses of a shell for a command that it cannot execute, and for one that it does not
/// find.
const STATUS_CANNOT_EXECUTE: i32 = 126;
const STATUS_NOT_FOUND: i32 = 127;

/// How many files the evidence names.
const MAX_FILES_IN_EVIDENCE: usize = 3;

/// How many files a judge is given.
const MAX_FILES_TO_JUDGE: usize = 10_000;

/// Runs all checks. `observe` is called from several threads.
#[must_use]
pub fn evaluate(
    criteria: &Criteria,
    settings: &Settings<'_>,
    observe: &(dyn Fn(Event<'_>) + Sync),
) -> Report {
    let checks = criteria.checks();
    let run = Run {
        checks: &checks,
        settings,
        observe,
        results: Mutex::new(vec![None; checks.len()]),
    };
    run.commands();
    run.files_and_rubrics();
    let results = run
        .results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let checked = results.into_iter().map(|checked| {
        checked.unwrap_or_else(|| CheckResult::new(Outcome::Error, "the check did not finish"))
    });
    Report::of(criteria, checked.collect(), settings.allow_skipped)
}

pub(crate) struct Run<'a> {
    checks: &'a [(String, &'a Check)],
    pub(crate) settings: &'a Settings<'a>,
    observe: &'a (dyn Fn(Event<'_>) + Sync),
    results: Mutex<Vec<Option<CheckResult>>>,
}

impl Run<'_> {
    pub(crate) fn stop(&self) -> Stop<'_> {
        Stop {
            deadline: self.settings.deadline,
            cancelled: self.settings.cancelled,
        }
    }

    fn finished(&self, index: usize, checked: CheckResult) {
        let (name, check) = &self.checks[index];
        let result = ItemResult::of_check(name, check.kind(), checked.clone());
        self.results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(checked);
        (self.observe)(Event::Finished {
            index,
            result: &result,
        });
    }

    /// Lets up to `jobs` threads take one check after another.
    fn in_parallel<T: Sync>(
        &self,
        checks: &[(usize, T)],
        check: impl Fn(&str, &T) -> CheckResult + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((index, what)) = checks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let name = &self.checks[*index].0;
                (self.observe)(Event::Started {
                    index: *index,
                    name,
                });
                self.finished(*index, check(name, what));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.settings.jobs.get().min(checks.len()) {
                // If no more threads can be had, this one does all the work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }

    /// The checks for which `pick` returns something, with their positions.
    fn pick<'c, T>(&'c self, pick: impl Fn(&'c Check) -> Option<T>) -> Vec<(usize, T)> {
        let checks = self.checks.iter().enumerate();
        checks
            .filter_map(|(index, (_, check))| Some((index, pick(check)?)))
            .collect()
    }

    fn commands(&self) {
        let checks = self.pick(|check| match check {
            Check::Command { .. } | Check::Assertion { .. } => Some(check),
            Check::File { .. } | Check::Quality(_) => None,
        });
        self.in_parallel(&checks, |_, check| match check {
            Check::Assertion {
                sentence,
                test_commands,
                timeout,
            } => self.assertion(sentence, test_commands, *timeout),
            Check::Command {
                command,
                must_fail,
                timeout,
            } => self.command(command, *must_fail, *timeout),
            Check::File { .. } | Check::Quality(_) => {
                CheckResult::new(Outcome::Error, "this has no command")
            }
        });
    }

    fn command(&self, line: &str, must_fail: bool, timeout: Option<Duration>) -> CheckResult {
        let settings = self.settings;
        let stop = self.stop();
        if let Err(stopped) = stop.check() {
            return CheckResult::new(Outcome::Error, format!("not run: {stopped}"));
        }
        let task = Task {
            program: shell(line, settings.folder, settings.environment),
            input: None,
            limit: timeout.unwrap_or(settings.timeout),
            stdout: SHOWN_OUTPUT,
            stderr: None,
            reach: Reach::All {
                marks: &marks(settings.environment),
            },
        };
        let ran = attest_process::run(task, &stop);
        let (answer, evidence, exit_code) = answer(&ran.end);
        let outcome = match answer {
            None => Outcome::Error,
            Some(succeeded) if succeeded != must_fail => Outcome::Pass,
            Some(_) => Outcome::Fail,
        };
        CheckResult {
            outcome,
            evidence,
            exit_code,
            output: shown(&ran.stdout),
        }
    }

    /// A sentence that only a person can confirm: commands merely support or contradict it.
    fn assertion(
        &self,
        sentence: &str,
        lines: &[String],
        timeout: Option<Duration>,
    ) -> CheckResult {
        if lines.is_empty() {
            return CheckResult::new(
                Outcome::Skipped,
                format!("for a person to confirm: {sentence}"),
            );
        }
        let mut checked = Vec::with_capacity(lines.len());
        for line in lines {
            checked.push((line, self.command(line, false, timeout)));
        }
        let outcome = Outcome::all(checked.iter().map(|(_, one)| one.outcome));
        let parts = checked
            .iter()
            .map(|(line, one)| format!("`{line}`: {}", one.evidence));
        let evidence = parts.collect::<Vec<_>>().join("; ");
        let outputs = checked.iter().filter_map(|(line, one)| {
            let output = one.output.as_ref()?;
            Some(format!("$ {line}\n{output}"))
        });
        let output = outputs.collect::<Vec<_>>().join("\n");
        let deciding = checked.iter().find(|(_, one)| one.outcome == outcome);
        CheckResult {
            outcome,
            evidence: format!("for a person to confirm: {sentence} ({evidence})"),
            exit_code: deciding.and_then(|(_, one)| one.exit_code),
            output: (!output.is_empty()).then_some(output),
        }
    }

    fn files_and_rubrics(&self) {
        let files = self.pick(|check| match check {
            Check::File { file, must_miss } => Some((file, *must_miss)),
            _ => None,
        });
        let rubrics = self.pick(|check| match check {
            Check::Quality(rubric) => Some(rubric),
            _ => None,
        });
        let any = Conditions::default();
        let mut wanted: Vec<_> = files
            .iter()
            .map(|(_, (file, _))| Wanted {
                pattern: &file.pattern,
                conditions: &file.conditions,
                keep: MAX_FILES_IN_EVIDENCE,
                only_files: false,
            })
            .collect();
        if let Grading::Judge { .. } = self.settings.grading {
            let scopes = rubrics.iter().flat_map(|(_, rubric)| &rubric.scope);
            wanted.extend(scopes.map(|pattern| Wanted {
                pattern,
                conditions: &any,
                keep: MAX_FILES_TO_JUDGE,
                only_files: true,
            }));
        }
        let mut found = search(self.settings.folder, &wanted, &self.stop()).into_iter();
        for ((index, (file, must_miss)), found) in files.into_iter().zip(found.by_ref()) {
            self.finished(index, file.judge(must_miss, &found));
        }
        let mut with_files = Vec::with_capacity(rubrics.len());
        for (index, rubric) in rubrics {
            let scopes = found.by_ref().take(rubric.scope.len());
            let mut files: Vec<_> = scopes.flat_map(|found| found.met).collect();
            files.sort();
            files.dedup();
            with_files.push((index, (rubric, files)));
        }
        self.in_parallel(&with_files, |name, (rubric, scope)| {
            self.quality(name, rubric, scope)
        });
    }
}

/// Whether a command succeeded (`None` if that cannot be said), why, and its exit status.
pub(crate) fn answer(end: &End) -> (Option<bool>, String, Option<i32>) {
    match end {
        End::Exited(STATUS_NOT_FOUND) => (
            None,
            "command not found (exit status 127)".to_owned(),
            Some(STATUS_NOT_FOUND),
        ),
        End::Exited(STATUS_CANNOT_EXECUTE) => (
            None,
            "the command cannot be executed (exit status 126)".to_owned(),
            Some(STATUS_CANNOT_EXECUTE),
        ),
        End::Exited(code) => (Some(*code == 0), end.to_string(), Some(*code)),
        #[cfg(unix)]
        End::Signalled(_) => (Some(false), end.to_string(), None),
        End::TimedOut(_) | End::Stopped(_) | End::Failed(_) => (None, end.to_string(), None),
    }
}

pub(crate) fn shown(output: &Kept) -> Option<String> {
    (!output.is_empty()).then(|| output.to_string())
}

impl FileCheck {
    fn judge(&self, must_miss: bool, found: &Found) -> CheckResult {
        let pattern = &self.pattern;
        if found.count > 0 {
            let names = found.met.iter().map(|path| path.to_string_lossy());
            let mut text = names.collect::<Vec<_>>().join(", ");
            if found.count > found.met.len() {
                text.push_str(&format!(" and {} more", found.count - found.met.len()));
            }
            let outcome = if must_miss {
                Outcome::Fail
            } else {
                Outcome::Pass
            };
            return CheckResult::new(outcome, format!("found {text}"));
        }
        if let Some((path, why)) = &found.unknown {
            let evidence = format!("{pattern}: cannot read {}: {why}", path.display());
            return CheckResult::new(Outcome::Error, evidence);
        }
        let outcome = if must_miss {
            Outcome::Pass
        } else {
            Outcome::Fail
        };
        let evidence = match &found.missed {
            Some((path, why)) => format!("{} {why}", path.display()),
            None => format!("nothing found at {pattern}"),
        };
        CheckResult::new(outcome, evidence)
    }
}

#[cfg(test)]
mod tests;
