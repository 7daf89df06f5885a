//! Quality is judged elsewhere. Here the scores are only added up.

use std::collections::BTreeMap;

use attest_json::Fault;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::full_name::full_name;
use crate::pattern::PathPattern;

/// The tolerance when an average is compared with a threshold, so that 0.1 + 0.2 reaches 0.3.
const AVERAGE_TOLERANCE: f64 = 1e-9;

/// What is judged, and how much is enough.
#[derive(Debug, Clone)]
pub struct Rubric {
    /// What it is about, in a sentence.
    pub statement: Option<String>,
    /// What scores are given for; never empty.
    pub criteria: Vec<Criterion>,
    /// The lowest weighted average that passes.
    pub pass_threshold: f64,
    /// The files to judge; the changed ones if this is empty.
    pub(crate) scope: Vec<PathPattern>,
}

/// One thing that gets a score.
#[derive(Debug, Clone, Serialize)]
pub struct Criterion {
    /// The name under which its score is given.
    #[serde(rename = "criterion")]
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// Above 0; only its share of the total counts.
    pub weight: f64,
    /// What each score means. If there are any, a score lies between the lowest and the highest.
    pub levels: BTreeMap<i64, String>,
}

impl Criterion {
    /// The only criterion of a rubric that is a single sentence.
    pub(crate) fn overall(statement: &str) -> Self {
        Self {
            name: "overall".to_owned(),
            description: Some(statement.to_owned()),
            weight: 1.0,
            levels: BTreeMap::new(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "levels are small numbers")]
    fn range(&self) -> Option<(f64, f64)> {
        let (least, _) = self.levels.first_key_value()?;
        let (most, _) = self.levels.last_key_value()?;
        Some((*least as f64, *most as f64))
    }
}

/// The score that a judge gave for one criterion.
#[derive(Debug, Clone, Deserialize)]
pub struct Score {
    /// Higher is better.
    pub score: f64,
    /// In the judge's words.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The scores of a judge, by the name of the criterion, or by that of its item and the criterion.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Scores(BTreeMap<String, Score>);

/// Scores that cannot be read.
#[derive(Debug, Error)]
#[error("not an object of the form {{\"criterion\": {{\"score\": 4, \"reason\": \"…\"}}}}")]
pub struct ScoresError(#[from] pub(crate) Fault);

impl Scores {
    /// Reads the judge's JSON.
    pub fn parse(json: &[u8]) -> Result<Self, ScoresError> {
        Ok(serde_json::from_slice(json).map_err(Fault::from)?)
    }

    /// The names that are not those of any criterion in `rubrics`; each rubric comes with the full
    /// name of its item.
    #[must_use]
    pub fn unknown(&self, rubrics: &[(String, &Rubric)]) -> Vec<&str> {
        let is_known = |name: &str| {
            rubrics.iter().any(|(item, rubric)| {
                let mut criteria = rubric.criteria.iter();
                criteria.any(|c| c.name == name || full_name(item, &c.name) == name)
            })
        };
        let names = self.0.keys().map(String::as_str);
        names.filter(|name| !is_known(name)).collect()
    }

    fn of(&self, item: &str, criterion: &str) -> Option<&Score> {
        let qualified = self.0.get(&full_name(item, criterion));
        qualified.or_else(|| self.0.get(criterion))
    }
}

/// The result of adding up the scores.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grade {
    pub(crate) passed: bool,
    pub(crate) evidence: String,
}

/// Scores that a rubric cannot be graded with.
#[derive(Debug, Clone, PartialEq, Error)]
pub(crate) enum GradeError {
    /// There is no score for any criterion.
    #[error("not judged: no score was given")]
    NoScore,
    #[error("there is no score for {0:?}")]
    Missing(String),
    #[error("the score {score} for {criterion:?} is not between {least} and {most}")]
    OutOfRange {
        criterion: String,
        score: f64,
        least: f64,
        most: f64,
    },
}

impl Rubric {
    /// The range of the weighted average, if every criterion has levels.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        let ranges: Option<Vec<_>> = self.criteria.iter().map(Criterion::range).collect();
        let ranges = ranges?;
        let least = self.average(ranges.iter().map(|(least, _)| *least));
        let most = self.average(ranges.iter().map(|(_, most)| *most));
        Some((least, most))
    }

    /// The weighted average of one score per criterion.
    fn average(&self, scores: impl Iterator<Item = f64>) -> f64 {
        let total: f64 = self.criteria.iter().map(|criterion| criterion.weight).sum();
        let weights = self
            .criteria
            .iter()
            .map(|criterion| criterion.weight / total);
        weights
            .zip(scores)
            .map(|(weight, score)| weight * score)
            .sum()
    }

