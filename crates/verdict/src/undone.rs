//! Work of one agent that was seen when it stopped, and that a later stop of the session finds taken back. It says
//! nothing of the agent that stops then.

use std::fmt;

use attest_evidence::RepoPath;
use jiff::Timestamp;

use crate::lost::{short, time};
use crate::{Gone, quoted};

/// A file that is again what it was before an agent changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The file.
    pub path: RepoPath,
    /// Whose work it was, by the name of the agent within its session.
    pub agent: String,
    /// When its change was last seen to be there.
    pub seen_at: Timestamp,
    /// When it was first seen that it is not.
    pub gone_at: Timestamp,
    /// Whether nothing is there now.
    pub is_missing: bool,
    /// What may have taken it back.
    pub by: Option<Gone>,
    /// Where the change can be had.
    pub kept: Kept,
}

/// Where a change can be had that is in no work tree, and in no commit that anything leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// In a stash.
    Stash,
    /// In git, as a blob of this name.
    Blob(String),
    /// Nowhere that is known.
    Nowhere,
}

/// As one sentence.
impl fmt::Display for Undone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |at: Timestamp| time(Some(&at.to_string()));
        let path = quoted(&self.path.to_string());
        let (agent, seen) = (short(&self.agent), at(self.seen_at));
        let state = if self.is_missing {
            "is not on disk any more"
        } else {
            "is again what it was before"
        };
        write!(
            out,
            "{path}, which agent {agent} had changed (seen{seen}), {state}:"
        )?;
        let kept = match self.kept {
            Kept::Stash => "the change is in a stash",
            Kept::Blob(_) | Kept::Nowhere => "no branch, stash or other work tree has the change",
        };
        write!(out, "{} {kept}", at(self.gone_at))?;
        if let Some(Gone { what, who, at }) = &self.by {
            let (what, at) = (short(what), time(at.as_deref()));
            write!(out, "; `{what}` of {who}{at} may have undone it")?;
        }
        if let Kept::Blob(blob) = &self.kept {
            write!(out, "; `git show {}` prints what it held", short(blob))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Who;

    #[test]
    fn the_sentence_says_whose_work_it_was_and_where_it_is() {
        let undone = Undone {
            path: RepoPath::from_git(b"src/a.py").unwrap(),
            agent: "a1".to_owned(),
            seen_at: "2026-01-01T14:02:11.5Z".parse().unwrap(),
            gone_at: "2026-01-01T14:09:30Z".parse().unwrap(),
            is_missing: true,
            by: None,
            kept: Kept::Nowhere,
        };
        assert_eq!(
            undone.to_string(),
            "\"src/a.py\", which agent a1 had changed (seen at 14:02:11 UTC), is not on disk any more: at 14:09:30 UTC \
             no branch, stash or other work tree has the change"
        );
        let by = Gone {
            what: "git checkout\n -- .".to_owned(),
            who: Who::Agent("b2".to_owned()),
            at: Some("2026-01-01T14:05:10.123Z".to_owned()),
        };
        let undone = Undone {
            is_missing: false,
            by: Some(by),
            kept: Kept::Blob("1a2b".to_owned()),
            ..undone
        };
        assert_eq!(
            undone.to_string(),
            "\"src/a.py\", which agent a1 had changed (seen at 14:02:11 UTC), is again what it was before: at 14:09:30 \
             UTC no branch, stash or other work tree has the change; `git checkout -- .` of agent b2 at 14:05:10 UTC may \
             have undone it; `git show 1a2b` prints what it held"
        );
        let stashed = Undone {
            by: None,
            kept: Kept::Stash,
            ..undone
        };
        assert!(
            stashed
                .to_string()
                .ends_with(": at 14:09:30 UTC the change is in a stash")
        );
    }
}
