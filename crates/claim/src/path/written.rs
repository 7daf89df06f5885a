//! Names as Markdown, links and git write them.

use std::borrow::Cow;

use attest_shell::text::last_part;

use crate::path::shape::{has_drive, has_extension};

/// Removes the back-slashes that Markdown needs before its own marks.
pub(crate) fn unescaped(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_escape = c == '\\' && rest.peek().is_some_and(char::is_ascii_punctuation);
        if !is_escape {
            plain.push(c);
        }
    }
    plain
}

/// A path of Windows without the mark that says "as it is written" to the system: `\\?\C:\a.py`.
pub(crate) fn without_verbatim(name: &str) -> Cow<'_, str> {
    const MARKS: [&str; 4] = [r"\\?\", r"\\.\", "//?/", "//./"];
    let Some(rest) = MARKS.iter().find_map(|mark| name.strip_prefix(mark)) else {
        return name.into();
    };
    match rest.strip_prefix(r"UNC\").or(rest.strip_prefix("UNC/")) {
        Some(share) => format!(r"\\{share}").into(),
        None if has_drive(rest) => rest.into(),
        None => name.into(),
    }
}

/// "a.h/a.cpp" and "Cargo.toml/lock" are two files. A folder above a repository may have a name
/// such as "next.js", so an absolute path is a single path.
pub(crate) fn two_files(name: &str) -> Option<[&str; 2]> {
    let mut ends = name.match_indices('/').map(|(at, _)| at);
    let at = ends.find(|at| has_extension(last_part(&name[..*at])))?;
    (!name.starts_with(['/', '.'])).then(|| [&name[..at], &name[at + 1..]])
}

/// A name that mixes in look-alike letters of another alphabet, written in Latin only.
pub(crate) fn in_latin(name: &str) -> Option<String> {
    const OTHERS: &str = "аеорсухіјѕԁһАВЕКМНОРСТХІЅЈονιραΑΒΕΗΙΚΜΝΟΡΤΥΧΖ";
    const LATIN: &str = "aeopcyxijsdhABEKMHOPCTXISJovipaABEHIKMNOPTYXZ";
    let latin = |c: char| {
        let mut both = OTHERS.chars().zip(LATIN.chars());
        both.find(|(other, _)| *other == c)
            .map_or(c, |(_, latin)| latin)
    };
    let is_mixed = !name.is_ascii() && name.contains(|c: char| c.is_ascii_alphabetic());
    let plain: String = name.chars().take_while(|_| is_mixed).map(latin).collect();
    (is_mixed && plain.is_ascii()).then_some(plain)
}

/// The destination of a link writes a space as "%20".
pub(crate) fn percent_decoded(name: &str) -> Option<String> {
    let (before, encoded) = name.split_once('%')?;
    let mut bytes = before.as_bytes().to_vec();
    for part in encoded.split('%') {
        let (code, plain) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The old and the new name of a rename that `git diff --stat` writes as `src/{old => new}/a.py`.
pub(crate) fn braces(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let (from, to) = inside.split_once(" => ")?;
    let whole = |part: &str| format!("{before}{part}{after}").replace("//", "/");
    Some((whole(from), whole(to)))
}

/// A name as git quotes it, with C escapes. `None` if it is not text.
pub(crate) fn unquoted(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (escape, after) = rest.split_first()?;
        match escape {
            b'0'..=b'3' => {
                let (digits, after) = rest.split_at_checked(3)?;
                let digits = std::str::from_utf8(digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 8).ok()?);
                rest = after;
            }
            b'"' | b'\\' => {
                bytes.push(*escape);
                rest = after;
            }
            // Other escapes stand for control characters, which a report cannot carry.
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_forms_of_odd_names() {
        assert_eq!(
            unquoted("caf\\303\\251.py").as_deref(),
            Some("caf\u{e9}.py")
        );
        assert_eq!(unquoted("a\\nb"), None);
        assert_eq!(unquoted("a\\\"b\\\\c").as_deref(), Some("a\"b\\c"));
        assert_eq!(unquoted("a\\30"), None);
        assert_eq!(percent_decoded("my%20a.py").as_deref(), Some("my a.py"));
        assert_eq!(percent_decoded("100%.py"), None);
        assert_eq!(unescaped("\\_\\_init\\_\\_.py"), "__init__.py");
        let (from, to) = braces("src/{old => new}/a.py").unwrap();
        assert_eq!(
            (from.as_str(), to.as_str()),
            ("src/old/a.py", "src/new/a.py")
        );
    }

    #[test]
    fn the_mark_of_a_verbatim_path_is_no_part_of_it() {
        for name in [r"\\?\C:\p\a.py", r"\\.\C:\p\a.py", r"C:\p\a.py"] {
            assert_eq!(without_verbatim(name), r"C:\p\a.py");
        }
        assert_eq!(without_verbatim("//?/C:/a.py"), "C:/a.py");
        assert_eq!(without_verbatim(r"\\?\UNC\here\p\a.py"), r"\\here\p\a.py");
        for other in [r"\\.\pipe\a", r"\\?\Volume{1}\a.py", r"\\?\a.py"] {
            assert_eq!(without_verbatim(other), other);
        }
    }

    #[test]
    fn two_names_in_one() {
        assert_eq!(two_files("a.h/a.cpp"), Some(["a.h", "a.cpp"]));
        assert_eq!(two_files("src/a.h/a.cpp"), Some(["src/a.h", "a.cpp"]));
        assert_eq!(two_files("src/conf.d/a.conf"), None);
        assert_eq!(two_files("/next.js/a.cpp"), None);
    }

    #[test]
    fn only_a_mixed_name_is_written_in_latin() {
        assert_eq!(in_latin("\u{430}.py").as_deref(), Some("a.py"));
        for name in ["a.py", "\u{430}\u{441}", "\u{e9}.py", "\u{430}\u{436}.py"] {
            assert_eq!(in_latin(name), None, "{name}");
        }
    }
}
