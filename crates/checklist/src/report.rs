//! The results of all items, as one object that can be printed as JSON.

use serde::Serialize;

use crate::criteria::{Criteria, Item, Node};
use crate::full_name::full_name;
use crate::outcome::Outcome;

/// The result of one item, with those below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemResult {
    /// Its name, without those of its parents.
    pub item: String,
    /// Whether it passed; `outcome` distinguishes the ways of not passing.
    pub passed: bool,
    /// Its outcome.
    pub outcome: Outcome,
    /// The type of its check, `group` or `any_of`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Why, in a sentence.
    pub evidence: String,
    /// Exit status of the command that decided, if one ran to its end.
    pub exit_code: Option<i32>,
    /// The beginning and the end of what the commands printed.
    pub output_summary: Option<String>,
    /// A person has to confirm it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub requires_user_confirmation: bool,
    /// All of these had to pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Vec<ItemResult>>,
    /// One of these had to pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<ItemResult>>,
}

/// The result of a whole file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Nothing failed, no check broke, and nothing was skipped unless that is allowed.
    pub passed: bool,
    /// The overall outcome.
    pub outcome: Outcome,
    /// How many of the items passed, in a sentence.
    pub evidence: String,
    /// In the order of the file.
    pub checklist: Vec<ItemResult>,
    /// The full names of the checks that failed and count. Within `any_of` they count only if none
    /// has passed.
    pub failures: Vec<String>,
    /// The same for checks that could not be made.
    pub errors: Vec<String>,
    /// The full names of all checks that were not judged, at any level.
    pub skipped: Vec<String>,
    /// Whether any item needs a person's confirmation.
    pub requires_user_confirmation: bool,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckResult {
    pub(crate) outcome: Outcome,
    pub(crate) evidence: String,
    pub(crate) exit_code: Option<i32>,
    pub(crate) output: Option<String>,
}

impl CheckResult {
    pub(crate) fn new(outcome: Outcome, evidence: impl Into<String>) -> Self {
        Self {
            outcome,
            evidence: evidence.into(),
            exit_code: None,
            output: None,
        }
    }
}

impl ItemResult {
    /// The result of a single check.
    pub(crate) fn of_check(item: &str, kind: &'static str, checked: CheckResult) -> Self {
        Self {
            item: item.to_owned(),
            passed: checked.outcome == Outcome::Pass,
            outcome: checked.outcome,
            kind,
            evidence: checked.evidence,
            exit_code: checked.exit_code,
            output_summary: checked.output,
            requires_user_confirmation: kind == "assertion",
            group: None,
            any_of: None,
        }
    }

    fn of_items(item: &str, kind: &'static str, outcome: Outcome, below: Vec<Self>) -> Self {
        let is_group = kind == "group";
        let evidence = count(&below);
        let requires_user_confirmation = below.iter().any(|one| one.requires_user_confirmation);
        let (group, any_of) = if is_group {
            (Some(below), None)
        } else {
            (None, Some(below))
        };
        Self {
            item: item.to_owned(),
            passed: outcome == Outcome::Pass,
            outcome,
            kind,
            evidence,
            exit_code: None,
            output_summary: None,
            requires_user_confirmation,
            group,
            any_of,
        }
    }

    /// The items below, of either kind.
    #[must_use]
    pub fn below(&self) -> &[Self] {
        let below = self.group.as_ref().or(self.any_of.as_ref());
        below.map_or(&[], Vec::as_slice)
    }
}

impl Report {
    /// Assembles the results of the checks, which come in the order of the file.
    pub(crate) fn of(criteria: &Criteria, checked: Vec<CheckResult>, allow_skipped: bool) -> Self {
        let mut checked = checked.into_iter();
        let checklist = results(&criteria.items, &mut checked);
        let mut lists = Lists::default();
        for result in &checklist {
            lists.add(result, "", None);
        }
        let outcome = match Outcome::all(checklist.iter().map(|result| result.outcome)) {
            Outcome::Pass if !lists.skipped.is_empty() => Outcome::Skipped,
            outcome => outcome,
        };
        let mut evidence = count(&checklist);
        if !lists.skipped.is_empty() {
            let allowed = if allow_skipped {
                ", which is allowed"
            } else {
                ""
            };
            evidence.push_str(&format!("; skipped: {}{allowed}", lists.skipped.join(", ")));
        }
        Self {
            passed: outcome == Outcome::Pass || (allow_skipped && outcome == Outcome::Skipped),
            outcome,
            evidence,
            failures: lists.failures,
            errors: lists.errors,
            skipped: lists.skipped,
            requires_user_confirmation: checklist.iter().any(|one| one.requires_user_confirmation),
            checklist,
        }
    }
}

fn results(items: &[Item], checked: &mut impl Iterator<Item = CheckResult>) -> Vec<ItemResult> {
    let one = |item: &Item, checked: &mut _| match &item.node {
        Node::Check(check) => {
            let missing = || CheckResult::new(Outcome::Error, "it was never checked");
            let result = Iterator::next(checked).unwrap_or_else(missing);
            ItemResult::of_check(&item.name, check.kind(), result)
        }
        Node::Group(children) => {
            let below = results(children, checked);
            let outcome = Outcome::all(below.iter().map(|one| one.outcome));
            ItemResult::of_items(&item.name, "group", outcome, below)
        }
        Node::AnyOf(children) => {
            let below = results(children, checked);
            let outcome = Outcome::any(below.iter().map(|one| one.outcome));
            ItemResult::of_items(&item.name, "any_of", outcome, below)
        }
    };
    items.iter().map(|item| one(item, checked)).collect()
}

fn count(results: &[ItemResult]) -> String {
    let passed = results.iter().filter(|result| result.passed).count();
    format!("{passed} of {} passed", results.len())
}

/// The full names of the checks, by outcome.
#[derive(Default)]
struct Lists {
    failures: Vec<String>,
    errors: Vec<String>,
    skipped: Vec<String>,
}

impl Lists {
    /// `decided` is the outcome of the enclosing `any_of`: results that differ from it do not
    /// count.
    fn add(&mut self, result: &ItemResult, parents: &str, decided: Option<Outcome>) {
        let name = full_name(parents, &result.item);
        let decided = match (&result.any_of, decided) {
            (Some(_), None) => Some(result.outcome),
            (_, decided) => decided,
        };
        let below = result.below();
        if below.is_empty() {
            let counts = decided.is_none_or(|decided| decided == result.outcome);
            match result.outcome {
                Outcome::Skipped => self.skipped.push(name),
                Outcome::Fail if counts => self.failures.push(name),
                Outcome::Error if counts => self.errors.push(name),
                Outcome::Pass | Outcome::Fail | Outcome::Error => {}
            }
            return;
        }
        for one in below {
            self.add(one, &name, decided);
        }
    }
}

#[cfg(test)]
mod tests;
