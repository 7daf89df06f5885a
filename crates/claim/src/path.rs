//! A single name and the ways in which it may be meant, each with its certainty.

pub(crate) mod shape;
pub(crate) mod unresolvable;
pub(crate) mod written;

use crate::outline::Outline;
use crate::{Certainty, Reading, Target, Unresolvable};
use shape::{certainty, has_extension, is_file, is_path, trim_end};
use unresolvable::unresolvable;
use written::{braces, in_latin, percent_decoded, two_files, unescaped, unquoted};

/// No file system has a longer path, in bytes.
pub(crate) const MAX_PATH_BYTES: usize = 4096;
/// The most words of a text that may still be one path with spaces.
const MAX_PATH_WORDS: usize = 6;

/// The readings of one name, the most likely first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    readings: Vec<Reading>,
}

impl Name {
    /// Reads a name. `is_marked`: signs show where it ends; `is_alone`: nothing is said behind it that may make it
    /// the subject of a sentence.
    pub(crate) fn of(text: &str, is_marked: bool, is_alone: bool) -> Result<Self, Unresolvable> {
        let mut name = Self::default();
        // "**`a.py`:** what was done"
        let inner = bare(bare(text).trim_end_matches(':'));
        let inner = inner.strip_prefix("file://").unwrap_or(inner);
        if let Some((words, destination)) = link(bare(text)).or_else(|| link(inner)) {
            name.add_link(bare(words), destination)?;
        } else if let Some(why) = unresolvable(inner) {
            return Err(why);
        } else if text.starts_with('"') && inner.contains('\\') && !inner.contains(":\\") {
            // git quotes a name if it has to write escapes in it.
            name.add_name(&unquoted(inner).ok_or(Unresolvable::Garbled)?);
            name.add_likely(inner);
        } else if inner.contains(char::is_whitespace) {
            name.add_words(inner, is_marked)?;
        } else if is_path(trim_end(without_position(inner)))
            || is_alone && inner.chars().any(char::is_alphanumeric)
            || is_latin_path(inner)
        {
            name.add_name(inner);
        } else {
            return Err(Unresolvable::Prose);
        }
        Ok(name)
    }

    /// Reads the old and the new name of a file.
    pub(crate) fn of_rename(from: &str, to: &str) -> Result<Self, Unresolvable> {
        if let Some(why) = unresolvable(from).or_else(|| unresolvable(to)) {
            return Err(why);
        }
        let mut name = Self::default();
        name.push_rename(from, to, certainty(from).min(certainty(to)));
        Ok(name)
    }

    /// Whether any reading is more than likely.
    pub(crate) fn is_sure(&self) -> bool {
        self.readings
            .iter()
            .any(|reading| reading.certainty > Certainty::Likely)
    }

    /// Makes every reading unable to prove anything.
    pub(crate) fn doubt(&mut self) {
        for reading in &mut self.readings {
            reading.certainty = Certainty::Likely;
        }
    }

    /// Certain readings come first, and are never cut off.
    pub(crate) fn into_readings(mut self, most: usize) -> Vec<Reading> {
        self.readings
            .sort_by_key(|reading| std::cmp::Reverse(reading.certainty));
        self.readings.truncate(most);
        self.readings
    }

