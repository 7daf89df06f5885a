//! What ends the process of a hook with status 0 when its work does not: at the deadline, and on
//! the signals that a program can catch.
//!
//! Two threads wait for the deadline. The first leaves a line in the log and ends the process. The
//! log may be on a file system that hangs, so the second one, a moment later, only ends it: that
//! takes no memory, no file and no lock.
//!
//! A process that supervises this one could also end it where the kernel does not let a thread go,
//! and after a fault in a library's own code. It is not used, because it makes every hook start two
//! programs: 0.4 ms of the 0.5 ms that a hook takes that has nothing to do.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use attest_base::log::{Level, Log};

/// What a hook may take that only hands on what is known.
pub(super) const TELL_DEADLINE: Duration = Duration::from_secs(5);
/// Bytes of stack for what only waits and writes one line.
const SMALL_STACK: usize = 128 * 1024;
/// Bytes of stack for the work, where the system does not give about as much by itself.
const STACK: usize = 16 * 1024 * 1024;
/// What the line in the log may take before the process is ended without it.
const GRACE: Duration = Duration::from_millis(50);

/// The watch over the process of one hook.
pub(super) struct Guard {
    clock: Arc<Clock>,
    threads: Vec<Thread>,
}

struct Clock {
    began: Instant,
    /// Nanoseconds since `began`.
    limit: AtomicU64,
    /// Unknown until the configuration is.
    log: OnceLock<Log>,
}

impl Guard {
    /// Ends the process after `time`, until another time is [set](Self::set).
    fn new(time: Duration) -> io::Result<Self> {
        let clock = Arc::new(Clock {
            began: Instant::now(),
            limit: AtomicU64::new(nanoseconds(time)),
            log: OnceLock::new(),
        });
        let mut threads = vec![clock.spawn(|clock| clock.wait(GRACE))?];
        // Without this one there is no line in the log, which is no reason to do nothing.
        threads.extend(clock.spawn(|clock| {
            clock.wait(Duration::ZERO);
            clock.report();
        }));
        Ok(Self { clock, threads })
    }

    /// When the hook began.
    pub(super) fn began(&self) -> Instant {
        self.clock.began
    }

    /// Sets the time since the beginning, and where a hook that takes longer is reported.
    pub(super) fn set(&self, time: Duration, log: Log) {
        // The first one stays: there is one configuration.
        let _ = self.clock.log.set(log);
        self.clock.limit.store(nanoseconds(time), Ordering::SeqCst);
        self.threads.iter().for_each(Thread::unpark);
    }
}

impl Clock {
    fn spawn(self: &Arc<Self>, wait: fn(&Self)) -> io::Result<Thread> {
        let clock = Arc::clone(self);
        let handle = thread::Builder::new()
            .stack_size(SMALL_STACK)
            .spawn(move || {
                wait(&clock);
                exit()
            })?;
        Ok(handle.thread().clone())
    }

    fn limit(&self) -> Duration {
        Duration::from_nanos(self.limit.load(Ordering::SeqCst))
    }

    /// Waits until the limit, and for `more`.
    fn wait(&self, more: Duration) {
        loop {
            let end = self.limit() + more;
            let left = end.saturating_sub(self.began.elapsed());
            if left.is_zero() {
                return;
            }
            thread::park_timeout(left);
        }
    }

    fn report(&self) {
        if let Some(log) = self.log.get() {
            let message = format!("not done after {:?}", self.limit());
            log.write(Level::Error, "ALLOW_DEADLINE", message);
        }
    }
}

/// Does the work of a hook: with status 0, in `time` if the work sets no other, on a stack of known
/// size.
pub(super) fn guarded(time: Duration, work: impl FnOnce(&Guard) + Send) -> ExitCode {
    // Without a thread there is no deadline, and so no work.
    if let Ok(guard) = Guard::new(time) {
        on_known_stack(|| {
            // That it panicked is in the log.
            let _ = catch_unwind(AssertUnwindSafe(|| work(&guard)));
        });
    }
    ExitCode::SUCCESS
}

