//! Any text is a message: it is read in time, and what is read is of the text.

#![no_main]

use attest_claim::{Certainty, Meaning, Target, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let claim = parse(text);
    assert_eq!(claim, parse(text), "two readings differ");
    for entry in &claim.entries {
        let Meaning::Paths(readings) = &entry.meaning else {
            continue;
        };
        assert!(!readings.is_empty(), "an entry of paths without a path");
        for reading in readings {
            let texts = match &reading.target {
                Target::File(text) | Target::Dir(text) => vec![text],
                Target::Rename { from, to } => vec![from, to],
            };
            for path in texts {
                let is_certain = reading.certainty == Certainty::Certain;
                assert!(!(is_certain && path.trim().is_empty()), "a path of nothing");
            }
        }
    }
});
