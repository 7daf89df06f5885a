//! A single name with the ways in which it may be meant.

use crate::Target;
use crate::outline::Outline;
use crate::shape::{has_extension, is_path, trim_end};
use crate::written::{braces, percent_decoded, two_files, unescaped};

/// A path longer than this exists on no file system.
const LONGEST: usize = 4096;

/// Readings of one entry, the likeliest first.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    pub(crate) targets: Vec<Target>,
}

impl Readings {
    /// Adds a name with everything that may be decoration at its end or inside.
    pub(crate) fn add_name(&mut self, name: &str) {
        let name = name.trim();
        let trimmed = trim_end(name);
        let short = without_position(trimmed);
        if let Some(both) = braces(short) {
            self.targets.push(both);
        }
        let escaped = unescaped(short);
        // Before a back-slash that Markdown needs, a slash says that it is no separator.
        if escaped != short && short.contains('/') {
            self.add(&escaped);
        }
        for reading in [short, &escaped, trimmed, name] {
            self.add(reading);
        }
        if let Some((first, second)) = two_files(short) {
            self.add(first);
            self.add(second);
        }
        if let Some(plain) = percent_decoded(short) {
            self.add(&plain);
        }
        for prefix in ["@", "a/", "b/"] {
            if let Some(rest) = short.strip_prefix(prefix) {
                self.add(rest);
            }
        }
    }

    /// Adds a name as it stands, and with the separators of the other family.
    pub(crate) fn add(&mut self, name: &str) {
        let name = name.trim();
        let is_name = name.len() <= LONGEST
            && name.chars().any(char::is_alphanumeric)
            && !name.chars().any(|c| c.is_control() || c == '\u{fffd}');
        if !is_name {
            return;
        }
        self.push(target(name));
        if name.contains('\\') {
            self.push(target(&name.replace('\\', "/")));
        }
    }

    pub(crate) fn push_first(&mut self, target: Target) {
        self.targets.insert(0, target);
    }

    fn push(&mut self, target: Target) {
        if !self.targets.contains(&target) {
            self.targets.push(target);
        }
    }
}

fn target(name: &str) -> Target {
    if name.ends_with(['/', '\\']) {
        Target::Dir(name.to_owned())
    } else {
        Target::File(name.to_owned())
    }
}

/// Without emphasis, back-ticks and quotes.
pub(crate) fn bare(name: &str) -> &str {
    const MARKS: &[&str] = &["***", "**", "*", "~~", "``", "`", "\"", "'", "“", "”"];
    let mut name = name.trim();
    // Underlines are emphasis only around a whole path: "__init__" is a name.
    for (open, close) in [("<code>", "</code>"), ("<", ">"), ("_", "_")] {
        let inside = name
            .strip_prefix(open)
            .and_then(|n| n.strip_suffix(close))
            .filter(|inside| is_path(inside) && has_extension(inside) && !inside.contains("__"));
        name = inside.unwrap_or(name);
    }
    loop {
        let inner = MARKS.iter().find_map(|mark| {
            let close = if *mark == "“" { "”" } else { mark };
            let inner = name.strip_prefix(mark)?.strip_suffix(close)?.trim();
            (!inner.is_empty()).then_some(inner)
        });
        match inner {
            Some(inner) => name = inner,
            None => return name,
        }
    }
}

/// A code span, a quoted name, a bold one or a link at the beginning, and the rest.
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

/// The words and the destination of a link.
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

/// Without ":12", ":12:3", ":12-40", "#L12", and without what is named inside the file.
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
    // The mark of a line says so itself, whatever the name before it looks like.
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
            && is_path(file)
            && has_extension(file)
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
            "“a.py”",
            "**`a.py`**",
            "_a.py_",
            "<code>a.py</code>",
        ] {
            assert_eq!(bare(name), "a.py", "{name}");
        }
        for name in ["__init__.py", "_a.py", "__", "_x_", "a_.py_b"] {
            assert_eq!(bare(name), name);
        }
        assert_eq!(leading_span("`a.py` — x"), Some(("`a.py`", "— x")));
        assert_eq!(leading_span("[a](b(c).py) x"), Some(("[a](b(c).py)", "x")));
        assert_eq!(leading_span("[id]/page.tsx"), None);
    }
}
