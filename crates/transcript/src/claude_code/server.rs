//! Calls of tools that one of the person's own servers offers (MCP). Claude Code names them
//! `mcp__<server>__<tool>`; each server decides what its tools take.

use attest_json::{self as json, Object};

/// Verbs in the name of a tool that changes files.
const WRITING_VERBS: [&str; 17] = [
    "add", "append", "commit", "copy", "create", "delete", "edit", "insert", "move", "patch",
    "push", "put", "remove", "rename", "replace", "update", "write",
];

/// What servers call the path of a file.
const PATH_FIELDS: [&str; 16] = [
    "path",
    "file_path",
    "filePath",
    "filepath",
    "file",
    "filename",
    "file_name",
    "relative_path",
    "relativePath",
    "uri",
    "source",
    "target",
    "target_file",
    "destination",
    "new_path",
    "notebook_path",
];

/// What servers call a list of files, given as paths or as objects with a path.
const LIST_FIELDS: [&str; 3] = ["files", "paths", "edits"];
/// How many paths of one call are kept.
const MAX_PATHS: usize = 256;

/// Whether the tool belongs to a server and its name says that it changes something.
pub(super) fn may_write_files(tool: &str) -> bool {
    let name = tool.strip_prefix("mcp__").map(str::to_ascii_lowercase);
    let name = name.as_deref().and_then(|name| name.rsplit("__").next());
    name.is_some_and(|name| WRITING_VERBS.iter().any(|verb| name.contains(verb)))
}

/// The paths in an input.
pub(super) fn paths(input: &Object<'_>) -> Vec<String> {
    let lists = LIST_FIELDS
        .iter()
        .filter_map(|list| json::array(input.raw(list)?));
    let listed = lists.flatten().flat_map(|item| match json::text(item) {
        Some(path) => vec![path],
        None => Object::parse(item).map_or_else(|_| Vec::new(), |item| fields(&item)),
    });
    fields(input)
        .into_iter()
        .chain(listed)
        .filter(|path| !path.is_empty())
        .take(MAX_PATHS)
        .collect()
}

fn fields(object: &Object<'_>) -> Vec<String> {
    let fields = PATH_FIELDS.iter();
    fields.filter_map(|field| object.text(field)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_a_server_writes_by_its_name() {
        for tool in [
            "mcp__filesystem__write_file",
            "mcp__github__push_files",
            "mcp__ide__editFile",
        ] {
            assert!(may_write_files(tool), "{tool}");
        }
        for tool in [
            "mcp__write__read_file",
            "Write",
            "write_file",
            "mcp__x__search",
        ] {
            assert!(!may_write_files(tool), "{tool}");
        }
    }

    #[test]
    fn paths_are_fields_and_lists() {
        let input = r#"{"path": "a.py", "content": "b.py", "destination": "/c.py", "uri": 5,
            "files": [{"path": "d.py", "content": ""}, "e.py", 7], "edits": {}}"#;
        let found = paths(&Object::parse(input).unwrap());
        assert_eq!(found, ["a.py", "/c.py", "d.py", "e.py"]);
    }
}
