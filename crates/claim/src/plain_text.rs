//! The text without its decoration: HTML and invisible characters are removed, and the punctuation of other scripts is
//! replaced by its ASCII equivalent in paths and lists.

use std::borrow::Cow;

use crate::words::{self, is_tag};

/// The most bytes of a tag; a longer one has attributes that no report needs.
const MAX_TAG_BYTES: usize = 256;

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
        let mut plain = Self {
            original,
            text: Cow::Borrowed(original),
            origins: Vec::new(),
        };
        if original.is_ascii() && !original.contains(['\t', '<', '&']) {
            return plain;
        }
        let mut text = String::with_capacity(original.len());
        let mut rest = original;
        while let Some(c) = rest.chars().next() {
            let length = html(rest, &mut text).unwrap_or_else(|| {
                push(&mut text, c);
                c.len_utf8()
            });
            plain
                .origins
                .resize(text.len(), original.len() - rest.len());
            rest = &rest[length..];
        }
        plain.text = Cow::Owned(text);
        plain
    }

    pub(crate) fn text(&self) -> &str {
        self.text.trim()
    }

    /// The original of a part of the plain text, if it differs.
    pub(crate) fn original(&self, part: &str) -> Option<&'a str> {
        let at = part.as_ptr() as usize - self.text.as_ptr() as usize;
        let start = *self.origins.get(at)?;
        let end = self.origins.get(at + part.len()).copied();
        let original = &self.original[start..end.unwrap_or(self.original.len())];
        (original != part).then_some(original)
    }
}

/// Reads a comment, a tag that only decorates a name, or an entity: `<code>a.py</code>`, "a&amp;b.py". Returns its
/// length. Struck-out text keeps its tag.
fn html(rest: &str, text: &mut String) -> Option<usize> {
    if let Some(comment) = rest.strip_prefix("<!--") {
        let end = comment.find("-->");
        return Some(end.map_or(rest.len(), |end| "<!---->".len() + end));
    }
    let near = &rest[..rest.floor_char_boundary(MAX_TAG_BYTES)];
    if near.starts_with('<') {
        let tag = &near[..=near.find('>')?];
        return is_tag(tag, "dress").then_some(tag.len());
    }
    let (name, _) = near.strip_prefix('&')?.split_once(';')?;
    push(text, entity(name)?);
    Some(name.len() + "&;".len())
}

fn entity(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        "nbsp" => return Some(' '),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|c| !c.is_control())
}

/// Adds a character as it is read.
fn push(text: &mut String, c: char) {
    if c == '\t' {
        text.push_str("  ");
    } else if c.is_ascii() {
        text.push(c);
    } else if let Some(plain) = words::SCRIPTS.class(c.encode_utf8(&mut [0; 4])) {
        text.extend(plain.chars().map(|c| if c == '␣' { ' ' } else { c }));
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
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
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
            (
                "<code>a.py</code> &amp; <del>b&#46;py</del>",
                "a.py & <del>b.py</del>",
            ),
            ("a.py<!-- not b.py --> (new)", "a.py (new)"),
            ("a.py <!-- b.py", "a.py"),
            ("a < b & c; d", "a < b & c; d"),
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
        assert_eq!(plain.original(&text[at..at + 4]), None);
        assert_eq!(plain.original(&text[at - 1..at + 5]), Some("「a.py」"));
        assert_eq!(plain.original(text), Some("é「a.py」x"));
    }
}
