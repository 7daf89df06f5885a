//! JSON as hosts send it, read field by field so that one odd field does not cost the others.

mod fault;
mod split;
pub mod wording;

use std::borrow::Cow;
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
pub struct Object<'a>(Vec<(Cow<'a, str>, Value<'a>)>);

impl<'a> Object<'a> {
    /// Reads `json` as one object.
    pub fn parse(json: &'a str) -> Result<Self, Fault> {
        let value = serde_json::from_str::<&RawValue>(json).map(|it| Value(it.get()));
        if let Ok(value) = value
            && let Some(object) = value.object()
        {
            return Ok(object);
        }
        // It is asked for in another way, which has the words for what is wrong with it.
        let fields: BTreeMap<Text, &RawValue> = serde_json::from_str(json)?;
        let fields = fields.into_iter();
        let fields = fields.map(|(Text(name), json)| (Cow::Owned(name), Value(json.get())));
        Ok(Self(fields.collect()))
    }

    /// A field; `None` where it is missing or `null`.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Value<'a>> {
        let (_, value) = self.0.iter().rfind(|(known, _)| known == name)?;
        (value.0 != "null").then_some(*value)
    }

    /// The JSON text of a field; `None` where it is missing or `null`.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&'a str> {
        self.value(name).map(|value| value.0)
    }

    /// A field that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name)?.text()
    }

    /// A field that is a string without escapes, such as the name of a kind.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.word()
    }

    /// A field that is an object.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<Object<'a>> {
        self.value(name)?.object()
    }

    /// The elements of a field that is an array; none where it is not.
    pub fn items(&self, name: &str) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let items = self.value(name).and_then(Value::array);
        items.into_iter().flatten()
    }

    /// Those of them that are objects.
    pub fn objects(&self, name: &str) -> impl Iterator<Item = Object<'a>> + use<'a> {
        self.items(name).filter_map(Value::object)
    }

    /// The name and the JSON text of each field, in the order of their names.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let fields = self.0.iter();
        let fields: BTreeMap<_, _> = fields.map(|(name, value)| (&**name, value.0)).collect();
        fields.into_iter()
    }

    /// Whether a field is JSON `true`: not `1`, not `"true"`.
    #[must_use]
    pub fn is_true(&self, name: &str) -> bool {
        self.raw(name) == Some("true")
    }
}

/// Text that is known to be JSON, since it is a part of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a>(&'a str);

impl<'a> Value<'a> {
    /// The JSON text.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// The string that it is.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self.word() {
            Some(word) => Some(word.to_owned()),
            None => text(self.0),
        }
    }

    /// The beginning of the string that it is: at most so many bytes, as if nothing followed.
    #[must_use]
    pub fn beginning(self, bytes: usize) -> Option<String> {
        let inside = self.0.strip_prefix('"')?;
        for most in enough_for(bytes) {
            if most >= inside.len() {
                break;
            }
            let text = text(&format!("\"{}\"", first(inside, most)))?;
            if text.len() >= bytes + LONGEST {
                return Some(cut(text, bytes));
            }
        }
        Some(cut(self.text()?, bytes))
    }

    /// The end of the string that it is: at most so many bytes, as if nothing stood before.
    #[must_use]
    pub fn ending(self, bytes: usize) -> Option<String> {
        let inside = self.0.strip_prefix('"')?.strip_suffix('"')?;
        let end = |whole: &str| {
            let from = whole.ceil_char_boundary(whole.len().saturating_sub(bytes));
            whole[from..].to_owned()
        };
        for most in enough_for(bytes) {
            if most >= inside.len() {
                break;
            }
            let text = text(&format!("\"{}\"", last(inside, most)))?;
            if text.len() >= bytes + LONGEST {
                return Some(end(&text));
            }
        }
        self.text().map(|text| end(&text))
    }

    /// The string that it is, if nothing in it is escaped.
    #[must_use]
    pub fn word(self) -> Option<&'a str> {
        let inside = self.0.strip_prefix('"')?.strip_suffix('"')?;
        memchr::memchr(b'\\', inside.as_bytes())
            .is_none()
            .then_some(inside)
    }

    /// The object that it is.
    #[must_use]
    pub fn object(self) -> Option<Object<'a>> {
        split::fields(self.0).map(Object)
    }

    /// The elements of the array that it is.
    #[must_use]
    pub fn array(self) -> Option<Vec<Value<'a>>> {
        split::items(self.0)
    }
}

/// The longest character, in bytes: of what is torn apart at the edge of a part no more is lost.
const LONGEST: usize = 4;

/// How much of a JSON string may be enough for so many bytes of it, and how much is: as an escape, a character takes six
/// times as many at most.
fn enough_for(bytes: usize) -> [usize; 2] {
    let most = bytes.saturating_add(LONGEST).saturating_mul(6);
    [bytes.saturating_add(bytes / 4).saturating_add(24), most]
}

/// The first so many bytes of what stands in quotes, or some less: no escape is cut.
fn first(inside: &str, most: usize) -> &str {
    let part = &inside[..inside.floor_char_boundary(most)];
    // Where an escape begins in the last six bytes, the part ends before it.
    let last = part.floor_char_boundary(part.len().saturating_sub(6));
    let escape = part[last..].find('\\').map(|at| last + at);
    let escape = escape.map(|at| at - backslashes_before(part, at) % 2);
    &part[..escape.unwrap_or(part.len())]
}

