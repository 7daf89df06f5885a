//! Text in a given width: cut at its end or in the middle, or wrapped with a hanging indent.

use std::iter;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A command in back-ticks that is longer may be wrapped.
const LONGEST_WHOLE: usize = 44;
/// Stands for a space that no line ends at. Text that is safe to print does not hold it.
const GLUE: char = '\u{a0}';

/// `text` in at most `width` columns, cut at its end.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    beginning(text, width - 1).chain(['…']).collect()
}

/// `text` in at most `width` columns, cut in the middle; a third of what is left is its beginning.
pub(crate) fn cut_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    if width < 3 {
        return cut(text, width);
    }
    let head = (width - 1) / 3;
    let tail = width - 1 - head;
    let reversed: String = text.chars().rev().collect();
    let mut end: Vec<_> = beginning(&reversed, tail).collect();
    end.reverse();
    beginning(text, head).chain(['…']).chain(end).collect()
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
pub(crate) fn lines_of(text: &str, width: Option<usize>) -> Vec<String> {
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
pub(crate) fn hanging(lead: &str, text: &str, width: Option<usize>) -> String {
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
        assert_eq!(cut_middle(path, 40), path);
        assert_eq!(cut_middle(path, 25), "crates/a…ctor/in_force.rs");
        assert_eq!(cut_middle("漢字漢字漢字.rs", 8), "漢…字.rs");
        assert_eq!(cut_middle(path, 2), "c…");
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
