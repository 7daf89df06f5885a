//! A repository in which agents work.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::TestContext;

/// A repository, and the world that it is in.
pub struct Scene {
    pub context: TestContext,
    pub repo: PathBuf,
}

impl Scene {
    pub fn of(context: TestContext, files: &[(&str, &str)]) -> Self {
        let repo = context.repository("repo", files);
        Self { context, repo }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.context.folder().join(name)
    }

    pub fn git(&self, arguments: &str) {
        self.git_in(&self.repo, arguments);
    }

    pub fn git_in(&self, folder: &Path, arguments: &str) {
        let arguments: Vec<_> = arguments.split(' ').collect();
        self.context.git(folder, &arguments);
    }

    pub fn write(&self, path: &str) {
        write(&self.repo.join(path), "new content\n");
    }

    pub fn commit(&self) {
        self.commit_in(&self.repo);
    }

    pub fn commit_in(&self, folder: &Path) {
        self.git_in(folder, "add --all");
        self.git_in(folder, "commit --quiet --message work");
    }
}

/// Waits until what is there is older than an agent that starts now: what is as young as its start could be its work.
/// The clock of the file system says when, so that it never waits for less, and hardly longer.
pub fn settle() {
    /// Two times of files that are closer do not show which came first.
    const TICK: Duration = Duration::from_millis(100);
    let latest = tempfile::tempfile().and_then(|file| file.metadata()?.modified());
    let is_old = latest.unwrap() + TICK;
    while let Ok(left) = is_old.duration_since(SystemTime::now()) {
        std::thread::sleep(left + Duration::from_millis(1));
    }
}

/// Writes a file, with the folders that it needs.
pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
