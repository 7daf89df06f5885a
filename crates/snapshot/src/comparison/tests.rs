use std::process::Command;

use tempfile::TempDir;

use super::*;
use crate::Snapshot;

/// A repository with one commit.
struct Scratch {
    _folder: TempDir,
    root: PathBuf,
}

impl Scratch {
    fn new(files: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let scratch = Self {
            _folder: folder,
            root,
        };
        scratch.git(&["init", "--quiet"]);
        for file in files {
            scratch.write(file, "old\n");
        }
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "--allow-empty", "--message", "start"]);
        scratch
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.invalid"])
            .args(arguments);
        let output = git.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn start(&self) -> WorkTree {
        match Snapshot::take(&self.root, &Limits::default(), |_| None) {
            Snapshot::Readable(tree) => tree,
            Snapshot::Unreadable(why) => panic!("{why}"),
        }
    }
}

fn stop<'a>(start: &'a WorkTree, cwd: &Path) -> Comparison<'a> {
    Comparison::with(start, cwd, &Limits::default()).unwrap()
}

#[test]
fn an_exact_sight_is_never_a_namesake_or_an_absence() {
    let scratch = Scratch::new(&["src/a.py", "README.md"]);
    let start = scratch.start();
    scratch.write("src/real.py", "new\n");
    let comparison = stop(&start, &scratch.root);
    for there in ["src/real.py", "SRC/Real.py", "src", "README.md"] {
        assert!(comparison.sight_exactly(there).is_some(), "{there}");
    }
    for not_there in ["ghost.py", "lib/real.py", "ghost.py, src/real.py", "/x/y"] {
        assert_eq!(comparison.sight_exactly(not_there), None, "{not_there}");
    }
}

#[test]
fn a_folder_is_known_from_the_root_and_from_that_of_the_agent() {
    let scratch = Scratch::new(&["src/deep/a.py", "old/b.py"]);
    let start = scratch.start();
    fs::remove_dir_all(scratch.root.join("old")).unwrap();
    scratch.write("new/c.py", "new\n");
    let comparison = stop(&start, &scratch.root.join("src"));
    for known in [
        "src/ghost.py",
        "deep/ghost.py",
        "old/ghost.py",
        "new/ghost.py",
        "project/ghost.py",
        "./nowhere/ghost.py",
        "../nowhere/ghost.py",
        "/nowhere/ghost.py",
        "ghost.py",
    ] {
        assert!(comparison.has_folder(known), "{known}");
    }
    for unknown in ["login/logout", "nowhere/ghost.py"] {
        assert!(!comparison.has_folder(unknown), "{unknown}");
    }
}
