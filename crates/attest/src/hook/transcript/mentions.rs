//! Where the agent's tools wrote, or may have written.

use std::path::{Path, PathBuf};

use attest_base::env::at_home;
use attest_shell::Place;
use attest_snapshot::{Doubt, Mention, Searched, WorkTree};
use attest_transcript::Written;

use super::super::scripts;
use super::Transcript;

impl Transcript<'_> {
    /// The places at which the agent's tools wrote, or may have written, where something speaks against it. Those of
    /// earlier turns are among them: they speak for the agent only. What is not read leaves a doubt.
    pub(in crate::hook) fn mentions(&self, start: &WorkTree) -> Searched<Vec<Mention>> {
        let Some(session) = self.session(|session| !self.is_settled(&session.tool_calls)) else {
            return match self.unread.get() {
                Some(why) => Searched::stopped(Vec::new(), Doubt::UnknownPlace(why.clone())),
                None => Searched::default(),
            };
        };
        let root = &start.root;
        let written = session.tool_calls.written();
        let of_scripts = match written.complete() {
            Err(why) if why.is_told() => {
                let all_of = |path: &str| self.absolute(path, root);
                scripts::read(all_of, &session.tool_calls, start, &self.context.limits)
            }
            _ => None,
        };
        let written = written.map(|written| {
            let mut mentions = Vec::new();
            for written in written {
                match written {
                    Written::File(path) => {
                        mentions.extend(self.absolute(path, root).map(Mention::Written));
                    }
                    Written::Elsewhere(path) => mentions.push(Mention::Elsewhere(path.to_owned())),
                    Written::Place(place) => self.add_place(place, root, &mut mentions),
                }
            }
            mentions
        });
        let Some(places) = of_scripts else {
            return written;
        };
        // All that ran is read.
        let mut mentions = written.found().clone();
        mentions.retain(|it| !matches!(it, Mention::Program(_)));
        for place in &places {
            self.add_place(place, root, &mut mentions);
        }
        Searched::all(mentions)
    }

    fn add_place(&self, place: &Place, root: &Path, mentions: &mut Vec<Mention>) {
        let all = |path: &str| self.absolute(path, root);
        match place {
            Place::Exact(path) => mentions.extend(all(path).map(Mention::Written)),
            Place::Removed(path) => mentions.extend(all(path).map(Mention::Removed)),
            Place::Program { path, .. } => mentions.extend(all(path).map(Mention::Program)),
            Place::Staged(path) => mentions.push(Mention::Staged(path.clone())),
            // The work tree shows what it brought.
            Place::Brought => {}
            Place::Elsewhere(path) => mentions.push(Mention::Elsewhere(path.clone())),
            Place::Around(path) => mentions.extend(all(path).map(Mention::Around)),
            Place::Moved { from, to } => {
                let pairs = all(from).zip(all(to));
                mentions.extend(pairs.map(|(from, to)| Mention::Moved { from, to }));
            }
        }
    }

    /// Where a path that a tool was given may be. The agent may have begun in another folder of the work tree at
    /// `root` than the one that the host names in the end, or in that of another one.
    pub(in crate::hook) fn absolute(&self, path: &str, root: &Path) -> std::vec::IntoIter<PathBuf> {
        let path = at_home(path.into(), self.context.config.home.as_deref());
        let cwd = self.context.payload.cwd.as_deref().unwrap_or(root);
        let above = cwd.ancestors().skip(1);
        let between = above.take_while(|folder| folder.starts_with(root) && *folder != root);
        let bases = std::iter::once(cwd)
            .chain(between)
            .chain((cwd != root).then_some(root));
        bases
            .map(|base| base.join(&path))
            .collect::<Vec<_>>()
            .into_iter()
    }
}
