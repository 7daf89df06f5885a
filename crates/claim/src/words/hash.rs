/// Where a word is in the tables: FNV-1a, which is short and good enough for a few thousand words.
fn hash(word: &str) -> usize {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    word.bytes().fold(0x811c_9dc5, step) as usize
}
