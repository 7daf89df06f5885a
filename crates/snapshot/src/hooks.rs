//! Whether git runs programs of others when it commits, merges or pushes.

#[cfg(unix)]
use std::{fs, io};

#[cfg(unix)]
use crate::config::Config;
use crate::{Limits, Repository};

/// What git puts into a new repository, and never runs.
#[cfg(unix)]
const SAMPLE: &str = "sample";

/// Whether git may run hooks in the repository. Where its settings are not read, it may.
#[cfg(not(unix))]
#[must_use]
pub fn may_run_hooks(_repository: &Repository, _limits: &Limits) -> bool {
    true
}

/// Whether git may run hooks in the repository. If that cannot be told, it may.
#[cfg(unix)]
#[must_use]
pub fn may_run_hooks(repository: &Repository, limits: &Limits) -> bool {
    let elsewhere = Config::read(repository, limits).and_then(|it| it.text("core.hookspath"));
    if !matches!(elsewhere, Ok(None)) {
        return true;
    }
    let files = match fs::read_dir(repository.common_dir.join("hooks")) {
        Ok(files) => files,
        Err(error) => return error.kind() != io::ErrorKind::NotFound,
    };
    files.into_iter().any(|file| {
        let extension = file.ok().map(|file| file.path());
        extension.is_none_or(|path| path.extension().is_none_or(|it| it != SAMPLE))
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_hooks_that_are_no_samples_run() {
        let scratch = Scratch::new(&[]);
        let limits = Limits::default();
        let may_run = || {
            let repository = Repository::discover(&scratch.root, &limits).unwrap();
            may_run_hooks(&repository, &limits)
        };
        let hooks = scratch.root.join(".git/hooks");
        fs::create_dir_all(&hooks).unwrap();
        for file in fs::read_dir(&hooks).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
        fs::write(hooks.join("pre-commit.sample"), "").unwrap();
        assert!(!may_run());
        fs::write(hooks.join("pre-commit"), "").unwrap();
        assert!(may_run());
        fs::remove_dir_all(&hooks).unwrap();
        assert!(!may_run());
        scratch.git(&["config", "core.hooksPath", ".husky"]);
        assert!(may_run());
    }
}
