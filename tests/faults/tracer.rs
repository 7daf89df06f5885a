//! Runs a program and makes one of its system calls fail, in it or in any process that it starts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use rustix::process::{Pid as Target, Signal as Sent, kill_process};

use super::disk::{Disk, Moment};

/// A shell that waits to be traced and then becomes the program in its arguments.
pub const WAIT_AND_BECOME: &str = "kill -STOP $$; exec \"$0\" \"$@\"";

/// One system call: the `nth` call `number` of a process, processes counted as they were started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    pub process: usize,
    pub number: i64,
    pub nth: usize,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is not made, and returns this error.
    Error(i32),
    /// It is made for one byte, which a kernel is free to do.
    Short,
    /// It is made, and then reports this error.
    Late(i32),
    /// It is not made, and everything that was started is killed.
    Kill,
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// Every call from `main` on; empty where one was to fail.
    pub calls: Vec<Call>,
    /// The exit status; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Until the program itself had ended.
    pub took: Duration,
    /// Whether the call that was to fail was made.
    pub was_reached: bool,
    /// What the process in which a call was to fail had become by then: its arguments.
    pub program: String,
    /// What was on the disk at the first byte of output, where no call was to fail.
    pub at_output: Option<Moment>,
}

struct Tracer {
    first: Pid,
    plan: Option<(Call, Fault)>,
    /// Process numbers by thread.
    threads: BTreeMap<Pid, usize>,
    /// Process numbers by process.
    processes: BTreeMap<Pid, usize>,
    seen: BTreeMap<(usize, i64), usize>,
    calls: Vec<Call>,
    is_in_main: bool,
    was_reached: bool,
    failing: Option<Pid>,
    program: String,
    disk: Disk,
    alive: Arc<Mutex<BTreeSet<Pid>>>,
}

/// Runs a command, which has to be `sh -c` with [`WAIT_AND_BECOME`]. What still lives after `limit`
/// is killed.
pub fn run(command: &mut Command, plan: Option<(Call, Fault)>, limit: Duration) -> io::Result<Run> {
    let child = command.spawn()?;
    let first = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    waitpid(first, Some(WaitPidFlag::WUNTRACED))?;
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    if let Err(error) = ptrace::seize(first, options) {
        send(first, Sent::KILL);
        waitpid(first, None)?;
        return Err(error.into());
    }
    let alive = Arc::new(Mutex::new(BTreeSet::from([first])));
    let mut tracer = Tracer {
        first,
        plan,
        threads: BTreeMap::from([(first, 0)]),
        processes: BTreeMap::from([(first, 0)]),
        seen: BTreeMap::new(),
        calls: Vec::new(),
        is_in_main: false,
        was_reached: false,
        failing: None,
        program: String::new(),
        disk: Disk::default(),
        alive: Arc::clone(&alive),
    };
    send(first, Sent::CONT);
    let (done, wait) = channel::<()>();
    let watch = thread::spawn(move || {
        while wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            for &pid in &*alive.lock().unwrap_or_else(PoisonError::into_inner) {
                send(pid, Sent::KILL);
            }
        }
    });
    let began = Instant::now();
    let ended = tracer.follow(began);
    drop(done);
    drop(watch.join());
    let (code, took) = ended?;
    Ok(Run {
        calls: tracer.calls,
        code,
        took,
        was_reached: tracer.was_reached,
        program: tracer.program,
        at_output: tracer.disk.at_output(),
    })
}

fn send(pid: Pid, signal: Sent) {
    if let Some(target) = Target::from_raw(pid.as_raw()) {
        // It may have ended already.
        let _ = kill_process(target, signal);
    }
}

