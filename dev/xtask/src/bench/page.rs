//! docs/PERFORMANCE.md, of which each chore writes its own part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The part of the hooks, with which the page begins.
pub(crate) const HOOKS: &str = "# Performance";
/// The part of the commands that show the history.
pub(crate) const HISTORY: &str = "## The commands that show the history";

const PARTS: [&str; 2] = [HOOKS, HISTORY];

/// Writes the text below a heading.
pub(crate) fn replace(heading: &str, text: &str) -> io::Result<()> {
    let path = path();
    let page = fs::read_to_string(&path)?;
    fs::write(path, replaced(&page, heading, text))
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PERFORMANCE.md")
}

fn replaced(page: &str, heading: &str, text: &str) -> String {
    let parts = PARTS.map(|part| {
        let own = if part == heading {
            text
        } else {
            below(page, part)
        };
        format!("{part}\n\n{}\n", own.trim())
    });
    parts.join("\n")
}

/// What stands between a heading and that of the next part.
pub(super) fn below<'a>(page: &'a str, heading: &str) -> &'a str {
    let mut from = page.split_once(heading).map_or("", |(_, rest)| rest);
    for part in PARTS.iter().filter(|part| **part != heading) {
        from = from.split_once(part).map_or(from, |(own, _)| own);
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_leaves_the_other_as_it_is() {
        let page = replaced("", HOOKS, "of hooks\n");
        let page = replaced(&page, HISTORY, "of the history");
        let expected = format!("{HOOKS}\n\nof hooks\n\n{HISTORY}\n\nof the history\n");
        assert_eq!(page, expected);
        let page = replaced(&page, HOOKS, "newer");
        assert_eq!(page, expected.replace("of hooks", "newer"));
    }
}
