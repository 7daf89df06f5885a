//! Repositories to measure on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::Case;

/// Longer than git's and attest's rules for files that are too young to be judged by their times.
const REST: Duration = Duration::from_millis(1100);

/// The way to the files of a repository that keeps them far down.
const DEEP: &str = "services/backend/src/main/java/com/example";

/// A repository, and what a program that only makes system calls has to be told about it.
pub(super) struct Repository {
    pub(super) root: PathBuf,
    /// A file with the path of every folder but `.git`, each ended by a NUL.
    pub(super) folders: PathBuf,
    /// The same with every path of the index.
    pub(super) tracked: PathBuf,
}

/// Makes the repository of a case below `folder`: 20 files are modified, 5 deleted, 20 untracked.
pub(super) fn make(case: Case, folder: &Path) -> io::Result<Repository> {
    let root = folder.join("repository");
    let (files, folders) = match case {
        Case::M | Case::Deep | Case::Stale => (10_021, 1_000),
        Case::L => (100_201, 10_000),
        _ => (202, 10),
    };
    let way = if case == Case::Deep { DEEP } else { "" };
    write_tracked(&root.join(way), files, folders)?;
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "start"],
    ] {
        git(&root, arguments)?;
    }
    let root = if case == Case::Stale {
        copy(&root, &folder.join("copy"))?
    } else {
        root
    };
    add_special(case, &root)?;
    change(&root.join(way), files, folders)?;
    thread::sleep(REST);
    let repository = Repository {
        folders: folder.join("folders"),
        tracked: folder.join("tracked"),
        root,
    };
    let tracked = git(&repository.root, &["ls-files", "-z"])?;
    fs::write(&repository.tracked, tracked)?;
    fs::write(&repository.folders, list_folders(&repository.root)?)?;
    Ok(repository)
}

fn name(number: usize, folders: usize) -> String {
    let folder = number % folders;
    format!("part{}/folder{folder}/file{number}.txt", folder / 100)
}

fn write_tracked(root: &Path, files: usize, folders: usize) -> io::Result<()> {
    for number in 0..files {
        let path = root.join(name(number, folders));
        if number < folders {
            fs::create_dir_all(path.parent().unwrap_or(root))?;
        }
        fs::write(path, format!("file {number}\n").repeat(20))?;
    }
    Ok(())
}

fn add_special(case: Case, root: &Path) -> io::Result<()> {
    match case {
        Case::Untracked => many(&root.join("new"), 20_000),
        Case::Ignored => {
            fs::write(root.join(".gitignore"), "node_modules/\n*.o\n")?;
            many(&root.join("node_modules"), 50_000)
        }
        Case::Large => fs::write(root.join("large.bin"), vec![7; 200_000_000]),
        _ => Ok(()),
    }
}

/// Files of 4 kB, a hundred in a folder.
fn many(folder: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let below = folder.join(format!("folder{}", number / 100));
        fs::create_dir_all(&below)?;
        fs::write(
            below.join(format!("file{number}")),
            format!("{number:7}\n").repeat(512),
        )?;
    }
    Ok(())
}

fn change(root: &Path, files: usize, folders: usize) -> io::Result<()> {
    for number in 0..20 {
        fs::write(root.join(name(number, folders)), "modified\n")?;
        fs::write(root.join(format!("untracked{number}.txt")), "untracked\n")?;
    }
    for number in files / 2..files / 2 + 5 {
        fs::remove_file(root.join(name(number, folders)))?;
    }
    Ok(())
}

/// A copy has other inodes and times than the index says.
fn copy(from: &Path, to: &Path) -> io::Result<PathBuf> {
    let done = Command::new("cp").arg("-r").args([from, to]).status()?;
    if done.success() {
        Ok(to.to_owned())
    } else {
        Err(io::Error::other("the repository could not be copied"))
    }
}

fn list_folders(root: &Path) -> io::Result<Vec<u8>> {
    let mut list = b".\0".to_vec();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() && name != ".git" && name != "node_modules" {
                let below = folder.join(name);
                list.extend_from_slice(below.as_os_str().as_encoded_bytes());
                list.push(0);
                open.push(below);
            }
        }
    }
    Ok(list)
}

pub(crate) fn git(root: &Path, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=bench",
            "-c",
            "user.email=bench@example.invalid",
        ])
        .args(["-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(root)
        .output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(format!("git {arguments:?} failed")))
    }
}
