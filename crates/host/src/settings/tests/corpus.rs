//! Settings files in many hands.

use jsonc_parser::cst::{CstNode, CstRootNode};
use serde_json::Value;

/// A file that a person and several tools have written to.
pub(super) const LIVED_IN: &str = r#"// my settings
{
    "model": "opus", // the big one
    "env": { "A": "1", "B": "2" },

    "hooks": {
        /* formatter */
        "PostToolUse": [
            { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "fmt" }] }
        ],
        "SubagentStop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "/home/attest/bin/notify hook stop" // not attest
                    }
                ]
            }
            // more to come
        ]
    },
    "permissions": { "allow": [] }
}
"#;

/// Entries of earlier versions and of people, each with something to correct, beside others' hooks.
pub(super) const OLD_ENTRIES: &str = r#"{
  "hooks": {
    "SubagentStart": [
      {
        "matcher": "worker",
        "hooks": [
          { "type": "command", "command": "other hook start" },
          { "type": "command", "command": "\"$HOME/bin/attest\" hook start", "timeout": 5 }
        ]
      }
    ],
    "SubagentStop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "ATTEST_ENFORCE=1 attest hook stop 2>>/tmp/log", // mine
            "async": true,
            "if": "true",
            "asyncRewake": true
          }
        ]
      }
    ]
  }
}
"#;

/// Where the text after the installation does not tell what was there before: something empty.
pub(super) const AMBIGUOUS: &[&str] = &[
    "",
    " \n\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\r\n}",
    "{\n\n\n}\n",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\n  \"a\": 1,\n  \"hooks\": { }\n}\n",
    "{\"hooks\":{\"SubagentStop\":[]}}",
    "{\n  \"hooks\": {\n    \"SubagentStart\": [],\n    \"SubagentStop\": [\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {}, // none\n}\n",
];

/// Layouts that install and uninstall have to leave as they were.
pub(super) fn layouts() -> impl Iterator<Item = &'static str> {
    AMBIGUOUS.iter().chain(TELLING).copied()
}

/// Those of which the text after the installation tells what was there before.
const TELLING: &[&str] = &[
    LIVED_IN,
    "{\"a\":1}",
    "{\"a\": 1}\n",
    "{ \"a\": 1 }",
    "{ \"a\": 1, }",
    "{\"a\":1 /* x */}",
    "{\"a\":1 // x\n}",
    "{\"a\":1, // x\n}",
    "{\"a\":1\n}",
    "{\"a\":1,\n\"b\":2}",
    "{\n\"a\":1\n}\n",
    "{\n \"a\":1\n}",
    "{\n  \"a\": 1\n\n\n}\n\n\n",
    "{\n\n  \"a\": 1,\n\n  \"b\": 2\n\n}\n",
    "{\n        \"a\": 1\n}\n",
    "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n",
    "{\r\n  \"a\": 1\r\n}\r\n",
    "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
    "\u{feff}{\n  \"a\": 1\n}",
    "  {\n    \"a\": 1\n  }\n",
    "\n\n{\n  \"a\": 1\n}\n",
    "// before\n{\n  // within\n}\n// after",
    "{\n  /* within */\n}\n",
    "{ // within\n}\n",
    "{\n  \"a\": 1\n  // last\n}\n",
    "{\n  \"a\": 1, // about a\n  // last\n}\n",
    "{\n  \"a\": 1 // about a\n}\n",
    "{\n  \"a\": 1 /* about a */ ,\n}\n",
    "{\n  \"a\": 1,\n}\n",
    "{\n  \"a\": 1\n  ,\n}\n",
    "{\n  \"a\": 1\n, \"b\": 2\n}\n",
    "{\n  \"a\": 1}\n",
    "{\n  \"hooks\": {\"Stop\": [{\"hooks\": []}]}\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"z\": 1\n}\n",
    "{\n  \"hooks\": {\n    \"SubagentStop\": [{\n      \"hooks\": [{ \"command\": \"x\" }]\n    }]\n  }\n}\n",
    "{\"hooks\":{\"SubagentStop\":[{\"hooks\":[{\"command\":\"x\"}]}],\"SubagentStart\":[null]}}",
    "{\"hooks\": {\"SubagentStart\": [1, 2, ]}}",
    "{\"\\u0068ooks\": {\"Subagent\\u0053top\": [{}]}}",
    "{\n  \"model\": \"a\",\n  \"model\": \"b\"\n}\n",
    "{\n  \"hooks\": {\n    // to do\n  }\n}\n",
    "{\n  \"hooks\": /* ours */ { \"Stop\": [] }\n}\n",
    "{\n  \"hooks\": {\n    \"SubagentStop\": [\n      // nothing yet\n    ]\n  }\n}\n",
    "{\n  \"n\": 12345678901234567890.123456789e-400,\n  \"s\": \"\\u00e9\\/\"\n}\n",
];

