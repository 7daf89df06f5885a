//! The page of words in the documents, from the pages of `attest explain`.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use clap::Args;
use serde_json::Value;

const HEAD: &str = "\
# Words

Each word that attest prints, with what it means and what to do. `attest explain WORD` says the same, with an example.
`cargo xtask words` writes this page from `crates/history/words/`.
";

/// Writes docs/WORDS.md anew
#[derive(Debug, Args)]
pub(crate) struct WordsArgs {}

pub(crate) fn run(_: &WordsArgs) -> Result<(), Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let asked = [
        "run", "--quiet", "-p", "attest", "--", "explain", "--list", "--json",
    ];
    let output = Command::new(cargo).args(asked).current_dir(top).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)).into());
    }
    let mut pages: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    // Their page is that of the settings.
    pages.retain(|page| page["kind"] != "variable");
    Ok(fs::write(top.join("docs/WORDS.md"), page(&pages))?)
}

/// The words to know, and then all of each kind.
fn page(pages: &[Value]) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## To know\n\n| word | meaning |\n|---|---|\n");
    for known in pages.iter().filter(|page| page["tier"] == 1) {
        page.push_str(&row(known, &["meaning"]));
    }
    for of_kind in pages.chunk_by(|one, other| one["kind"] == other["kind"]) {
        let kind = of_kind.first().map(|page| &page["kind"]);
        let kind = kind.and_then(Value::as_str).unwrap_or_default();
        page.push_str(&format!("\n## {kind}\n\n"));
        // Of some kinds the meaning says all.
        let is_long = of_kind.iter().any(|page| page["more"].is_string());
        let (head, fields): (_, &[_]) = if is_long {
            (
                "| word | meaning | more | what to do |\n|---|---|---|---|\n",
                &["meaning", "more", "advice"],
            )
        } else {
            ("| word | meaning |\n|---|---|\n", &["meaning"])
        };
        page.push_str(head);
        for word in of_kind {
            page.push_str(&row(word, fields));
        }
    }
    page
}

fn row(page: &Value, fields: &[&str]) -> String {
    let cell = |field: &str| page[field].as_str().unwrap_or_default().replace('|', "\\|");
    let cells: Vec<String> = fields.iter().map(|field| cell(field)).collect();
    format!("| `{}` | {} |\n", cell("word"), cells.join(" | "))
}
