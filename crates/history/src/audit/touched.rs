//! The files that agents wrote or removed, in all transcripts.

use std::collections::{HashMap, HashSet};

use attest_snapshot::Meanings;

use super::read::Session;

/// Whose files they are: a host, and a session of it.
type Key = (&'static str, String);

/// The files that agents wrote or removed, folded, with slashes.
#[derive(Default)]
pub(super) struct Touched {
    paths: Vec<String>,
    /// The paths that have this part, by their places in the list.
    by_part: HashMap<String, Vec<usize>>,
    /// The last parts of what each session wrote.
    by_session: HashMap<Key, HashSet<String>>,
    seen: HashSet<String>,
}

impl Touched {
    pub(super) fn of(sessions: &[Session]) -> Self {
        let mut touched = Self::default();
        for session in sessions {
            let names: Vec<_> = session.touched.iter().map(|path| folded(path)).collect();
            let names: Vec<_> = names.iter().flat_map(|name| with_stem(name)).collect();
            let own = touched.by_session.entry(key(session)).or_default();
            own.extend(names.iter().map(|name| last(name).to_owned()));
            for name in names {
                touched.add(name);
            }
        }
        touched
    }

    fn add(&mut self, path: &str) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let at = self.paths.len();
        self.paths.push(path.to_owned());
        let parts: HashSet<_> = path.split('/').filter(|part| !part.is_empty()).collect();
        for part in parts {
            self.by_part.entry(part.to_owned()).or_default().push(at);
        }
    }

    /// Whether the agent, or another one of its session, worked on a file with the name, or any agent on what is
    /// meant.
    pub(super) fn has(&self, meanings: &Meanings, session: &Session) -> bool {
        let own = self.by_session.get(&key(session));
        own.is_some_and(|names| names.contains(meanings.last())) || self.has_exactly(meanings)
    }

    /// Whether any agent worked on what is meant.
    pub(super) fn has_exactly(&self, meanings: &Meanings) -> bool {
        let named = self.by_part.get(meanings.last()).into_iter().flatten();
        named
            .into_iter()
            .any(|at| meanings.may_be(&self.paths[*at]))
    }
}

/// What a session is known by: its own file, if it has no name.
fn key(session: &Session) -> Key {
    let path = || session.path.to_string_lossy().into_owned();
    let name = session.about.session.clone();
    (session.host.name(), name.unwrap_or_else(path))
}

fn folded(path: &str) -> String {
    attest_snapshot::fold(&path.replace('\\', "/"))
}

/// A path, and the same without the ending of its name, by which a report may call it.
fn with_stem(path: &str) -> impl Iterator<Item = &str> {
    let start = path.len() - last(path).len();
    let dot = last(path).rfind('.').filter(|dot| *dot > 0);
    [Some(path), dot.map(|dot| &path[..start + dot])]
        .into_iter()
        .flatten()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
