//! Look-ups in the word lists of `words/`, which the build script turns into sorted tables.

use crate::Operation;

mod tables {
    use super::Table;
    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

/// A list of words in the order of their bytes, each with its class, in lines of one text.
struct Table {
    text: &'static str,
    starts: &'static [u16],
}

impl Table {
    /// The class of a word.
    fn class(&self, word: &str) -> Option<&'static str> {
        let at = self
            .starts
            .binary_search_by(|start| self.entry(*start).0.cmp(word));
        Some(self.entry(self.starts[at.ok()?]).1)
    }

    /// Whether one of the classes of a word is this.
    fn has_class(&self, word: &str, wanted: &str) -> bool {
        self.class(word)
            .is_some_and(|classes| classes.split(' ').any(|class| class == wanted))
    }

    /// The words outside of ASCII, which stand at the end, each with its class.
    fn beyond_ascii(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let entries = self.starts.iter().rev().map(|start| self.entry(*start));
        entries.take_while(|(word, _)| !word.is_ascii())
    }

    fn entry(&self, start: u16) -> (&'static str, &'static str) {
        let line = self.text.get(usize::from(start)..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        line.split_once('\t').unwrap_or((line, ""))
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

/// What a verb of doing says was done; whether it is in its base form, which may also be a demand.
pub(crate) fn verb(word: &str) -> Option<(Operation, bool)> {
    let class = tables::VERBS.class(word)?;
    let base = class.strip_suffix(" base");
    Some((operation(base.unwrap_or(class)), base.is_some()))
}

/// Whether what is done with this verb may put a thing somewhere else: "moved", "written", "added".
pub(crate) fn moves(word: &str) -> bool {
    let moves = |class: &str| {
        class.contains("created") || class.contains("moved") || class.contains("deleted")
    };
    tables::VERBS.class(word).is_some_and(moves)
}

/// What a word says of a file if it stands alone: "new", "M", "créé".
pub(crate) fn mark(word: &str) -> Option<Operation> {
    let plural = || {
        word.strip_suffix('s')
            .filter(|stem| stem.chars().count() > 3)
    };
    let class = tables::MARKS
        .class(word)
        .or_else(|| tables::MARKS.class(plural()?));
    class.map(operation)
}

/// A mark of a script without spaces at the beginning or the end of a text.
pub(crate) fn mark_within(text: &str) -> Option<Operation> {
    let is_dense = |word: &str| word.chars().all(is_dense);
    tables::MARKS
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

/// What a word says was done to a file, as a verb or as a mark.
pub(crate) fn change(word: &str) -> Option<Operation> {
    let word = word.to_lowercase();
    mark(&word).or_else(|| verb(&word).map(|(operation, _)| operation))
}

/// The closed classes of English, as far as they differ in what they say of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    Negation,
    Preposition,
    /// A verb or an adjective that is not about work on a file.
    Verb,
    Other,
}

/// The closed class of a word.
pub(crate) fn closed(word: &str) -> Option<Closed> {
    if word.ends_with("n't") {
        return Some(Closed::Negation);
    }
    let classes = tables::CLOSED.class(word)?;
    Some(match classes.split(' ').next()? {
        "negation" => Closed::Negation,
        "preposition" => Closed::Preposition,
        "verb" => Closed::Verb,
        _ => Closed::Other,
    })
}

/// What a word of a closed class begins behind a verb of doing: "object", "manner" or "particle".
pub(crate) fn behind_verb(word: &str) -> Option<&'static str> {
    tables::CLOSED.class(word)?.split(' ').nth(1)
}

/// Whether a text in a script without spaces has a negation.
pub(crate) fn is_negated_within(text: &str) -> bool {
    tables::CLOSED
        .beyond_ascii()
        .any(|(word, _)| text.contains(word))
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
    let is_known = |word: &str| tables::THINGS.class(word).is_some();
    is_known(word) || stems(word).any(|stem| is_known(&stem))
}

/// Whether a verb in the third person says what a file does: "parses".
pub(crate) fn describes(word: &str) -> bool {
    stems(word).any(|stem| tables::DESCRIBES.class(&stem).is_some())
}

/// Whether a phrase plainly says that a file was not worked on.
pub(crate) fn is_untouched(phrase: &str) -> bool {
    tables::UNTOUCHED.class(phrase).is_some()
}

/// What a word of a title says of the files below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TitleWord {
    /// They are of a part of the project.
    Group,
    /// They are not claimed, because they are not done.
    Plan,
    /// They are not claimed, because something else begins.
    Ends,
}

/// The meaning of a word in a title.
pub(crate) fn title(word: &str) -> Option<TitleWord> {
    Some(match tables::TITLES.class(word)? {
        "plan" => TitleWord::Plan,
        "ends" => TitleWord::Ends,
        _ => TitleWord::Group,
    })
}

/// What a word is in a key; a key by itself is looked up with the colon.
pub(crate) fn key(word: &str) -> Option<&'static str> {
    tables::KEYS.class(word)
}

