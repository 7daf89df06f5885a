//! What a sentence says to have happened to files.

mod put;

use std::ops::Range;

use self::put::{document, perfect};
pub(super) use self::put::{ends_in_front_of_a_file, puts_report_into};
use super::passive::made;
use crate::sentence::{Sentence, Token, is_part_of_another};
use crate::{Operation, words};

/// The most deeds of a sentence, and places where they may begin: with more it is not understood.
const MOST_DEEDS: usize = 16;
/// How far behind a file is looked for the one that its name was put into.
const MOST_BEHIND: usize = 12;
/// Words that say what kind of tests they are.
const MOST_OF_TESTS: usize = 4;

/// The files that a sentence says to be changed by the speaker, as places in it.
pub(super) fn changed(sentence: &Sentence<'_>) -> Vec<(usize, Operation)> {
    let mut found = Vec::new();
    let end = reason(sentence);
    if !sentence.is_guarded_before(end) {
        for verb in verbs(sentence) {
            objects(sentence, verb, &mut found);
        }
        if found.is_empty()
            && let Some(at) = perfect(sentence).or_else(|| document(sentence))
        {
            found.push((at, Operation::Created));
        }
    }
    if found.is_empty() && !sentence.is_ascribed() {
        let made = made(sentence).into_iter();
        let made = made.filter(|at| !is_part_of_another(&sentence.tokens, *at));
        found.extend(made.map(|at| (at, Operation::Created)));
    }
    found.retain(|(at, _)| *at < end);
    found
}

/// Where the reason of a deed begins, or the end: "…, because the old one could not be read" takes nothing back.
pub(super) fn reason(sentence: &Sentence<'_>) -> usize {
    let tokens = &sentence.tokens;
    let is_reason = |token: &Token<'_>| matches!(&*token.word, "because" | "since" | "so");
    let deed = tokens.iter().position(is_deed).unwrap_or(tokens.len());
    let Some(at) = tokens[deed..].iter().position(is_reason) else {
        return tokens.len();
    };
    let reason = &tokens[deed + at..];
    let is_turned =
        |token: &Token<'_>| words::closed(&token.word) == Some("conjunction") && !is_reason(token);
    if reason.iter().any(is_turned) {
        tokens.len()
    } else {
        deed + at
    }
}

/// Whether it says that the speaker added tests: "Adds tests for the parser", "This change adds a regression test".
pub(super) fn adds_tests(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    if sentence.is_asked() || sentence.is_guarded() {
        return false;
    }
    // Behind "this" stands at most "pull request".
    let is_this = tokens.first().is_some_and(|it| it.word == "this");
    let of_this = (1..=3).filter(|_| is_this);
    let now = starts(sentence).into_iter().chain(of_this);
    let now = now.map(|start| sentence.after_leads(start));
    let is_now = |at: &usize| tokens.get(*at).is_some_and(|it| it.word.ends_with('s'));
    let mut all = verbs(sentence).into_iter().chain(now.filter(is_now));
    all.any(|at| is_making(&tokens[at]) && begins_with_tests(&tokens[at + 1..]))
}

/// Whether a word, which is no demand, tells of something new.
fn is_making(token: &Token<'_>) -> bool {
    let is_new = words::verb(&token.word) == Some(Operation::Created);
    is_new && !words::is_demand(&token.word)
}

/// "two unit tests for the parser", but not "a flag to the tests", "test data" or "`tests/`".
fn begins_with_tests(rest: &[Token<'_>]) -> bool {
    let is_test = |token: &Token<'_>| matches!(&*token.word, "test" | "tests");
    let Some(at) = rest.iter().take(MOST_OF_TESTS + 1).position(is_test) else {
        return false;
    };
    let is_kind = |token: &Token<'_>| {
        let is_clause = token.text.ends_with([',', ':', '.']);
        !token.is_file && !is_clause && words::closed(&token.word).is_none()
    };
    let text = rest[at].text;
    let word = text.trim_end_matches(['.', ',', ';', '!', ')']);
    let goes_on = rest
        .get(at + 1)
        .is_none_or(|next| words::closed(&next.word).is_some());
    word.chars().all(char::is_alphabetic)
        && (goes_on || word.len() < text.len())
        && rest[..at].iter().all(is_kind)
}

