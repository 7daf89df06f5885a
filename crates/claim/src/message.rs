//! Which part of a message is the report.

use std::collections::HashSet;
use std::ops::Range;

use crate::assertion::MAX_ASSERTIONS;
use crate::data;
use crate::item::{MAX_ENTRIES, no_path, put_below};
use crate::key::{self, Key};
use crate::markdown::{Document, Line, LineKind};
use crate::own::{is_numbered, is_own};
use crate::place::leads_in;
use crate::reader;
use crate::report::{Files, Report, Stated};
use crate::said::{others, review, study};
use crate::title::{is_example, title_text};
use crate::unmade;
use crate::unwritten::unwritten;
use crate::words;
use crate::{Assertion, Claim, Entry, Form, Operation, Unresolvable};

/// The longest message that is read, in bytes. A report has a few thousand, and no model writes
/// this much in one answer; reading more would cost a hook time and memory.
pub const MAX_MESSAGE_BYTES: usize = 1 << 19;

/// The most examples behind a claim.
const MAX_EXAMPLES: usize = 8;
/// The most tasks of one message that have a Handoff of their own.
const MAX_TASKS: usize = 64;

/// Reads the claim of a message. A message above [`MAX_MESSAGE_BYTES`] makes none.
#[must_use]
pub fn parse(message: &str) -> Claim {
    if message.len() > MAX_MESSAGE_BYTES {
        return claim(Report::default(), "");
    }
    let document = Document::parse(message);
    let found = handoff(&document).or_else(|| data(&document));
    let mut claim = found.unwrap_or_else(|| lines(&document));
    if claim.says_what_was_done && claim.status.is_none() {
        claim.study = study(&document).map(|title| title_text(title).to_owned());
        claim.says_what_was_done = claim.study.is_none();
    }
    claim.others = others(&document).map(|named| title_text(named).to_owned());
    if claim.is_claim() {
        unmade::take_back(&document, &mut claim.entries);
        claim.review = review(&document).map(|title| title_text(title).to_owned());
        let said = || unwritten(&document).map(|said| title_text(said).to_owned());
        claim.unwritten = claim.unwritten.or_else(said);
    } else {
        claim.raw.clear();
    }
    claim
}

fn claim(report: Report, raw: &str) -> Claim {
    Claim {
        form: report.form(),
        status: report.status(),
        says_what_was_done: report.says_what_was_done(),
        review: None,
        study: None,
        others: None,
        unwritten: report.unwritten,
        entries: all_entries(report.files),
        assertions: report.asserted.into_iter().map(|(_, said)| said).collect(),
        blockers: report.blockers,
        ran_tests: report.ran_tests,
        raw: raw.to_owned(),
    }
}

/// The message is one fence around a Handoff or around a report in JSON or YAML, as written by an
/// agent that was told to answer in a block; or the object itself.
fn data(document: &Document<'_>) -> Option<Claim> {
    let fence = match document.lines.as_slice() {
        [line] => line.fence(),
        _ => None,
    };
    let text = fence.map_or(document.source, |fence| fence.content);
    let within = fence.and_then(|_| handoff(&Document::parse(text)));
    within.or_else(|| {
        let is_data = fence.is_some_and(|fence| fence.is_data);
        let report = if is_data {
            Some(data::of_fence(text))
        } else {
            data::report(text)
        };
        Some(claim(report?, text.trim_end()))
    })
}

/// Tier 1: the last section headed "Handoff" that has a known key and is no example, or the last if all are.
fn handoff(document: &Document<'_>) -> Option<Claim> {
    let sections = sections(document);
    let report_of = |section| Some((section, section_report(document, section)?));
    let reports = || sections.iter().rev().filter_map(report_of);
    let introduced = |section: &Range<usize>, kind| introduction(document, section.start - 1, kind);
    let is_meant =
        |(section, _): &(&Range<usize>, Report)| introduced(section, "example").is_none();
    let (section, mut report) = reports().find(is_meant).or_else(|| reports().next())?;
    // Each task may have a Handoff of its own.
    let task = task_of(document, section);
    let is_of_another = |other: &&Range<usize>| {
        let another = task_of(document, other);
        other.start < section.start && task.is_some() && another.is_some() && another != task
    };
    let others = sections.iter().take(MAX_TASKS).filter(is_of_another);
    let others = others.filter_map(report_of).filter(is_meant);
    let others = others.filter(|(_, said)| said.status() == report.status());
    let files = others.flat_map(|(at, said)| {
        let of = Some(at.start);
        let files = said.files.into_iter();
        files.map(move |it| Files { section: of, ..it })
    });
    let files: Vec<_> = files.collect();
    report.files.splice(0..0, files);
    let mut claim = section_claim(document, section, report);
    // An example, or a second report that may be a model of one, proves nothing.
    let model = introduced(section, "model").filter(|_| sections.first() != Some(section));
    put_below(&mut claim.entries, model.or(introduced(section, "example")));
    Some(claim)
}

