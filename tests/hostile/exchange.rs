//! A folder that is exchanged for a link while it is read.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest as _, Sha256};

use crate::common::{TestContext, size};

const FILES: usize = 40;

fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digits: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// Exchanges `one` and `other` again and again, until `done`.
fn exchange(one: &Path, other: &Path, done: &AtomicBool) {
    let aside = other.with_file_name("aside");
    while !done.load(Ordering::Relaxed) {
        fs::rename(one, &aside).unwrap();
        fs::rename(other, one).unwrap();
        fs::rename(&aside, other).unwrap();
    }
}

#[test]
fn no_file_outside_is_ever_hashed() {
    let context = TestContext::new();
    let root = context.repository("repo", &[("a.py", "1")]);
    let outside = context.folder().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::create_dir_all(root.join("work/deep")).unwrap();
    for number in 0..FILES {
        fs::write(outside.join(format!("f{number}")), "outside").unwrap();
        fs::write(root.join(format!("work/deep/f{number}")), "inside").unwrap();
    }
    std::os::unix::fs::symlink(&outside, context.folder().join("link")).unwrap();
    let (inner, link) = (root.join("work/deep"), context.folder().join("link"));
    let done = AtomicBool::new(false);
    // How often it is read, and how often it has to be seen in its place, for the loop to say something.
    let (count, least) = size((100, 5), (300, 15));
    let mut taken = 0;
    let mut seen = [0, 0];
    std::thread::scope(|scope| {
        scope.spawn(|| exchange(&inner, &link, &done));
        while taken < count || (seen[0] < least && taken < 20 * count) {
            taken += 1;
            let printed = context.attest(["snapshot", "--repo", root.to_str().unwrap()]);
            for (count, text) in seen.iter_mut().zip(["inside", "outside"]) {
                *count += usize::from(printed.stdout.contains(&sha256(text)));
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(seen[0] >= least, "{seen:?} of {taken}");
    assert_eq!(seen[1], 0, "{seen:?}");
}