/// The last so many bytes of what stands in quotes, or some more: no escape is cut.
fn last(inside: &str, least: usize) -> &str {
    let begin = inside.ceil_char_boundary(inside.len().saturating_sub(least));
    // Where an escape begins in the last five bytes before the part, it belongs to it.
    let bytes = inside.as_bytes();
    let before = &bytes[begin.saturating_sub(5)..begin];
    let escape = before.iter().rposition(|it| *it == b'\\');
    let escape = escape.map(|at| begin - before.len() + at).filter(|at| {
        let is_code = bytes.get(at + 1) == Some(&b'u');
        let length = if is_code { 6 } else { 2 };
        backslashes_before(inside, *at).is_multiple_of(2) && at + length > begin
    });
    &inside[escape.unwrap_or(begin)..]
}

fn backslashes_before(text: &str, at: usize) -> usize {
    let before = text[..at].bytes().rev();
    before.take_while(|it| *it == b'\\').count()
}

fn cut(text: String, bytes: usize) -> String {
    let mut text = text;
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// What hosts write, with what is no UTF-8 replaced: of a text without that, which nearly all are, the fastest way.
#[must_use]
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The string that `json` is.
#[must_use]
pub fn text(json: &str) -> Option<String> {
    // Of what is none the parser would write why.
    let json = Some(json).filter(|it| it.trim_ascii_start().starts_with('"'))?;
    serde_json::from_str(json).ok().map(|Text(text)| text)
}

/// The elements of the array that `json` is.
#[must_use]
pub fn array(json: &str) -> Option<Vec<&str>> {
    let value = serde_json::from_str::<&RawValue>(json).ok()?;
    let items = Value(value.get()).array()?.into_iter();
    Some(items.map(Value::raw).collect())
}

/// A JSON string in which a lone surrogate escape reads as U+FFFD.
///
/// Hosts written in JavaScript cut texts between the two halves of a character and send the half
/// as an escape such as `\ud83d`. `serde_json` refuses that for a `String`, but hands it out as
/// bytes, where it is three bytes that begin with 0xED and are not UTF-8.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text(String);

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
        if let Ok(text) = str::from_utf8(bytes) {
            return Ok(Text(text.to_owned()));
        }
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

    #[test]
    fn parts_are_those_that_serde_finds() {
        for json in [
            r#"{"a": [1, {"b": "]}\""}, "c\\"], "\u0061d": {"x": null}, "n":-1.5e3,"t":true }"#,
            "{}",
            "{ \"a\" : [ ] }",
            r#"{"a":"","b":[[],{},""]}"#,
        ] {
            let object = Object::parse(json).unwrap();
            let found: Vec<_> = object.fields().collect();
            let known: BTreeMap<String, &RawValue> = serde_json::from_str(json).unwrap();
            let known = known.iter().map(|(name, json)| (name.as_str(), json.get()));
            assert_eq!(found, known.collect::<Vec<_>>(), "{json}");
        }
        let object = Object::parse(r#"{"a": [1, {"b": "]}\""}, "c\\"]}"#).unwrap();
        let items: Vec<_> = object.items("a").map(Value::raw).collect();
        assert_eq!(items, ["1", r#"{"b": "]}\""}"#, r#""c\\""#]);
        assert_eq!(object.objects("a").count(), 1);
    }

    #[test]
    fn the_end_of_a_string_cuts_no_escape() {
        for (json, end) in [
            (r#""abc""#, "abc"),
            (r#""abc\n""#, "bc\n"),
            (r#""ab\\\"""#, "b\\\""),
            (r#""a\u00e9b""#, "éb"),
        ] {
            assert_eq!(Value(json).ending(3).as_deref(), Some(end), "{json}");
        }
        // Wherever the part begins in a long one, it ends as the whole does.
        let pieces = [r"\\", r"\n", r"\u00e9", "a", r"\ud83d\ude00", "é", r#"\""#];
        for count in 0..60 {
            let text: String = (0..400)
                .map(|at| pieces[(at * 7 + at / 5 + count) % pieces.len()])
                .collect();
            let json = format!("\"{text}{}\"", "b".repeat(count));
            let whole = text_of(&json);
            let end = Value(&json).ending(40).unwrap();
            assert!(whole.ends_with(&end) && end.len() > 34, "{count}: {end}");
        }
        assert_eq!(Value("5").ending(3), None);
    }

    fn text_of(json: &str) -> String {
        text(json).unwrap()
    }

    #[test]
    fn the_beginning_of_a_string_is_cut_where_nothing_is_torn() {
        let of = |json: &str, bytes| Value(json).beginning(bytes);
        assert_eq!(of(r#""abc""#, 2).as_deref(), Some("ab"));
        assert_eq!(of(r#""abc""#, 9).as_deref(), Some("abc"));
        assert_eq!(of("7", 9), None);
        for char in ["\\n", "\\\\", "\\u0041", "\\ud83d\\ude00", "é", "x"] {
            for shift in 0..7 {
                let json = format!("\"{}{}\"", "y".repeat(shift), char.repeat(50));
                let whole = text(&json).unwrap();
                let whole = &whole[..whole.floor_char_boundary(20)];
                assert_eq!(of(&json, 20).as_deref(), Some(whole), "{json}");
            }
        }
    }
}
