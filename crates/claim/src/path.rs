//! A single name and the ways in which it may be meant, each with its certainty.

pub(crate) mod shape;
pub(crate) mod unresolvable;
pub(crate) mod written;

use crate::outline::Outline;
use crate::{Certainty, Reading, Target, Unresolvable};
use shape::{certainty, has_drive, has_extension, is_file, is_path, is_stop_word, trim_end};
use unresolvable::unresolvable;
use written::{
    braces, in_latin, percent_decoded, two_files, unescaped, unquoted, without_verbatim,
};

/// No file system has a longer path, in bytes.
pub(crate) const MAX_PATH_BYTES: usize = 4096;
/// The most words of a text that may still be one path with spaces.
const MAX_PATH_WORDS: usize = 6;

/// The readings of one name, the most likely first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) readings: Vec<Reading>,
}

impl Name {
    /// Reads a name. `is_marked`: signs show where it ends; `is_alone`: nothing is said behind it that may make it
    /// the subject of a sentence.
    pub(crate) fn of(text: &str, is_marked: bool, is_alone: bool) -> Result<Self, Unresolvable> {
        let mut name = Self::default();
        // "**`a.py`:** what was done"
        let inner = bare(bare(text).trim_end_matches(':'));
        let inner = inner.strip_prefix("file://").unwrap_or(inner);
        let inner = &*without_verbatim(inner);
        if let Some((words, destination)) = link(inner) {
            name.add_link(bare(words), destination)?;
        } else if let Some(rest) = inner.strip_prefix("~/")
            && unresolvable(rest).is_none()
            && is_name(rest)
        {
            name.add_of_home(inner);
        } else if let Some(why) = unresolvable(inner) {
            return Err(why);
        } else if text.starts_with('"') && inner.contains('\\') && !inner.contains(":\\") {
            // git quotes a name if it has to write escapes in it.
            name.add_written(&unquoted(inner).ok_or(Unresolvable::Garbled)?, None);
        } else if inner.contains(char::is_whitespace) && !inner.contains(" => ") {
            name.add_words(inner, is_marked)?;
        } else if is_alone && inner.chars().any(char::is_alphanumeric) || is_name(inner) {
            name.add_written(inner, None);
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
        let certainty = certainty(from).min(certainty(to));
        let forms = [from, to].map(separated);
        for form in (0..2).rev() {
            name.push_rename(&forms[0][form], &forms[1][form], certainty);
        }
        Ok(name)
    }

    /// Makes every reading unable to prove anything.
    pub(crate) fn doubt(&mut self) {
        for reading in &mut self.readings {
            reading.certainty = Certainty::Likely;
        }
    }

    /// Adds a text with the words around the name, all of which may be the name.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add_likely(bare(text));
        // A quotation that contains a quote is not found as a span: "'it's.py':12".
        self.add_likely(bare(without_position(trim_end(text))));
        self.add_likely(text);
    }

    /// A path below the home folder: it is certain if that is where a work tree of the repository is.
    fn add_of_home(&mut self, name: &str) {
        self.add_written(name, None);
        for reading in &mut self.readings {
            reading.certainty = reading.certainty.min(Certainty::Folder);
        }
    }

    /// Several words that may be one path: "my docs/a file.md", "/home/me/My Documents/x".
    fn add_words(&mut self, text: &str, is_marked: bool) -> Result<(), Unresolvable> {
        if is_certain_with_spaces(text, is_marked) {
            self.add_written(text, Some(Certainty::Certain));
        } else if is_spaced(text, is_marked) {
            let words = text.split_whitespace();
            let paths = words.filter(|word| is_path(trim_end(word)));
            for name in [text].into_iter().chain(paths) {
                self.add_written(name, Some(Certainty::Likely));
            }
        } else {
            return Err(Unresolvable::Prose);
        }
        Ok(())
    }

    /// The path of a link is in its text, in its destination, or in both. A destination that is certain to be in
    /// another place says that the words are only a name for it.
    fn add_link(&mut self, words: &str, destination: &str) -> Result<(), Unresolvable> {
        let likely = |is_likely: bool| is_likely.then_some(Certainty::Likely);
        let is_on_drive = has_drive(destination.trim_start_matches('/'));
        let is_elsewhere = unresolvable(destination) == Some(Unresolvable::Url)
            || destination.starts_with(['/', '\\'])
            || is_on_drive;
        // "[a.py](<my docs/a.py>)": the words are only the end of the path.
        let is_spaced = destination.contains(' ') && is_spaced(destination, true);
        for (text, sure) in [
            (words, likely(is_elsewhere || is_spaced)),
            (destination, likely(is_on_drive)),
        ] {
            if unresolvable(text).is_none() && is_name(text) {
                self.add_written(text, sure);
            }
        }
        if is_spaced {
            let sure = likely(!is_path_with_spaces(destination));
            self.add_written(destination, sure.or(Some(Certainty::Certain)));
        }
        if self.readings.is_empty() {
            let why = unresolvable(destination).or_else(|| unresolvable(words));
            return Err(why.unwrap_or(Unresolvable::Prose));
        }
        self.add_likely(words);
        Ok(())
    }

