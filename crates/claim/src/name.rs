//! A single name and the ways in which it may be meant.

use crate::outline::Outline;
use crate::shape::{certainty, is_file, trim_end};
use crate::written::{braces, in_latin, percent_decoded, two_files, unescaped};
use crate::{Certainty, Reading, Target};

/// No file system has a longer path, in bytes.
pub(crate) const MAX_PATH_BYTES: usize = 4096;

/// Readings of one entry, the most likely first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Readings {
    pub(crate) readings: Vec<Reading>,
}

impl Readings {
    /// Adds a name where a path is expected: each way of writing it is as sure as its shape.
    pub(crate) fn add_name(&mut self, name: &str) {
        self.add_written(name, certainty);
    }

    /// Adds a name with spaces that can only be a path.
    pub(crate) fn add_certain(&mut self, name: &str) {
        self.add_written(name, |_| Certainty::Certain);
    }

    /// Adds a name in every way of writing it, none of which proves anything.
    pub(crate) fn add_doubtful(&mut self, name: &str) {
        self.add_written(name, |_| Certainty::Likely);
    }

    /// Adds a text that may be a name: it counts only if exactly that name is found.
    pub(crate) fn add_likely(&mut self, name: &str) {
        self.add(name.trim(), Certainty::Likely);
    }

    /// Adds a rename before everything else.
    pub(crate) fn push_rename(&mut self, from: &str, to: &str, certainty: Certainty) {
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
