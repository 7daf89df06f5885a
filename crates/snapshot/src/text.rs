//! Names in JSON: text if they are text, hex otherwise, so that none is lost.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fingerprint::{hex, unhex};

/// The bytes of a name in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    Text(String),
    Bytes { hex: String },
}

impl Name {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes { hex: hex(bytes) },
        }
    }

    /// As it was written.
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Bytes { hex } => hex,
        }
    }

    /// `None` if the hex digits are invalid.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Bytes { hex } => unhex(hex),
        }
    }
}

/// For `#[serde(with = "crate::text::path")]`.
pub(crate) mod path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::{Name, Path, PathBuf};

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        Name::of(&crate::path_bytes(path)).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Name::deserialize(from)?
            .bytes()
            .and_then(|bytes| crate::os_path::path_of(&bytes).ok())
            .ok_or_else(|| de::Error::custom("not a path of this system"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_byte_is_lost(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let json = serde_json::to_string(&Name::of(&bytes)).unwrap();
            let back: Name = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(back.bytes().unwrap(), bytes);
        }
    }
}
