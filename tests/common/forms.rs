//! How many cases of a generated test there are, and which forms of the corpus each has.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::test_runner::{Config as ProptestConfig, RngSeed};

pub use attest_corpus::{Form, forms};

use super::size;

/// The same few cases each time, so that a change is what makes a test fail: more of them in `.ci/full`.
/// `PROPTEST_CASES` asks for that many new ones.
#[expect(clippy::disallowed_methods, reason = "a setting of the test")]
pub fn cases(few: u32, many: u32) -> ProptestConfig {
    let few = size(few, many);
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(few),
        rng_seed: asked.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// As many forms, each time the next ones: every scenario has some, and all scenarios together have all.
pub fn next_forms(count: usize) -> impl Iterator<Item = &'static Form> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let first = NEXT.fetch_add(count, Ordering::Relaxed);
    (first..first + count).map(|index| &forms()[index % forms().len()])
}

/// The names in a list that is nothing but names.
pub fn names(list: &str) -> Option<Vec<&str>> {
    let is_name =
        |name: &str| !matches!(name, "none" | "N/A") && !name.contains([' ', '*', '`', ':', '"']);
    let names: Vec<_> = list.split(", ").collect();
    names.iter().all(|name| is_name(name)).then_some(names)
}
