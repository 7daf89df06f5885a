//! Text in a given width: cut at its end or in the middle, or wrapped with a hanging indent.

use std::iter;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::text::left_out;

/// A command in back-ticks that is longer may be wrapped.
const LONGEST_WHOLE: usize = 44;
/// Stands for a space that no line ends at. Text that is safe to print does not hold it.
const GLUE: char = '\u{a0}';

/// `text` in at most `width` columns, cut at its end.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mark = left_out();
    let Some(room) = width.checked_sub(mark.width()) else {
        return ".".repeat(width);
    };
    beginning(text, room).chain(mark.chars()).collect()
}

/// A path in at most `width` columns: folders are left out of its middle, and a name stays whole unless it is
/// longer than that.
pub(super) fn cut_path(path: &str, width: usize) -> String {
    if path.width() <= width {
        return path.to_owned();
    }
    let names: Vec<_> = path.split('/').collect();
    let shown = |head: usize, tail: usize| {
        let (head, tail) = (names.get(..head)?, names.get(names.len() - tail..)?);
        let parts: Vec<_> = [head, &[left_out()], tail].concat();
        Some(parts.join("/")).filter(|text| text.width() <= width)
    };
    // The file says most, then what it is in, then where that begins.
    let fits = |head: usize, tail: usize| head + tail < names.len() && shown(head, tail).is_some();
    let (mut head, mut tail) = (0, 1);
    while fits(head, tail + 1) {
        tail += 1;
    }
    while fits(head + 1, tail) {
        head += 1;
    }
    let whole = shown(head, tail).filter(|_| names.len() > 1);
    whole.unwrap_or_else(|| cut_middle(path, width))
}

/// How wide the shortest form of a path is in which its last name is whole.
pub(super) fn shortest_path(path: &str) -> usize {
    let name = path.rsplit('/').next().unwrap_or(path).width();
    let before = left_out().width() + 1;
    path.width().min(name + before)
}

/// A line about paths in at most `width` columns: its longest path is shortened before anything else is.
pub(super) fn cut_brief(text: &str, width: usize) -> String {
    let over = text.width().saturating_sub(width);
    let paths = text.split(' ').filter(|word| word.contains('/'));
    let longest = paths.max_by_key(|word| word.width());
    if let Some(path) = longest.filter(|_| over > 0) {
        let shorter = cut_path(path, path.width().saturating_sub(over));
        let shorter = text.replacen(path, &shorter, 1);
        if shortest_path(path) + over <= path.width() {
            return shorter;
        }
    }
    cut_middle(text, width)
}

/// `text` in at most `width` columns, cut in the middle; a third of what is left is its beginning. It is cut between
/// words if that leaves something on both sides.
fn cut_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mark = left_out();
    if width < mark.width() + 2 {
        return cut(text, width);
    }
    let head = (width - mark.width()) / 3;
    let tail = width - mark.width() - head;
    let reversed: String = text.chars().rev().collect();
    let mut end: Vec<_> = beginning(&reversed, tail).collect();
    end.reverse();
    let (begin, end): (String, String) = (beginning(text, head).collect(), end.iter().collect());
    let begin = begin
        .rfind([' ', '/'])
        .and_then(|at| begin.get(..=at))
        .unwrap_or(&begin);
    let half = end.len() / 2;
    let at = end.find([' ', '/']).filter(|at| *at <= half);
    let end = at.and_then(|at| end.get(at..)).unwrap_or(&end);
    format!("{begin}{mark}{end}")
}

fn beginning(text: &str, width: usize) -> impl Iterator<Item = char> {
    let mut taken = 0;
    text.chars().take_while(move |char| {
        taken += char.width().unwrap_or(0);
        taken <= width
    })
}

/// The lines of one paragraph. Only a word that is longer than a line is broken, and a command in
/// back-ticks stays in one line.
pub(super) fn lines_of(text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else {
        return vec![text.to_owned()];
    };
    let options = Options::new(width.max(1))
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let glued = glued(text, LONGEST_WHOLE.min(width));
    let lines = textwrap::wrap(&glued, options);
    lines
        .into_iter()
        .map(|line| line.replace(GLUE, " "))
        .collect()
}

