//! Look-ups in the word lists of `words/`, which the build script turns into tables.

use std::borrow::Cow;

use crate::Operation;

include!(concat!(env!("OUT_DIR"), "/words.rs"));
// The build script puts the words where the same function says.
include!("words/hash.rs");

/// A list of words in the order of their bytes, each with its classes, in lines of one text.
pub(crate) struct Table {
    text: &'static str,
    /// Where each line begins, and where its word and the line itself end.
    lines: &'static [[u16; 3]],
    /// The numbers of the lines, each at the place that the hash of its word says or at the next free one; at least one
    /// place is free.
    slots: &'static [u16],
}

impl Table {
    /// The classes of a word.
    pub(crate) fn classes(&self, word: &str) -> Option<&'static str> {
        let mut at = hash(word);
        loop {
            let line = self.lines.get(usize::from(
                *self.slots.get(at & self.slots.len().wrapping_sub(1))?,
            ))?;
            let (known, classes) = self.entry(*line);
            if known == word {
                return Some(classes);
            }
            at += 1;
        }
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.classes(word).is_some()
    }

    /// The first class of a word.
    pub(crate) fn class(&self, word: &str) -> Option<&'static str> {
        self.classes(word)?.split(' ').next()
    }

    /// Whether one of the classes of a word is this.
    pub(crate) fn has(&self, word: &str, wanted: &str) -> bool {
        self.has_any(word, &[wanted])
    }

    /// Whether one of the classes of a word is one of these.
    pub(crate) fn has_any(&self, word: &str, wanted: &[&str]) -> bool {
        let classes = self.classes(word).unwrap_or_default();
        classes.split(' ').any(|class| wanted.contains(&class))
    }

    /// Whether a text has a word with this class.
    pub(crate) fn is_in(&self, text: &str, wanted: &str) -> bool {
        has_word(text, |word| self.has(word, wanted))
    }

    /// The words outside of ASCII, which stand at the end, each with its class.
    pub(crate) fn beyond_ascii(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let entries = self.lines.iter().rev().map(|line| self.entry(*line));
        entries.take_while(|(word, _)| !word.is_ascii())
    }

    fn entry(&self, [start, middle, end]: [u16; 3]) -> (&'static str, &'static str) {
        let part = |from, to| {
            self.text
                .get(usize::from(from)..usize::from(to))
                .unwrap_or_default()
        };
        (part(start, middle), part(middle + 1, end))
    }
}

/// What a class says was done.
pub(crate) fn operation(class: &str) -> Operation {
    match class {
        "created" => Operation::Created,
        "deleted" => Operation::Deleted,
        _ => Operation::Changed,
    }
}

/// What a verb of doing says was done.
pub(crate) fn verb(word: &str) -> Option<Operation> {
    VERBS.class(word).map(operation)
}

/// Whether a verb of doing is in its base form, which may also be a demand.
pub(crate) fn is_demand(word: &str) -> bool {
    VERBS.has(word, "base")
}

/// What a word says of a file if it stands alone: "new", "M", "créé".
pub(crate) fn mark(word: &str) -> Option<Operation> {
    let plural = || {
        word.strip_suffix('s')
            .filter(|stem| stem.chars().count() > 3)
    };
    let class = MARKS.class(word).or_else(|| MARKS.class(plural()?));
    class.map(operation)
}

/// A mark of a script without spaces at the beginning or the end of a text.
pub(crate) fn mark_within(text: &str) -> Option<Operation> {
    let is_dense = |word: &str| word.chars().all(is_dense);
    MARKS
        .beyond_ascii()
        .filter(|(word, _)| is_dense(word))
        .find(|(word, _)| {
            text.starts_with(word) || is_verb_last(text, word) && text.ends_with(word)
        })
        .map(|(_, class)| operation(class))
}

/// Whether the verb stands at the end in the language of a text: in Japanese and Korean.
fn is_verb_last(text: &str, mark: &str) -> bool {
    matches!(mark, "追加" | "作成" | "変更" | "実装")
        || text.contains(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}'))
}

/// Whether a character is of a script that is written without spaces between words.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// "PR files", "Commit files": others may have worked on them.
pub(crate) fn is_of_git(word: &str) -> bool {
    ROLES.has(word, "outside") || KEYS.class(&format!("{word}:")) == Some("commits")
}

