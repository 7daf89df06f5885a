//! The steps of a reading, one by one.

#![expect(clippy::disallowed_methods, reason = "tests start what they need")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::fs;
use std::path::Path;
use std::process::Command;

use attest_snapshot::measured::{Hashing, Ignore, read_index};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use tempfile::TempDir;

fn main() {
    divan::main();
}

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .status();
    assert!(done.unwrap().success());
}

#[divan::bench(args = [("2", 10_000), ("4", 10_000), ("2", 100_000)])]
fn index(bencher: Bencher<'_, '_>, (version, files): (&str, usize)) {
    let folder = TempDir::new().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["config", "index.version", version]);
    let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let lines = (0..files).map(|number| {
        format!(
            "100644 {blob}\tpart{}/folder{}/file{number}.txt\n",
            number / 1000,
            number / 10
        )
    });
    let list = folder.path().join("list");
    fs::write(&list, lines.collect::<String>()).unwrap();
    let done = Command::new("git")
        .args(["update-index", "--index-info"])
        .current_dir(folder.path())
        .stdin(fs::File::open(list).unwrap())
        .status();
    assert!(done.unwrap().success());
    let index = folder.path().join(".git/index");
    bencher
        .counter(ItemsCount::new(files))
        .bench(|| read_index(black_box(&index)).unwrap());
}

#[divan::bench]
fn ignore(bencher: Bencher<'_, '_>) {
    let rules =
        "*.o\n*.log\n/target\nnode_modules/\n*.py[cod]\n**/__pycache__\n!keep.log\ndocs/*.html\n";
    let ignore = Ignore::parse(rules);
    let paths = [
        "src/main.rs",
        "src/deep/er/lib.rs",
        "a.log",
        "docs/index.html",
        "x/y/z.pyc",
    ];
    bencher.counter(ItemsCount::new(paths.len())).bench(|| {
        let ignored = paths.iter().filter(|path| ignore.covers(black_box(path)));
        ignored.count()
    });
}

#[divan::bench(args = [4 * 1024, 1024 * 1024])]
fn hash(bencher: Bencher<'_, '_>, size: usize) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, vec![7; size]).unwrap();
    let mut hashing = Hashing::default();
    bencher
        .counter(BytesCount::new(size))
        .bench_local(|| hashing.of(black_box(&path)).unwrap());
}
