//! Whether a report itself says that a file which it lists is not there any more.

use attest_claim::{MAX_MESSAGE_BYTES, is_unread};

/// Words by which a report says that a file is not where it was written.
const GONE: &str = "moved move renamed rename removed remove removes deleted delete deletes gone missing vanished \
    disappeared lost cleaned wiped reverted stashed overwritten undone dropped discarded erased purged unlinked";
/// Words that say so of a file beside which they stand, and anything elsewhere.
const GONE_BESIDE: &str =
    "temporary throwaway rolled folded consumed picked archived compressed took taken";
/// Words that say so of all that is listed, and anything elsewhere.
const GONE_ALL: &str = "restored reset back away joined withdrawn";
/// Words that say so of nothing: "none of it was kept".
const KEPT: &str = "kept left remains";
/// Words that mean what was named before.
const MEANT: &str =
    "it its this that file files them they these those which agent somebody someone";
/// Words that mean all that is listed, and those that may stand behind them then.
const ALL: &str = "all both everything these those they them tree";
const NOTHING: &str = "none nothing neither";
const BEHIND_ALL: &str = "of the these those that above file files change changes edit edits was were is are has have \
    had been from went got back away again then into in to";
/// Words behind the name of a file that is the subject.
const IS: &str = "was were is are has have had got vanished disappeared went";
/// Words behind which a file is a place, and not what somebody did something to: "moved the parser to a.py".
const PLACE: &str = "in into to from by with of for at as via";

/// The longest line, in bytes, that is read again without a name that itself has such words.
const LONGEST_LINE: usize = 4096;

/// What a report itself says of files that went away.
#[derive(Debug)]
pub struct SaidGone {
    /// Those that may say so of a file; `None` if there is more than is read, which may say anything.
    lines: Option<Vec<Line>>,
}

#[derive(Debug)]
struct Line {
    text: String,
    /// Whether it says so of any file that it does not name.
    is_of_any: bool,
    /// Whether it says so of a file that it names, if no word of that name says so.
    is_of_named: bool,
}

impl SaidGone {
    /// Reads a report, once for all files that it is asked about.
    #[must_use]
    pub fn of(message: &str) -> Self {
        let is_read = message.len() <= MAX_MESSAGE_BYTES;
        let line = |text: &str| {
            let lower = text.to_lowercase();
            may_tell(&lower).then(|| Line {
                text: text.to_owned(),
                is_of_any: tells_of_any(&lower),
                is_of_named: tells_of_named(&lower),
            })
        };
        Self {
            lines: is_read.then(|| message.lines().filter_map(line).collect()),
        }
    }

    /// Whether it says so of the file of this path.
    #[must_use]
    pub fn is_of(&self, claimed: &str) -> bool {
        let name = name_of(claimed);
        // A report may name many files in a line, which is then read once for all of them.
        let is_plain = is_plain(name);
        let is_of = |line: &Line| match line.text.contains(name) {
            false => line.is_of_any,
            true if is_plain || line.text.len() > LONGEST_LINE => line.is_of_named,
            true => tells_of_named(&line.text.replace(name, " ").to_lowercase()),
        };
        let Some(lines) = &self.lines else {
            return true;
        };
        !name.is_empty() && lines.iter().any(is_of)
    }
}

/// Whether a name has no word that could say anything of a file.
fn is_plain(name: &str) -> bool {
    let lists = [
        GONE,
        GONE_BESIDE,
        GONE_ALL,
        KEPT,
        MEANT,
        ALL,
        NOTHING,
        BEHIND_ALL,
    ];
    let name = name.to_lowercase();
    !is_unread(&name) && !words(&name).any(|word| lists.iter().any(|list| says(list, word)))
}

/// What a report says in words that leave no doubt which file is meant: it need not have been there at all. A list says
/// what was done, in words of its own.
#[derive(Debug)]
pub(crate) struct SaidOutright {
    /// Whether it says so of all that is listed.
    is_of_all: bool,
    /// The lines that say so of something, in lower case.
    lines: Vec<String>,
}

impl SaidOutright {
    pub(crate) fn of(message: &str) -> Self {
        let is_item = |line: &&str| {
            line.trim_start()
                .starts_with(['-', '*', '+', '|', '\u{2022}'])
        };
        let lines = message.lines().filter(|line| !is_item(line));
        let lines: Vec<_> = lines.map(str::to_lowercase).collect();
        Self {
            is_of_all: lines.iter().any(|line| is_of_all(line)),
            lines: lines.into_iter().filter(|it| tells_beside(it)).collect(),
        }
    }

    pub(crate) fn is_of(&self, claimed: &str) -> bool {
        let name = name_of(claimed).to_lowercase();
        self.is_of_all || self.lines.iter().any(|line| is_said_of(line, &name))
    }
}

/// Whether a line says of the file of this name that it is gone.
fn is_said_of(line: &str, name: &str) -> bool {
    line.split_once(name).is_some_and(|(before, behind)| {
        // The folders and the quote in front of the name.
        let before = before.trim_end_matches(|char: char| !char.is_whitespace());
        let clause = before.rsplit([':', '.', ',', ';', '(']).next();
        let clause = clause.unwrap_or_default();
        let is_place = || words(clause).last().is_some_and(|word| says(PLACE, word));
        let behind = behind.trim_start_matches(['`', '"', '*']);
        let is_subject = behind.starts_with(' ')
            && behind.trim_start().starts_with(char::is_alphabetic)
            && words(behind).next().is_some_and(|word| says(IS, word));
        tells_beside(clause) && !is_place() || is_subject && tells_beside(behind)
    })
}

