//! What the program can say, as one list to read: each text of its sources that has two words, and what is said of its
//! commands in their help.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::lines::{collect, product};

/// Print each sentence that a command or a hook can say, with its file
#[derive(Debug, clap::Args)]
pub(crate) struct SentencesArgs {
    /// The folder that has the crates
    #[arg(default_value = "crates")]
    crates: PathBuf,
}

pub(crate) fn run(args: &SentencesArgs) -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    collect(&args.crates, &mut files)?;
    let mut out = io::stdout().lock();
    for file in files {
        let source = fs::read_to_string(&file)?;
        let said = texts(&product(&source));
        let said = said.into_iter().filter(|text| is_said(text));
        print(&mut out, &file, said.chain(help(&source)))?;
    }
    Ok(())
}

fn print(out: &mut impl Write, file: &Path, said: impl Iterator<Item = String>) -> io::Result<()> {
    let mut is_named = false;
    for text in said {
        if !is_named {
            writeln!(out, "\n{}", file.display())?;
            is_named = true;
        }
        writeln!(out, "  {text}")?;
    }
    Ok(())
}

/// Whether people read it: two words, and no query of a database.
fn is_said(text: &str) -> bool {
    let words = text.split_whitespace();
    let words = words.filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let is_query = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "PRAGMA", "FROM", "WHERE", "ORDER",
    ]
    .iter()
    .any(|word| text.split_whitespace().any(|it| it == *word));
    words.count() > 1 && !is_query
}

/// The texts of a source without comments and tests.
fn texts(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, after) = rest.split_at(at);
        let after_mark = after.get(1..).unwrap_or_default();
        if after.starts_with('\'') {
            // The letter of a quote, which begins no text.
            let skipped = ["\"'", "\\\"'", "\\''", "\\\\'"].into_iter();
            let skipped = skipped.filter_map(|letter| after_mark.strip_prefix(letter));
            rest = skipped.into_iter().next().unwrap_or(after_mark);
            continue;
        }
        let hashes = before
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'#')
            .count();
        let is_raw = before.trim_end_matches('#').ends_with('r') && before.ends_with(['#', 'r']);
        let end = if is_raw {
            after_mark.find(&format!("\"{}", "#".repeat(hashes)))
        } else {
            plain_end(after_mark)
        };
        let Some(end) = end else { break };
        texts.push(in_one_line(after_mark.get(..end).unwrap_or_default()));
        rest = after_mark.get(end + 1..).unwrap_or_default();
    }
    texts
}

/// Where a text ends that is not raw.
fn plain_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let is_end = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end.then_some(at)
    })
}

/// As it is read: what a backslash at the end of a line joins is one line.
fn in_one_line(text: &str) -> String {
    let joined = text.replace("\\\n", " ").replace("\\n", " ");
    joined.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a source says in help: of a command, of its options, and of the words that they take.
fn help(source: &str) -> Vec<String> {
    let mut said = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut is_of_help = false;
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            paragraph.push(text.trim());
            continue;
        }
        is_of_help = match line {
            "}" => false,
            _ if line.contains("derive(") => ["Args", "ValueEnum", "Parser", "Subcommand"]
                .iter()
                .any(|it| line.contains(it)),
            _ => is_of_help,
        };
        let text = std::mem::take(&mut paragraph).join(" ");
        said.extend((is_of_help && !text.is_empty()).then_some(text));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_found_and_no_comment() {
        let source = "//! A file of it.\nuse a;\n\nfn one() {\n    // It says \"what is\" here.\n    \
                      say(\"one \\\"two\\\" \\\n        three\", '\"', r#\"raw \"text\" too\"#);\n}\n\n\
                      #[cfg(test)]\nmod tests {\n    fn b() {\n        say(\"not this one\");\n    }\n}\n";
        assert_eq!(
            texts(&product(source)),
            ["one \\\"two\\\" three", "raw \"text\" too"]
        );
        assert!(is_said("two words") && !is_said("word") && !is_said("SELECT a FROM b"));
    }

    #[test]
    fn help_is_what_stands_above_commands_and_options() {
        let source = "/// Do it\n#[derive(Debug, Args)]\npub struct DoArgs {\n    /// How often,\n    /// at most\n    \
                      #[arg(long)]\n    n: u8,\n}\n\n/// Nobody reads this.\nfn a() {}\n";
        assert_eq!(help(source), ["Do it", "How often, at most"]);
    }
}
