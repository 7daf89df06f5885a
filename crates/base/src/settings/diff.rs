//! A unified diff of a settings file, for `--dry-run`.

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{ChangeTag, DiffOp};

use crate::ui::{ADDED, REMOVED, styled};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The change from `old` to `new` as a unified diff in colour; the stream strips the colour where
/// it does not belong. `None` stands for no file.
#[must_use]
pub fn unified(name: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let label = |bytes: Option<&[u8]>| if bytes.is_some() { name } else { "/dev/null" };
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
            let line = change.value().trim_end_matches('\n');
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
    lines.join("\n") + "\n"
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