    pub(crate) fn grade(&self, item: &str, scores: &Scores) -> Result<Grade, GradeError> {
        let given: Vec<_> = self
            .criteria
            .iter()
            .map(|c| scores.of(item, &c.name))
            .collect();
        if given.iter().all(Option::is_none) {
            return Err(GradeError::NoScore);
        }
        let mut values = Vec::with_capacity(given.len());
        let mut parts = Vec::with_capacity(given.len());
        for (criterion, score) in self.criteria.iter().zip(given) {
            let name = &criterion.name;
            let score = score.ok_or_else(|| GradeError::Missing(name.clone()))?;
            if let Some((least, most)) = criterion.range()
                && !(least..=most).contains(&score.score)
            {
                return Err(GradeError::OutOfRange {
                    criterion: name.clone(),
                    score: score.score,
                    least,
                    most,
                });
            }
            values.push(score.score);
            parts.push(match &score.reason {
                Some(reason) => format!("{name} {} ({reason})", score.score),
                None => format!("{name} {}", score.score),
            });
        }
        let average = self.average(values.into_iter());
        let passed = average + AVERAGE_TOLERANCE >= self.pass_threshold;
        let evidence = format!(
            "weighted average {average:.2}, threshold {}: {}",
            self.pass_threshold,
            parts.join(", ")
        );
        Ok(Grade { passed, evidence })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rubric(weights: &[f64], threshold: f64) -> Rubric {
        let levels = BTreeMap::from([(1, "poor".to_owned()), (5, "good".to_owned())]);
        let criteria = weights
            .iter()
            .zip(["a", "b", "c"])
            .map(|(weight, name)| Criterion {
                name: name.to_owned(),
                description: None,
                weight: *weight,
                levels: levels.clone(),
            });
        Rubric {
            statement: None,
            criteria: criteria.collect(),
            pass_threshold: threshold,
            scope: Vec::new(),
        }
    }

    fn scores(json: &str) -> Scores {
        Scores::parse(json.as_bytes()).unwrap()
    }

    #[test]
    fn weights_are_normalised() {
        let scores = scores(r#"{"a": {"score": 5, "reason": "fine"}, "b": {"score": 2}}"#);
        for weights in [[2.0, 1.0], [0.5, 0.25], [200.0, 100.0]] {
            let grade = rubric(&weights, 4.0).grade("item", &scores).unwrap();
            assert!(grade.passed, "{grade:?}");
            assert_eq!(
                grade.evidence,
                "weighted average 4.00, threshold 4: a 5 (fine), b 2"
            );
        }
        assert!(
            !rubric(&[1.0, 1.0], 4.0)
                .grade("item", &scores)
                .unwrap()
                .passed
        );
    }

    #[test]
    fn rounding_does_not_fail_an_average_that_is_the_threshold() {
        let scores = scores(r#"{"a": {"score": 3}, "b": {"score": 3}, "c": {"score": 3}}"#);
        let grade = rubric(&[0.1, 0.2, 0.3], 3.0).grade("item", &scores);
        assert!(grade.unwrap().passed);
    }

    #[test]
    fn scores_that_do_not_fit() {
        let rubric = rubric(&[1.0, 1.0], 3.0);
        assert_eq!(rubric.grade("i", &scores("{}")), Err(GradeError::NoScore));
        let one = scores(r#"{"a": {"score": 5}}"#);
        assert_eq!(
            rubric.grade("i", &one),
            Err(GradeError::Missing("b".into()))
        );
        let high = scores(r#"{"a": {"score": 6}, "b": {"score": 1}}"#);
        assert!(matches!(
            rubric.grade("i", &high),
            Err(GradeError::OutOfRange { .. })
        ));
        for json in ["[]", "{", r#"{"a": 5}"#, r#"{"a": {"score": "5"}}"#, "null"] {
            assert!(Scores::parse(json.as_bytes()).is_err(), "{json}");
        }
    }

    #[test]
    fn a_score_may_be_for_the_criterion_of_one_item() {
        let rubric = rubric(&[1.0], 3.0);
        let scores = scores(r#"{"a": {"score": 1}, "group > item > a": {"score": 5}}"#);
        assert!(rubric.grade("group > item", &scores).unwrap().passed);
        assert!(!rubric.grade("other", &scores).unwrap().passed);
        assert_eq!(
            scores.unknown(&[("x".into(), &rubric)]),
            ["group > item > a"]
        );
    }
}
