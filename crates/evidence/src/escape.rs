//! Text that somebody else chose, made safe to print: nothing in it can end a line, control a
//! terminal, reorder the text next to it, or say something that a person does not see.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Bytes from outside, such as a file name or the words of a report. They can only be displayed
/// escaped and on one line: bytes that are not UTF-8 as `\xNN`, characters that cannot be seen as
/// `\u{N}`.
#[derive(Clone, PartialEq, Eq)]
pub struct Untrusted<'a>(Cow<'a, [u8]>);

impl<'a> Untrusted<'a> {
    /// Takes a text, a name or any other bytes.
    pub fn new(outside: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(Cow::Borrowed(outside.as_ref()))
    }

    /// The displayed form of a value.
    pub fn shown(outside: impl fmt::Display) -> Untrusted<'static> {
        Untrusted(Cow::Owned(outside.to_string().into_bytes()))
    }
}

impl fmt::Display for Untrusted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            write_visible(out, chunk.valid(), is_hidden)?;
            for byte in chunk.invalid() {
                write!(out, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Untrusted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), out)
    }
}

/// Lines that may be printed: line endings are the only invisible characters in them. Everything
/// that goes to a host, to an agent or to a person through a hook has this type, so that text from
/// outside cannot get there unescaped. If the end of a line is not ours, the text in the line has
/// to be [`Untrusted`] first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printable(String);

impl Printable {
    /// Escapes everything that cannot be seen, except line endings.
    #[must_use]
    pub fn new(lines: &str) -> Self {
        let mut text = String::with_capacity(lines.len());
        // Writing to a string cannot fail.
        let _ = write_visible(&mut text, lines, |char| char != '\n' && is_hidden(char));
        Self(text)
    }
}

impl Deref for Printable {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Printable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The text as [`Untrusted`] shows it.
#[must_use]
pub fn escaped(bytes: &[u8]) -> String {
    Untrusted::new(bytes).to_string()
}

/// Whether a person sees nothing of the text: it has only white space and characters that cannot be seen.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|char| char == ' ' || is_hidden(char))
}

/// JSON whose texts hold what cannot be seen as escapes: it means the same, and may be shown.
#[must_use]
pub fn visible_json(json: &str) -> Cow<'_, str> {
    // Between texts JSON has line endings and nothing else of the kind; in them they are escaped already.
    let is_plain = |char: char| char == '\n' || !is_hidden(char);
    if json.chars().all(is_plain) {
        return Cow::Borrowed(json);
    }
    let mut visible = String::with_capacity(json.len() + 64);
    for char in json.chars() {
        if is_plain(char) {
            visible.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = fmt::Write::write_fmt(&mut visible, format_args!("\\u{unit:04x}"));
        }
    }
    Cow::Owned(visible)
}

/// Lines in colour, made safe for a terminal: line endings, tabs and changes of colour are the only invisible things in
/// them. It is for text whose parts are escaped where they come from; what slipped through ends here.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let is_plain = |char: char| matches!(char, '\n' | '\t') || !is_hidden(char);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let kept = match char {
            '\u{1b}' => colour(rest),
            '\r' => rest.starts_with("\r\n").then_some(1),
            _ => is_plain(char).then(|| char.len_utf8()),
        };
        match kept.and_then(|length| rest.get(..length)) {
            Some(kept) => visible.push_str(kept),
            None => visible.extend(char.escape_unicode()),
        }
        let length = kept.unwrap_or(char.len_utf8());
        rest = rest.get(length..).unwrap_or_default();
    }
    Cow::Owned(visible)
}

/// The bytes of the change of colour with which the text begins.
fn colour(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let numbers = rest.trim_start_matches(|char: char| char.is_ascii_digit() || char == ';');
    let end = numbers.strip_prefix('m')?;
    Some(text.len() - end.len())
}

fn write_visible(
    out: &mut impl fmt::Write,
    text: &str,
    is_hidden: impl Fn(char) -> bool,
) -> fmt::Result {
    for char in text.chars() {
        if is_hidden(char) {
            write!(out, "{}", char.escape_unicode())?;
        } else {
            out.write_char(char)?;
        }
    }
    Ok(())
}

