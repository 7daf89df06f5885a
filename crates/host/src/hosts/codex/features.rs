//! Whether the features of Codex's own configuration leave hooks out, as they can in 0.169.0.

/// The feature, by its present and its earlier name.
const NAMES: [&str; 2] = ["hooks", "codex_hooks"];

/// What says that no hook runs, if the text of the configuration does.
pub(super) fn hooks_are_off(config: &str) -> Option<String> {
    let config: toml::Table = config.parse().ok()?;
    let features = config.get("features")?.as_table()?;
    let is_off = |name: &&&str| features.get(**name).and_then(toml::Value::as_bool) == Some(false);
    let name = NAMES.iter().find(is_off)?;
    Some(format!("`features.{name}` is false in config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_is_off_is_named_by_the_name_that_it_has() {
        for (config, expected) in [
            ("[features]\nhooks = false\n", Some("features.hooks")),
            (
                "features = { codex_hooks = false }\n",
                Some("features.codex_hooks"),
            ),
            ("[features]\nhooks = true\n", None),
            ("[features]\nother = false\n", None),
            ("[hooks]\nfeatures = false\n", None),
            ("not toml", None),
        ] {
            let said = hooks_are_off(config);
            let named = said.as_deref().map(|said| said.split('`').nth(1).unwrap());
            assert_eq!(named, expected, "{config}");
        }
    }
}
