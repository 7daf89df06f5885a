//! Which part of a message is the report.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::data;
use crate::item::{MAX_ENTRIES, more};
use crate::key::{self, Key};
use crate::markdown::{Document, Fence, Kind};
use crate::report::{self, Files, Report};
use crate::title::is_example;
use crate::words::is_of_example;
use crate::{Claim, Entry, Form, Operation};

/// The longest message that is read, in bytes. A report has a few thousand, and no model writes
/// this much in one answer; reading more would cost a hook time and memory.
pub const MAX_MESSAGE_BYTES: usize = 1 << 19;

/// The most examples behind a claim.
const MAX_EXAMPLES: usize = 8;
/// Words above an example of a report, or above somebody else's.
const EXAMPLE: &[&str] = &["example"];
/// Words above what may be one, or a correction: "An answer should now look like this:".
const MODEL: &[&str] = &["model"];

/// Reads the claim of a message. A message above [`MAX_MESSAGE_BYTES`] makes none.
#[must_use]
pub fn parse(message: &str) -> Claim {
    if message.len() > MAX_MESSAGE_BYTES {
        return claim(Form::None, Report::default(), String::new());
    }
    let document = Document::parse(message);
    handoff(&document)
        .or_else(|| data(&document))
        .unwrap_or_else(|| lines(&document))
}

/// The message is one fence around a Handoff or around a report in JSON or YAML, as written by an
/// agent that was told to answer in a block; or the object itself.
fn data(document: &Document<'_>) -> Option<Claim> {
    let [line] = document.lines.as_slice() else {
        return data::report(document.source).map(|report| of_data(report, document.source));
    };
    let Kind::Fence(fence) = &line.kind else {
        return data::report(document.source).map(|report| of_data(report, document.source));
    };
    let content = document.content(fence);
    if let Some(claim) = handoff(&Document::parse(content)) {
        return Some(claim);
    }
    if let Some(report) = data::report(content) {
        return Some(of_data(report, content));
    }
    fence
        .is_data
        .then(|| of_data(data::lines(content), content))
}

fn whole(document: &Document<'_>) -> Report {
    report::read(document, 0, document.lines.len())
}

fn of_data(report: Report, raw: &str) -> Claim {
    let form = if report.is_claim() {
        Form::Lines
    } else {
        Form::None
    };
    let raw = if report.is_claim() {
        raw.trim_end()
    } else {
        ""
    };
    claim(form, report, raw.to_owned())
}

fn claim(form: Form, report: Report, raw: String) -> Claim {
    Claim {
        form,
        status: report.status(),
        entries: all_entries(report.files),
        blockers: report.blockers,
        ran_tests: report.ran_tests,
        raw,
    }
}

/// Tier 1: the last section headed "Handoff" that has a known key.
fn handoff(document: &Document<'_>) -> Option<Claim> {
    let sections = sections(document);
    let mut claims = sections
        .iter()
        .rev()
        .filter_map(|section| Some((section, section_report(document, section)?)));
    let last = claims.next()?;
    let is_example =
        |section: &Range<usize>| is_introduced_by(EXAMPLE, document, section.start - 1);
    // If all of them are examples, the last one is meant.
    let (section, report) = if is_example(last.0) {
        claims
            .find(|(section, _)| !is_example(section))
            .unwrap_or(last)
    } else {
        last
    };
    let claim = section_claim(document, section.clone(), report);
    let is_second = sections.first() != Some(section);
    Some(if is_second {
        with_doubt(claim, document, section.start - 1)
    } else {
        claim
    })
}

/// A second report that may be a model of one proves nothing.
fn with_doubt(mut claim: Claim, document: &Document<'_>, at: usize) -> Claim {
    if is_introduced_by(MODEL, document, at)
        && let Some(line) = at
            .checked_sub(1)
            .and_then(|above| document.lines.get(above))
    {
        claim
            .entries
            .iter_mut()
            .for_each(|entry| entry.put_below(line.text));
    }
    claim
}

/// A section, or the fence that is its only content, as long as it has a known key.
fn section_report(document: &Document<'_>, section: &Range<usize>) -> Option<Report> {
    let mut found = report::read(document, section.start, section.end);
    if found.is_empty() {
        let content = document.content(only_fence(document, section)?);
        found = data::report(content).unwrap_or_else(|| data::lines(content));
    }
    (!found.is_empty()).then_some(found)
}

fn section_claim(document: &Document<'_>, section: Range<usize>, mut found: Report) -> Claim {
    let mut end = section.end;
    if found.files.is_empty() {
        end = end_of_files(document, section.end);
        found.files = report::read(document, section.end, end).files;
    }
    let mut status = found.status();
    if found.statuses.iter().all(|stated| stated.status.is_none()) {
        status = whole(document).status();
    }
    let raw = document.lines[section.start - 1].range.start..document.lines[end - 1].range.end;
    let raw = document.source[raw].trim_end().to_owned();
    Claim {
        status,
        ..claim(Form::Handoff, found, raw)
    }
}

/// The fence that is the only content of a section.
fn only_fence<'a>(document: &'a Document<'_>, section: &Range<usize>) -> Option<&'a Fence> {
    match &document.lines[section.clone()] {
        [line] => match &line.kind {
            Kind::Fence(fence) if fence.is_top => Some(fence),
            _ => None,
        },
        _ => None,
    }
}

