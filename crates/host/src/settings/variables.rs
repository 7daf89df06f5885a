//! The variables that a settings file gives to hooks.

use jsonc_parser::cst::CstInputValue;

use super::ContentError;
use super::document::{Document, unique, wrong_type};

/// Sets the variable `name` below `key` to its value, or takes it away if it has none. Nothing else
/// changes but white space and commas beside it.
pub(super) fn set(
    document: &Document,
    key: &str,
    name: &str,
    value: Option<&str>,
) -> Result<(), ContentError> {
    let text = |value: &str| CstInputValue::String(value.to_owned());
    let Some(property) = unique(&document.root, key)? else {
        if let Some(value) = value {
            let env = vec![(name.to_owned(), text(value))];
            document.root.append(key, CstInputValue::Object(env));
        }
        return Ok(());
    };
    let Some(env) = property.object_value() else {
        return Err(wrong_type(&property, key, "an object"));
    };
    match (unique(&env, name)?, value) {
        (None, None) => {}
        (None, Some(value)) => _ = env.append(name, text(value)),
        (Some(old), Some(value)) => {
            let found = old.value().as_ref().and_then(super::node::string);
            if found.as_deref() != Some(value) {
                old.set_value(text(value));
            }
        }
        (Some(old), None) => {
            old.remove();
            if env.properties().is_empty() && env.children().iter().all(|node| !node.is_comment()) {
                property.remove();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts;

    fn edited(content: &str, changes: &[(&str, Option<&str>)]) -> Result<Vec<u8>, ContentError> {
        let file = hosts::usual().wiring().any_file().unwrap();
        file.with_variables(content.as_bytes(), changes).unwrap()
    }

    fn set(content: &str, changes: &[(&str, Option<&str>)]) -> String {
        String::from_utf8(edited(content, changes).unwrap()).unwrap()
    }

    #[test]
    fn a_variable_comes_and_goes_and_leaves_everything_else() {
        for before in [
            "{\n  \"model\": \"x\" // mine\n}\n",
            "{\n  \"env\": {\n    \"A\": \"1\" // mine\n  },\n  \"model\": \"x\"\n}\n",
            "\u{feff}{\n  // nothing but this\n}\n",
        ] {
            let with = set(before, &[("ATTEST_ENFORCE", Some("1"))]);
            assert!(with.contains("\"ATTEST_ENFORCE\": \"1\""), "{with}");
            assert_eq!(with.matches("mine").count(), before.matches("mine").count());
            assert_eq!(set(&with, &[("ATTEST_ENFORCE", Some("1"))]), with);
            let other = set(&with, &[("ATTEST_ENFORCE", Some("0"))]);
            assert_eq!(
                other,
                with.replace(": \"1\"\n", ": \"0\"\n")
                    .replace("CE\": \"1\"", "CE\": \"0\"")
            );
            let without = set(&with, &[("ATTEST_ENFORCE", None)]);
            assert_eq!(
                without.replace(char::is_whitespace, ""),
                before.replace(char::is_whitespace, "")
            );
        }
        assert_eq!(set("{}\n", &[("A", None)]), "{}\n");
        assert_eq!(set("", &[("A", None)]), "");
        assert!(set("", &[("A", Some("1"))]).contains("\"A\": \"1\""));
    }

    #[test]
    fn what_a_host_would_read_in_another_way_is_refused() {
        for bad in [
            "{\"env\": []}",
            "{\"env\": {}, \"env\": {}}",
            "{\"env\": {\"A\": \"1\", \"A\": \"2\"}}",
            "[]",
        ] {
            assert!(edited(bad, &[("A", Some("3"))]).is_err(), "{bad}");
        }
    }
}
