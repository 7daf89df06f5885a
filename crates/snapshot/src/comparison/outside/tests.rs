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
