//! Shell scripts that the agent ran: what they do can be read like its commands, one deep, if what is read is certainly
//! what ran.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use attest_shell::{Place, programs};
use attest_snapshot::{Limits, WorkTree, canonical, read_regular_whole};
use attest_transcript::{Call, CallKind, Outcome, ToolCalls, places_of};
use jiff::Timestamp;

/// The largest script that is read, in bytes.
const MOST_BYTES: u64 = 64 * 1024;
/// Scripts that are read.
const MOST_SCRIPTS: usize = 20;

/// Where all programs may have written that the calls do not tell of; `None` if one of them is not read to its end.
/// `all_of` gives the places that a path of a call may mean: which of them ran is not known, so all have to be read.
pub(super) fn read(
    all_of: impl Fn(&str) -> std::vec::IntoIter<PathBuf>,
    tool_calls: &ToolCalls,
    start: &WorkTree,
    limits: &Limits,
) -> Option<Vec<Place>> {
    let programs = tool_calls.programs();
    if programs.is_empty() || programs.len() > MOST_SCRIPTS {
        return None;
    }
    let mut all = Vec::new();
    for (ran, program) in programs {
        for place in all_of(program.path) {
            limits.may_look(&place).ok()?;
            let script = Script::at(&place)?;
            let is_written = || {
                let last = last_writer(&script.place, &tool_calls.calls, &all_of);
                last.is_some_and(|(at, call)| at < ran && script.is_as(call, start))
            };
            let is_known = script.is_of_start(start) || is_written();
            if !is_known || !is_of_a_shell(&script.place, &script.text) {
                return None;
            }
            let places = places_of(&script.text, program.folder);
            all.extend_from_slice(places.complete().ok()?);
        }
    }
    Some(all)
}

/// The last of the calls that has written a file, or may have, if it is among the last that wrote one of its name.
fn last_writer<'c>(
    place: &Path,
    calls: &'c [Call],
    all_of: impl Fn(&str) -> std::vec::IntoIter<PathBuf>,
) -> Option<(usize, &'c Call)> {
    let has_name = |path: &str| Path::new(path).file_name() == place.file_name();
    let is_it = |path: &str| all_of(path).any(|it| canonical(&it).is_ok_and(|it| it == place));
    let calls = calls.iter().enumerate().rev();
    let named = calls.filter(|(_, call)| writes(call).is_some_and(has_name));
    let mut named = named.take(MOST_SCRIPTS);
    named.find(|(_, call)| writes(call).is_some_and(is_it))
}

/// The file that a call has written, or may have.
fn writes(call: &Call) -> Option<&str> {
    let is_writer = call.kind == CallKind::Write && call.result != Outcome::Error;
    call.path.as_deref().filter(|_| is_writer)
}

/// A script as it is on the disk.
struct Script {
    place: PathBuf,
    text: String,
    metadata: Metadata,
}

impl Script {
    fn at(place: &Path) -> Option<Self> {
        let place = canonical(place).ok()?;
        let (bytes, metadata) = read_regular_whole(&place, MOST_BYTES).ok()??;
        let text = String::from_utf8(bytes).ok()?;
        Some(Self {
            place,
            text,
            metadata,
        })
    }

    /// Whether it is one of the work tree, and as it was when the agent began.
    fn is_of_start(&self, start: &WorkTree) -> bool {
        self.place.starts_with(&start.root) && start.is_older(&self.metadata)
    }

    /// Whether it is what a call has written, and was not written since.
    fn is_as(&self, call: &Call, start: &WorkTree) -> bool {
        let at = call
            .at
            .as_deref()
            .and_then(|at| at.parse::<Timestamp>().ok());
        let is_dated =
            |at: Timestamp| start.is_dated_by(&self.place, &self.metadata, at.as_nanosecond());
        call.result == Outcome::Ok
            && call.content().is_some_and(|content| content == self.text)
            && at.is_some_and(is_dated)
    }
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
