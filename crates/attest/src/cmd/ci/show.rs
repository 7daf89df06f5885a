//! What `attest ci` prints: for a person, for the host of a workflow, and as JSON.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_claim::Kind;
use attest_snapshot::{Range, RangeError, escaped};
use attest_verdict::{ClaimFinding, Finding};
use serde::Serialize;
use thiserror::Error;

use super::policy::Policy;
use attest_base::ui::counted;
use attest_base::ui::{BAD, Cell, Column, DOUBTFUL, GOOD, Table, hanging, mark, styled};
use attest_base::{exit_status::ExitStatus, ui::and_more};

/// Annotations that GitHub shows of one step.
const ANNOTATIONS: usize = 10;
/// Rows of a summary: it may have a megabyte.
const ROWS: usize = 500;
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
struct Found {
    kind: Kind,
    claimed: String,
    finding: Finding,
    why: String,
    /// Whether it fails by the policy of the base.
    fails: bool,
}

#[derive(Debug, Error)]
#[error("cannot write the summary to {path:?}")]
pub(super) struct SummaryError {
    path: PathBuf,
    source: io::Error,
}

impl Text {
    pub(super) fn of_report(findings: Vec<ClaimFinding>) -> Self {
        Self {
            commit: None,
            subject: None,
            findings: findings.into_iter().map(Found::of).collect(),
        }
    }

    pub(super) fn of_commit(id: String, message: &str, findings: Vec<ClaimFinding>) -> Self {
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
    fn of(found: ClaimFinding) -> Self {
        let meaning = || found.finding.meaning().to_owned();
        Self {
            kind: found.kind,
            claimed: escaped(found.claimed.as_bytes()),
            finding: found.finding,
            why: found
                .why
                .map_or_else(meaning, |why| escaped(why.as_bytes())),
            fails: false,
        }
    }
}

impl Printed {
    pub(super) fn of(range: &Range<'_>, mut texts: Vec<Text>, policy: &Policy) -> Self {
        let (base, head) = range.ends();
        for found in texts.iter_mut().flat_map(|text| &mut text.findings) {
            found.fails = policy.fails(found.finding);
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
        let is_judged = printed.all().any(|found| found.finding.is_judged());
        if printed.failed().next().is_some() {
            printed.outcome = Outcome::False;
        } else if !is_judged {
            let why = match (printed.commits, printed.all().next()) {
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

    fn failed(&self) -> impl Iterator<Item = &Found> {
        self.all().filter(|found| found.fails)
    }

    fn headline(&self) -> String {
        let claims = counted(self.all().count(), "claim");
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
            let mut table = Table::new([
                Column::whole("FINDING", 9),
                Column::path("CLAIMED", 8),
                Column::prose("WHY", 1),
            ]);
            for found in &part.findings {
                let word = found.finding.as_str();
                let word = if found.fails {
                    Cell::styled(BAD, word)
                } else {
                    Cell::new(word)
                };
                table.push([
                    word,
                    Cell::new(found.claimed.clone()),
                    Cell::new(found.why.clone()),
                ]);
            }
            text.push('\n');
            text.push_str(&hanging("", &part.name(), width));
            text.push_str(&table.unless_empty(width));
        }
        text
    }

    /// A line for each false claim, as GitHub and those who follow it read them in the output of a step.
    pub(super) fn annotations(&self) -> String {
        let line = |found: &Found| {
            let file = match found.kind {
                Kind::Files | Kind::Content if found.finding != Finding::CountWrong => {
                    format!("file={},", of_command(&found.claimed, true))
                }
                _ => String::new(),
            };
            let said = of_command(&format!("{}: {}", found.claimed, found.why), false);
            format!("::error {file}title=attest {}::{said}\n", found.finding)
        };
        let shown = self.failed().take(ANNOTATIONS).map(line);
        let mut lines: String = shown.collect();
        let more = and_more(self.failed().count(), ANNOTATIONS);
        if !more.is_empty() {
            lines.push_str(&format!("::error title=attest::{more}\n"));
        }
        lines
    }

    /// Adds the findings to a file of Markdown.
    pub(super) fn append_summary(&self, path: &Path) -> Result<(), SummaryError> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let written = file.and_then(|mut file| file.write_all(self.summary().as_bytes()));
        written.map_err(|source| SummaryError {
            path: path.to_owned(),
            source,
        })
    }

    fn summary(&self) -> String {
        let mut text = format!("### attest: {}\n\n", self.headline());
        for line in self.scope().into_iter().chain(self.hint.map(str::to_owned)) {
            text.push_str(&format!("`{line}`\n\n"));
        }
        let mut left = ROWS;
        for part in self.texts.iter().filter(|text| !text.findings.is_empty()) {
            text.push_str(&format!("{}\n\n", of_cell(&part.name())));
            text.push_str("| | finding | claimed | why |\n|---|---|---|---|\n");
            for found in part.findings.iter().take(left) {
                let sign = if found.fails { "❌" } else { "" };
                let (claimed, why) = (of_cell(&found.claimed), of_cell(&found.why));
                let row = format!("| {sign} | {} | {claimed} | {why} |\n", found.finding);
                text.push_str(&row);
            }
            left = left.saturating_sub(part.findings.len());
            text.push('\n');
        }
        let more = and_more(self.all().count(), ROWS);
        if more.is_empty() {
            text
        } else {
            text + &more + "\n"
        }
    }
}

/// A value in a command of a workflow: what would end it is written in another way.
fn of_command(text: &str, is_property: bool) -> String {
    let text = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    if is_property {
        text.replace(':', "%3A").replace(',', "%2C")
    } else {
        text
    }
}

/// Somebody else's words in Markdown: nothing in them is a mark, a link or a mention.
fn of_cell(text: &str) -> String {
    let mut cell = String::new();
    for char in text.chars() {
        match char {
            '<' | '>' | '&' | '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '@' | '#' | '~' | '!' => {
                cell.push_str(&format!("&#{};", u32::from(char)));
            }
            char => cell.push(char),
        }
    }
    cell
}