/// The lines of each Handoff section, without its heading.
fn sections(document: &Document<'_>) -> Vec<Range<usize>> {
    let mut sections: Vec<Range<usize>> = Vec::new();
    for (at, line) in document.lines.iter().enumerate() {
        let is_inside = sections.last().is_some_and(|section| at < section.end);
        let is_section = line.level().is_some_and(|level| (2..=4).contains(&level));
        if !is_inside && is_section && is_handoff(line.text) {
            sections.push(at + 1..end_of_section(document, at));
        }
    }
    sections
}

/// The line of the heading above that of a section, if it is of one task: "Task 1: parser".
fn task_of(document: &Document<'_>, section: &Range<usize>) -> Option<usize> {
    let (heading, above) = document.lines[..section.start].split_last()?;
    let is_above = |line: &Line<'_>| line.level().is_some_and(|it| Some(it) < heading.level());
    let task = above.iter().rposition(is_above)?;
    (is_own(&above[task], "own") && is_numbered(above[task].text)).then_some(task)
}

/// The line after the section that is headed by a line.
fn end_of_section(document: &Document<'_>, heading: usize) -> usize {
    let level = document.lines[heading].level();
    let below = &document.lines[heading + 1..];
    let end = below
        .iter()
        .position(|line| line.level().is_some() && line.level() <= level);
    end.map_or(document.lines.len(), |end| heading + 1 + end)
}

fn is_handoff(title: &str) -> bool {
    // Pictures, emphasis and a number are not part of the title.
    let title = title
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    title.eq_ignore_ascii_case("handoff")
}

/// A section, or the fence that is its only content, as long as it has a known key. Beside a report in data, the status
/// may stand once more.
fn section_report(document: &Document<'_>, section: &Range<usize>) -> Option<Report> {
    let mut found = reader::read(&document.lines[..section.end], section.start);
    let lines = document.lines[section.clone()].iter();
    let mut others = lines.filter(|line| !is_status(line));
    if found.files.is_empty()
        && let (Some(line), None) = (others.next(), others.next())
        && let Some(fence) = line.fence().filter(|fence| fence.is_top)
    {
        let mut said = data::of_fence(fence.content);
        if found.is_empty() || fence.is_data && !said.statuses.is_empty() {
            said.statuses.append(&mut found.statuses);
            found = said;
        }
    }
    (!found.is_empty()).then_some(found)
}

fn is_status(line: &Line<'_>) -> bool {
    line.is_text() && matches!(key::line(line.text), Some((Key::Status, _)))
}

fn section_claim(document: &Document<'_>, section: &Range<usize>, mut found: Report) -> Claim {
    let mut end = section.end;
    if found.files.is_empty() {
        while heads_files(document, end) {
            end = end_of_section(document, end);
        }
        found.files = reader::read(&document.lines[..end], section.end).files;
    }
    if found.statuses.iter().all(|stated| stated.status.is_none()) {
        found.statuses = reader::read(&document.lines, 0).statuses;
    }
    let lines = &document.lines;
    let raw = &document.source[lines[section.start - 1].range.start..lines[end - 1].range.end];
    Claim {
        form: Form::Handoff,
        ..claim(found, raw.trim_end())
    }
}

/// Whether the line is a heading such as "Files changed".
fn heads_files(document: &Document<'_>, at: usize) -> bool {
    let line = document.lines.get(at).filter(|line| line.level().is_some());
    line.is_some_and(|line| {
        let key = key::line(line.text).map(|(key, _)| key);
        matches!(key.or_else(|| key::alone(line.text)), Some(Key::Files(_)))
    })
}

/// Tier 2: lines anywhere in the message that begin with a key.
fn lines(document: &Document<'_>) -> Claim {
    let mut report = reader::read(&document.lines, 0);
    drop_examples(&mut report, document);
    drop_earlier_claims(&mut report, document);
    if let Some(claim) = last_fence(document, &report) {
        return claim;
    }
    let mut raw = String::new();
    for at in &report.lines {
        raw.push_str(document.source[document.lines[*at].range.clone()].trim_end());
        raw.push('\n');
    }
    claim(report, &raw)
}

/// What lines that begin with a key say beside files, anywhere in the message.
pub(crate) fn asserted(document: &Document<'_>) -> Vec<Assertion> {
    lines(document).assertions
}

