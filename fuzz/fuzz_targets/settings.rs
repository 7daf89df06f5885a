//! Any file may be a host's settings: it is refused, or the hooks go in and out and all else stays.

#![no_main]

#[allow(dead_code, unreachable_pub, reason = "the program is no library")]
#[path = "../../crates/attest/src/env.rs"]
mod env;
#[allow(dead_code, unused_imports, reason = "the program is no library")]
#[path = "../../crates/attest/src/settings/mod.rs"]
mod settings;

use libfuzzer_sys::fuzz_target;
use settings::{CLAUDE_CODE, CallForm, Program, inspect, install, uninstall};

fuzz_target!(|bytes: &[u8]| {
    let program = Program {
        path: "/opt/my tools/attest",
        form: CallForm::Shell,
    };
    let _ = inspect(bytes);
    let Ok(installed) = install(bytes, &CLAUDE_CODE, program) else {
        return;
    };
    let again = install(&installed.bytes, &CLAUDE_CODE, program).unwrap();
    assert!(
        again.changes.is_empty(),
        "installed twice: {:?}",
        again.changes
    );
    assert_eq!(again.bytes, installed.bytes);
    // Removal looks into more events, and refuses what it cannot read there.
    let Ok(clean) = uninstall(bytes, None) else {
        return;
    };
    if clean.events.is_empty() && !bytes.is_empty() {
        let removed = uninstall(&installed.bytes, [bytes.to_vec()]).unwrap();
        assert_eq!(removed.bytes.as_deref(), Some(bytes), "not what was there");
    }
    let left = uninstall(&installed.bytes, None).unwrap().bytes;
    if let Some(left) = left {
        assert!(
            uninstall(&left, None).unwrap().events.is_empty(),
            "a hook stays"
        );
    }
});
