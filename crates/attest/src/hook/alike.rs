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
    lower(one).eq(lower(other))
}

/// What names that are alike have in common.
pub(super) fn any_case(name: &str) -> String {
    lower(name).collect()
}

fn lower(name: &str) -> impl Iterator<Item = char> {
    name.chars().flat_map(char::to_lowercase)
}

pub(super) fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    // Byte by byte, since every call of a transcript is asked.
    let is_end = |byte: &u8| matches!(byte, b'/' | b'\\');
    let last = path.as_bytes().iter().rposition(is_end);
    last.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

/// The last name that a path has, whatever is left again by "..". One without any names a folder.
pub(super) fn last_name(path: &str) -> Option<&str> {
    let last = last_part(path);
    if !matches!(last, "" | "." | "..") {
        return Some(last);
    }
    let mut left = 0;
    path.rsplit(['/', '\\']).find(|part| match *part {
        "" | "." => false,
        ".." => {
            left += 1;
            false
        }
        _ if left > 0 => {
            left -= 1;
            false
        }
        _ => true,
    })
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

    #[test]
    fn the_last_name_of_a_path_is_one_that_nothing_leaves_again() {
        for (path, name) in [
            ("/w/a.py", Some("a.py")),
            ("src/b/../a.py", Some("a.py")),
            ("src/a.py/b/..", Some("a.py")),
            ("a/b/../..", None),
            ("..", None),
            ("a.py/.", Some("a.py")),
        ] {
            assert_eq!(last_name(path), name, "{path}");
        }
    }
}
