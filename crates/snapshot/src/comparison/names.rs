//! Paths by the names that a claim may use: the whole path, a folder above it, or only its last
//! part.

use std::collections::{HashMap, HashSet};

use attest_evidence::MOST_NAMESAKES;

use super::placeholders::Pattern;
use super::several;
use super::unspeakable::Unspeakable;
use crate::{Budget, Doubt, RepoPath};

/// Some paths, and the folders above them.
#[derive(Debug, Default)]
pub(crate) struct Names {
    paths: Vec<RepoPath>,
    /// Each path and folder in its folded form, with the index of a path that it is or contains.
    known: HashMap<String, usize>,
    /// The same by last part.
    by_last: HashMap<String, Vec<(String, usize)>>,
    /// Files by last part without an extension.
    by_stem: HashMap<String, Vec<(String, usize)>>,
    seen: HashSet<String>,
    /// Those that text cannot carry.
    unspeakable: Vec<Unspeakable>,
}

/// A path that has the same last part as the one that was looked up, and the others that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SameBasename {
    pub(crate) changed: RepoPath,
    /// The others that have it, as far as they are named.
    pub(crate) others: Vec<RepoPath>,
    /// Whether that path ends in the one that was looked up.
    pub(crate) is_suffix: bool,
    /// Whether that path is the one that was looked up, with more folders or with a dot before one.
    pub(crate) is_short: bool,
}

impl Names {
    /// Adds a path.
    pub(crate) fn add(&mut self, path: &RepoPath) {
        self.unspeakable.extend(Unspeakable::of(path));
        // No text can name one that is not UTF-8.
        let Some(folded) = path.folded() else {
            return;
        };
        if !self.seen.insert(folded.clone()) {
            return;
        }
        let at = self.paths.len();
        self.paths.push(path.clone());
        for stem in stems(&folded) {
            let entry = self.by_stem.entry(last(stem).to_owned());
            entry.or_default().push((stem.to_owned(), at));
        }
        let mut rest = folded.as_str();
        // If a folder is known, so are the folders above it.
        while !self.known.contains_key(rest) {
            self.known.insert(rest.to_owned(), at);
            let entry = self.by_last.entry(last(rest).to_owned());
            entry.or_default().push((rest.to_owned(), at));
            match rest.rsplit_once('/') {
                Some((above, _)) => rest = above,
                None => break,
            }
        }
    }

    /// The path with this folded form, or one in the folder with this form.
    pub(crate) fn get(&self, folded: &str) -> Option<&RepoPath> {
        self.known.get(folded).map(|at| &self.paths[*at])
    }

    /// Whether `folded` may mean a path that text cannot carry.
    pub(crate) fn may_be_unspeakable(&self, folded: &str) -> bool {
        self.unspeakable.iter().any(|path| path.may_be(folded))
    }

    /// Whether one of them fits a name in which a part may stand for something.
    pub(super) fn check_patterns(&self, name: &RepoPath, budget: &Budget) -> Result<(), Doubt> {
        let pattern = Pattern::of(name);
        let end = name.folded().filter(|name| is_end(name));
        if pattern.is_none() && end.is_none() {
            return Ok(());
        }
        for path in &self.seen {
            budget.take(path.len())?;
            let is_whole = |end: &String| path.ends_with(end.as_str()) && last(path) != end;
            if pattern.as_ref().is_some_and(|it| it.fits(path))
                || end.as_ref().is_some_and(is_whole)
            {
                return Err(Doubt::Pattern);
            }
        }
        Ok(())
    }

    /// Whether a path may be several names that are written as one, all of them of files that are among these.
    pub(super) fn has_several(&self, path: &RepoPath, budget: &Budget) -> bool {
        let text = std::str::from_utf8(path.as_bytes()).unwrap_or_default();
        let is_affordable = budget.take(several::cost(text)).is_ok();
        is_affordable && several::are_all(text, |name| self.seen.contains(name))
    }

    /// The paths and folders with the last part of `folded`, each with a path that it is or contains.
    pub(crate) fn of_basename(&self, folded: &str) -> impl Iterator<Item = (&str, &RepoPath)> {
        self.by_basename(folded)
            .map(|(known, at)| (known, &self.paths[at]))
    }

    fn by_basename(&self, folded: &str) -> impl Iterator<Item = (&str, usize)> {
        let name = last(folded);
        let by_last = self.by_last.get(name).into_iter().flatten();
        let is_bare = !name.contains('.');
        let by_stem = self.by_stem.get(name).filter(|_| is_bare);
        let all = by_last.chain(by_stem.into_iter().flatten());
        all.map(|(known, at)| (known.as_str(), *at))
    }