    /// Adds a text that may be a name: it counts only if exactly that name is found.
    pub(crate) fn add_likely(&mut self, name: &str) {
        self.add(name.trim(), Some(Certainty::Likely));
    }

    /// Adds a rename before everything else, unless it is known.
    fn push_rename(&mut self, from: &str, to: &str, certainty: Certainty) {
        let target = Target::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        if self.readings.iter().all(|known| known.target != target) {
            self.readings.insert(0, Reading { target, certainty });
        }
    }

    /// Adds a name in each way in which it may be written. Each is as sure as its shape, if it is not known how sure
    /// they are.
    fn add_written(&mut self, name: &str, sure: Option<Certainty>) {
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
            self.add_written(&unmarked, sure);
            self.add_likely(short);
            return;
        }
        let unescaped = unescaped(short);
        let plain = if is_of_windows(short) {
            short
        } else {
            &unescaped
        };
        let forms = [
            Some(plain.to_owned()),
            percent_decoded(plain),
            in_latin(plain),
        ];
        for form in forms.iter().flatten() {
            self.add(&form.replace('\\', "/"), sure);
            self.add_likely(form);
            for prefix in ["@", "a/", "b/"] {
                if let Some(rest) = form.strip_prefix(prefix) {
                    self.add(rest, sure);
                }
            }
        }
        for file in two_files(short).into_iter().flatten() {
            self.add_likely(file);
        }
        // Windows separates with a back-slash, which Markdown uses as an escape: "src\_a.py".
        if plain != short && !short.contains('/') {
            self.add(&short.replace('\\', "/"), sure);
        }
        for other in [&unescaped.replace('\\', "/"), short, trimmed, name] {
            self.add_likely(other);
        }
    }

    fn add(&mut self, name: &str, sure: Option<Certainty>) {
        let is_name = name.len() <= MAX_PATH_BYTES
            && name.chars().any(char::is_alphanumeric)
            && !name.chars().any(|c| c.is_control() || c == '\u{fffd}');
        if !is_name {
            return;
        }
        let certainty = sure.unwrap_or_else(|| certainty(name));
        let kind = if name.ends_with(['/', '\\']) {
            Target::Dir
        } else {
            Target::File
        };
        let target = kind(name.to_owned());
        let mut readings = self.readings.iter_mut();
        match readings.find(|known| known.target == target) {
            Some(known) => known.certainty = known.certainty.max(certainty),
            None => self.readings.push(Reading { target, certainty }),
        }
    }
}

/// Whether each back-slash separates, as behind a drive or a share: "C:\\me\\.claude\\a.md" has no escape.
fn is_of_windows(name: &str) -> bool {
    (has_drive(name) || name.starts_with(r"\\")) && !name.contains('/')
}

/// A name with slashes: as one in which some back-slashes are escapes, and as one in which all separate. A name of
/// Windows, or with a slash of its own, has one form.
fn separated(name: &str) -> [String; 2] {
    let whole = name.replace('\\', "/");
    let unescaped = unescaped(name).replace('\\', "/");
    match (is_of_windows(name), name.contains('/')) {
        (true, _) => [whole.clone(), whole],
        (_, true) => [unescaped.clone(), unescaped],
        _ => [unescaped, whole],
    }
}

/// Whether any reading is more than likely.
pub(crate) fn is_sure(readings: &[Reading]) -> bool {
    let is_sure = |reading: &Reading| reading.certainty > Certainty::Likely;
    readings.iter().any(is_sure)
}

/// Whether a word, without what stands behind it, has the shape of a path, perhaps in letters that look alike.
fn is_name(text: &str) -> bool {
    is_path(trim_end(without_position(text))) || in_latin(text).is_some_and(|latin| is_path(&latin))
}

/// Whether a text with spaces is a path and cannot be a sentence or a command: it is marked as one
/// name and begins with a folder.
fn is_certain_with_spaces(text: &str, is_marked: bool) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(last)) = (words.next(), words.next_back()) else {
        return false;
    };
    let has_separator = |word: &str| word.contains(['/', '\\']);
    let is_rooted = is_rooted(first);
    let is_part = |word: &str| !is_stop_word(word) && !has_extension(word) && !has_separator(word);
    // "bin/rails db/seeds.rb" is a command.
    let is_command = first.starts_with("./") || has_separator(last) && !is_rooted;
    has_separator(first)
        && !has_extension(first)
        && is_file(trim_end(last))
        && words.all(is_part)
        && !is_command
        && (is_marked || is_rooted)
}

