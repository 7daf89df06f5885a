//! A patch in an envelope of its own, as the tool `apply_patch` takes it: it names the files that it changes, whatever
//! the tool that is given it.

use attest_json::{self as json, Object};

use super::Effect;

/// The line that it begins with.
const BEGIN: &str = "*** Begin Patch";
/// The lines that name a file, and what happens to the file. A moved file is written under its new name.
const HEADERS: [(&str, Effect); 4] = [
    ("*** Add File: ", Effect::Writes),
    ("*** Update File: ", Effect::Writes),
    (MOVE, Effect::Writes),
    ("*** Delete File: ", Effect::Removes),
];
const MOVE: &str = "*** Move to: ";
/// The commands that apply one.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

/// The files that a patch names, each with what it does to it; none if the text is no patch.
pub(crate) fn targets(text: &str) -> Vec<(Effect, String)> {
    let mut targets: Vec<(Effect, String)> = Vec::new();
    let is_patch = text.trim_start().starts_with(BEGIN);
    for line in text.lines().filter(|_| is_patch) {
        let header = HEADERS
            .iter()
            .find_map(|(start, effect)| Some((*effect, line.strip_prefix(start)?)));
        if let Some((effect, path)) = header {
            // The line of a move follows the one with the old name.
            if line.starts_with(MOVE)
                && let Some(last) = targets.last_mut()
            {
                last.0 = Effect::Removes;
            }
            targets.push((effect, path.trim_end().to_owned()));
        }
    }
    targets
}

/// The same of a call whose input, which is JSON, is a patch or has one in a field.
pub(crate) fn given(input: &str) -> Vec<(Effect, String)> {
    if !input.contains(BEGIN) {
        return Vec::new();
    }
    let whole = json::text(input);
    let text = whole.as_deref().unwrap_or(input);
    let Ok(object) = Object::parse(text) else {
        return targets(text);
    };
    let mut texts = object.fields().filter_map(|(_, value)| json::text(value));
    let found = texts.find_map(|text| Some(targets(&text)).filter(|it| !it.is_empty()));
    found.unwrap_or_default()
}

/// The same of a command that only applies one, which is among its words or comes in.
pub(crate) fn applied<'t>(
    program: &str,
    texts: impl IntoIterator<Item = &'t str>,
) -> Vec<(Effect, String)> {
    if !PROGRAMS.contains(&program) {
        return Vec::new();
    }
    let mut found = texts.into_iter().map(targets);
    found.find(|it| !it.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_every_file_that_it_touches() {
        let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+*** Add File: no\n\
                     *** Update File: old.py\n*** Move to: new.py\n*** Add File: b.py\n+x\n\
                     *** Delete File: c.py\n*** End Patch";
        let expected = [
            (Effect::Writes, "a.py"),
            (Effect::Removes, "old.py"),
            (Effect::Writes, "new.py"),
            (Effect::Writes, "b.py"),
            (Effect::Removes, "c.py"),
        ]
        .map(|(effect, path)| (effect, path.to_owned()));
        let whole = serde_json::Value::from(patch);
        let field = serde_json::json!({ "patchText": patch });
        let arguments = serde_json::Value::from(field.to_string());
        for input in [&whole, &field, &arguments] {
            assert_eq!(given(&input.to_string()), expected, "{input}");
        }
        assert_eq!(applied("apply_patch", [patch]), expected);
    }

    #[test]
    fn what_only_speaks_of_a_patch_names_no_file() {
        let told = "Send this:\n*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch";
        for input in [
            serde_json::json!({ "prompt": told }),
            serde_json::json!({ "command": ["cat", told] }),
            serde_json::json!("*** Add File: a.py"),
        ] {
            assert_eq!(given(&input.to_string()), [], "{input}");
        }
        assert_eq!(applied("cat", ["*** Begin Patch\n*** Add File: a.py"]), []);
    }
}
