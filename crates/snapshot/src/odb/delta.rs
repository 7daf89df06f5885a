//! What differs from another object (see gitformat-pack(5)): pieces of that one, and bytes of its own.

use crate::TooMuch;

/// Bytes of both sizes in front.
pub(super) const HEAD: usize = 20;

/// The size of what a delta makes.
pub(super) fn size(mut delta: &[u8]) -> Option<u64> {
    number(&mut delta)?;
    number(&mut delta)
}

/// What a delta makes of `base`, of which no more than `most` bytes are made. `None` if it is damaged.
pub(super) fn applied(
    base: &[u8],
    mut delta: &[u8],
    most: u64,
    take: impl FnOnce(usize) -> Result<(), TooMuch>,
) -> Result<Option<Vec<u8>>, TooMuch> {
    let sizes = number(&mut delta).zip(number(&mut delta));
    let Some((_, size)) = sizes.filter(|(of, size)| *of == base.len() as u64 && *size <= most)
    else {
        return Ok(None);
    };
    let Ok(size) = usize::try_from(size) else {
        return Ok(None);
    };
    take(size)?;
    let mut made = Vec::new();
    while let Some(first) = delta.split_off_first() {
        let piece = match *first {
            0 => None,
            copy if copy & 0x80 != 0 => copied(copy, &mut delta, base),
            own => delta.split_off(..usize::from(own)),
        };
        let piece = piece.filter(|piece| made.len() + piece.len() <= size);
        let Some(piece) = piece else {
            return Ok(None);
        };
        made.extend_from_slice(piece);
    }
    Ok((made.len() == size).then_some(made))
}

/// The piece of `base` that seven bits choose the bytes of: four of its offset, and three of its size.
fn copied<'b>(bits: u8, delta: &mut &[u8], base: &'b [u8]) -> Option<&'b [u8]> {
    /// The size that is not said.
    const UNSAID: usize = 0x1_0000;
    let mut numbers = [0_usize; 2];
    for bit in 0..7_u32 {
        if bits & 1 << bit != 0 {
            let (which, shift) = if bit < 4 { (0, bit) } else { (1, bit - 4) };
            numbers[which] |= usize::from(*delta.split_off_first()?) << (8 * shift);
        }
    }
    let [offset, size] = numbers;
    let size = if size == 0 { UNSAID } else { size };
    base.get(offset..offset.checked_add(size)?)
}

/// A number of which each byte says whether another one follows, the lowest bits first.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *rest.split_off_first()?;
        number |= shifted(byte, shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
}

/// Seven bits at their place, if there is such a place.
pub(super) fn shifted(byte: u8, shift: u32) -> Option<u64> {
    let bits = u64::from(byte & 0x7f);
    let shifted = bits.checked_shl(shift)?;
    (shifted >> shift == bits).then_some(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(delta: &[u8]) -> Option<Vec<u8>> {
        applied(b"0123456789", delta, 100, |_| Ok(())).unwrap()
    }

    #[test]
    fn pieces_and_own_bytes_are_put_together() {
        let delta = [10, 6, 0x91, 2, 3, 3, b'x', b'y', b'z'];
        assert_eq!(size(&delta), Some(6));
        assert_eq!(made(&delta).as_deref(), Some(&b"234xyz"[..]));
        for damaged in [
            &[][..],
            &[10],
            &[9, 3, 0x91, 2, 3],
            &[10, 4, 0x91, 2, 3],
            &[10, 2, 0x91, 2, 3],
            &[10, 3, 0x91, 8, 3],
            &[10, 3, 0x91, 2],
            &[10, 3, 3, b'x'],
            &[10, 0, 0],
            &[10, 0x80, 0x80, 0x80, 0x80, 0x10],
            &[0xff; 30],
        ] {
            assert_eq!(made(damaged), None, "{damaged:?}");
        }
    }
}
