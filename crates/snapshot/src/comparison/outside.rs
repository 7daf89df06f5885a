//! What was written since the start at the places that the agent's calls name, and below them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use attest_evidence::{Searched, path_bytes};

use super::mentions::{Mention, folded, is_end, last};
use crate::bounds::{self, Count};
use crate::deadline::check_time;
use crate::nothing::is_missing;
use crate::place::without_dots;
use crate::presence::{self, Presence};
use crate::{Doubt, Limits, Moment, RepoPath, canonical, touch};

/// What is there of this run, by the last part of its name.
#[derive(Debug, Default)]
pub(super) struct Outside(HashMap<String, Vec<(String, PathBuf)>>);

impl Outside {
    /// The places that end in `relative`.
    pub(super) fn ending_in(&self, relative: &RepoPath) -> impl Iterator<Item = &Path> {
        let path = relative.folded();
        let named = path.as_deref().and_then(|path| self.0.get(last(path)));
        let named = named.into_iter().flatten();
        named.filter_map(move |(text, place)| {
            is_end(path.as_deref()?, text).then_some(place.as_path())
        })
    }

    fn add(&mut self, place: PathBuf) {
        let text = folded(&String::from_utf8_lossy(&path_bytes(&place)));
        let known = self.0.entry(last(&text).to_owned()).or_default();
        if !known.iter().any(|(_, known)| *known == place) {
            known.push((text, place));
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
            count: Count::of(bounds::OUTSIDE),
            clock_ran: start.boot_ns.is_none() || start.runs_on_to(&Moment::now()),
        }
    }

    /// Looks at all places, and below them: what is nearest to a place comes first.
    pub(super) fn of(mut self, places: &[Mention]) -> Searched<Outside> {
        for place in places {
            match place {
                Mention::Written(path) => self.look_at(path),
                Mention::Around(path) => self.look_around(path),
                Mention::Moved { from, to } => self.look_behind(from, to),
                Mention::Elsewhere(_) => {}
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
            let is_folder = metadata.is_dir() || metadata.is_symlink() && path.is_dir();
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
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    /// What is found at `places` beside a work tree, by what a claim may call it.
    fn found(scratch: &Scratch, start: &Moment, places: &[Mention], claim: &str) -> usize {
        let limits = Limits::default();
        let searched = Search::new(&scratch.root, start, &limits).of(places);
        assert!(searched.is_complete());
        searched.found().ending_in(&path(claim)).count()
    }

    #[test]
    fn what_is_of_this_run_is_found_however_deep_it_is() {
        let scratch = Scratch::new(&["src/a.py"]);
        scratch.write("../infra/modules/old.tf", "old");
        scratch.write("../infra/other.tf", "old");
        scratch.settle();
        let start = Moment::now();
        scratch.write("../infra/modules/net/Main.tf", "new");
        scratch.write("src/inside.py", "new");
        let infra = scratch.root.with_file_name("infra");
        let around = |path: &Path| [Mention::Around(path.to_owned())];
        let count = |claim: &str| found(&scratch, &start, &around(&infra), claim);
        for claim in ["main.tf", "net/main.tf", "infra/modules/net/main.tf"] {
            assert_eq!(count(claim), 1, "{claim}");
        }
        for claim in [
            "old.tf",
            "other.tf",
            "modules/main.tf",
            "et/main.tf",
            "inside.py",
        ] {
            assert_eq!(count(claim), 0, "{claim}");
        }
        // Beside a file that a command names, and what is named itself, but not below.
        let beside = infra.join("modules/old.tf");
        assert_eq!(found(&scratch, &start, &around(&beside), "main.tf"), 0);
        scratch.write("../infra/modules/new.tf", "new");
        assert_eq!(found(&scratch, &start, &around(&beside), "new.tf"), 1);
        let written = [Mention::Written(infra.join("modules/../modules/new.tf"))];
        assert_eq!(found(&scratch, &start, &written, "modules/new.tf"), 1);
        let written = [Mention::Written(beside)];
        assert_eq!(
            found(&scratch, &start, &written, "old.tf"),
            0,
            "it is older"
        );
        // The work tree was read, and what is around it is not.
        assert_eq!(
            found(&scratch, &start, &around(&scratch.root), "inside.py"),
            0
        );
        let above = scratch.root.parent().unwrap();
        assert_eq!(found(&scratch, &start, &around(above), "inside.py"), 0);
        assert_eq!(found(&scratch, &start, &around(above), "main.tf"), 1);
    }

    #[test]
    fn what_was_moved_may_be_older() {
        let scratch = Scratch::new(&[]);
        scratch.write("../old/main.tf", "old");
        scratch.write("../there/other.tf", "old");
        scratch.settle();
        let start = Moment::now();
        let at = |name: &str| scratch.root.with_file_name(name);
        let moved = |from: &str, to: &str| {
            [Mention::Moved {
                from: at(from),
                to: at(to),
            }]
        };
        assert_eq!(
            found(&scratch, &start, &moved("old", "infra"), "main.tf"),
            0,
            "not yet"
        );
        fs::rename(at("old"), at("infra")).unwrap();
        assert_eq!(
            found(&scratch, &start, &moved("old", "infra"), "main.tf"),
            1
        );
        fs::rename(at("infra"), at("there/infra")).unwrap();
        assert_eq!(
            found(&scratch, &start, &moved("infra", "there"), "main.tf"),
            1
        );
        assert_eq!(
            found(&scratch, &start, &moved("infra", "there"), "other.tf"),
            0
        );
    }

    #[test]
    fn more_than_is_searched_is_a_doubt() {
        let scratch = Scratch::new(&[]);
        scratch.write("../infra/main.tf", "new");
        let limits = Limits::default();
        let start = Moment::now();
        let mut search = Search::new(&scratch.root, &start, &limits);
        search.count = Count::of((0, "names in folders outside"));
        let searched = search.of(&[Mention::Around(scratch.root.with_file_name("infra"))]);
        assert_eq!(
            searched
                .complete()
                .err()
                .map(ToString::to_string)
                .as_deref(),
            Some("not all was searched: more than 0 names in folders outside")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_is_followed_once() {
        let scratch = Scratch::new(&[]);
        let start = Moment::now();
        scratch.write("../real/main.tf", "new");
        scratch.write("../infra/x", "new");
        let at = |name: &str| scratch.root.with_file_name(name);
        std::os::unix::fs::symlink(at("real"), at("infra/link")).unwrap();
        std::os::unix::fs::symlink(at("infra"), at("real/back")).unwrap();
        let around = [Mention::Around(at("infra"))];
        assert_eq!(found(&scratch, &start, &around, "main.tf"), 1);
        assert_eq!(found(&scratch, &start, &around, "link/main.tf"), 1);
    }
}
