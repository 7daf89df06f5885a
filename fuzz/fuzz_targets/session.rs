//! Any file may be an agent's transcript.

#![no_main]

use std::cell::RefCell;
use std::fs;
use std::time::{Duration, Instant};

use attest_evidence::Budget;
use attest_transcript::forms::{ClaudeCode, Codex, Copilot, Droid, Gemini, OpenCode};
use attest_transcript::{Forms, ReadLimits, Session, Whose, final_message, last_usage};
use libfuzzer_sys::fuzz_target;
use tempfile::NamedTempFile;

const FORMS: Forms<'static> = &[&ClaudeCode, &Codex, &Copilot, &Droid, &Gemini, &OpenCode];

thread_local! {
    static FILE: RefCell<Option<NamedTempFile>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| NamedTempFile::new().unwrap());
        fs::write(file.path(), bytes).unwrap();
        let limits = ReadLimits {
            wait: Duration::ZERO,
            deadline: Instant::now() + Duration::from_secs(5),
        };
        let _ = final_message(file.path(), FORMS, limits, &|_| false);
        let _ = last_usage(file.path(), FORMS);
        let read = || Session::read(file.path(), FORMS, &Budget::default(), &mut |_| Whose::Own);
        let (Ok(first), Ok(second)) = (read(), read()) else {
            return;
        };
        assert_eq!(first.prompts, second.prompts, "two readings differ");
        assert_eq!(first.is_whole(), second.is_whole(), "two readings differ");
    });
});
