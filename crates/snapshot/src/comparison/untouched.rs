//! Whether a file that is there, and was not written since the start, proves that nothing was done.

use std::path::Path;

use super::{Comparison, unreadable};
use crate::path_bytes;
use crate::place::Places;
use crate::{PathEvidence, RepoPath, Touch};

impl Comparison<'_> {
    /// What a path that nothing has is the end of: it may be written from a folder that is not named. Of more files than
    /// these none is looked at.
    pub(super) fn end_of(&self, places: &Places) -> Option<PathEvidence> {
        const MOST: usize = 16;
        let end = places.relative.as_ref()?;
        let tracked = self.known_paths().and_then(|known| {
            let found = known.ending_in(end, MOST + 1);
            found.map_err(|why| unreadable(&why))
        });
        let mut found = match tracked {
            Ok(found) => found,
            Err(doubt) => return Some(PathEvidence::Inconclusive(doubt)),
        };
        let folded = end.folded()?;
        let recorded = self.recorded().same_basename(&folded);
        found.extend(recorded.filter(|it| it.is_suffix).map(|it| it.changed));
        let path = found.first()?.clone();
        let is_still =
            |path: &RepoPath| !self.start.files.contains_key(path) && self.is_untouched(path);
        let is_untouched = found.len() <= MOST && found.iter().all(is_still);
        let touch = if is_untouched {
            Touch::Untouched
        } else {
            Touch::Possible
        };
        Some(PathEvidence::EndOf { path, touch })
    }

    /// Whether the file is there, and proves that nothing was done to it.
    fn is_untouched(&self, path: &RepoPath) -> bool {
        let places = Places {
            inside: vec![path.clone()],
            ..Places::default()
        };
        let look = self.look(&places);
        let is_written = look.written().is_some() || look.doubt.is_some();
        let place = look.path().filter(|_| !is_written);
        place.is_some_and(|place| {
            let seen = self.untouched(place, &places);
            matches!(
                seen,
                PathEvidence::OnDisk {
                    touch: Touch::Untouched,
                    ..
                }
            )
        })
    }

    /// The file at `place` was not written. Does that prove that nothing was done to what the agent
    /// names?
    pub(super) fn untouched(&self, place: &Path, places: &Places) -> PathEvidence {
        let on_disk = |touch, namesakes| PathEvidence::OnDisk {
            path: place.to_owned(),
            touch,
            namesakes,
        };
        let outside = places.outside.iter().filter_map(|place| {
            let bytes = path_bytes(place);
            RepoPath::from_git(bytes.strip_prefix(b"/").unwrap_or(&bytes))
        });
        let paths: Vec<_> = match places.inside.as_slice() {
            [] => outside.collect(),
            inside => inside.to_vec(),
        };
        let mut namesakes = Vec::new();
        for path in &paths {
            let is_inside = !places.inside.is_empty();
            let way = if is_inside {
                self.check_way(path)
            } else {
                Ok(())
            };
            match way.and_then(|()| self.excuse(path)) {
                // What differed at the start may be in the index now, or no longer, and be as it was.
                Ok(_)
                    if self.mentions.is_removed_elsewhere(path)
                        || self.start.files.contains_key(path) && self.mentions.is_staged(path) =>
                {
                    return on_disk(Touch::Possible, Vec::new());
                }
                Ok(None) => {}
                Ok(Some(PathEvidence::SameBasename {
                    changed,
                    doubt: None,
                    ..
                })) => namesakes = changed,
                Ok(Some(landed @ PathEvidence::ChangedElsewhere(_))) => return landed,
                Ok(Some(_)) | Err(_) => return on_disk(Touch::Possible, Vec::new()),
            }
        }
        if namesakes.is_empty() {
            on_disk(Touch::Untouched, namesakes)
        } else {
            on_disk(Touch::Possible, namesakes)
        }
    }
}
