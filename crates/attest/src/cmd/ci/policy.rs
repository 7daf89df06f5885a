//! Which findings fail: what `.attest/settings.toml` of the branch says into which the range is to go. What the range
//! itself would have there counts for nothing.

use attest_snapshot::{Range, Unreadable};
use attest_verdict::Finding;
use thiserror::Error;
use toml::{Table, Value};

/// Where the policy stands.
pub(super) const FILE: &str = ".attest/settings.toml";
/// The most that the file may have, in bytes.
const MOST: u64 = 64 * 1024;

/// What fails if nobody says so: what no honest text can be taken for.
const USUAL: [Finding; 7] = [
    Finding::Absent,
    Finding::Untouched,
    Finding::NotDeleted,
    Finding::GoneAgain,
    Finding::Emptied,
    Finding::CommitElsewhere,
    Finding::CountWrong,
];

/// The findings that fail.
pub(super) struct Policy {
    fails: Vec<Finding>,
}

#[derive(Debug, Error)]
pub(super) enum PolicyError {
    #[error("cannot read {FILE} of the base")]
    Unreadable(#[from] Unreadable),
    #[error("{FILE} of the base is not valid TOML")]
    NotToml,
    #[error("[ci] in {FILE} of the base has the key {0:?}, which is not one of its own")]
    UnknownKey(String),
    #[error("`fail` in {FILE} of the base is no list of words")]
    NotAList,
    #[error(
        "`fail` in {FILE} of the base has {0:?}, which is not the word of a finding that can fail"
    )]
    UnknownWord(String),
}

impl Policy {
    pub(super) fn of(range: &Range<'_>) -> Result<Self, PolicyError> {
        let content = range.file_of_base(FILE, MOST)?;
        Self::read(&content.unwrap_or_default())
    }

    fn read(content: &[u8]) -> Result<Self, PolicyError> {
        let text = std::str::from_utf8(content).map_err(|_| PolicyError::NotToml)?;
        let table: Table = text.parse().map_err(|_| PolicyError::NotToml)?;
        let mut policy = Self {
            fails: USUAL.to_vec(),
        };
        let Some(section) = table.get("ci").and_then(Value::as_table) else {
            return Ok(policy);
        };
        for (key, value) in section {
            if key != "fail" {
                return Err(PolicyError::UnknownKey(key.clone()));
            }
            let words = value.as_array().ok_or(PolicyError::NotAList)?.iter();
            let words = words.map(|word| word.as_str().ok_or(PolicyError::NotAList));
            policy.fails = words.map(|word| finding(word?)).collect::<Result<_, _>>()?;
        }
        Ok(policy)
    }

    pub(super) fn fails(&self, finding: Finding) -> bool {
        self.fails.contains(&finding)
    }
}

fn finding(word: &str) -> Result<Finding, PolicyError> {
    let is_it = |it: &Finding| it.contradicts() && it.as_str().eq_ignore_ascii_case(word);
    let found = Finding::ALL.into_iter().find(is_it);
    found.ok_or_else(|| PolicyError::UnknownWord(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(content: &str) -> Result<Vec<Finding>, String> {
        let read = Policy::read(content.as_bytes()).map(|policy| policy.fails);
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_policy_names_findings_and_what_is_not_understood_is_an_error() {
        assert_eq!(fails("").unwrap(), USUAL);
        assert_eq!(fails("enforce = 1\n[codex]\nx = 1").unwrap(), USUAL);
        let one = fails("[ci]\nfail = [\"count_wrong\"]").unwrap();
        assert_eq!(one, [Finding::CountWrong]);
        assert_eq!(fails("[ci]\nfail = []").unwrap(), []);
        for (bad, word) in [
            ("[ci]\nfail = [\"CHANGED\"]", "CHANGED"),
            ("[ci]\nfail = [\"abcent\"]", "abcent"),
            ("[ci]\nfail = \"absent\"", "no list"),
            ("[ci]\nfails = []", "fails"),
            ("[ci", "TOML"),
        ] {
            assert!(fails(bad).unwrap_err().contains(word), "{bad}");
        }
    }
}
