//! A fenced block right below a files key: a list of files, a drawn tree, or what git printed.

use crate::item::{self, ItemPlace, MAX_ENTRIES};
use crate::layout::{json, put_into};
use crate::path::is_sure;
use crate::{Entry, Meaning, Operation, Unresolvable};

/// How deeply the folders of a drawn tree may be nested.
const MAX_TREE_DEPTH: usize = 32;

/// Reads the block.
pub(crate) fn read(content: &str, operation: Operation) -> Vec<Entry> {
    if let Some(entries) = json::list(content, operation) {
        return entries;
    }
    let lines = content.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.trim().is_empty() && !is_label(line.trim()));
    let lines: Vec<_> = lines.take(MAX_ENTRIES + 1).map(drawn).collect();
    let is_tree = lines.iter().any(|(depth, _)| *depth > 0);
    let mut found = if is_tree {
        tree(&lines, operation)
    } else {
        let texts = lines
            .iter()
            .map(|(_, line)| line.trim_start_matches(['-', '*', '•', ' ']));
        texts.flat_map(|text| of_line(text, operation)).collect()
    };
    // In other text, a name on its own may be part of an example.
    let names = |entry: &&Entry| matches!(entry.meaning, Meaning::Paths(_));
    let is_mixed = 2 * found.iter().filter(names).count() < lines.len() && !is_tree;
    item::put_below(&mut found, content.lines().next().filter(|_| is_mixed));
    found.retain(|entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose));
    found
}

/// Reads a line that names one file; what follows it is a remark about it, and no other name.
fn of_line(text: &str, operation: Operation) -> Vec<Entry> {
    let mut found = item::read(text, operation, ItemPlace::Item);
    let is_open = |entry: &Entry| matches!(&entry.meaning, Meaning::Paths(all) if !is_sure(all));
    if !found.iter().all(is_open) {
        found.retain(|entry| !is_open(entry));
    }
    found
}

/// A comment, a command, or what git prints below its list: "2 files changed, 10 insertions(+), 3 deletions(-)"
fn is_label(text: &str) -> bool {
    text.starts_with(['#', '$'])
        || text.contains("changed,") && (text.contains("insertion") || text.contains("deletion"))
        || text.ends_with("changed") && text.starts_with(|c: char| c.is_ascii_digit())
}

/// How many characters draw the tree in front of a name, if any, and the name.
fn drawn(line: &str) -> (usize, &str) {
    const LINES: &[char] = &[
        '│', '├', '└', '─', '┬', '╰', '╭', '|', '`', '-', '+', ' ', '\t', '\u{a0}',
    ];
    const BRANCHES: [&str; 6] = ["├", "└", "╰", "`--", "+--", "|-"];
    let name = line.trim_start_matches(LINES);
    let drawing = &line[..line.len() - name.len()];
    if BRANCHES.iter().any(|branch| drawing.contains(branch)) {
        (drawing.chars().count(), name.trim())
    } else {
        (0, line.trim())
    }
}

fn tree(lines: &[(usize, &str)], operation: Operation) -> Vec<Entry> {
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for (at, (depth, text)) in lines.iter().enumerate() {
        let next = lines.get(at + 1).map_or(0, |(depth, _)| *depth);
        above.retain(|(other, _)| other < depth);
        let name = text.split_whitespace().next().unwrap_or_default();
        if name.ends_with('/') || next > *depth {
            let folder = name.trim_matches(['/', '`', '*', ':']);
            if !matches!(folder, "" | ".") && above.len() < MAX_TREE_DEPTH {
                above.push((*depth, folder));
            }
            continue;
        }
        // The topmost may be the name of the project.
        let folders: Vec<_> = above.iter().map(|(_, folder)| *folder).collect();
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
