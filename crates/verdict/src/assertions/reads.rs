//! Whether files that are said to be read were opened. That they were not is told, and never blocks.

use std::path::Path;

use attest_claim::Kind;
use attest_evidence::{FolderPlace, ends_in, escaped};
use attest_transcript::{Outcome, Shows, ToolCalls};

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding};

/// Characters of a tool's name at most.
const LONGEST_TOOL: usize = 40;

/// What the calls show of one file. A command, another agent or a tool that is not known may have read anything; and
/// who was given a file need not open it.
pub(super) fn find(file: &str, sources: Sources<'_>) -> ClaimFinding {
    let found = |finding| ClaimFinding::of_kind(Kind::Reads, file, finding);
    let doubted = |doubt| found(Finding::NotJudged).with_doubt(doubt);
    let Some(calls) = sources.transcript.calls() else {
        return doubted(Doubt::NoTranscript);
    };
    if is_opened(file, calls, sources) {
        return found(Finding::FileRead);
    }
    if !sources.transcript.is_settled() {
        return doubted(Doubt::CallsUnknown);
    }
    if let Some(tool) = may_have_read(file, calls) {
        return doubted(Doubt::MayHaveRead(tool));
    }
    if sources.transcript.may_be_known(file) {
        return doubted(Doubt::MayBeKnown);
    }
    let why = match calls.calls.len() {
        0 => "the agent made no tool call at all",
        _ => "no tool call of the agent opened or searched it",
    };
    found(Finding::NotOpened).because(why.to_owned())
}

/// Whether a call showed this file of the agent's work tree. One of the same name may lie elsewhere.
fn is_opened(file: &str, calls: &ToolCalls, sources: Sources<'_>) -> bool {
    calls.calls.iter().any(|call| {
        let Some(Shows::File(path)) = &call.shows else {
            return false;
        };
        let place = Path::new(path);
        let is_elsewhere = || {
            let folder = place.parent().unwrap_or(place).to_string_lossy();
            sources.repository.folder(&folder) == FolderPlace::Elsewhere
        };
        let is_here = !place.is_absolute() || path == file || !is_elsewhere();
        call.result != Outcome::Error && is_here && ends_in(path, file.trim_start_matches("./"))
    })
}

/// The first tool that may have shown it. A file of its name may be the file, by another way.
fn may_have_read(file: &str, calls: &ToolCalls) -> Option<String> {
    let name = |path: &str| {
        let name = path.rsplit(['/', '\\']).next();
        name.unwrap_or(path).to_lowercase()
    };
    let mut calls = calls.calls.iter();
    let call = calls.find(|call| match &call.shows {
        None | Some(Shows::Folder) => true,
        Some(Shows::File(path)) => name(path) == name(file),
        Some(Shows::Nothing) => false,
    })?;
    let tool = escaped(call.tool.as_bytes());
    Some(tool.chars().take(LONGEST_TOOL).collect())
}
