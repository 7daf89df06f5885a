//! Turns the word lists of `words/` into tables, so that a look-up costs no start-up.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "cargo is spoken to by printed lines and by variables"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::num::TryFromIntError;
use std::path::Path;
use std::{env, fs};

include!("src/words/hash.rs");

/// What a line of a list has before its example.
#[derive(Clone, Copy)]
enum Form {
    /// A word or a phrase.
    Plain,
    /// A word and its class; a word may have several lines.
    Classed,
    /// The forms of a verb, the base first, and its class.
    Verb,
}

const LISTS: &[(&str, Form)] = &[
    ("checks", Form::Classed),
    ("closed", Form::Classed),
    ("columns", Form::Classed),
    ("describes", Form::Plain),
    ("empty", Form::Classed),
    ("examples", Form::Classed),
    ("extensions", Form::Classed),
    ("keys", Form::Classed),
    ("letters", Form::Classed),
    ("losses", Form::Classed),
    ("marks", Form::Classed),
    ("names", Form::Classed),
    ("parts", Form::Classed),
    ("products", Form::Plain),
    ("roles", Form::Classed),
    ("scripts", Form::Classed),
    ("signs", Form::Classed),
    ("status", Form::Classed),
    ("tags", Form::Classed),
    ("things", Form::Plain),
    ("titles", Form::Classed),
    ("untouched", Form::Plain),
    ("verbs", Form::Verb),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=words");
    let mut tables = String::new();
    for (name, form) in LISTS {
        let text = fs::read_to_string(format!("words/{name}.txt"))?;
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut words = BTreeMap::new();
        for line in lines {
            let left = line.split(" | ").next().unwrap_or(line).trim();
            read(left, *form, &mut words).ok_or_else(|| format!("words/{name}.txt: {line}"))?;
        }
        writeln!(tables, "/// `words/{name}.txt`.")?;
        let upper = name.to_uppercase();
        let Tables { text, lines, slots } = table(&words)?;
        writeln!(
            tables,
            "pub(crate) static {upper}: Table = Table {{ text: {text:?}, lines: &{lines:?}, slots: &{slots:?} }};"
        )?;
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("words.rs"), tables)?;
    Ok(())
}

/// A list as `Table` in `src/words.rs` has it.
struct Tables {
    text: String,
    lines: Vec<[u16; 3]>,
    slots: Vec<u16>,
}

/// All lines in one text, and where each begins: a table of pointers would have to be put right by the loader at
/// every start of the program.
fn table(words: &BTreeMap<String, String>) -> Result<Tables, TryFromIntError> {
    let (mut text, mut lines) = (String::new(), Vec::new());
    let mut slots = vec![u16::MAX; (words.len() + words.len() / 2 + 1).next_power_of_two()];
    for (number, (word, class)) in words.iter().enumerate() {
        let start = text.len();
        text.push_str(&format!("{word}\t{class}\n"));
        lines.push([
            start.try_into()?,
            (start + word.len()).try_into()?,
            (text.len() - 1).try_into()?,
        ]);
        let mut at = hash(word) % slots.len();
        while slots[at] != u16::MAX {
            at = (at + 1) % slots.len();
        }
        slots[at] = number.try_into()?;
    }
    Ok(Tables { text, lines, slots })
}

/// Adds the words of a line, each with its class; for a verb with "base" behind the class of its base form.
fn read(left: &str, form: Form, words: &mut BTreeMap<String, String>) -> Option<()> {
    match form {
        Form::Plain => {
            words.insert(left.to_owned(), String::new());
        }
        Form::Classed => {
            let (word, class) = left.split_once(' ')?;
            let classes = words.entry(word.to_owned()).or_default();
            if !classes.is_empty() {
                classes.push(' ');
            }
            classes.push_str(class);
        }
        Form::Verb => {
            let (forms, class) = left.rsplit_once(' ')?;
            let forms: Vec<_> = forms.split(' ').collect();
            let (base, others) = forms.split_first()?;
            let base_class = || format!("{class} base");
            words.entry((*base).to_owned()).or_insert_with(base_class);
            let third = (*base != "-").then(|| third_person(base));
            let forms = others.iter().map(|other| (*other).to_owned());
            words.extend(forms.chain(third).map(|form| (form, class.to_owned())));
        }
    }
    Some(())
}

fn third_person(base: &str) -> String {
    let is_sibilant = ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| base.ends_with(end));
    match base.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if is_sibilant => format!("{base}es"),
        _ => format!("{base}s"),
    }
}
