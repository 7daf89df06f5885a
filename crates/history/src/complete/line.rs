//! The words that a person has typed so far, as a shell hands them on.

use std::ffi::OsString;

/// What is typed, up to the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// The words, of which the last one is what is completed.
    pub(super) words: Vec<String>,
    /// What of the last word the shell does not replace.
    pub(super) before: String,
}

impl Typed {
    /// Behind `words` stands each word, with a colon before the last one: Windows loses a word that is empty.
    /// Behind `line` stands the line up to the cursor, then, behind a colon, what of it is replaced: bash takes
    /// words apart at `=` and `:`, and says nothing of the blanks between them.
    pub(super) fn of(mut asked: impl Iterator<Item = OsString>) -> Option<Self> {
        let form = asked.next()?;
        let rest = asked.map(|word| word.to_string_lossy().into_owned());
        let mut rest: Vec<_> = rest.collect();
        let last = rest.pop()?.strip_prefix(':')?.to_owned();
        if form == "words" {
            rest.push(last);
            return Some(Self {
                words: rest,
                before: String::new(),
            });
        }
        let words = split(&rest.pop()?);
        let before = words.last()?.strip_suffix(&last).unwrap_or_default();
        Some(Self {
            before: before.to_owned(),
            words,
        })
    }

    /// What is completed.
    pub(super) fn last(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// Whether this word was typed before it.
    pub(super) fn has(&self, word: &str) -> bool {
        let before = self.words.split_last().map(|(_, before)| before);
        before.is_some_and(|before| before.iter().any(|it| it == word))
    }

    /// The value of an option that was typed before it.
    pub(super) fn value_of(&self, option: &str) -> Option<&str> {
        let (_, before) = self.words.split_last()?;
        let joined = format!("{option}=");
        let mut values = before.iter().enumerate().filter_map(|(number, word)| {
            if word == option {
                return before.get(number + 1).map(String::as_str);
            }
            word.strip_prefix(&joined)
        });
        values.next()
    }
}

/// The words of a line, without what quotes them. What is open at its end is closed.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut is_inside = false;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match (character, quote) {
            (it, Some(open)) if it == open => quote = None,
            ('\'' | '"', None) => quote = Some(character),
            ('\\', None | Some('"')) => word.extend(rest.next()),
            (it, None) if it.is_whitespace() => {
                if is_inside {
                    words.push(std::mem::take(&mut word));
                }
                is_inside = false;
                continue;
            }
            _ => word.push(character),
        }
        is_inside = true;
    }
    words.push(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(asked: &[&str]) -> Option<Typed> {
        Typed::of(asked.iter().map(OsString::from))
    }

    #[test]
    fn a_line_falls_apart_as_in_a_shell() {
        for (line, words) in [
            ("attest log", vec!["attest", "log"]),
            ("attest  log ", vec!["attest", "log", ""]),
            (
                "attest 'a b' \"c\\\"d\" e\\ f",
                vec!["attest", "a b", "c\"d", "e f"],
            ),
            ("attest 'open", vec!["attest", "open"]),
            ("attest '' x", vec!["attest", "", "x"]),
            ("", vec![""]),
        ] {
            assert_eq!(split(line), words, "{line}");
        }
    }

    #[test]
    fn what_the_shell_does_not_replace_is_known() {
        let parts = typed(&["line", "attest log --outcome=mis", ":mis"]).unwrap();
        assert_eq!(parts.words, ["attest", "log", "--outcome=mis"]);
        assert_eq!(parts.before, "--outcome=");
        let whole = typed(&["words", "attest", "log", ":--outcome=mis"]).unwrap();
        assert_eq!((whole.words, whole.before), (parts.words, String::new()));
        let empty = typed(&["words", "attest", ":"]).unwrap();
        assert_eq!(empty.words, ["attest", ""]);
        for bad in [&[][..], &["words"], &["words", "attest"], &["line", ":"]] {
            assert_eq!(typed(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn options_that_were_typed_are_found() {
        let typed = typed(&["words", "attest", "log", "--repository=x", "--all", ":"]).unwrap();
        assert_eq!(typed.value_of("--repository"), Some("x"));
        assert!(typed.has("--all") && !typed.has("--json"));
        assert_eq!(typed.value_of("--since"), None);
    }
}
