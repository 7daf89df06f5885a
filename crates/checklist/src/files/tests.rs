#![allow(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tempfile::TempDir;

use super::*;

static RUNNING: AtomicBool = AtomicBool::new(false);
const STOP: Stop<'_> = Stop {
    deadline: None,
    cancelled: &RUNNING,
};

fn tree(files: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    folder
}

fn wanted<'a>(pattern: &'a PathPattern, conditions: &'a Conditions) -> Wanted<'a> {
    Wanted {
        pattern,
        conditions,
        keep: 100,
        only_files: false,
    }
}

fn find(root: &Path, text: &str) -> Vec<String> {
    let pattern = PathPattern::new(text).unwrap();
    let found = search(root, &[wanted(&pattern, &Conditions::default())], &STOP);
    let names = found[0]
        .met
        .iter()
        .map(|path| path.to_str().unwrap().replace('\\', "/"));
    names.collect()
}

#[test]
fn names_and_globs() {
    let tree = tree(&[
        "a.txt",
        "src/lib.rs",
        "src/deep/er/mod.rs",
        "src/lib.rs.orig",
        ".git/config",
        ".hidden/x.rs",
        "pages/[id].tsx",
        "b/c.txt",
    ]);
    let root = tree.path();
    for (text, expected) in [
        ("a.txt", &["a.txt"][..]),
        ("./a.txt", &["a.txt"]),
        ("missing", &[]),
        ("a.txt/b", &[]),
        ("src", &["src"]),
        ("src/", &["src"]),
        ("a.txt/", &[]),
        (
            "**/*.rs",
            &[".hidden/x.rs", "src/deep/er/mod.rs", "src/lib.rs"],
        ),
        ("src/**/*.rs", &["src/deep/er/mod.rs", "src/lib.rs"]),
        ("src/*.rs", &["src/lib.rs"]),
        ("src/**/", &["src/deep", "src/deep/er"]),
        ("*", &[".hidden", "a.txt", "b", "pages", "src"]),
        ("{a,b/c}.txt", &["a.txt", "b/c.txt"]),
        ("**/{lib,mod}.rs", &["src/deep/er/mod.rs", "src/lib.rs"]),
        ("**/deep/**/*.rs", &["src/deep/er/mod.rs"]),
        ("?.txt", &["a.txt"]),
        ("[a-c].txt", &["a.txt"]),
        ("pages/[id].tsx", &["pages/[id].tsx"]),
        (".git/config", &[".git/config"]),
        (".git/*", &[]),
        ("nowhere/**", &[]),
        (".", &[""]),
    ] {
        assert_eq!(find(root, text), expected, "{text}");
    }
}

#[test]
fn a_thousand_globs_take_one_walk() {
    let names: Vec<_> = (0..200)
        .map(|n| format!("d{}/e{n}/f{n}.rs", n % 20))
        .collect();
    let tree = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let patterns: Vec<_> = (0..1000)
        .map(|n| match n % 4 {
            0 => format!("**/f{n}.rs"),
            1 => format!("d{}/**/*.rs", n % 20),
            2 => format!("d*/e{n}/*"),
            _ => format!("d{}/e*/f{n}.*", n % 20),
        })
        .map(|text| PathPattern::new(&text).unwrap())
        .collect();
    let conditions = Conditions::default();
    let wanted: Vec<_> = patterns
        .iter()
        .map(|pattern| wanted(pattern, &conditions))
        .collect();
    let root = resolved(tree.path()).unwrap();
    let mut search = Search {
        root: &root,
        wanted: &wanted,
        found: wanted.iter().map(|_| Found::default()).collect(),
        folders_read: 0,
        stop: &STOP,
    };
    search.walk();
    assert_eq!(search.folders_read, 1 + 20 + 200, "every folder once");
    assert_eq!(search.found[0].met, [Path::new("d0/e0/f0.rs")]);
    assert_eq!(search.found[1].count, 10);
    assert_eq!(search.found[2].met, [Path::new("d2/e2/f2.rs")]);
    assert_eq!(search.found[203].count, 0);
}

