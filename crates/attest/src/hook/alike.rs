//! Names that may be those of one file, in a call, a report, and on disk.

use attest_snapshot::ends_in;

/// Whether two names may be those of one file: one is the other, or its end.
pub(super) fn is_same(path: &str, name: &str) -> bool {
    if !are_alike(last_part(path), last_part(name)) {
        return false;
    }
    let fold = |text: &str| {
        let text = text.replace('\\', "/").to_lowercase();
        text.trim_start_matches("./")
            .trim_end_matches('/')
            .to_owned()
    };
    let (path, name) = (fold(path), fold(name));
    ends_in(&path, &name) || ends_in(&name, &path)
}

/// Whether two names are the same in either case.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let lower = |c: char| c.to_lowercase();
    one.chars()
        .flat_map(lower)
        .eq(other.chars().flat_map(lower))
}

pub(super) fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    // Byte by byte, since every call of a transcript is asked.
    let is_end = |byte: &u8| matches!(byte, b'/' | b'\\');
    let last = path.as_bytes().iter().rposition(is_end);
    last.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_the_end_of_the_other() {
        assert!(is_same("/w/repo/src/a.py", "src/a.py") && is_same("a.py", "./src/a.py"));
        assert_eq!(
            [last_part("a/ü.py/"), last_part("a.py"), last_part("/")],
            ["ü.py", "a.py", ""]
        );
        assert!(!is_same("/w/repo/src/ba.py", "a.py") && !is_same("lib/a.py", "src/a.py"));
    }
}
