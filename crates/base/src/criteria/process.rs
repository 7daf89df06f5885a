//! What this process has to do with the commands of criteria.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
