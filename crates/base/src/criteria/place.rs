//! The place of a criteria file, which trust is for as much as for its content: the commands run there,
//! and mean what the files there make of them.
//!
//! All work trees of a repository are one place, so that an agent in a work tree of its own is measured
//! as well.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attest_snapshot::canonical;
use attest_state::trust::CriteriaPlace;

use crate::work_trees::common_dir;

/// The place of `file`, whose commands run in `folder`: where it is, with all links resolved.
pub(super) fn place_of(folder: &Path, file: &Path) -> io::Result<CriteriaPlace> {
    let folder = canonical(folder)?;
    let file = canonical(file)?;
    let top = folder
        .ancestors()
        .find(|above| fs::symlink_metadata(above.join(".git")).is_ok())
        .unwrap_or(&folder);
    Ok(CriteriaPlace {
        root: common_dir(top).unwrap_or_else(|| top.to_owned()),
        folder: relative(&folder, top),
        file: relative(&file, &folder),
    })
}

fn relative(path: &Path, folder: &Path) -> PathBuf {
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A scratch folder, with links in its own path resolved.
    fn scratch() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let path = canonical(folder.path()).unwrap();
        (folder, path)
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn place(folder: &Path) -> CriteriaPlace {
        let file = folder.join(".attest/criteria.yaml");
        write(&file, "");
        place_of(folder, &file).unwrap()
    }

    /// A repository with a linked work tree, in the form that git gives them.
    fn linked(scratch: &Path) -> (PathBuf, PathBuf) {
        let (main, linked) = (scratch.join("main"), scratch.join("linked"));
        let git_dir = main.join(".git/worktrees/linked");
        write(&git_dir.join("commondir"), "../..\n");
        let own = linked.join(".git");
        write(&git_dir.join("gitdir"), &format!("{}\n", own.display()));
        write(&own, &format!("gitdir: {}\n", git_dir.display()));
        (main, linked)
    }

    #[test]
    fn work_trees_of_a_repository_are_one_place() {
        let (_folder, scratch) = scratch();
        let (main, linked) = linked(&scratch);
        assert_eq!(place(&main).root, main.join(".git"));
        assert_eq!(place(&linked), place(&main));
        let below = place(&linked.join("packages/a"));
        assert_eq!(below, place(&main.join("packages/a")));
        assert_ne!(below, place(&main));
        // As git writes them with `worktree.useRelativePaths`.
        write(
            &main.join(".git/worktrees/linked/gitdir"),
            "../../../../linked/.git\n",
        );
        write(
            &linked.join(".git"),
            "gitdir: ../main/.git/worktrees/linked\n",
        );
        assert_eq!(place(&linked), place(&main));
    }

    #[test]
    fn a_folder_that_only_says_so_is_a_place_of_its_own() {
        let (_folder, scratch) = scratch();
        let (main, linked) = linked(&scratch);
        let git_dir = main.join(".git");
        let entry = git_dir.join("worktrees/linked");
        for (name, content) in [
            ("to-repository", format!("gitdir: {}\n", git_dir.display())),
            ("to-entry", format!("gitdir: {}\n", entry.display())),
            ("to-nothing", "gitdir: /nowhere\n".to_owned()),
            ("no-path", "hello".to_owned()),
        ] {
            let top = scratch.join(name);
            write(&top.join(".git"), &content);
            assert_eq!(place(&top).root, top, "{name}");
        }
        let top = scratch.join("with-commondir");
        write(&top.join(".git/commondir"), &git_dir.display().to_string());
        assert_eq!(place(&top).root, top);
        #[cfg(unix)]
        {
            let top = scratch.join("by-link");
            fs::create_dir(&top).unwrap();
            std::os::unix::fs::symlink(&git_dir, top.join(".git")).unwrap();
            assert_eq!(place(&top).root, top);
        }
        assert_eq!(place(&linked).root, git_dir);
    }

    #[test]
    fn a_file_from_elsewhere_is_trusted_in_the_folder_where_it_runs() {
        let (_folder, scratch) = scratch();
        let (mine, other) = (scratch.join("mine"), scratch.join("other"));
        fs::create_dir(&other).unwrap();
        let file = mine.join("criteria.yaml");
        write(&file, "");
        let [here, there] = [&mine, &other].map(|folder| place_of(folder, &file).unwrap());
        assert_eq!((here.root, here.file), (mine, "criteria.yaml".into()));
        assert_eq!((there.root, there.file), (other, file));
    }
}