/// Whether it says that the speaker did something.
pub(super) fn tells_of_deeds(sentence: &Sentence<'_>) -> bool {
    !sentence.is_guarded() && !verbs(sentence).is_empty()
}

/// Whether it says that something was done, and not who did it: "Added the loop to src/a.py".
pub(super) fn tells_of_deeds_of_nobody(sentence: &Sentence<'_>) -> bool {
    let is_speaker = |it: &Token<'_>| matches!(&*it.word, "i" | "i've" | "we" | "we've");
    !sentence.tokens.iter().any(is_speaker) && !verbs(sentence).is_empty()
}

/// The verbs of what the speaker did.
fn verbs(sentence: &Sentence<'_>) -> Vec<usize> {
    let tokens = &sentence.tokens;
    let mut found = Vec::new();
    let starts = starts(sentence);
    if starts.len() > MOST_DEEDS {
        return found;
    }
    for start in starts {
        let at = sentence.after_leads(start);
        // "I've also written …"
        let is_had = |it: &Token<'_>| it.word == "have" || it.word.ends_with("'ve");
        let is_perfect = || tokens[start.saturating_sub(1)..at].iter().any(is_had);
        let is_deed = |it: &Token<'_>| is_deed(it) || it.word == "written" && is_perfect();
        if !tokens.get(at).is_some_and(is_deed) || sentence.is_done_to_the_report(at) {
            continue;
        }
        found.push(at);
        // "… and updated b.py"
        let more = (at..tokens.len()).filter(|at| tokens[*at].word == "and");
        let more = more.map(|and| sentence.after_leads(and));
        found.extend(more.filter(|at| tokens.get(*at).is_some_and(is_deed)));
    }
    found.sort_unstable();
    found.dedup();
    if found.len() > MOST_DEEDS {
        return Vec::new();
    }
    // "Defined in a.py" says where something is.
    found.retain(|at| sentence.has_object(at + 1));
    found
}

/// Where the speaker may begin to tell: behind "I", and where nobody is named at the beginning, behind a label or a
/// dash: "1. Added …", "a.py: added …", "**Fix** — added …".
fn starts(sentence: &Sentence<'_>) -> Vec<usize> {
    let tokens = &sentence.tokens;
    let is_ascribed = sentence.is_ascribed();
    let is_speaker = |at: &usize| match &*tokens[*at].word {
        "i" | "i've" => true,
        "we" | "we've" => !is_ascribed,
        _ => false,
    };
    let is_told = |at: &usize| *at == 0 || !tokens[at - 1].is("relative");
    let speakers = (0..tokens.len()).filter(is_speaker).filter(is_told);
    let mut starts: Vec<_> = speakers.map(|at| at + 1).collect();
    if !is_ascribed {
        let is_before = |token: &Token<'_>| token.is_file || is_number(&token.word);
        starts.push(usize::from(tokens.first().is_some_and(is_before)));
        // "Its docstring now reads: Updated a.py" is no label.
        let is_clause =
            |token: &Token<'_>| token.is("state") || words::SAID.has(&token.word, "quotes");
        let label = tokens
            .iter()
            .position(|token| token.text.ends_with([':', '*']))
            .filter(|at| !tokens[..=*at].iter().any(is_clause));
        starts.extend(label.map(|at| at + 1));
        let dashes = tokens.iter().enumerate();
        starts.extend(dashes.filter_map(|(at, token)| token.follows_dash.then_some(at)));
    }
    starts
}

