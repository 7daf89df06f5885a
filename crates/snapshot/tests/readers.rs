//! Both readers agree with each other and with `git status`, on generated work trees.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and git has to be found"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use attest_snapshot::{Limits, Repository, WorkTree};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tempfile::TempDir;

/// Names that have been trouble somewhere, on few levels so that they meet.
const NAMES: &[&str] = &[
    "a",
    "b.txt",
    "a/c",
    "a/d.log",
    "a-b/e",
    "a-b/f/g",
    "sp ace",
    "new\nline",
    "\"quoted\"",
    "caf\u{e9}",
    "cafe\u{301}",
    "-dash",
    "build/x",
    "deep/er/and/deeper",
    "*star",
    "back\\slash",
    ".hidden",
    "a.txt",
];

#[derive(Debug, Clone)]
enum Step {
    Write(usize, u8),
    Remove(usize),
    Link(usize),
    Run(usize),
    Stage(usize),
    StageAll,
    Unstage(usize),
    Untrack(usize),
    IntendToAdd(usize),
    Commit,
    Ignore(u8),
    Stash,
    Touch(usize),
    Rename(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    prop_oneof![
        6 => (name.clone(), 0..3_u8).prop_map(|(name, content)| Step::Write(name, content)),
        3 => name.clone().prop_map(Step::Remove),
        1 => name.clone().prop_map(Step::Link),
        1 => name.clone().prop_map(Step::Run),
        2 => name.clone().prop_map(Step::Stage),
        2 => Just(Step::StageAll),
        1 => name.clone().prop_map(Step::Unstage),
        1 => name.clone().prop_map(Step::Untrack),
        1 => name.clone().prop_map(Step::IntendToAdd),
        2 => Just(Step::Commit),
        1 => any::<u8>().prop_map(Step::Ignore),
        1 => Just(Step::Stash),
        1 => name.clone().prop_map(Step::Touch),
        1 => (name.clone(), name).prop_map(|(from, to)| Step::Rename(from, to)),
    ]
}

struct Scratch {
    _folder: TempDir,
    root: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("repo");
        fs::create_dir(&root).unwrap();
        let scratch = Self {
            _folder: folder,
            root,
        };
        scratch.git(&["init", "--quiet"]);
        scratch
    }

    /// Runs git; a step that makes no sense in this state is left out by git itself.
    fn git(&self, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"])
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        output.stdout
    }

    fn apply(&self, step: &Step) {
        let place = |name: usize| self.root.join(NAMES[name]);
        match step {
            Step::Write(name, content) => {
                make_room(&self.root, NAMES[*name]);
                fs::write(place(*name), format!("content {content}\n")).unwrap();
            }
            Step::Remove(name) => remove(&place(*name)),
            Step::Link(name) => {
                make_room(&self.root, NAMES[*name]);
                #[cfg(unix)]
                std::os::unix::fs::symlink("somewhere", place(*name)).unwrap();
            }
            Step::Run(name) => run_bit(&place(*name)),
            Step::Stage(name) => drop(self.git(&["add", "--force", "--", &literal(*name)])),
            Step::StageAll => drop(self.git(&["add", "--all"])),
            Step::Unstage(name) => drop(self.git(&["reset", "--quiet", "--", &literal(*name)])),
            Step::Untrack(name) => {
                drop(self.git(&["rm", "--quiet", "--cached", "-r", "--", &literal(*name)]));
            }
            Step::IntendToAdd(name) => {
                drop(self.git(&["add", "--intent-to-add", "--", &literal(*name)]));
            }
            Step::Commit => drop(self.git(&["commit", "--quiet", "--message", "c"])),
            Step::Ignore(rules) => {
                let lines = [
                    "*.log\n",
                    "build/\n",
                    "/a\n",
                    "!a/d.log\n",
                    "deep/*\n",
                    "!deep/er\n",
                ];
                let chosen = lines
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| rules & (1 << bit) != 0);
                let text: String = chosen.map(|(_, line)| *line).collect();
                fs::write(self.root.join(".gitignore"), text).unwrap();
            }
            Step::Stash => drop(self.git(&["stash", "--quiet"])),
            Step::Touch(name) => {
                if let Ok(file) = fs::File::options().append(true).open(place(*name)) {
                    file.set_modified(std::time::SystemTime::now()).unwrap();
                }
            }
            Step::Rename(from, to) => {
                if place(*from).is_file() {
                    make_room(&self.root, NAMES[*to]);
                    // The room may have been where the file was.
                    drop(fs::rename(place(*from), place(*to)));
                }
            }
        }
    }

    fn status(&self) -> BTreeSet<Vec<u8>> {
        let arguments = [
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "-uall",
            "--no-renames",
        ];
        let output = self.git(&arguments);
        let path = |record: &[u8]| {
            let fields = match record[0] {
                b'1' => 8,
                b'u' => 10,
                _ => 1,
            };
            record
                .splitn(fields + 1, |byte| *byte == b' ')
                .nth(fields)
                .unwrap()
                .to_vec()
        };
        output
            .split(|byte| *byte == 0)
            .filter(|record| !record.is_empty())
            .map(path)
            .collect()
    }

    fn read(&self, through_program: bool) -> WorkTree {
        let limits = Limits::default();
        let mut repository = Repository::discover(&self.root, &limits).unwrap();
        if through_program {
            repository = repository.through_program("asked to");
        }
        WorkTree::read(&repository, &limits).unwrap()
    }
}

fn literal(name: usize) -> String {
    format!(":(literal){}", NAMES[name])
}

/// Takes away what stands where the path or a folder above it has to be.
fn make_room(root: &Path, name: &str) {
    let place = root.join(name);
    for folder in place
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root)
    {
        if fs::symlink_metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
            remove(folder);
        }
    }
    remove(&place);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
}

fn remove(place: &Path) {
    match fs::symlink_metadata(place) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(place).unwrap(),
        Ok(_) => fs::remove_file(place).unwrap(),
        Err(_) => {}
    }
}

fn run_bit(place: &Path) {
    #[cfg(unix)]
    if place.is_file() {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

proptest! {
    #![proptest_config(config())]
    #[test]
    fn readers_agree_with_git(steps in proptest::collection::vec(step(), 1..25)) {
        let scratch = Scratch::new();
        for step in &steps {
            scratch.apply(step);
        }
        let expected = scratch.status();
        let (fast, program) = (scratch.read(false), scratch.read(true));
        let paths = |tree: &WorkTree| -> BTreeSet<Vec<u8>> {
            tree.files.keys().map(|path| path.as_bytes().to_vec()).collect()
        };
        prop_assert_eq!(paths(&program), expected, "the git program");
        prop_assert_eq!(&fast.files, &program.files, "libgit2 and the git program");
        prop_assert_eq!(&fast.head, &program.head);
        prop_assert_eq!(&fast.refs, &program.refs);
    }
}

/// A folder is ignored, a file in it is tracked, and a later rule names another one.
#[test]
fn nothing_in_an_ignored_folder_is_brought_back() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.root.join("a")).unwrap();
    fs::write(scratch.root.join("a/c"), "tracked").unwrap();
    scratch.git(&["add", "--all"]);
    fs::write(scratch.root.join(".gitignore"), "/a\n!a/d.log\n").unwrap();
    fs::write(scratch.root.join("a/d.log"), "ignored").unwrap();
    assert_eq!(scratch.read(false).files, scratch.read(true).files);
}

/// The same few cases each time, so that a change is what makes a test fail. `PROPTEST_CASES` asks
/// for that many new ones.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(60),
        rng_seed: asked.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
