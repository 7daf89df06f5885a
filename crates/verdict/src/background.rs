//! Commands that an agent began and that have not ended: what they may still write is not disproved.

use attest_evidence::Untrusted;
use attest_shell::Place;
use attest_transcript::places_of;

use crate::reason::cut;

/// Characters of a command that a reason quotes.
const MOST_QUOTED: usize = 80;

/// Whether the command may write a file of this name. One that only waits writes none.
pub(crate) fn may_write(command: &str, claimed: &str) -> bool {
    let last = |path: &str| {
        let path = path.trim_end_matches(['/', '\\']);
        let name = path.rsplit(['/', '\\']).next();
        name.unwrap_or(path).to_lowercase()
    };
    let places = places_of(command, ".");
    let mut found = places.found().iter();
    command.trim().is_empty()
        || !places.is_complete()
        || found.any(|place| match place {
            Place::Exact(path) => last(path) == last(claimed),
            Place::Around(_) | Place::Moved { .. } | Place::Brought => true,
            Place::Removed(_) | Place::Staged(_) | Place::Program { .. } | Place::Elsewhere(_) => {
                false
            }
        })
}

/// A command as a reason quotes it, safe to print.
#[must_use]
pub fn quoted_command(command: &str) -> String {
    cut(Untrusted::new(command).to_string(), MOST_QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_write_what_it_names_and_whatever_is_not_known_of_it() {
        for (command, path, may) in [
            ("sleep 9 && echo x > made.py", "src/made.py", true),
            ("sleep 9 && echo x > made.py", "src/other.py", false),
            ("sleep 9", "made.py", false),
            ("./generate.sh", "made.py", true),
            ("npm run build", "dist/a.js", true),
            ("", "made.py", true),
        ] {
            assert_eq!(may_write(command, path), may, "{command} {path}");
        }
    }

    #[test]
    fn a_long_command_is_cut() {
        assert_eq!(quoted_command("make all"), "make all");
        assert_eq!(
            quoted_command(&"x".repeat(200)).chars().count(),
            MOST_QUOTED + 1
        );
    }
}
