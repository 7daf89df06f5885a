//! The versions of the real host that are tested, and where they are installed.

use std::path::{Path, PathBuf};

/// The versions that a list names, one a line; lines that begin with `#` are remarks.
#[must_use]
pub fn versions(list: &str) -> Vec<String> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Whether `version` is `first` or a later one, number by number.
#[must_use]
pub fn is_since(version: &str, first: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let parts = text.split('.');
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    numbers(version) >= numbers(first)
}

/// The program of a version that was installed by npm into a folder of that name below `folder`.
///
/// The native program lies in the package for the platform.
#[must_use]
pub fn program(folder: &Path, version: &str) -> Option<PathBuf> {
    let modules = folder.join(version).join("node_modules");
    // Before 2.1 there is no native one, and npm links to the script that node runs.
    let script = modules.join(".bin/claude");
    let packages = modules.join("@anthropic-ai");
    let name = format!("claude{}", std::env::consts::EXE_SUFFIX);
    std::fs::read_dir(packages)
        .ok()?
        .filter_map(Result::ok)
        .map(|package| package.path().join(&name))
        .find(|program| program.is_file())
        .or_else(|| Some(script).filter(|script| script.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_empty_lines_are_no_versions() {
        assert_eq!(
            versions("# why\n2.1.329\n\n2.1.170\n"),
            ["2.1.329", "2.1.170"]
        );
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert!(is_since("2.1.139", "2.1.139"));
        assert!(is_since("2.1.330", "2.1.139"));
        assert!(is_since("3.0.0", "2.1.139"));
        assert!(!is_since("2.1.99", "2.1.139"));
    }

    #[test]
    fn the_program_is_found_in_the_package_that_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let packages = folder.path().join("1.0/node_modules/@anthropic-ai");
        for package in ["claude-code", "claude-code-here"] {
            std::fs::create_dir_all(packages.join(package)).unwrap();
        }
        assert_eq!(program(folder.path(), "1.0"), None);
        let name = format!("claude-code-here/claude{}", std::env::consts::EXE_SUFFIX);
        std::fs::write(packages.join(&name), "").unwrap();
        assert_eq!(program(folder.path(), "1.0"), Some(packages.join(name)));
        assert_eq!(program(folder.path(), "2.0"), None);
    }
}
