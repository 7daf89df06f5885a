//! What serde says of a value that is not the one that was asked for, in words of our own. It has
//! one wording for all formats, which every library of a format hands on.

/// How a format calls its values of several values.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// Values in an order.
    pub list: &'static str,
    /// Values by their names.
    pub map: &'static str,
}

/// The terms of JSON.
pub const JSON: Terms = Terms {
    list: "an array",
    map: "an object",
};

/// The longest text of a value that is repeated, in characters.
const LONGEST: usize = 60;

/// What is wrong with a value, by what serde says of it.
#[must_use]
pub fn wrong(said: &str, terms: &Terms) -> String {
    let of_value = |said: &str| {
        let (unexpected, wanted) = said.rsplit_once(", expected ")?;
        Some(instead(unexpected, wanted, terms))
    };
    let words = if let Some(key) = quoted(said, "missing field `") {
        Some(format!("the key `{key}` is missing"))
    } else if let Some(key) = quoted(said, "duplicate field `") {
        Some(format!("the key `{key}` is there twice"))
    } else if let Some(key) = quoted(said, "unknown field `") {
        Some(unknown_key(key, &names(said)))
    } else if let Some(name) = quoted(said, "unknown variant `") {
        Some(unknown_name(name, &names(said)))
    } else {
        let kinds = ["invalid type: ", "invalid value: ", "invalid "];
        let rest = kinds.into_iter().find_map(|kind| said.strip_prefix(kind));
        rest.and_then(of_value)
    };
    words.unwrap_or_else(|| "this value does not belong here".to_owned())
}

/// A key that is not one of `known`.
#[must_use]
pub fn unknown_key(key: &str, known: &[&str]) -> String {
    let mut text = format!("there is no key `{}` here", short(key));
    let typos = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(name, key), name));
    let nearest = typos.min().filter(|(typos, name)| typos * 3 <= name.len());
    if let Some((_, name)) = nearest {
        text.push_str(&format!("; did you mean `{name}`?"));
    } else if let [name] = known {
        text.push_str(&format!("; there is only `{name}`"));
    } else if !known.is_empty() {
        text.push_str(&format!("; there are {}", listed(known, "and")));
    }
    text
}

/// A word that is not one of `known`.
#[must_use]
pub fn unknown_name(name: &str, known: &[&str]) -> String {
    format!("expected {}, found `{}`", listed(known, "or"), short(name))
}

/// A value of the wrong kind; both by serde's names.
#[must_use]
pub fn instead(unexpected: &str, wanted: &str, terms: &Terms) -> String {
    let wanted = expected(wanted, terms);
    match found(unexpected, terms) {
        Some(found) => format!("expected {wanted}, found {found}"),
        None => format!("expected {wanted}"),
    }
}

/// What a visitor of serde expects. A type of ours has words of its own for it, which stay.
#[must_use]
pub fn expected(wanted: &str, terms: &Terms) -> String {
    let words = match wanted {
        "f32" | "f64" | "floating point" => "a number",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of 0 or more",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "an integer" => "a whole number",
        "a boolean" | "boolean" => "`true` or `false`",
        "a string" | "a borrowed string" | "path string" | "a character" => "a string",
        "a sequence" | "seq" => terms.list,
        "a map" | "map" => terms.map,
        "unit" | "null" => "nothing",
        "variant identifier" | "field identifier" | "string or map" => "a name",
        _ if wanted.starts_with("struct ") => terms.map,
        _ if wanted.starts_with("enum ") => "a name",
        _ if wanted.starts_with("tuple ") || wanted.starts_with("an array ") => terms.list,
        _ => wanted,
    };
    words.to_owned()
}

/// What serde met; `None` for what no text can be read as.
fn found(unexpected: &str, terms: &Terms) -> Option<String> {
    let rest = |start| unexpected.strip_prefix(start);
    let bare = |text: &str| text.trim_matches('`').to_owned();
    Some(match unexpected {
        "null" | "unit value" | "Option value" => "null".to_owned(),
        "sequence" => terms.list.to_owned(),
        "map" => terms.map.to_owned(),
        _ => {
            if let Some(text) = rest("string ") {
                format!("the string {}", short(text))
            } else if let Some(switch) = rest("boolean ") {
                switch.to_owned()
            } else if let Some(number) = rest("integer ").or_else(|| rest("floating point ")) {
                bare(number)
            } else {
                format!("{} of {}", terms.list, rest("length ")?)
            }
        }
    })
}

/// The name behind `start`, up to its closing mark.
fn quoted<'t>(said: &'t str, start: &str) -> Option<&'t str> {
    let rest = said.strip_prefix(start)?;
    let end = rest.find("`, expected ").or_else(|| rest.find("`, there "));
    end.map_or_else(|| rest.strip_suffix('`'), |end| rest.get(..end))
}

/// The names that serde would have accepted.
fn names(said: &str) -> Vec<&str> {
    let known = said.rsplit_once("`, expected ").map(|(_, known)| known);
    let known = known.unwrap_or_default();
    // Every other piece lies between two names.
    known.split('`').skip(1).step_by(2).collect()
}

/// Names as a sentence has them, with `last` before the last one.
#[must_use]
pub fn listed(names: &[&str], last: &str) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// A text of any length as its beginning, on one line.
#[must_use]
pub fn short(text: &str) -> String {
    let mut short = String::new();
    let mut chars = text.chars();
    for char in chars.by_ref().take(LONGEST) {
        if char.is_control() {
            short.extend(char.escape_debug());
        } else {
            short.push(char);
        }
    }
    if !chars.as_str().is_empty() {
        short.push('…');
    }
    short
}
