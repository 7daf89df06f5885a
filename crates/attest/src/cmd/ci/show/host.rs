//! What the host of a workflow gets: lines in the output of a step, and a summary of Markdown.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_base::ui::and_more;
use attest_claim::Kind;
use attest_verdict::Finding;
use thiserror::Error;

use super::{Found, Printed};

/// Annotations that GitHub shows of one step.
const ANNOTATIONS: usize = 10;
/// Rows of a summary: it may have a megabyte.
const ROWS: usize = 500;
#[derive(Debug, Error)]
#[error("cannot write the summary to {path:?}")]
pub(in crate::cmd::ci) struct SummaryError {
    path: PathBuf,
    source: io::Error,
}

impl Printed {
    /// A line for each false claim, as GitHub and those who follow it read them in the output of a step.
    pub(in crate::cmd::ci) fn annotations(&self) -> String {
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
    pub(in crate::cmd::ci) fn append_summary(&self, path: &Path) -> Result<(), SummaryError> {
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
