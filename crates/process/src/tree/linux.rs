//! Processes that have left their group: by the variable that they were given, and by their parent.
//!
//! A daemon makes a session of its own, and may clear its environment; then nothing of its origin is left but
//! that its parent is gone. As a subreaper this process becomes the parent of such orphans.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use memchr::memmem;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpgrp, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};

/// How long it is looked for more, if some were found: they may just have started others. What starts new
/// ones faster than it can be looked for is left after this.
const CHASE: Duration = Duration::from_millis(500);

/// How long the end of an orphan is waited for.
const DYING: Duration = Duration::from_millis(200);

/// What runs now. Held while a program is started, so that none is taken for an orphan.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    count: 0,
    may_leave_orphans: false,
});

struct Running {
    count: usize,
    /// Whether one of them, or of those before, was to be ended with all that left it.
    may_leave_orphans: bool,
}

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
    running.count += 1;
    Ok(started)
}

/// Forgets a program. With the last one, the orphans that any of them left are ended.
pub(super) fn forget(reaches_all: bool) {
    let mut running = running();
    running.count = running.count.saturating_sub(1);
    running.may_leave_orphans |= reaches_all;
    if running.count == 0 && running.may_leave_orphans {
        running.may_leave_orphans = false;
        chase(|process| is_orphan(process) && end(process, is_orphan) && reap(process));
    }
}

fn running() -> MutexGuard<'static, Running> {
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
    chase(|process| is_marked(process) && end(process, is_marked));
}

/// Looks again and again for processes to end, until there are none. One look is enough if it finds none; after
/// one that did, those that it has just missed may be anywhere, so that two have to find none.
fn chase(end: impl Fn(Pid) -> bool) {
    let began = Instant::now();
    let mut looks_to_go = 1;
    while looks_to_go > 0 && began.elapsed() < CHASE {
        let found = all().into_iter().filter(|process| end(*process)).count();
        looks_to_go = if found == 0 { looks_to_go - 1 } else { 2 };
    }
}

/// All processes that can be seen, the newest first: one that starts the next and ends may be gone soon.
fn all() -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut numbers: Vec<i32> = processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers.into_iter().filter_map(Pid::from_raw).collect()
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

/// It was killed just now, and is waited for so that its own children are orphans at the next look. One that
/// the kernel keeps is not waited for long.
fn reap(process: Pid) -> bool {
    let began = Instant::now();
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match rustix::io::retry_on_intr(|| waitid(WaitId::Pid(process), options)) {
            Ok(None) if began.elapsed() < DYING => super::sleep(DYING, began.elapsed()),
            Ok(Some(_)) => return true,
            Ok(None) | Err(_) => return false,
        }
    }
}
