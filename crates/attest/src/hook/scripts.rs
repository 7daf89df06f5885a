//! Shell scripts of the work tree that the agent ran: what they do can be read like its commands, one deep.

use std::path::{Path, PathBuf};

use attest_shell::programs;
use attest_snapshot::{Limits, WorkTree, canonical, read_regular_whole};
use attest_transcript::{Place, Written, places_of_script};

/// The largest script that is read, in bytes.
const MOST_BYTES: u64 = 64 * 1024;
/// Scripts that are read.
const MOST_SCRIPTS: usize = 20;

/// Where all programs may have written that the calls do not tell of; `None` if one of them is not read to its end.
/// `all_of` gives the places that a path of a call may mean: which of them ran is not known, so all have to be read.
pub(super) fn read(
    all_of: impl Fn(&str) -> std::vec::IntoIter<PathBuf>,
    written: &[Written<'_>],
    start: &WorkTree,
    limits: &Limits,
) -> Option<Vec<Place>> {
    let programs = written.iter().filter_map(|written| match written {
        Written::Place(Place::Program { path, folder }) => Some((path, folder)),
        _ => None,
    });
    let programs: Vec<_> = programs.collect();
    if programs.is_empty() || programs.len() > MOST_SCRIPTS {
        return None;
    }
    let mut all = Vec::new();
    for (path, folder) in programs {
        for place in all_of(path) {
            limits.may_look(&place).ok()?;
            let text = text_of(&place, start)?;
            let places = places_of_script(&text, folder);
            all.extend_from_slice(places.complete().ok()?);
        }
    }
    Some(all)
}

/// What a script says that is as it was when the agent began, so that this is what ran.
fn text_of(place: &Path, start: &WorkTree) -> Option<String> {
    let place = canonical(place).ok()?;
    if !place.starts_with(&start.root) {
        return None;
    }
    let (bytes, metadata) = read_regular_whole(&place, MOST_BYTES).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    (start.is_older(&metadata) && is_of_a_shell(&place, &text)).then_some(text)
}

/// Whether its first line names a shell, or, without such a line, its own name does.
fn is_of_a_shell(place: &Path, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    match first.strip_prefix("#!") {
        Some(program) => {
            let mut words = program.split_whitespace();
            let named = words.find(|word| !word.ends_with("/env") && !word.starts_with('-'));
            let name = named.and_then(|named| named.rsplit('/').next());
            name.is_some_and(is_shell)
        }
        None => place
            .extension()
            .and_then(|it| it.to_str())
            .is_some_and(is_shell),
    }
}

fn is_shell(name: &str) -> bool {
    programs::of(name).is_some_and(|program| program.is("shell"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_a_shell_says_so() {
        for (name, text, is_one) in [
            ("x.sh", "touch a", true),
            ("x", "#!/bin/bash\ntouch a", true),
            ("x", "#!/usr/bin/env -S bash -e\ntouch a", true),
            ("x.sh", "#!/usr/bin/env python3\n", false),
            ("x.py", "open('a')", false),
            ("x", "touch a", false),
        ] {
            assert_eq!(
                is_of_a_shell(Path::new(name), text),
                is_one,
                "{name} {text}"
            );
        }
    }
}
