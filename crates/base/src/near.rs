//! What was probably meant by a word that is not known.

/// More edits make another word.
const MOST_EDITS: usize = 2;

/// The one of these names that was probably typed wrong, in any case.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let typed = plain(typed);
    let distances = names
        .into_iter()
        .map(|name| (strsim::osa_distance(&typed, &plain(name)), name));
    let (edits, name) = distances.min()?;
    let length = typed.chars().count();
    (edits <= MOST_EDITS && edits < length && edits * 2 < length.max(3)).then_some(name)
}

/// The same as a question, for the end of a message; nothing if there is none.
pub fn did_you_mean<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let name = nearest(typed, names);
    name.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let names = ["SCOPE_CREEP", "MISMATCH", "OK", "SURE"];
        assert_eq!(nearest("scope-crep", names), Some("SCOPE_CREEP"));
        assert_eq!(nearest("mismacth", names), Some("MISMATCH"));
        // Two edits make anything of two letters, and too much of four.
        for far in ["xy", "", "missing", "creep", "turn"] {
            assert_eq!(nearest(far, names), None, "{far}");
        }
        assert_eq!(did_you_mean("ko", names), "; did you mean `OK`?");
    }
}
