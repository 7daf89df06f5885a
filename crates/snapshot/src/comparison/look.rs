//! Looks at all places where a claimed path may be. The evidence that is best for the agent is the
//! answer.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::Comparison;
use crate::place::Places;
use crate::presence::{self, Presence};
use crate::touch::{self, Subject};
use crate::{ChangedElsewhere, Doubt, PathEvidence, RepoPath, Touch, path_bytes};

/// The result of looking at all places.
#[derive(Debug, Default)]
pub(super) struct Look {
    best: Option<Found>,
    /// A place that could not be examined.
    pub(super) doubt: Option<Doubt>,
}

/// Something that exists at one of the places.
#[derive(Debug)]
struct Found {
    path: PathBuf,
    touch: Touch,
    place: FoundIn,
}

/// What it means if a file may have been written at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FoundIn {
    /// The file is there.
    Here,
    /// It counts as work in another work tree.
    Worktree,
    /// It counts as work at a place outside of the work tree that the transcript names.
    Written,
}

impl Look {
    /// What was found, if it may have been written since the start.
    pub(super) fn written(&self) -> Option<PathEvidence> {
        let found = self.best.as_ref()?;
        (found.touch == Touch::Possible).then(|| found.evidence())
    }

    /// What was found, without a statement about what was not done to it.
    pub(super) fn found(&self) -> Option<PathEvidence> {
        let seen = self.best.as_ref().map(Found::evidence)?;
        Some(match seen {
            PathEvidence::OnDisk {
                path, namesakes, ..
            } => PathEvidence::OnDisk {
                path,
                touch: Touch::Possible,
                namesakes,
            },
            landed => landed,
        })
    }

    /// Where something was found.
    pub(super) fn path(&self) -> Option<&Path> {
        self.best.as_ref().map(|found| found.path.as_path())
    }

    /// Takes what is at a place, unless something better was found. Whether it is there only as it came is asked last, of
    /// what may have been written.
    fn take(
        &mut self,
        presence: Presence,
        place: FoundIn,
        touch: impl FnOnce(&Path, &Metadata) -> Touch,
        is_as_it_came: impl FnOnce(&Path) -> bool,
    ) {
        match presence {
            Presence::Here(path, metadata) => {
                let touch = touch(&path, &metadata);
                let mut found = Found { path, touch, place };
                if !self.is_less_than(&found) {
                    return;
                }
                if touch == Touch::Possible && is_as_it_came(&found.path) {
                    found.touch = Touch::Untouched;
                }
                // The agent's own file is told of rather than what was made from it.
                if touch == found.touch || self.best.is_none() {
                    self.best = Some(found);
                }
            }
            Presence::Missing => {}
            Presence::Unknown(doubt) => self.doubt = Some(doubt),
        }
    }

    fn is_less_than(&self, found: &Found) -> bool {
        let best = self.best.as_ref();
        best.is_none_or(|best| found.rank() > best.rank())
    }
}

impl Found {
    fn rank(&self) -> (bool, FoundIn) {
        (self.touch == Touch::Possible, self.place)
    }

    fn evidence(&self) -> PathEvidence {
        let path = self.path.clone();
        match (self.touch, self.place) {
            (Touch::Possible, FoundIn::Worktree) => {
                PathEvidence::ChangedElsewhere(ChangedElsewhere::Worktree(path))
            }
            (Touch::Possible, FoundIn::Written) => {
                PathEvidence::ChangedElsewhere(ChangedElsewhere::Written(path))
            }
            (touch, _) => PathEvidence::OnDisk {
                path,
                touch,
                namesakes: Vec::new(),
            },
        }
    }
}

