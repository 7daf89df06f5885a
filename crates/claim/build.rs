//! Turns the word lists of `words/` into tables, so that a look-up costs no start-up.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "cargo is spoken to by printed lines and by variables"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::num::TryFromIntError;
use std::path::Path;
use std::{env, fs, io};

include!("src/words/hash.rs");

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=words");
    let files = fs::read_dir("words")?.map(|file| Ok(file?.path()));
    // In an order that does not depend on the file system.
    let files: BTreeSet<_> = files.collect::<io::Result<_>>()?;
    let mut tables = String::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&file)?;
        let is_line = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let mut words = BTreeMap::new();
        for line in text.lines().filter(is_line) {
            let left = line.split(" | ").next().unwrap_or(line).trim();
            if name == "verbs" {
                read_verb(left, &mut words).ok_or_else(|| format!("words/verbs.txt: {line}"))?;
            } else {
                read(left, &mut words);
            }
        }
        writeln!(tables, "{}", table(&name.to_uppercase(), &words)?)?;
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("words.rs"), tables)?;
    Ok(())
}

/// A list as a `Table` of `src/words.rs`: all lines in one text, and where each begins, as a table of pointers would
/// have to be put right by the loader at every start of the program.
fn table(name: &str, words: &BTreeMap<String, String>) -> Result<String, TryFromIntError> {
    let (mut text, mut lines) = (String::new(), Vec::<[u16; 3]>::new());
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
    Ok(format!(
        "pub(crate) static {name}: Table = Table {{ text: {text:?}, lines: &{lines:?}, slots: &{slots:?} }};"
    ))
}

/// Adds a word with its class, if it has one; a word may have several lines.
fn read(left: &str, words: &mut BTreeMap<String, String>) {
    let (word, class) = left.split_once(' ').unwrap_or((left, ""));
    let classes = words.entry(word.to_owned()).or_default();
    if !classes.is_empty() {
        classes.push(' ');
    }
    classes.push_str(class);
}

/// Adds the forms of a verb, the base first, each with its class; "base" stands behind the class of the base.
fn read_verb(left: &str, words: &mut BTreeMap<String, String>) -> Option<()> {
    let (forms, class) = left.rsplit_once(' ')?;
    let (base, others) = forms.split_once(' ')?;
    let base_class = || format!("{class} base");
    words.entry(base.to_owned()).or_insert_with(base_class);
    let third = (base != "-").then(|| third_person(base));
    let others = others.split(' ').map(str::to_owned);
    words.extend(others.chain(third).map(|form| (form, class.to_owned())));
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
