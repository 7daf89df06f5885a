//! How much of a processor something takes: the same on a machine that is busy with other work. And how much of it tests
//! take.

use std::time::Duration;

/// How much a test tries: few in `cargo test --workspace`, many in `.ci/full tests`, which sets `ATTEST_TEST_FULL`.
pub fn size<T>(few: T, many: T) -> T {
    #[expect(clippy::disallowed_methods, reason = "a setting of the test")]
    let is_full = std::env::var_os("ATTEST_TEST_FULL").is_some();
    if is_full { many } else { few }
}

/// The processor time that this thread takes for it. On Windows, where attest asks for none, it is the time on the clock.
pub fn processor_time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = now();
    let made = work();
    let taken = now().saturating_sub(began);
    drop(made);
    taken
}

#[cfg(unix)]
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (seconds, rest) = (now.tv_sec.try_into(), now.tv_nsec.try_into());
    Duration::new(seconds.unwrap_or_default(), rest.unwrap_or_default())
}

#[cfg(not(unix))]
fn now() -> Duration {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
}
