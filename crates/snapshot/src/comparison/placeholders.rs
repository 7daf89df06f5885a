//! Names in which a part stands for something, such as a time, a number or a language. Which part that is no name tells;
//! but if a changed file fits, it may be what is meant.

use attest_evidence::fold;

use crate::RepoPath;

/// A name of which a part may stand for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What has to be there, in its folded form, with anything in each gap between two: the first and the last may be empty.
    runs: Vec<String>,
}

/// What a part of a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It is meant.
    Text,
    /// It stands for something: "$word", "[word]", "##", "1-3".
    Filled,
    /// So it does beside other letters or digits of its name: "TIMESTAMP", "xx".
    Word,
    /// Or beside what is more than one letter: "x", "n".
    Letter,
}

impl Pattern {
    /// `None` if every part of the name is meant, or none but its extension.
    pub(super) fn of(path: &RepoPath) -> Option<Self> {
        let text = std::str::from_utf8(path.as_bytes()).ok()?;
        let end = text.rfind('.').filter(|dot| !text[*dot..].contains('/'));
        let end = end.unwrap_or(text.len());
        let mut pattern = Self {
            runs: vec![String::new()],
        };
        let mut has_text = false;
        for (at, name) in text[..end].split('/').enumerate() {
            if at > 0 {
                pattern.push("/");
            }
            let parts = parts(name);
            let is_text = |(part, kind): &(&str, Part)| {
                *kind == Part::Text && part.contains(char::is_alphanumeric)
            };
            let has_letters = parts.iter().any(is_text);
            let has_letter = parts.iter().any(|(_, kind)| *kind == Part::Letter);
            has_text |= has_letters || has_letter;
            for (part, kind) in parts {
                match kind {
                    Part::Filled => pattern.open(),
                    Part::Word if has_letters || has_letter => pattern.open(),
                    Part::Letter if has_letters => pattern.open(),
                    _ => pattern.push(part),
                }
            }
        }
        let is_closed = pattern.runs.len() == 1;
        pattern.push(&text[end..]);
        (has_text && !is_closed).then_some(pattern)
    }

    fn push(&mut self, part: &str) {
        if let Some(run) = self.runs.last_mut() {
            run.push_str(&fold(part));
        }
    }

    /// Adds something, unless the part in front stands for something as well.
    fn open(&mut self) {
        let is_open = self.runs.len() > 1 && self.runs.last().is_some_and(String::is_empty);
        if !is_open {
            self.runs.push(String::new());
        }
    }

    /// Whether it fits a path in its folded form.
    pub(super) fn fits(&self, path: &str) -> bool {
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

/// The parts of a name, with what each is.
fn parts(text: &str) -> Vec<(&str, Part)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let filled =
            |length: Option<usize>| length.map_or((1, Part::Text), |it| (it, Part::Filled));
        let (length, part) = match first {
            '#' => filled(Some(rest.len() - rest.trim_start_matches('#').len())),
            '$' => filled(marked(rest, "")),
            '%' => filled(marked(rest, "%").or_else(|| marked(rest, ""))),
            '[' => filled(marked(rest, "]")),
            '0'..='9' => range(rest).map_or((digits(rest), Part::Text), |it| (it, Part::Filled)),
            c if c.is_alphabetic() => word(&rest[..letters(rest)]),
            c => (c.len_utf8(), Part::Text),
        };
        parts.push((&rest[..length], part));
        rest = &rest[length..];
    }
    parts
}

fn letters(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_alphabetic());
    end.unwrap_or(text.len())
}

fn digits(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_digit());
    end.unwrap_or(text.len())
}

/// The length of a word behind a sign, up to what closes it.
fn marked(text: &str, close: &str) -> Option<usize> {
    let word = letters(&text[1..]);
    let is_closed = text[1 + word..].starts_with(close);
    (word > 0 && is_closed).then_some(1 + word + close.len())
}

/// The length of "1-3", "1..12", but not of "2026-01".
fn range(text: &str) -> Option<usize> {
    let (number, behind) = text.split_at(digits(text));
    let sign = ["-", ".."].into_iter().find(|it| behind.starts_with(it))?;
    let behind = &behind[sign.len()..];
    let other = &behind[..digits(behind)];
    let is_range = [number, other].iter().all(|it| (1..3).contains(&it.len()));
    is_range.then_some(number.len() + sign.len() + other.len())
}

/// What begins a word of letters.
fn word(word: &str) -> (usize, Part) {
    let is_of = |is: fn(char) -> bool| word.chars().all(is);
    let name = word.strip_suffix(['X', 'Y', 'Z', 'N']).unwrap_or_default();
    // "vX", "partN"
    if !name.is_empty() && name.chars().all(char::is_lowercase) {
        return (name.len(), Part::Text);
    }
    let part = if matches!(word, "x" | "n" | "i") {
        Part::Letter
    } else if is_of(|c| c == 'x') || is_of(char::is_uppercase) {
        Part::Word
    } else {
        Part::Text
    };
    (word.len(), part)
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
        ] {
            let pattern = Pattern::of(&path(name)).unwrap();
            assert!(pattern.fits(&fold(file)), "{name}");
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
            ("src/x.py", "src/a.py"),
            ("src/GHOST.md", "src/made.md"),
            ("docs/2026-01-notes.md", "docs/2026-02-notes.md"),
        ] {
            let pattern = Pattern::of(&path(name));
            assert!(pattern.is_none_or(|it| !it.fits(&fold(file))), "{name}");
        }
        assert_eq!(Pattern::of(&path("README.md")), None);
        assert_eq!(Pattern::of(&path("src/parser.py")), None);
    }
}
