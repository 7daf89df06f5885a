//! What this process has to do with the commands of criteria.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a command ends with that a person interrupted, as shells say it.
pub const INTERRUPTED: u8 = 130;

/// Set by Ctrl-C, of which a second one ends this process at once.
#[must_use]
pub fn interrupted() -> Arc<AtomicBool> {
    use signal_hook::{consts::SIGINT, flag};
    let interrupted = Arc::new(AtomicBool::new(false));
    // First, so that the one which sets it is not taken for a second.
    let ends = flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), interrupted.clone());
    if ends.is_ok() {
        let _ = flag::register(SIGINT, Arc::clone(&interrupted));
    }
    interrupted
}

/// As many as the machine has.
#[must_use]
pub fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Set by a signal that would have ended this process. Commands run in groups of their own, so that
/// a Ctrl-C at the terminal reaches only us.
#[must_use]
pub fn cancelled_by_signals() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let cancelled = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    for signal in signals {
        // Without it the signal ends this process at once.
        let _ = signal_hook::flag::register(signal, Arc::clone(&cancelled));
    }
    cancelled
}
