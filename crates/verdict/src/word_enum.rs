//! Enums of words that people read. The word and its meaning stand in one place, from which come the variant's
//! documentation, the pages of `attest explain` and the tables of the documents.

/// An enum of words: `Variant = "WORD": "what it means, for a person",`.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($variant:ident = $word:literal: $meaning:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(
                #[doc = $meaning]
                #[serde(rename = $word)]
                $variant,
            )+
        }

        impl $name {
            /// Every one, in the order of its documentation.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// What it means, for a person: one sentence without its end.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.as_str())
            }
        }
    };
}

pub(crate) use words;
