//! The fields of a payload, each read so that an odd one is missing rather than wrong.

use std::path::PathBuf;

use attest_json::{self as json, Object};

/// Longest id or name, in bytes. The longest seen from a host is a UUID of 36.
const MAX_NAME: usize = 256;
/// Longest path, in bytes: the limit of Windows, the highest there is.
const MAX_PATH: usize = 32 * 1024;

/// The first of `names` whose field holds an id: a short string, or a number as it is written.
pub(crate) fn id(payload: &Object<'_>, names: &[&str]) -> Option<String> {
    first(payload, names, |json| {
        if json.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            label(json)
        } else {
            name_in(json)
        }
    })
}

/// The first of `names` whose field holds a short string.
pub(crate) fn name(payload: &Object<'_>, names: &[&str]) -> Option<String> {
    first(payload, names, name_in)
}

/// The string in the field `name`, unless it is blank.
pub(crate) fn text(payload: &Object<'_>, name: &str) -> Option<String> {
    payload.text(name).filter(|text| !is_blank(text))
}

/// The absolute path in the field `name`.
pub(crate) fn path(payload: &Object<'_>, name: &str) -> Option<PathBuf> {
    path_in(&text(payload, name)?)
}

/// Whether the field `name` is there and not blank, whatever it holds.
pub(crate) fn is_present(payload: &Object<'_>, name: &str) -> bool {
    payload
        .raw(name)
        .is_some_and(|json| json::text(json).is_none_or(|text| !is_blank(&text)))
}

/// Whether a text says nothing.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn first(
    payload: &Object<'_>,
    names: &[&str],
    read: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    names
        .iter()
        .find_map(|name| payload.raw(name).and_then(&read))
}

fn name_in(json: &str) -> Option<String> {
    label(json::text(json)?.trim())
}

/// A label names an agent or its kind in the state file. Repairing one could make it another
/// agent's, so a doubtful one is dropped: U+FFFD marks what was not UTF-8 or half a character.
pub(crate) fn label(text: &str) -> Option<String> {
    let doubtful = |c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER;
    let sound = !text.is_empty() && text.len() <= MAX_NAME && !text.contains(doubtful);
    sound.then(|| text.to_owned())
}

/// U+FFFD stands where bytes were lost, here or already in the host: such a path is another path.
/// A relative one would be read against a folder that is not the host's.
fn path_in(text: &str) -> Option<PathBuf> {
    let broken = text.len() > MAX_PATH || text.contains(['\0', char::REPLACEMENT_CHARACTER]);
    let path = PathBuf::from(text);
    (!broken && path.is_absolute()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(value: &str) -> Option<String> {
        let json = format!(r#"{{"id": {value}}}"#);
        id(&Object::parse(&json).unwrap(), &["id"])
    }

    #[test]
    fn ids_are_short_strings_or_numbers() {
        assert_eq!(id_of(r#"" a1 ""#).as_deref(), Some("a1"));
        assert_eq!(id_of("7").as_deref(), Some("7"));
        assert_eq!(id_of("-0.5").as_deref(), Some("-0.5"));
        // Kept digit by digit: as a float it would be equal to its neighbours.
        let long = "12345678901234567890123";
        assert_eq!(id_of(long).as_deref(), Some(long));
    }

    #[test]
    fn doubtful_ids_are_missing() {
        for odd in [
            "null",
            "true",
            "[]",
            "{}",
            r#""""#,
            r#"" \t ""#,
            r#""a\nb""#,
            r#""a\u0000""#,
            r#""a\u0085b""#,
            r#""a\ud83d""#,
            &format!(r#""{}""#, "a".repeat(MAX_NAME + 1)),
            &"1".repeat(MAX_NAME + 1),
        ] {
            assert_eq!(id_of(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_doubtful_field_gives_way_to_the_next_name() {
        let payload = Object::parse(r#"{"new": "", "old": "x", "older": "y"}"#).unwrap();
        assert_eq!(id(&payload, &["new", "old", "older"]).as_deref(), Some("x"));
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_absolute_and_exact() {
        let read = |value: &str| {
            let json = format!(r#"{{"p": {value}}}"#);
            path(&Object::parse(&json).unwrap(), "p")
        };
        assert_eq!(read(r#""/a b/ü\n ""#), Some(PathBuf::from("/a b/ü\n ")));
        for odd in [
            r#""src""#,
            r#""~/src""#,
            r#""./""#,
            r#""/a\u0000b""#,
            r#""/a\udc80b""#,
            "\"/a\u{fffd}b\"",
            "[47]",
            "5",
            r#"" ""#,
            &format!(r#""/{}""#, "a".repeat(MAX_PATH)),
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
