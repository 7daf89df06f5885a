//! Any file may be a repository's index. The checksum is put right, or nothing would get past it.

#![no_main]

use std::cell::RefCell;
use std::fs;

use attest_snapshot::measured::read_index;
use libfuzzer_sys::fuzz_target;
use sha1::{Digest as _, Sha1};
use tempfile::NamedTempFile;

thread_local! {
    static FILE: RefCell<Option<NamedTempFile>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| NamedTempFile::new().unwrap());
        let whole = [bytes, Sha1::digest(bytes).as_slice()].concat();
        fs::write(file.path(), whole).unwrap();
        let _ = read_index(file.path());
    });
});
