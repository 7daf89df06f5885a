//! What `attest ci` prints: for a person, and as JSON.

mod host;

use attest_claim::Kind;
use attest_snapshot::{Range, RangeError, escaped};
use attest_verdict::{ClaimFinding, Finding};
use serde::Serialize;

use super::policy::Policy;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::counted;
use attest_base::ui::{BAD, DOUBTFUL, GOOD, findings, hanging, mark, styled};

/// Digits of the name of a commit.
const DIGITS: usize = 10;

/// What was judged.
#[derive(Debug, Serialize)]
pub(super) struct Printed {
    schema: u32,
    outcome: Outcome,
    /// Why nothing can be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    base: String,
    head: String,
    commits: usize,
    files: usize,
    texts: Vec<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    False,
    Held,
    Nothing,
}

/// One text and what was found of its claims.
#[derive(Debug, Serialize)]
pub(super) struct Text {
    /// The commit whose message it is; none for the text of the pull request.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    findings: Vec<Found>,
}

#[derive(Debug, Serialize)]
pub(super) struct Found {
    kind: Kind,
    claimed: String,
    finding: Finding,
    why: String,
    /// Whether a sentence says so, so that it never fails.
    is_told: bool,
    /// Whether it fails by the policy of the base.
    fails: bool,
}

impl Text {
    pub(super) fn of_report(findings: Vec<Found>) -> Self {
        Self {
            commit: None,
            subject: None,
            findings,
        }
    }

    pub(super) fn of_commit(id: String, message: &str, findings: Vec<Found>) -> Self {
        let subject = message.lines().next().unwrap_or_default();
        Self {
            commit: Some(id),
            subject: Some(escaped(subject.as_bytes())),
            ..Self::of_report(findings)
        }
    }

    fn name(&self) -> String {
        let Some(commit) = &self.commit else {
            return "the text of the pull request".to_owned();
        };
        let short = commit.get(..DIGITS).unwrap_or(commit);
        format!(
            "commit {short} {}",
            self.subject.as_deref().unwrap_or_default()
        )
    }
}

impl Found {
    pub(super) fn of(found: ClaimFinding) -> Self {
        let meaning = || found.finding.meaning().to_owned();
        Self {
            kind: found.kind,
            claimed: escaped(found.claimed.as_bytes()),
            finding: found.finding,
            why: found
                .why
                .map_or_else(meaning, |why| escaped(why.as_bytes())),
            is_told: false,
            fails: false,
        }
    }

    pub(super) fn told(found: ClaimFinding) -> Self {
        let found = Self::of(found);
        Self {
            why: format!("a sentence says so, and {}", found.why),
            is_told: true,
            ..found
        }
    }
}

impl Printed {
    pub(super) fn of(range: &Range<'_>, mut texts: Vec<Text>, policy: &Policy) -> Self {
        let (base, head) = range.ends();
        for found in texts.iter_mut().flat_map(|text| &mut text.findings) {
            found.fails = !found.is_told && policy.fails(found.finding);
        }
        let mut printed = Self {
            schema: 1,
            outcome: Outcome::Held,
            why: None,
            hint: None,
            base,
            head,
            commits: range.len(),
            files: range.changes().len(),
            texts,
        };
        let is_judged = printed.claims().any(|found| found.finding.is_judged());
        if printed.failed().next().is_some() {
            printed.outcome = Outcome::False;
        } else if !is_judged {
            let why = match (printed.commits, printed.claims().next()) {
                (0, _) => "the range has no commit",
                (_, None) => "no text claims anything that can be judged",
                (_, Some(_)) => "nothing that is claimed can be judged",
            };
            printed.outcome = Outcome::Nothing;
            printed.why = Some(why.to_owned());
        }
        printed
    }

    pub(super) fn nothing(why: &RangeError, hint: Option<&'static str>) -> Self {
        Self {
            schema: 1,
            outcome: Outcome::Nothing,
            why: Some(why.to_string()),
            hint,
            base: String::new(),
            head: String::new(),
            commits: 0,
            files: 0,
            texts: Vec::new(),
        }
    }

    pub(super) fn status(&self) -> ExitStatus {
        match self.outcome {
            Outcome::False => ExitStatus::Refuted,
            Outcome::Held => ExitStatus::Success,
            Outcome::Nothing => ExitStatus::Nothing,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Found> {
        self.texts.iter().flat_map(|text| &text.findings)
    }

    /// What is claimed, and not only told.
    fn claims(&self) -> impl Iterator<Item = &Found> {
        self.all().filter(|found| !found.is_told)
    }

    fn failed(&self) -> impl Iterator<Item = &Found> {
        self.all().filter(|found| found.fails)
    }

    fn headline(&self) -> String {
        let claims = counted(self.claims().count(), "claim");
        match (self.outcome, self.failed().count()) {
            (Outcome::False, 1) => format!("1 of {claims} is false"),
            (Outcome::False, failed) => format!("{failed} of {claims} are false"),
            (Outcome::Held, _) => format!("{claims}, none is false"),
            (Outcome::Nothing, _) => format!(
                "nothing to judge: {}",
                self.why.as_deref().unwrap_or_default()
            ),
        }
    }

    /// What lies between which commits.
    fn scope(&self) -> Option<String> {
        let short = |id: &String| id.get(..DIGITS).unwrap_or(id).to_owned();
        (!self.head.is_empty()).then(|| {
            format!(
                "{}..{}: {}, {}",
                short(&self.base),
                short(&self.head),
                counted(self.commits, "commit"),
                counted(self.files, "changed file")
            )
        })
    }

    pub(super) fn for_person(&self, width: Option<usize>) -> String {
        let (style, sign) = match self.outcome {
            Outcome::False => (BAD, mark("✗", "x")),
            Outcome::Held => (GOOD, mark("✓", "+")),
            Outcome::Nothing => (DOUBTFUL, mark("·", ".")),
        };
        let headline = format!("{sign} {}", self.headline());
        let mut text = hanging("", &styled(style, headline), width);
        for line in self.scope().into_iter().chain(self.hint.map(str::to_owned)) {
            text.push_str(&hanging("  ", &line, width));
        }
        for part in self.texts.iter().filter(|text| !text.findings.is_empty()) {
            let row = |found: &Found| {
                let (claimed, why) = (found.claimed.clone(), found.why.clone());
                (found.finding, found.fails, claimed, why)
            };
            let table = findings(part.findings.iter().map(row));
            text.push('\n');
            text.push_str(&hanging("", &part.name(), width));
            text.push_str(&table.unless_empty(width));
        }
        text
    }
}
