//! What a report says of content that is not in a file any more, or not yet: whoever says it hides nothing.

use crate::Entry;
use crate::words::{EMPTY, LOSSES, MARKS, words_of};

/// What a text says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// A file says the same in fewer words.
    Shorter,
    /// Content was taken out of a file, went elsewhere, or is made by a tool.
    Less,
    /// A file is empty, or to be filled.
    Empty,
}

/// The longest beginning of a word that is looked up, in bytes.
pub(crate) const LONGEST_WORD: usize = 32;

/// Whether a text has words of a script without spaces, which are not read and may say all, but for those that say alone
/// that something was made.
#[must_use]
pub fn is_unread(text: &str) -> bool {
    let is_letter = |c: char| c > '\u{2e80}' && c.is_alphabetic();
    let mut others = text.split(|c| !is_letter(c)).filter(|it| !it.is_empty());
    others.any(|word| MARKS.class(word) != Some("created"))
}

/// The most that a text says of it.
#[must_use]
pub fn loss_in(text: &str) -> Option<Loss> {
    if is_unread(text) {
        return Some(Loss::Empty);
    }
    let text = text.to_lowercase();
    let is_less = text.contains("re-export") || counts_fewer(&text);
    let less = is_less.then_some(Loss::Less);
    words_of(&text, "").filter_map(loss).chain(less).max()
}

/// Whether figures say that much more went than came: "+1 −198", "| 198 -----", "from 200 lines to 2", "200 functions are
/// now one loop".
fn counts_fewer(text: &str) -> bool {
    let signs = |c: char| c.is_whitespace() || "/,()[]|`*".contains(c);
    let words: Vec<_> = text.split(signs).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.trim_end_matches(['.', ':', ';']).parse::<u64>().ok();
    let is_fewer = |before: u64, now: u64| before >= 10 && now < before / 2;
    let most = |sign: &[char]| {
        let figures = words
            .iter()
            .filter_map(|word| number(word.strip_prefix(sign)?));
        figures.max().unwrap_or_default()
    };
    let is_drawn = |pair: &[&str]| {
        let minus = pair[1].matches('-').count();
        let is_graph = minus > 2 && pair[1].trim_matches(['+', '-']).is_empty();
        is_graph && number(pair[0]).is_some_and(|count| count >= 10) && 2 * minus > pair[1].len()
    };
    let falls = |from: &[&str]| {
        let to = from.iter().skip(2).position(|word| *word == "to")?;
        let (before, now) = (number(from[1])?, number(from.get(to + 3)?)?);
        (from[0] == "from" && is_fewer(before, now)).then_some(())
    };
    let is_now = |at: usize| {
        let now = words.get(at + 1).and_then(|word| match *word {
            "a" | "one" => Some(1),
            word => number(word),
        });
        let mut before = words[at.saturating_sub(4)..at].iter();
        let before = before.find_map(|word| number(word));
        words[at] == "now" && before.zip(now).is_some_and(|(it, now)| is_fewer(it, now))
    };
    is_fewer(most(&['-', '\u{2212}']), most(&['+']))
        || (0..words.len()).any(is_now)
        || words.windows(2).any(is_drawn)
        || words.iter().enumerate().any(|(at, word)| {
            *word == "from" && falls(&words[at..words.len().min(at + 5)]).is_some()
        })
}

/// What the beginning of a word says of the content of a file.
fn loss(word: &str) -> Option<Loss> {
    let word = &word[..word.floor_char_boundary(LONGEST_WORD)];
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let class = ends.rev().find_map(|end| LOSSES.class(word.get(..end)?))?;
    Some(match class {
        "empty" => Loss::Empty,
        "shorter" => Loss::Shorter,
        _ => Loss::Less,
    })
}

/// Whether the size of a file with this path says nothing: it is usual for it to be empty, or it is made by a tool.
#[must_use]
pub fn has_no_size(path: &str) -> bool {
    let path = path.to_lowercase();
    let (folders, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", &path));
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return true;
    };
    EMPTY.has(name, "name")
        || stem.is_empty()
        || EMPTY.has(ending, "ending")
        || EMPTY.is_in(stem, "part")
        || folders.split(['/', '\\']).any(|it| EMPTY.has(it, "folder"))
}

impl Entry {
    /// Whether the words beside the path, or above it, leave no doubt that it is claimed to hold what was made of it:
    /// there are none, or they are understood and say nothing of content that was taken away.
    #[must_use]
    pub fn says_that_content_is_there(&self) -> bool {
        self.leaves_content(None)
    }

    /// The same of some of its content, in however few words.
    #[must_use]
    pub fn says_that_some_is_there(&self) -> bool {
        self.leaves_content(Some(Loss::Shorter))
    }

    fn leaves_content(&self, most: Option<Loss>) -> bool {
        let remark = self.remark.as_ref().map(|remark| remark.text.as_str());
        let mut words = remark.into_iter().chain(self.title.as_deref());
        self.doubt().is_none() && words.all(|words| loss_in(words) <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_loss_are_heard_wherever_they_stand() {
        for (text, expected) in [
            ("Fixed the parser.", None),
            ("I split the module.", Some(Loss::Less)),
            ("`a.py` is now only a re-export", Some(Loss::Less)),
            ("moved, and truncated the log", Some(Loss::Empty)),
            ("已清空", Some(Loss::Empty)),
            ("新建", None),
            ("🚀 新增，new", None),
            ("新增后清空", Some(Loss::Empty)),
            ("+1/\u{2212}198", Some(Loss::Less)),
            ("src/big.py | 198 -----", Some(Loss::Less)),
            ("src/big.py went from 200 lines to 2.", Some(Loss::Less)),
            (
                "The 198 unused helpers in src/big.py are gone.",
                Some(Loss::Less),
            ),
            (
                "The 200 functions are now one table-driven loop.",
                Some(Loss::Less),
            ),
            ("The 200 functions are now tested.", None),
            ("The 200 functions are now 210.", None),
            ("+120/-98", None),
            ("(+3 \u{2212}2), since 2026-11-27", None),
            ("src/big.py | 198 +++++--", None),
            ("|---|---|", None),
            ("went from 2 lines to 200", None),
            ("", None),
        ] {
            assert_eq!(loss_in(text), expected, "{text}");
        }
    }

    #[test]
    fn some_files_are_empty_by_custom() {
        for path in [
            "src/__init__.py",
            ".gitkeep",
            "a/py.typed",
            "Makefile",
            "yarn.lock",
            ".nojekyll",
            "tests/fixtures/a.py",
            "marker.py",
            ".hidden",
        ] {
            assert!(has_no_size(path), "{path}");
        }
        for path in ["src/a.py", "b.rs", "docs/c.md", "tests/test_a.py"] {
            assert!(!has_no_size(path), "{path}");
        }
    }

    #[test]
    fn the_words_beside_a_file_may_say_it() {
        let says = |line: &str| {
            let claim = crate::parse(&format!("Status: DONE\nFiles changed:\n- {line}\n"));
            claim.entries[0].says_that_content_is_there()
        };
        for line in ["a.py", "a.py (new)", "a.py — fixed the date picker"] {
            assert!(says(line), "{line}");
        }
        for line in [
            "a.py (emptied)",
            "a.py — moved to b.py",
            "a.py — split into modules",
            "a.py (as agreed with you)",
        ] {
            assert!(!says(line), "{line}");
        }
    }
}
