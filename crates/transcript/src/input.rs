//! The places that a call names which may write anywhere: in its command, if it runs one, or in its words.

use attest_json::{self as json, Object};
use attest_shell::text::is_one_of;
use attest_shell::writes::Shell;
use attest_shell::{Place, Places, Unknown, add_named, below};

use crate::server;

/// Objects and arrays in each other. The arguments of a call may be JSON in a string.
const MAX_DEPTH: usize = 6;
/// Where hosts put a command, as one text or word by word, and what is typed into a shell that runs.
const COMMANDS: [&str; 5] = ["command", "cmd", "commands", "script", "chars"];
/// Where they put the folder that it runs in.
pub(crate) const FOLDERS: [&str; 7] = [
    "workdir",
    "cwd",
    "working_directory",
    "workingDirectory",
    "directory",
    "dir_path",
    "dir",
];
/// What is the content of a file, and names no place that the tool writes to.
const CONTENTS: &str = "content contents new_string old_string new_str old_str file_text insert_text replacement \
    diff description query pattern url";

/// What a call is given, as JSON or as a string of it.
pub(crate) fn given<T>(input: &str, read: impl FnOnce(&Object<'_>) -> T) -> Option<T> {
    let text = json::text(input);
    let input = Object::parse(text.as_deref().unwrap_or(input)).ok()?;
    Some(read(&input))
}

/// Adds the places in the input of a call of `tool`, which is JSON.
pub(crate) fn add(tool: &str, input: &str, shell: &mut Shell, places: &mut Places) {
    if !server::only_looks(tool) {
        add_value(input, MAX_DEPTH, shell, places);
    }
}

fn add_value(value: &str, depth: usize, shell: &mut Shell, places: &mut Places) {
    let Some(depth) = depth.checked_sub(1) else {
        return places.miss(Unknown::Syntax, "an input nested too deep");
    };
    if let Some(text) = json::text(value) {
        match Object::parse(&text) {
            Ok(_) => add_value(&text, depth, shell, places),
            Err(_) => add_named(&text, "", places),
        }
        return;
    }
    let Ok(object) = Object::parse(value) else {
        for item in json::array(value).unwrap_or_default() {
            add_value(item, depth, shell, places);
        }
        return;
    };
    let folder = FOLDERS.iter().find_map(|field| object.text(field));
    let commands: Vec<_> = COMMANDS
        .iter()
        .filter_map(|field| object.raw(field))
        .collect();
    for command in &commands {
        add_command(command, folder.as_deref(), shell, places);
    }
    if !commands.is_empty() {
        return;
    }
    for path in server::paths(&object) {
        places.add(Place::Exact(below(
            folder.as_deref().unwrap_or_default(),
            &path,
        )));
    }
    for (_, value) in object
        .fields()
        .filter(|(name, _)| !is_one_of(CONTENTS, name))
    {
        add_value(value, depth, shell, places);
    }
}

fn add_command(command: &str, folder: Option<&str>, shell: &mut Shell, places: &mut Places) {
    if let Some(text) = json::text(command) {
        return shell.read(&text, folder, places);
    }
    let words = json::array(command)
        .unwrap_or_default()
        .into_iter()
        .map(json::text);
    match words.collect::<Option<Vec<_>>>() {
        // Several commands, or one word by word: a command with words is rarely one word.
        Some(texts) if texts.len() > 1 && texts.iter().all(|text| text.trim().contains(' ')) => {
            for text in &texts {
                shell.read(text, folder, places);
            }
        }
        Some(words) => shell.read_words(&words, folder, places),
        None => places.miss(Unknown::Syntax, command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(tool: &str, input: &serde_json::Value) -> (Vec<Place>, bool) {
        let mut places = Places::default();
        add(tool, &input.to_string(), &mut Shell::default(), &mut places);
        let list = places.list();
        (list.found().clone(), list.is_complete())
    }

    #[test]
    fn a_command_is_read_wherever_the_host_puts_it() {
        use serde_json::json;
        let arguments = json!({"cmd": ["sh", "-c", "touch b"], "workdir": "/c"});
        for input in [
            json!({"command": "cd /c && touch b", "description": "make /not/this"}),
            arguments.clone(),
            json!({ "arguments": arguments.to_string() }),
            json!({"command": "touch b", "directory": "/c"}),
            json!({"chars": "touch /c/b\n", "session_id": 7}),
            json!({"command": ["touch", "/c/b"]}),
        ] {
            let (found, is_complete) = places("exec", &input);
            assert!(
                found.contains(&Place::Exact("/c/b".into())),
                "{input}: {found:?}"
            );
            assert!(
                is_complete
                    && !found
                        .iter()
                        .any(|place| format!("{place:?}").contains("not")),
                "{input}"
            );
        }
    }

    #[test]
    fn the_words_of_a_tool_that_is_not_known_name_places() {
        use serde_json::json;
        let prompt =
            json!({"prompt": "Work in ../infra, not in src/deep. See https://a.b/c and 1/2."});
        assert_eq!(
            places("Agent", &prompt),
            (vec![Place::Around("../infra".into())], true)
        );
        let write = json!({"file_path": "/srv/x", "content": "/not/this"});
        assert_eq!(
            places("write_file", &write).0,
            [
                Place::Exact("/srv/x".into()),
                Place::Around("/srv/x".into())
            ]
        );
        assert_eq!(
            places("read_file", &json!({"path": "/srv/x"})),
            (vec![], true)
        );
    }

    #[test]
    fn an_input_without_end_has_an_end() {
        let mut deep = serde_json::json!("x");
        for _ in 0..20 {
            deep = serde_json::json!([deep]);
        }
        assert!(!places("x", &deep).1);
        let many: Vec<_> = (0..20_000).map(|n| format!("/p/{n}")).collect();
        assert!(!places("x", &serde_json::json!({"prompt": many.join(" ")})).1);
    }
}
