//! The compressed bitmaps of a split index: EWAH, in the format of index-format(5) and
//! bitmap-format(5).

/// A word that gives the number of equal words that follow, and of those written out.
const RUN_BITS: u32 = 32;

/// Takes one bitmap from the front of `rest` and returns the positions of its set bits in order.
/// `None` if it is damaged or marks a bit at or after `count`.
pub(super) fn read(rest: &mut &[u8], count: usize) -> Option<Vec<usize>> {
    let bits = number(rest)? as usize;
    let words = number(rest)? as usize;
    let content = take(rest, words.checked_mul(8)?)?;
    // The position of the last run, which only a writer needs.
    number(rest)?;
    if bits > count {
        return None;
    }
    let mut words = content
        .as_chunks()
        .0
        .iter()
        .copied()
        .map(u64::from_be_bytes);
    let mut set = Vec::new();
    let mut at = 0_usize;
    while let Some(marker) = words.next() {
        let run = usize::try_from(marker >> 1 & u64::from(u32::MAX)).ok()?;
        let literals = marker >> (RUN_BITS + 1);
        let end = at.checked_add(run.checked_mul(64)?)?;
        if marker & 1 != 0 {
            set.extend(at..end.min(bits));
        }
        at = end;
        for _ in 0..literals {
            let literal = words.next()?;
            set.extend(
                (0..64)
                    .filter(|bit| literal >> bit & 1 != 0)
                    .map(|bit| at + bit),
            );
            at = at.checked_add(64)?;
        }
    }
    set.last().is_none_or(|last| *last < count).then_some(set)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let mut four = [0; 4];
    four.copy_from_slice(take(rest, 4)?);
    Some(u32::from_be_bytes(four))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitmap(bits: u32, words: &[u64]) -> Vec<u8> {
        let mut bytes = bits.to_be_bytes().to_vec();
        bytes.extend((u32::try_from(words.len()).unwrap()).to_be_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        bytes.extend(0_u32.to_be_bytes());
        bytes
    }

    fn marker(bit: u64, run: u64, literals: u64) -> u64 {
        bit | run << 1 | literals << 33
    }

    #[test]
    fn runs_and_literals_follow_each_other() {
        let bytes = bitmap(200, &[marker(0, 1, 1), 0b101, marker(1, 1, 0)]);
        let mut rest = &bytes[..];
        let expected: Vec<_> = [64, 66].into_iter().chain(128..192).collect();
        assert_eq!(read(&mut rest, 200), Some(expected));
        assert_eq!(rest, b"");
    }

    #[test]
    fn damage_is_noticed() {
        for (bytes, count) in [
            (bitmap(200, &[marker(0, 1, 1)]), 200),
            (bitmap(200, &[marker(0, 1, 1), 0b1]), 100),
            (bitmap(64, &[marker(0, 1, 1), 0b1]), 64),
            (bitmap(200, &[marker(1, 1, 0)])[..10].to_vec(), 200),
        ] {
            assert_eq!(read(&mut &bytes[..], count), None, "{bytes:?}");
        }
        // A run as long as it can be costs no more than the bits that there are.
        let long = bitmap(70, &[marker(1, u64::from(u32::MAX), 0)]);
        assert_eq!(read(&mut &long[..], 70).map(|set| set.len()), Some(70));
    }
}
