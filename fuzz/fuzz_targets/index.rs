//! Any file may be a repository's index: one that is whole, one that has a part of it in a shared file, or one
//! that names folders which are not there. The repository is the one that the corpus was made in.

#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::Path;
use std::process::Command;

use attest_snapshot::measured::read_work_tree;
use attest_snapshot::{Limits, Repository};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/index");

struct Scene {
    _folder: TempDir,
    repository: Repository,
}

thread_local! {
    static SCENE: OnceCell<Scene> = const { OnceCell::new() };
}

impl Scene {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", include_str!("index.sh")]);
        let status = command.current_dir(folder.path()).status();
        assert!(status.unwrap().success());
        // One of the folders that a sparse index leaves out is there.
        fs::remove_dir_all(folder.path().join("c")).unwrap();
        for entry in fs::read_dir(CORPUS).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if name.as_encoded_bytes().starts_with(b"sharedindex.") {
                fs::copy(&path, folder.path().join(".git").join(name)).unwrap();
            }
        }
        let repository = Repository::discover(folder.path(), &Limits::default()).unwrap();
        Self {
            _folder: folder,
            repository,
        }
    }

    fn index(&self) -> impl AsRef<Path> {
        self.repository.common_dir.join("index")
    }
}

fuzz_target!(|bytes: &[u8]| {
    SCENE.with(|scene| {
        let scene = scene.get_or_init(Scene::new);
        fs::write(scene.index(), bytes).unwrap();
        let _ = read_work_tree(&scene.repository);
    });
});
