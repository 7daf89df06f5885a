//! From a word to all values that it may have.

use crate::programs;
use crate::tree::{List, Part, Word};

use super::argument::{ANY, Argument, MAX_VALUES, NEW_FOLDER, in_new_folder};
use super::reader::Reader;
use crate::places::leads_out;
use crate::text::{is_one_of, last_part};

/// Variables of a shell or of a session whose value, whatever it is, leads to no other folder.
const PART_OF_A_NAME: &str = "CLAUDE_CODE_SESSION_ID CLAUDE_SESSION_ID EPOCHSECONDS EUID HOSTNAME LINENO LOGNAME PPID \
    RANDOM SECONDS UID USER";

impl Reader<'_> {
    pub(super) fn argument(&mut self, word: &Word) -> Argument {
        for list in word.commands() {
            self.nested(list);
        }
        let mut values = self.expand(word, false);
        // What is below a file that was made anew is no file.
        if values.as_ref().is_some_and(Vec::is_empty) && word.shown().contains('/') {
            values = None;
        }
        if word
            .parts
            .iter()
            .any(|part| matches!(part, Part::Escaped(_)))
        {
            let kept = self.expand(word, true);
            values = values
                .zip(kept)
                .map(|(values, kept)| [values, kept].concat());
        }
        let is_new = values.iter().flatten().any(|it| it.contains(NEW_FOLDER));
        let (values, of_new) = if is_new {
            (None, values)
        } else {
            (values, None)
        };
        Argument {
            values,
            shown: word.shown(),
            in_new_folder: of_new.and_then(|values| in_new_folder(&values)),
        }
    }

    pub(super) fn expand(&mut self, word: &Word, keeps_backslashes: bool) -> Option<Vec<String>> {
        let mut values = vec![String::new()];
        for part in &word.parts {
            let more = match part {
                Part::Text(text) => vec![text.clone()],
                Part::Escaped(char) if keeps_backslashes => vec![format!("\\{char}")],
                Part::Escaped(char) => vec![char.to_string()],
                Part::Glob => vec![ANY.to_string()],
                Part::Variable(name) => self.value(name)?,
                Part::Commands(list) => self.said(list)?,
                Part::Unknown => return None,
            };
            let count = values.len().saturating_mul(more.len());
            let longest = |values: &[String]| values.iter().map(String::len).max().unwrap_or(0);
            // What only grows at its end is not made anew.
            let kept = if more.len() == 1 {
                0
            } else {
                longest(&values) + 64
            };
            let bytes = count.saturating_mul(kept + longest(&more));
            let is_one = count == 1 && !matches!(part, Part::Variable(_));
            if count > MAX_VALUES || !is_one && !self.places.may_make(bytes) {
                return None;
            }
            if let [more] = more.as_slice() {
                for value in &mut values {
                    value.push_str(more);
                }
            } else {
                let joined = values
                    .iter()
                    .flat_map(|value| more.iter().map(move |more| format!("{value}{more}")));
                values = joined.collect();
            }
        }
        Some(values)
    }

    fn value(&self, name: &str) -> Option<Vec<String>> {
        match (self.variables.get(name), name) {
            (Some(values), _) => values.clone(),
            (None, "HOME") => Some(vec!["~".to_owned()]),
            (None, "PWD") => self.folder(),
            (None, name) if is_one_of(PART_OF_A_NAME, name) => Some(vec![ANY.to_string()]),
            (None, _) => None,
        }
    }

    /// The folder that the command runs in, as a word names it.
    fn folder(&self) -> Option<Vec<String>> {
        let known = self.folders.known.iter();
        let known = known.map(|folder| {
            if folder.is_empty() {
                ".".to_owned()
            } else {
                folder.clone()
            }
        });
        (!self.folders.is_unknown).then(|| known.collect())
    }

    /// What commands say, where that is known.
    fn said(&mut self, list: &List) -> Option<Vec<String>> {
        let words = &list.only()?.words;
        if let Some(name @ ("dirname" | "basename")) = words.first().and_then(Word::bare) {
            return self.part_of_path(name, &words[1..]);
        }
        let words = words.iter().map(Word::bare);
        let words = words.collect::<Option<Vec<_>>>()?;
        let (name, rest) = words.split_first()?;
        if programs::of(name).is_some_and(|it| it.line("sets-up", rest).is_some()) {
            return Some(vec![String::new()]);
        }
        match words.as_slice() {
            ["pwd"] | ["pwd", "-P" | "-L"] => self.folder(),
            // That of the work tree, which is read, or of one that a command has changed to.
            ["git", "rev-parse", "--show-toplevel"] => self
                .folder()
                .filter(|folders| !folders.iter().any(|folder| leads_out(folder))),
            [
                "date" | "whoami" | "id" | "uname" | "nproc" | "hostname",
                ..,
            ]
            | ["git", "rev-parse", "HEAD"]
            | ["git", "rev-parse", "--short" | "--abbrev-ref", "HEAD"] => {
                Some(vec![ANY.to_string()])
            }
            // A file whose name nobody knew before, so that no report can mean it.
            ["mktemp"] => Some(Vec::new()),
            ["mktemp", "-d"] => Some(vec![NEW_FOLDER.to_string()]),
            _ => None,
        }
    }

    /// The folder of each path, or its last part, without an ending if one is given.
    fn part_of_path(&mut self, name: &str, words: &[Word]) -> Option<Vec<String>> {
        let words = words.iter().map(|word| self.expand(word, false));
        let words = words.collect::<Option<Vec<_>>>()?;
        let (paths, ending) = match words.as_slice() {
            [paths] => (paths, ""),
            [paths, ending] if name == "basename" => match ending.as_slice() {
                [ending] => (paths, ending.as_str()),
                _ => return None,
            },
            _ => return None,
        };
        // An option, or the folder of somebody.
        let is_plain = |path: &String| !path.starts_with('-') && path != "~";
        let parts = paths.iter().map(|path| {
            if name == "dirname" {
                folder_of(path)
            } else {
                last_part_without(path, ending)
            }
        });
        paths.iter().all(is_plain).then(|| parts.collect())
    }
}

/// Of a name that is not known in full, what is known: it may have folders.
fn folder_of(path: &str) -> String {
    if let Some((known, _)) = path.split_once(ANY) {
        return format!("{known}{ANY}");
    }
    let path = path.trim_end_matches('/');
    match path.rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        None => ".".to_owned(),
    }
}

fn last_part_without(path: &str, ending: &str) -> String {
    let last = last_part(path.trim_end_matches('/'));
    if last.contains([ANY, NEW_FOLDER]) {
        return ANY.to_string();
    }
    let stem = last.strip_suffix(ending).filter(|stem| !stem.is_empty());
    stem.unwrap_or(last).to_owned()
}
