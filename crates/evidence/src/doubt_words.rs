//! The words of doubts, each with its meaning.

/// Gives an enum of doubts its words: `pattern => "WORD", "what it means, for a person";`. Behind `@held` stands one
/// whose word is that of what it holds.
#[macro_export]
macro_rules! doubt_words {
    (
        $(@held $inner:pat => $get:expr;)?
        $($pattern:pat => $word:literal, $meaning:literal;)+
    ) => {
        /// Every word, with what it means for a person.
        pub const WORDS: &'static [(&'static str, &'static str)] = &[$(($word, $meaning)),+];

        /// The word under which it is recorded and counted.
        #[must_use]
        pub const fn word(&self) -> &'static str {
            match self {
                $($inner => $get,)?
                $($pattern => $word,)+
            }
        }
    };
}
