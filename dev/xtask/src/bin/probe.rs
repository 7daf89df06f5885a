//! What attest is measured against: the system calls alone, and the other readers.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "chores start what they need and say what they do"
)]

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attest_snapshot::{Limits, Repository, WorkTree};
use clap::Parser;

#[derive(Debug, Parser)]
enum Task {
    /// List every folder of LIST and lstat each name in it
    Scan { root: PathBuf, list: PathBuf },
    /// Lstat every path of LIST
    Lstat { root: PathBuf, list: PathBuf },
    /// Read the work tree as the hooks do
    Fast { root: PathBuf },
    /// Read the work tree through libgit2
    Libgit2 { root: PathBuf },
    /// Read the work tree through the git program
    Program { root: PathBuf },
    /// Run a command and print the most memory that it had at once, in bytes
    Peak {
        program: OsString,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Scan { root, list } => bounds::scan(&root, &list),
        Task::Lstat { root, list } => bounds::lstat(&root, &list),
        Task::Fast { root } => read(&root, |repository| repository),
        Task::Libgit2 { root } => read(&root, Repository::through_libgit2),
        Task::Program { root } => read(&root, |it| it.through_program("measured")),
        Task::Peak { program, arguments } => peak(&program, &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read(root: &Path, with: impl FnOnce(Repository) -> Repository) -> io::Result<()> {
    let limits = Limits::default();
    Repository::discover(root, &limits)
        .and_then(|repository| WorkTree::read(&with(repository), &limits, None))
        .map(drop)
        .map_err(io::Error::other)
}

#[cfg(unix)]
fn peak(program: &OsString, arguments: &[OsString]) -> io::Result<()> {
    use nix::sys::resource::{UsageWho, getrusage};
    let status = std::process::Command::new(program)
        .args(arguments)
        .status()?;
    if !status.success() {
        return Err(io::Error::other("the program failed"));
    }
    // The program is the only child.
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    println!("{}", usage.max_rss() * unit);
    Ok(())
}

#[cfg(not(unix))]
fn peak(_program: &OsString, _arguments: &[OsString]) -> io::Result<()> {
    Err(io::Error::other("not measured on this system"))
}

#[cfg(target_os = "linux")]
mod bounds {
    use std::fs;
    use std::io::Error;
    use std::os::fd::OwnedFd;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use rustix::fs::{AtFlags, Mode, OFlags, RawDir};

    use super::{Path, io};

    /// Paths taken at once.
    const CHUNK: usize = 32;

    pub(super) fn scan(root: &Path, list: &Path) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        each(root, list, 10, |root, path| {
            let folder = rustix::fs::openat(root, path, flags, Mode::empty())?;
            let mut buffer = Vec::with_capacity(32 * 1024);
            let mut names = RawDir::new(&folder, buffer.spare_capacity_mut());
            while let Some(name) = names.next() {
                let name = name?;
                let name = name.file_name();
                if name != c"." && name != c".." {
                    rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                }
            }
            Ok(())
        })
    }

    pub(super) fn lstat(root: &Path, list: &Path) -> io::Result<()> {
        each(root, list, 1, |root, path| {
            match rustix::fs::statat(root, path, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(_) | Err(rustix::io::Errno::NOENT) => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Does `work` on every path of `list`, on as many threads as attest would use for as many
    /// files. Each path stands for `files` of them.
    fn each(
        root: &Path,
        list: &Path,
        files: usize,
        work: impl Fn(&OwnedFd, &[u8]) -> io::Result<()> + Sync,
    ) -> io::Result<()> {
        let text = fs::read(list)?;
        let paths: Vec<_> = text
            .split(|byte| *byte == 0)
            .filter(|it| !it.is_empty())
            .collect();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::open(root, flags, Mode::empty())?;
        let next = AtomicUsize::new(0);
        let run = || -> io::Result<()> {
            loop {
                let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                let Some(chunk) = paths.get(start..paths.len().min(start + CHUNK)) else {
                    return Ok(());
                };
                chunk.iter().try_for_each(|path| work(&root, path))?;
            }
        };
        let threads = match paths.len() * files {
            0..1_000 => 1,
            1_000..20_000 => 4,
            _ => 8,
        };
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            run()?;
            for helper in helpers {
                helper
                    .join()
                    .map_err(|_| Error::other("a thread failed"))??;
            }
            Ok(())
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod bounds {
    use super::{Path, io};

    pub(super) fn scan(_root: &Path, _list: &Path) -> io::Result<()> {
        Err(io::Error::other("not measured on this system"))
    }

    pub(super) fn lstat(root: &Path, list: &Path) -> io::Result<()> {
        scan(root, list)
    }
}
