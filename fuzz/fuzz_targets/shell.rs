//! Any text is a command: its tree is read in time, and all that is looked for in it is found or given up.

#![no_main]

use attest_shell::parse;
use attest_transcript::places_of;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let tree = parse(text);
    assert_eq!(tree, parse(text), "two readings differ");
    let _ = places_of(text, ".");
});
