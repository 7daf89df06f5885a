//! What a prompt says has to be there in the end: the list below its line "Done when:".
//!
//! An item counts only if it is understood whole, and none does if the list may not be what is asked for: it is
//! quoted, an example, or one of several.

use std::collections::HashMap;

use crate::Certainty;
use crate::markdown::{Document, Line, LineKind};
use crate::message::MAX_MESSAGE_BYTES;
use crate::path::MAX_PATH_BYTES;
use crate::path::shape::{certainty, is_file};
use crate::path::unresolvable::unresolvable;
use crate::sentence::{Sentence, sentences};
use crate::unwritten::is_said;
use crate::words;

/// The words above the list.
const TITLE: &str = "done when";
/// What stands between a file and the text that it is to contain.
const CONTAINS: &str = "contains";
/// The longest text that a file is to contain, in bytes.
const MAX_TEXT_BYTES: usize = 1000;
/// The longest name of a tag, in bytes: what has a longer one may be quoted.
const MAX_TAG_BYTES: usize = 100;
/// The quotes around that text.
const QUOTES: [(char, char); 3] = [('"', '"'), ('`', '`'), ('“', '”')];

/// Something that has to be there when the work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The file or, with a slash at its end, the folder.
    pub path: String,
    /// What it is to contain, if that is said.
    pub contains: Option<String>,
}

impl Wanted {
    /// It in the form in which prompts have it.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.contains {
            Some(text) => format!("{} {CONTAINS} \"{text}\"", self.path),
            None => self.path.clone(),
        }
    }
}

/// Reads what the prompt asks for. A prompt above [`MAX_MESSAGE_BYTES`] asks for nothing.
#[must_use]
pub fn done_when(prompt: &str) -> Vec<Wanted> {
    if prompt.len() > MAX_MESSAGE_BYTES || !prompt.to_ascii_lowercase().contains(TITLE) {
        return Vec::new();
    }
    let document = Document::parse(prompt);
    let lines = &document.lines;
    let mut titles = (0..lines.len()).filter(|at| is_title(&lines[*at]));
    // With several lists nobody can tell whose each is.
    let (Some(title), None) = (titles.next(), titles.next()) else {
        return Vec::new();
    };
    let is_of_others = is_in_tags(prompt, lines[title].range.start) || is_led_in(&lines[..title]);
    if is_of_others || asks_only_to_judge(lines, title) {
        return Vec::new();
    }
    let items = items(&lines[title + 1..]);
    if items.iter().any(is_choice) {
        return Vec::new();
    }
    items.into_iter().filter_map(|(_, wanted)| wanted).collect()
}

/// Whether the line is the title alone, with a colon or as a heading.
fn is_title(line: &Line<'_>) -> bool {
    if line.is_item || line.indent > 0 || !(line.is_text() || line.level().is_some()) {
        return false;
    }
    let marks = ['*', '_'];
    let is_marked = line.level().is_some() || line.text.starts_with(marks);
    let text = line.text.replace(marks, "");
    let words = text.trim().strip_suffix(':');
    let is_alone = |words: &str| words.trim().eq_ignore_ascii_case(TITLE);
    words.map_or(is_marked && is_alone(&text), is_alone)
}

