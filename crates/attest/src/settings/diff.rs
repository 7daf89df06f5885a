//! A unified diff of a settings file, for `--dry-run`.

use similar::{ChangeTag, TextDiff};

use crate::ui::{ADDED, REMOVED, styled};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The change from `old` to `new` as a unified diff in colour; the stream strips the colour where
/// it does not belong. `None` stands for no file.
pub(crate) fn unified(name: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let label = |bytes: Option<&[u8]>| if bytes.is_some() { name } else { "/dev/null" };
    let (old_text, new_text) = (text(old), text(new));
    let diff = TextDiff::from_lines(&old_text, &new_text);
    let mut lines = vec![format!("--- {}", label(old)), format!("+++ {}", label(new))];
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push(hunk.header().to_string());
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches('\n');
            lines.push(match change.tag() {
                ChangeTag::Equal => format!(" {line}"),
                ChangeTag::Insert => styled(ADDED, format_args!("+{line}")),
                ChangeTag::Delete => styled(REMOVED, format_args!("-{line}")),
            });
            if change.missing_newline() {
                lines.push("\\ No newline at end of file".to_owned());
            }
        }
    }
    lines.join("\n") + "\n"
}