/// What a word says was done to a file, as a verb or as a mark.
pub(crate) fn change(word: &str) -> Option<Operation> {
    let word = word.to_lowercase();
    mark(&word).or_else(|| verb(&word))
}

/// The closed class of a word: a negation, a preposition, a verb or an adjective that is not about work on a file, or
/// another one.
pub(crate) fn closed(word: &str) -> Option<&'static str> {
    if word.ends_with("n't") {
        return Some("negation");
    }
    CLOSED.class(word)
}

/// What a word may be with the ending of a plural or of the third person.
fn stems(word: &str) -> impl Iterator<Item = String> {
    let stem = |(end, base): (&str, &str)| Some(format!("{}{base}", word.strip_suffix(end)?));
    [("s", ""), ("es", ""), ("ies", "y")]
        .into_iter()
        .filter_map(stem)
}

/// Whether a word names a thing that a file may be or hold, in the singular or the plural.
pub(crate) fn is_thing(word: &str) -> bool {
    THINGS.contains(word) || stems(word).any(|stem| THINGS.contains(&stem))
}

/// Whether a verb in the third person says what a file does: "parses".
pub(crate) fn describes(word: &str) -> bool {
    stems(word).any(|stem| DESCRIBES.contains(&stem))
}

/// A complete file name that has no extension.
pub(crate) fn is_bare_name(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    NAMES.class(&lower) == Some("any")
        || NAMES.class(word) == Some("capitals")
        || [".env.", "dockerfile.", "makefile."]
            .iter()
            .any(|start| lower.starts_with(start))
}

/// Whether an extension alone shows that a name is a file. "README.MD" and "analysis.Rmd" are files,
/// "System.Text.Json" is a name in a program.
pub(crate) fn is_extension(extension: &str) -> bool {
    let is_sure = |extension: &str| EXTENSIONS.class(extension) == Some("sure");
    let is_capital = !extension.contains(|c: char| c.is_ascii_lowercase());
    is_sure(extension) || is_capital && is_sure(&extension.to_ascii_lowercase())
}

/// Whether an extension shows it behind a folder.
pub(crate) fn is_weak_extension(extension: &str) -> bool {
    EXTENSIONS.contains(&extension.to_ascii_lowercase())
}

/// Whether a tag is of this kind: "<details open>", "</details>".
pub(crate) fn is_tag(tag: &str, kind: &str) -> bool {
    let tag = tag.trim_start_matches(['<', '/']);
    let name = tag.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
    let name = name.take(1).flat_map(|name| name.rsplit(':')).next();
    let name = name.unwrap_or_default().to_ascii_lowercase();
    TAGS.has(&name.replace('-', "_"), kind)
}

/// Whether it says of a file that it went from one name to another.
pub(crate) fn is_move(word: &str) -> bool {
    matches!(word, "moved" | "renamed")
}

/// The words of a text: letters and digits, and these signs.
pub(crate) fn words_of<'a>(text: &'a str, signs: &'a str) -> impl Iterator<Item = &'a str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !signs.contains(c));
    words.filter(|word| !word.is_empty())
}

/// A name in camelCase as its words: "files Changed" of "filesChanged"; but "`FileList`" names what is in a program.
pub(crate) fn apart(name: &str) -> Cow<'_, str> {
    let is_other = |c: char| !c.is_ascii_alphabetic();
    if name.contains(is_other) || name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && words.ends_with(|last: char| last.is_ascii_lowercase()) {
            words.push(' ');
        }
        words.push(c);
    }
    Cow::Owned(words)
}

/// Whether any word of a text, in lower case, is one of these.
pub(crate) fn has_word(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    words_of(text, "").any(|word| is_known(&word.to_lowercase()))
}

/// Whether a text has a sign of this kind.
pub(crate) fn has_sign(text: &str, kind: &str) -> bool {
    let mut signs = text.chars().filter(|c| !c.is_ascii());
    signs.any(|c| SIGNS.has(c.encode_utf8(&mut [0; 4]), kind))
}

/// A face tells how somebody feels about a file, and not that something was done to it.
pub(crate) fn is_face(c: char) -> bool {
    matches!(c, '\u{1f600}'..='\u{1f64f}' | '\u{1f910}'..='\u{1f92f}' | '\u{1f970}'..='\u{1f97a}')
}

/// Whether a field names a file: `path`, `file_name`.
pub(crate) fn names_file(field: &str) -> bool {
    COLUMNS.is_in(field, "file") || COLUMNS.has(field, "field")
}
