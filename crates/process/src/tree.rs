//! A program together with everything that it starts.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{Tree, file_of};
#[cfg(windows)]
pub(crate) use windows::{Tree, file_of};

/// Sleeps longer the longer the program has run, but never longer than `most`.
fn sleep(most: std::time::Duration, since_start: std::time::Duration) {
    const SHORTEST: std::time::Duration = std::time::Duration::from_micros(500);
    std::thread::sleep((since_start / 4).max(SHORTEST).min(most));
}
