//! From one piece of text to the paths that it may mean.

use crate::shape::{is_path, unresolvable};
use crate::split::{arrow, closed_annotation, open_annotation};
use crate::{Operation, Target, Unresolvable};

/// Words of a text that may still be one path with spaces in it.
const MOST_WORDS: usize = 5;

/// What a piece means: its readings, the likeliest first.
#[derive(Debug, Default)]
pub(crate) struct Cleaned {
    pub(crate) targets: Vec<Target>,
    pub(crate) operation: Option<Operation>,
    /// An annotation begins in the piece and has no end of its own.
    pub(crate) is_open: bool,
}

/// Reads one piece.
pub(crate) fn clean(piece: &str) -> Result<Cleaned, Unresolvable> {
    let whole = piece.trim();
    let mut cleaned = Cleaned::default();
    let (text, operation) = without_label(whole);
    cleaned.operation = operation;
    if let Some((from, to)) = renamed(text) {
        let to_side = clean(to)?;
        let from = bare(from);
        let to = first_name(&to_side.targets).unwrap_or_else(|| bare(to).to_owned());
        for name in [to.as_str(), from] {
            cleaned.add_file(name);
        }
        cleaned.targets.insert(
            0,
            Target::Rename {
                from: from.to_owned(),
                to,
            },
        );
        cleaned.add_file(whole);
        cleaned.is_open = to_side.is_open;
        return Ok(cleaned);
    }
    let (name, annotation) = cleaned.name_and_annotation(text);
    if let Some(operation) = operation_of(annotation) {
        cleaned.operation = Some(operation);
    }
    if let Some(why) = unresolvable(bare(name)) {
        return Err(why);
    }
    let is_marked = name.starts_with(['`', '"', '\'', '[', '*', '<']) && name != bare(name);
    cleaned.add_name(name, is_marked)?;
    for other in [text, whole] {
        cleaned.add_file(bare(other));
        cleaned.add_file(other);
    }
    if cleaned.targets.is_empty() {
        return Err(Unresolvable::Prose);
    }
    Ok(cleaned)
}

impl Cleaned {
    /// Separates the name from what is said about it.
    fn name_and_annotation<'a>(&mut self, text: &'a str) -> (&'a str, &'a str) {
        if let Some((name, rest)) = leading_span(text) {
            self.is_open = open_annotation(text).is_some();
            return (name, rest);
        }
        if let Some(mark) = open_annotation(text) {
            self.is_open = true;
            let (name, _) = self.without_closed(text[..mark.start].trim());
            return (name, &text[mark.end..]);
        }
        self.without_closed(text)
    }

    fn without_closed<'a>(&mut self, text: &'a str) -> (&'a str, &'a str) {
        match closed_annotation(text) {
            Some(at) if text[..at].ends_with(char::is_whitespace) => {
                (text[..at].trim(), &text[at..])
            }
            Some(at) => {
                // "a.py(new)" or the route "a(b)": the shorter name is a reading as well.
                self.add_file(text);
                self.add_file(&text[..at]);
                (text, "")
            }
            None => (text, ""),
        }
    }

    /// Adds the readings of a name, suffixes and all.
    fn add_name(&mut self, name: &str, is_marked: bool) -> Result<(), Unresolvable> {
        if let Some((text, destination)) = link(name) {
            self.add_with_suffixes(bare(text));
            self.add_with_suffixes(destination);
            return Ok(());
        }
        let inner = bare(name);
        let words: Vec<_> = inner.split_whitespace().collect();
        if words.is_empty() {
            return Err(Unresolvable::Prose);
        }
        if words.len() > 1 && !is_marked {
            let has_path = words.iter().any(|word| is_path(trim_end(word)));
            if !has_path || words.len() > MOST_WORDS {
                return Err(Unresolvable::Prose);
            }
            self.add_with_suffixes(inner);
            for word in words.iter().filter(|word| is_path(trim_end(word))) {
                self.add_with_suffixes(word);
            }
            return Ok(());
        }
        if !inner.chars().any(char::is_alphanumeric) {
            return Err(Unresolvable::Prose);
        }
        self.add_with_suffixes(inner);
        if name.starts_with('"') && inner.contains('\\') {
            match unquoted(inner) {
                Some(plain) => self.add_file(&plain),
                None => return Err(Unresolvable::Garbled),
            }
        }
        Ok(())
    }

    fn add_with_suffixes(&mut self, name: &str) {
        let shorter = without_position(trim_end(name));
        if shorter != name {
            self.add_file(shorter);
            self.add_file(trim_end(name));
        }
        self.add_file(name);
    }

    pub(crate) fn add_file(&mut self, name: &str) {
        let name = name.trim();
        let is_name =
            name.chars().any(char::is_alphanumeric) && !name.chars().any(char::is_control);
        if !is_name {
            return;
        }
        self.add(target(name));
        if name.contains('\\') {
            self.add(target(&name.replace('\\', "/")));
        }
    }

    fn add(&mut self, target: Target) {
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

fn first_name(targets: &[Target]) -> Option<String> {
    match targets.first()? {
        Target::File(name) | Target::Dir(name) => Some(name.clone()),
        Target::Rename { to, .. } => Some(to.clone()),
    }
}

/// A word or a git status letter before the path that says what happened to it.
fn without_label(text: &str) -> (&str, Option<Operation>) {
    let Some((label, rest)) = text.split_once(char::is_whitespace) else {
        return (text, None);
    };
    let rest = rest.trim_start();
    let next = rest.split_whitespace().next().unwrap_or_default();
    let is_marked = next.starts_with(['`', '"', '[', '*']);
    if !is_marked && !is_path(trim_end(next)) {
        return (text, None);
    }
    let word = label.trim_matches(|c: char| matches!(c, '*' | '_' | ':' | '[' | ']'));
    let operation = match word.to_ascii_lowercase().as_str() {
        "created" | "create" | "added" | "add" | "new" | "new:" => Operation::Created,
        "deleted" | "delete" | "removed" | "remove" => Operation::Deleted,
        "modified" | "modify" | "changed" | "updated" | "update" | "edited" | "edit"
        | "renamed" | "moved" | "wrote" | "rewrote" | "touched" | "file" | "file:" => {
            Operation::Changed
        }
        _ => match label {
            "A" | "AM" | "??" | "+" => Operation::Created,
            "D" | "-" => Operation::Deleted,
            "M" | "MM" | "R" | "C" | "T" | "U" | "~" | "RM" => Operation::Changed,
            _ if label.starts_with('R') && label[1..].chars().all(|c| c.is_ascii_digit()) => {
                Operation::Changed
            }
            _ => return (text, None),
        },
    };
    (rest, Some(operation))
}

/// What an annotation says of the path before it.
fn operation_of(annotation: &str) -> Option<Operation> {
    let first = annotation
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())?;
    Some(match first.to_ascii_lowercase().as_str() {
        "deleted" | "removed" | "delete" | "removing" | "deleting" => Operation::Deleted,
        "new" | "created" | "added" => Operation::Created,
        _ => return None,
    })
}