/// Contents that are left alone, whatever is asked for.
pub(super) const REFUSED: [&[u8]; 28] = [
    b"{\n  \"a\": 1\n  \"b\": 2\n}",
    b"{\"a\": 1",
    b"{\"a\": }",
    b"{a: 1}",
    b"{'a': 1}",
    b"{\"a\": 0x10}",
    b"{} {}",
    b"[]",
    b"null",
    b"\"text\"",
    b"// only a comment\n",
    b"{\"a\": \"x\n\"}",
    b"{\n  \"a\": \"\xff\"\n}",
    b"{\"a\": 1}\0",
    b"{\"hooks\": []}",
    b"{\"hooks\": null}",
    b"{\"hooks\": {}, \"hooks\": {}}",
    b"{\"a\" 1}",
    b"{\"a\":",
    b"{\"a\": [1, 2}",
    b"{\"a\": ,}",
    b"{\"a\": ]}",
    b"{\"a\": :}",
    b"{} // fine\n/* not closed",
    b"{\"a\": \"x}",
    b"{\"a\": \"\\q\"}",
    b"{\"a\": yes}",
    b"{\"a\": -}",
];

/// The value as text, with white space, comments and trailing commas taken from `noise`.
pub(super) fn written(value: &Value, noise: &[u8]) -> String {
    let mut writer = Writer {
        noise: noise.iter().copied().cycle(),
        out: String::new(),
    };
    writer.write(value);
    writer.out
}

struct Writer<N> {
    noise: N,
    out: String,
}

impl<N: Iterator<Item = u8>> Writer<N> {
    fn write(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| (None, item)).collect();
                self.items(&items, '[', ']');
            }
            Value::Object(properties) => {
                let items: Vec<_> = properties
                    .iter()
                    .map(|(name, item)| (Some(name), item))
                    .collect();
                self.items(&items, '{', '}');
            }
            other => self.out.push_str(&other.to_string()),
        }
    }

    fn items(&mut self, items: &[(Option<&String>, &Value)], open: char, close: char) {
        self.out.push(open);
        self.space();
        for (index, (name, value)) in items.iter().enumerate() {
            if let Some(name) = name {
                self.out.push_str(&Value::from(name.as_str()).to_string());
                self.out.push(':');
                self.space();
            }
            self.write(value);
            self.space();
            if index + 1 < items.len() || self.noise.next() == Some(0) {
                self.out.push(',');
                self.space();
            }
        }
        self.out.push(close);
    }

    fn space(&mut self) {
        self.out.push_str(match self.noise.next() {
            Some(4) => " ",
            Some(5..8) => "\n    ",
            Some(8) => "\n",
            Some(9) => " // note\n  ",
            Some(10) => " /* note */ ",
            Some(11) => "\t",
            _ => "",
        });
    }
}

/// What a text says, comments included, without white space and commas.
pub(super) fn tokens(text: &str) -> Vec<String> {
    fn collect(node: &CstNode, tokens: &mut Vec<String>) {
        match node {
            CstNode::Container(container) => {
                for child in container.children() {
                    collect(&child, tokens);
                }
            }
            leaf if leaf.is_whitespace() || leaf.is_newline() || leaf.is_comma() => {}
            CstNode::Leaf(leaf) => tokens.push(leaf.to_string()),
        }
    }
    let text = text.trim_start_matches('\u{feff}');
    let tree = CstRootNode::parse(text, &jsonc_parser::ParseOptions::default()).unwrap();
    let mut tokens = Vec::new();
    collect(&tree.into(), &mut tokens);
    tokens
}

/// Whether `all` holds `some` in their order.
pub(super) fn is_within(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|token| all.any(|other| other == token))
}

/// The value without the empty arrays and objects under `hooks` that an uninstall may take along.
pub(super) fn without_empty_hooks(mut value: Value) -> Value {
    let Some(root) = value.as_object_mut() else {
        return value;
    };
    if let Some(hooks) = root.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.retain(|_, groups| groups.as_array().is_none_or(|groups| !groups.is_empty()));
        if hooks.is_empty() {
            root.remove("hooks");
        }
    }
    value
}
