//! What was written since the start at the places that the agent's calls name, and below them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use attest_evidence::{Searched, ends_in, path_bytes};

use super::mentions::{Mention, folded, last};
use crate::bounds::{self, Count};
use crate::deadline::check_time;
use crate::mounts::Lookout;
use crate::nothing::is_missing;
use crate::place::without_dots;
use crate::presence::{self, Presence};
use crate::{Doubt, Limits, Moment, RepoPath, canonical, touch};

/// What is there of this run, by the last part of its name.
#[derive(Debug, Default)]
pub(super) struct Outside {
    by_name: HashMap<String, Vec<(String, PathBuf)>>,
    /// All of these places: an agent may name one as often as it likes.
    known: HashSet<PathBuf>,
    /// What was to be written and is gone, by the last part of its name.
    gone: HashMap<String, Vec<String>>,
}

impl Outside {
    /// The places that end in `relative`.
    pub(super) fn ending_in(&self, relative: &RepoPath) -> impl Iterator<Item = &Path> {
        let path = relative.folded();
        let named = path
            .as_deref()
            .and_then(|path| self.by_name.get(last(path)));
        let named = named.into_iter().flatten();
        named.filter_map(move |(text, place)| {
            ends_in(text, path.as_deref()?).then_some(place.as_path())
        })
    }

    /// Whether a file that ends in `relative` was to be written, and is gone: a clone of which the work was pushed may
    /// be removed.
    pub(super) fn has_gone(&self, relative: &RepoPath) -> bool {
        relative.folded().is_some_and(|path| {
            let named = self.gone.get(last(&path)).into_iter().flatten();
            named.map(String::as_str).any(|text| ends_in(text, &path))
        })
    }

    fn miss(&mut self, place: &Path) {
        let text = folded(&String::from_utf8_lossy(&path_bytes(place)));
        self.gone
            .entry(last(&text).to_owned())
            .or_default()
            .push(text);
    }

    fn add(&mut self, place: PathBuf) {
        if self.known.insert(place.clone()) {
            let text = folded(&String::from_utf8_lossy(&path_bytes(&place)));
            let named = self.by_name.entry(last(&text).to_owned());
            named.or_default().push((text, place));
        }
    }
}

/// A folder that is to be searched.
struct Folder {
    path: PathBuf,
    /// Whether what lies in it counts whatever its age.
    any_age: bool,
}

/// A search outside of the work tree at `root`, since a start.
pub(super) struct Search<'s> {
    pub(super) root: &'s Path,
    pub(super) start: &'s Moment,
    pub(super) limits: &'s Limits,
    found: Searched<Outside>,
    folders: VecDeque<Folder>,
    seen: HashSet<PathBuf>,
    /// Those beside whose files was looked.
    beside: HashSet<PathBuf>,
    lookout: Lookout,
    count: Count,
    /// Whether times tell what is younger than the start.
    clock_ran: bool,
}

impl<'s> Search<'s> {
    pub(super) fn new(root: &'s Path, start: &'s Moment, limits: &'s Limits) -> Self {
        Self {
            root,
            start,
            limits,
            found: Searched::default(),
            folders: VecDeque::new(),
            seen: HashSet::new(),
            beside: HashSet::new(),
            lookout: Lookout::within(limits),
            count: Count::of(bounds::OUTSIDE),
            clock_ran: start.boot_ns.is_none() || start.runs_on_to(&Moment::now()),
        }
    }

    /// Looks at all places, and below them: what is nearest to a place comes first.
    pub(super) fn of(mut self, places: &[Mention]) -> Searched<Outside> {
        for place in places {
            let mut named = place.places();
            if let Some(why) = named.find_map(|place| self.lookout.check(place).err()) {
                self.found.stop(why);
                continue;
            }
            match place {
                Mention::Written(path) => self.look_at(path),
                Mention::Around(path) => self.look_around(path),
                Mention::Moved { from, to } => self.look_behind(from, to),
                Mention::Elsewhere(_)
                | Mention::Removed(_)
                | Mention::Staged(_)
                | Mention::Program(_) => {}
            }
        }
        while let Some(folder) = self.folders.pop_front() {
            if let Err(doubt) = self.enter(&folder, true) {
                self.found.stop(doubt);
                break;
            }
        }
        self.found
    }

