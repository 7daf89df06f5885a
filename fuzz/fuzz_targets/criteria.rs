//! Any text may be a file of criteria.

#![no_main]

use attest_checklist::Criteria;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(criteria) = Criteria::parse(text) else {
        return;
    };
    for name in criteria.names() {
        assert!(
            criteria.only(&name).is_some(),
            "{name:?} cannot be selected"
        );
    }
});
