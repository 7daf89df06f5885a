//! How long the product is: lines of its crates that are neither blank, nor comments, nor tests.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Folders and files of a crate that have no product.
const NO_PRODUCT: [&str; 4] = ["tests", "tests.rs", "benches", "examples"];

/// Print how many lines each crate has, and its largest rooms, without blanks, comments and tests
#[derive(Debug, clap::Args)]
pub(crate) struct LinesArgs {
    /// How many of the largest rooms are listed: a folder of sources with the file of its name beside it
    #[arg(long, default_value_t = 20)]
    rooms: usize,
    /// The folder that has the crates
    #[arg(default_value = "crates")]
    crates: PathBuf,
}

/// What was counted below one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    files: usize,
    lines: usize,
}

pub(crate) fn run(args: &LinesArgs) -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    collect(&args.crates, &mut files)?;
    let mut crates: BTreeMap<String, Count> = BTreeMap::new();
    let mut rooms: BTreeMap<String, Count> = BTreeMap::new();
    let mut all = Count::default();
    for file in files {
        let lines = product(&fs::read_to_string(&file)?).lines().count();
        let below = file.strip_prefix(&args.crates)?;
        let name = below.iter().next().unwrap_or_default().to_string_lossy();
        let counts = [
            crates.entry(name.into_owned()).or_default(),
            rooms.entry(room(&args.crates, below)).or_default(),
            &mut all,
        ];
        for count in counts {
            count.files += 1;
            count.lines += lines;
        }
    }
    let mut out = io::stdout().lock();
    table(&mut out, "crate", largest_first(crates))?;
    writeln!(out, "{:>7} {:>5}  together\n", all.lines, all.files)?;
    let rooms = largest_first(rooms).into_iter().take(args.rooms).collect();
    table(&mut out, "room", rooms)?;
    Ok(())
}

fn largest_first(counts: BTreeMap<String, Count>) -> Vec<(String, Count)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(count.lines));
    counts
}

fn table(out: &mut impl Write, of: &str, rows: Vec<(String, Count)>) -> io::Result<()> {
    writeln!(out, "{:>7} {:>5}  {of}", "lines", "files")?;
    for (name, Count { files, lines }) in rows {
        writeln!(out, "{lines:>7} {files:>5}  {name}")?;
    }
    Ok(())
}

/// The sources of the product below a folder.
pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name();
        if NO_PRODUCT.iter().any(|it| name == *it) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The folder that a file stands in; a file with a folder of its name beside it belongs to that.
fn room(crates: &Path, file: &Path) -> String {
    let own = file.with_extension("");
    let folder = file.parent().unwrap_or(file);
    let room = if crates.join(&own).is_dir() {
        &own
    } else {
        folder
    };
    room.to_string_lossy().replace('\\', "/")
}

/// The lines of a source that are neither blank, nor comments, nor tests, as rustfmt lays it out: what a test module has
/// ends at a brace that nothing is before.
pub(crate) fn product(text: &str) -> String {
    let mut product = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("#[cfg(test)]") {
            let item = lines.by_ref().find(|line| !line.starts_with("#["));
            if item.is_some_and(|item| item.ends_with('{')) {
                lines.by_ref().find(|line| *line == "}");
            }
            continue;
        }
        let start = line.trim_start();
        if !start.is_empty() && !start.starts_with("//") {
            product.push_str(line);
            product.push('\n');
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_tests_are_no_product() {
        let text = "//! Of it.\n\nuse a::b;\n\n/// One.\nfn one() {\n    // Why.\n    two(); // As well.\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    fn three() {\n    }\n}\n#[cfg(test)]\n#[path = \"x\"]\nmod more;\nconst A: u8 = 1;\n";
        assert_eq!(product(text).lines().count(), 5);
        assert_eq!(product(""), "");
    }
}