    /// Adds a text with the words around the name, all of which may be the name.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add_likely(bare(text));
        // A quotation that contains a quote is not found as a span: "'it's.py':12".
        self.add_likely(bare(without_position(trim_end(text))));
        self.add_likely(text);
    }

    /// Several words that may be one path: "my docs/a file.md", "/home/me/My Documents/x".
    fn add_words(&mut self, text: &str, is_marked: bool) -> Result<(), Unresolvable> {
        if text.contains(" => ") {
            self.add_name(text);
        } else if is_certain_with_spaces(text, is_marked) {
            self.add_written(text, |_| Certainty::Certain);
        } else if is_spaced(text, is_marked) {
            self.add_written(text, |_| Certainty::Likely);
            for word in text
                .split_whitespace()
                .filter(|word| is_path(trim_end(word)))
            {
                self.add_written(word, |_| Certainty::Likely);
            }
        } else {
            return Err(Unresolvable::Prose);
        }
        Ok(())
    }

    /// The path of a link is in its text, in its destination, or in both. A destination that is certain to be in
    /// another place says that the words are only a name for it.
    fn add_link(&mut self, words: &str, destination: &str) -> Result<(), Unresolvable> {
        let is_name =
            |text: &str| unresolvable(text).is_none() && is_path(trim_end(without_position(text)));
        let is_elsewhere = unresolvable(destination) == Some(Unresolvable::Url)
            || destination.starts_with(['/', '\\'])
            || shape::has_drive(destination.trim_start_matches('/'));
        if is_name(words) {
            let sure = if is_elsewhere {
                |_: &str| Certainty::Likely
            } else {
                certainty
            };
            self.add_written(words, sure);
        }
        if is_name(destination) {
            let sure = if shape::has_drive(destination.trim_start_matches('/')) {
                |_: &str| Certainty::Likely
            } else {
                certainty
            };
            self.add_written(destination, sure);
        }
        if self.readings.is_empty() {
            return Err(unresolvable(destination)
                .or_else(|| unresolvable(words))
                .unwrap_or(Unresolvable::Prose));
        }
        self.add_likely(words);
        Ok(())
    }

    /// Adds a name where a path is expected: each way of writing it is as sure as its shape.
    fn add_name(&mut self, name: &str) {
        self.add_written(name, certainty);
    }

    /// Adds a text that may be a name: it counts only if exactly that name is found.
    pub(crate) fn add_likely(&mut self, name: &str) {
        self.add(name.trim(), Certainty::Likely);
    }

    /// Adds a rename before everything else.
    fn push_rename(&mut self, from: &str, to: &str, certainty: Certainty) {
        let target = Target::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        self.readings.insert(0, Reading { target, certainty });
    }

    fn add_written(&mut self, name: &str, certainty: impl Fn(&str) -> Certainty) {
        let name = name.trim();
        let trimmed = trim_end(name);
        let short = without_position(trimmed);
        if short.len() > MAX_PATH_BYTES {
            return;
        }
        if let Some((from, to)) = braces(short) {
            self.push_rename(&from, &to, Certainty::Certain);
        }
        // "`src`/a.py": the marked text is part of the path, and the marks are not.
        let unmarked = short.replace('`', "");
        if unmarked != short {
            self.add_written(&unmarked, certainty);
            self.add(short, Certainty::Likely);
            return;
        }
        let plain = unescaped(short);
        let decoded = percent_decoded(&plain);
        let latin = in_latin(&plain);
        for form in [Some(&plain), decoded.as_ref(), latin.as_ref()]
            .into_iter()
            .flatten()
        {
            if form.contains('\\') {
                let path = form.replace('\\', "/");
                self.add(&path, certainty(&path));
                self.add(form, Certainty::Likely);
            } else {
                self.add(form, certainty(form));
            }
            for prefix in ["@", "a/", "b/"] {
                if let Some(rest) = form.strip_prefix(prefix) {
                    self.add(rest, certainty(rest));
                }
            }
        }
        if let Some((first, second)) = two_files(short) {
            self.add(first, Certainty::Likely);
            self.add(second, Certainty::Likely);
        }
        // Windows separates with a back-slash, which Markdown uses as an escape: "src\_a.py".
        if plain != short && !short.contains('/') {
            let path = short.replace('\\', "/");
            self.add(&path, certainty(&path));
        }
        for other in [short, trimmed, name] {
            self.add(other, Certainty::Likely);
        }
    }

    fn add(&mut self, name: &str, certainty: Certainty) {
        let is_name = name.len() <= MAX_PATH_BYTES
            && name.chars().any(char::is_alphanumeric)
            && !name.chars().any(|c| c.is_control() || c == '\u{fffd}');
        if !is_name {
            return;
        }
        let target = if name.ends_with(['/', '\\']) {
            Target::Dir(name.to_owned())
        } else {
            Target::File(name.to_owned())
        };
        match self
            .readings
            .iter_mut()
            .find(|known| known.target == target)
        {
            Some(known) => known.certainty = known.certainty.max(certainty),
            None => self.readings.push(Reading { target, certainty }),
        }
    }
}

/// Whether a word would be a path if all its letters were Latin.
fn is_latin_path(word: &str) -> bool {
    in_latin(word).is_some_and(|latin| is_path(&latin))
}

/// Whether a text with spaces is a path and cannot be a sentence or a command: it is marked as one
/// name and begins with a folder.
fn is_certain_with_spaces(text: &str, is_marked: bool) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(last)) = (words.next(), words.next_back()) else {
        return false;
    };
    let is_below = first.contains(['/', '\\']) && !has_extension(first);
    let is_rooted = first.starts_with(['/', '.', '\\']) || first.contains(":\\");
    let is_one = words.all(|word| {
        !shape::is_stop_word(word) && !has_extension(word) && !word.contains(['/', '\\'])
    });
    // "bin/rails db/seeds.rb" is a command.
    let is_command = first.starts_with("./") || last.contains(['/', '\\']) && !is_rooted;
    is_below && is_file(trim_end(last)) && is_one && !is_command && (is_marked || is_rooted)
}

/// Whether several words can be one path: "my docs/a file.md", "/home/me/My Documents/x".
pub(crate) fn is_spaced(text: &str, is_marked: bool) -> bool {
    let words: Vec<_> = text.split_whitespace().take(MAX_PATH_WORDS + 1).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_rooted = first.starts_with(['/', '.', '\\']) || first.contains(":\\");
    let has_stop_word = words.iter().any(|word| shape::is_stop_word(word));
    let ends_as_path = is_file(trim_end(last));
    let ends_as_folder = text.ends_with('/') && !has_stop_word;
    let is_sentence = !is_marked && !is_rooted && has_stop_word;
    words.len() <= MAX_PATH_WORDS && !is_sentence && (is_rooted || ends_as_path || ends_as_folder)
}