/// Run with `cargo test -p attest-checklist -- --ignored --nocapture walk`.
#[test]
#[ignore = "makes 100,000 files"]
fn measure_the_walk_of_a_large_tree() {
    let folder = TempDir::new().unwrap();
    for top in 0..100 {
        for below in 0..10 {
            let path = folder.path().join(format!("crate{top}/src/part{below}"));
            fs::create_dir_all(&path).unwrap();
            for file in 0..100 {
                fs::write(path.join(format!("file{file}.rs")), "x").unwrap();
            }
        }
    }
    let texts = (0..1000).map(|n| match n % 8 {
        0 => format!("crate{}/src/part{}/file1.rs", n % 100, n % 10),
        1 => format!("**/name{n}.rs"),
        2 => format!("crate{}/**/*.rs", n % 100),
        3 => format!("**/*_{n}.rs"),
        4 => format!("**/*.gen{n}"),
        5 => format!("crate{}/src/*/file{}.*", n % 100, n % 100),
        6 => format!("crate{}/*/part?/missing{n}.rs", n % 100),
        _ => format!("crate*/src/part{}/only{n}.rs", n % 10),
    });
    let patterns: Vec<_> = texts.map(|text| PathPattern::new(&text).unwrap()).collect();
    let conditions = Conditions::default();
    let wanted: Vec<_> = patterns
        .iter()
        .map(|pattern| wanted(pattern, &conditions))
        .collect();
    let mut best = std::time::Duration::MAX;
    for _ in 0..3 {
        let took = attest_clock::processor_time(|| {
            let found = search(folder.path(), &wanted, &STOP);
            assert!(found.iter().filter(|found| found.count > 0).count() > 300);
        });
        best = best.min(took);
    }
    #[expect(clippy::disallowed_macros, reason = "a figure for whoever measures")]
    {
        println!("1,000 file checks on 100,000 files: {best:?}");
    }
    assert!(best.as_secs_f64() < 1.0, "{best:?}");
}

