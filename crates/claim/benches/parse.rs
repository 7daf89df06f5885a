//! Reading a claim out of a message.

#![allow(missing_docs, reason = "a benchmark")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const REPORT: &str =
    "\n## Handoff\n\nStatus: DONE\n\nFiles changed:\n- src/a.rs\n- `src/b.rs` (new)\n";

/// Lines of prose before the report.
#[divan::bench(args = [0, 100, 10_000])]
fn parse(bencher: Bencher<'_, '_>, lines: usize) {
    let message = "I looked at `src/a.rs` and it is **done** now.\n".repeat(lines) + REPORT;
    bencher
        .counter(BytesCount::of_str(&message))
        .bench(|| attest_claim::parse(black_box(&message)));
}

/// A report that names as many files, each with what was done to it.
#[divan::bench(args = [10, 100])]
fn report(bencher: Bencher<'_, '_>, files: usize) {
    let mut message = String::from("Status: DONE\n\n## Files changed\n\n");
    for number in 0..files {
        message += &format!("- `src/part/file_{number}.rs` - added the retry of part {number}\n");
    }
    bencher
        .counter(BytesCount::of_str(&message))
        .bench(|| attest_claim::parse(black_box(&message)));
}
