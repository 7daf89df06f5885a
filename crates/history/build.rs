//! Reads the words that people meet from `words/`.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "it talks with cargo, and is no part of the program"
)]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The files below `words/`, in the order in which their words are listed.
const FILES: [&str; 17] = [
    "terms",
    "outcomes",
    "fates",
    "findings",
    "doubts",
    "unchecked",
    "decisions",
    "lines",
    "strict",
    "gates",
    "statuses",
    "agents",
    "readings",
    "answers",
    "criteria",
    "columns",
    "log",
];
/// The page with a table of all variables.
const SETTINGS: &str = "../../docs/SETTINGS.md";
/// Stands behind a word that everybody has to know.
const TO_KNOW: &str = " (to know)";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=words");
    let mut words = String::from("&[\n");
    for file in FILES {
        let path = format!("words/{file}.md");
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        words.push_str(&words_of(&text).map_err(|why| format!("{path}: {why}"))?);
    }
    println!("cargo:rerun-if-changed={SETTINGS}");
    words.push_str(&variables_of(&fs::read_to_string(SETTINGS)?));
    words.push(']');
    let folder = env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?;
    fs::write(Path::new(&folder).join("words.rs"), words)?;
    Ok(())
}

/// The words of a file as Rust. Its title is the kind of them; each has a heading, paragraphs, and at most one that
/// begins with "For example:" and one with "What to do:".
fn words_of(text: &str) -> Result<String, String> {
    let text = text.replace("\r\n", "\n");
    let mut parts = text.split("\n## ");
    let title = parts.next().and_then(|title| title.strip_prefix("# "));
    let kind = title.ok_or("it begins with no title")?.trim();
    let mut rust = String::new();
    for part in parts {
        let (heading, body) = part.split_once('\n').unwrap_or((part, ""));
        let word = heading.strip_suffix(TO_KNOW);
        let tier = if word.is_some() { 1 } else { 2 };
        let word = word.unwrap_or(heading);
        let (mut told, mut example, mut advice) = (Vec::new(), None, None);
        for paragraph in body.split("\n\n").filter(|it| !it.trim().is_empty()) {
            let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            let place = match paragraph.split_once(": ") {
                Some(("For example", text)) => example.replace(text.to_owned()),
                Some(("What to do", text)) => advice.replace(text.to_owned()),
                _ if example.is_some() || advice.is_some() => Some(paragraph),
                _ => {
                    told.push(paragraph);
                    None
                }
            };
            if place.is_some() || told.len() > 2 {
                return Err(format!("{word} has more paragraphs than a page takes"));
            }
        }
        let (example, advice) = (example.unwrap_or_default(), advice.unwrap_or_default());
        rust.push_str(&format!(
            "Said {{ kind: {kind:?}, word: {word:?}, tier: {tier}, told: &{told:?}, example: {example:?}, advice: {advice:?} }},\n"
        ));
    }
    Ok(rust)
}

/// The variables of the table, each with its meaning and its default.
fn variables_of(page: &str) -> String {
    let mut rust = String::new();
    for row in page.lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let [_, names, default, meaning, _] = *cells else {
            continue;
        };
        let (meaning, default) = (without_links(meaning), default.replace('`', ""));
        let told = match &*default {
            "" => vec![meaning],
            default => vec![meaning, format!("Without it: {default}.")],
        };
        for name in names.split('`').skip(1).step_by(2) {
            rust.push_str(&format!(
                "Said {{ kind: \"variable\", word: {name:?}, tier: 2, told: &{told:?}, example: \"\", advice: \"`attest doctor` shows what is in force here, and who says so.\" }},\n"
            ));
        }
    }
    rust
}

/// The text of a line of Markdown, of each link what is shown.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let (shown, behind) = link.split_once("](").unwrap_or((link, ""));
        plain.push_str(before);
        plain.push_str(shown);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}
