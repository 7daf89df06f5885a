//! Names of files that are there, as one command prints them for the next: what that does to one of them it does in the
//! folders in which the first has looked.

use std::rc::Rc;

use crate::programs::{self, Effect, Line, Program};
use crate::text::{is_one_of, is_short_option, last_part};
use crate::tree::{Node, Word};

use super::Reader;
use crate::writes::argument::{ANY, Argument, NEW_FOLDER};

/// Names that a command prints, each with what nobody knows of it.
pub(super) type Names = Rc<[String]>;

/// How a program prints such names.
enum How {
    /// All that it knows below a place.
    Listed(Line),
    /// As `find` does.
    Found,
    /// Those of files that have a text, or the lines that it is given.
    Sought(Line),
    /// It chooses among the lines that it is given, or orders them.
    Picked,
}

impl How {
    fn of(program: Program, words: &[&str]) -> Option<Self> {
        let line = |class| program.line(class, words);
        let found = || (program.effect(words) == Effect::Finds).then_some(Self::Found);
        let listed = line("lists").map(Self::Listed);
        listed
            .or_else(|| line("seeks").map(Self::Sought))
            .or_else(|| line("picks").map(|_| Self::Picked))
            .or_else(found)
    }
}

impl Reader<'_> {
    /// What the command prints, if that is nothing but such names.
    pub(super) fn names_of(&mut self, node: &Node) -> Option<Names> {
        let Node::Simple(simple) = node else {
            return None;
        };
        let (program, words) = simple.behind_assignments().split_first()?;
        let program = self.read(program);
        let program = programs::of(last_part(program.text()?))?;
        let bare: Vec<_> = words
            .iter()
            .map(|it| it.bare().unwrap_or_default())
            .collect();
        // Most commands print something else, and their words need not be read twice.
        let how = How::of(program, &bare)?;
        let words: Vec<_> = words.iter().map(|word| self.read(word)).collect();
        let words = words.as_slice();
        let places = match how {
            How::Listed(line) => listed(line, words),
            How::Found => found(words),
            How::Sought(line) => match Search::of(line, words)? {
                search if search.lists => search.places(),
                search => return self.fed.clone().filter(|_| search.only_chooses()),
            },
            How::Picked => return self.fed.clone().filter(|_| only_orders(words)),
        }?;
        let names = below(&places)?;
        let bytes = names.iter().map(String::len).sum();
        self.places.may_make(bytes).then(|| names.into())
    }

    fn read(&mut self, word: &Word) -> Argument {
        Argument {
            values: self.expand(word, false),
            shown: word.shown(),
            in_new_folder: None,
        }
    }
}

/// The names below places: those of the folder in which they are, if they are patterns. The folder of the command itself
/// if there are none.
fn below(places: &[&Argument]) -> Option<Vec<String>> {
    if places.is_empty() {
        return Some(vec![ANY.to_string()]);
    }
    let values = places.iter().map(|place| place.values.as_deref());
    let values = values.collect::<Option<Vec<_>>>()?.concat();
    let is_known = |value: &String| !value.contains(NEW_FOLDER) && !value.starts_with(':');
    values.iter().all(is_known).then(|| {
        let names = values.iter().map(|value| {
            let folder = match value.find(['*', '?', '[', ANY]) {
                Some(at) => value[..at].rfind('/').map_or("", |end| &value[..=end]),
                None => value,
            };
            let separator = if folder.is_empty() || folder.ends_with('/') {
                ""
            } else {
                "/"
            };
            format!("{folder}{separator}{ANY}")
        });
        names.collect()
    })
}

/// Where a program of `line` looks, if its options leave the names as they are.
fn listed(line: Line, words: &[Argument]) -> Option<Vec<&Argument>> {
    let (verb, words) = words.split_first()?;
    let is_plain = |text: &str| line.list("plain").any(|option| option == text);
    let mut options = words.iter().filter(|word| word.is_option());
    let is_plain = options.all(|word| word.text().is_some_and(is_plain));
    let places = || words.iter().filter(|word| !word.is_option()).collect();
    (!verb.is_option() && is_plain).then(places)
}

/// Where `find` looks, if it does nothing with what it finds but to print its name.
fn found(words: &[Argument]) -> Option<Vec<&Argument>> {
    const OTHERWISE: [&str; 7] = [
        "-exec", "-ok", "-fprint", "-fls", "-ls", "-printf", "-delete",
    ];
    let is_other =
        |text: &str| OTHERWISE.iter().any(|it| text.starts_with(it)) && text != "-print0";
    if words.iter().filter_map(Argument::text).any(is_other) {
        return None;
    }
    let is_link_option = |word: &&Argument| word.text().is_some_and(|it| is_one_of("-H -L -P", it));
    let is_place = |word: &&Argument| !word.is_option() && !matches!(word.text(), Some("(" | "!"));
    let words = words.iter().skip_while(is_link_option);
    Some(words.take_while(is_place).collect())
}

/// Whether the program only chooses among the lines that it is given, or orders them.
fn only_orders(words: &[Argument]) -> bool {
    let is_count = |text: &str| text.bytes().all(|it| it.is_ascii_digit() || it == b'+');
    words.iter().all(|word| {
        let text = word.text().unwrap_or("?");
        is_count(text) || is_short_option(text) && !text.contains(['c', 'o'])
    })
}

/// What a program that looks for a text is told.
struct Search<'a> {
    /// Whether it prints the names of files alone.
    lists: bool,
    is_deep: bool,
    options: Vec<&'a str>,
    operands: Vec<&'a Argument>,
}

impl<'a> Search<'a> {
    /// The first operand is what is looked for, unless an option gives it.
    fn of(line: Line, words: &'a [Argument]) -> Option<Self> {
        let (mut lists, mut is_given) = (false, false);
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.is_option() {
                operands.push(word);
                continue;
            }
            let text = word.text()?;
            if text == "--" {
                operands.extend(words.by_ref());
                break;
            }
            let is_short = is_short_option(text);
            lists |= is_short && text.contains('l')
                || is_one_of("--files --files-with-matches --files-without-match", text);
            is_given |= is_short && text.contains(['e', 'f'])
                || is_one_of("--files --regexp --file", text)
                || text.starts_with("--regexp=")
                || text.starts_with("--file=");
            let takes_next = is_short && text.ends_with(['A', 'B', 'C', 'e', 'f', 'g', 'm', 't']);
            if takes_next || line.list("valued").any(|option| option == text) {
                words.next();
            }
            options.push(text);
        }
        if !is_given && !operands.is_empty() {
            operands.remove(0);
        }
        let is_deep = line.is("deep")
            || options
                .iter()
                .any(|text| is_short_option(text) && text.contains(['r', 'R']));
        Some(Self {
            lists,
            is_deep: is_deep || options.contains(&"--recursive"),
            options,
            operands,
        })
    }

    /// Where it looks. Without a place it reads what it is given, unless it goes through folders.
    fn places(self) -> Option<Vec<&'a Argument>> {
        (self.is_deep || !self.operands.is_empty()).then_some(self.operands)
    }

    /// Whether it prints lines of what it is given, as they are.
    fn only_chooses(&self) -> bool {
        let is_plain = |text: &&str| {
            is_short_option(text) && text[1..].chars().all(|it| "vEFGPiwxze".contains(it))
        };
        self.operands.is_empty() && self.options.iter().all(is_plain)
    }
}
