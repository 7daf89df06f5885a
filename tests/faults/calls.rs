//! Which system calls can fail, and how.

use nix::libc;

use super::tracer::Fault::{self, Error, Late, Short};

/// What the manual pages know, of which a program meets the most telling ones: the disk is broken
/// or full, memory or handles have run out, a signal came in between, a right is missing.
const TABLE: &[(&str, i64, &[Fault])] = &[
    ("openat", libc::SYS_openat, OPEN),
    ("open", libc::SYS_open, OPEN),
    ("read", libc::SYS_read, READ),
    ("pread64", libc::SYS_pread64, READ),
    ("readv", libc::SYS_readv, &[EIO, EINTR]),
    ("recvfrom", libc::SYS_recvfrom, &[EINTR, ENOMEM, Short]),
    ("recvmsg", libc::SYS_recvmsg, &[EINTR, ENOMEM]),
    ("sendto", libc::SYS_sendto, &[EINTR, ENOMEM, Short]),
    ("sendmsg", libc::SYS_sendmsg, &[EINTR, ENOMEM]),
    ("write", libc::SYS_write, WRITE),
    ("pwrite64", libc::SYS_pwrite64, WRITE),
    ("writev", libc::SYS_writev, &[EIO, ENOSPC, EINTR]),
    ("getdents64", libc::SYS_getdents64, &[EIO, ENOMEM, EINTR]),
    ("statx", libc::SYS_statx, LOOK),
    ("newfstatat", libc::SYS_newfstatat, LOOK),
    ("fstat", libc::SYS_fstat, LOOK),
    ("stat", libc::SYS_stat, LOOK),
    ("lstat", libc::SYS_lstat, LOOK),
    ("readlink", libc::SYS_readlink, LOOK),
    ("readlinkat", libc::SYS_readlinkat, LOOK),
    ("access", libc::SYS_access, LOOK),
    ("faccessat", libc::SYS_faccessat, LOOK),
    ("faccessat2", libc::SYS_faccessat2, LOOK),
    ("statfs", libc::SYS_statfs, &[EIO, ENOMEM]),
    ("fstatfs", libc::SYS_fstatfs, &[EIO, ENOMEM]),
    ("getcwd", libc::SYS_getcwd, &[ENOMEM, EACCES]),
    ("lseek", libc::SYS_lseek, &[EIO]),
    ("fcntl", libc::SYS_fcntl, &[EIO, EINTR, EAGAIN]),
    ("flock", libc::SYS_flock, &[EINTR, EAGAIN]),
    ("fsync", libc::SYS_fsync, &[EIO, ENOSPC]),
    ("fdatasync", libc::SYS_fdatasync, &[EIO, ENOSPC]),
    ("ftruncate", libc::SYS_ftruncate, &[EIO, EINTR]),
    ("fallocate", libc::SYS_fallocate, &[EIO, ENOSPC]),
    ("unlink", libc::SYS_unlink, CHANGE),
    ("unlinkat", libc::SYS_unlinkat, CHANGE),
    ("rename", libc::SYS_rename, CHANGE),
    ("renameat2", libc::SYS_renameat2, CHANGE),
    ("mkdir", libc::SYS_mkdir, CHANGE),
    ("mkdirat", libc::SYS_mkdirat, CHANGE),
    ("chmod", libc::SYS_chmod, CHANGE),
    ("fchmod", libc::SYS_fchmod, CHANGE),
    ("fchown", libc::SYS_fchown, CHANGE),
    (
        "close",
        libc::SYS_close,
        &[Late(libc::EIO), Late(libc::EINTR)],
    ),
    ("mmap", libc::SYS_mmap, &[ENOMEM]),
    ("mremap", libc::SYS_mremap, &[ENOMEM]),
    ("mprotect", libc::SYS_mprotect, &[ENOMEM]),
    // Not `brk`: the C library makes its heap with it before the program begins, and ends if it cannot.
    ("madvise", libc::SYS_madvise, &[ENOMEM]),
    ("clone", libc::SYS_clone, &[EAGAIN, ENOMEM]),
    ("clone3", libc::SYS_clone3, &[EAGAIN, ENOMEM]),
    ("fork", libc::SYS_fork, &[EAGAIN, ENOMEM]),
    ("vfork", libc::SYS_vfork, &[EAGAIN, ENOMEM]),
    ("execve", libc::SYS_execve, &[ENOMEM, EACCES, EIO]),
    ("pipe2", libc::SYS_pipe2, FILES),
    ("socket", libc::SYS_socket, FILES),
    ("socketpair", libc::SYS_socketpair, FILES),
    ("dup", libc::SYS_dup, FILES),
    ("dup2", libc::SYS_dup2, FILES),
    ("dup3", libc::SYS_dup3, FILES),
    ("eventfd2", libc::SYS_eventfd2, FILES),
    ("pidfd_open", libc::SYS_pidfd_open, FILES),
    ("poll", libc::SYS_poll, &[EINTR, ENOMEM]),
    ("ppoll", libc::SYS_ppoll, &[EINTR, ENOMEM]),
    ("wait4", libc::SYS_wait4, &[EINTR, ECHILD]),
    ("waitid", libc::SYS_waitid, &[EINTR, ECHILD]),
    ("kill", libc::SYS_kill, &[EPERM]),
    ("chdir", libc::SYS_chdir, &[EIO, EACCES]),
    ("fchdir", libc::SYS_fchdir, &[EIO, EACCES]),
    ("ioctl", libc::SYS_ioctl, &[EIO]),
    ("getrandom", libc::SYS_getrandom, &[EINTR, EAGAIN]),
    ("setpgid", libc::SYS_setpgid, &[EPERM]),
    ("setsid", libc::SYS_setsid, &[EPERM]),
    ("prctl", libc::SYS_prctl, &[EPERM]),
    ("prlimit64", libc::SYS_prlimit64, &[EPERM]),
    ("futex", libc::SYS_futex, &[EINTR]),
];

const EIO: Fault = Error(libc::EIO);
const EINTR: Fault = Error(libc::EINTR);
const ENOMEM: Fault = Error(libc::ENOMEM);
const ENOSPC: Fault = Error(libc::ENOSPC);
const EACCES: Fault = Error(libc::EACCES);
const EAGAIN: Fault = Error(libc::EAGAIN);
const EMFILE: Fault = Error(libc::EMFILE);
const EPERM: Fault = Error(libc::EPERM);
const ECHILD: Fault = Error(libc::ECHILD);

const OPEN: &[Fault] = &[EIO, EINTR, ENOMEM, EMFILE, EACCES];
const READ: &[Fault] = &[EIO, EINTR, Short];
const WRITE: &[Fault] = &[EIO, ENOSPC, EINTR, Short];
const LOOK: &[Fault] = &[EIO, ENOMEM, EACCES];
const CHANGE: &[Fault] = &[EIO, ENOSPC, EACCES];
const FILES: &[Fault] = &[EMFILE, ENOMEM];

/// How a call can fail; nothing for one that cannot.
pub fn faults(number: i64) -> &'static [Fault] {
    row(number).map_or(&[], |row| row.2)
}

/// The name of a call.
pub fn name(number: i64) -> String {
    row(number).map_or_else(|| format!("call {number}"), |row| row.0.to_owned())
}

fn row(number: i64) -> Option<&'static (&'static str, i64, &'static [Fault])> {
    TABLE.iter().find(|row| row.1 == number)
}
