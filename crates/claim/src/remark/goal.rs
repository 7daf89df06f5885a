//! Where a file went by the words beside it, or came from.

use super::Remark;
use crate::path::shape::is_file;
use crate::words;

impl Remark {
    /// The files or folders: "moved to lib/a.py", "split into src/a.py and src/b.py", "moved into lib/".
    #[must_use]
    pub fn goals(&self) -> Vec<&str> {
        let mut words = self.text.split_whitespace();
        let is_verb = words
            .next()
            .is_some_and(|word| words::verb(&word.to_lowercase()).is_some());
        if !is_verb || !matches!(words.next(), Some("to" | "into")) {
            return Vec::new();
        }
        let names = words.map(|word| {
            let word = word.trim_matches(|c: char| matches!(c, '`' | '"' | '*' | '(' | ')'));
            word.trim_end_matches([',', ';', '.', '`', '"', ')'])
        });
        let is_place = |name: &&str| name.contains('/') && (name.ends_with('/') || is_file(name));
        names
            .filter(|word| *word != "and")
            .take_while(is_place)
            .collect()
    }

    /// The name that it had, if that is all that is said: "renamed from src/a.py".
    pub(crate) fn origin(&self) -> Option<&str> {
        let (verb, rest) = self.text.split_once(' ')?;
        let name = rest.strip_prefix("from ")?.trim_matches('`');
        let is_one = is_file(name) && !name.contains(char::is_whitespace);
        (words::is_move(&verb.to_lowercase()) && is_one).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_verb_leads_to_and_is_a_path_is_where_it_went() {
        let goals = |text| Remark::of(text).unwrap().goals().join(" ");
        for (text, expected) in [
            ("(moved to lib/a.py)", "lib/a.py"),
            ("— Renamed to `lib/a.py`, with its tests", "lib/a.py"),
            (": moved into lib/", "lib/"),
            ("(split into src/a.py and src/b.py)", "src/a.py src/b.py"),
            ("(moved to the archive in old/a.py)", ""),
            ("(removed due to src/a.py)", ""),
            ("(renamed to be clearer)", ""),
            ("(merged)", ""),
        ] {
            assert_eq!(goals(text), expected, "{text}");
        }
    }

    #[test]
    fn only_a_name_behind_from_is_what_a_file_was_called() {
        let origin = |text| Remark::of(text).unwrap().origin().unwrap_or("").to_owned();
        for (text, expected) in [
            ("(renamed from src/a.py)", "src/a.py"),
            ("— Moved from `src/a.py`", "src/a.py"),
            ("(moved helpers from src/a.py)", ""),
            ("(moved from src/a.py and src/b.py)", ""),
            ("(copied from src/a.py)", ""),
            ("(moved from the archive)", ""),
        ] {
            assert_eq!(origin(text), expected, "{text}");
        }
    }
}