/// Ends the process at once: no buffer is flushed, no lock is taken, nothing is run at exit.
fn exit() -> ! {
    signal_hook::low_level::exit(0)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Runs `work` here if the stack of this thread is about as large as it usually is, and else in a
/// thread that has one. Where there is a limit, an overflow is found, and ends in `SIGABRT`.
fn on_known_stack(work: impl FnOnce() + Send) {
    if has_usual_stack() {
        return work();
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        // A thread that cannot be had: the hook ends without having done anything.
        let _ = thread.spawn_scoped(scope, work);
    });
}

#[cfg(unix)]
fn has_usual_stack() -> bool {
    // Not that of rustix, which takes for granted that the call cannot be refused.
    use nix::sys::resource::{Resource, getrlimit};
    /// Half of what most systems give, and some times as much.
    const USUAL: std::ops::RangeInclusive<u64> = 4 * 1024 * 1024..=64 * 1024 * 1024;
    getrlimit(Resource::RLIMIT_STACK).is_ok_and(|(limit, _)| USUAL.contains(&limit))
}

/// The first thread has 1 MiB on Windows.
#[cfg(not(unix))]
fn has_usual_stack() -> bool {
    false
}

/// Makes the process end with status 0 where it would end by a signal: without memory, on a stack
/// that is used up (both end in `SIGABRT`), at a file that was cut short while SQLite had it mapped,
/// and at a limit of processor time. A write beyond a limit of file size becomes an error.
///
/// The signals that remain are those that no safe handler can be written for.
#[cfg(unix)]
pub(crate) fn catch_signals() {
    use std::sync::atomic::AtomicBool;

    use rustix::process::Signal;
    use signal_hook::consts::{SIGABRT, SIGBUS, SIGSYS, SIGTRAP};
    use signal_hook::flag::{register, register_conditional_shutdown};

    let deadly = [SIGABRT, SIGBUS, SIGSYS, SIGTRAP, Signal::XCPU.as_raw()];
    for signal in deadly {
        // A signal that cannot be caught here keeps its default, which is the worst it can do.
        let _ = register_conditional_shutdown(signal, 0, Arc::new(AtomicBool::new(true)));
    }
    let _ = register(Signal::XFSZ.as_raw(), Arc::new(AtomicBool::new(false)));
}

#[cfg(not(unix))]
pub(crate) fn catch_signals() {}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests start what they need")]

    use std::hint::black_box;
    use std::process::Command;

    use super::*;

    /// Runs one of the tests below in a process of its own. Returns its status and its words.
    fn run(name: &str) -> (Option<i32>, String) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let name = format!("hook::guard::tests::{name}");
        command.args(["--ignored", "--exact", "--nocapture", &name]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    }

    #[test]
    #[ignore = "ends the process"]
    fn used_up_stack() {
        fn deeper(level: u64) -> u64 {
            let room = black_box([level; 64]);
            if room[63] == u64::MAX {
                return level;
            }
            deeper(level + 1) + room[0]
        }
        catch_signals();
        black_box(deeper(0));
        std::process::exit(1);
    }

    #[test]
    #[ignore = "ends the process"]
    fn no_memory() {
        catch_signals();
        black_box(Vec::<u8>::with_capacity(1 << 60));
        std::process::exit(1);
    }

    #[test]
    #[ignore = "ends the process"]
    fn work_that_never_ends() {
        let _ = guarded(Duration::from_millis(100), |_| {
            loop {
                thread::park();
            }
        });
        std::process::exit(1);
    }

    #[test]
    #[ignore = "ends the process"]
    fn work_that_panics() {
        let code = guarded(Duration::from_secs(10), |_| panic!("on purpose"));
        assert_eq!(code, ExitCode::SUCCESS);
        std::process::exit(7);
    }

    #[test]
    fn whatever_ends_the_process_its_status_is_0() {
        let (code, said) = run("used_up_stack");
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("overflowed its stack"), "{said}");
        let (code, said) = run("no_memory");
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("memory allocation of"), "{said}");
        let (code, said) = run("work_that_never_ends");
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = run("work_that_panics");
        assert_eq!(code, Some(7), "{said}");
    }
}
