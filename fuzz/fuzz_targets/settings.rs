//! Any file may be a host's settings: it is refused, or the hooks go in and out and all else stays.

#![no_main]

use attest_host::hosts;
use attest_host::settings::{CallForm, HookFile, Program, Scope};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let files = hosts::ALL.iter().filter_map(|host| host.wiring().any_file());
    for file in files {
        goes_in_and_out(file, bytes);
    }
});

fn goes_in_and_out(file: &dyn HookFile, bytes: &[u8]) {
    let program = Program {
        path: "/opt/my tools/attest",
        form: CallForm::Shell,
    };
    let none = || std::iter::empty();
    let _ = file.inspect(bytes);
    let Ok(installed) = file.install(bytes, Scope::All, program) else {
        return;
    };
    let again = file.install(&installed.bytes, Scope::All, program).unwrap();
    assert!(
        again.changes.is_empty(),
        "installed twice: {:?}",
        again.changes
    );
    assert_eq!(again.bytes, installed.bytes);
    let clean = file.uninstall(bytes, &mut none()).unwrap();
    if clean.events.is_empty() && !bytes.is_empty() {
        let mut backups = [bytes.to_vec()].into_iter();
        let removed = file.uninstall(&installed.bytes, &mut backups).unwrap();
        assert_eq!(removed.bytes.as_deref(), Some(bytes), "not what was there");
    }
    let left = file.uninstall(&installed.bytes, &mut none()).unwrap().bytes;
    if let Some(left) = left {
        let events = file.uninstall(&left, &mut none()).unwrap().events;
        assert!(events.is_empty(), "a hook stays");
    }
}
