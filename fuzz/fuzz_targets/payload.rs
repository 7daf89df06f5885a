//! Any bytes may be a host's payload.

#![no_main]

use attest_host::hosts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for host in hosts::ALL {
        if let Ok(payload) = host.parse(bytes) {
            let _ = host.likely_transcript(&payload);
        }
    }
});
