//! Paths that the agent's tool calls name.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::place::without_dots;
use crate::{RepoPath, bounds, canonical};
use attest_evidence::{fold, path_bytes};

/// A path that a tool call in the agent's transcript names. It can only count for the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mention {
    /// A tool of this machine was asked to write there. The path is absolute.
    Written(PathBuf),
    /// A tool that may write on another machine was asked to write there.
    Elsewhere(String),
    /// A command that may write anywhere names this place. The path is absolute.
    Near(PathBuf),
}

/// Mentions by the last part of their path.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    written: HashMap<String, Vec<(String, PathBuf)>>,
    /// All of these places: an agent may call a tool for one as often as it likes.
    known: HashSet<PathBuf>,
    elsewhere: HashMap<String, Vec<String>>,
    /// The folders that are named, or hold what is named.
    near: Vec<PathBuf>,
}

impl Mentions {
    /// Adds a mention of the agent that works in the work tree at `root`.
    pub(super) fn add(&mut self, mention: Mention, root: &Path) {
        match mention {
            Mention::Written(path) => {
                if self.known.insert(path.clone()) {
                    let text = folded(&String::from_utf8_lossy(&path_bytes(&path)));
                    let named = self.written.entry(last(&text).to_owned());
                    named.or_default().push((text, path));
                }
            }
            Mention::Elsewhere(text) => {
                let text = folded(&text);
                let known = self.elsewhere.entry(last(&text).to_owned());
                known.or_default().push(text);
            }
            Mention::Near(path) => {
                // What is in the work tree was read, and would take the room of what is not.
                let is_outside =
                    |folder: &&Path| canonical(folder).is_ok_and(|real| !real.starts_with(root));
                if self.near.len() < bounds::FOLDERS_NAMED {
                    let path = without_dots(&path).unwrap_or(path);
                    let folder = path.ancestors().take(2).find(|folder| folder.is_dir());
                    let new = folder.filter(is_outside).map(Path::to_owned);
                    self.near
                        .extend(new.filter(|folder| !self.near.contains(folder)));
                }
            }
        }
    }

    /// The places that end in `relative`.
    pub(super) fn written(&self, relative: &RepoPath) -> impl Iterator<Item = &Path> {
        let path = relative.folded();
        let named = path
            .as_deref()
            .and_then(|path| self.written.get(last(path)));
        let named = named.into_iter().flatten();
        named.filter_map(move |(text, place)| {
            is_end(path.as_deref()?, text).then_some(place.as_path())
        })
    }

    /// Where `relative` is if it means a folder that a command names, or one above it that has the name with which
    /// `relative` begins.
    pub(super) fn near(&self, relative: &RepoPath) -> impl Iterator<Item = PathBuf> {
        self.near.iter().flat_map(move |folder| {
            let above = folder.ancestors();
            let above = above.filter_map(move |folder| relative.below(folder)?.under(folder));
            relative.under(folder).into_iter().chain(above)
        })
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

fn folded(text: &str) -> String {
    let text = fold(&text.replace('\\', "/"));
    text.trim_start_matches("./")
        .trim_end_matches('/')
        .to_owned()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether `path` ends with all parts of `end`.
fn is_end(end: &str, path: &str) -> bool {
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
    fn a_path_is_found_by_its_whole_end() {
        let mut mentions = Mentions::default();
        mentions.add(
            Mention::Written("/home/x/other/Src/a.py".into()),
            Path::new("/r"),
        );
        let written = |text| mentions.written(&path(text)).count();
        assert_eq!((written("a.py"), written("src/A.py")), (1, 1));
        assert_eq!(
            (written("rc/a.py"), written("lib/a.py"), written("b.py")),
            (0, 0, 0)
        );
    }

    #[test]
    fn a_path_is_looked_for_in_the_folders_that_a_command_names() {
        let folder = tempfile::tempdir().unwrap();
        let infra = folder.path().join("infra");
        std::fs::create_dir_all(infra.join("modules")).unwrap();
        let root = canonical(folder.path()).unwrap().join("root");
        std::fs::create_dir_all(root.join("src")).unwrap();
        let mut mentions = Mentions::default();
        let named = ["modules", "modules/net.tf", "no/such/folder", "../root/src"];
        for named in named {
            mentions.add(Mention::Near(infra.join(named)), &root);
        }
        let near = |text| mentions.near(&path(text)).collect::<Vec<_>>();
        let modules = infra.join("modules");
        assert_eq!(near("net.tf"), [modules.join("net.tf")]);
        assert_eq!(
            near("infra/modules/net.tf"),
            [modules.join("infra/modules/net.tf"), modules.join("net.tf")]
        );
    }

    #[test]
    fn a_path_elsewhere_may_be_the_longer_or_the_shorter() {
        let mut mentions = Mentions::default();
        for named in ["./src/a.py", "C:\\work\\b.py"] {
            mentions.add(Mention::Elsewhere(named.into()), Path::new("/r"));
        }
        for named in ["a.py", "src/a.py", "project/src/a.py", "work/b.py"] {
            assert!(mentions.has_elsewhere(&path(named)), "{named}");
        }
        for other in ["lib/a.py", "c.py", "y.py"] {
            assert!(!mentions.has_elsewhere(&path(other)), "{other}");
        }
    }
}
