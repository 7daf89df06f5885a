#![allow(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

const LIMIT: u64 = 1024;

/// The folder of `path`, and its name there.
fn split(path: &Path) -> (Root, RepoPath) {
    let name = RepoPath::from_git(path.file_name().unwrap().as_encoded_bytes()).unwrap();
    (Root::open(path.parent().unwrap()).unwrap(), name)
}

fn look(path: &Path) -> Fingerprint {
    let (root, name) = split(path);
    let look = Reader::default().read(&root, &name, LIMIT, |_| None);
    look.unwrap().fingerprint
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

#[test]
fn content_decides() {
    let folder = folder();
    let path = folder.path().join("a");
    fs::write(&path, "one").unwrap();
    let first = look(&path);
    fs::write(&path, "two").unwrap();
    assert_ne!(first, look(&path));
    fs::write(&path, "one").unwrap();
    assert_eq!(first, look(&path));
    assert_eq!(first, Fingerprint::of_content(b"one", false));
}

#[test]
fn large_file_is_sampled_at_both_ends() {
    let folder = folder();
    let path = folder.path().join("a");
    let mut content = vec![7_u8; 300 * 1024];
    fs::write(&path, &content).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let first = look(&path);
    *content.last_mut().unwrap() = 8;
    fs::write(&path, &content).unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(time)
        .unwrap();
    let second = look(&path);
    assert!(matches!(first, Fingerprint::Large { size: 307_200, .. }));
    assert_ne!(first, second);
}

#[test]
fn nothing_there_is_deleted() {
    let folder = folder();
    fs::write(folder.path().join("a"), "").unwrap();
    let root = Root::open(folder.path()).unwrap();
    for name in ["missing", "a/b"] {
        let name = RepoPath::from_git(name.as_bytes()).unwrap();
        let look = Reader::default().read(&root, &name, LIMIT, |_| None);
        assert_eq!(look.unwrap().fingerprint, Fingerprint::Deleted);
    }
}

#[cfg(unix)]
#[test]
fn link_is_not_followed() {
    let folder = folder();
    let path = folder.path().join("link");
    std::os::unix::fs::symlink("/nowhere/at all", &path).unwrap();
    let print = look(&path);
    assert_eq!(print, Fingerprint::link(b"/nowhere/at all"));
}

#[cfg(unix)]
#[test]
fn fifo_is_not_opened() {
    let folder = folder();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    assert_eq!(look(&path), Fingerprint::Special);
    // What was a file at the first look may be a pipe by the time it is opened.
    let (root, name) = split(&path);
    let raced = Reader::default().read_file(&root, &name, LIMIT);
    assert!(raced.unwrap().is_none());
}

fn any_fingerprint() -> impl Strategy<Value = Fingerprint> {
    prop_oneof![
        (proptest::collection::vec(any::<u8>(), 0..32), any::<bool>())
            .prop_map(|(content, executable)| Fingerprint::of_content(&content, executable)),
        (any::<u64>(), any::<i64>()).prop_map(|(size, mtime)| Fingerprint::Large {
            size,
            mtime_ns: mtime.into(),
            sample: "0123456789abcdef".into(),
        }),
        proptest::collection::vec(any::<u8>(), 0..32).prop_map(|target| Fingerprint::link(&target)),
        Just(Fingerprint::Repository),
        Just(Fingerprint::Special),
        Just(Fingerprint::Deleted),
        (any::<u64>(), any::<i64>(), any::<i64>()).prop_map(|(size, mtime, ctime)| {
            Fingerprint::Locked {
                size,
                mtime_ns: mtime.into(),
                ctime_ns: ctime.into(),
            }
        }),
    ]
}

proptest! {
    #[test]
    fn text_form_is_lossless(print in any_fingerprint()) {
        prop_assert_eq!(print.to_string().parse::<Fingerprint>().unwrap(), print);
    }
}
