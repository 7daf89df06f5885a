//! Any file may be a host's settings: it is refused, or the hooks go in and out and all else stays.

#![no_main]

use attest_host::hosts;
use attest_host::settings::{CallForm, Program, Scope};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let host = hosts::usual().wiring();
    let program = Program {
        path: "/opt/my tools/attest",
        form: CallForm::Shell,
    };
    let none = || std::iter::empty();
    let _ = host.inspect(bytes);
    let Ok(installed) = host.install(bytes, Scope::All, program) else {
        return;
    };
    let again = host.install(&installed.bytes, Scope::All, program).unwrap();
    assert!(
        again.changes.is_empty(),
        "installed twice: {:?}",
        again.changes
    );
    assert_eq!(again.bytes, installed.bytes);
    let clean = host.uninstall(bytes, &mut none()).unwrap();
    if clean.events.is_empty() && !bytes.is_empty() {
        let mut backups = [bytes.to_vec()].into_iter();
        let removed = host.uninstall(&installed.bytes, &mut backups).unwrap();
        assert_eq!(removed.bytes.as_deref(), Some(bytes), "not what was there");
    }
    let left = host.uninstall(&installed.bytes, &mut none()).unwrap().bytes;
    if let Some(left) = left {
        let events = host.uninstall(&left, &mut none()).unwrap().events;
        assert!(events.is_empty(), "a hook stays");
    }
});