#[test]
fn no_more_is_looked_at_after_the_end() {
    let tree = tree(&["a/b.txt"]);
    let pattern = PathPattern::new("**/*.txt").unwrap();
    let stop = Stop {
        deadline: Some(Instant::now()),
        cancelled: &RUNNING,
    };
    let found = search(
        tree.path(),
        &[wanted(&pattern, &Conditions::default())],
        &stop,
    );
    assert_eq!(found[0].count, 0);
    assert_eq!(found[0].unknown.as_ref().unwrap().1, "no time is left");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

    fn fit(root: &Path, name: &str, conditions: &Conditions) -> ConditionsMet {
        let root = resolved(root).unwrap();
        conditions.check(&root, &root.join(name), &STOP)
    }

    #[test]
    fn nothing_outside_is_found() {
        let outside = tree(&["secret.txt", "folder/deep.txt"]);
        let tree = tree(&["a.txt"]);
        symlink(outside.path(), tree.path().join("link")).unwrap();
        symlink(outside.path().join("secret.txt"), tree.path().join("file")).unwrap();
        symlink(".", tree.path().join("loop")).unwrap();
        for text in [
            "link/secret.txt",
            "link/**/*.txt",
            "link/*",
            "link/folder/deep.txt",
        ] {
            assert!(find(tree.path(), text).is_empty(), "{text}");
        }
        assert_eq!(find(tree.path(), "**/*.txt"), ["a.txt"]);
        assert_eq!(find(tree.path(), "loop/a.txt"), ["loop/a.txt"]);
        let any = Conditions {
            contains: Some("secret".into()),
            ..Conditions::default()
        };
        assert!(matches!(
            fit(tree.path(), "file", &any),
            ConditionsMet::No(_)
        ));
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let tree = tree(&[]);
        let pipe = tree.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let conditions = Conditions {
            contains: Some("x".into()),
            ..Conditions::default()
        };
        for text in ["pipe", "*"] {
            let pattern = PathPattern::new(text).unwrap();
            let found = search(tree.path(), &[wanted(&pattern, &conditions)], &STOP);
            assert_eq!(found[0].count, 0);
            assert!(
                found[0]
                    .missed
                    .as_ref()
                    .unwrap()
                    .1
                    .contains("not a regular file")
            );
        }
        assert_eq!(find(tree.path(), "pipe"), ["pipe"]);
    }

    #[test]
    fn names_of_two_lines() {
        let tree = tree(&["plain.txt", "new\nline.txt"]);
        assert_eq!(find(tree.path(), "*.txt"), ["new\nline.txt", "plain.txt"]);
    }

    #[attest_needs::needs(any_name)]
    #[test]
    fn names_that_are_no_text() {
        let tree = tree(&["plain.txt"]);
        let name = std::ffi::OsStr::from_bytes(b"bad\xff.txt");
        fs::write(tree.path().join(name), "").unwrap();
        let pattern = PathPattern::new("*.txt").unwrap();
        let conditions = Conditions::default();
        let found = search(tree.path(), &[wanted(&pattern, &conditions)], &STOP);
        assert_eq!(found[0].count, 2);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_leaves_a_doubt() {
        use std::os::unix::fs::PermissionsExt;
        let tree = tree(&["open/a.txt", "shut/b.txt"]);
        let shut = tree.path().join("shut");
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read_dir(&shut).is_ok() {
            return; // The superuser reads everything.
        }
        let patterns = ["**/*.orig", "open/*.orig"].map(|text| PathPattern::new(text).unwrap());
        let conditions = Conditions::default();
        let wanted = [
            wanted(&patterns[0], &conditions),
            wanted(&patterns[1], &conditions),
        ];
        let found = search(tree.path(), &wanted, &STOP);
        assert!(found[0].unknown.is_some() && found[1].unknown.is_none());
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
    }

    #[test]
    fn conditions_on_content() {
        let tree = tree(&["one.txt"]);
        fs::write(tree.path().join("one.txt"), "first line\nversion = 2\n").unwrap();
        let with = |change: &dyn Fn(&mut Conditions)| {
            let mut conditions = Conditions::default();
            change(&mut conditions);
            fit(tree.path(), "one.txt", &conditions)
        };
        let regex = |text: &str| {
            regex::bytes::RegexBuilder::new(text)
                .multi_line(true)
                .build()
                .ok()
        };
        let sum = crate::sha256(b"first line\nversion = 2\n");
        assert_eq!(
            with(&|c| c.contains = Some("line\nversion".into())),
            ConditionsMet::Yes
        );
        assert_eq!(
            with(&|c| c.contains = Some("third".into())),
            ConditionsMet::No("does not contain \"third\"".into())
        );
        assert_eq!(
            with(&|c| c.matches = regex(r"^version = \d$")),
            ConditionsMet::Yes
        );
        assert!(matches!(
            with(&|c| c.matches = regex("^line")),
            ConditionsMet::No(_)
        ));
        assert_eq!(with(&|c| c.min_bytes = Some(23)), ConditionsMet::Yes);
        assert!(matches!(
            with(&|c| c.min_bytes = Some(24)),
            ConditionsMet::No(_)
        ));
        assert_eq!(with(&|c| c.sha256 = Some(sum.clone())), ConditionsMet::Yes);
        assert_eq!(
            with(&|c| {
                c.sha256 = Some(sum.clone());
                c.contains = Some("first".into());
            }),
            ConditionsMet::Yes
        );
        assert!(matches!(
            with(&|c| c.sha256 = Some("0".repeat(64))),
            ConditionsMet::No(_)
        ));
    }
}