/// Whether a person cannot see the character, or cannot see its effect.
fn is_hidden(char: char) -> bool {
    if char.is_ascii() {
        return char.is_ascii_control();
    }
    HIDDEN
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&char))
}

/// From the Unicode Character Database: controls, format characters (Cf), white space other than
/// the ordinary space, line and paragraph separators, and everything that is
/// `Default_Ignorable_Code_Point`: variation selectors, Hangul fillers, tags, the soft hyphen. Also
/// the blank Braille pattern.
const HIDDEN: &[(char, char)] = &[
    ('\u{80}', '\u{a0}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    const CLASSES: &str = r"[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{White_Space}\p{Default_Ignorable_Code_Point}\u{2800}&&[^ ]]";

    /// Every character that there is, against the tables of another implementation.
    #[test]
    fn what_is_hidden_is_what_unicode_says() {
        let hidden = Regex::new(CLASSES).unwrap();
        let mut buffer = [0; 4];
        for char in '\0'..=char::MAX {
            let expected = hidden.is_match(char.encode_utf8(&mut buffer));
            assert_eq!(is_hidden(char), expected, "{:?} {:x}", char, char as u32);
        }
    }

    #[test]
    fn lines_for_a_terminal_have_colours_and_nothing_else_unseen() {
        for (text, expected) in [
            ("\u{1b}[1;31mred\u{1b}[0m\r\n\tb\n", None),
            ("a\rb\u{202e}\u{200b}", Some("a\\u{d}b\\u{202e}\\u{200b}")),
            ("\u{9b}31m\u{1b}[2J", Some("\\u{9b}31m\\u{1b}[2J")),
            (
                "\u{1b}]0;t\u{7}\u{1b}[1",
                Some("\\u{1b}]0;t\\u{7}\\u{1b}[1"),
            ),
        ] {
            assert_eq!(visible_lines(text), expected.unwrap_or(text));
        }
    }

    #[test]
    fn what_can_be_seen_stays_as_it_is() {
        for text in [
            "a b",
            "grün ✅",
            "日本語/ファイル.txt",
            "e\u{301}",
            "\\ \" '",
        ] {
            assert_eq!(escaped(text.as_bytes()), text);
        }
        assert_eq!(escaped(b"a\xffb\n\xc2\xad"), "a\\xffb\\u{a}\\u{ad}");
        assert_eq!(&*Printable::new("a\nb\r\u{fe0f}"), "a\nb\\u{d}\\u{fe0f}");
    }

    #[test]
    fn a_text_of_which_nothing_is_seen_is_blank() {
        for blank in [
            "",
            " \n\t",
            "\u{200b}",
            "\u{3164} \u{2800}",
            "\u{202e}\u{2066}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in ["a", "\u{200b}.", "é"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn json_that_is_shown_means_the_same(text in any::<String>(), hidden in "[\u{202e}\u{200b}\u{e0041}\u{9b}a]{0,8}") {
            let value = serde_json::json!({ text: hidden });
            let json = serde_json::to_string_pretty(&value).unwrap();
            let shown = visible_json(&json);
            prop_assert!(!shown.lines().any(|line| line.chars().any(is_hidden)), "{shown:?}");
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }

        #[test]
        fn nothing_hidden_is_shown(bytes in proptest::collection::vec(any::<u8>(), 0..64), text in any::<String>()) {
            let shown = [
                Untrusted::new(&bytes).to_string(),
                format!("{:?}", Untrusted::new(&text)),
                Untrusted::shown(&text).to_string(),
            ];
            for shown in shown {
                prop_assert!(!shown.chars().any(is_hidden), "{shown:?}");
                // What is safe stays as it is, however often it passes.
                prop_assert_eq!(&*Printable::new(&shown), &*shown);
            }
            let lines = Printable::new(&text);
            prop_assert!(!lines.lines().any(|line| line.chars().any(is_hidden)));
        }
    }
}
