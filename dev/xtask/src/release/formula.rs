//! The Homebrew formula, which builds from the source of a release.

use std::fs;
use std::path::Path;

use super::{Outcome, Release, archive};

const TEMPLATE: &str = include_str!("formula/attest.rb");

/// Stands for the place that the project is published at, until it has one: nobody can own a name that
/// ends so.
pub(crate) const NOWHERE: &str = "https://attest.example/attest";

/// Writes the formula for `source` beside the other files. Where it is committed, `cargo xtask publish` says.
pub(super) fn write(release: &Release, source: &Path) -> Outcome<()> {
    let formula = filled(&release.home, &release.version, &archive::sha256(source)?);
    Ok(fs::write(release.out.join("attest.rb"), formula)?)
}

fn filled(home: &str, version: &str, sha256: &str) -> String {
    TEMPLATE
        .replace("@HOME@", home)
        .replace("@VERSION@", version)
        .replace("@SHA256@", sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody has changed one of the two by hand.
    #[test]
    fn the_formula_of_the_repository_is_the_template() {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Formula/attest.rb");
        let formula = fs::read_to_string(place).unwrap();
        let between = |text: &str, from: &str, to: &str| {
            let (_, rest) = text.split_once(from).unwrap();
            rest.split_once(to).unwrap().0.to_owned()
        };
        let home = between(&formula, "homepage \"", "\"");
        let version = between(&formula, "/download/v", "/");
        let sha256 = between(&formula, "sha256 \"", "\"");
        assert_eq!(sha256.len(), 64, "{sha256}");
        assert_eq!(formula, filled(&home, &version, &sha256));
    }
}