/// A report in JSON or YAML at the end of the message, if the prose before it names no files and no other status.
/// Right below words that are no key, and not those of one's own report, it may be what somebody else reported, and
/// proves nothing; behind a colon it may be what a program prints, unless the words say that it is a report.
fn last_fence(document: &Document<'_>, before: &Report) -> Option<Claim> {
    // "Status: DONE" may stand below it once more.
    let lines = document.lines.iter().rev();
    let behind = lines.take_while(|line| is_status(line)).count();
    let (line, above) = document.lines[..document.lines.len() - behind].split_last()?;
    let fence = line.fence().filter(|fence| fence.is_top && fence.is_data)?;
    let mut report = data::of_fence(fence.content);
    if report.statuses.is_empty() && !report.files.is_empty() {
        report.statuses.clone_from(&before.statuses);
    }
    let status = report.status()?;
    let is_same = |stated: &Stated| stated.status == Some(status);
    let above = above.last();
    let is_shown = |above: &Line<'_>| {
        let is_title = leads_in(above) || above.level().is_some();
        let is_report = || words::EXAMPLES.is_in(above.text, "own");
        is_title && is_example(above.text) || leads_in(above) && !is_report()
    };
    if above.is_some_and(is_shown)
        || !before.files.is_empty()
        || !before.statuses.iter().all(is_same)
    {
        return None;
    }
    let mut lines = document.lines.iter().rev();
    let heading = lines.find(|line| line.level().is_some());
    let mut around = above.into_iter().chain(heading);
    if !around.all(|line| is_own(line, "own")) {
        let words = above.filter(|above| key::line(above.text).is_none());
        report.put_below(words.map(|above| above.text));
    }
    report.asserted.extend_from_slice(&before.asserted);
    report.asserted.truncate(MAX_ASSERTIONS);
    Some(claim(report, line.text))
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
        let files = report.files.iter().map(|files| files.at);
        let between = files.filter(|at| (previous..last).contains(at));
        let begins: Vec<_> = between.chain([last]).collect();
        let introduced = |kind| {
            let mut begins = begins.iter().copied();
            begins.find_map(|at| Some((at, introduction(document, at, kind)?)))
        };
        if report.statuses.len() > 1 {
            report.put_below(introduced("model").map(|(_, words)| words));
        }
        let Some((begin, _)) = introduced("example") else {
            return;
        };
        report.files.retain(|files| files.at < begin);
        report.statuses.pop();
    }
}

/// The title or the sentence above a line that begins something, if it has a word of this kind.
fn introduction<'a>(document: &Document<'a>, at: usize, kind: &str) -> Option<&'a str> {
    let line = document.lines.get(at.checked_sub(1)?)?;
    let is_above = line.kind != LineKind::Hidden && (line.level().is_some() || leads_in(line));
    (is_above && words::EXAMPLES.is_in(line.text, kind)).then_some(line.text)
}

/// If a message states its status more than once, the last claim is the real one: an example or an
/// earlier report comes first. Its files follow the last status, or else precede it. Sections that
/// each have a status, one per task, add up.
fn drop_earlier_claims(report: &mut Report, document: &Document<'_>) {
    let [.., previous, last] = report.statuses.as_slice() else {
        return;
    };
    let is_behind = report.files.iter().any(|files| files.at > last.at);
    let from = if is_behind { last.at } else { previous.at };
    let is_title = |at: &usize| !is_example(document.lines[*at].text);
    let others = report
        .statuses
        .iter()
        .filter(|stated| stated.status == last.status && stated.section != last.section);
    let tasks: HashSet<_> = others
        .filter_map(|stated| stated.section.filter(is_title))
        .collect();
    let is_of_task = |files: &Files| files.section.is_some_and(|at| tasks.contains(&at));
    report
        .files
        .retain(|files| files.at > from || is_of_task(files));
}

/// In one section, a key that occurs twice was corrected, unless a title stands between the two. Different keys add
/// up, and so does the same key in several sections, or one that says more ("tests") if its list has none of the files.
fn all_entries(mut files: Vec<Files>) -> Vec<Entry> {
    let mut known = HashSet::new();
    files.reverse();
    files.retain(|files| {
        let key = (files.section, files.part, files.verb, files.is_doubtful);
        let named = files.entries.iter().filter_map(|entry| entry.file());
        let named = named.map(|name| (key, true, name.to_owned()));
        let texts: Vec<_> = named.chain([(key, false, files.said.clone())]).collect();
        let is_first = texts.iter().all(|text| !known.contains(text));
        if is_first {
            known.extend(texts);
        }
        is_first
    });
    let entries = files.into_iter().rev().flat_map(|mut files| {
        let moved = files.entries.iter_mut().filter(|_| files.verb == "moved");
        moved.for_each(Entry::put_below_moved);
        files.entries
    });
    let mut entries: Vec<_> = entries.take(MAX_ENTRIES + 1).collect();
    if entries.len() > MAX_ENTRIES {
        entries.truncate(MAX_ENTRIES);
        entries.push(no_path("…", Operation::Changed, Unresolvable::AndMore));
    }
    entries
}
