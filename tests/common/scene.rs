//! A repository in which agents work.

use std::fs;
use std::path::{Path, PathBuf};

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

    /// Lets what is there grow older than an agent that starts now: a new tree in the object store
    /// would be taken for its work.
    pub fn settle() {
        std::thread::sleep(std::time::Duration::from_millis(150));
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

/// Writes a file, with the folders that it needs.
pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
