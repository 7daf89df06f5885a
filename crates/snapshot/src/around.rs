//! The work trees around a folder: what lies there was chosen by whoever writes there, and so is what a
//! link there leads to.

use std::io;
use std::path::{Path, PathBuf};

/// As many links as the kernel follows.
pub(crate) const MOST_LINKS: usize = 40;

/// Every work tree that a folder is in: its own, and that of a project around a nested one.
#[derive(Debug, Clone)]
pub struct Around {
    roots: Vec<PathBuf>,
}

impl Around {
    /// Those around `folder`. A home folder that is a repository holds the person's own programs, and does
    /// not count beside a nearer one; alone it does, since settings of a project may say what the home is.
    #[must_use]
    pub fn folder(folder: &Path, home: Option<&Path>) -> Self {
        let mut around = Self::all(folder);
        let nearest = around.roots.first().cloned();
        around.leave_out(home.filter(|_| nearest != home.and_then(|it| crate::canonical(it).ok())));
        around
    }

    /// The same for a person who says what their home folder is: it does not count.
    #[must_use]
    pub fn person(folder: &Path, home: Option<&Path>) -> Self {
        let mut around = Self::all(folder);
        around.leave_out(home);
        around
    }

    fn all(folder: &Path) -> Self {
        let folder = crate::canonical(folder).unwrap_or_else(|_| folder.to_owned());
        let is_root = |it: &&Path| it.join(".git").symlink_metadata().is_ok();
        let roots = folder.ancestors().filter(is_root).map(Path::to_owned);
        Self {
            roots: roots.collect(),
        }
    }

    fn leave_out(&mut self, home: Option<&Path>) {
        let home = home.and_then(|home| crate::canonical(home).ok());
        self.roots.retain(|root| Some(root) != home.as_ref());
    }

    /// The same, or the folder itself if it is in none.
    pub(crate) fn or_folder(folder: &Path, home: Option<&Path>) -> Self {
        let mut around = Self::folder(folder, home);
        if around.roots.is_empty() {
            let folder = crate::canonical(folder).unwrap_or_else(|_| folder.to_owned());
            around.roots.push(folder);
        }
        around
    }

    /// Whether a path is in one of them, or leads through one. What cannot be followed to its end may.
    #[must_use]
    pub fn holds(&self, path: &Path) -> bool {
        let is_inside = |stop: &PathBuf| self.roots.iter().any(|root| stop.starts_with(root));
        stops(path).map_or(true, |stops| stops.iter().any(is_inside))
    }
}

/// Every link on the way of a path, by its name without links, and where the way ends.
#[cfg(unix)]
pub fn stops(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut stops = Vec::new();
    let mut left: Vec<_> = components(&std::path::absolute(path)?);
    let mut here = PathBuf::from("/");
    while let Some(name) = left.pop() {
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(name);
        if !next.symlink_metadata()?.is_symlink() {
            here = next;
            continue;
        }
        if stops.len() == MOST_LINKS {
            return Err(io::Error::other("too many links"));
        }
        let target = next.read_link()?;
        if target.is_absolute() {
            here = PathBuf::from("/");
        }
        left.extend(components(&target));
        stops.push(next);
    }
    stops.push(here);
    Ok(stops)
}

/// The names in a path, the last first.
#[cfg(unix)]
fn components(path: &Path) -> Vec<std::ffi::OsString> {
    use std::path::Component;
    let names = path
        .components()
        .rev()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
        });
    names.collect()
}

/// Links are rare where they take a right to be made: the ends are looked at.
#[cfg(not(unix))]
pub fn stops(path: &Path) -> io::Result<Vec<PathBuf>> {
    let named = path.ancestors().filter_map(|it| crate::canonical(it).ok());
    let mut stops: Vec<_> = named.collect();
    stops.push(crate::canonical(path)?);
    Ok(stops)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A project with a repository in it, and a program of neither.
    fn world() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap();
        for name in [
            "home/.git",
            "home/project/.git",
            "home/project/nested/.git",
            "home/bin",
            "other",
        ] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in [
            "other/tool",
            "home/bin/tool",
            "home/project/tool",
            "home/project/nested/tool",
        ] {
            fs::write(root.join(name), "").unwrap();
        }
        (folder, root)
    }

    #[test]
    fn every_work_tree_around_counts_but_the_home_folder() {
        let (_folder, root) = world();
        let home = root.join("home");
        let around = Around::folder(&home.join("project/nested"), Some(&home));
        assert!(around.holds(&home.join("project/nested/tool")));
        assert!(around.holds(&home.join("project/tool")));
        assert!(!around.holds(&home.join("bin/tool")));
        assert!(!around.holds(&root.join("other/tool")));
        assert!(around.holds(&root.join("not/there")));
        let other = Around::folder(&home.join("project"), None);
        assert!(other.holds(&home.join("bin/tool")));
        let alone = home.join("bin");
        assert!(Around::folder(&alone, Some(&home)).holds(&home.join("bin/tool")));
        assert!(!Around::person(&alone, Some(&home)).holds(&home.join("bin/tool")));
    }

    #[test]
    fn a_way_through_a_work_tree_is_in_it() {
        let (_folder, root) = world();
        let project = root.join("home/project");
        symlink("../../other", project.join("folder")).unwrap();
        symlink(project.join("folder/tool"), root.join("twice")).unwrap();
        symlink(root.join("other"), root.join("beside")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let around = Around::folder(&project, Some(&root.join("home")));
        assert!(around.holds(&project.join("folder/tool")));
        assert!(around.holds(&root.join("twice")));
        assert!(around.holds(&root.join("loop")));
        assert!(around.holds(&root.join("other/../home/project/tool")));
        assert!(!around.holds(&root.join("beside/tool")));
    }
}
