//! A process group, and whatever left it.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::end::End;

#[cfg(target_os = "linux")]
use super::linux as escaped;

/// How long to wait for a killed process to be gone.
const REAP_WAIT: Duration = Duration::from_secs(1);

/// A program that leads a group of its own.
#[derive(Debug)]
pub(crate) struct Tree {
    leader: Child,
    group: Pid,
    /// The mark of what left the group, if that is to be ended too.
    mark: Option<String>,
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Tree {
    pub(crate) fn start(mut command: Command, mark: Option<String>) -> io::Result<Self> {
        heed_children();
        if mark.is_some() {
            escaped::prepare();
        }
        let leader = escaped::counted(|| command.process_group(0).spawn())?;
        let group = Pid::from_child(&leader);
        Ok(Self {
            #[cfg(target_os = "linux")]
            handle: escaped::handle(group),
            leader,
            group,
            mark,
        })
    }

    /// Whether the program has ended, and how. It stays a zombie until [`Tree::kill`], so that no
    /// other process can get the number of its group.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<End>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.group), options))?;
        let Some(status) = ended else {
            return Ok(None);
        };
        Ok(Some(
            match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => End::Exited(code),
                (None, Some(signal)) => End::Signalled(signal),
                (None, None) => return Ok(None),
            },
        ))
    }

    /// Waits for its end, but not longer than `most`.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(clippy::unused_self, reason = "only Linux has a handle to wait for")
    )]
    pub(crate) fn pause(&self, most: Duration, since_start: Duration) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle {
            let _ = since_start;
            escaped::wait(handle, most);
            return;
        }
        super::sleep(most, since_start);
    }

    /// Ends everything that is left.
    pub(crate) fn kill(mut self) {
        // An error means that there is no such process: nothing is left.
        let _ = kill_process_group(self.group, Signal::KILL);
        if let Some(mark) = &self.mark {
            escaped::kill(mark);
        }
        self.reap();
        escaped::forget(self.mark.is_some());
    }

    /// The leader is a zombie or has just been killed. One that the kernel keeps alive, because a
    /// disk does not answer, is left to whatever reaps it after this process.
    fn reap(&mut self) {
        let began = Instant::now();
        while let Ok(None) = self.leader.try_wait() {
            let passed = began.elapsed();
            let Some(left) = REAP_WAIT.checked_sub(passed) else {
                return;
            };
            self.pause(left, passed);
        }
    }
}

/// A host may have told the kernel that it ignores how its children end, and programs inherit that.
/// The end of a child then cannot be learnt, and git takes its own children for lost.
fn heed_children() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A handler is not inherited, so the programs that are started here get the default back.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::default());
    });
}

/// The input is a file: if it were a pipe, a program that does not read it would block its writer,
/// and one whose read is interrupted would take what it has for everything.
pub(crate) fn file_of(input: &[u8]) -> io::Result<File> {
    let mut file = escaped::memory_file()?;
    file.write_all(input)?;
    io::Seek::seek(&mut file, io::SeekFrom::Start(0))?;
    Ok(file)
}

/// On other systems, reading the environment and the parents of other processes needs special
/// rights.
#[cfg(not(target_os = "linux"))]
mod escaped {
    use std::io;

    pub(super) fn prepare() {}

    pub(super) fn counted<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        start()
    }

    pub(super) fn kill(_mark: &str) {}

    pub(super) fn forget(_reaches_all: bool) {}

    pub(super) fn memory_file() -> io::Result<std::fs::File> {
        tempfile::tempfile()
    }
}