/// Removes emphasis, back-ticks and quotes.
pub(crate) fn bare(name: &str) -> &str {
    const MARKS: &[&str] = &["***", "**", "*", "___", "__", "``", "`", "\"", "'"];
    let mut name = name.trim();
    // Underscores are emphasis only around a whole path: "__init__" is a name.
    for (open, close) in [("<", ">"), ("_", "_")] {
        let inside = name
            .strip_prefix(open)
            .and_then(|n| n.strip_suffix(close))
            .filter(|inside| is_file(inside) && !inside.contains("__"));
        name = inside.unwrap_or(name);
    }
    loop {
        let inner = MARKS.iter().find_map(|mark| {
            let inner = name.strip_prefix(mark)?.strip_suffix(mark)?.trim();
            // "__init__" is a name, and "__src/a.py__" is emphasis.
            let is_name = mark.starts_with('_') && !is_file(inner);
            (!inner.is_empty() && !is_name).then_some(inner)
        });
        match inner {
            Some(inner) => name = inner,
            None => break,
        }
    }
    // A mark that was never closed.
    for mark in ["**", "`"] {
        if name.matches(mark).count() == 1 {
            name = name
                .strip_prefix(mark)
                .or(name.strip_suffix(mark))
                .unwrap_or(name);
        }
    }
    name
}

/// Whether a line is one marked or plain path, except for a colon at its end.
pub(crate) fn is_one_path(text: &str) -> bool {
    let name = bare(bare(text).trim_end_matches(':'));
    is_file(name)
}

/// A leading code span, quoted name, bold name or link, and the rest.
pub(crate) fn leading_span(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let end = match first {
        '`' | '"' | '\'' => Outline::of(text).first()?.end,
        '*' | '~' => {
            let marks = text.len() - text.trim_start_matches(first).len();
            marks * 2 + text.get(marks..)?.find(&text[..marks])?
        }
        '[' => {
            let outline = Outline::of(text);
            let [words, destination, ..] = outline.spans.as_slice() else {
                return None;
            };
            let is_link = words.start == 0
                && words.end == destination.start
                && text[destination.start..].starts_with('(');
            is_link.then_some(destination.end)?
        }
        _ => return None,
    };
    // "`a`b.py" is one name.
    let rest = &text[end..];
    let is_part = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_'))
        && !rest.starts_with(". ")
        && rest != ".";
    (!is_part).then(|| (&text[..end], rest.trim()))
}

/// The text and the destination of a link.
pub(crate) fn link(name: &str) -> Option<(&str, &str)> {
    let (words, destination) = name.strip_prefix('[')?.split_once("](")?;
    let destination = destination.strip_suffix(')')?;
    // A title may follow the destination.
    let destination = destination.split(" \"").next().unwrap_or(destination);
    let destination = destination.trim().trim_matches(['<', '>']);
    Some((
        words,
        destination.strip_prefix("file://").unwrap_or(destination),
    ))
}

/// Removes ":12", ":12:3", ":12-40", "#L12", and the name of anything inside the file.
pub(crate) fn without_position(name: &str) -> &str {
    let mut name = name;
    while let Some((file, position)) = name.rsplit_once(':') {
        let is_position = position.starts_with(|c: char| c.is_ascii_digit() || c == 'L')
            && position
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | ',' | 'L'));
        if !is_position || file.is_empty() {
            break;
        }
        name = file;
    }
    // A line mark is unambiguous, whatever the name before it looks like.
    if let Some((file, line)) = name.rsplit_once("#L")
        && !file.is_empty()
        && line.starts_with(|c: char| c.is_ascii_digit())
        && line
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | 'L' | 'C'))
    {
        name = file;
    }
    for mark in ["::", ":", "#"] {
        if let Some((file, _)) = name.split_once(mark)
            && is_file(file)
        {
            name = file;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_no_part_of_a_name() {
        for name in [
            "src/a.py:12",
            "src/a.py:12-40",
            "src/a.py:12:3",
            "src/a.py#L12",
            "src/a.py#L12-L20",
            "src/a.py:L12",
            "src/a.py::test_x",
            "src/a.py:run()",
        ] {
            assert_eq!(without_position(name), "src/a.py", "{name}");
        }
        for name in ["C:\\a.py", "a:b", "C#/a.py", "ghost"] {
            assert_eq!(without_position(name), name);
        }
    }

    #[test]
    fn decoration_around_a_name() {
        for name in [
            "`a.py`",
            "**a.py**",
            "***a.py***",
            "'a.py'",
            "**`a.py`**",
            "_a.py_",
        ] {
            assert_eq!(bare(name), "a.py", "{name}");
        }
        for name in ["__init__.py", "__init__", "_a.py", "__", "_x_", "a_.py_b"] {
            assert_eq!(bare(name), name);
        }
        assert_eq!(leading_span("`a.py` — x"), Some(("`a.py`", "— x")));
        assert_eq!(leading_span("[a](b(c).py) x"), Some(("[a](b(c).py)", "x")));
        assert_eq!(leading_span("[id]/page.tsx"), None);
        assert_eq!(leading_span("[a] (b.py)"), None);
    }
}
