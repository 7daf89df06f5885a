//! Whether files that are said to be read were opened. That they were not is told, and never blocks.

use std::path::Path;

use attest_claim::Kind;
use attest_evidence::{FolderPlace, ends_in, escaped};
use attest_transcript::{Call, Outcome, Shows, ToolCalls};

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding};

/// Characters of a tool's name at most.
const LONGEST_TOOL: usize = 40;
/// Files of one name that are looked for on the disk: an agent may have read any number.
const MOST_SHOWN: usize = 100;

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
        _ if has_failed(file, calls) => "the call that was to open it failed",
        _ => "no tool call of the agent opened or searched it",
    };
    found(Finding::NotOpened).because(why.to_owned())
}

/// Whether a call showed this file of the agent's work tree. One of the same name may lie elsewhere.
fn is_opened(file: &str, calls: &ToolCalls, sources: Sources<'_>) -> bool {
    let named = file.trim_start_matches("./");
    let shown = calls.calls.iter().filter_map(|call| match &call.shows {
        Some(Shows::File(path)) if call.result != Outcome::Error => Some(path.as_str()),
        _ => None,
    });
    let mut shown = shown.filter(|path| ends_in(path, named)).take(MOST_SHOWN);
    shown.any(|path| path == file || !is_elsewhere(path, sources))
}

/// Whether a call was to show it, and failed.
fn has_failed(file: &str, calls: &ToolCalls) -> bool {
    let mut calls = calls.calls.iter();
    calls.any(|call| call.result == Outcome::Error && names(call, file))
}

/// Whether the call was given this file to show.
fn names(call: &Call, file: &str) -> bool {
    let named = file.trim_start_matches("./");
    matches!(&call.shows, Some(Shows::File(path)) if ends_in(path, named))
}

/// Whether a path that a tool was given leads out of the agent's work tree.
fn is_elsewhere(path: &str, sources: Sources<'_>) -> bool {
    let place = Path::new(path);
    let folder = place.parent().unwrap_or(place).to_string_lossy();
    place.is_absolute() && sources.repository.folder(&folder) == FolderPlace::Elsewhere
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
        Some(Shows::File(_)) if call.result == Outcome::Error && names(call, file) => false,
        Some(Shows::File(path)) => name(path) == name(file),
        Some(Shows::Nothing) => false,
    })?;
    let tool = escaped(call.tool.as_bytes());
    Some(tool.chars().take(LONGEST_TOOL).collect())
}
