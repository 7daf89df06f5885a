//! A repository to do things in.

#![expect(clippy::disallowed_methods, reason = "tests start what they need")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use attest_snapshot::{Limits, Repository, Unreadable, WorkTree};
use tempfile::TempDir;

use crate::step::{ATTRIBUTES, CONTENTS, FOLDERS, NAMES, RULES, SETTINGS, Step};

/// How the work tree finds its repository.
#[derive(Debug, Clone, Copy)]
pub enum Layout {
    Plain,
    /// Made by `git worktree add`.
    Linked,
    /// A `.git` file that names a folder elsewhere.
    Separate,
    /// `core.worktree` of a repository elsewhere.
    Named,
    /// A sparse checkout with a sparse index.
    Sparse,
}

/// Who reads.
#[derive(Debug, Clone, Copy)]
pub enum Who {
    Fastest,
    LibGit2,
    Program,
}

pub struct Scratch {
    _folder: TempDir,
    pub root: PathBuf,
    pub git_dir: PathBuf,
    pub is_sparse: bool,
}

impl Scratch {
    pub fn new(layout: Layout) -> Self {
        let folder = TempDir::new().unwrap();
        let base = attest_snapshot::canonical(folder.path()).unwrap();
        let (main, root) = (base.join("main"), base.join("repo"));
        fs::create_dir(&root).unwrap();
        let scratch = |git_dir| Self {
            _folder: folder,
            root: root.clone(),
            git_dir,
            is_sparse: matches!(layout, Layout::Sparse),
        };
        match layout {
            Layout::Plain => {
                run_git(&root, &["init", "--quiet"]);
                scratch(root.join(".git"))
            }
            Layout::Sparse => {
                run_git(&root, &["init", "--quiet"]);
                for name in [
                    "a/c",
                    "a-b/e",
                    "a-b/f/g",
                    "build/x",
                    "deep/er/and/deeper",
                    "top",
                ] {
                    make_room(&root, name);
                    fs::write(root.join(name), name).unwrap();
                }
                fs::write(root.join("deep/.gitignore"), "*.log\n!/er/\n").unwrap();
                run_git(&root, &["add", "--all", "--force"]);
                run_git(&root, &["commit", "--quiet", "--message", "first"]);
                run_git(
                    &root,
                    &["sparse-checkout", "set", "--cone", "--sparse-index", "a"],
                );
                scratch(root.join(".git"))
            }
            Layout::Linked => {
                fs::create_dir(&main).unwrap();
                run_git(&main, &["init", "--quiet"]);
                run_git(
                    &main,
                    &["commit", "--quiet", "--allow-empty", "-m", "first"],
                );
                run_git(&main, &["worktree", "add", "--quiet", "--force", "../repo"]);
                scratch(main.join(".git"))
            }
            Layout::Separate => {
                let git_dir = base.join("git-dir");
                run_git(
                    &base,
                    &["init", "--quiet", "--separate-git-dir=git-dir", "repo"],
                );
                scratch(git_dir)
            }
            Layout::Named => {
                run_git(&base, &["init", "--quiet", "main"]);
                run_git(&main, &["config", "core.worktree", "../../repo"]);
                fs::write(root.join(".git"), "gitdir: ../main/.git\n").unwrap();
                scratch(main.join(".git"))
            }
        }
    }

    /// Runs git; a step that makes no sense in this state is left out by git itself.
    pub fn git(&self, arguments: &[&str]) -> Vec<u8> {
        run_git(&self.root, arguments)
    }

    /// The same with something on standard input.
    pub fn git_with_input(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let mut child = git(&self.root)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap().stdout
    }

    /// The repository, for one of its readers.
    pub fn repository(&self, who: Who) -> Repository {
        let repository = Repository::discover(&self.root, &Limits::default()).unwrap();
        match who {
            Who::Fastest => repository,
            Who::LibGit2 => repository.through_libgit2(),
            Who::Program => repository.through_program("asked to"),
        }
    }

