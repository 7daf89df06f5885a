//! From a text that an agent wrote to the places that it may mean.

mod windows;

use std::path::{Component, Path, PathBuf};

use crate::os_path::{as_named, share_of};
use crate::path_bytes;
use crate::reach::Reach;
use crate::{Doubt, RepoPath, bounds};
use attest_evidence::apart;

/// What a text may mean.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// Inside the work tree.
    pub(crate) inside: Vec<RepoPath>,
    /// Anywhere else.
    pub(crate) outside: Vec<PathBuf>,
    /// Why one of those is not looked at.
    pub(crate) left_out: Option<Doubt>,
    /// Of those inside, the ones that lie in another work tree of the repository.
    pub(crate) linked: Vec<Linked>,
    /// What the text says relative to an unnamed folder; absent if it is absolute or climbs out.
    pub(crate) relative: Option<RepoPath>,
}

/// A path in another work tree of the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Linked {
    /// The top folder of that work tree.
    pub(crate) tree: PathBuf,
    /// The path in it.
    pub(crate) path: RepoPath,
}

impl Linked {
    pub(crate) fn exists(&self) -> bool {
        let place = self.path.under(&self.tree);
        place.is_some_and(|place| place.exists())
    }
}

/// Interprets `text` relative to the work tree at `root`, the folder in which the agent worked, and
/// each folder between them. Only within reach it is looked where links lead.
pub(crate) fn places(text: &str, root: &Path, cwd: &Path, reach: &Reach) -> Places {
    let mut places = Places::default();
    if text.len() > bounds::CLAIMED {
        return places;
    }
    if cfg!(windows) {
        let (root, cwd) = (as_named(root), as_named(cwd));
        for form in windows::forms(text, share_of(&root).as_ref()) {
            places.read(Path::new(&form), &root, &cwd, reach);
        }
    } else if is_foreign_absolute(text) {
        places.outside.push(PathBuf::from(text));
    } else {
        places.read(Path::new(text), root, cwd, reach);
    }
    places
}

/// Whether a text begins at the person's home folder: "~/project/a.py".
pub(crate) fn is_of_home(text: &str) -> bool {
    text.starts_with("~/")
}

/// A relative path without its dots. `None` if it climbs out.
pub(crate) fn relative(path: &Path) -> Option<RepoPath> {
    without_dots(path).and_then(|path| RepoPath::from_git(&path_bytes(&path)))
}

impl Places {
    /// Adds all that a path may be relative to.
    fn read(&mut self, path: &Path, root: &Path, cwd: &Path, reach: &Reach) {
        if let Ok(rest) = path.strip_prefix("~") {
            if let Some(home) = reach.home() {
                self.add(&home.join(rest), root, |place| reach.check(place));
            }
            return;
        }
        // Windows has paths from the top of a drive that do not name it: that of the work tree. "/c/project/a.py" is
        // rather on the drive "c", which was read before.
        if path.has_root() {
            let place = root.join(path);
            let is_other = !path.is_absolute() && !self.inside.is_empty();
            if !is_other || reach.check(&place).is_ok() {
                self.add(&place, root, |place| reach.check(place));
            }
            return;
        }
        let check = |place: &Path| reach.check_mounts(place);
        self.relative = self.relative.take().or_else(|| relative(path));
        let between = cwd.ancestors().skip(1);
        let between = between.take_while(|folder| *folder != root && folder.starts_with(root));
        for base in [root, cwd].into_iter().chain(between) {
            self.add(&base.join(path), root, check);
        }
        // "project/src/a.py", as seen from the folder that contains the project.
        if let Some(name) = root.file_name()
            && let Ok(rest) = path.strip_prefix(name)
        {
            self.add(&root.join(rest), root, check);
        }
    }

    /// Adds a path of another work tree, which is looked for in all of them by its name there.
    pub(crate) fn add_linked(&mut self, tree: &Path, path: RepoPath) {
        let linked = Linked {
            tree: tree.to_owned(),
            path: path.clone(),
        };
        if !self.linked.contains(&linked) {
            self.linked.push(linked);
        }
        if !self.inside.contains(&path) {
            self.inside.push(path);
        }
    }

    fn add(&mut self, path: &Path, root: &Path, check: impl FnOnce(&Path) -> Result<(), Doubt>) {
        // Two slashes in front are one to this system, and another machine to those who write them.
        let is_of_other = cfg!(unix) && apart(&path_bytes(path)).is_some();
        let Some(path) = without_dots(path) else {
            return;
        };
        let mut inside = path.strip_prefix(root).map(Path::to_owned);
        if inside.is_err() {
            let checked = if is_of_other && apart(&path_bytes(&path)).is_none() {
                Err(Doubt::NotLookedAt)
            } else {
                check(&path)
            };
            if let Err(why) = checked {
                self.left_out = Some(why);
                return;
            }
            inside = resolve_existing(&path)
                .strip_prefix(root)
                .map(Path::to_owned);
        }
        match inside.map(|inside| RepoPath::from_git(&path_bytes(&inside))) {
            Ok(Some(inside)) if !self.inside.contains(&inside) => self.inside.push(inside),
            Ok(Some(_)) => {}
            // The root itself, or a place outside.
            Ok(None) | Err(_) => {
                if !self.outside.contains(&path) {
                    self.outside.push(path);
                }
            }
        }
    }
}