/// Whether what was done is said right behind the files that a line names: "`src/a.py` — added the loop", "**The loop**
/// (`src/a.py`): rewritten as a function".
pub(super) fn is_deed_of(sentence: &Sentence<'_>, heads: &Range<usize>) -> bool {
    let tokens = &sentence.tokens;
    let Some(last) = heads.clone().last().filter(|_| !sentence.is_ascribed()) else {
        return false;
    };
    let is_apart = tokens[last]
        .text
        .trim_end_matches(['*', '_'])
        .ends_with(':')
        || tokens.get(heads.end).is_some_and(|it| it.follows_dash);
    let at = sentence.after_leads(heads.end);
    let [verb, next, ..] = &tokens[at..] else {
        return false;
    };
    let is_change = words::verb(&verb.word) == Some(Operation::Changed) && verb.is("change");
    let is_passive = is_change && matches!(&*next.word, "as" | "from" | "to" | "with");
    let is_object = is_passive || sentence.has_object(at + 1);
    is_apart && is_deed(verb) && !verb.is("end") && is_object && !is_found(&tokens[at..])
}

/// Whether a verb, with what is behind it, says where a fault is: "isolated the bug in src/a.py".
fn is_found(tokens: &[Token<'_>]) -> bool {
    let mut behind = tokens.iter().skip(1).take_while(|token| !token.is_file);
    words::SAID.has(&tokens[0].word, "finds")
        && behind.any(|token| words::SAID.has(&token.word, "fault"))
}

/// Whether a word tells, in the past, of a change.
pub(super) fn is_deed(token: &Token<'_>) -> bool {
    let is_past =
        || token.word.ends_with("ed") || matches!(&*token.word, "built" | "wrote" | "rewrote");
    let is_verb = || words::verb(&token.word).is_some() && is_past();
    (token.is("change") || is_verb()) && !token.is_file && !token.text.ends_with(':')
}

/// What is done to files by the verb at `verb`: its object, or what the object was put into, and more of the same.
fn objects(sentence: &Sentence<'_>, verb: usize, found: &mut Vec<(usize, Operation)>) {
    let tokens = &sentence.tokens;
    let operation = words::verb(&tokens[verb].word).unwrap_or(Operation::Changed);
    let is_mended = words::SAID.has(&tokens[verb].word, "mends");
    let mut is_object = !tokens[verb].is("end");
    if is_found(&tokens[verb..]) {
        return;
    }
    // Where the words end that join the last file to the next one.
    let mut series = 0;
    for at in verb + 1..tokens.len() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        if token.is_file {
            let end = end_of_name(tokens, at);
            // "I tried it, a.py is correct"
            if tokens.get(end).is_some_and(|next| next.is("state")) {
                return;
            }
            let is_direct = std::mem::take(&mut is_object);
            let is_object = is_direct || series == at;
            let is_named = || {
                is_exchanged(sentence, verb, at)
                    || is_put_elsewhere(tokens, at)
                    || is_attribute(tokens, at)
                    || is_object && words::SAID.has(&tokens[verb].word, "names")
            };
            let is_changed = is_object || is_put_into(sentence, verb, at);
            if is_changed && !is_named() && !is_part_of_another(tokens, at) {
                let changed = if is_direct {
                    operation
                } else {
                    Operation::Changed
                };
                found.push((at, changed));
                series = end + series_of(&tokens[end..]);
            }
        } else if at < series {
            continue;
        } else if token.is("relative")
            || token.is("state")
            || token.is("study")
            // What mends a test or a warning may be anywhere.
            || is_mended && words::SAID.has(&token.word, "trouble")
            || words::SAID.has(&token.word, "break")
            || words::closed(&token.word) == Some("conjunction")
            // "… the tab and opened a.py"
            || at > verb + 1 && token.word == "and" && next.is_some_and(is_deed)
        {
            // Behind it nothing is done any more.
            return;
        }
        is_object &= is_within_object(token) || leads_to_files(token, next);
    }
}

