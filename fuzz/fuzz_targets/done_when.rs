//! Any text is a prompt: what it asks for is of its words.

#![no_main]

use attest_claim::done_when;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let text = format!("{text}\n\nDone when:\n{text}");
    for wanted in done_when(&text) {
        assert!(!wanted.path.trim().is_empty(), "a path of nothing");
    }
});