/// "a -> b", "a to b" after "renamed".
fn renamed(text: &str) -> Option<(&str, &str)> {
    let both = arrow(text)?;
    let is_name = |side: &str| !side.is_empty() && side.chars().any(char::is_alphanumeric);
    // "src/a.py: x -> y" tells what changed in the file.
    let in_annotation = open_annotation(both.0).is_some();
    (is_name(both.0) && is_name(both.1) && !in_annotation).then_some(both)
}

/// A code span, a quoted name, a bold one or a link at the beginning, and the rest.
fn leading_span(text: &str) -> Option<(&str, &str)> {
    let end = match text.chars().next()? {
        '`' => {
            let ticks = text.len() - text.trim_start_matches('`').len();
            let close = text[ticks..].find(&text[..ticks])?;
            ticks * 2 + close
        }
        '"' => text[1..].find('"')? + 2,
        '*' => {
            let stars = text.len() - text.trim_start_matches('*').len();
            let close = text[stars..].find(&text[..stars])?;
            stars * 2 + close
        }
        '[' => {
            let (_, destination) = text.split_once("](")?;
            text.len() - destination.len() + destination.find(')')? + 1
        }
        _ => return None,
    };
    Some((&text[..end], text[end..].trim()))
}

fn link(name: &str) -> Option<(&str, &str)> {
    let (text, destination) = name.strip_prefix('[')?.split_once("](")?;
    let destination = destination.strip_suffix(')')?;
    // A title may follow the destination.
    let destination = destination.split(" \"").next().unwrap_or(destination);
    Some((text, destination.trim_matches(['<', '>'])))
}

/// Without emphasis, back-ticks and quotes.
fn bare(name: &str) -> &str {
    let mut name = name.trim();
    loop {
        let inner = ["**", "__", "*", "`", "\"", "'", "~~"]
            .iter()
            .find_map(|mark| {
                let inner = name.strip_prefix(mark)?.strip_suffix(mark)?;
                (!inner.is_empty()).then_some(inner)
            });
        match inner {
            Some(inner) => name = inner.trim(),
            None => return name,
        }
    }
}

/// Without the marks that end a sentence.
fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ',', ';', ':', '!'])
}

/// Without ":12", ":12:3", ":12-40", "#L12", "(12)".
fn without_position(name: &str) -> &str {
    if let Some((file, position)) = name.rsplit_once("#L")
        && position.starts_with(|c: char| c.is_ascii_digit())
    {
        return file;
    }
    let mut name = name;
    while let Some((file, position)) = name.rsplit_once(':') {
        let is_position = !position.is_empty()
            && position
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | ',' | 'L'));
        if !is_position || file.is_empty() {
            break;
        }
        name = file;
    }
    name
}

/// A name as git quotes it: C escapes. `None` where it is no text.
fn unquoted(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (escape, after) = rest.split_first()?;
        rest = after;
        match escape {
            b'0'..=b'3' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                let low = u8::from_str_radix(digits, 8).ok()?;
                bytes.push((escape - b'0') << 6 | low);
                rest = &rest[2..];
            }
            b'"' | b'\\' => bytes.push(*escape),
            // Other escapes stand for control characters, which no report can carry.
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}