/// A path of another system, with a drive letter or a share.
fn is_foreign_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = matches!(bytes, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    drive || text.starts_with("\\\\")
}

/// Resolves `.` and `..` in the text alone. `None` if it climbs above the file system's root.
pub(crate) fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

/// Resolves links in the part of the path that exists.
fn resolve_existing(path: &Path) -> PathBuf {
    for ancestor in path.ancestors().skip(1) {
        if let Ok(resolved) = crate::canonical(ancestor) {
            let resolved = as_named(&resolved);
            return match path.strip_prefix(ancestor) {
                Ok(rest) => resolved.join(rest),
                Err(_) => resolved.into_owned(),
            };
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::Limits;

    fn inside(text: &str, root: &Path, cwd: &Path) -> Vec<String> {
        let near = root.parent().map(Path::to_owned);
        let places = places(text, root, cwd, &Reach::of(near, &Limits::default()));
        places.inside.iter().map(ToString::to_string).collect()
    }

    fn project() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap().join("project");
        fs::create_dir_all(root.join("sub")).unwrap();
        (folder, root)
    }

    #[test]
    fn relative_to_the_root_and_to_the_folder_of_the_agent() {
        let (_folder, root) = project();
        let sub = root.join("sub");
        assert_eq!(inside("a.py", &root, &sub), ["a.py", "sub/a.py"]);
        assert_eq!(inside("./a.py", &root, &root), ["a.py"]);
        assert_eq!(
            inside("project/a.py", &root, &root),
            ["project/a.py", "a.py"]
        );
    }

    #[test]
    fn relative_to_each_folder_between_them() {
        let (_folder, root) = project();
        let deep = root.join("sub/pkg/src");
        assert_eq!(
            inside("a.py", &root, &deep),
            ["a.py", "sub/pkg/src/a.py", "sub/pkg/a.py", "sub/a.py"]
        );
        let relative = |text| places(text, &root, &root, &Reach::default()).relative;
        assert_eq!(relative("./x/../a.py"), RepoPath::from_git(b"a.py"));
        assert_eq!(relative("../a.py"), None);
        assert_eq!(relative("/a.py"), None);
    }

    #[test]
    #[expect(
        clippy::join_absolute_paths,
        reason = "Windows joins them to the drive"
    )]
    fn absolute_paths_are_cut_at_the_root() {
        let (_folder, root) = project();
        let text = root.join("sub/../x/a.py");
        assert_eq!(inside(text.to_str().unwrap(), &root, &root), ["x/a.py"]);
        // On Windows it is on the drive of the work tree.
        let elsewhere = "/somewhere/else.py";
        let mut reach = Reach::default();
        let other = places(elsewhere, &root, &root, &reach);
        assert_eq!(
            (other.outside, other.left_out),
            (vec![], Some(Doubt::Outside))
        );
        reach.add(root.join("/somewhere"));
        let other = places(elsewhere, &root, &root, &reach);
        assert_eq!(other.outside, [root.join(elsewhere)]);
    }

    #[cfg(unix)]
    #[test]
    fn no_call_makes_anybody_look_at_another_machine() {
        let (_folder, root) = project();
        let mut reach = Reach::default();
        for named in ["/proc/self", "/net/host", "/host/share"] {
            reach.add(named.into());
        }
        for text in ["/proc/self/fd/0", "/net/host/a.py", "//host/share/a.py"] {
            let other = places(text, &root, &root, &reach);
            assert_eq!(other.left_out, Some(Doubt::NotLookedAt), "{text}");
            assert_eq!(other.outside, [""; 0].map(PathBuf::from), "{text}");
        }
        let text = format!("/{}/a.py", root.display());
        assert_eq!(inside(&text, &root, &root), ["a.py"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_way_to_the_root_is_the_root() {
        let (folder, root) = project();
        let alias = folder.path().join("alias");
        std::os::unix::fs::symlink(&root, &alias).unwrap();
        let text = alias.join("new/a.py");
        assert_eq!(inside(text.to_str().unwrap(), &root, &root), ["new/a.py"]);
    }

    #[test]
    fn climbing_out_is_outside() {
        let (_folder, root) = project();
        assert_eq!(inside("../other/a.py", &root, &root), [""; 0]);
    }

    #[cfg(windows)]
    #[test]
    fn a_drive_written_as_a_folder_leads_into_the_work_tree() {
        let (_folder, root) = project();
        let text = root.to_str().unwrap().replace('\\', "/");
        let (drive, rest) = text.split_once(':').unwrap();
        assert_eq!(
            inside(&format!("/{drive}{rest}/x/a.py"), &root, &root),
            ["x/a.py"]
        );
        assert_eq!(inside("/c/somewhere/else.py", &root, &root), [""; 0]);
    }

    #[cfg(not(windows))]
    #[test]
    fn paths_of_another_system_are_outside() {
        let (_folder, root) = project();
        assert_eq!(inside(r"C:\project\a.py", &root, &root), [""; 0]);
        assert_eq!(inside(r"\\server\share\a.py", &root, &root), [""; 0]);
    }
}
