//! Numbers that look like chance, and are the same each time.

/// `SplitMix64`.
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Less than `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// Whether one of a thousand chances that many come true.
    pub(crate) fn permille(&mut self, chances: u64) -> bool {
        self.below(1000) < chances
    }

    /// One of some, each with its weight.
    pub(crate) fn weighted<T: Copy>(&mut self, of: &[(T, u64)], usual: T) -> T {
        let mut left = self.below(of.iter().map(|(_, weight)| weight).sum());
        for (it, weight) in of {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return *it,
            }
        }
        usual
    }
}
