//! A pack in which nothing is whole: each object is stored as what differs from the next, and the last from the first.

use std::fs;
use std::io;
use std::path::Path;

/// Puts one of so many objects into the repository at `root`.
pub(crate) fn plant(root: &Path, count: u32) -> io::Result<()> {
    // The same five bytes again, in the form that is not compressed, whose sum nobody looks at.
    const DELTA: &[u8] = &[0x78, 1, 1, 5, 0, 0xfa, 0xff, 5, 5, 0x91, 0, 5, 0, 0, 0, 0];
    const FIRST_BYTES: usize = 256;
    let name = |number: u32| [&number.to_be_bytes()[..], &[7; 16]].concat();
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend(count.to_be_bytes());
    let mut offsets = Vec::new();
    for number in 0..count {
        let at = u32::try_from(pack.len()).map_err(io::Error::other)?;
        offsets.extend(at.to_be_bytes());
        // A delta of five bytes, from the object of a name.
        pack.push(7 << 4 | 5);
        pack.extend(name((number + 1) % count));
        pack.extend(DELTA);
    }
    pack.extend([0; 20]);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    index.extend(count.to_be_bytes().repeat(FIRST_BYTES));
    index.extend((0..count).flat_map(name));
    index.extend((0..count).flat_map(|_| [0; 4]));
    index.extend(offsets);
    index.extend([0; 40]);
    let folder = root.join(".git/objects/pack");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("pack-circle.pack"), pack)?;
    fs::write(folder.join("pack-circle.idx"), index)
}
