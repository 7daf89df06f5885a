//! Turns `programs.txt` into one text in the order of its bytes, and where the parts of each line are in it, so that a
//! look-up costs no start-up, and reads no more than it asks for.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "cargo is spoken to by printed lines and by variables"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

include!("src/programs/line.rs");

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=programs.txt");
    let text = fs::read_to_string("programs.txt")?;
    let mut programs = BTreeMap::<String, [String; 3]>::new();
    for line in text.lines().filter_map(Line::of) {
        for key in line.keys() {
            // A program may have several lines that say the same words: what they say is all true.
            let known = programs.entry(key).or_default();
            let (apart, says) = match line.does {
                "suggests" => ('\u{1f}', line.example),
                _ => (' ', ""),
            };
            for (known, more) in known.iter_mut().zip([line.does, line.runs, says]) {
                if !known.is_empty() && !more.is_empty() {
                    known.push(apart);
                }
                known.push_str(more);
            }
        }
    }
    let (mut text, mut lines) = (String::new(), String::new());
    // Where the lines end whose program begins with each byte.
    let mut ends = [0; 256];
    for (number, (key, [does, runs, says])) in programs.iter().enumerate() {
        let (program, words) = key.split_once(' ').unwrap_or((key, ""));
        if let Some(first) = program.bytes().next() {
            ends[usize::from(first)..].fill(number + 1);
        }
        let mut at = [text.len(); 6];
        for (end, part) in (1..).zip([program, words, does, runs, says]) {
            text.push_str(part);
            at[end] = text.len();
        }
        lines.push_str(&format!("At({at:?}),\n"));
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("programs"), text)?;
    fs::write(Path::new(&out).join("lines"), format!("&[\n{lines}]"))?;
    fs::write(Path::new(&out).join("ends"), format!("{ends:?}"))?;
    Ok(())
}