/// One paragraph behind `lead`, its further lines below the first of its words.
#[must_use]
pub fn hanging(lead: &str, text: &str, width: Option<usize>) -> String {
    let indent = visible_width(lead);
    let lines = lines_of(text, width.map(|width| width.saturating_sub(indent)));
    let leads = iter::once(lead.to_owned()).chain(iter::repeat(" ".repeat(indent)));
    let lines = leads.zip(lines);
    let lines = lines.map(|(lead, line)| format!("{}\n", format!("{lead}{line}").trim_end()));
    lines.collect()
}

fn visible_width(text: &str) -> usize {
    textwrap::core::display_width(text)
}

/// `text` with the spaces of its commands replaced by what no line ends at.
fn glued(text: &str, longest: usize) -> String {
    let mut parts = text.split('`');
    let mut glued = parts.next().unwrap_or_default().to_owned();
    let mut is_command = true;
    for part in parts {
        glued.push('`');
        if is_command && visible_width(part) + 2 <= longest {
            glued.push_str(&part.replace(' ', GLUE.encode_utf8(&mut [0; 4])));
        } else {
            glued.push_str(part);
        }
        is_command = !is_command;
    }
    glued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns_and_not_by_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("ab", 0), "");
    }

    #[test]
    fn a_path_keeps_its_beginning_and_its_file() {
        let path = "crates/attest/src/cmd/doctor/in_force.rs";
        for (width, shown) in [
            (40, path),
            (39, "…/attest/src/cmd/doctor/in_force.rs"),
            (29, "…/src/cmd/doctor/in_force.rs"),
            (25, "…/cmd/doctor/in_force.rs"),
            (20, "…/doctor/in_force.rs"),
            (14, "…/in_force.rs"),
            // Only a name that is too long by itself is cut.
            (10, "cra…rce.rs"),
            (2, "c…"),
        ] {
            assert_eq!(cut_path(path, width), shown, "{width}");
        }
        assert_eq!(cut_path("/home/me/work/shop", 16), "/…/me/work/shop");
        assert_eq!(cut_path("漢字漢字漢字.rs", 8), "漢…字.rs");
        assert_eq!(shortest_path(path), 13);
        assert_eq!(shortest_path("a/b"), 3);
    }

    #[test]
    fn a_line_loses_folders_before_it_loses_words() {
        let line = "src/deep/down/parser.py and 3 more";
        assert_eq!(cut_brief(line, 34), line);
        assert_eq!(cut_brief(line, 26), "src/…/parser.py and 3 more");
        assert_eq!(cut_brief(line, 30), "…/down/parser.py and 3 more");
        let prose = "the index is of a version that is not known";
        assert_eq!(cut_brief(prose, 24), "the … is not known");
    }

    #[test]
    fn whatever_is_cut_fits() {
        let texts = [
            "a/b/c",
            "src/a_very_long_name_of_a_file.rs",
            "a b c d e f",
            "/x",
            "漢/字漢字",
        ];
        for text in texts {
            for width in 1..40 {
                for shown in [
                    cut_path(text, width),
                    cut_brief(text, width),
                    cut(text, width),
                ] {
                    assert!(shown.width() <= width, "{text} at {width}: {shown}");
                }
            }
        }
    }

    #[test]
    fn lines_end_between_words_and_hang() {
        let text = "It says `attest install` and no more than that.";
        let shown = hanging("- ", text, Some(20));
        assert_eq!(
            shown,
            "- It says\n  `attest install`\n  and no more than\n  that.\n"
        );
        assert_eq!(hanging("- ", text, None), format!("- {text}\n"));
    }

    #[test]
    fn styles_take_no_room() {
        let red = "\u{1b}[31mred\u{1b}[0m word";
        assert_eq!(lines_of(red, Some(8)), [red]);
        assert_eq!(visible_width(red), 8);
    }

    #[test]
    fn a_word_that_is_longer_than_a_line_is_broken() {
        let lines = lines_of(&"x".repeat(50), Some(20));
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.width() <= 20), "{lines:?}");
    }
}
