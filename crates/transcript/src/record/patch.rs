//! A patch among what a call is given, whatever the tool.

use attest_json::{self as json, Object};
use attest_shell::patch::{self, Target};

use super::Effect;

/// The files that a patch names which is the input of a call, as JSON, or stands in a field of it.
pub(super) fn given(input: &str) -> Vec<(Effect, String)> {
    if !patch::may_be_in(input) {
        return Vec::new();
    }
    let whole = json::text(input);
    let text = whole.as_deref().unwrap_or(input);
    let Ok(object) = Object::parse(text) else {
        return touched(patch::targets(text));
    };
    let mut texts = object.fields().filter_map(|(_, value)| json::text(value));
    let found = texts.find_map(|text| Some(patch::targets(&text)).filter(|it| !it.is_empty()));
    touched(found.unwrap_or_default())
}

fn touched(targets: Vec<Target>) -> Vec<(Effect, String)> {
    let touched = targets.into_iter().map(|target| {
        let effect = if target.is_removed {
            Effect::Removes
        } else {
            Effect::Writes
        };
        (effect, target.path)
    });
    touched.collect()
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
    }
}
