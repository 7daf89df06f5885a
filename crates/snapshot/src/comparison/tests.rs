use super::*;
use crate::scratch::Scratch;

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
