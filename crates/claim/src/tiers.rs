//! Which part of a message is the claim.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::collect::collect;
use crate::document::{Document, Kind, Line};
use crate::entry::{MAX_ENTRIES, more};
use crate::example::{EXAMPLE, MODEL, drop_examples_behind, is_example, is_introduced_by};
use crate::found::{Files, Found};
use crate::keys::{self, Key};
use crate::{Claim, Entry, Form, Operation, json};

/// The longest message that is read, in bytes. A report has a few thousand, and no model writes
/// this much in one answer; reading more would cost a hook time and memory.
pub const MAX_MESSAGE_BYTES: usize = 1 << 19;

/// Reads the claim of a message. A message above [`MAX_MESSAGE_BYTES`] makes none.
#[must_use]
pub fn parse(message: &str) -> Claim {
    if message.len() > MAX_MESSAGE_BYTES {
        return of_data(Found::default(), "");
    }
    let document = Document::parse(message);
    if let Some(claim) = handoff(&document) {
        return claim;
    }
    if let Some(claim) = fenced(&document) {
        return claim;
    }
    lines(&document)
}

/// The message is one fence around a Handoff or around a report in JSON or YAML, as written by an
/// agent that was told to answer in a block.
fn fenced(document: &Document<'_>) -> Option<Claim> {
    let source = document.source;
    let [fence] = document.fences.as_slice() else {
        // Or the object itself, without a fence.
        return json::report(source).map(|found| of_data(found, source));
    };
    let around = [&source[..fence.whole.start], &source[fence.whole.end..]];
    if around.iter().any(|text| !text.trim().is_empty()) {
        return None;
    }
    let content = &source[fence.content.clone()];
    if let Some(claim) = handoff(&Document::parse(content)) {
        return Some(claim);
    }
    if let Some(found) = json::report(content) {
        return Some(of_data(found, content));
    }
    let body = Document::plain(content);
    fence
        .is_data
        .then(|| of_data(collect(&body, 0, body.lines.len()), content))
}

fn of_data(found: Found, raw: &str) -> Claim {
    let is_claim = !found.statuses.is_empty() || !found.files.is_empty();
    Claim {
        form: if is_claim { Form::Lines } else { Form::None },
        status: found.status(),
        entries: all_entries(found.files),
        blockers: found.blockers,
        ran_tests: found.ran_tests,
        raw: if is_claim {
            raw.trim_end().to_owned()
        } else {
            String::new()
        },
    }
}

