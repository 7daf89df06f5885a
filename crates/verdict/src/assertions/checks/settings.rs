//! Files that decide what a check does: who writes them may have it do nothing.

use attest_evidence::{RepoPath, RepositorySource};
use attest_transcript::Run;

/// The most of a manifest that is read, in bytes.
const MAX_MANIFEST_BYTES: u64 = 256 * 1024;

/// Settings of tools and of projects, by what their names end with, and by their names.
const ENDINGS: [&str; 10] = [
    "ini", "cfg", "toml", "conf", "mk", "gradle", "kts", "bzl", "props", "targets",
];
const NAMES: [&str; 24] = [
    "makefile",
    "gnumakefile",
    "package.json",
    "justfile",
    "taskfile.yml",
    "taskfile.yaml",
    "rakefile",
    "gemfile",
    "noxfile.py",
    "composer.json",
    "turbo.json",
    "nx.json",
    "project.json",
    "deno.json",
    "deno.jsonc",
    "pom.xml",
    "build.xml",
    "phpunit.xml",
    "conftest.py",
    "setup.py",
    "sitecustomize.py",
    "usercustomize.py",
    "cmakelists.txt",
    "build.rs",
];
/// Hidden files that are no settings of a check.
const HARMLESS: [&str; 7] = [
    ".gitignore",
    ".gitattributes",
    ".gitkeep",
    ".editorconfig",
    ".dockerignore",
    ".prettierignore",
    ".npmignore",
];

/// Whether a file says what a run does: settings, or what has the name of its program.
pub(super) fn decides(path: &str, run: &Run) -> bool {
    let program = run.program();
    let mut parts = path.split(['/', '\\']);
    if parts.any(|part| part.split('.').next() == Some(program)) {
        return true;
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_hidden = name.starts_with('.') && name.len() > 1;
    is_hidden && !HARMLESS.contains(&name.as_str())
        || ENDINGS.contains(&ending)
        || NAMES.contains(&name.as_str())
        || name.contains(".config.")
        || name.contains(".conf.")
        || name.contains(".workspace.")
        || name.starts_with("tsconfig")
}

/// Whether the manifest of a package at the root of the work tree says that there are others that are not checked with
/// it.
pub(super) fn has_members(manifest: &str, repository: &dyn RepositorySource) -> bool {
    let Some(path) = RepoPath::from_git(manifest.as_bytes()) else {
        return false;
    };
    let held = repository
        .held_now(&[&path], MAX_MANIFEST_BYTES)
        .into_iter();
    let Some(bytes) = held.flatten().find_map(|held| held.bytes) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    let has = |begin: &str| {
        text.lines()
            .any(|line| line.trim_start().starts_with(begin))
    };
    has("[workspace") && (has("[package]") || has("default-members"))
}
