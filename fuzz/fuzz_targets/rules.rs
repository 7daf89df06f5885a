//! Any text may be a file of ignore rules, and any name the path that they are asked about: the last line.
//! Rules that end in one that takes everything back ignore nothing in their own folder.

#![no_main]

use attest_snapshot::measured::Ignore;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (rules, path) = text.trim_end().rsplit_once('\n').unwrap_or(("", text));
    let path = path.trim_matches('/');
    if path.is_empty() || path.contains('\0') {
        return;
    }
    let _ = Ignore::parse(rules).covers(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let taken_back = format!("{rules}\n!*\n");
    assert!(
        !Ignore::parse(&taken_back).covers(name),
        "{taken_back:?} {name:?}"
    );
});
