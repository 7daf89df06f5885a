use std::fs;
use std::path::PathBuf;

use super::*;
use crate::Repository;
use crate::scratch::Scratch;

mod damage;
mod packs;
mod walks;

fn oid(scratch: &Scratch, name: &str) -> Oid {
    let text = scratch.ask(&["rev-parse", name], b"");
    Oid::from_hex(text.as_bytes()).unwrap()
}

/// Runs `look` with the objects as they are read from files, and as git hands them over.
fn with_both(scratch: &Scratch, look: impl Fn(&Odb<'_>, &str)) {
    for repository in scratch.both() {
        let limits = Limits::default();
        let how = format!(
            "{:?}",
            matches!(repository.access, crate::repository::Access::Program { .. })
        );
        look(&repository.odb(&limits), &how);
    }
}

/// The file of a loose object.
fn file_of(scratch: &Scratch, oid: Oid) -> PathBuf {
    let text = oid.to_string();
    let (folder, rest) = text.split_at(2);
    scratch.root.join(".git/objects").join(folder).join(rest)
}

fn the_pack(scratch: &Scratch) -> PathBuf {
    let files = fs::read_dir(scratch.root.join(".git/objects/pack")).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    files
        .find(|file| file.extension().is_some_and(|it| it == "pack"))
        .unwrap()
}

#[test]
fn objects_are_what_they_are_loose_and_packed() {
    let scratch = Scratch::new(&["a.py", "src/deep/b.py"]);
    for pack in [false, true] {
        if pack {
            scratch.git(&["gc", "--quiet"]);
        }
        with_both(&scratch, |odb, how| {
            let commit = odb.commit(oid(&scratch, "HEAD")).unwrap();
            assert_eq!(commit.tree, oid(&scratch, "HEAD^{tree}"), "{how}");
            assert!(commit.parents.is_empty() && commit.time > 0, "{how}");
            let names: Vec<_> = odb.tree(commit.tree).unwrap();
            let names: Vec<_> = names.into_iter().map(|item| item.name).collect();
            assert_eq!(names, [b"a.py".to_vec(), b"src".to_vec()], "{how}");
            let at = |path: &[u8]| odb.at(commit.tree, path).unwrap();
            let blob = at(b"src/deep/b.py").unwrap();
            let content = odb.blob(blob.oid, 100).unwrap();
            assert_eq!(content.as_deref(), Some(&b"old\n"[..]), "{how}");
            assert_eq!(odb.blob(blob.oid, 3).unwrap(), None, "larger: {how}");
            for path in [&b"src/gone"[..], b"a.py/b", b"gone/b.py", b""] {
                assert!(at(path).is_none(), "{how} {path:?}");
            }
            assert_eq!(
                odb.find(blob.oid).unwrap(),
                Some((ObjectKind::Blob, 4)),
                "{how}"
            );
            let missing = Oid::from_bytes(&[7; 20]).unwrap();
            assert_eq!(odb.find(missing).unwrap(), None, "{how}");
            assert!(
                odb.tree(missing).is_err() && odb.commit(commit.tree).is_err(),
                "{how}"
            );
        });
    }
}

/// As long as git lets a chain be, and each link is needed for the next.
#[test]
fn a_long_chain_of_deltas_is_followed() {
    const LINKS: usize = 4_095;
    let scratch = Scratch::new(&[]);
    let mut stream = String::new();
    let body = "a line that stays as it is from the first to the last\n".repeat(4);
    for number in 0..=LINKS {
        let text = format!("{body}{number}\n");
        stream.push_str(&format!(
            "blob\nmark :{}\ndata {}\n{text}\n",
            number + 1,
            text.len()
        ));
    }
    let marks = scratch.root.with_file_name("marks");
    let export = format!("--export-marks={}", marks.display());
    let depth = format!("--depth={LINKS}");
    scratch.ask(
        &["fast-import", "--quiet", &depth, &export],
        stream.as_bytes(),
    );
    let index = the_pack(&scratch).with_extension("idx");
    let chains = scratch.ask(
        &["verify-pack", "--stat-only", index.to_str().unwrap()],
        b"",
    );
    let longest = chains
        .lines()
        .filter_map(|line| line.strip_prefix("chain length = "));
    let longest = longest
        .filter_map(|line| line.split(':').next()?.parse::<usize>().ok())
        .max();
    assert!(
        longest.is_some_and(|longest| longest > LINKS / 2),
        "{chains}"
    );
    let marks = fs::read_to_string(marks).unwrap();
    with_both(&scratch, |odb, how| {
        for line in marks.lines().step_by(97) {
            let (mark, name) = line.split_once(' ').unwrap();
            let number: usize = mark[1..].parse().unwrap();
            let name = Oid::from_hex(name.as_bytes()).unwrap();
            let content = odb.blob(name, 10_000).unwrap().unwrap();
            assert!(
                content.ends_with(format!("\n{}\n", number - 1).as_bytes()),
                "{how} {line}"
            );
        }
    });
}

#[test]
fn objects_of_other_stores_are_found() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = oid(&scratch, "HEAD");
    let other = scratch.root.with_file_name("other");
    let [from, to] = [&scratch.root, &other].map(|path| path.to_str().unwrap().to_owned());
    scratch.git(&["clone", "--quiet", "--shared", &from, &to]);
    let repository = Repository::discover(&other, &Limits::default()).unwrap();
    for repository in [
        Repository::discover(&other, &Limits::default()).unwrap(),
        repository.through_program("a test"),
    ] {
        let limits = Limits::default();
        assert!(repository.odb(&limits).commit(commit).is_ok());
    }
    // Each names the other.
    let names = format!("{to}/.git/objects\n{from}/.git/objects\nnowhere\n");
    scratch.write(".git/objects/info/alternates", &names);
    with_both(&scratch, |odb, how| {
        assert!(odb.commit(commit).is_ok(), "{how}");
        let missing = Oid::from_bytes(&[7; 20]).unwrap();
        assert!(!matches!(odb.find(missing), Ok(Some(_))), "{how}");
    });
}