    fn look_at(&mut self, path: &Path) {
        let path = without_dots(path).unwrap_or_else(|| path.to_owned());
        match presence::at(&path) {
            Presence::Here(place, metadata) => self.consider(place, &metadata, false),
            Presence::Missing if !path.starts_with(self.root) => self.found.found_mut().miss(&path),
            Presence::Missing => {}
            Presence::Unknown(doubt) => self.found.stop(doubt),
        }
    }

    fn look_around(&mut self, path: &Path) {
        let path = without_dots(path).unwrap_or_else(|| path.to_owned());
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => self.open(&path, false),
            // Beside a file, or where a folder was that is not there any more, unless many put their files there.
            Ok(_) => {
                self.look_at(&path);
                self.look_beside(&path);
            }
            Err(error) if is_missing(&error) => self.look_beside(&path),
            Err(_) => self.found.stop(Doubt::UnreadableFolder),
        }
    }

    fn look_beside(&mut self, path: &Path) {
        let Some(folder) = path.parent().filter(|folder| !is_shared(folder)) else {
            return;
        };
        if !self.beside.insert(folder.to_owned()) {
            return;
        }
        let folder = Folder {
            path: folder.to_owned(),
            any_age: false,
        };
        let is_outside = canonical(&folder.path).is_ok_and(|real| !real.starts_with(self.root));
        if is_outside && let Err(doubt) = self.enter(&folder, false) {
            self.found.stop(doubt);
        }
    }

    /// Looks at what was moved. The times of what lies below do not change with that.
    fn look_behind(&mut self, from: &Path, to: &Path) {
        let name = from.file_name().map(|name| to.join(name));
        let place = name.filter(|place| fs::symlink_metadata(place).is_ok());
        let place = place.unwrap_or_else(|| to.to_owned());
        let Some(place) = without_dots(&place).filter(|_| fs::symlink_metadata(from).is_err())
        else {
            return;
        };
        let Ok(metadata) = fs::symlink_metadata(&place) else {
            return;
        };
        if self.is_of_this_run(&place, &metadata) {
            if metadata.is_dir() {
                self.open(&place, true);
            }
            self.found.found_mut().add(place);
        }
    }

    /// Queues a folder, unless it lies in the work tree, which was read.
    fn open(&mut self, path: &Path, any_age: bool) {
        if let Err(why) = self.lookout.check(path) {
            return self.found.stop(why);
        }
        let Ok(real) = canonical(path) else {
            return self.found.stop(Doubt::UnreadableFolder);
        };
        if !real.starts_with(self.root) && self.seen.insert(real) {
            let path = path.to_owned();
            self.folders.push_back(Folder { path, any_age });
        }
    }

    fn enter(&mut self, folder: &Folder, is_deep: bool) -> Result<(), Doubt> {
        check_time(self.limits).map_err(|why| super::unreadable(&why))?;
        let Ok(entries) = fs::read_dir(&folder.path) else {
            // One of another user, or that is gone.
            return Ok(());
        };
        for entry in entries {
            self.count.add(1).map_err(Doubt::from)?;
            let entry = entry.map_err(|why| Doubt::Unreadable(why.to_string()))?;
            let path = entry.path();
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let is_link = metadata.is_symlink();
            let is_unseen = is_link && self.lookout.check(&path).is_err();
            let is_folder = metadata.is_dir() || is_link && (is_unseen || path.is_dir());
            self.consider(path.clone(), &metadata, folder.any_age);
            if is_deep && is_folder && entry.file_name() != ".git" {
                self.open(&path, folder.any_age);
            }
        }
        Ok(())
    }

    fn consider(&mut self, place: PathBuf, metadata: &Metadata, any_age: bool) {
        if any_age || self.is_of_this_run(&place, metadata) {
            self.found.found_mut().add(place);
        }
    }

    fn is_of_this_run(&self, place: &Path, metadata: &Metadata) -> bool {
        let knows_times = self.clock_ran
            && (!cfg!(target_os = "linux")
                || touch::has_our_clock(place.parent().unwrap_or(place)));
        !knows_times || touch::is_young(metadata, self.start)
    }
}

/// Whether the files in a folder have nothing to do with each other.
fn is_shared(folder: &Path) -> bool {
    let is_home = folder
        .parent()
        .is_some_and(|above| above.ends_with("home") || above.ends_with("Users"));
    let is_temporary = ["tmp", "temp", "Temp", "T"]
        .iter()
        .any(|name| folder.ends_with(name));
    folder.parent().is_none() || is_home || is_temporary
}

#[cfg(test)]
mod tests;
