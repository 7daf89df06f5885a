//! Whether a range changed anything that may be a test.

use memchr::memmem;

use super::Range;

/// The most files that are looked at, and the most bytes of each.
const FILES: usize = 500;
const BYTES: u64 = 1 << 20;
/// What the path of a test or its text has, in lower case.
const SIGNS: [&str; 4] = ["test", "spec", "assert", "expect"];

impl Range<'_> {
    /// Anything that is in doubt is one.
    pub(super) fn has_signs_of_tests(&self) -> bool {
        let mut changed = self.net.iter();
        self.net.len() > FILES
            || changed.any(|(path, change)| {
                has_sign(path.as_bytes())
                    || change.new.as_ref().is_some_and(|item| {
                        let blob = self.odb.blob(item.oid, BYTES);
                        let blob = blob.ok().flatten().filter(|_| item.is_file());
                        blob.is_none_or(|bytes| has_sign(&bytes))
                    })
            })
    }
}

fn has_sign(text: &[u8]) -> bool {
    let text = text.to_ascii_lowercase();
    SIGNS
        .iter()
        .any(|sign| memmem::find(&text, sign.as_bytes()).is_some())
}
