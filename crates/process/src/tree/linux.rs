//! Processes that have left their group, found by the variable that they were given and by their
//! parent.
//!
//! A daemon starts a session of its own, and may clear its environment. Then nothing shows where it
//! came from except that its parent is gone. As a subreaper, this process becomes the parent of
//! such orphans.

use std::collections::HashSet;
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

/// How long to keep looking once some were found: they may just have started others. Whatever
/// starts new ones faster than they can be found is left after this.
const CHASE_TIME: Duration = Duration::from_millis(500);

/// What runs now. Locked while a program is started, so that the new program is not taken for an
/// orphan.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    count: 0,
    may_leave_orphans: false,
});

struct Running {
    count: usize,
    /// Whether one of them, or of those before, was to be ended with everything that left it.
    may_leave_orphans: bool,
}

/// Makes this process the parent of every orphan that the programs it starts leave behind.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A kernel that does not know the call still leaves the marks to find them by.
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

/// Forgets a program. With the last one, the orphans that any of them left behind are ended.
pub(super) fn forget(reaches_all: bool) {
    let mut running = running();
    running.count = running.count.saturating_sub(1);
    running.may_leave_orphans |= reaches_all;
    if running.count == 0 && running.may_leave_orphans {
        running.may_leave_orphans = false;
        end_orphans();
    }
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle to wait for the end of a process with.
pub(super) fn handle(process: Pid) -> Option<OwnedFd> {
    pidfd_open(process, PidfdFlags::empty()).ok()
}

pub(super) fn wait(handle: &OwnedFd, most: Duration) {
    let timeout = Timespec::try_from(most).ok();
    // An interrupted wait is merely a shorter one.
    let _ = poll(&mut [PollFd::new(handle, PollFlags::IN)], timeout.as_ref());
}

/// A file in memory.
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

/// Looks again and again for processes to end, until there are none. If the first look finds none,
/// it is enough. After a look that found some, others may have slipped past it, so two looks have
/// to find none.
fn chase(mut end: impl FnMut(Pid) -> bool) {
    let began = Instant::now();
    let mut looks_to_go = 1;
    while looks_to_go > 0 && began.elapsed() < CHASE_TIME {
        let found = all().into_iter().filter(|process| end(*process)).count();
        looks_to_go = if found == 0 { looks_to_go - 1 } else { 2 };
    }
}

/// All visible processes, the newest first: one that starts the next and ends may be gone soon.
fn all() -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut numbers: Vec<i32> = processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers.into_iter().filter_map(Pid::from_raw).collect()
}

/// A child of this process that it did not start: those that it started are in its own group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Orphan {
    Alive,
    /// It is only waiting to be reaped.
    Dead,
}

fn orphan(process: Pid) -> Option<Orphan> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    // From proc(5): the name in parentheses, which may contain any character, then the state, the
    // parent and the group.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let is_dead = matches!(fields.next()?, "Z" | "X");
    let mut number = || fields.next()?.parse::<i32>().ok();
    let (parent, group) = (number()?, number()?);
    let own = |process: Pid| process.as_raw_nonzero().get();
    if parent != own(getpid()) || group == own(getpgrp()) {
        return None;
    }
    Some(if is_dead { Orphan::Dead } else { Orphan::Alive })
}

/// Ends orphans until none is alive and none has died since the last look: one that died may have
/// started another one that the look missed. Only then are the dead reaped. Until then their
/// numbers cannot be given to other processes, and no time is lost in which the living continue.
fn end_orphans() {
    let is_alive = |process| orphan(process) == Some(Orphan::Alive);
    let mut dead = HashSet::new();
    chase(|process| {
        if dead.contains(&process) {
            return false;
        }
        match orphan(process) {
            Some(Orphan::Alive) => end(process, is_alive),
            Some(Orphan::Dead) => dead.insert(process),
            None => false,
        }
    });
    dead.into_iter().for_each(reap);
}

/// The number of a process may be given to another one at any time, so get a handle first, and look
/// then.
fn end(process: Pid, is_it: impl Fn(Pid) -> bool) -> bool {
    let Ok(held) = pidfd_open(process, PidfdFlags::empty()) else {
        return false;
    };
    is_it(process) && pidfd_send_signal(held, Signal::KILL).is_ok()
}

fn reap(dead: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    // Best effort: otherwise whatever becomes its parent next reaps it.
    let _ = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(dead), options));
}
