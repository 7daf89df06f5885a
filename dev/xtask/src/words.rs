//! The tables of words in the documents, from the pages of `attest explain`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

/// Stands above a table, with the kind of its words.
const MARK: &str = "<!-- words: ";

/// Writes the tables of words in the documents anew
#[derive(Debug, Args)]
pub(crate) struct WordsArgs {
    /// The documents
    #[arg(default_values = ["docs/DESIGN.md"])]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &WordsArgs) -> Result<(), Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let asked = [
        "run", "--quiet", "-p", "attest", "--", "explain", "--list", "--json",
    ];
    let output = Command::new(cargo).args(asked).current_dir(top).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)).into());
    }
    let pages: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    for file in &args.files {
        let path = top.join(file);
        let text = fs::read_to_string(&path)?;
        fs::write(&path, with_tables(&text, &pages))?;
    }
    Ok(())
}

/// The text with each table below a mark made anew.
fn with_tables(text: &str, pages: &[Value]) -> String {
    let mut made = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        made.push_str(line);
        made.push('\n');
        let kind = line
            .strip_prefix(MARK)
            .and_then(|it| it.strip_suffix(" -->"));
        if let Some(kind) = kind {
            while lines
                .next_if(|it| it.starts_with('|') || it.is_empty())
                .is_some()
            {}
            made.push_str(&table(kind, pages));
        }
    }
    made
}

fn table(kind: &str, pages: &[Value]) -> String {
    let of_kind = pages.iter().filter(|page| page["kind"] == kind);
    let rows = of_kind.map(|page| {
        let cell = |field: &str| page[field].as_str().unwrap_or_default().replace('|', "\\|");
        let (word, meaning, more) = (cell("word"), cell("meaning"), cell("more"));
        format!("| `{word}` | {meaning} | {more} |\n")
    });
    let head = "\n| word | meaning | more |\n|---|---|---|\n";
    format!("{head}{}\n", rows.collect::<String>())
}
