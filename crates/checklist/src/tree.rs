//! A command with everything that it starts.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::Tree;
#[cfg(windows)]
pub(crate) use windows::Tree;
