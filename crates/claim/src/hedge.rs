//! Whether words about a path leave open that there is a file of that name: it came and went, it
//! waits for somebody, or it is somebody else's.

use crate::denial::{beginning, clauses};
use crate::elsewhere::is_elsewhere;
use crate::foreign::is_open;
use crate::lexicon::denials::{CONNECTORS, LEADS};
use crate::lexicon::hedges::{
    ADVERBS, ALONE, AWAITED, BEGINNINGS, CHANGES, CONDITIONS, GONE, MATTERS, OPEN_STATES,
    PARTICLES, PUT_OFF, REFUSED, SENT, SHORT_LIVED, TRIED, WHOLE,
};
use crate::lexicon::{self, is_in};
use crate::meta::is_about_the_work;
use crate::persons::is_of_a_person;

/// The most words between "temporary" and what is temporary.
const MAX_WORDS_OF_TEMPORARY: usize = 4;

/// Words behind a name that leave open whether a file of that name is here.
pub(crate) fn leaves_doubt(remark: &str) -> bool {
    part_leaves_doubt(remark) || is_about_the_work(remark)
}

/// The same for words that are only a part of what is said: "adds x, in the next step".
pub(crate) fn part_leaves_doubt(part: &str) -> bool {
    is_elsewhere(part) || is_hedged(part) || is_open(part)
}

/// The same for words in a line of their own below a file, which mostly describe its content.
pub(crate) fn note_leaves_doubt(note: &str) -> bool {
    is_elsewhere(note) || is_hedged(note)
}

fn is_hedged(remark: &str) -> bool {
    clauses(beginning(remark))
        .filter(|clause| !clause.is_empty())
        .enumerate()
        .any(|(at, clause)| is_numbered_part(&clause) || hedges(&clause, at > 0))
}

/// "phase 2", but not "phase 2 of the parser"
fn is_numbered_part(words: &[String]) -> bool {
    const PARTS: &str = " phase part stage sprint iteration milestone task round wave pr ticket ";
    let [part, number] = words else {
        return false;
    };
    is_in(PARTS, part) && number.len() <= 2
}

/// Whether a clause says so. `is_later`: another one precedes it.
fn hedges(words: &[String], is_later: bool) -> bool {
    let lead = words.iter().take_while(|word| is_in(LEADS, word)).count();
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    is_of_a_person(words, &rest, is_later)
        || is_state(words)
        || is_copula(words, &rest)
        || is_gone(&rest, is_later || lead > 0)
        || is_refused(words)
        || is_prevented(words)
        || is_awaited(&rest)
        || is_possible(&rest)
        || is_short_lived(words)
        || is_without_change(&rest)
        || is_said(&rest)
}

/// What the lists say: "decided against it", "locked by another process", "posted in the PR".
fn is_said(rest: &[&str]) -> bool {
    let Some((first, behind)) = rest.split_first() else {
        return false;
    };
    let text = format!("{} ", rest.join(" "));
    let next = behind.first();
    // "too large for the repository"
    *first == "too" && next.is_some_and(|next| !is_in(" many much few little ", next))
        || is_in(TRIED, first)
        || is_in(SENT, first) && next.is_none_or(|next| is_in(" to in on as at into ", next))
        || is_in(ALONE, first) && ends(next)
        || WHOLE.split('|').any(|phrase| text.trim_end() == phrase)
        || BEGINNINGS
            .split('|')
            .any(|beginning| text.starts_with(beginning))
}

/// "no diff", "needs no change", "zero code changes", "+0/-0"; but not "no changes to the API".
fn is_without_change(rest: &[&str]) -> bool {
    let rest = match rest {
        [
            "need" | "needs" | "needed" | "require" | "requires" | "required" | "made",
            rest @ ..,
        ] => rest,
        _ => rest,
    };
    if rest.len() > 1 && rest.iter().all(|figure| *figure == "0") {
        return true;
    }
    let ["no" | "zero" | "0" | "without", rest @ ..] = rest else {
        return false;
    };
    match rest {
        [what] | [what, "taken", ..] => is_in(CHANGES, what),
        [what, next @ ..] if is_in(CHANGES, what) => ends(next.first()),
        [
            "code" | "content" | "actual" | "net" | "real",
            what,
            next @ ..,
        ] => is_in(CHANGES, what) && ends(next.first()),
        _ => false,
    }
}

