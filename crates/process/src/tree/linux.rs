//! Processes that have left their group: by the variable that they were given, and by their parent.
//!
//! A daemon makes a session of its own, and may clear its environment; then nothing of its origin is left but
//! that its parent is gone. As a subreaper this process becomes the parent of such orphans.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use memchr::memmem;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpgrp, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};

/// How often it is looked for more, if some were found: they may just have started others.
const ROUNDS: usize = 20;

/// How many programs run now. Held while one is started, so that none is taken for an orphan.
static RUNNING: Mutex<usize> = Mutex::new(0);

/// Makes orphans of what will be started children of this process.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A kernel that does not know it leaves the marks to find them by.
        let _ = set_child_subreaper(Some(getpid()));
    });
}

/// Starts a program, and counts it.
pub(super) fn counted<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut running = running();
    let started = start()?;
    *running += 1;
    Ok(started)
}

/// Forgets a program. With the last one, the orphans that any of them left are ended.
pub(super) fn forget(reaches_all: bool) {
    let mut running = running();
    *running = running.saturating_sub(1);
    if *running == 0 && reaches_all {
        rounds(|process| is_orphan(process) && end(process, is_orphan) && reap(process));
    }
}

fn running() -> std::sync::MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle by which the end of a process can be waited for.
pub(super) fn handle(process: Pid) -> Option<OwnedFd> {
    pidfd_open(process, PidfdFlags::empty()).ok()
}

pub(super) fn wait(handle: &OwnedFd, most: Duration) {
    let timeout = Timespec::try_from(most).ok();
    // An interrupted wait is only shorter.
    let _ = poll(&mut [PollFd::new(handle, PollFlags::IN)], timeout.as_ref());
}

/// A file that is on no disk.
pub(super) fn memory_file() -> io::Result<File> {
    match memfd_create("attest-input", MemfdFlags::CLOEXEC) {
        Ok(file) => Ok(File::from(file)),
        Err(_) => tempfile::tempfile(),
    }
}

/// Ends every process that has the mark in its environment.
pub(super) fn kill(mark: &str) {
    let is_marked = |process: Pid| {
        let environment = format!("/proc/{}/environ", process.as_raw_nonzero());
        fs::read(environment).is_ok_and(|bytes| memmem::find(&bytes, mark.as_bytes()).is_some())
    };
    rounds(|process| is_marked(process) && end(process, is_marked));
}

fn rounds(end: impl Fn(Pid) -> bool) {
    for _ in 0..ROUNDS {
        let Ok(processes) = fs::read_dir("/proc") else {
            return;
        };
        let found = processes
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(Pid::from_raw)
            .filter(|process| end(*process))
            .count();
        if found == 0 {
            return;
        }
    }
}

/// Whether the process is a child of this one that it did not start: those are in its own group.
fn is_orphan(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    let Ok(stat) = stat else {
        return false;
    };
    // From proc(5): the name in parentheses, which may hold any character, the state, the parent, the group.
    let mut fields = stat
        .rsplit_once(") ")
        .into_iter()
        .flat_map(|(_, rest)| rest.split(' ').skip(1))
        .map(|field| field.parse::<i32>().ok());
    let own = |process: Pid| Some(process.as_raw_nonzero().get());
    fields.next().flatten() == own(getpid()) && fields.next().flatten() != own(getpgrp())
}

/// The number of a process may be given to another one at any time, so it is held first, then looked at.
fn end(process: Pid, is_it: impl Fn(Pid) -> bool) -> bool {
    let Ok(held) = pidfd_open(process, PidfdFlags::empty()) else {
        return false;
    };
    is_it(process) && pidfd_send_signal(held, Signal::KILL).is_ok()
}

fn reap(process: Pid) -> bool {
    // It was killed just now, so this does not wait long.
    waitid(WaitId::Pid(process), WaitIdOptions::EXITED).is_ok()
}
