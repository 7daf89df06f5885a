use serde_json::Value;

use super::*;
use crate::hosts;

mod corpus;
mod flat;
mod install;
mod properties;
mod refuse;
mod uninstall;
mod update;

const BINARY: Program<'static> = Program {
    path: "/opt/my tools/attest",
    form: CallForm::Shell,
};

// What is edited and how does not depend on how many hooks there are.
const SCOPE: Scope = Scope::Core;

fn file() -> &'static dyn HookFile {
    hosts::usual().wiring().any_file().unwrap()
}

fn install(content: &[u8], scope: Scope, program: Program<'_>) -> Result<Merged, ContentError> {
    file().install(content, scope, program)
}

fn uninstall(content: &[u8], backup: Option<Vec<u8>>) -> Result<Removed, ContentError> {
    file().uninstall(content, &mut backup.into_iter())
}

fn inspect(content: &[u8]) -> Result<Inspection, ContentError> {
    file().inspect(content)
}

fn installed(text: &str) -> String {
    String::from_utf8(install(text.as_bytes(), SCOPE, BINARY).unwrap().bytes).unwrap()
}

/// What is left after uninstalling without a backup to compare with.
fn uninstalled(text: &str) -> String {
    uninstalled_with(text, None).unwrap()
}

fn uninstalled_with(text: &str, backup: Option<&str>) -> Option<String> {
    let backups = backup.map(|backup| backup.as_bytes().to_vec());
    let removed = uninstall(text.as_bytes(), backups).unwrap();
    removed.bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

fn refusal(content: &[u8]) -> String {
    let installing = install(content, SCOPE, BINARY).unwrap_err().to_string();
    let removing = uninstall(content, None).unwrap_err().to_string();
    assert_eq!(installing, removing);
    installing
}

fn value(text: &str) -> Value {
    let options = jsonc_parser::ParseOptions::default();
    let parsed =
        jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &options);
    parsed.unwrap().value.unwrap().into()
}
