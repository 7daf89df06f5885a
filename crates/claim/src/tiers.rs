//! Which part of a message is the claim.

use std::ops::Range;

use crate::collect::{Files, Found, collect};
use crate::document::{Document, Kind};
use crate::{Claim, Entry, Form};

/// Reads the claim of a message.
#[must_use]
pub fn parse(message: &str) -> Claim {
    let document = Document::parse(message);
    if let Some(claim) = handoff(&document) {
        return claim;
    }
    if let Some(claim) = fenced_handoff(&document) {
        return claim;
    }
    lines(&document)
}

/// The message is one fence around a Handoff, as an agent writes that was told to answer in a block.
fn fenced_handoff(document: &Document<'_>) -> Option<Claim> {
    let [(whole, content)] = document.fences.as_slice() else {
        return None;
    };
    let around = [
        &document.source[..whole.start],
        &document.source[whole.end..],
    ];
    if around.iter().any(|text| !text.trim().is_empty()) {
        return None;
    }
    let inner = Document::parse(&document.source[content.clone()]);
    handoff(&inner)
}

/// Tier 1: the last section headed "Handoff" that has a known key.
fn handoff(document: &Document<'_>) -> Option<Claim> {
    let (section, found) = sections(document)
        .into_iter()
        .rev()
        .map(|section| (section.clone(), read_section(document, &section)))
        .find(|(_, found)| !found.is_empty())?;
    let first = &document.lines[section.start - 1];
    let last = &document.lines[section.end - 1];
    let mut status = found.status();
    if found.statuses.iter().all(|(_, status)| status.is_none()) {
        status = collect(&document.lines, 0, document.lines.len()).status();
    }
    Some(Claim {
        form: Form::Handoff,
        status,
        entries: last_of_each(found.files),
        blockers: found.blockers,
        ran_tests: found.ran_tests,
        raw: document.source[first.range.start..last.range.end]
            .trim_end()
            .to_owned(),
    })
}

/// The lines of each Handoff section, without its heading.
fn sections(document: &Document<'_>) -> Vec<Range<usize>> {
    let headings: Vec<_> = document
        .lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| match line.kind {
            Kind::Heading(level) => Some((at, level, is_handoff(line.text))),
            _ => None,
        })
        .collect();
    let mut sections = Vec::new();
    let mut open: Option<(usize, u8)> = None;
    for (at, level, is_handoff) in headings {
        if let Some((start, open_level)) = open
            && level <= open_level
        {
            sections.push(start + 1..at);
            open = None;
        }
        if open.is_none() && is_handoff && (2..=4).contains(&level) {
            open = Some((at, level));
        }
    }
    if let Some((start, _)) = open {
        sections.push(start + 1..document.lines.len());
    }
    sections
}

fn is_handoff(title: &str) -> bool {
    // Pictures, emphasis and a number are no part of the title.
    let title = title
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    title.eq_ignore_ascii_case("handoff")
}

/// A section, or the one fence that is all there is in it.
fn read_section(document: &Document<'_>, section: &Range<usize>) -> Found {
    let found = collect(&document.lines, section.start, section.end);
    if !found.is_empty() {
        return found;
    }
    let lines = &document.lines[section.clone()];
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return found;
    };
    let bounds = first.range.start..last.range.end;
    let first_fence = document
        .fences
        .partition_point(|(whole, _)| whole.start < bounds.start);
    let mut inside = document.fences[first_fence..]
        .iter()
        .take_while(|(whole, _)| whole.start < bounds.end);
    let (Some((whole, content)), None) = (inside.next(), inside.next()) else {
        return found;
    };
    let before = &document.source[bounds.start..whole.start];
    let after = document
        .source
        .get(whole.end..bounds.end)
        .unwrap_or_default();
    if !before.trim().is_empty() || !after.trim().is_empty() {
        return found;
    }
    let body = Document::plain(&document.source[content.clone()]);
    collect(&body.lines, 0, body.lines.len())
}

/// Tier 2: lines anywhere in the message that begin with a key.
fn lines(document: &Document<'_>) -> Claim {
    let mut found = collect(&document.lines, 0, document.lines.len());
    let form = if found.statuses.is_empty() && found.files.is_empty() {
        Form::None
    } else {
        Form::Lines
    };
    let status = found.status();
    drop_earlier_claims(&mut found);
    let mut raw = String::new();
    if form == Form::Lines {
        found.lines.sort_unstable();
        for at in &found.lines {
            raw.push_str(document.source[document.lines[*at].range.clone()].trim_end());
            raw.push('\n');
        }
    }
    Claim {
        form,
        status,
        entries: last_of_each(found.files),
        blockers: found.blockers,
        ran_tests: found.ran_tests,
        raw,
    }
}

/// Where a message states its status more than once, the last claim is the real one: an example
/// or an earlier report comes first. Its files stand after the last status, or else before it.
fn drop_earlier_claims(found: &mut Found) {
    let [.., (previous, _), (last, _)] = found.statuses.as_slice() else {
        return;
    };
    let from = if found.files.iter().any(|files| files.at > *last) {
        *last
    } else {
        *previous
    };
    found.files.retain(|files| files.at > from);
}

/// One key that comes twice was corrected; different keys add up.
fn last_of_each(files: Vec<Files>) -> Vec<Entry> {
    let mut kept: Vec<Files> = Vec::new();
    for files in files {
        kept.retain(|earlier| earlier.key != files.key);
        kept.push(files);
    }
    kept.into_iter().flat_map(|files| files.entries).collect()
}
