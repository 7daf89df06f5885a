//! A patch in an envelope of its own, as the tool `apply_patch` takes it: it names the files that it changes, whatever
//! the tool that is given it.

/// The line that it begins with.
const BEGIN: &str = "*** Begin Patch";
/// The lines that name a file that is written. A moved one is written under its new name.
const WRITES: [&str; 3] = ["*** Add File: ", "*** Update File: ", MOVE];
const MOVE: &str = "*** Move to: ";
const REMOVES: &str = "*** Delete File: ";
/// The commands that apply one.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

/// A file that a patch names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file, as the patch has it.
    pub path: String,
    /// Whether it is removed, and not written.
    pub is_removed: bool,
}

/// Whether a text may have a patch in it.
#[must_use]
pub fn may_be_in(text: &str) -> bool {
    text.contains(BEGIN)
}

/// The files that a patch names; none if the text is no patch.
#[must_use]
pub fn targets(text: &str) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    let is_patch = text.trim_start().starts_with(BEGIN);
    for line in text.lines().filter(|_| is_patch) {
        // The line of a move follows the one with the old name.
        if line.starts_with(MOVE)
            && let Some(last) = targets.last_mut()
        {
            last.is_removed = true;
        }
        let written = WRITES.iter().find_map(|start| line.strip_prefix(start));
        if let Some(path) = written.or_else(|| line.strip_prefix(REMOVES)) {
            targets.push(Target {
                path: path.trim_end().to_owned(),
                is_removed: written.is_none(),
            });
        }
    }
    targets
}

/// The same of a command that only applies one, which is among its words or comes in.
pub(crate) fn applied<'t>(program: &str, texts: impl IntoIterator<Item = &'t str>) -> Vec<Target> {
    if !PROGRAMS.contains(&program) {
        return Vec::new();
    }
    let mut found = texts.into_iter().map(targets);
    found.find(|it| !it.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_applies_a_patch_touches_what_it_names() {
        let patch = "*** Begin Patch\n*** Update File: old.py\n*** Move to: new.py\n-x\n+*** Add File: no\n\
                     *** Delete File: c.py\n*** End Patch";
        let expected = [("old.py", true), ("new.py", false), ("c.py", true)];
        let expected = expected.map(|(path, is_removed)| Target {
            path: path.to_owned(),
            is_removed,
        });
        assert_eq!(applied("apply_patch", [patch]), expected);
        assert_eq!(applied("cat", [patch]), []);
        assert_eq!(
            targets("Send this:\n*** Begin Patch\n*** Add File: a.py"),
            []
        );
    }
}
