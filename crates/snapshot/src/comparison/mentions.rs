//! Places that the agent's tool calls name.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::{Doubt, RepoPath};
use attest_evidence::{Searched, fold};

/// A place that a tool call in the agent's transcript names. It can only count for the agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mention {
    /// This file was to be written. The path is absolute.
    Written(PathBuf),
    /// A tool that may write on another machine was asked to write there.
    Elsewhere(String),
    /// A command that may write anywhere ran there or names this place. The path is absolute.
    Around(PathBuf),
    /// A command was to move something: what lies below where it went may be older than the agent.
    Moved {
        /// What was moved.
        from: PathBuf,
        /// Where it went, or the folder.
        to: PathBuf,
    },
}

/// All mentions, if they are known.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The places of this machine.
    pub(super) places: Vec<Mention>,
    /// All of these places: an agent may call a tool for one as often as it likes.
    known: HashSet<Mention>,
    elsewhere: HashMap<String, Vec<String>>,
    unknown: Option<Doubt>,
}

impl Mentions {
    pub(super) fn add(&mut self, mentions: &Searched<Vec<Mention>>) {
        if let Err(why) = mentions.complete() {
            self.unknown.get_or_insert(why.clone());
        }
        for mention in mentions.found() {
            match mention {
                Mention::Elsewhere(text) => {
                    let text = folded(text);
                    let known = self.elsewhere.entry(last(&text).to_owned());
                    known.or_default().push(text);
                }
                place => {
                    if self.known.insert(place.clone()) {
                        self.places.push(place.clone());
                    }
                }
            }
        }
    }

    /// Whether all places are known at which the agent may have worked.
    pub(super) fn check(&self) -> Result<(), Doubt> {
        self.unknown.clone().map_or(Ok(()), Err)
    }

    /// Whether a tool that writes elsewhere names a path that ends in `path`, or the reverse.
    pub(super) fn has_elsewhere(&self, path: &RepoPath) -> bool {
        path.folded().is_some_and(|path| {
            let named = self.elsewhere.get(last(&path)).into_iter().flatten();
            named
                .map(String::as_str)
                .any(|text| is_end(&path, text) || is_end(text, &path))
        })
    }
}

pub(super) fn folded(text: &str) -> String {
    let text = fold(&text.replace('\\', "/"));
    text.trim_start_matches("./")
        .trim_end_matches('/')
        .to_owned()
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether `path` ends with all parts of `end`.
pub(super) fn is_end(end: &str, path: &str) -> bool {
    let before = path.strip_suffix(end.trim_start_matches('/'));
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_path_elsewhere_may_be_the_longer_or_the_shorter() {
        let mut mentions = Mentions::default();
        let named = ["./src/a.py", "C:\\work\\b.py"].map(|named| Mention::Elsewhere(named.into()));
        mentions.add(&Searched::all(named.to_vec()));
        for named in ["a.py", "src/a.py", "project/src/a.py", "work/b.py"] {
            assert!(mentions.has_elsewhere(&path(named)), "{named}");
        }
        for other in ["lib/a.py", "c.py", "y.py"] {
            assert!(!mentions.has_elsewhere(&path(other)), "{other}");
        }
    }

    #[test]
    fn one_place_that_is_not_known_is_enough() {
        let mut mentions = Mentions::default();
        mentions.add(&Searched::all(vec![Mention::Around("/a".into())]));
        assert_eq!(mentions.check(), Ok(()));
        mentions.add(&Searched::stopped(Vec::new(), Doubt::Outside));
        mentions.add(&Searched::all(vec![Mention::Around("/a".into())]));
        assert_eq!(
            (mentions.check(), mentions.places.len()),
            (Err(Doubt::Outside), 1)
        );
    }
}
