#![expect(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

fn replace(path: &Path, text: &str) -> Result<Written, SettingsError> {
    SettingsFile::open(path)?.replace(text.as_bytes())
}

#[test]
fn mode_and_old_content_are_kept() {
    let folder = TempDir::new().unwrap();
    for mode in [0o600, 0o640, 0o664, 0o700] {
        let path = write(&folder, "settings.json", "old");
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let backup = replace(&path, "new").unwrap().backup.unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_to_string(&backup).unwrap(), "old");
        for file in [&path, &backup] {
            assert_eq!(fs::metadata(file).unwrap().mode() & 0o7777, mode);
        }
    }
}

#[test]
fn backups_are_never_overwritten_and_found_youngest_first() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "0");
    for text in 1..13 {
        replace(&path, &text.to_string()).unwrap();
    }
    write(
        &folder,
        "settings.json.attest-backup-20010101T000000Z-17",
        "oldest",
    );
    write(
        &folder,
        "settings.json.attest-backup-note-of-mine",
        "no backup",
    );
    write(
        &folder,
        "other.json.attest-backup-20010101T000000Z",
        "another file's",
    );
    let mut expected: Vec<String> = (0..12).rev().map(|text| text.to_string()).collect();
    expected.push("oldest".to_owned());
    let found: Vec<_> = SettingsFile::peek(&path).unwrap().backups().collect();
    assert_eq!(
        found,
        expected
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_chain_of_links_is_followed_and_kept() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("dotfiles")).unwrap();
    let target = write(&folder, "dotfiles/real.json", "old");
    symlink("real.json", folder.path().join("dotfiles/middle.json")).unwrap();
    let link = folder.path().join("settings.json");
    symlink("dotfiles/middle.json", &link).unwrap();
    let backup = replace(&link, "new").unwrap().backup.unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    assert_eq!(backup.parent(), target.parent());
}

#[test]
fn the_target_of_a_dangling_link_is_made() {
    let folder = TempDir::new().unwrap();
    let link = folder.path().join("settings.json");
    symlink("not/there/real.json", &link).unwrap();
    assert!(replace(&link, "new").unwrap().backup.is_none());
    assert_eq!(
        fs::read_to_string(folder.path().join("not/there/real.json")).unwrap(),
        "new"
    );
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("b", at("a")).unwrap();
    symlink("a", at("b")).unwrap();
    let fifo = at("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    for path in [at("a"), folder.path().to_owned(), fifo] {
        let error = SettingsFile::open(&path).unwrap_err();
        assert!(
            matches!(
                error,
                SettingsError::LinkLoop { .. } | SettingsError::NotAFile { .. }
            ),
            "{error}"
        );
    }
}

#[test]
fn a_read_only_file_is_refused_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "old");
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(
        replace(&path, "new"),
        Err(SettingsError::ReadOnly { .. })
    ));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_change_in_the_meantime_is_refused_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "old");
    let file = SettingsFile::open(&path).unwrap();
    fs::write(&path, "theirs").unwrap();
    assert!(matches!(
        file.replace(b"new"),
        Err(SettingsError::Changed { .. })
    ));
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    let missing = folder.path().join("new.json");
    let file = SettingsFile::open(&missing).unwrap();
    fs::write(&missing, "theirs").unwrap();
    assert!(matches!(
        file.replace(b"new"),
        Err(SettingsError::Changed { .. })
    ));
    assert_eq!(fs::read_to_string(&missing).unwrap(), "theirs");
}

#[test]
fn a_file_that_is_empty_is_refused_and_stays() {
    let folder = TempDir::new().unwrap();
    for text in ["", " \n"] {
        let path = write(&folder, "settings.json", text);
        assert!(matches!(
            replace(&path, "new"),
            Err(SettingsError::Empty { .. })
        ));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_file_that_is_empty_for_a_moment_is_waited_for() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "");
    let owner = std::thread::spawn({
        let path = path.clone();
        move || {
            std::thread::sleep(Duration::from_millis(40));
            fs::write(path, "theirs").unwrap();
        }
    });
    let backup = replace(&path, "new").unwrap().backup.unwrap();
    owner.join().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(path).unwrap(), "new");
}

#[test]
fn what_is_written_to_the_old_file_while_it_is_replaced_is_put_back() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "old");
    let file = SettingsFile::open(&path).unwrap();
    let temporary = file.prepare(b"new").unwrap();
    // Between the last comparison and the rename, and after it.
    let mut late = File::create(&path).unwrap();
    let owner = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(40));
        late.write_all(b"theirs").unwrap();
    });
    let put = file.put_watchfully(temporary, b"new");
    owner.join().unwrap();
    assert!(matches!(put, Err(SettingsError::Changed { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The owner truncates, waits and writes, as fast as it can; each content holds a number. Now and
/// then it rests until the file was replaced once more.
#[test]
fn beside_a_busy_writer_nothing_is_lost() {
    use std::sync::atomic::{AtomicU32, Ordering};
    const WRITES: u32 = 400;
    const UNTIL_REST: u32 = 40;
    static PUT: AtomicU32 = AtomicU32::new(0);
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "{\"written\": 0}");
    let owner = std::thread::spawn({
        let path = path.clone();
        move || {
            for number in 1..=WRITES {
                let mut file = File::create(&path).unwrap();
                std::thread::sleep(Duration::from_millis(1));
                write!(file, "{{\"written\": {number}}}").unwrap();
                std::thread::sleep(Duration::from_millis(1));
                let put = PUT.load(Ordering::SeqCst);
                let give_up = Instant::now() + Duration::from_secs(10);
                while number % UNTIL_REST == 1
                    && PUT.load(Ordering::SeqCst) == put
                    && Instant::now() < give_up
                {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
    });
    while !owner.is_finished() {
        let file = SettingsFile::open(&path).unwrap();
        let content = file.content().unwrap().to_vec();
        let mut new = content.clone();
        new.extend_from_slice(b"\n");
        match file.replace(&new) {
            Ok(written) => {
                PUT.fetch_add(1, Ordering::SeqCst);
                assert_eq!(fs::read(written.backup.unwrap()).unwrap(), content);
            }
            Err(SettingsError::Changed { .. } | SettingsError::Empty { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    owner.join().unwrap();
    let put = PUT.load(Ordering::SeqCst);
    assert!(put >= WRITES / UNTIL_REST, "{put} of them");
    let last = fs::read_to_string(&path).unwrap();
    assert_eq!(last.trim(), format!("{{\"written\": {WRITES}}}"));
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\"written\": "), "{path:?}: {text:?}");
    }
}

#[test]
fn what_a_killed_writer_left_is_swept_by_a_later_one() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "settings.json", "old");
    let old = std::time::SystemTime::now() - Duration::from_hours(2);
    for name in [
        ".attest-new-aB3xYz",
        ".attest-new-mine.json",
        ".attest-new-",
    ] {
        let left = write(&folder, name, "left");
        File::options()
            .write(true)
            .open(left)
            .unwrap()
            .set_modified(old)
            .unwrap();
    }
    write(&folder, ".attest-new-young1", "of another");
    drop(SettingsFile::open(&path).unwrap());
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let kept = [
        ".attest-new-",
        ".attest-new-mine.json",
        ".attest-new-young1",
        "settings.json",
    ];
    assert_eq!(names, kept);
}
