//! The search for all paths with one of the names that are looked for: on the disk, and in commits.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use attest_evidence::{Doubt, RepoPath, fold, path_bytes};

use super::{LookingBack, in_doubt};
use crate::Repository;
use crate::bounds::{self, Count};
use crate::comparison::names::Names;
use crate::deadline::check_time;
use crate::git::Ask;

/// Names that git is asked for at once.
const NAMES_AT_ONCE: usize = 200;

impl LookingBack {
    /// Looks for all paths that end in one of these names, which are folded: on the disk, and in the commits since a
    /// time, or in all of them.
    pub fn search(&mut self, wanted: &BTreeSet<String>, since: Option<&str>) {
        self.disk = self.on_disk(wanted);
        self.committed = self.in_commits(wanted, since);
    }

    fn on_disk(&self, wanted: &BTreeSet<String>) -> Result<Names, Doubt> {
        let mut names = Names::default();
        let mut count = Count::of(bounds::LOOKED_THROUGH);
        for root in &self.roots {
            let is_in_another = self
                .roots
                .iter()
                .any(|it| it != root && root.starts_with(it));
            if !is_in_another {
                self.walk(root, wanted, &mut count, &mut names)?;
            }
        }
        Ok(names)
    }

    fn walk(
        &self,
        root: &Path,
        wanted: &BTreeSet<String>,
        count: &mut Count,
        names: &mut Names,
    ) -> Result<(), Doubt> {
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            check_time(&self.limits).map_err(in_doubt)?;
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if crate::nothing::is_missing(&error) => continue,
                Err(_) => return Err(Doubt::UnreadableFolder),
            };
            for entry in entries {
                let entry = entry.map_err(|_| Doubt::UnreadableFolder)?;
                count.add(1)?;
                let name = entry.file_name();
                if name == ".git" {
                    continue;
                }
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let path = entry.path();
                if is_wanted(&name.to_string_lossy(), wanted)
                    && let Some(path) = path.strip_prefix(root).ok().map(path_bytes)
                    && let Some(path) = RepoPath::from_git(&path)
                {
                    names.add(&path);
                }
                if is_folder {
                    folders.push(path);
                }
            }
        }
        Ok(())
    }

    fn in_commits(&self, wanted: &BTreeSet<String>, since: Option<&str>) -> Result<Names, Doubt> {
        let repository = Repository::discover(&self.root, &self.limits).map_err(in_doubt)?;
        if repository.common_dir.join("shallow").exists() {
            return Err(Doubt::PartOfHistory);
        }
        let git = repository.git(&self.limits);
        let mut names = Names::default();
        let wanted: Vec<_> = wanted.iter().collect();
        for some in wanted.chunks(NAMES_AT_ONCE) {
            let mut arguments = Vec::new();
            arguments.extend(since.map(|since| format!("--since={since}")));
            arguments.push("--".to_owned());
            for name in some {
                let pattern = pattern(name);
                arguments.push(format!(":(top,icase,glob)**/{pattern}"));
                arguments.push(format!(":(top,icase,glob)**/{pattern}/**"));
                // A name without its ending.
                arguments.push(format!(":(top,icase,glob)**/{pattern}.*"));
            }
            let answer = git
                .ask_twice(Ask::Touched, &arguments)
                .map_err(|error| in_doubt(error.into()))?;
            let paths = answer
                .split(|byte| *byte == 0)
                .map(<[u8]>::trim_ascii_start);
            for path in paths.filter_map(RepoPath::from_git) {
                names.add(&path);
            }
        }
        Ok(names)
    }
}

/// Whether the last part of a path is looked for: whole, or without its endings.
fn is_wanted(name: &str, wanted: &BTreeSet<String>) -> bool {
    let name = fold(name);
    let dots = name.match_indices('.').map(|(at, _)| &name[..at]);
    dots.chain([name.as_str()]).any(|it| wanted.contains(it))
}

/// A name in a pattern of git: what is not ASCII may be spelt in several ways.
fn pattern(name: &str) -> String {
    let mut pattern = String::new();
    for char in name.chars() {
        match char {
            '*' | '?' | '[' | ']' | '\\' => {
                pattern.push('\\');
                pattern.push(char);
            }
            char if char.is_ascii() => pattern.push(char),
            _ if pattern.ends_with('*') => {}
            _ => pattern.push('*'),
        }
    }
    pattern
}
