//! What holds for every settings file.

use attest_clock::size;
use proptest::prelude::*;
use serde_json::Value;

use super::{
    BINARY, SCOPE, corpus, inspect, install, installed, uninstall, uninstalled_with, value,
};

/// JSON values that settings may hold beside ours.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z \"\\\\/é{}\\[\\],:]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Hooks of others in the shapes that a host accepts, and some that it does not.
fn any_hooks() -> impl Strategy<Value = Value> {
    let handler = prop_oneof![
        Just(serde_json::json!({"type": "command", "command": "/home/attest/other hook stop"})),
        Just(serde_json::json!({"type": "prompt", "prompt": "attest hook stop"})),
        any_value(),
    ];
    let group = prop_oneof![
        3 => prop::collection::vec(handler, 0..3).prop_map(|handlers| serde_json::json!({"hooks": handlers})),
        1 => any_value(),
    ];
    let event = prop_oneof![Just("SubagentStart"), Just("SubagentStop"), Just("Stop")];
    prop::collection::btree_map(
        event.prop_map(str::to_owned),
        prop::collection::vec(group, 0..3),
        0..4,
    )
    .prop_map(|map| {
        Value::Object(
            map.into_iter()
                .map(|(event, groups)| (event, groups.into()))
                .collect(),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(size(64, 256)))]

    /// Whatever is in the file and however it is written: both hooks get in, no key, value, order or
    /// comment of others changes, and the way back leads to the same bytes.
    #[test]
    fn install_then_uninstall_is_nothing(
        others in prop::collection::btree_map("[a-z]{1,6}", any_value(), 0..4),
        hooks in prop::option::of(any_hooks()),
        noise in prop::collection::vec(0_u8..12, 1..40),
    ) {
        let mut root: serde_json::Map<String, Value> = others.into_iter().collect();
        root.extend(hooks.map(|hooks| ("hooks".to_owned(), hooks)));
        let text = corpus::written(&Value::Object(root), &noise);
        let after = installed(&text);

        prop_assert_eq!(install(after.as_bytes(), SCOPE, BINARY).unwrap().changes, []);
        prop_assert_eq!(inspect(after.as_bytes()).unwrap().entries.len(), 2);
        prop_assert!(corpus::is_within(&corpus::tokens(&text), &corpus::tokens(&after)), "{}", after);
        let restored = uninstalled_with(&after, Some(&text));
        prop_assert_eq!(restored.as_deref(), Some(text.as_str()));
        // Without a backup: the same values, but for what is empty because of us, and every comment.
        let rest = uninstalled_with(&after, None).unwrap_or_default();
        let rest = if rest.is_empty() { "{}".to_owned() } else { rest };
        prop_assert!(corpus::is_within(&corpus::tokens(&rest), &corpus::tokens(&text)), "{}\n=== becomes\n{}", text, rest);
        let comments = |text: &str| corpus::tokens(text).into_iter().filter(|token| token.starts_with('/')).count();
        prop_assert_eq!(comments(&rest), comments(&text), "{}\n=== becomes\n{}", text, rest);
        prop_assert_eq!(corpus::without_empty_hooks(value(&rest)), corpus::without_empty_hooks(value(&text)));
    }

    #[test]
    fn no_content_makes_it_panic(content in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = install(&content, SCOPE, BINARY);
        let _ = uninstall(&content, None);
    }

    #[test]
    fn no_cut_or_changed_file_makes_it_panic(at in 0_usize..1500, byte in any::<u8>(), cut in any::<bool>()) {
        let mut content = installed(corpus::LIVED_IN).into_bytes();
        let at = at.min(content.len() - 1);
        if cut { content.truncate(at) } else { content[at] = byte }
        let _ = install(&content, SCOPE, BINARY);
        let _ = uninstall(&content, None);
    }
}
