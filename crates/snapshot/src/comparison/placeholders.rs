//! Names in which a part stands for something, such as a time, a number or a language. Which part that is no name tells;
//! but if a changed file fits, it may be what is meant.

use crate::RepoPath;

/// Changed files that a name is compared with, at most.
const MOST: usize = 10_000;

/// A name of which a part may stand for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What has to be there, in lower case, with anything in each gap between two: the first and the last may be empty.
    runs: Vec<String>,
}

impl Pattern {
    /// `None` if every part of the name is meant, or none but its extension.
    pub(super) fn of(path: &RepoPath) -> Option<Self> {
        let text = std::str::from_utf8(path.as_bytes()).ok()?;
        let end = text.rfind('.').filter(|dot| !text[*dot..].contains('/'));
        let end = end.unwrap_or(text.len());
        let mut runs = vec![String::new()];
        let (mut is_open, mut has_letters) = (false, false);
        for (part, is_open_part) in parts(&text[..end]) {
            if is_open_part {
                if !std::mem::replace(&mut is_open, true) {
                    runs.push(String::new());
                }
                continue;
            }
            is_open = false;
            has_letters |= part.contains(char::is_alphanumeric);
            if let Some(run) = runs.last_mut() {
                run.push_str(&part.to_lowercase());
            }
        }
        if let Some(run) = runs.last_mut() {
            run.push_str(&text[end..].to_lowercase());
        }
        (has_letters && runs.len() > 1).then_some(Self { runs })
    }

    /// Whether it fits one of the files, or may: of too many none is looked at.
    pub(super) fn may_fit(&self, files: &[RepoPath]) -> bool {
        files.len() > MOST || files.iter().any(|file| self.fits(file))
    }

    fn fits(&self, path: &RepoPath) -> bool {
        let Ok(path) = std::str::from_utf8(path.as_bytes()) else {
            return false;
        };
        let path = path.to_lowercase();
        let Some((first, rest)) = self.runs.split_first() else {
            return false;
        };
        let Some(mut behind) = path.strip_prefix(first.as_str()) else {
            return false;
        };
        for (at, run) in rest.iter().enumerate() {
            // Something has to stand in the gap, and no folder.
            let is_last = at + 1 == rest.len();
            let found = if is_last {
                behind.strip_suffix(run.as_str()).map(str::len)
            } else {
                let from = behind.chars().next().map_or(0, char::len_utf8);
                behind
                    .get(from..)
                    .and_then(|rest| rest.find(run.as_str()))
                    .map(|at| at + from)
            };
            let Some(found) = found.filter(|found| *found > 0 && !behind[..*found].contains('/'))
            else {
                return false;
            };
            behind = &behind[found + run.len()..];
        }
        true
    }
}

/// The parts of a name, and whether each may stand for something: words in capitals, "x", "n" or "i" alone, "xx", "##",
/// "$word", "%s", "[word]", "1-3".
fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let letters = |text: &str| {
            text.find(|c: char| !c.is_alphabetic())
                .unwrap_or(text.len())
        };
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let marked = |close: &str| {
            let word = letters(&rest[1..]);
            let end = rest[1 + word..].starts_with(close);
            (word > 0 && end).then_some(1 + word + close.len())
        };
        let (length, is_open) = match first {
            '#' => (rest.len() - rest.trim_start_matches('#').len(), true),
            '$' => marked("").map_or((1, false), |length| (length, true)),
            '%' => marked("%")
                .or_else(|| marked(""))
                .map_or((1, false), |length| (length, true)),
            '[' => marked("]").map_or((1, false), |length| (length, true)),
            '0'..='9' => {
                let number = digits(rest);
                let sign = &rest[number..];
                let sign = ["-", ".."].into_iter().find(|it| sign.starts_with(it));
                let other = sign.map_or(0, |sign| digits(&rest[number + sign.len()..]));
                match sign {
                    Some(sign) if other > 0 => (number + sign.len() + other, true),
                    _ => (number, false),
                }
            }
            c if c.is_alphabetic() => {
                let word = &rest[..letters(rest)];
                match word.strip_suffix(['X', 'Y', 'Z', 'N']) {
                    // "vX", "partN"
                    Some(name) if !name.is_empty() && name.chars().all(char::is_lowercase) => {
                        (name.len(), false)
                    }
                    _ => (word.len(), is_filled(word)),
                }
            }
            c => (c.len_utf8(), false),
        };
        parts.push((&rest[..length], is_open));
        rest = &rest[length..];
    }
    parts
}

/// Whether a word stands for something: "TIMESTAMP", "xxx", "n".
fn is_filled(word: &str) -> bool {
    let is_of = |is: fn(char) -> bool| word.chars().all(is);
    matches!(word, "n" | "i") || is_of(|c| c == 'x') || is_of(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_name_with_a_part_that_stands_for_something_fits_a_file() {
        for (name, file) in [
            (
                "db/YYYYMMDDHHMMSS_add_vat.rb",
                "db/20260101120000_add_vat.rb",
            ),
            ("db/TIMESTAMP_add_vat.sql", "db/0002_add_vat.sql"),
            ("db/00XX_add_vat.sql", "db/0002_add_vat.sql"),
            ("db/####_add_vat.sql", "db/0002_add_vat.sql"),
            ("web/x.HASH.js", "web/x.0a1b.js"),
            ("docs/v1.x.md", "docs/v1.4.md"),
            ("logs/vX.Y.Z.md", "logs/v1.2.3.md"),
            ("src/part_N.py", "src/part_2.py"),
            ("src/part1-3.py", "src/part1.py"),
            ("src/handlers/$name.md", "src/handlers/pay.md"),
            ("src/%s.txt", "src/pay.txt"),
            ("locales/[lang]/common.json", "locales/de/common.json"),
            ("locales/LANG/common.json", "locales/de/common.json"),
        ] {
            let pattern = Pattern::of(&path(name)).unwrap();
            assert!(pattern.may_fit(&[path(file)]), "{name}");
        }
    }

    #[test]
    fn any_other_name_fits_none() {
        for (name, file) in [
            ("db/TIMESTAMP_add_vat.sql", "db/0002_add_tax.sql"),
            ("db/TIMESTAMP_add_vat.sql", "db/old/0002_add_vat.sql"),
            ("src/part_N.py", "src/part_.py"),
            ("src/ghost.py", "src/made.py"),
            ("README.md", "guide.md"),
            ("src/API_client.py", "src/client.py"),
            ("src/max.py", "src/mab.py"),
        ] {
            let pattern = Pattern::of(&path(name));
            assert!(
                pattern.is_none_or(|it| !it.may_fit(&[path(file)])),
                "{name}"
            );
        }
        assert_eq!(Pattern::of(&path("README.md")), None);
        assert_eq!(Pattern::of(&path("src/parser.py")), None);
    }
}