/// The last part of a path; of a file that was given another name, of the new one.
fn name_of(claimed: &str) -> &str {
    let claimed = claimed.rsplit(" -> ").next().unwrap_or(claimed);
    let name = claimed.trim_end_matches(['/', '\\']);
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

fn says(list: &str, word: &str) -> bool {
    // By bytes, since every word of a report is asked.
    let mut words = list.as_bytes().split(|byte| *byte == b' ');
    words.any(|known| known == word.as_bytes())
}

fn tells(text: &str) -> bool {
    words(text).any(|word| says(GONE, word))
        || ["no longer", "not there", "not on disk", "not present"]
            .iter()
            .any(|it| text.contains(it))
}

fn tells_beside(text: &str) -> bool {
    tells(text) || words(text).any(|word| says(GONE_BESIDE, word))
}

/// Whether a line has any word by which it could say so, whatever else stands in it.
fn may_tell(line: &str) -> bool {
    let has = |list: &str| words(line).any(|word| says(list, word));
    is_unread(line) || tells_beside(line) || has(GONE_ALL) || has(KEPT)
}

/// Whether a line says so of a file that it names.
fn tells_of_named(line: &str) -> bool {
    is_unread(line) || tells_beside(line) || tells_of_any(line)
}

/// Whether a line says so of what was named before, or of all that is listed.
fn tells_of_any(line: &str) -> bool {
    tells(line) && words(line).any(|word| says(MEANT, word)) || is_of_all(line)
}

/// Whether a sentence says so of all that is listed: "both were rolled back", "none of these changes were kept".
fn is_of_all(line: &str) -> bool {
    line.split([';', ':', '!'])
        .flat_map(|it| it.split(". "))
        .any(|sentence| {
            let is = |list: &str| {
                let mut next = words(sentence).skip(1);
                words(sentence).any(|word| {
                    let behind = next.next();
                    says(list, word) && behind.is_none_or(|behind| says(BEHIND_ALL, behind))
                })
            };
            let has = |list: &str| words(sentence).any(|word| says(list, word));
            let is_gone = || tells_beside(sentence) || has(GONE_ALL);
            // "Nothing is left to do."
            let is_kept = || has(KEPT) && !sentence.contains("left to");
            is(ALL) && is_gone() || is(NOTHING) && is_kept()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_said(message: &str, claimed: &str) -> bool {
        SaidGone::of(message).is_of(claimed)
    }

    #[test]
    fn a_report_that_says_it_itself() {
        for message in [
            "Status: DONE\nFiles changed: a.py\nNote: agent b moved a.py to b.py meanwhile.",
            "Files changed: a.py\nAnother agent removed it later.",
            "- src/a.py: no longer there, the person cleaned up",
            "src/a.py 已被删除",
            "- src/a.py：新建后删除",
            "- src/a.py (temporary)",
            "- src/a.py (picked up by the worker)",
            "- src/a.py (made, then rolled back as asked)",
        ] {
            assert!(is_said(message, "src/a.py"), "{message}");
        }
        for message in [
            "Status: DONE\nFiles changed: a.py, b.py",
            "Removed the old parser.\nFiles changed: a.py",
            "Files changed: a.py\nIt writes to a temporary file, and this is rolled out.",
            "Wrote src/a.py with the new parser.",
            "- src/a.py：新建",
            "- 🚀 src/a.py（新增）",
        ] {
            assert!(!is_said(message, "src/a.py"), "{message}");
        }
    }

    #[test]
    fn what_is_too_long_to_be_read_may_say_anything() {
        let message = format!("Files changed: a.py\n{}", " ".repeat(MAX_MESSAGE_BYTES));
        assert!(is_said(&message, "a.py"));
        assert!(!is_said(&message[..MAX_MESSAGE_BYTES], "a.py"));
    }

    #[test]
    fn a_sentence_about_all_that_is_listed() {
        for sentence in [
            "Both were rolled back once I had the numbers.",
            "All of the above were restored afterwards.",
            "I put everything back at the end.",
            "None of these changes were kept, as requested.",
            "The tree is back to where it was.",
            "Note: both edits were thrown away after the measurement.",
            "Nothing of that is left.",
            "Afterwards I joined both into src/onetwo.py.",
            "All of these were then moved to lib/.",
            "You removed src/a.py while I was working.",
            "Note: src/a.py has disappeared since; I did not remove it.",
            "When I checked last, `src/a.py` was gone.",
            "`git status` no longer shows src/a.py.",
            "Your `git clean` took src/a.py with it.",
        ] {
            let message = format!("Files changed:\n- src/a.py\n\n{sentence}");
            assert!(is_said(&message, "src/a.py"), "{sentence}");
            assert!(SaidOutright::of(&message).is_of("src/a.py"), "{sentence}");
        }
        for sentence in [
            "Both are covered by tests, and all tests pass.",
            "Nothing is left to do.",
            "Everything works and the tree is clean.",
            "All tests were moved to the new runner.",
            "I moved the parser to src/a.py and removed the old one.",
            "Everything is in src/a.py.",
            "Removed dead code. Files created: src/a.py (moved the parser here)",
            "Files created: src/a.py \u{2014} removed the duplicates",
        ] {
            let message =
                format!("Files changed:\n- src/a.py (moved the parser here)\n\n{sentence}");
            assert!(!SaidOutright::of(&message).is_of("src/a.py"), "{sentence}");
        }
    }
}