/// Where the name of the file at `at` ends: behind "a.py", "the a.py file".
fn end_of_name(tokens: &[Token<'_>], at: usize) -> usize {
    let is_open = !tokens[at].text.ends_with([',', '.', ':', ';', ')']);
    at + 1 + usize::from(is_open && tokens.get(at + 1).is_some_and(Token::is_noun))
}

/// How many words stand between a file and the next one, if they say that the same was done to both: "and", "as well as".
fn series_of(behind: &[Token<'_>]) -> usize {
    let between = behind.iter().take_while(|it| !it.is_file);
    let words: Vec<_> = between.take(4).map(|it| it.word.as_str()).collect();
    match words[..] {
        ["and" | "plus"] | ["along" | "together", "with"] | ["as", "well", "as"] => words.len(),
        _ => 0,
    }
}

/// "two files:" in front of the first one.
fn leads_to_files(token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    token.is_noun() && token.text.ends_with(':') && next.is_some_and(|next| next.is_file)
}

/// "the new module", but not "the comment about" or "making": what may stand between a verb and its object.
fn is_within_object(token: &Token<'_>) -> bool {
    let is_part = words::closed(&token.word).is_none_or(|class| class == "pronoun");
    let is_clause = token.text.starts_with('(') || token.text.ends_with([',', ':', ';']);
    is_part && !is_clause && !token.is("into") && !token.is("passive")
}

/// Whether the name of the file at `at` says of which kind something is: "replaced the a.py import".
fn is_attribute(tokens: &[Token<'_>], at: usize) -> bool {
    let rest = &tokens[end_of_name(tokens, at) - 1..];
    let is_apart = rest[0].text.ends_with([',', '.', ':', ';', ')']);
    let is_attribute = rest.get(1).is_some_and(|next| {
        let is_adverb = next.word.ends_with("ly") || matches!(&*next.word, "and" | "together");
        let is_adverb = is_adverb || words::closed(&next.word).is_some();
        let is_clause = next.word.ends_with("ed") || next.word.ends_with("ing");
        let is_plain = next.text.starts_with(char::is_alphabetic) && !next.follows_dash;
        is_plain && !next.is_file && !is_adverb && !is_clause && !next.is("relative")
    });
    !is_apart && is_attribute
}

/// Whether the name of the file at `at` is what was put into another one: "documented `a.py` in the guide `b.md`".
fn is_put_elsewhere(tokens: &[Token<'_>], at: usize) -> bool {
    let is_joined = |token: &&Token<'_>| token.is_file || token.word == "and";
    let behind = tokens[end_of_name(tokens, at)..].iter().take(MOST_BEHIND);
    let mut behind = behind.skip_while(is_joined);
    let is_put = |token: &Token<'_>| matches!(&*token.word, "in" | "into" | "to");
    let is_within = |token: &&Token<'_>| {
        words::SAID.has(&token.word, "article") || words::is_thing(&token.word)
    };
    let is_apart = tokens[at].text.ends_with(['.', ':', ';', ')']);
    let is_place = at > 0 && tokens[at - 1].word == "in";
    !is_apart
        && !is_place
        && behind.next().is_some_and(is_put)
        && behind
            .find(|it| !is_within(it))
            .is_some_and(|it| it.is_file)
}

/// Whether the file at `at` or the one behind it is a text that was exchanged for the other: "changed `a.py` to `b.py`".
fn is_exchanged(sentence: &Sentence<'_>, verb: usize, at: usize) -> bool {
    let tokens = &sentence.tokens;
    let is_file = |at: usize| tokens.get(at).is_some_and(|it| it.is_file);
    let is_between = |at: usize| {
        let word = tokens.get(at).map_or("", |it| it.word.as_str());
        matches!(word, "to" | "with" | "by")
    };
    let is_pair =
        is_between(at + 1) && is_file(at + 2) || is_between(at - 1) && is_file(at.max(2) - 2);
    matches!(&*tokens[verb].word, "changed" | "switched" | "swapped") && is_pair
}

/// Whether the words in front of the file at `at` put something into it: "to", "in the new", but not "a call to".
fn is_put_into(sentence: &Sentence<'_>, verb: usize, at: usize) -> bool {
    let tokens = &sentence.tokens;
    // "to `Loop.run` (src/a.py)"
    let is_beside = tokens[at].text.starts_with('(') && tokens[at - 1].text.starts_with('`');
    let before = (verb + 1..at - usize::from(is_beside)).rev();
    let mut before = before.skip_while(|at| words::SAID.has(&tokens[*at].word, "article"));
    let Some(put) = before.next() else {
        return false;
    };
    // "the severity of the finding in": the finding may be what is in it.
    let is_of_object = || {
        let mut between = tokens[verb + 1..put].iter();
        between.any(|it| matches!(&*it.word, "of" | "on"))
    };
    let of_verb = words::verb(&tokens[verb].word);
    let is_taken = of_verb == Some(Operation::Deleted);
    match &*tokens[put].word {
        "from" => is_taken,
        "to" if is_taken => false,
        "in" | "on" if is_of_object() => false,
        "in" => !tokens[verb].is("end"),
        // "a link to", "the dependency on"
        _ if put > verb + 1 && words::SAID.has(&tokens[put - 1].word, "toward") => false,
        // "extended the search to", "applied the checklist to"
        "to" if words::SAID.has(&tokens[verb].word, "reaches") => {
            let mut between = tokens[verb + 1..put].iter();
            between.any(|it| words::change(&it.word).is_some())
        }
        // "the default in `a.py` to `b.py`", "the path from `a.py` to `b.py`"
        "to" => {
            let mut between = tokens[verb + 1..put].iter();
            let is_moved = matches!(&*tokens[verb].word, "moved" | "extracted" | "copied");
            is_moved || !between.any(|it| matches!(&*it.word, "in" | "from"))
        }
        _ => tokens[put].is("into") && !tokens[verb].is("end"),
    }
}

/// Which files a line names in front of what it says of them: "`src/a.py` — the loop", "**File:** `src/a.py`",
/// "**The loop** (`src/a.py`): a new one", "**The loop** — `src/a.py`: a new one".
pub(super) fn heads(sentence: &Sentence<'_>) -> Range<usize> {
    let tokens = &sentence.tokens;
    let Some(first) = tokens.iter().position(|it| it.is_file) else {
        return 0..0;
    };
    let plain = |at: usize| tokens[at].text.trim_end_matches(['*', '_']);
    let is_labelled = || matches!(&*tokens[0].word, "file" | "files") && plain(0).ends_with(':');
    let is_behind_label = || {
        let next = tokens.get(first + 1);
        let is_dashed = || next.is_some_and(|it| it.follows_dash);
        let text = plain(first);
        let is_bracketed = text.ends_with("):") || text.ends_with(')') && is_dashed();
        text.starts_with('(') && is_bracketed || tokens[first].follows_dash && text.ends_with(':')
    };
    if first == 1 && is_labelled() {
        let files = tokens[first..].iter().take_while(|it| it.is_file);
        first..first + files.count()
    } else if first == 0 || is_behind_label() {
        first..first + 1
    } else {
        0..0
    }
}

pub(super) fn begins_with_file(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.first().is_some_and(|token| token.is_file)
}

/// "Changes made", "Here is a summary of what I changed:", "Created:".
pub(crate) fn is_own_title(sentence: &Sentence<'_>) -> bool {
    let words = || {
        let tokens = sentence.tokens.iter();
        tokens.filter(|token| !token.is_file && !is_number(&token.word))
    };
    let is_said = |word: &str| words::SAID.has_any(word, &["own", "filler", "article", "put"]);
    words().any(|token| words::SAID.has(&token.word, "own"))
        && words().all(|token| is_said(&token.word) || words::is_thing(&token.word))
}

pub(super) fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}
