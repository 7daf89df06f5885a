//! Time and memory for the dearest inputs: `cargo bench -p attest-claim --bench limits`, and behind
//! `--` the size of each in bytes.

#![allow(missing_docs, clippy::disallowed_macros, reason = "a benchmark")]

#[path = "../src/tests/heavy.rs"]
mod heavy;

use std::time::{Duration, Instant};
use std::{env, fs, hint};

fn main() {
    let sizes: Vec<usize> = env::args()
        .skip(1)
        .filter_map(|size| size.parse().ok())
        .collect();
    for bytes in if sizes.is_empty() {
        vec![attest_claim::MAX_MESSAGE_BYTES, 5_000_000]
    } else {
        sizes
    } {
        let mut figures: Vec<_> = heavy::inputs(bytes)
            .map(|(name, text)| {
                let (time, kilobytes) = measured(&text);
                (time, kilobytes, name)
            })
            .collect();
        println!("{bytes} bytes, {} inputs; the dearest:", figures.len());
        figures.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
        figures[..8].iter().for_each(print);
        figures.sort_by_key(|(_, kilobytes, _)| std::cmp::Reverse(*kilobytes));
        figures[..8].iter().for_each(print);
    }
}

fn print((time, kilobytes, name): &(Duration, u64, String)) {
    println!("{:>7} ms {:>7} kB  {name}", time.as_millis(), kilobytes);
}

/// How long the text is read, and by how much memory grows meanwhile at most (on Linux).
fn measured(text: &str) -> (Duration, u64) {
    // Begins a new high-water mark.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = peak();
    let (began, ran) = (Instant::now(), on_processor());
    hint::black_box(attest_claim::parse(text));
    let time = match (ran, on_processor()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => began.elapsed(),
    };
    (time, peak().saturating_sub(before))
}

/// How long this thread has run, without the time in which others did (on Linux).
fn on_processor() -> Option<Duration> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The high-water mark of this process in kilobytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or_default()
}