    fn place(&self, name: usize) -> PathBuf {
        self.root.join(NAMES[name])
    }

    pub fn apply_all<'a>(&self, steps: impl IntoIterator<Item = &'a Step>) {
        for step in steps {
            self.work(step);
            self.use_git(step);
        }
    }

    fn work(&self, step: &Step) {
        match *step {
            Step::Write(name, content) => {
                make_room(&self.root, NAMES[name]);
                fs::write(self.place(name), CONTENTS[content]).unwrap();
            }
            Step::Remove(name) => remove(&self.place(name)),
            // What lies behind a link to itself is gone, and git, which cannot look there, lists nothing of it.
            Step::Link(name, target) if NAMES[name] == FOLDERS[target] => {}
            Step::Link(name, target) => {
                make_room(&self.root, NAMES[name]);
                link(&self.root.join(FOLDERS[target]), &self.place(name));
            }
            Step::Run(name) => run_bit(&self.place(name)),
            Step::Pipe(name) => {
                make_room(&self.root, NAMES[name]);
                drop(Command::new("mkfifo").arg(self.place(name)).status());
            }
            Step::Touch(name) => set_time(&self.place(name), SystemTime::now()),
            Step::Age(name) => {
                let long_ago = SystemTime::now() - Duration::from_hours(1);
                set_time(&self.place(name), long_ago);
            }
            Step::Rename(from, to) if self.place(from).is_file() => {
                make_room(&self.root, NAMES[to]);
                // The room may have been where the file was.
                drop(fs::rename(self.place(from), self.place(to)));
            }
            Step::NestedRepository(folder) => {
                let name = path_in(FOLDERS[folder], "nested");
                make_room(&self.root, &name);
                let nested = self.root.join(name);
                fs::create_dir_all(&nested).unwrap();
                run_git(&nested, &["init", "--quiet"]);
                fs::write(nested.join("inside"), "inside").unwrap();
            }
            Step::EmptyFolder(folder) => {
                // Something else may stand there.
                drop(fs::create_dir_all(
                    self.root.join(FOLDERS[folder]).join("empty"),
                ));
            }
            Step::Ignore(folder, rules) => {
                self.write_lines(FOLDERS[folder], ".gitignore", RULES, rules);
            }
            Step::Exclude(rules) => {
                fs::create_dir_all(self.git_dir.join("info")).unwrap();
                fs::write(self.git_dir.join("info/exclude"), chosen(RULES, rules)).unwrap();
            }
            Step::Attributes(folder, lines) => {
                self.write_lines(FOLDERS[folder], ".gitattributes", ATTRIBUTES, lines.into());
            }
            _ => {}
        }
    }

    fn write_lines(&self, folder: &str, name: &str, lines: &[&str], bits: u16) {
        let path = path_in(folder, name);
        make_room(&self.root, &path);
        fs::write(self.root.join(path), chosen(lines, bits)).unwrap();
    }

    fn use_git(&self, step: &Step) {
        let literal = |name: usize| format!(":(literal){}", NAMES[name]);
        match *step {
            Step::Stage(name) => drop(self.git(&["add", "--force", "--", &literal(name)])),
            Step::StageAll => drop(self.git(&["add", "--all"])),
            Step::Unstage(name) => drop(self.git(&["reset", "--quiet", "--", &literal(name)])),
            Step::Untrack(name) => {
                drop(self.git(&["rm", "--quiet", "--cached", "-r", "--", &literal(name)]));
            }
            Step::IntendToAdd(name) => {
                drop(self.git(&["add", "--intent-to-add", "--", &literal(name)]));
            }
            Step::AssumeUnchanged(name, on) => {
                let flag = if on {
                    "--assume-unchanged"
                } else {
                    "--no-assume-unchanged"
                };
                drop(self.git(&["update-index", flag, "--", NAMES[name]]));
            }
            Step::SkipWorktree(name, on) => {
                let flag = if on {
                    "--skip-worktree"
                } else {
                    "--no-skip-worktree"
                };
                drop(self.git(&["update-index", flag, "--", NAMES[name]]));
            }
            Step::Submodule(folder) => {
                let path = format!("{}module", FOLDERS[folder].replace('/', "-"));
                let entry = format!("160000,{},{path}", "1".repeat(40));
                drop(self.git(&["update-index", "--add", "--cacheinfo", &entry]));
                drop(fs::create_dir_all(self.root.join(path)));
            }
            Step::Commit => drop(self.git(&["commit", "--quiet", "--message", "c"])),
            Step::Branch(number) => {
                drop(self.git(&["checkout", "--quiet", "-B", &format!("branch-{number}")]));
            }
            Step::Merge(number) => drop(self.git(&["merge", "-q", &format!("branch-{number}")])),
            Step::SoftReset => drop(self.git(&["reset", "--quiet", "--soft", "HEAD~1"])),
            Step::Stash => drop(self.git(&["stash", "--quiet"])),
            Step::Refresh => drop(self.git(&["update-index", "-q", "--refresh"])),
            Step::DropIndex => {
                let index = self.git(&["rev-parse", "--git-path", "index"]);
                let index = String::from_utf8(index).unwrap();
                drop(fs::remove_file(self.root.join(index.trim_end())));
            }
            Step::Set(setting) => {
                let (name, value) = SETTINGS[setting];
                if self.is_sparse && name == "core.splitIndex" {
                    // git ends at an index that is both.
                    return;
                }
                drop(self.git(&["config", name, value]));
                drop(self.git(&["update-index", "-q", "--force-write-index"]));
            }
            _ => {}
        }
    }

    pub fn status(&self) -> BTreeSet<Vec<u8>> {
        let arguments = [
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "-uall",
            "--no-renames",
            "--ignore-submodules=all",
        ];
        let output = self.git(&arguments);
        let path = |record: &[u8]| {
            let fields = match record[0] {
                b'1' => 8,
                b'u' => 10,
                _ => 1,
            };
            let path = record.splitn(fields + 1, |byte| *byte == b' ').nth(fields);
            let path = path.unwrap();
            path.strip_suffix(b"/").unwrap_or(path).to_vec()
        };
        output
            .split(|byte| *byte == 0)
            .filter(|record| !record.is_empty())
            .map(path)
            .collect()
    }

    pub fn read(&self, who: Who, earlier: Option<&WorkTree>) -> WorkTree {
        self.try_read(who, earlier).unwrap()
    }

    pub fn try_read(&self, who: Who, earlier: Option<&WorkTree>) -> Result<WorkTree, Unreadable> {
        WorkTree::read(&self.repository(who), &Limits::default(), earlier)
    }
}

fn run_git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    git(folder).args(arguments).output().unwrap().stdout
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"])
        .args(["-c", "maintenance.auto=false"])
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    git
}

fn path_in(folder: &str, name: &str) -> String {
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{name}")
}

fn chosen(lines: &[&str], bits: u16) -> String {
    let numbered = lines.iter().enumerate();
    let chosen = numbered.filter(|(bit, _)| bits & (1 << bit) != 0);
    chosen.flat_map(|(_, line)| [*line, "\n"]).collect()
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

fn is_file(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok_and(|metadata| metadata.is_file())
}

fn set_time(place: &Path, time: SystemTime) {
    if is_file(place) {
        let file = File::options().append(true).open(place).unwrap();
        file.set_modified(time).unwrap();
    }
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) {
    std::os::unix::fs::symlink(target, place).unwrap();
}

#[cfg(not(unix))]
fn link(_target: &Path, _place: &Path) {}

#[cfg(unix)]
fn run_bit(place: &Path) {
    if is_file(place) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[cfg(not(unix))]
fn run_bit(_place: &Path) {}
