//! Any bytes may be a host's payload.

#![no_main]

use attest_harness::Harness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for harness in Harness::ALL {
        if let Ok(payload) = harness.parse(bytes) {
            let _ = harness.likely_transcript(&payload);
        }
    }
});
