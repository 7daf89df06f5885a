//! A unified diff of a settings file, for `--dry-run`.

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{ChangeTag, DiffOp};

use attest_snapshot::escaped;

use crate::ui::{ADDED, REMOVED, counted, styled};

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Lines of a difference, and characters of a line, that are shown at most.
const MOST_LINES: usize = 10_000;
const MOST_CHARS: usize = 1000;

/// The change from `old` to `new` as a unified diff in colour; the stream strips the colour where
/// it does not belong. `None` stands for no file.
#[must_use]
pub fn unified(name: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let name = escaped(name.as_bytes());
    let label = |bytes: Option<&[u8]>| if bytes.is_some() { &*name } else { "/dev/null" };
    let (old_text, new_text) = (text(old), text(new));
    let old_lines: Vec<_> = old_text.split_inclusive('\n').collect();
    let new_lines: Vec<_> = new_text.split_inclusive('\n').collect();
    let mut lines = vec![format!("--- {}", label(old)), format!("+++ {}", label(new))];
    for hunk in hunks(&old_lines, &new_lines) {
        lines.push(UnifiedHunkHeader::new(&hunk).to_string());
        let changes = hunk
            .iter()
            .flat_map(|operation| operation.iter_changes(&old_lines[..], &new_lines[..]));
        for change in changes {
            let line = shown(change.value().trim_end_matches('\n'));
            lines.push(match change.tag() {
                ChangeTag::Equal => format!(" {line}"),
                ChangeTag::Insert => styled(ADDED, format_args!("+{line}")),
                ChangeTag::Delete => styled(REMOVED, format_args!("-{line}")),
            });
            if !change.value().ends_with('\n') {
                lines.push("\\ No newline at end of file".to_owned());
            }
        }
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push(format!("... and {}", counted(more, "more line")));
    }
    lines.join("\n") + "\n"
}

/// A line as it may be printed: what is in a file may be somebody else's. A tab is one, and what ends the line.
fn shown(line: &str) -> String {
    let (line, end) = match line.strip_suffix('\r') {
        Some(line) => (line, "\r"),
        None => (line, ""),
    };
    let (line, cut) = match line.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => (line.get(..at).unwrap_or_default(), " ..."),
        None => (line, ""),
    };
    let parts = line.split('\t').map(|part| escaped(part.as_bytes()));
    parts.collect::<Vec<_>>().join("\t") + cut + end
}

/// What changes, with its context. One algorithm by its name: a choice of them, as `TextDiff` has it,
/// is half a megabyte of program.
fn hunks(old: &[&str], new: &[&str]) -> Vec<Vec<DiffOp>> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let (all_old, all_new) = (0..old.len(), 0..new.len());
    let Ok(()) = myers::diff_deadline_raw(&mut operations, old, all_old, new, all_new, None);
    operations
        .into_inner()
        .into_inner()
        .into_grouped_ops(CONTEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_and_what_belongs_in_a_file_stays() {
        let shown = unified(
            "f",
            Some(b"a\r\n"),
            Some("a\r\n\t\u{202e}\u{9b}31m\u{1b}[8m\r\n".as_bytes()),
        );
        assert!(
            shown.contains("+\t\\u{202e}\\u{9b}31m\\u{1b}[8m\r"),
            "{shown:?}"
        );
        assert!(shown.contains(" a\r\n"), "{shown:?}");
    }

    #[test]
    fn a_difference_has_an_end() {
        let new = "x".repeat(1 << 20) + &"\n".repeat(1 << 16);
        assert!(unified("f", None, Some(new.as_bytes())).len() < 200_000);
    }
}
