//! The parts of a text that is known to be JSON, found without looking at its grammar again.

use std::borrow::Cow;

use memchr::memchr;

use crate::{Value, text};

/// As many fields as most objects of a transcript have.
const FIELDS: usize = 8;

/// The fields of an object, in their order; `None` if it is no object.
pub(crate) fn fields(json: &str) -> Option<Vec<(Cow<'_, str>, Value<'_>)>> {
    let mut parts = Parts::of(json, b'{')?;
    let mut fields = Vec::with_capacity(FIELDS);
    while let Some(name) = parts.next() {
        let name = match name.word() {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(text(name.0)?),
        };
        fields.push((name, parts.next()?));
    }
    Some(fields)
}

/// The elements of an array; `None` if it is none.
pub(crate) fn items(json: &str) -> Option<Vec<Value<'_>>> {
    Some(Parts::of(json, b'[')?.collect())
}

/// The values in an object or an array, names among them, one behind the other.
struct Parts<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    fn of(json: &'a str, begin: u8) -> Option<Self> {
        let json = json.trim_ascii();
        (json.as_bytes().first() == Some(&begin)).then_some(Self { json, at: 1 })
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let bytes = self.json.as_bytes();
        let rest = bytes.get(self.at..)?;
        let between = |byte: &u8| matches!(byte, b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
        let start = self.at + rest.iter().position(|byte| !between(byte))?;
        if matches!(bytes[start], b'}' | b']') {
            return None;
        }
        self.at = end(bytes, start);
        self.json.get(start..self.at).map(Value)
    }
}

/// Where the value that begins at `start` ends.
fn end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            _ if depth == 0 => return end_of_word(bytes, at),
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where a number, `true`, `false` or `null` ends.
fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
    let length = bytes[start..].iter().position(ends);
    length.map_or(bytes.len(), |length| start + length)
}

/// Where the string ends whose first quote is at `start`: behind the next one with an even number of backslashes
/// before it.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr(b'"', rest)) {
        let quote = at + found;
        let before = bytes[at..quote].iter().rev();
        let escapes = before.take_while(|byte| **byte == b'\\').count();
        at = quote + 1;
        if escapes.is_multiple_of(2) {
            return at;
        }
    }
    bytes.len()
}
