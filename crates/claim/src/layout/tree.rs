//! A fenced block right below a files key: a list of files, a drawn tree, or what git printed.

use crate::item::{self, MAX_ENTRIES, Place};
use crate::layout::{json, put_into};
use crate::{Entry, Meaning, Operation, Unresolvable};

/// How deeply the folders of a drawn tree may be nested.
const MAX_TREE_DEPTH: usize = 32;

/// Reads the block.
pub(crate) fn read(content: &str, operation: Operation) -> Vec<Entry> {
    if let Some(entries) = json::list(content, operation) {
        return entries;
    }
    let lines: Vec<_> = content
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty() && !is_label(line.trim()))
        .take(MAX_ENTRIES + 1)
        .collect();
    let is_tree = lines.iter().any(|line| drawing(line) > 0);
    let mut found = if is_tree {
        tree(&lines, operation)
    } else {
        list(&lines, operation)
    };
    // In other text, a name on its own may be part of an example.
    let names = |entry: &&Entry| matches!(entry.meaning, Meaning::Paths(_));
    let is_mixed = 2 * found.iter().filter(names).count() < lines.len() && !is_tree;
    if is_mixed {
        item::put_below(&mut found, content.lines().next().unwrap_or_default());
    }
    found.retain(|entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose));
    found
}

/// A comment, a command, or the summary that git prints below its list.
fn is_label(text: &str) -> bool {
    text.starts_with(['#', '$']) || is_summary(text)
}

fn list(lines: &[&str], operation: Operation) -> Vec<Entry> {
    let texts = lines
        .iter()
        .map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim_start());
    texts.flat_map(|text| of_line(text, operation)).collect()
}

/// Reads a line that names one file; what follows it is a remark about it, and no other name.
fn of_line(text: &str, operation: Operation) -> Vec<Entry> {
    let mut found = item::read(text, operation, Place::Item);
    let is_open = |entry: &Entry| !entry.is_sure() && matches!(entry.meaning, Meaning::Paths(_));
    if !found.iter().all(is_open) {
        found.retain(|entry| !is_open(entry));
    }
    found
}

/// "2 files changed, 10 insertions(+), 3 deletions(-)"
fn is_summary(text: &str) -> bool {
    text.contains("changed,") && (text.contains("insertion") || text.contains("deletion"))
        || text.ends_with("changed") && text.starts_with(|c: char| c.is_ascii_digit())
}

/// How many characters before the name draw the tree, if any.
fn drawing(line: &str) -> usize {
    const LINES: &[char] = &[
        '│', '├', '└', '─', '┬', '╰', '╭', '|', '`', '-', '+', ' ', '\t', '\u{a0}',
    ];
    let name = line.trim_start_matches(LINES);
    let drawn = &line[..line.len() - name.len()];
    if drawn.contains(['├', '└', '╰'])
        || drawn.contains("`--")
        || drawn.contains("+--")
        || drawn.contains("|-")
    {
        drawn.chars().count()
    } else {
        0
    }
}

fn tree(lines: &[&str], operation: Operation) -> Vec<Entry> {
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let depth = drawing(line);
        let text = name_of(line);
        let next = lines.get(at + 1).map_or(0, |line| drawing(line));
        above.retain(|(other, _)| *other < depth);
        let name = text.split_whitespace().next().unwrap_or_default();
        if name.ends_with('/') || next > depth {
            let folder = name.trim_matches(['/', '`', '*', ':']);
            if !matches!(folder, "" | ".") && above.len() < MAX_TREE_DEPTH {
                above.push((depth, folder.to_owned()));
            }
            continue;
        }
        // The topmost may be the name of the project.
        let folders: Vec<_> = above.iter().map(|(_, folder)| folder.as_str()).collect();
        let skipped = (0..folders.len().min(2)).rev();
        let folders: Vec<_> = skipped
            .map(|skipped| folders[skipped..].join("/"))
            .collect();
        let mut entries = of_line(text, operation);
        put_into(&mut entries, &folders);
        found.extend(entries);
    }
    found
}

fn name_of(line: &str) -> &str {
    let end = line
        .char_indices()
        .nth(drawing(line))
        .map_or(line.len(), |(at, _)| at);
    line[end..].trim()
}
