//! The JSON Schema of the criteria file, for editors.

/// The schema, as text.
pub const SCHEMA: &str = include_str!("schema.json");

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::SCHEMA;
    use crate::Criteria;

    /// Held against the parser, so that the two cannot come apart.
    #[test]
    fn schema_and_parser_agree() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        jsonschema::meta::validate(&schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (yaml, is_good) in [
            ("base_case: {type: command, value: cargo test}", true),
            (
                "base_case: {type: command, value: cargo test, timeout: 60}",
                true,
            ),
            (
                "base_case: {type: not_command, value: x, timeout: 2m}",
                true,
            ),
            (
                "base_case: {type: file, value: a, contains: b, matches: c, min_bytes: 1}",
                true,
            ),
            (
                "base_case: {type: assertion, value: a, test_commands: [b, c]}",
                true,
            ),
            (
                "base_case: {type: quality, criteria: a, pass_threshold: 3, scope: src}",
                true,
            ),
            (
                "base_case: {type: quality, value: a, pass_threshold: 3, scope: [a, b]}",
                true,
            ),
            (
                "base_case: {type: quality, pass_threshold: 2, rubric: [{criterion: a, weight: 0.5, levels: {1: x, 3: y}}]}",
                true,
            ),
            (
                "base_case: {checklist: [{item: a, any_of: [{item: b, group: [{item: c, check: {type: file, value: d}}]}]}]}",
                true,
            ),
            ("base_case: {}", false),
            ("base_case: {type: command}", false),
            ("base_case: {type: comand, value: a}", false),
            ("base_case: {type: command, value: a, contains: b}", false),
            (
                "base_case: {type: command, value: a, checklist: [{item: a, check: {type: file, value: b}}]}",
                false,
            ),
            ("base_case: {type: file, value: a, min_bytes: -1}", false),
            ("base_case: {type: file, value: a, sha256: abc}", false),
            ("base_case: {type: file, value: ''}", false),
            ("base_case: {type: quality, pass_threshold: 3}", false),
            ("base_case: {type: quality, criteria: a}", false),
            (
                "base_case: {type: quality, criteria: a, value: b, pass_threshold: 3}",
                false,
            ),
            (
                "base_case: {type: quality, pass_threshold: 3, rubric: []}",
                false,
            ),
            (
                "base_case: {type: quality, pass_threshold: 3, rubric: [{criterion: a, weight: 0}]}",
                false,
            ),
            ("base_case: {checklist: []}", false),
            ("base_case: {checklist: [{item: a}]}", false),
            (
                "base_case: {checklist: [{check: {type: file, value: a}}]}",
                false,
            ),
            ("base_case: {checklist: [{item: a, group: []}]}", false),
            (
                "base_case: {checklist: [{item: a, group: [{item: b, check: {type: file, value: d}}], check: {type: file, value: a}}]}",
                false,
            ),
            ("base_case: {type: file, value: a}\nother: 1", false),
            ("{}", false),
        ] {
            let value: Value = serde_saphyr::from_str(yaml).unwrap();
            assert_eq!(Criteria::parse(yaml).is_ok(), is_good, "parser: {yaml}");
            assert_eq!(validator.is_valid(&value), is_good, "schema: {yaml}");
        }
    }
}
