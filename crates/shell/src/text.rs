//! What several readers ask of a text.

/// Whether a list that is separated by blanks has the word.
#[must_use]
pub fn is_one_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|each| each == word)
}

/// Whether a word gives options of one letter each: `-rf`.
#[must_use]
pub fn is_short_option(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--")
}

/// The last part of a path of either kind of system.
#[must_use]
pub fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The beginning of a text on one line, in so many characters at the most.
#[must_use]
pub fn beginning(text: &str, most: usize) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}
