//! Whether what a message says under a key is the agent's own report, by what stands above the key.

use std::collections::{HashMap, HashSet};
use std::mem;

use crate::key::{self, Key};
use crate::markdown::Line;
use crate::place::{Block, Place, leads_in};
use crate::remark::{self, Sense};
use crate::report::{Files, Report, Stated};
use crate::sentence::sentences;
use crate::title::{
    MAX_TITLE_BYTES, Title, is_example, is_plan_done, without_brackets, without_number,
};
use crate::unclaimed::{Headings, Unclaimed};
use crate::{Operation, Status, words};

/// Takes away what stands below words that are not understood as those of the agent's own report: "Migration guide",
/// "Agent B wrote:". What is beside its status, or follows it in its section, needs no title that is understood, as long as
/// that is of nobody else.
pub(crate) fn keep_own(
    report: &mut Report,
    lines: &[Line<'_>],
    headings: &Headings<'_, '_>,
    start: usize,
) {
    let whole = title_of_all(report, lines, start);
    let mut of_others = take_statuses_of_others(report, lines, whole);
    let apart = take_apart(report, lines, headings, &mut of_others);
    let own = Own::of(report, lines, whole);
    let files = mem::take(&mut report.files);
    let (files, of_another) = files
        .into_iter()
        .partition::<Vec<_>, _>(|files| own.has(&files.place, "own"));
    report
        .asserted
        .retain(|(place, _)| own.has(place, "checks"));
    report.files = files;
    let lost = of_another.into_iter().chain(apart);
    let lost: HashSet<_> = lost.flat_map(|it| it.of).collect();
    report.lines.retain(|at| !lost.contains(at));
    // What denies in the words of others is none the less said.
    let claims = |it: &Stated| matches!(it.status, Some(Status::Done | Status::DoneWithConcerns));
    let denials = of_others.into_iter().filter(|it| !claims(it));
    report.statuses.extend(denials);
    report.statuses.sort_by_key(|it| it.at);
}

/// The first heading, if all others and all of the report are below it, and it tells of no study and of nobody else.
fn title_of_all(report: &Report, lines: &[Line<'_>], start: usize) -> Option<usize> {
    let mut headings = (start..lines.len()).filter_map(|at| Some((at, lines[at].level()?)));
    let (first, level) = headings.next().filter(|_| start == 0)?;
    let statuses = report.statuses.iter().map(|it| it.at);
    let mut keys = report.files.iter().map(|it| it.at).chain(statuses);
    let is_above = headings.all(|(_, other)| other > level) && keys.all(|at| at >= first);
    let title = lines[first].text;
    let is_own = !words::PROSE.is_in(title, "study") && !is_of_others(title);
    (is_above && is_own).then_some(first)
}

/// The statuses of somebody else: below such a sentence, or in a section of another title beside one's own.
fn take_statuses_of_others(
    report: &mut Report,
    lines: &[Line<'_>],
    whole: Option<usize>,
) -> Vec<Stated> {
    // A part that has a status of its own needs no more than a title that is understood.
    let is_titled = |it: &Stated| {
        let mut titles = it.place.block.titles.iter();
        titles
            .all(|at| Some(*at) == whole || is_own(&lines[*at], "own") || is_part(lines[*at].text))
    };
    let (quoted, mut own) = mem::take(&mut report.statuses)
        .into_iter()
        .partition::<Vec<_>, _>(|it| is_quoted(&it.place.block, lines));
    let mut of_others = quoted;
    if own.iter().any(is_titled) {
        of_others.extend(own.extract_if(.., |it| !is_titled(it)));
    }
    report.statuses = own;
    of_others
}

/// Takes away what is not claimed where it stands, and the statuses beside a list that is only shown. Below "Next steps",
/// what stands beside the only status at the end of the message is the report behind that section, unless the line above
/// it speaks of a report.
fn take_apart(
    report: &mut Report,
    lines: &[Line<'_>],
    headings: &Headings<'_, '_>,
    of_others: &mut Vec<Stated>,
) -> Vec<Files> {
    let last = last_block(report, lines).cloned();
    let is_led = last
        .as_ref()
        .is_some_and(|last| is_led(report, lines, last));
    let of = |block: &Block| match headings.below_all(&block.titles) {
        Some(Unclaimed::Open) if last.as_ref() == Some(block) => is_led.then_some(Unclaimed::Shown),
        unclaimed => unclaimed,
    };
    report
        .asserted
        .retain(|(place, _)| of(&place.block).is_none());
    let is_apart = |it: &mut Files| of(&it.place.block).is_some();
    let apart: Vec<_> = report.files.extract_if(.., is_apart).collect();
    let shown = apart.iter().map(|it| &it.place.block);
    let shown = shown.filter(|it| of(it) == Some(Unclaimed::Shown));
    let shown: HashSet<_> = shown.collect();
    let is_shown = |it: &mut Stated| shown.contains(&it.place.block);
    of_others.extend(report.statuses.extract_if(.., is_shown));
    apart
}

/// The block of all statuses, if no section follows it.
fn last_block<'r>(report: &'r Report, lines: &[Line<'_>]) -> Option<&'r Block> {
    let status = &report.statuses.first()?.place;
    let is_only = report
        .statuses
        .iter()
        .all(|it| it.place.block == status.block);
    let is_section = |line: &Line<'_>| line.level().is_some() && key::line(line.text).is_none();
    (is_only && !lines[status.at + 1..].iter().any(is_section)).then_some(&status.block)
}

/// Whether the line above a block speaks of a report, or leads it in: "The implementer hands back:".
fn is_led(report: &Report, lines: &[Line<'_>], block: &Block) -> bool {
    let statuses = report.statuses.iter().map(|it| &it.place);
    let places = report.files.iter().map(|it| &it.place).chain(statuses);
    let first = places.filter(|it| it.block == *block).map(|it| it.at).min();
    let above = first.and_then(|first| lines.get(first.checked_sub(1)?));
    let is_of_report = |word: &str| words::EXAMPLES.has_any(word, &["own", "example", "other"]);
    above.is_some_and(|above| {
        above.level().is_none() && (leads_in(above) || words::has_word(above.text, is_of_report))
    })
}

/// Whose a list is, by the statuses of the agent.
struct Own<'a, 'b> {
    lines: &'a [Line<'b>],
    whole: Option<usize>,
    /// The first status below each title.
    begins: HashMap<usize, usize>,
    /// The last status of each block.
    statuses: HashMap<Block, usize>,
    /// The blocks in which a list follows the status.
    listed: HashSet<Block>,
}

impl<'a, 'b> Own<'a, 'b> {
    fn of(report: &Report, lines: &'a [Line<'b>], whole: Option<usize>) -> Self {
        let mut begins = HashMap::new();
        let mut statuses = HashMap::new();
        for Stated { place, .. } in &report.statuses {
            for title in &place.block.titles {
                begins.entry(*title).or_insert(place.at);
            }
            statuses.insert(place.block.clone(), place.at);
        }
        let follows = |place: &Place| statuses.get(&place.block).is_some_and(|at| *at < place.at);
        let lists = report.files.iter().map(|it| &it.place);
        let listed = lists.filter(|it| follows(it)).map(|it| it.block.clone());
        Self {
            lines,
            whole,
            begins,
            listed: listed.collect(),
            statuses,
        }
    }

    /// Whether what a key says is the agent's own. `kind`: which words its title may have.
    fn has(&self, place: &Place, kind: &str) -> bool {
        let Place { at, block } = place;
        let is_of_others = |title: &usize| is_of_others(self.lines[*title].text);
        let is_known = |title: &usize| {
            let is_behind = |status: &usize| status < at && !is_of_others(title);
            let follows = || self.begins.get(title).is_some_and(is_behind);
            // The subject of a message is that of its report, unless that one has its own list.
            let is_whole = Some(*title) == self.whole && self.listed.is_empty();
            is_whole || is_own(&self.lines[*title], kind) || follows()
        };
        let is_beside = |status: &usize| {
            if status < at {
                !block.titles.last().is_some_and(is_of_others)
            } else {
                // A list in front of the status is of another one if a list follows.
                !self.listed.contains(block) && !block.titles.iter().any(is_of_others)
            }
        };
        self.statuses.get(block).is_some_and(is_beside)
            || block.titles.iter().chain(&block.lead).all(is_known)
    }
}

/// Whether a sentence in front of a report says that somebody else does.
fn is_quoted(block: &Block, lines: &[Line<'_>]) -> bool {
    block.lead.is_some_and(|at| {
        let line = &lines[at];
        let is_correction = || words::EXAMPLES.is_in(line.text, "model");
        is_example(line.text) || leads_in(line) && !is_correction() && !is_own(line, "own")
    })
}

/// Whether a title, or a sentence that leads in, is understood as one of the agent's own report, or as one of this kind.
pub(crate) fn is_own(line: &Line<'_>, kind: &str) -> bool {
    let text = line.text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if line.is_unticked || is_example(text) || text.len() > MAX_TITLE_BYTES {
        return false;
    }
    let key = key::line(line.text).map(|(key, _)| key);
    if key.is_some_and(|key| key != Key::Other) || key::alone(text).is_some() {
        return true;
    }
    // "All done. Here is the report:"
    let mut sentences = text.rsplit(['.', '!']);
    let last = sentences.next().filter(|_| leads_in(line));
    let text = last.unwrap_or(text).trim_end_matches([':', '*', '_', ' ']);
    let (title, said) = without_brackets(text);
    let is_said = said.starts_with(|c: char| c.is_ascii_digit()) || is_of_report(said, kind);
    // Below "Verification" are no files, but checks.
    let ends = || match kind {
        "own" => Title::of(title, Operation::Changed) == Title::Ends,
        _ => remark::read(title) == Sense::Untouched,
    };
    let is_titled = || is_of_report(title, kind) || is_numbered(title) || is_plan_done(title);
    is_said && !ends() && is_titled()
}

/// Whether words speak of what was done, and of nobody else: "Implementation complete", "What I changed", "Backend".
fn is_of_report(text: &str, kind: &str) -> bool {
    let is_known = |word: &str| {
        words::EXAMPLES.has_any(word, &["own", "title", "beside", kind])
            || words::STATUS.class(word) == Some("done")
            || words::TITLES.has(word, "group")
            || words::KEYS.class(word) == Some("filler") && word != "by"
            || words::change(word).is_some() && !words::is_demand(word)
            || words::ROLES.has(word, "number")
            || word.chars().all(|c| c.is_ascii_digit())
    };
    let is_other =
        |word: &str| words::EXAMPLES.has(word, "who") || words::ROLES.has(word, "outside");
    !words::has_word(without_number(text), |word| {
        !is_known(word) || is_other(word)
    })
}

/// "Task 3: cart totals"
pub(crate) fn is_numbered(text: &str) -> bool {
    let mut words = words::words_of(without_number(text), "");
    let unit = words.next().unwrap_or_default().to_lowercase();
    let number = words.next().unwrap_or_default();
    words::EXAMPLES.has(&unit, "unit") && number.starts_with(|c: char| c.is_ascii_digit())
}

/// "PR #41", "Report of agent B", "Release notes"; who titles a report "Review of PR 12" may have done more than that.
pub(crate) fn is_of_others(title: &str) -> bool {
    let title = &title[..title.floor_char_boundary(MAX_TITLE_BYTES)];
    let is_told = || sentences(title).any(|it| it.has("others"));
    names_others(title) || is_told() && !words::PROSE.is_in(title, "study")
}

/// The same of a title that names them.
pub(crate) fn names_others(title: &str) -> bool {
    let title = &title[..title.floor_char_boundary(MAX_TITLE_BYTES)];
    let is_other =
        |word: &str| words::EXAMPLES.has(word, "who") || words::ROLES.has(word, "outside");
    words::has_word(title, is_other) && !words::PROSE.is_in(title, "study")
}

/// "Parser"
fn is_part(text: &str) -> bool {
    let is_other = |word: &str| words::EXAMPLES.has(word, "who") || words::PROSE.has(word, "study");
    let title = Title::of(text, Operation::Changed);
    matches!(title, Title::Known(_)) && !is_example(text) && !words::has_word(text, is_other)
}