impl Tracer {
    /// Goes on until nobody is left.
    fn follow(&mut self, began: Instant) -> io::Result<(Option<i32>, Duration)> {
        // Other threads trace programs of their own.
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        let mut end = None;
        loop {
            match waitpid(None, Some(flags)) {
                Ok(WaitStatus::Exited(pid, code)) => {
                    self.forget(pid);
                    if pid == self.first {
                        end = Some((Some(code), began.elapsed()));
                    }
                }
                Ok(WaitStatus::Signaled(pid, ..)) => {
                    self.forget(pid);
                    if pid == self.first {
                        end = Some((None, began.elapsed()));
                    }
                }
                Ok(WaitStatus::PtraceSyscall(pid)) => {
                    self.register(pid);
                    // A thread that was killed cannot be looked at any more.
                    let _ = self.at_call(pid);
                    self.resume(pid, None);
                }
                Ok(WaitStatus::PtraceEvent(pid, _, event)) => {
                    self.register(pid);
                    if event == Event::PTRACE_EVENT_EXEC as i32 && pid == self.first {
                        self.is_in_main = false;
                    }
                    self.resume(pid, None);
                }
                Ok(WaitStatus::Stopped(pid, signal)) => {
                    self.register(pid);
                    self.resume(pid, Some(signal));
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(Errno::ECHILD) => break,
                Err(error) => return Err(error.into()),
            }
        }
        end.ok_or_else(|| io::Error::other("the program was lost"))
    }

    fn register(&mut self, pid: Pid) {
        if self.threads.contains_key(&pid) {
            return;
        }
        let leader = leader(pid).unwrap_or(pid);
        let next = self.processes.len();
        let process = *self.processes.entry(leader).or_insert(next);
        self.threads.insert(pid, process);
        self.lock_alive().insert(leader);
    }

    fn forget(&mut self, pid: Pid) {
        self.threads.remove(&pid);
        self.lock_alive().remove(&pid);
    }

    fn lock_alive(&self) -> std::sync::MutexGuard<'_, BTreeSet<Pid>> {
        self.alive.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn resume(&self, pid: Pid, signal: Option<Signal>) {
        // Once the fault has happened nothing more has to be seen.
        let is_over = self.was_reached && self.failing.is_none();
        let resumed = if is_over {
            ptrace::cont(pid, signal)
        } else {
            ptrace::syscall(pid, signal)
        };
        // It may have been killed meanwhile.
        let _ = resumed;
    }

    fn at_call(&mut self, pid: Pid) -> nix::Result<()> {
        let is_entry = ptrace::syscall_info(pid)?.op == libc::PTRACE_SYSCALL_INFO_ENTRY;
        if !is_entry {
            return self.at_return(pid);
        }
        let mut registers = ptrace::getregs(pid)?;
        let number = registers.orig_rax.cast_signed();
        let process = self.threads.get(&pid).copied().unwrap_or_default();
        if process == 0 && !self.is_in_main {
            self.is_in_main = is_last_before_main(number, registers.rdi, registers.rsi);
            return Ok(());
        }
        let nth = self.seen.entry((process, number)).or_default();
        let call = Call {
            process,
            number,
            nth: *nth,
        };
        *nth += 1;
        let Some((planned, fault)) = self.plan else {
            self.calls.push(call);
            self.disk.note(pid, number, registers.rdi);
            return Ok(());
        };
        if self.was_reached || call != planned {
            return Ok(());
        }
        self.was_reached = true;
        self.program = arguments(pid).unwrap_or_default();
        match fault {
            Fault::Error(_) => registers.orig_rax = u64::MAX,
            Fault::Short => registers.rdx = registers.rdx.min(1),
            Fault::Late(_) => {}
            Fault::Kill => {
                for &pid in &*self.lock_alive() {
                    send(pid, Sent::KILL);
                }
                return Ok(());
            }
        }
        ptrace::setregs(pid, registers)?;
        self.failing = Some(pid);
        Ok(())
    }

    fn at_return(&mut self, pid: Pid) -> nix::Result<()> {
        if self.failing != Some(pid) {
            return Ok(());
        }
        self.failing = None;
        let Some((_, Fault::Error(error) | Fault::Late(error))) = self.plan else {
            return Ok(());
        };
        let mut registers = ptrace::getregs(pid)?;
        registers.rax = i64::from(-error).cast_unsigned();
        ptrace::setregs(pid, registers)
    }
}

/// The last thing that Rust's runtime does before `main` is to handle SIGBUS. A failure before
/// that ends the process, and no program of ours can help it.
fn is_last_before_main(number: i64, signal: u64, action: u64) -> bool {
    number == libc::SYS_rt_sigaction && signal == libc::SIGBUS as u64 && action != 0
}

/// The last arguments of a process: git's own options come first.
fn arguments(pid: Pid) -> Option<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words = line.split(|byte| *byte == 0).rev().take(7);
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    Some(words.into_iter().rev().collect::<Vec<_>>().join(" "))
}

/// The process that a thread belongs to.
fn leader(thread: Pid) -> Option<Pid> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    Some(Pid::from_raw(line.trim().parse().ok()?))
}
