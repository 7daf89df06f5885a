//! Just enough of the shell to tell whether a command line is one plain call.

use std::ops::Range;

/// What makes a quoted word a command for `PowerShell`.
pub(super) const CALL: &str = "& ";

/// A word of a command line, without its quotes, and where it stands with them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Range<usize>,
    /// Whether the shell hands it on as it is: it has no variable and no `~` to expand.
    pub(super) is_literal: bool,
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
        let is_expanded = match (quote, char) {
            (Some('"') | None, '$') => true,
            (None, '~') => word.is_none(),
            _ => false,
        };
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
            is_literal: true,
        });
        word.is_literal &= !is_expanded;
        word.text.extend(literal);
        word.span.end = end;
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// What stands behind a call, so that the host reads of a program that is gone, damaged or another's what it reads of
/// one that has nothing to say: some take any failure, or the complaint of the shell, for a denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// Nothing, as earlier versions wrote it, and where the shell of the host is not known.
    Bare,
    Posix,
    /// For a host that shows standard error.
    PosixSilent,
    PowerShell,
    PowerShellSilent,
}

impl Guard {
    /// All that stand for something; one that ends in another comes first.
    const ALL: [Self; 4] = [
        Self::PosixSilent,
        Self::Posix,
        Self::PowerShellSilent,
        Self::PowerShell,
    ];

    /// No word of it is one that only some shells know: Windows' own `PowerShell` has no `||`, and `true` is a
    /// command wherever `||` is an operator.
    const fn text(self) -> &'static str {
        match self {
            Self::Bare => "",
            Self::Posix => " || true",
            Self::PosixSilent => " 2>/dev/null || true",
            Self::PowerShell => "; exit 0",
            Self::PowerShellSilent => " 2>$null; exit 0",
        }
    }

    /// The guard of a command line, and what stands before it.
    pub(super) fn split(command: &str) -> (&str, Self) {
        let line = command.trim_end();
        let mut all = Self::ALL.into_iter();
        all.find_map(|guard| Some((line.strip_suffix(guard.text())?, guard)))
            .unwrap_or((command, Self::Bare))
    }
}

/// `word` in single quotes, as one word for a POSIX shell.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A command line that runs `program` with `args`: for a POSIX shell, or on Windows for whichever shell the host
/// takes there.
pub(super) fn command_line(program: &str, args: &[String], guard: Guard) -> String {
    let program = program_word(program);
    let is_powershell = matches!(guard, Guard::PowerShell | Guard::PowerShellSilent);
    // A quoted word is a text to it, and no command.
    let call = if is_powershell && program.starts_with(['\'', '"']) {
        CALL
    } else {
        ""
    };
    let mut line = format!("{call}{program}");
    for arg in args {
        line.push(' ');
        line.push_str(&if is_plain(arg) {
            arg.clone()
        } else {
            quoted(arg)
        });
    }
    line.push_str(guard.text());
    line
}

/// The program as one word. A path with a drive stands bare if it can: in quotes it is no command to `PowerShell`,
/// and in single ones none to `cmd`.
fn program_word(program: &str) -> String {
    let has_drive =
        matches!(program.as_bytes(), [drive, b':', b'/', ..] if drive.is_ascii_alphabetic());
    match (has_drive, is_plain(program)) {
        (true, true) => program.to_owned(),
        (true, false) => format!("\"{program}\""),
        (false, _) => quoted(program),
    }
}

fn is_plain(word: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:=@%+,".contains(char);
    !word.is_empty() && word.chars().all(is_plain)
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
    fn a_command_line_is_read_back_and_nothing_of_it_is_expanded() {
        let path = "/it's a $HOME/\"x\"\n/~/attest";
        let args = ["hook", "stop", "--harness", "a b", "", "$x", "it's"].map(String::from);
        let line = command_line(path, &args, Guard::Bare);
        assert!(
            line.contains(" hook stop --harness 'a b' '' '$x'"),
            "{line}"
        );
        let read = words(&line).unwrap();
        assert!(read.iter().all(|word| word.is_literal), "{read:?}");
        let read: Vec<_> = read.into_iter().map(|word| word.text).collect();
        assert_eq!(read[0], path);
        assert_eq!(read[1..], args);
    }

    #[test]
    fn a_path_with_a_drive_is_a_call_for_every_shell_of_windows() {
        let args = ["hook", "stop"].map(String::from);
        for (program, line) in [
            ("C:/bin/attest.exe", "C:/bin/attest.exe hook stop"),
            ("C:/my bin/attest.exe", "\"C:/my bin/attest.exe\" hook stop"),
            ("/opt/attest", "'/opt/attest' hook stop"),
        ] {
            assert_eq!(command_line(program, &args, Guard::Bare), line);
            let read = words(line).unwrap();
            assert_eq!(read[0].text, program);
            assert!(read[0].is_literal);
        }
    }

    #[test]
    fn a_guard_stands_behind_the_call_and_is_told_from_it() {
        let args = ["hook", "stop"].map(String::from);
        for (guard, program, line) in [
            (Guard::Bare, "/a", "'/a' hook stop"),
            (Guard::Posix, "/a", "'/a' hook stop || true"),
            (
                Guard::PosixSilent,
                "/a",
                "'/a' hook stop 2>/dev/null || true",
            ),
            (Guard::PowerShell, "C:/a.exe", "C:/a.exe hook stop; exit 0"),
            (
                Guard::PowerShellSilent,
                "C:/my bin/a.exe",
                "& \"C:/my bin/a.exe\" hook stop 2>$null; exit 0",
            ),
        ] {
            assert_eq!(command_line(program, &args, guard), line);
            let bare = line.strip_suffix(guard.text()).unwrap();
            assert_eq!(Guard::split(line), (bare, guard));
        }
        let other = "/a hook stop || echo gone";
        assert_eq!(Guard::split(other), (other, Guard::Bare));
    }

    #[test]
    fn what_a_shell_expands_is_not_literal() {
        let is_literal = |command: &str| words(command).unwrap()[0].is_literal;
        for command in ["$HOME/attest", "\"$HOME/attest\"", "~/attest", "~"] {
            assert!(!is_literal(command), "{command}");
        }
        for command in [
            "'$HOME/attest'",
            r"\$HOME/attest",
            "'~/attest'",
            "/a~/attest",
            "/attest",
        ] {
            assert!(is_literal(command), "{command}");
        }
    }
}
