//! Just enough of the shell to tell whether a command line is one plain call.

use std::ops::Range;

/// A word of a command line, without its quotes, and where it stands with them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// Splits a command line into its words. `None` when it is more than one call: a pipe, a list, a
/// group, a substitution or an open quote.
pub(super) fn words(command: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote: Option<char> = None;
    let mut previous = ' ';
    let mut chars = command.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let mut literal = None;
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some('"') | None, '$') if chars.peek().is_some_and(|(_, next)| *next == '(') => {
                return None;
            }
            (Some('"'), '\\') => {
                let escaped = chars.next_if(|(_, next)| matches!(next, '"' | '\\' | '$' | '`'));
                literal = Some(escaped.map_or('\\', |(_, next)| next));
            }
            (None, '\\') => literal = Some(chars.next()?.1),
            (None, '\'' | '"') => quote = Some(char),
            (Some('"') | None, '`') | (None, ';' | '|' | '(' | ')' | '\n' | '#') => return None,
            (None, '&') if previous != '>' => return None,
            (None, _) if char.is_whitespace() => {
                words.extend(word.take());
                previous = char;
                continue;
            }
            _ => literal = Some(char),
        }
        previous = char;
        let end = chars.peek().map_or(command.len(), |(next, _)| *next);
        let word = word.get_or_insert_with(|| Word {
            text: String::new(),
            span: at..end,
        });
        word.text.extend(literal);
        word.span.end = end;
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// `word` in single quotes, as one word for a POSIX shell.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Whether `word` sets a variable for the call behind it.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || char == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(command: &str) -> Option<Vec<String>> {
        words(command).map(|words| words.into_iter().map(|word| word.text).collect())
    }

    #[test]
    fn quotes_and_escapes_are_undone() {
        let expected: Vec<String> = ["/a b/attest", "hook", "it's", "C:\\x"]
            .map(String::from)
            .into();
        for command in [
            r"'/a b/attest' hook it\'s 'C:\x'",
            r#""/a b/attest"  hook "it's" "C:\x""#,
            r"/a\ b/attest hook 'it'\''s' C:\\x",
        ] {
            assert_eq!(texts(command).as_ref(), Some(&expected), "{command}");
        }
    }

    #[test]
    fn more_than_one_call_has_no_words() {
        for command in [
            "a; b",
            "a && b",
            "a | b",
            "(a)",
            "a `b`",
            "a \"$(b)\"",
            "a\nb",
            "a 'b",
            "a \\",
            "a &",
            "a # b",
        ] {
            assert_eq!(words(command), None, "{command}");
        }
    }

    #[test]
    fn a_redirection_is_a_word() {
        assert_eq!(texts("a 2>&1 >>log").map(|words| words.len()), Some(3));
    }

    #[test]
    fn a_quoted_word_is_read_back() {
        let path = "/it's a $HOME/\"x\"/attest";
        assert_eq!(texts(&quoted(path)), Some(vec![path.to_owned()]));
    }
}
