//! Bytes that somebody else chose, kept in files without the end of a line, so that none of them ever begins one.

use std::borrow::Cow;

/// Stands before what stands for one of these bytes.
const MARK: u8 = 0x1b;
/// The bytes that are not written as they are, each with what stands for it.
const WRITTEN: [(u8, u8); 3] = [(b'\n', b'n'), (b'\r', b'r'), (MARK, MARK)];

/// The bytes without the end of a line.
#[must_use]
pub fn one_line(bytes: &[u8]) -> Cow<'_, [u8]> {
    let written = |byte: u8| WRITTEN.iter().find(|(it, _)| *it == byte);
    if !bytes.iter().any(|byte| written(*byte).is_some()) {
        return Cow::Borrowed(bytes);
    }
    let mut line = Vec::with_capacity(bytes.len() + bytes.len() / 64 + 16);
    for byte in bytes {
        match written(*byte) {
            Some((_, behind)) => line.extend([MARK, *behind]),
            None => line.push(*byte),
        }
    }
    Cow::Owned(line)
}

/// The reverse; `None` if the bytes were not made by [`one_line`].
#[must_use]
pub fn of_one_line(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    if line.contains(&b'\n') || line.contains(&b'\r') {
        return None;
    }
    if !line.contains(&MARK) {
        return Some(Cow::Borrowed(line));
    }
    let mut bytes = Vec::with_capacity(line.len());
    let mut left = line.iter();
    while let Some(byte) = left.next() {
        if *byte == MARK {
            let behind = left.next()?;
            bytes.push(WRITTEN.iter().find(|(_, it)| it == behind)?.0);
        } else {
            bytes.push(*byte);
        }
    }
    Some(Cow::Owned(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_byte_is_lost_and_no_line_ends(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\r'), Just(MARK), Just(b'n')], 0..40)) {
            let line = one_line(&bytes);
            prop_assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
            let back = of_one_line(&line).map(Cow::into_owned);
            prop_assert_eq!(back, Some(bytes));
        }

        #[test]
        fn what_was_not_made_here_is_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Some(read) = of_one_line(&bytes) {
                prop_assert_eq!(&*one_line(&read), &*bytes);
            }
        }
    }
}
