//! Any file may be an agent's transcript.

#![no_main]

use std::cell::RefCell;
use std::fs;
use std::time::{Duration, Instant};

use attest_transcript::forms::{ClaudeCode, Codex};
use attest_transcript::{Detail, Forms, ReadLimits, final_message, last_usage, read_tool_calls};
use libfuzzer_sys::fuzz_target;
use tempfile::NamedTempFile;

const FORMS: Forms<'static> = &[&ClaudeCode, &Codex];

thread_local! {
    static FILE: RefCell<Option<NamedTempFile>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| NamedTempFile::new().unwrap());
        fs::write(file.path(), bytes).unwrap();
        let _ = final_message(file.path(), FORMS, Duration::ZERO);
        let _ = last_usage(file.path(), FORMS);
        let limits = ReadLimits {
            wait: Duration::ZERO,
            deadline: Instant::now() + Duration::from_secs(60),
        };
        let _ = read_tool_calls(file.path(), FORMS, Detail::Files, limits, |_| false);
    });
});
