//! Calls of tools that one of the person's own servers offers (MCP). Hosts name them `mcp__<server>__<tool>`; each
//! server decides what its tools take, and may write on this machine or on another one.

use attest_json::{self as json, Object};
use attest_shell::text::is_one_of;

/// Verbs in the name of a tool that changes something.
const WRITES: &str = "add append apply build clone commit convert copy create delete deploy download edit execute export \
    format generate import insert install make merge move modify patch publish push put record refactor \
    remove rename render replace restore rewrite run save screenshot scaffold set store sync update \
    upload upsert write";

/// Verbs with which the name of a tool begins that only looks at something.
const READS: &str = "analyze answer ask browse check click count describe diagnose diff docs explain fetch find get glob \
    grep hover inspect is list look lookup navigate ping poll preview query read recall resolve scroll \
    search show status summarize think validate view wait watch web";

/// What a tool may change that is no file.
const NO_FILES: &str = "alert board calendar channel comment comments contact customer email event events incident invoice \
    issue issues label labels mail meeting member memories memory message messages milestone \
    notification order payment permission presence progress pull reaction reminder review reviewer role \
    sprint status story subtask task tasks team thread ticket tickets todo todos user users vote";

/// What a tool shows of commits.
const OF_COMMITS: &str = "commit commits diff diffs log merge pull show";

/// What servers call the path of a file.
const PATH_FIELDS: &str = "path file_path filePath filepath file filename file_name relative_path relativePath uri \
    source target target_file destination new_path notebook_path";

/// What servers call a list of files, given as paths or as objects with a path.
const LIST_FIELDS: [&str; 3] = ["files", "paths", "edits"];

/// What the name of a tool says of what it does to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It writes some, or nobody knows.
    Writes,
    /// It reads, or changes something else.
    NoFiles,
}

/// What a tool of a server says by its name; `None` if it is no such tool.
pub(crate) fn says(tool: &str) -> Option<Says> {
    let name = tool.strip_prefix("mcp__")?;
    let words = words(name.rsplit("__").next()?);
    let has = |list: &str| words.iter().any(|word| is_one_of(list, word));
    let only_reads =
        begins_to_read(&words) && !(has(WRITES) && (has("and or") || has("replace save write")));
    let is_of_files = words
        .iter()
        .any(|word| word.starts_with("file") || word.starts_with("content"));
    Some(if only_reads || has(NO_FILES) && !is_of_files {
        Says::NoFiles
    } else {
        Says::Writes
    })
}

/// Whether a tool that is not known only looks at something, by its name.
pub(crate) fn only_looks(tool: &str) -> bool {
    let words = words(tool);
    let writes = words.iter().any(|word| is_one_of(WRITES, word));
    begins_to_read(&words) && !writes
}

/// Whether a tool of a server shows what commits did, by its name.
pub(crate) fn looks_back(tool: &str) -> bool {
    let tool = tool
        .strip_prefix("mcp__")
        .and_then(|name| name.rsplit("__").next());
    let words = tool.map(words).unwrap_or_default();
    words.iter().any(|word| is_one_of(OF_COMMITS, word))
}

fn begins_to_read(words: &[String]) -> bool {
    let first = words
        .iter()
        .find(|word| !matches!(word.as_str(), "browser" | "mcp"));
    first.is_some_and(|word| is_one_of(READS, word))
}

/// The words of a name, however they are joined.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for char in name.chars() {
        if !char.is_alphanumeric() || char.is_uppercase() && was_small {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| char.is_alphanumeric()) {
            word.extend(char.to_lowercase());
        }
        was_small = char.is_lowercase() || char.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The paths in an input.
pub(crate) fn paths(input: &Object<'_>) -> Vec<String> {
    let lists = LIST_FIELDS
        .iter()
        .filter_map(|list| json::array(input.raw(list)?));
    let listed = lists.flatten().flat_map(|item| match json::text(item) {
        Some(path) => vec![path],
        None => Object::parse(item).map_or_else(|_| Vec::new(), |item| fields(&item)),
    });
    let all = fields(input).into_iter().chain(listed);
    all.filter(|path| !path.is_empty()).collect()
}

fn fields(object: &Object<'_>) -> Vec<String> {
    let fields = PATH_FIELDS.split_whitespace();
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
            "mcp__github__create_or_update_file",
            "mcp__ide__editFile",
            "mcp__disk__put",
            "mcp__disk__update",
            "mcp__fs__move_file",
            "mcp__serena__replace_symbol_body",
            "mcp__serena__search_and_replace",
            "mcp__playwright__browser_take_screenshot",
            // What is not understood.
            "mcp__x__frobnicate",
            "mcp__x__",
        ] {
            assert_eq!(says(tool), Some(Says::Writes), "{tool}");
        }
    }

    #[test]
    fn what_commits_did_is_shown_by_some_tools() {
        assert!(looks_back("mcp__github__get_pull_request_diff"));
        assert!(looks_back("mcp__git__git_log"));
        assert!(!looks_back("mcp__github__get_issue") && !looks_back("Bash"));
    }

    #[test]
    fn a_verb_within_another_word_says_nothing() {
        for tool in [
            "mcp__write__read_file",
            "mcp__x__search",
            "mcp__github__get_file_contents",
            "mcp__github__get_commit",
            "mcp__tracker__list_updates",
            "mcp__tracker__getUpdates",
            "mcp__slack__update_status",
            "mcp__github__update_issue",
            "mcp__linear__create_comment",
            "mcp__github__create_pull_request",
            "mcp__playwright__browser_navigate",
            "mcp__context7__resolve-library-id",
            "mcp__ide__getDiagnostics",
        ] {
            assert_eq!(says(tool), Some(Says::NoFiles), "{tool}");
        }
        assert_eq!((says("Write"), says("write_file")), (None, None));
    }

    #[test]
    fn paths_are_fields_and_lists() {
        let input = r#"{"path": "a.py", "content": "b.py", "destination": "/c.py", "uri": 5,
            "files": [{"path": "d.py", "content": ""}, "e.py", 7], "edits": {}}"#;
        let found = paths(&Object::parse(input).unwrap());
        assert_eq!(found, ["a.py", "/c.py", "d.py", "e.py"]);
        let many: Vec<_> = (0..1_000).map(|n| format!("f{n}")).collect();
        let input = serde_json::json!({ "files": many }).to_string();
        assert_eq!(paths(&Object::parse(&input).unwrap()).len(), 1_000);
    }
}
