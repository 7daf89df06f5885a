//! Names as Markdown, links and git write them.

use crate::Target;
use crate::shape::has_file_extension;

/// Without the back-slashes that Markdown needs before its own marks.
pub(crate) fn unescaped(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_escape = c == '\\'
            && rest
                .peek()
                .is_some_and(|next| matches!(next, '_' | '*' | '[' | ']' | '(' | ')' | '#' | '`'));
        if !is_escape {
            plain.push(c);
        }
    }
    plain
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
}

/// "a.h/a.cpp" and "Cargo.toml/lock" are two files. The folders above a repository may have names
/// such as "next.js", so a path from the root is one.
pub(crate) fn two_files(name: &str) -> Option<(&str, &str)> {
    let is_cut = |at: &usize| has_file_extension(&name[..*at]);
    let at = name.match_indices('/').map(|(at, _)| at).find(is_cut)?;
    (!name.starts_with(['/', '.'])).then(|| (&name[..at], &name[at + 1..]))
}

/// The destination of a link writes a space as "%20".
pub(crate) fn percent_decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut parts = name.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    let mut is_encoded = false;
    for part in parts {
        let byte = u8::from_str_radix(part.get(..2)?, 16).ok()?;
        bytes.push(byte);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
        is_encoded = true;
    }
    String::from_utf8(bytes).ok().filter(|_| is_encoded)
}

/// A rename as `git diff --stat` writes it: "src/{old => new}/a.py".
pub(crate) fn braces(name: &str) -> Option<Target> {
    let (before, rest) = name.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let (from, to) = inside.split_once(" => ")?;
    let whole = |part: &str| format!("{before}{part}{after}").replace("//", "/");
    Some(Target::Rename {
        from: whole(from),
        to: whole(to),
    })
}

/// A name as git quotes it: C escapes. `None` where it is no text.
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
        rest = after;
        match escape {
            b'0'..=b'3' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                let low = u8::from_str_radix(digits, 8).ok()?;
                bytes.push((escape - b'0') << 6 | low);
                rest = &rest[2..];
            }
            b'"' | b'\\' => bytes.push(*escape),
            // Other escapes stand for control characters, which no report can carry.
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
        assert_eq!(percent_decoded("my%20a.py").as_deref(), Some("my a.py"));
        assert_eq!(percent_decoded("100%.py"), None);
        assert_eq!(unescaped("\\_\\_init\\_\\_.py"), "__init__.py");
        let rename = braces("src/{old => new}/a.py");
        assert!(
            matches!(rename, Some(Target::Rename { from, to }) if from == "src/old/a.py" && to == "src/new/a.py")
        );
    }
}
