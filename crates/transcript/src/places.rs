//! The places that a call names which may write anywhere: what looks like a path among the words of a
//! shell command.

use attest_json::{self as json, Object};

/// How many places of one call are kept.
const MAX_PLACES: usize = 64;
/// The longest place that is kept, in bytes.
const MAX_BYTES: usize = 4 * 1024;
/// Objects and arrays in each other. The arguments of a call may be JSON in a string.
const MAX_DEPTH: usize = 6;
/// What the name of a folder comes behind, for the words that follow.
const CHANGES_FOLDER: [&str; 3] = ["-C", "cd", "pushd"];
/// What a shell ends a word at.
const SEPARATORS: &str = ";|&()<>{}[]\"'`=,";

/// The places in the input of a call, which is JSON. They are as written, but behind the folder that the
/// same command has changed to; the shell is not played any further.
pub(crate) fn of(input: &str) -> Vec<String> {
    let mut texts = Vec::new();
    add_texts(input, MAX_DEPTH, &mut texts);
    // A command is short beside the content of a file.
    texts.sort_by_key(String::len);
    let mut places = Vec::new();
    for text in &texts {
        add_places(text, &mut places);
    }
    places
}

fn add_texts(value: &str, depth: usize, texts: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if let Some(text) = json::text(value) {
        match Object::parse(&text) {
            Ok(_) => add_texts(&text, depth, texts),
            Err(_) => texts.push(text),
        }
        return;
    }
    let values = match Object::parse(value) {
        Ok(object) => object.values().collect(),
        Err(_) => json::array(value).unwrap_or_default(),
    };
    for value in values {
        add_texts(value, depth, texts);
    }
}

fn add_places(text: &str, places: &mut Vec<String>) {
    let text = text.replace("${HOME}", "~").replace("$HOME", "~");
    for quoted in text.split(['"', '\'']) {
        // A name with spaces, which is one word in its quotes only, or as a whole text.
        let begins_as_path = quoted.starts_with(['/', '\\', '~', '.']);
        if begins_as_path && quoted.contains(' ') && looks_like_path(quoted) {
            add(quoted.to_owned(), places);
        }
    }
    let (mut folder, mut is_folder) = (String::new(), false);
    let words = text.split(|char: char| char.is_whitespace() || SEPARATORS.contains(char));
    for word in words.filter(|word| !word.is_empty()) {
        if is_folder || looks_like_path(word) {
            let place = below(&folder, word);
            if is_folder {
                folder.clone_from(&place);
            }
            add(place, places);
        }
        is_folder = CHANGES_FOLDER.contains(&word);
    }
}

fn looks_like_path(word: &str) -> bool {
    let is_path = word.contains(['/', '\\']) || word.starts_with('~');
    // On Windows the second and the third are places on the network, where nobody looks.
    let is_other = ["-", "//", "\\\\"]
        .iter()
        .any(|start| word.starts_with(start));
    is_path && !is_other && !word.contains("://") && !word.contains(['\n', '$'])
}

fn below(folder: &str, word: &str) -> String {
    let is_whole = word.starts_with(['/', '\\', '~']) || word.as_bytes().get(1) == Some(&b':');
    if is_whole || folder.is_empty() {
        word.to_owned()
    } else {
        format!("{folder}/{word}")
    }
}

fn add(place: String, places: &mut Vec<String>) {
    let is_new = places.len() < MAX_PLACES && !places.contains(&place);
    if is_new && place.len() <= MAX_BYTES {
        places.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_command(command: &str) -> Vec<String> {
        of(&serde_json::json!({ "command": command }).to_string())
    }

    #[test]
    fn words_that_look_like_paths_are_places() {
        for (command, expected) in [
            ("ls; make test", &[][..]),
            (
                "cat > /srv/infra/main.tf <<'EOF'\nx = 1\nEOF",
                &["/srv/infra/main.tf"],
            ),
            ("git clone https://example.com/a/b ../infra", &["../infra"]),
            ("tool --out=/srv/x -v/y", &["/srv/x"]),
            (
                "cp a.py \"$HOME/my notes/a.py\" && touch ${HOME}/b",
                &["~/my notes/a.py", "~/my", "notes/a.py", "~/b"],
            ),
            ("echo $DIR/a -I/b //c/d \\\\e\\f", &[]),
        ] {
            assert_eq!(of_command(command), expected, "{command}");
        }
    }

    #[test]
    fn a_folder_that_is_changed_to_counts_for_what_follows() {
        for (command, expected) in [
            (
                "cd infra && sed -i s/a/b/ x",
                &["infra", "infra/s/a/b/"][..],
            ),
            (
                "cd /srv\ngit -C infra add x/y",
                &["/srv", "/srv/infra", "/srv/infra/x/y"],
            ),
            (
                "(cd ../a; cd b; touch ./c); ls /d",
                &["../a", "../a/b", "../a/b/./c", "/d"],
            ),
        ] {
            assert_eq!(of_command(command), expected, "{command}");
        }
    }

    #[test]
    fn every_text_of_an_input_counts_and_the_shortest_first() {
        let content = "/in/content\n".repeat(100);
        let arguments = serde_json::json!({"a": content, "cmd": ["sh", "-c", "cd /b"], "n": 1});
        let input = serde_json::json!({ "arguments": arguments.to_string(), "workdir": "/c" });
        assert_eq!(of(&input.to_string()), ["/c", "/b", "/in/content"]);
        assert_eq!(of("\"/d\""), ["/d"]);
        assert_eq!(of("7"), [""; 0]);
    }

    #[test]
    fn an_input_without_end_has_an_end() {
        let many: Vec<_> = (0..1_000).map(|n| format!("/p/{n}")).collect();
        assert_eq!(of_command(&many.join(" ")).len(), MAX_PLACES);
        assert_eq!(of_command(&"/x".repeat(MAX_BYTES)), [""; 0]);
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(of(&deep), [""; 0]);
    }
}