/// Tier 1: the last section headed "Handoff" that has a known key.
fn handoff(document: &Document<'_>) -> Option<Claim> {
    let claims: Vec<_> = sections(document)
        .into_iter()
        .map(|section| (section.clone(), read_section(document, &section)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    let last = claims.len().checked_sub(1)?;
    let is_example = |(section, _): &(Range<usize>, Found)| {
        is_introduced_by(EXAMPLE, document, section.start - 1)
    };
    let real = claims.iter().rposition(|claim| !is_example(claim));
    let (mut section, mut found) = claims.into_iter().nth(real.unwrap_or(last))?;
    if found.files.is_empty() {
        let end = end_of_files(document, section.end);
        found.files = collect(document, section.end, end).files;
        section.end = end;
    }
    if last > 0 && is_introduced_by(MODEL, document, section.start - 1) {
        let entries = found.files.iter_mut().flat_map(|files| &mut files.entries);
        entries.for_each(Entry::doubt);
    }
    let first = &document.lines[section.start - 1];
    let last = &document.lines[section.end - 1];
    let mut status = found.status();
    if found.statuses.iter().all(|stated| stated.status.is_none()) {
        status = collect(document, 0, document.lines.len()).status();
    }
    Some(Claim {
        form: Form::Handoff,
        status,
        entries: all_entries(found.files),
        blockers: found.blockers,
        ran_tests: found.ran_tests,
        raw: document.source[first.range.start..last.range.end]
            .trim_end()
            .to_owned(),
    })
}

/// The end of the sections that are headed "Files changed" and begin on this line.
fn end_of_files(document: &Document<'_>, begin: usize) -> usize {
    let mut end = begin;
    while let Some(line) = document.lines.get(end)
        && let Kind::Heading(level) = line.kind
        && let key = keys::key_line(line.text).map(|(key, _)| key)
        && matches!(key.or_else(|| keys::bare(line.text)), Some(Key::Files(_)))
    {
        let is_below =
            |line: &&Line<'_>| !matches!(line.kind, Kind::Heading(other) if other <= level);
        let below = document.lines[end + 1..].iter().take_while(is_below);
        end += 1 + below.count();
    }
    end
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
    // Pictures, emphasis and a number are not part of the title.
    let title = title
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    title.eq_ignore_ascii_case("handoff")
}

/// A section, or the fence that is its only content.
fn read_section(document: &Document<'_>, section: &Range<usize>) -> Found {
    let found = collect(document, section.start, section.end);
    if !found.is_empty() {
        return found;
    }
    let lines = &document.lines[section.clone()];
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return found;
    };
    let bounds = first.range.start..last.range.end;
    let mut inside = document.fences_in(&bounds);
    let (Some(fence), None) = (inside.next(), inside.next()) else {
        return found;
    };
    let before = &document.source[bounds.start..fence.whole.start];
    let after = document
        .source
        .get(fence.whole.end..bounds.end)
        .unwrap_or_default();
    if !fence.is_top || !before.trim().is_empty() || !after.trim().is_empty() {
        return found;
    }
    let content = &document.source[fence.content.clone()];
    if let Some(found) = json::report(content) {
        return found;
    }
    let body = Document::plain(content);
    collect(&body, 0, body.lines.len())
}

/// Tier 2: lines anywhere in the message that begin with a key.
fn lines(document: &Document<'_>) -> Claim {
    let mut found = collect(document, 0, document.lines.len());
    drop_examples_behind(&mut found, document);
    let form = if found.statuses.is_empty() && found.files.is_empty() {
        Form::None
    } else {
        Form::Lines
    };
    let status = found.status();
    drop_earlier_claims(&mut found, document);
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
        entries: all_entries(found.files),
        blockers: found.blockers,
        ran_tests: found.ran_tests,
        raw,
    }
}

/// If a message states its status more than once, the last claim is the real one: an example or an
/// earlier report comes first. Its files follow the last status, or else precede it. Sections that
/// each have a status, one per task, add up.
fn drop_earlier_claims(found: &mut Found, document: &Document<'_>) {
    let [earlier @ .., last] = found.statuses.as_slice() else {
        return;
    };
    let Some(previous) = earlier.last() else {
        return;
    };
    let from = if found.files.iter().any(|files| files.at > last.at) {
        last.at
    } else {
        previous.at
    };
    let tasks: HashSet<Option<usize>> = earlier
        .iter()
        .filter(|stated| stated.status == last.status && stated.section != last.section)
        .map(|stated| stated.section)
        .filter(|section| section.is_some_and(|at| !is_example(document.lines[at].text)))
        .collect();
    found
        .files
        .retain(|files| files.at > from || tasks.contains(&files.section));
}

/// In one section, a key that occurs twice was corrected. Different keys add up, and so does the
/// same key in several sections.
fn all_entries(files: Vec<Files>) -> Vec<Entry> {
    let mut last = HashMap::new();
    for (index, files) in files.iter().enumerate() {
        last.insert((files.section, files.key), index);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (index, files) in files.into_iter().enumerate() {
        if last.get(&(files.section, files.key)) == Some(&index) {
            entries.extend(files.entries);
        }
        if entries.len() > MAX_ENTRIES {
            entries.truncate(MAX_ENTRIES);
            entries.push(more(Operation::Changed));
            break;
        }
    }
    entries
}