/// Whether a clause about the file ends before this word.
fn ends(next: Option<&&str>) -> bool {
    next.is_none_or(|next| is_in(CONNECTORS, next))
}

/// A state of the file: "parked", "sanity-checked", "verified only", "reused as is", "stub for now",
/// "generator failed".
fn is_state(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_participle = |word: &str| word.ends_with("ed") && lexicon::change(word).is_none();
    match words.as_slice() {
        [only] => is_in(PUT_OFF, only),
        [verb, "only"] | ["sanity" | "double" | "spot" | "hand", verb] => is_participle(verb),
        [.., "as", "is"]
        | [.., "as", "it", "is"]
        | [.., "as", "they", "are"]
        | [.., "so", "far"]
        | [.., "for", "now"]
        | [.., "not", "yet"]
        | [.., "branch" | "branches", "only"]
        | [_, "failed"]
        | [_, "will", _] => true,
        [_, .., "is" | "are", what]
            if is_in(OPEN_STATES, what) && !words.iter().any(|word| is_in(CONDITIONS, word)) =>
        {
            true
        }
        [.., _] => words.windows(2).any(|pair| {
            // "copy still missing from marketing", "dead letters not part of this ticket"
            matches!(pair, ["not", "part"])
                || pair[0] == "still"
                    && is_in(
                        " missing open needed required outstanding to pending owed owes ",
                        pair[1],
                    )
        }),
        _ => false,
    }
}

/// "is read if it is there"; but not "is now async", "is copied to the image".
fn is_copula(words: &[String], rest: &[&str]) -> bool {
    const USED: &str = " read used loaded expected searched needed required reserved meant part left up for not only just still \
        what where fine enough one ";
    words
        .first()
        .is_some_and(|word| matches!(word.as_str(), "is" | "are"))
        && !words
            .iter()
            .any(|word| matches!(word.as_str(), "now" | "new"))
        && rest.first().is_some_and(|verb| is_in(USED, verb))
}

/// "reverted via git", "backed it out again", "then deleted"; but not "removed the lock". If all that is
/// said is "deleted", a deletion is claimed.
fn is_gone(rest: &[&str], is_told: bool) -> bool {
    let Some((verb, rest)) = rest.split_first() else {
        return false;
    };
    // "deleted earlier by Tom", "deleted on main last week"
    let is_past = rest
        .iter()
        .any(|word| is_in(" earlier previously already last ", word));
    let is_verb = is_in(GONE, verb) && (is_told || is_past || lexicon::change(verb).is_none());
    let next = rest.iter().find(|word| !is_in(PARTICLES, word));
    is_verb && next.is_none_or(|next| is_in(CONNECTORS, next) || is_in(MATTERS, next))
}

/// What is done or not done to a file.
const WRITES: &str = " write writes edit edits change changes tool call modification modifications update creation attempt attempts ";

/// "a hook blocked the write"
fn is_prevented(words: &[String]) -> bool {
    words.windows(3).enumerate().any(|(at, three)| {
        let next = words.get(at + 3).map(String::as_str);
        is_in(REFUSED, &three[0])
            && is_in(" the this my any ", &three[1])
            && is_in(WRITES, &three[2])
            && ends(next.as_ref())
    })
}

/// "edit was blocked by the sandbox", "the write was denied", "tool call rejected"
fn is_refused(words: &[String]) -> bool {
    const BETWEEN: &str = " was were got has have had been call calls attempt attempts to ";
    let words = words.strip_prefix(&["the".to_owned()]).unwrap_or(words);
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    // "user declined the edit", "wiring deferred until then"
    let is_put_off = rest.iter().take(2).any(|word| is_in(PUT_OFF, word));
    if is_put_off && lexicon::change(first).is_none() {
        return true;
    }
    is_in(WRITES, first)
        && rest
            .iter()
            .find(|word| !is_in(BETWEEN, word))
            .is_some_and(|verb| is_in(REFUSED, verb))
}