impl Comparison<'_> {
    pub(super) fn look(&self, places: &Places) -> Look {
        let root = &self.start.root;
        let mut look = Look {
            doubt: places.left_out.clone().or(self.unseen_cwd.clone()),
            ..Look::default()
        };
        for path in &places.inside {
            look.take(
                self.listings.find(root, path),
                FoundIn::Here,
                |place, metadata| self.touch(place, metadata, Some(root), || self.is_tracked(path)),
                |_| false,
            );
        }
        for place in &places.outside {
            let tree = self.worktree_of(place);
            let kind = if tree.is_some() {
                FoundIn::Worktree
            } else {
                FoundIn::Here
            };
            look.take(
                presence::at(place),
                kind,
                |place, metadata| self.touch(place, metadata, tree, || false),
                |place| self.is_as_it_came(place, places),
            );
        }
        for path in &places.inside {
            for other in &self.ground().roots {
                look.take(
                    self.listings.find(other, path),
                    FoundIn::Worktree,
                    |place, metadata| {
                        self.touch(place, metadata, Some(other), || self.is_clean(other, path))
                    },
                    |place| self.is_as_it_came(place, places),
                );
            }
        }
        if let Some(relative) = &places.relative {
            self.look_below(relative, places, &mut look);
            let named = self.outside().found().ending_in(relative);
            for place in named.filter(|place| !self.is_in_delta(place)) {
                // What does not differ here, though a call wrote it, is ignored, or was written before the start.
                let kind = if place.starts_with(root) {
                    FoundIn::Here
                } else {
                    FoundIn::Written
                };
                look.take(
                    presence::at(place),
                    kind,
                    |_, _| Touch::Possible,
                    |place| self.is_as_it_came(place, places),
                );
            }
        }
        look
    }

    /// Whether it is a file of the work tree that changed, which is known by its own path: nothing is told of another one
    /// by that a call has written it.
    fn is_in_delta(&self, place: &Path) -> bool {
        let inside = place.strip_prefix(&self.start.root).map(path_bytes);
        let path = inside.ok().and_then(|inside| RepoPath::from_git(&inside));
        path.is_some_and(|path| self.delta.find(&path).is_some())
    }

    /// Looks in the folders of the work tree that the path may be relative to, or begin with.
    fn look_below(&self, relative: &RepoPath, places: &Places, look: &mut Look) {
        let ground = self.ground();
        let nested = ground
            .nested
            .found()
            .iter()
            .map(|folder| (folder, FoundIn::Worktree));
        let unlisted = ground
            .unlisted
            .found()
            .iter()
            .map(|folder| (folder, FoundIn::Here));
        let root = Some(self.start.root.as_path());
        for (folder, kind) in nested.chain(unlisted) {
            for path in std::iter::once(relative.clone()).chain(relative.below(folder)) {
                let presence = self.listings.find_folded(folder, &path);
                // If one of these may not be read, that is not a doubt: nothing names it.
                if !matches!(presence, Presence::Unknown(Doubt::UnreadableFolder)) {
                    look.take(
                        presence,
                        kind,
                        |place, metadata| self.touch(place, metadata, root, || false),
                        |place| self.is_as_it_came(place, places),
                    );
                }
            }
        }
    }

    /// Whether the file was written since the start. Folders above it count, up to `root`, unless
    /// git compared its content.
    pub(super) fn touch(
        &self,
        place: &Path,
        metadata: &Metadata,
        root: Option<&Path>,
        is_tracked: impl FnOnce() -> bool,
    ) -> Touch {
        let subject = Subject {
            place,
            metadata,
            root,
        };
        touch::since(&self.start.taken_at, &subject, is_tracked)
    }

    /// Whether git follows a file of this name, as far as that can be told.
    #[must_use]
    pub fn is_tracked(&self, path: &RepoPath) -> bool {
        let known = self.known_paths();
        known.is_ok_and(|known| known.is_tracked(path).unwrap_or(false))
    }

    /// Whether the file at `path` of another work tree of the repository is what git has for it.
    fn is_clean(&self, root: &Path, path: &RepoPath) -> bool {
        self.is_tracked(path) && self.is_listed_clean(root, path)
    }

    fn worktree_of(&self, place: &Path) -> Option<&Path> {
        let roots = self.ground().roots.iter();
        roots
            .map(PathBuf::as_path)
            .find(|root| place.starts_with(root))
    }
}
