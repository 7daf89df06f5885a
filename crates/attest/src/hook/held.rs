//! Whether texts that a prompt asks for are in files. Nothing of a prompt is run.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use attest_snapshot::{canonical, read_regular_whole};

use super::context::Context;
use attest_base::log::Level;

/// The largest file that is searched for a text, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// What a file in UTF-16 begins with: a text is not found in it byte by byte.
const UTF_16: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// The file that was read last, with its text: several texts of one file are looked for in turn.
#[derive(Default)]
pub(super) struct LastRead(RefCell<Option<(PathBuf, Option<String>)>>);

impl LastRead {
    /// Whether it is a file of the work tree at `root` that certainly does not contain the text. What the budget leaves
    /// out may be there.
    pub(super) fn lacks(&self, context: &Context, root: &Path, path: &Path, text: &str) -> bool {
        let mut last = self.0.borrow_mut();
        if last.as_ref().is_none_or(|(known, _)| known != path) {
            let is_inside = canonical(path).is_ok_and(|path| path.starts_with(root));
            let held = is_inside.then(|| text_of(context, path)).flatten();
            *last = Some((path.to_owned(), held));
        }
        let held = last.as_ref().and_then(|(_, held)| held.as_deref());
        held.is_some_and(|held| {
            let cut = context.limits.budget.take(held.len());
            if let Err(why) = &cut {
                context.log.write(Level::Info, "PROMPT_NOT_HELD", why);
            }
            cut.is_ok() && !says(held, &of_one_style(text))
        })
    }
}

/// Whether the text stands there, its first letter in either case. One that is all marks may stand anywhere.
fn says(held: &str, text: &str) -> bool {
    let mut rest = text.chars();
    let Some(first) = rest.next() else {
        return true;
    };
    let rest = rest.as_str();
    let small: String = first.to_lowercase().chain(rest.chars()).collect();
    let large: String = first.to_uppercase().chain(rest.chars()).collect();
    held.contains(&small) || held.contains(&large)
}

/// A text without what people do not mean by it: where a line breaks, marks of code and the kind of a quote.
fn of_one_style(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().filter(|c| *c != '`').map(|c| match c {
            '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => '"',
            c => c,
        }));
    }
    plain
}

/// The text of a regular file that is not too large and not in UTF-16, in the style in which it is looked for.
fn text_of(context: &Context, path: &Path) -> Option<String> {
    let (bytes, _) = read_regular_whole(path, MAX_BYTES).ok()??;
    context.limits.budget.take(bytes.len()).ok()?;
    let is_text = !UTF_16.iter().any(|mark| bytes.starts_with(mark));
    is_text.then(|| of_one_style(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_marks_alone_is_not_missing() {
        let is_there = |held, text| says(&of_one_style(held), &of_one_style(text));
        assert!(is_there("no mark at all", "`"));
        assert!(is_there("see the\n  guide", "`See` the guide"));
        assert!(!is_there("see the", "See the guide"));
    }
}