/// Whether the destination of a link is a path with spaces, and no sentence: it begins with a folder.
fn is_path_with_spaces(destination: &str) -> bool {
    let (first, rest) = destination.split_once(' ').unwrap_or_default();
    let is_other = |word: &str| is_stop_word(word) || has_extension(word);
    let mut words = rest.split_whitespace();
    let last = words.next_back().unwrap_or_default();
    first.contains('/') && is_file(last) && ![first].into_iter().chain(words).any(is_other)
}

/// Whether several words can be one path: "my docs/a file.md", "/home/me/My Documents/x".
pub(crate) fn is_spaced(text: &str, is_marked: bool) -> bool {
    let words: Vec<_> = text.split_whitespace().take(MAX_PATH_WORDS + 1).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_rooted = is_rooted(first);
    let has_stop_word = words.iter().any(|word| is_stop_word(word));
    let ends_as_path = is_file(trim_end(last)) || text.ends_with('/') && !has_stop_word;
    let is_sentence = !is_marked && !is_rooted && has_stop_word;
    words.len() <= MAX_PATH_WORDS && !is_sentence && (is_rooted || ends_as_path)
}

/// Whether a path begins at a root or in the folder where the agent is.
fn is_rooted(word: &str) -> bool {
    word.starts_with(['/', '.', '\\']) || word.contains(":\\")
}

/// Removes emphasis, back-ticks and quotes.
pub(crate) fn bare(name: &str) -> &str {
    // The others are taken off one by one.
    const MARKS: [&str; 8] = ["*", "___", "__", "_", "`", "\"", "'", "<"];
    let mut name = name.trim();
    // "__init__" is a name, and "__src/a.py__" is emphasis.
    let is_part = |mark: &str, inner: &str| match mark {
        "_" | "<" => !is_file(inner) || inner.contains("__"),
        _ => mark.starts_with('_') && !is_file(inner),
    };
    while let Some(inner) = MARKS.iter().find_map(|open| {
        let close = if *open == "<" { ">" } else { open };
        let inner = name.strip_prefix(open)?.strip_suffix(close)?.trim();
        (!inner.is_empty() && !is_part(open, inner)).then_some(inner)
    }) {
        name = inner;
    }
    // A mark that was never closed.
    for mark in ["**", "`"] {
        let inner = name.strip_prefix(mark).or(name.strip_suffix(mark));
        name = inner.filter(|inner| !inner.contains(mark)).unwrap_or(name);
    }
    name
}

/// Whether a line is one marked or plain path, except for a colon at its end.
pub(crate) fn is_one_path(text: &str) -> bool {
    is_file(bare(bare(text).trim_end_matches(':')))
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
            let is_link = words.start == 0 && text[words.end..].starts_with('(');
            is_link.then_some(destination.end)?
        }
        _ => return None,
    };
    // "`a`b.py" is one name.
    let rest = &text[end..];
    let is_part = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_'));
    let is_stop = rest == "." || rest.starts_with(". ");
    (!is_part || is_stop).then(|| (&text[..end], rest.trim()))
}

/// The text and the destination of a link, without the title that may follow it.
pub(crate) fn link(name: &str) -> Option<(&str, &str)> {
    let (words, destination) = name.strip_prefix('[')?.split_once("](")?;
    let destination = destination.strip_suffix(')')?.split(" \"").next()?;
    let destination = destination.trim().trim_matches(['<', '>']);
    let local = destination.strip_prefix("file://");
    Some((words, local.unwrap_or(destination)))
}

/// Removes ":12", ":12:3", ":12-40", "#L12", and the name of anything inside the file.
pub(crate) fn without_position(name: &str) -> &str {
    let is_position =
        |c: char| c.is_ascii_digit() || matches!(c, ':' | '#' | '-' | '–' | ',' | 'L' | 'C');
    let end = name.trim_end_matches(is_position).len();
    let cut = name[end..]
        .find([':', '#'])
        .map_or(name.len(), |at| end + at);
    let (before, line) = name.split_at(cut);
    let is_line = matches!(line.as_bytes(), [b':', b'0'..=b'9', ..] | [_, b'L', ..]);
    let mut name = if is_line && cut > 0 { before } else { name };
    let drive = if has_drive(name) { "C:".len() } else { 0 };
    for mark in [':', '#'] {
        if let Some(at) = name[drive..].find(mark)
            && is_file(&name[..drive + at])
        {
            name = &name[..drive + at];
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
            let on_a_drive = format!("C:/{name}");
            assert_eq!(without_position(&on_a_drive), "C:/src/a.py");
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