/// "awaiting approval", "under discussion", "requires a sign-off", "if approved", "on request"
fn is_awaited(rest: &[&str]) -> bool {
    match rest {
        ["awaiting", ..] | ["waiting", "for" | "on", ..] | ["subject", "to", ..] | ["under", _] => {
            true
        }
        [
            "needs" | "need" | "requires" | "require" | "awaits",
            rest @ ..,
        ] => rest
            .iter()
            .find(|word| !is_in(" a an the some ", word))
            .is_some_and(|what| is_in(AWAITED, what)),
        ["if", what] => is_in(" approved accepted desired wanted agreed ok ", what),
        ["on" | "upon", "request" | "approval", next @ ..] => ends(next.first()),
        _ => false,
    }
}

/// "would be the place for caching", "should probably exist"; but not "would have crashed", "could be
/// faster".
fn is_possible(rest: &[&str]) -> bool {
    const JUDGED: &str =
        " the a an good nice useful better best worth cleaner easier possible great helpful ";
    const VERBS: &str = " hold contain host house go live exist get help make need ";
    let [
        "would" | "could" | "should" | "might" | "may" | "ought" | "can" | "must",
        rest @ ..,
    ] = rest
    else {
        return false;
    };
    match rest {
        [adverb, ..] if is_in(ADVERBS, adverb) => true,
        ["also", "be", what, ..] | ["be", what, ..] => {
            is_in(JUDGED, what) || what.ends_with("ed") || what.ends_with("en")
        }
        ["have", what, ..] => is_in(" needed required been had meant ", what),
        ["also", verb, ..] | [verb, ..] => is_in(VERBS, verb) || *verb == "to",
        [] => false,
    }
}

/// "temporary repro script", but not "temporary tokens expire"
fn is_short_lived(words: &[String]) -> bool {
    let ends = |last: &String| is_in(SHORT_LIVED, last);
    words.len() <= MAX_WORDS_OF_TEMPORARY
        && words.iter().take(2).any(|word| {
            is_in(
                " temporary temp throwaway scratch disposable debugging ",
                word,
            )
        })
        && words.last().is_some_and(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_leave_a_file_open() {
        for remark in [
            "created to reproduce the bug, deleted before finishing",
            "I reverted this one",
            "edit was blocked by the sandbox",
            "a hook blocked the write",
            "made no changes",
            "zero edits because the parser was fine",
            "on request because the parser broke",
            "requires sign-off",
            "owned by the frontend team",
            "would be the place for caching",
            "decided against it",
            "phase 2",
            "no diff",
            "temporary repro script",
            "a copy of the config, deleted via git",
            "was deleted via git",
            "zero code changes",
            "is read if it is there",
            "maintained by the frontend team",
            "reviewed by the other agent",
            "argued against it",
            "if you agree",
            "if approved",
            "could be written",
        ] {
            assert!(leaves_doubt(remark), "{remark}");
        }
    }

    #[test]
    fn words_about_the_content_of_a_file() {
        for remark in [
            "(new)",
            "removed the lock",
            "(deleted)",
            "I added a cache",
            "is now async",
            "would have crashed before",
            "phase 2 of the parser",
            "temporary tokens expire",
            "edit dialog blocked while saving",
            "a lock blocked the write queue",
            "zero edits to the API",
            "on request errors it retries",
            "needs Python 3",
            "if the user agrees",
            "deleted via git",
            "no code duplication",
            "is now read from the cache",
            "is copied to the image",
            "called by the other module",
            "parses and validates it",
            "if set",
            "could be faster",
        ] {
            assert!(!leaves_doubt(remark), "{remark}");
        }
    }
}
