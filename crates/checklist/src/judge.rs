//! Asks the judge of quality.

use std::ffi::OsString;
use std::path::PathBuf;

use attest_process::{Reach, Task, Window};

use serde_json::json;

use crate::evaluate::{Run, SHOWN_OUTPUT, answer, shown};
use crate::outcome::Outcome;
use crate::quality::{GradeError, Rubric, Scores, ScoresError};
use crate::report::CheckResult;
use crate::settings::Grading;
use crate::shell::{marks, shell};

/// The most that a judge may print, in bytes.
const JUDGE_OUTPUT: Window = Window {
    head: 1024 * 1024,
    tail: 0,
};

impl Run<'_> {
    /// `scope` holds the files of the rubric's scope.
    pub(crate) fn quality(&self, name: &str, rubric: &Rubric, scope: &[PathBuf]) -> CheckResult {
        let graded = match self.settings.grading {
            Grading::Nobody => Err(GradeError::NoScore),
            Grading::Scores(scores) => rubric.grade(name, scores),
            Grading::Judge {
                command,
                environment,
                changed,
            } => {
                let changed_files;
                let files = if rubric.scope.is_empty() {
                    changed_files = changed();
                    &changed_files
                } else {
                    scope
                };
                match self.ask(command, environment, &question(name, rubric, files)) {
                    Ok(scores) => rubric.grade(name, &scores),
                    Err(checked) => return checked,
                }
            }
        };
        match graded {
            Ok(grade) if grade.passed => CheckResult::new(Outcome::Pass, grade.evidence),
            Ok(grade) => CheckResult::new(Outcome::Fail, grade.evidence),
            Err(error @ GradeError::NoScore) => {
                CheckResult::new(Outcome::Skipped, error.to_string())
            }
            Err(error) => CheckResult::new(Outcome::Error, error.to_string()),
        }
    }

    fn ask(
        &self,
        line: &str,
        environment: &[(OsString, OsString)],
        question: &str,
    ) -> Result<Scores, CheckResult> {
        let stop = self.stop();
        stop.check().map_err(|stopped| {
            CheckResult::new(
                Outcome::Error,
                format!("the judge was not asked: {stopped}"),
            )
        })?;
        let task = Task {
            program: shell(line, self.settings.folder, environment),
            input: Some(question.as_bytes()),
            limit: self.settings.timeout,
            stdout: JUDGE_OUTPUT,
            stderr: Some(SHOWN_OUTPUT),
            reach: Reach::All {
                marks: &marks(environment),
            },
        };
        let ran = attest_process::run(task, &stop);
        let (answer, evidence, exit_code) = answer(&ran.end);
        let failed = |evidence: String| CheckResult {
            outcome: Outcome::Error,
            evidence: format!("the judge: {evidence}"),
            exit_code,
            output: shown(&ran.stderr),
        };
        if answer != Some(true) {
            return Err(failed(evidence));
        }
        let Some(printed) = ran.stdout.whole() else {
            return Err(failed("it printed more than 1 MiB".to_owned()));
        };
        Scores::parse(printed).map_err(|error| {
            let ScoresError(fault) = &error;
            failed(format!("what it printed is {error}: {fault}"))
        })
    }
}

/// What the judge reads.
fn question(name: &str, rubric: &Rubric, files: &[PathBuf]) -> String {
    let names = files.iter().map(|path| path.to_string_lossy());
    json!({
        "item": name,
        "criteria": rubric.statement,
        "rubric": rubric.criteria,
        "pass_threshold": rubric.pass_threshold,
        "files": names.collect::<Vec<_>>(),
    })
    .to_string()
}
