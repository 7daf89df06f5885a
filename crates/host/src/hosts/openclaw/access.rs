//! Whether OpenClaw shows our plugin what agents say. In 2026.9.6, one that was not built in gets no such event
//! without `plugins.entries.<id>.hooks.allowConversationAccess`, and nothing says so.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use serde_json::Value;

/// The file in the host's folder.
pub(super) const FILE: &str = "openclaw.json";

/// Whether the text of the host's configuration leaves the plugin without what agents say. A text that is put
/// together from other files, or that cannot be read, says nothing about that.
pub(super) fn is_refused(config: &str) -> bool {
    let Some(config) = read(config) else {
        return false;
    };
    if config.to_string().contains("\"$include\"") {
        return false;
    }
    let plugin = &config["plugins"]["entries"]["attest"];
    plugin["hooks"]["allowConversationAccess"] != true
}

/// The host reads JSON5.
fn read(config: &str) -> Option<Value> {
    let tree = CstRootNode::parse(config, &ParseOptions::default()).ok()?;
    let value = tree.value()?.to_serde_value();
    value.filter(Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_true_lets_the_plugin_see_what_agents_say() {
        for (config, expected) in [
            (
                "{plugins: {entries: {attest: {hooks: {allowConversationAccess: true,},},},}, // mine\n}",
                false,
            ),
            (
                r#"{"plugins": {"entries": {"attest": {"enabled": true, "hooks": {"allowConversationAccess": false}}}}}"#,
                true,
            ),
            (
                r#"{"plugins": {"entries": {"attest": {"enabled": true}}}}"#,
                true,
            ),
            (
                r#"{"plugins": {"entries": {"other": {"hooks": {"allowConversationAccess": true}}}}}"#,
                true,
            ),
            ("{}", true),
            // Nothing is known of these.
            ("", false),
            ("{plugins: ", false),
            ("[]", false),
            (r#"{"plugins": {"$include": "./plugins.json5"}}"#, false),
        ] {
            assert_eq!(is_refused(config), expected, "{config}");
        }
    }
}