/// Whether what is asked for is to check or to plan the work, not to do it: "Do not edit", "Verify that it is done".
fn asks_only_to_judge(lines: &[Line<'_>], title: usize) -> bool {
    let (above, below) = lines.split_at(title);
    let below = below.iter().filter(|line| !line.is_item);
    let texts = above.iter().chain(below).filter(|line| line.is_text());
    let mut texts = texts.map(|line| line.text).peekable();
    let first = texts.peek().copied().unwrap_or_default();
    // "Review this ticket:"
    let is_ticket = first.ends_with(':');
    let judges = sentences(first)
        .next()
        .is_some_and(|it| asks(&it, is_judging));
    let texts: Vec<_> = texts.collect();
    let is_work = |word: &str| words::is_demand(word) && !is_judging(word);
    let wants_work = || {
        let mut all = texts.iter().flat_map(|text| sentences(text));
        all.any(|it| asks(&it, is_work))
    };
    texts.iter().any(|text| is_said(text)) || judges && (is_ticket || !wants_work())
}

/// Whether a sentence demands what such a word says, in front or behind "and".
fn asks(sentence: &Sentence<'_>, is_demand: impl Fn(&str) -> bool) -> bool {
    let words = sentence.tokens.iter().map(|token| token.word.as_str());
    let mut begins = true;
    words.filter(|word| *word != "please").any(|word| {
        let asks = begins && is_demand(word);
        begins = matches!(word, "and" | "then");
        asks
    })
}

fn is_judging(word: &str) -> bool {
    matches!(
        word,
        "assess"
            | "audit"
            | "check"
            | "evaluate"
            | "judge"
            | "plan"
            | "review"
            | "validate"
            | "verify"
    )
}

/// Whether the words above the list lead in to it, as those do that quote somebody else's: "The implementer's list is:".
fn is_led_in(above: &[Line<'_>]) -> bool {
    let last = above.iter().rev().find(|line| line.is_text());
    last.is_some_and(|line| {
        line.text
            .trim_end_matches(['*', '_'])
            .ends_with([':', '：'])
    })
}

/// Whether the place is between a tag and its end, each on a line of its own: somebody else's words, or an example.
fn is_in_tags(source: &str, at: usize) -> bool {
    let (before, behind) = source.split_at(at);
    let mut open: Vec<&str> = Vec::new();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for line in before.lines().map(str::trim) {
        let Some(tag) = line.strip_prefix('<').and_then(|it| it.strip_suffix('>')) else {
            continue;
        };
        if let Some(name) = tag.strip_prefix('/') {
            let name = name.trim();
            while count.get(name).is_some_and(|open| *open > 0) {
                let Some(last) = open.pop() else {
                    break;
                };
                count.entry(last).and_modify(|open| *open -= 1);
                if last == name {
                    break;
                }
            }
        } else if !tag.ends_with('/')
            && let Some(name) = tag.split_whitespace().next()
        {
            open.push(name);
            *count.entry(name).or_default() += 1;
        }
    }
    // Every end of a tag begins with the names that it may end.
    let mut ends: Vec<_> = behind
        .match_indices("</")
        .map(|(at, _)| &behind[at + 2..])
        .collect();
    ends.sort_unstable_by_key(|end| &end[..end.floor_char_boundary(MAX_TAG_BYTES)]);
    open.iter().any(|name| {
        let first =
            ends.partition_point(|end| &end[..end.floor_char_boundary(MAX_TAG_BYTES)] < *name);
        name.len() > MAX_TAG_BYTES || ends.get(first).is_some_and(|end| end.starts_with(name))
    })
}

/// An item of the list, and what it asks for if it is understood whole.
type Item<'a> = (&'a str, Option<Wanted>);

/// The items of the list that begins here. What stands below one in a list of its own, or goes on with it, is not
/// understood.
fn items<'a>(lines: &[Line<'a>]) -> Vec<Item<'a>> {
    let mut items: Vec<Item<'a>> = Vec::new();
    let Some(indent) = lines.first().map(|line| line.indent) else {
        return items;
    };
    for line in lines {
        if line.is_item && line.is_text() && line.indent == indent {
            items.push((line.text, wanted(line.text)));
            continue;
        }
        let is_behind = line.indent == 0 && line.has_gap && !line.is_item;
        let Some(last) = items.last_mut() else {
            break;
        };
        if is_behind || matches!(line.kind, LineKind::Heading(_)) {
            break;
        }
        last.1 = None;
    }
    items
}

/// Whether the item says that one of several is enough.
fn is_choice((text, wanted): &Item<'_>) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let word = first.trim_matches(|c: char| !c.is_alphanumeric());
    wanted.is_none() && words::ROLES.has(&word.to_lowercase(), "choice")
}

/// Reads a path alone, or a path and what it is to contain.
fn wanted(text: &str) -> Option<Wanted> {
    let (path, rest) = match text.strip_prefix('`') {
        Some(quoted) => quoted.split_once('`')?,
        None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    };
    let rest = rest.trim();
    let contains = match rest.split_once(char::is_whitespace) {
        Some((word, text)) if word.eq_ignore_ascii_case(CONTAINS) => Some(quoted(text.trim())?),
        None if rest.is_empty() || rest.eq_ignore_ascii_case("exists") => None,
        _ => return None,
    };
    let is_folder = path.ends_with('/');
    (is_plain(path) && !(is_folder && contains.is_some())).then(|| Wanted {
        path: path.to_owned(),
        contains,
    })
}

/// Whether the text can only be one path, spelt as it is on the disk.
fn is_plain(path: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || matches!(c, '\\' | ',' | '&' | '\'' | '"');
    path.len() <= MAX_PATH_BYTES
        && !path.contains(is_odd)
        && !path.ends_with(['.', '!'])
        && unresolvable(path).is_none()
        && certainty(path) == Certainty::Certain
        && (is_file(path) || path.ends_with('/'))
}