/// A complete file name that has no extension.
pub(crate) fn is_bare_name(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    tables::NAMES.class(&lower) == Some("any")
        || tables::NAMES.class(word) == Some("capitals")
        || [".env.", "dockerfile.", "makefile."]
            .iter()
            .any(|start| lower.starts_with(start))
}

/// Whether an extension alone shows that a name is a file. "README.MD" and "analysis.Rmd" are files,
/// "System.Text.Json" is a name in a program.
pub(crate) fn is_extension(extension: &str) -> bool {
    let is_sure = |extension: &str| tables::EXTENSIONS.class(extension) == Some("sure");
    let is_capital = !extension.contains(|c: char| c.is_ascii_lowercase())
        || extension.starts_with('R')
        || extension == "Dockerfile";
    is_sure(extension) || is_capital && is_sure(&extension.to_ascii_lowercase())
}

/// Whether an extension shows it behind a folder.
pub(crate) fn is_weak_extension(extension: &str) -> bool {
    tables::EXTENSIONS
        .class(&extension.to_ascii_lowercase())
        .is_some()
}

/// The name of a product, or an expression, that ends like a file.
pub(crate) fn is_product(word: &str) -> bool {
    tables::PRODUCTS.class(&word.to_ascii_lowercase()).is_some()
}

/// A word of a status line: the status that it is, or "open".
pub(crate) fn status(word: &str) -> Option<&'static str> {
    tables::STATUS.class(word)
}

/// Whether a word has this part in a remark.
pub(crate) fn has_role(word: &str, role: &str) -> bool {
    tables::ROLES.has_class(word, role)
}

/// Whether a part of a name is of this kind.
pub(crate) fn is_part(word: &str, kind: &str) -> bool {
    tables::PARTS.has_class(word, kind)
}

/// Whether the head of a column has a word of this kind.
pub(crate) fn is_column(title: &str, kind: &str) -> bool {
    has_word(title, |word| tables::COLUMNS.has_class(word, kind))
}

/// Whether a title has a word of what is not the report, of one of these kinds.
pub(crate) fn is_of_example(title: &str, kinds: &[&str]) -> bool {
    let is_kind = |word: &str| {
        tables::EXAMPLES
            .class(word)
            .is_some_and(|kind| kinds.contains(&kind))
    };
    has_word(title, is_kind)
}

/// Whether a tag is of this kind: "<details open>", "</details>".
pub(crate) fn is_tag(tag: &str, kind: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']);
    let name = name.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
    let name = name.take(1).next().unwrap_or_default().to_ascii_lowercase();
    let name = name
        .rsplit(':')
        .next()
        .unwrap_or_default()
        .replace('-', "_");
    tables::TAGS.has_class(&name, kind)
}

/// What the beginning of a word says of the content of a file: "empty" or "less".
pub(crate) fn loss(word: &str) -> Option<&'static str> {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.rev()
        .find_map(|end| tables::LOSSES.class(word.get(..end)?))
}

/// Whether a name, or a part of a path, is of a file whose size says nothing: "name", "part", "ending", "folder".
pub(crate) fn has_no_size(name: &str, what: &str) -> bool {
    tables::EMPTY.has_class(name, what)
}

/// Whether any word of a text, in lower case, is one of these.
pub(crate) fn has_word(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| !word.is_empty() && is_known(&word.to_lowercase()))
}