    /// A path with the last part of `folded`. One that ends in all of `folded` is preferred.
    pub(crate) fn same_basename(&self, folded: &str) -> Option<SameBasename> {
        let inner = format!("/{folded}");
        let is_suffix = |known: &str| known == folded || known.ends_with(&inner);
        let all = self.by_basename(folded);
        let all = all.map(|(known, at)| (is_suffix(known), is_short(folded, known), at));
        let (is_suffix, is_short, best) =
            all.max_by_key(|(is_suffix, is_short, _)| (*is_suffix, *is_short))?;
        let others = self.by_basename(folded).map(|(_, at)| at);
        let others = others.filter(|at| *at != best).take(MOST_NAMESAKES);
        Some(SameBasename {
            changed: self.paths[best].clone(),
            others: others.map(|at| self.paths[at].clone()).collect(),
            is_suffix,
            is_short,
        })
    }
}

impl<'a> FromIterator<&'a RepoPath> for Names {
    fn from_iter<I: IntoIterator<Item = &'a RepoPath>>(paths: I) -> Self {
        let mut names = Self::default();
        for path in paths {
            names.add(path);
        }
        names
    }
}

impl SameBasename {
    /// All of them, the likeliest first.
    pub(crate) fn all(self) -> Vec<RepoPath> {
        let mut all = vec![self.changed];
        all.extend(self.others);
        all
    }
}

/// Whether `short` is `path` with folders left out, or without the dot of one: `core/n.rs` for `crates/core/src/n.rs`.
fn is_short(short: &str, path: &str) -> bool {
    let mut parts = path.rsplit('/').map(without_dots);
    let mut wanted = short.rsplit('/').map(without_dots);
    wanted.next() == parts.next() && wanted.all(|part| parts.any(|it| it == part))
}

/// Whether a name may be only how one ends that stands in front of it: ".down.sql", "_fr.properties".
fn is_end(name: &str) -> bool {
    name.starts_with(['.', '_', '-']) && !name.contains('/')
}

fn without_dots(part: &str) -> &str {
    part.trim_start_matches('.')
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path without its last extension, and without all of them.
fn stems(path: &str) -> impl Iterator<Item = &str> {
    let start = path.len() - last(path).len();
    let dots = |dot: Option<usize>| dot.filter(|dot| *dot > 0).map(|dot| &path[..start + dot]);
    let name = last(path);
    let shortest = dots(name.find('.'));
    let longest = dots(name.rfind('.')).filter(|stem| Some(*stem) != shortest);
    shortest.into_iter().chain(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Names {
        let paths: Vec<_> = texts
            .iter()
            .map(|text| RepoPath::from_git(text.as_bytes()).unwrap())
            .collect();
        paths.iter().collect()
    }

    fn same_basename(texts: &[&str], path: &str) -> Option<(String, bool)> {
        let found = names(texts).same_basename(path)?;
        Some((found.changed.to_string(), found.is_suffix))
    }

    #[test]
    fn a_folder_is_known_by_what_it_holds() {
        let names = names(&["Src/deep/a.py", "src/b.py"]);
        for known in ["src", "src/deep", "src/deep/a.py", "src/b.py"] {
            assert!(names.get(known).is_some(), "{known}");
        }
        assert_eq!(names.get("deep"), None);
    }

    #[test]
    fn the_end_of_a_path_says_more_than_its_last_part() {
        let changed = ["lib/a.py", "pkg/src/a.py", "x/a.py"];
        let found = |path| same_basename(&changed, path);
        assert_eq!(found("src/a.py"), Some(("pkg/src/a.py".into(), true)));
        assert!(matches!(found("other/a.py"), Some((_, false))));
        assert_eq!(found("pkg/b.py"), None);
        assert!(matches!(found("app/src"), Some((_, false))));
    }

    #[test]
    fn a_short_form_leaves_folders_out() {
        let is_short = |path: &str| {
            let names = names(&["crates/core/src/n.rs", ".github/workflows/n.yml"]);
            names.same_basename(path).is_some_and(|it| it.is_short)
        };
        for path in ["core/n.rs", "crates/core/n.rs", "github/workflows/n.yml"] {
            assert!(is_short(path), "{path}");
        }
        for path in [
            "other/n.rs",
            "src/core/n.rs",
            "core/m.rs",
            "gitlab/workflows/n.yml",
        ] {
            assert!(!is_short(path), "{path}");
        }
    }

    #[test]
    fn a_name_without_extension_is_that_of_a_file_that_has_one() {
        let changed = ["src/parser.test.ts", "src/.env"];
        let found = |path| same_basename(&changed, path).map(|(_, is_suffix)| is_suffix);
        assert_eq!(found("parser"), Some(true));
        assert_eq!(found("lib/parser"), Some(false));
        assert_eq!(found("parser.ts"), None);
        assert_eq!(found("env"), None);
    }
}
