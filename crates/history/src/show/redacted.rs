//! A verdict for somebody who must not see whose it is: numbers and words of attest, no path and no word of the report.

use attest_state::history::Whole;
use serde_json::{Value, json};

/// The keys whose texts are words of attest.
const WORDS: [&str; 13] = [
    "outcome",
    "reason",
    "disputed",
    "fate",
    "form",
    "status",
    "source",
    "kind",
    "finding",
    "doubt",
    "result",
    "unchecked",
    "decision",
];

/// What is left of a verdict, with the attest and the system that it comes from.
pub(super) fn redacted(whole: &Whole<'_>) -> Result<Value, serde_json::Error> {
    let mut whole = serde_json::to_value(whole)?;
    strip(&mut whole, false);
    Ok(json!({
        "attest": env!("CARGO_PKG_VERSION"),
        "system": [std::env::consts::OS, std::env::consts::ARCH],
        "verdict": whole,
    }))
}

/// Takes out each text that is not such a word.
fn strip(value: &mut Value, is_word: bool) {
    match value {
        Value::Object(parts) => {
            for (key, part) in parts.iter_mut() {
                // That of a gate is in the gate's own words.
                let is_word = key != "reason" || part.as_str().is_some_and(|it| it.contains('_'));
                strip(part, is_word && WORDS.contains(&&**key));
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| strip(part, false)),
        Value::String(text) => {
            let is_plain = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
            if !is_word || !text.bytes().all(is_plain) {
                "-".clone_into(text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
