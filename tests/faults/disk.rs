//! What a power cut would take: what was written to a file and not yet synced.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use nix::libc;
use nix::unistd::Pid;

/// The files of a program that is followed, at the moment of its first byte of output.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    written: BTreeSet<PathBuf>,
    synced: BTreeSet<PathBuf>,
    at_output: Option<Moment>,
}

/// What was and what was not on the disk.
#[derive(Debug, Clone, Default)]
pub struct Moment {
    pub unsynced: BTreeSet<PathBuf>,
    pub synced: BTreeSet<PathBuf>,
}

impl Disk {
    /// Takes note of a call on a handle. Output is what goes to a file named `stdout`.
    pub fn note(&mut self, thread: Pid, number: i64, handle: u64) {
        let is_sync = matches!(number, libc::SYS_fsync | libc::SYS_fdatasync);
        if !is_sync && !is_write(number) {
            return;
        }
        let Ok(file) = fs::read_link(format!("/proc/{thread}/fd/{handle}")) else {
            return;
        };
        if is_sync {
            self.written.remove(&file);
            self.synced.insert(file);
        } else if file.ends_with("stdout") {
            self.at_output.get_or_insert_with(|| Moment {
                unsynced: self.written.clone(),
                synced: self.synced.clone(),
            });
        } else {
            self.written.insert(file);
        }
    }

    /// The moment of the first byte of output; `None` where there was none.
    pub fn at_output(self) -> Option<Moment> {
        self.at_output
    }
}

/// Whether a call changes what is in a file.
pub fn is_write(number: i64) -> bool {
    matches!(
        number,
        libc::SYS_write
            | libc::SYS_writev
            | libc::SYS_pwrite64
            | libc::SYS_pwritev
            | libc::SYS_ftruncate
    )
}
