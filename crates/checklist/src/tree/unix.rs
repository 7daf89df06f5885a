//! A process group, and what left it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::command::End;

/// A shell that leads a group of its own.
#[derive(Debug)]
pub(crate) struct Tree {
    shell: Child,
    group: Pid,
    mark: String,
}

impl Tree {
    pub(crate) fn start(mut command: Command, mark: String) -> io::Result<Self> {
        let shell = command.process_group(0).spawn()?;
        let group = Pid::from_child(&shell);
        Ok(Self { shell, group, mark })
    }

    /// Whether the shell has ended, and how. It stays a zombie until [`Tree::kill`], so that no
    /// other process can get the number of its group.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<End>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(status) = waitid(WaitId::Pid(self.group), options)? else {
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

    /// Ends whatever is left.
    pub(crate) fn kill(mut self) {
        // No such process: nothing is left.
        let _ = kill_process_group(self.group, Signal::KILL);
        escaped::kill(&self.mark);
        // It is a zombie or has just been killed.
        let _ = self.shell.wait();
    }
}

/// Processes that have made a session of their own, as daemons do: they still have the variable
/// that the shell was given.
#[cfg(target_os = "linux")]
mod escaped {
    use std::fs;

    use memchr::memmem;
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// How often it is looked for more, where some were found: they may just have started others.
    const ROUNDS: usize = 20;

    pub(super) fn kill(mark: &str) {
        for _ in 0..ROUNDS {
            if kill_once(mark) == 0 {
                return;
            }
        }
    }

    fn kill_once(mark: &str) -> usize {
        let Ok(processes) = fs::read_dir("/proc") else {
            return 0;
        };
        processes
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(Pid::from_raw)
            .filter(|process| kill_marked(*process, mark))
            .count()
    }

    /// The number of a process may be given to another one at any time, so it is held first, then
    /// looked at.
    fn kill_marked(process: Pid, mark: &str) -> bool {
        let environment = format!("/proc/{}/environ", process.as_raw_nonzero());
        let is_marked = || {
            fs::read(&environment)
                .is_ok_and(|bytes| memmem::find(&bytes, mark.as_bytes()).is_some())
        };
        if !is_marked() {
            return false;
        }
        let Ok(held) = pidfd_open(process, PidfdFlags::empty()) else {
            return false;
        };
        is_marked() && pidfd_send_signal(held, Signal::KILL).is_ok()
    }
}

/// The environment of other processes cannot be read without special rights elsewhere.
#[cfg(not(target_os = "linux"))]
mod escaped {
    pub(super) fn kill(_mark: &str) {}
}
