//! The text without its decoration: invisible characters are removed, and the punctuation of other
//! scripts is replaced by its ASCII equivalent in paths and lists.

use std::borrow::Cow;
use std::ops::Range;

/// Removes HTML comments, which are not part of what a line says.
pub(crate) fn uncommented(text: &str) -> Cow<'_, str> {
    if !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    Cow::Owned(plain.trim().to_owned())
}

/// A text in plain characters, in which each character still knows the part of the original that it
/// came from.
#[derive(Debug)]
pub(crate) struct PlainText<'a> {
    original: &'a str,
    text: Cow<'a, str>,
    /// The offset in the original of the character at each byte of `text`; empty if the two are the
    /// same.
    origins: Vec<usize>,
}

impl<'a> PlainText<'a> {
    pub(crate) fn of(original: &'a str) -> Self {
        let is_plain = original.is_ascii() && !original.contains('\t');
        if is_plain {
            return Self {
                original,
                text: Cow::Borrowed(original),
                origins: Vec::new(),
            };
        }
        let mut text = String::with_capacity(original.len());
        let mut origins = Vec::with_capacity(original.len());
        for (at, c) in original.char_indices() {
            push(&mut text, c);
            origins.resize(text.len(), at);
        }
        Self {
            original,
            text: Cow::Owned(text),
            origins,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The original text of a range of the plain text, if it differs.
    pub(crate) fn original(&self, range: &Range<usize>) -> Option<&'a str> {
        let start = *self.origins.get(range.start)?;
        let end = self.origins.get(range.end).copied();
        let original = &self.original[start..end.unwrap_or(self.original.len())];
        (original != &self.text[range.clone()]).then_some(original)
    }
}

/// Characters, and what is read in place of each.
const PLAIN: &[(&str, &str)] = &[
    ("\t", "  "),
    ("“”„‟«»「」『』《》〈〉〝〞〟″", "\""),
    ("‹›‘’‚‛′", "'"),
    ("【〔〖", "["),
    ("】〕〗", "]"),
    ("、،，", ", "),
    ("。", ". "),
    ("；؛", "; "),
    ("：", ": "),
    ("（", " ("),
    ("\u{2010}\u{2011}\u{2043}\u{2212}\u{fe63}\u{fe58}", "-"),
    ("\u{2012}\u{2015}\u{2e3a}\u{2e3b}\u{fe31}", "—"),
    ("\u{2024}\u{fe52}", "."),
    ("\u{2044}\u{2215}\u{29f8}", "/"),
    ("\u{2216}\u{29f5}\u{fe68}", "\\"),
    ("\u{fe4d}\u{fe4e}\u{fe4f}", "_"),
];

/// Adds a character as it is read.
fn push(text: &mut String, c: char) {
    let is_known = c.is_ascii() && c != '\t';
    let plain = || PLAIN.iter().find(|(others, _)| others.contains(c));
    if is_known {
        text.push(c);
    } else if let Some((_, plain)) = plain() {
        text.push_str(plain);
    } else if c.is_whitespace() && c > '\u{9f}' {
        text.push(' ');
    } else if let '\u{ff01}'..='\u{ff5e}' = c {
        // The other full-width forms of ASCII.
        text.extend(char::from_u32(u32::from(c) - 0xff01 + 0x21));
    } else if !is_invisible(c) {
        text.push(c);
    }
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dress_is_taken_off() {
        for (dressed, plain) in [
            ("a.py", "a.py"),
            ("caf\u{e9}.py", "caf\u{e9}.py"),
            ("s\u{200b}rc/a\u{ad}.py", "src/a.py"),
            ("「a.py」、“b.py”", "\"a.py\", \"b.py\""),
            ("src／a．py", "src/a.py"),
            ("a\u{a0}b\u{3000}c", "a b c"),
            ("my\u{2011}file.py", "my-file.py"),
            ("‹a.py›；‘b.py’", "'a.py'; 'b.py'"),
            ("【a.py】", "[a.py]"),
            ("a.py。b.py", "a.py. b.py"),
            ("src\u{2215}a\u{2024}py", "src/a.py"),
            ("src\u{2216}a\u{fe4d}b.py", "src\\a_b.py"),
            ("a.py\tnew", "a.py  new"),
            ("\u{e9}\u{c}\u{85}.py", "\u{e9}\u{c}\u{85}.py"),
        ] {
            assert_eq!(PlainText::of(dressed).text(), plain, "{dressed}");
        }
    }

    #[test]
    fn the_original_is_kept() {
        let plain = PlainText::of("é「a.py」x");
        let text = plain.text();
        let at = text.find("a.py").unwrap();
        assert_eq!(plain.original(&(at..at + 4)), None);
        assert_eq!(plain.original(&(at - 1..at + 5)), Some("「a.py」"));
        assert_eq!(plain.original(&(0..text.len())), Some("é「a.py」x"));
    }
}
