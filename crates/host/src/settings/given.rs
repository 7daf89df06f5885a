//! What a file of a project puts into the environment of whatever the host runs.
//!
//! It is read as generously as any host may read it: what is missed here would count as the person's.

use std::borrow::Cow;
use std::path::Path;

use attest_json::Object;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};

use super::inspect::variables;

/// The variables of one file.
#[derive(Debug, PartialEq, Eq)]
pub enum Given {
    /// Names with their values, as text.
    Variables(Vec<(String, String)>),
    /// It may be any: the file cannot be read as what it is.
    Unknown,
}

/// Whether a file that gives variables is one of assignments, by its name.
#[must_use]
pub fn is_assignments(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == ".env")
}

/// The variables in the `content` of a `file`: lines of assignments, or else settings in JSON, perhaps with comments,
/// that have them below `env`.
#[must_use]
pub fn given(file: &Path, content: &[u8]) -> Given {
    let text = String::from_utf8_lossy(content);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if is_assignments(file) {
        return Given::Variables(text.split(['\n', '\r']).filter_map(assigned).collect());
    }
    // The key may be written with escapes.
    if !text.contains("\"env\"") && !text.contains("\\u") {
        return Given::Variables(Vec::new());
    }
    if let Ok(root) = Object::parse(text) {
        return Given::Variables(root.object("env").as_ref().map(plain).unwrap_or_default());
    }
    let Ok(tree) = CstRootNode::parse(text, &ParseOptions::default()) else {
        return Given::Unknown;
    };
    let root = tree.value().as_ref().and_then(CstNode::as_object);
    let env = root.and_then(|root| root.properties().into_iter().rfind(is_env)?.object_value());
    Given::Variables(env.as_ref().map(variables).unwrap_or_default())
}

fn is_env(property: &jsonc_parser::cst::CstObjectProp) -> bool {
    property.decoded_name().as_deref() == Some("env")
}

fn plain(env: &Object<'_>) -> Vec<(String, String)> {
    let text = |json: &str| attest_json::text(json).unwrap_or_else(|| json.to_owned());
    let fields = env
        .fields()
        .map(|(name, json)| (name.to_owned(), text(json)));
    fields.collect()
}

/// The assignment that a line is: `NAME=value` or `NAME: value`, perhaps behind `export`. What stands in several
/// lines, or behind a comment, may look like one too.
fn assigned(line: &str) -> Option<(String, String)> {
    let line = line.trim_start();
    let line = match line.strip_prefix("export") {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => line,
    };
    let (name, value) = line.split_once(['=', ':'])?;
    let name = name.trim_end();
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.' | '-');
    let is_one = !name.is_empty() && name.chars().all(is_name);
    is_one.then(|| (name.to_owned(), without_quotes(value.trim()).into_owned()))
}

fn without_quotes(value: &str) -> Cow<'_, str> {
    let inside = ['"', '\'', '`'].iter().find_map(|quote| {
        let (inside, _) = value.strip_prefix(*quote)?.split_once(*quote)?;
        Some(inside)
    });
    Cow::Borrowed(inside.unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: &str, content: &str) -> Vec<String> {
        match given(Path::new(name), content.as_bytes()) {
            Given::Variables(all) => all
                .into_iter()
                .map(|(name, value)| name + "=" + &value)
                .collect(),
            Given::Unknown => vec!["?".to_owned()],
        }
    }

    #[test]
    fn every_way_of_writing_a_variable_is_read() {
        for (content, expected) in [
            (
                r#"{"env": {"A": "1", "B": 2, "C": true}}"#,
                "A=1 B=2 C=true",
            ),
            (r#"{"\u0065nv": {"\u0041": "1"}}"#, "A=1"),
            ("\u{feff}{\"env\": {\"A\": \"1\"}}", "A=1"),
            ("{\"env\": {\"A\": \"1\",}, // mine\n}", "A=1"),
            (r#"{"env": {}, "env": {"A": "1"}}"#, "A=1"),
            (r#"{"hooks": [], "hooks": 1, "env": {"A": "1"}}"#, "A=1"),
            (r#"{"permissions": {}}"#, ""),
            (r#"{"env": ["A"]}"#, ""),
            ("", ""),
            (r#"{"env": {"A": "1"}"#, "?"),
            (
                &format!(r#"{{"x": {}, "env": {{"A": "1"}}"#, "[".repeat(100_000)),
                "?",
            ),
        ] {
            assert_eq!(
                names("settings.json", content).join(" "),
                expected,
                "{content:.60}"
            );
        }
        let deep = format!(
            r#"{{"x": {}{}, "env": {{"A": "1"}}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert_eq!(names("settings.json", &deep), ["A=1"]);
    }

    #[test]
    fn every_line_of_an_environment_file_is_read() {
        let content = "A=1\n export  B = \"x y\" # mine\r\nC: 'z'\n# D=1\n\nE\nnot a name=1\n=1\nF=\rG=`a\nH=b`";
        let expected = ["A=1", "B=x y", "C=z", "F=", "G=`a", "H=b`"];
        assert_eq!(names(".gemini/.env", content), expected);
    }
}
