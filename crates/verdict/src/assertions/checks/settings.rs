//! Files that decide what a check does: who writes them may have it do nothing.

use attest_evidence::{RepoPath, RepositorySource};
use attest_shell::{Run, is_prose};

/// The most of a manifest that is read, in bytes.
const MAX_MANIFEST_BYTES: u64 = 256 * 1024;

/// Settings of tools and of projects, by what their names end with, and by their names.
const ENDINGS: [&str; 13] = [
    "ini", "cfg", "toml", "conf", "config", "mk", "gradle", "kts", "bzl", "bazel", "props",
    "targets", "pth",
];
const DATA: [&str; 5] = ["json", "jsonc", "yml", "yaml", "xml"];
const NAMES: [&str; 25] = [
    "tasks.py",
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
const HARMLESS: [&str; 9] = [
    ".gitignore",
    ".gitattributes",
    ".gitkeep",
    ".editorconfig",
    ".dockerignore",
    ".prettierignore",
    ".npmignore",
    ".coverage",
    ".ds_store",
];

/// Folders of tests, and words in the names of files there that are run with all of them.
const OF_TESTS: [&str; 5] = ["test", "tests", "spec", "specs", "testing"];
const HELPERS: [&str; 5] = ["helper", "helpers", "setup", "support", "__init__"];

/// Whether a file says what a run does: settings, helpers of its tests, or what has the name of its program.
pub(super) fn decides(path: &str, run: &Run) -> bool {
    let path = path.to_lowercase().replace('\\', "/");
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    // The program under the name that all its spellings have, and as it was typed.
    let typed = run.typed.split(' ').next().unwrap_or_default();
    let programs = [run.program(), typed].map(|program| {
        let program = program.to_lowercase();
        stem(program.rsplit('/').next().unwrap_or_default())
    });
    let is_program = |part: &str| {
        programs
            .iter()
            .any(|it| !it.is_empty() && stem(part) == *it)
    };
    if path.split('/').any(is_program) {
        return true;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let parent = folder.rsplit('/').next().unwrap_or_default();
    let is_hidden = |name: &str| name.starts_with('.') && !name.trim_matches('.').is_empty();
    let (front, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_of_settings = front.ends_with("config") && DATA.contains(&ending);
    let mut words = front.split(['.', '-', '_']).chain([front]);
    let is_helper = is_of_tests(&path) && words.any(|word| HELPERS.contains(&word));
    is_hidden(name) && !HARMLESS.contains(&name)
        || is_hidden(parent) && !is_prose(name)
        || is_helper
        || is_of_settings
        || ENDINGS.contains(&ending)
        || NAMES.contains(&name)
        || name.contains(".config.")
        || name.contains(".conf.")
        || name.contains(".workspace.")
        || name.starts_with("tsconfig")
}

/// Whether a file is one of tests, by its name or that of a folder.
pub(super) fn is_of_tests(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let is_class = ["Test", "Tests", "Spec"]
        .iter()
        .any(|end| stem.ends_with(end));
    let path = path.to_lowercase();
    let mut parts = path.split(['/', '_', '.', '-']);
    is_class || parts.any(|part| OF_TESTS.contains(&part))
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