#[test]
fn tags_are_followed_up_to_a_bound() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = oid(&scratch, "HEAD");
    for number in 1..=bounds::TAGS {
        let on = if number == 1 {
            "HEAD".to_owned()
        } else {
            format!("t{}", number - 1)
        };
        scratch.git(&[
            "tag",
            "--annotate",
            "--message=x",
            &format!("t{number}"),
            &on,
        ]);
    }
    scratch.git(&["tag", "--annotate", "--message=x", "tree", "HEAD^{tree}"]);
    with_both(&scratch, |odb, how| {
        let peel = |name: &str| odb.peel(oid(&scratch, name));
        assert_eq!(peel("HEAD").unwrap(), commit, "{how}");
        assert_eq!(
            peel(&format!("t{}", bounds::TAGS - 1)).unwrap(),
            commit,
            "{how}"
        );
        let error = peel(&format!("t{}", bounds::TAGS)).unwrap_err();
        assert!(
            error.to_string().contains("too many tags"),
            "{how}: {error}"
        );
        assert!(peel("tree").is_err(), "{how}");
    });
}

#[test]
fn a_shallow_commit_has_no_parents() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["commit", "--quiet", "--allow-empty", "--message=second"]);
    let head = oid(&scratch, "HEAD");
    with_both(&scratch, |odb, _| {
        assert_eq!(odb.commit(head).unwrap().parents.len(), 1);
    });
    scratch.write(".git/shallow", &format!("{head}\nno name\n"));
    with_both(&scratch, |odb, how| {
        assert!(odb.commit(head).unwrap().parents.is_empty(), "{how}");
    });
}

#[test]
fn objects_are_read_as_long_as_the_budget_lasts() {
    let scratch = Scratch::new(&["a.py"]);
    let head = oid(&scratch, "HEAD");
    for repository in scratch.both() {
        let limits = Limits::default();
        let odb = repository.odb(&limits);
        let tree = odb.commit(head).unwrap().tree;
        let blob = odb.at(tree, b"a.py").unwrap().unwrap().oid;
        while limits.budget.take_items(1_000).is_ok() {}
        for why in [
            odb.commit(head).unwrap_err(),
            odb.blob(blob, 100).unwrap_err(),
        ] {
            let why = why.to_string();
            assert!(why.contains("bytes of others gone through"), "{why}");
        }
    }
}

#[test]
fn names_are_of_one_of_two_lengths() {
    for (text, is_one) in [
        ("0".repeat(40), true),
        ("aF".repeat(32), true),
        ("0".repeat(39), false),
        ("0".repeat(41), false),
        ("g".repeat(40), false),
        ("+f".repeat(20), false),
        (String::new(), false),
    ] {
        let found = Oid::from_hex(text.as_bytes());
        assert_eq!(found.is_some(), is_one, "{text}");
        if let Some(found) = found {
            assert_eq!(found.to_string(), text.to_lowercase());
        }
    }
}