/// The end of the sections that are headed "Files changed" and begin on this line.
fn end_of_files(document: &Document<'_>, begin: usize) -> usize {
    let mut end = begin;
    while let Some(line) = document.lines.get(end)
        && let Some(level) = line.level()
        && let key = key::line(line.text).map(|(key, _)| key)
        && matches!(key.or_else(|| key::alone(line.text)), Some(Key::Files(_)))
    {
        let below = document.lines[end + 1..].iter();
        end += 1 + below
            .take_while(|line| line.level().is_none_or(|other| other > level))
            .count();
    }
    end
}

/// The lines of each Handoff section, without its heading.
fn sections(document: &Document<'_>) -> Vec<Range<usize>> {
    let mut sections = Vec::new();
    let mut open: Option<(usize, u8)> = None;
    for (at, line) in document.lines.iter().enumerate() {
        let Some(level) = line.level() else {
            continue;
        };
        if let Some((start, open_level)) = open
            && level <= open_level
        {
            sections.push(start + 1..at);
            open = None;
        }
        if open.is_none() && is_handoff(line.text) && (2..=4).contains(&level) {
            open = Some((at, level));
        }
    }
    sections.extend(open.map(|(start, _)| start + 1..document.lines.len()));
    sections
}

fn is_handoff(title: &str) -> bool {
    // Pictures, emphasis and a number are not part of the title.
    let title = title
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    title.eq_ignore_ascii_case("handoff")
}

/// Tier 2: lines anywhere in the message that begin with a key.
fn lines(document: &Document<'_>) -> Claim {
    let mut report = whole(document);
    drop_examples(&mut report, document);
    let form = if report.is_claim() {
        Form::Lines
    } else {
        Form::None
    };
    let status = report.status();
    drop_earlier_claims(&mut report, document);
    let mut raw = String::new();
    if form == Form::Lines {
        for at in &report.lines {
            raw.push_str(document.source[document.lines[*at].range.clone()].trim_end());
            raw.push('\n');
        }
    }
    Claim {
        status,
        ..claim(form, report, raw)
    }
}

/// Removes an example behind the claim, and a quoted report in front of it; doubts all files if the last claim may be
/// a model of one.
fn drop_examples(report: &mut Report, document: &Document<'_>) {
    for _ in 0..MAX_EXAMPLES {
        let (previous, last) = match report.statuses.as_slice() {
            [.., previous, last] => (previous.at, last.at),
            // The report of somebody else is none of one's own.
            [only] => (0, only.at),
            [] => return,
        };
        let is_only = report.statuses.len() == 1;
        let files = report.files.iter().map(|files| files.at);
        let between = files.filter(|at| (previous..last).contains(at));
        let begins: Vec<_> = between.chain([last]).collect();
        let introduced = |words: &[&str]| {
            begins
                .iter()
                .copied()
                .find(|at| is_introduced_by(words, document, *at))
        };
        if !is_only
            && let Some(at) = introduced(MODEL)
            && let Some(line) = at
                .checked_sub(1)
                .and_then(|above| document.lines.get(above))
        {
            let entries = report.files.iter_mut().flat_map(|files| &mut files.entries);
            entries.for_each(|entry| entry.put_below(line.text));
        }
        let Some(begin) = introduced(EXAMPLE) else {
            return;
        };
        report.files.retain(|files| files.at < begin);
        report.statuses.pop();
    }
}

/// If a message states its status more than once, the last claim is the real one: an example or an
/// earlier report comes first. Its files follow the last status, or else precede it. Sections that
/// each have a status, one per task, add up.
fn drop_earlier_claims(report: &mut Report, document: &Document<'_>) {
    let [earlier @ .., last] = report.statuses.as_slice() else {
        return;
    };
    let Some(previous) = earlier.last() else {
        return;
    };
    let is_behind = report.files.iter().any(|files| files.at > last.at);
    let from = if is_behind { last.at } else { previous.at };
    let is_title_of_report =
        |section: &Option<usize>| section.is_some_and(|at| !is_example(document.lines[at].text));
    let tasks: HashSet<Option<usize>> = earlier
        .iter()
        .filter(|stated| stated.status == last.status && stated.section != last.section)
        .map(|stated| stated.section)
        .filter(is_title_of_report)
        .collect();
    report
        .files
        .retain(|files| files.at > from || tasks.contains(&files.section));
}

/// In one section, a key that occurs twice was corrected, unless a title stands between the two. Different keys add
/// up, and so does the same key in several sections.
fn all_entries(files: Vec<Files>) -> Vec<Entry> {
    let mut last = HashMap::new();
    for (index, files) in files.iter().enumerate() {
        last.insert(
            (files.section, files.part, files.verb, files.is_doubtful),
            index,
        );
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (index, files) in files.into_iter().enumerate() {
        if last.get(&(files.section, files.part, files.verb, files.is_doubtful)) == Some(&index) {
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

/// Whether what begins on this line has one of the words in the title or the sentence above it.
fn is_introduced_by(words: &[&str], document: &Document<'_>, at: usize) -> bool {
    let line = at
        .checked_sub(1)
        .and_then(|above| document.lines.get(above));
    line.is_some_and(|line| {
        let is_sentence = line.text.trim_end_matches(['*', '_', ' ']).ends_with(':');
        line.kind != Kind::Hidden
            && (line.level().is_some() || is_sentence)
            && is_of_example(line.text, words)
    })
}
