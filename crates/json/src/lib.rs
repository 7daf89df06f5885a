//! JSON as hosts send it, read field by field so that one odd field does not cost the others.

mod fault;
pub mod words;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::value::RawValue;

pub use self::fault::Fault;

/// An object whose values stay unread until somebody asks for one.
///
/// Reading late is what keeps a field's fault its own, and costs nothing for the fields nobody
/// asks for, however large or deep. Of two fields with one name the last wins, as in JavaScript.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct Object<'a>(#[serde(borrow)] BTreeMap<Text, &'a RawValue>);

impl<'a> Object<'a> {
    /// Reads `json` as one object.
    pub fn parse(json: &'a str) -> Result<Self, Fault> {
        Ok(serde_json::from_str(json)?)
    }

    /// The JSON text of a field; `None` where it is missing or `null`.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&'a str> {
        let json = self.0.get(name)?.get();
        (json != "null").then_some(json)
    }

    /// A field that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        text(self.raw(name)?)
    }

    /// A field that is an object.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<Object<'a>> {
        Self::parse(self.raw(name)?).ok()
    }

    /// The JSON texts of all fields, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = &'a str> {
        self.0.values().map(|json| json.get())
    }

    /// The name and the JSON text of each field, in the order of their names.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0
            .iter()
            .map(|(Text(name), json)| (name.as_str(), json.get()))
    }

    /// Whether a field is JSON `true`: not `1`, not `"true"`.
    #[must_use]
    pub fn is_true(&self, name: &str) -> bool {
        self.raw(name) == Some("true")
    }
}

/// The string that `json` is.
#[must_use]
pub fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok().map(|Text(text)| text)
}

/// The elements of the array that `json` is.
#[must_use]
pub fn array(json: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// A JSON string in which a lone surrogate escape reads as U+FFFD.
///
/// Hosts written in JavaScript cut texts between the two halves of a character and send the half
/// as an escape such as `\ud83d`. `serde_json` refuses that for a `String`, but hands it out as
/// bytes, where it is three bytes that begin with 0xED and are not UTF-8.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text(String);

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            // The three bytes of a surrogate come as three chunks; the first stands for all.
            if chunk.invalid().first() == Some(&0xED) {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        Ok(Text(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_cost_one_character_each() {
        let cases = [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
            (r#""\ud83d\\""#, "\u{fffd}\\"),
            (r#""\uDBFF\uDFFF""#, "\u{10ffff}"),
            (r#""\ud7ff\ue000""#, "\u{d7ff}\u{e000}"),
            (r#""\u0000""#, "\0"),
        ];
        for (json, expected) in cases {
            assert_eq!(text(json).as_deref(), Some(expected), "{json}");
        }
    }

    #[test]
    fn a_surrogate_in_a_field_name_costs_no_other_field() {
        let object = Object::parse(r#"{"\udfff": 1, "b": "x"}"#).unwrap();
        assert_eq!(object.text("b").as_deref(), Some("x"));
    }

    #[test]
    fn an_array_of_numbers_is_no_text() {
        // serde_json reads such an array where bytes are asked for.
        assert_eq!(text("[104, 105]"), None);
        assert_eq!(text("104"), None);
    }

    #[test]
    fn the_last_of_two_fields_wins() {
        let object = Object::parse(r#"{"a": "old", "b": 1, "a": null}"#).unwrap();
        assert_eq!(object.raw("a"), None);
        assert_eq!(object.raw("b"), Some("1"));
    }

    #[test]
    fn depth_and_range_of_a_field_do_not_matter_to_the_others() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        let json = format!(r#"{{"deep": {deep}, "huge": 1e99999, "a": "x"}}"#);
        let object = Object::parse(&json).unwrap();
        assert_eq!(object.text("a").as_deref(), Some("x"));
        assert!(object.object("deep").is_none());
        assert_eq!(object.raw("deep").map(str::len), Some(400_000));
    }
}