/// What is between quotes, if nothing in it may stand for something else.
fn quoted(text: &str) -> Option<String> {
    let (open, close) = QUOTES
        .into_iter()
        .find(|(open, _)| text.starts_with(*open))?;
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let is_odd = |c: char| c == open || c == close || c == '\\' || c.is_control();
    (!inner.trim().is_empty() && inner.len() <= MAX_TEXT_BYTES && !inner.contains(is_odd))
        .then(|| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is asked for, in the form of a prompt.
    fn read(prompt: &str) -> Vec<String> {
        done_when(prompt).iter().map(Wanted::name).collect()
    }

    #[test]
    fn files_and_what_they_are_to_contain_are_read() {
        let list = "- src/a.py\n- `docs/guide.md`\n- README.md contains \"## Usage\"\n- `b.rs` contains `fn main`\n- docs/api/\n";
        let expected = [
            "src/a.py",
            "docs/guide.md",
            "README.md contains \"## Usage\"",
            "b.rs contains \"fn main\"",
            "docs/api/",
        ];
        for title in [
            "Done when:",
            "done when:",
            "DONE WHEN:",
            "**Done when:**",
            "**Done when**:",
            "**Done when**",
            "__Done when:__",
            "## Done when",
            "### Done when:",
        ] {
            let prompt = format!("Write the guide.\n\n{title}\n\n{list}\nThank you.");
            assert_eq!(read(&prompt), expected, "{title}");
            let tight = format!("Write the guide.\n{title}\n{list}");
            assert_eq!(read(&tight), expected, "{title}");
        }
    }

    #[test]
    fn that_a_file_exists_asks_for_no_more_than_its_name() {
        for item in ["a.py exists", "`a.py` exists"] {
            assert_eq!(read(&format!("Done when:\n- {item}")), ["a.py"], "{item}");
        }
        for item in [
            "a.py no longer exists",
            "a.py exists if b.py does",
            "a.py, b.py exists",
        ] {
            assert_eq!(read(&format!("Done when:\n- {item}")), [""; 0], "{item}");
        }
    }

    #[test]
    fn lists_of_every_form_are_read() {
        for list in [
            "* a.py\n* b.py",
            "1. a.py\n2. b.py",
            "- [ ] a.py\n- [x] b.py",
            "  - a.py\n  - b.py",
            "- a.py\r\n- b.py\r\n",
        ] {
            assert_eq!(
                read(&format!("Done when:\n{list}")),
                ["a.py", "b.py"],
                "{list}"
            );
        }
    }

    #[test]
    fn an_item_that_is_not_understood_whole_is_silent() {
        for item in [
            "`cargo test` passes",
            "`cargo test`",
            "cargo test",
            "make",
            "`make`",
            "Documentation",
            "src/b.py exists and is short",
            "src/b.py (new)",
            "src/b.py, src/c.py",
            "src/b.py or src/c.py",
            "src/b.py.",
            "src/b.py:10",
            "no src/b.py",
            "src/*.py",
            "src/{b,c}.py",
            "~/b.py",
            "$HOME/b.py",
            "https://example.com/b.py",
            "path/to/b.py",
            "feature/login",
            "Node.js",
            "b.py contains a test",
            "b.py contains \"a\" and \"b\"",
            "b.py contains \"a\\n\"",
            "b.py contains \"\"",
            "b.py does not contain \"x\"",
            "src/ contains \"x\"",
            "src\\b.py",
            "my file.py",
            "src/b.py\n  - in a list below",
            "src/b.py\n  once it is needed",
            "src/b.py\nonce it is needed",
            "src/b.py\n\n  once it is needed",
            "src/b.py\n  ```\n  x\n  ```",
        ] {
            assert_eq!(
                read(&format!("Done when:\n- {item}\n- a.py")),
                ["a.py"],
                "{item}"
            );
        }
    }

    #[test]
    fn what_is_no_list_of_its_own_is_not_read() {
        for prompt in [
            "",
            "- a.py",
            "It is done when:\n- a.py",
            "Done when: a.py",
            "Done when all of these are there:\n- a.py",
            "Done when\n- a.py",
            "Done when:\nAny of these is there.\n- a.py",
            "Done when:\n\nThe tests pass.\n\n- a.py",
            "> Done when:\n> - a.py",
            "```\nDone when:\n- a.py\n```",
            "~~~text\nDone when:\n- a.py\n~~~",
            "Do it.\n\n    Done when:\n    - a.py",
            "1. The first task.\n\n   Done when:\n   - a.py",
            "- Done when:\n  - a.py",
            "<example>\nDone when:\n- a.py\n</example>",
            "<example kind=\"x\">\n\nDone when:\n\n- a.py\n\n</example>",
            "Task 1\n\nDone when:\n- a.py\n\nTask 2\n\nDone when:\n- b.py",
            "Done when:\n- either\n- a.py",
            "Done when:\n- a.py\n- or b.py",
            "Done when:\n- One of:\n  - a.py\n  - b.py\n- c.py",
            "Done when:\n> - a.py",
            "Done when:\n```\n- a.py\n```",
        ] {
            assert_eq!(read(prompt), [""; 0], "{prompt}");
        }
    }

    /// Each beside the one most like it that asks for the work.
    #[test]
    fn who_only_judges_is_asked_for_nothing() {
        for (judges, works) in [
            (
                "Check agent A's work against its list.",
                "Check the list and write the guide.",
            ),
            (
                "Write a plan. Do not write it.",
                "Write a plan. Do not write tests.",
            ),
            (
                "Verify that all is done.",
                "Verify that all is done, then add the guide.",
            ),
            (
                "Review this ticket for clarity:\n\nWrite a guide.\n\nIt is short.",
                "Review it. Write a guide.",
            ),
            (
                "The guide is planned. Do not edit.",
                "The guide is planned. Do not edit others.",
            ),
        ] {
            let list = "\n\nDone when:\n- a.py\n\nReport PASS or FAIL.";
            assert_eq!(read(&format!("{judges}{list}")), [""; 0], "{judges}");
            assert_eq!(read(&format!("{works}{list}")), ["a.py"], "{works}");
        }
    }

    #[test]
    fn what_stands_before_and_behind_the_list_is_not_part_of_it() {
        let behind = "Done when:\n- a.py\n\nChange nothing else.\n\n- b.py\n\n## Notes\n- c.py";
        assert_eq!(read(behind), ["a.py"]);
        assert_eq!(read("Done when:\n- a.py\n## Notes\n- c.py"), ["a.py"]);
        let tags = "<br>\n\n<context>\nolder\n</context>\n\nDone when:\n- a.py";
        assert_eq!(read(tags), ["a.py"]);
        let within = "<a>\n<b>\n</a>\n</c>\n<b>\n</b>\n\nDone when:\n- a.py\n\n</b>";
        assert_eq!(read(within), ["a.py"]);
        assert_eq!(read(&within.replace("<a>\n<b>", "<a>")), ["a.py"]);
        assert_eq!(read(&within.replace("</a>\n", "")), [""; 0]);
        // Each of very many tags is looked at once.
        let tags = (0..20_000).map(|n| format!("<t{n}>\n</x{n}>\n"));
        let many = tags.collect::<Vec<_>>().concat();
        assert_eq!(read(&format!("{many}\nDone when:\n- a.py")), ["a.py"]);
        let long = format!("Done when:\n- a.py\n\n{}", "x".repeat(MAX_MESSAGE_BYTES));
        assert_eq!(read(&long), [""; 0]);
    }

    fn piece() -> impl Strategy<Value = String> {
        let known = prop::sample::select(vec![
            "Done when:",
            "**Done when:**",
            "## Done when\n",
            "\n",
            "\n\n",
            "- ",
            "  - ",
            "1. ",
            "> ",
            "```\n",
            "`",
            "a.py",
            "`src/b.rs`",
            " contains ",
            "\"x\"",
            "or ",
            "<x>\n",
            "</x>\n",
            "é",
            "[ ] ",
        ]);
        prop_oneof![8 => known.prop_map(str::to_owned), 1 => any::<String>()]
    }

    proptest! {
        /// Whatever is read was written so, and can only be a path.
        #[test]
        fn any_prompt_is_an_answer(pieces in prop::collection::vec(piece(), 0..24)) {
            let prompt = pieces.concat();
            for wanted in done_when(&prompt) {
                prop_assert!(prompt.contains(&wanted.path));
                prop_assert!(prompt.contains(wanted.contains.as_deref().unwrap_or_default()));
                prop_assert!(is_plain(&wanted.path));
            }
        }

        /// Of letters that stand for no others: `yyy.rs` may be any name.
        #[test]
        fn a_list_of_files_is_read_whole(names in prop::collection::vec("[a-d]{3,8}/[a-d]{3,8}\\.(rs|py|md)", 1..9)) {
            let list: Vec<_> = names.iter().map(|name| format!("- `{name}`\n")).collect();
            let prompt = format!("Do it.\n\nDone when:\n{}\nThank you.", list.concat());
            prop_assert_eq!(read(&prompt), names);
        }
    }
}
