//! The line that a host shows below its prompt: a program of the person's prints it, and attest may be that one.

use jsonc_parser::cst::{CstInputValue, CstObjectProp};

use super::document::{Document, unique};
use super::shell::{self, Guard};
use super::{ContentError, entry, node};

/// The word behind the program.
const WORD: &str = "statusline";

/// Whose the line is that a settings file asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusLine {
    /// There is none.
    None,
    /// Attest prints it: the program, as it is written.
    Own(String),
    /// Something else does, or attest does among other things.
    Other,
}

/// Whose it is, and where.
pub(super) fn find(
    document: &Document,
    key: &str,
) -> Result<(StatusLine, Option<CstObjectProp>), ContentError> {
    let Some(property) = unique(&document.root, key)? else {
        return Ok((StatusLine::None, None));
    };
    let line = property.object_value();
    let line = line.and_then(|line| node::text(&line, "command"));
    let whose = match line.as_deref().and_then(program_of) {
        Some(program) => StatusLine::Own(program),
        None => StatusLine::Other,
    };
    Ok((whose, Some(property)))
}

/// Puts the line of `program` there, or takes it away; one that is not ours is left alone.
pub(super) fn set(
    document: &Document,
    key: &str,
    program: Option<&str>,
) -> Result<(), ContentError> {
    match (find(document, key)?, program) {
        ((StatusLine::Own(old), Some(property)), Some(program)) if old != program => {
            property.set_value(value(program));
        }
        ((StatusLine::Own(_), Some(property)), None) => property.remove(),
        ((StatusLine::None, _), Some(program)) => {
            document.root.append(key, value(program));
        }
        _ => {}
    }
    Ok(())
}

fn value(program: &str) -> CstInputValue {
    let command = shell::command_line(program, &[WORD.to_owned()], Guard::Bare);
    let properties = [("type", "command".to_owned()), ("command", command)];
    let properties = properties.map(|(key, text)| (key.to_owned(), CstInputValue::String(text)));
    CstInputValue::Object(properties.into())
}

/// The attest that a command line calls for the line, and does nothing else.
fn program_of(command: &str) -> Option<String> {
    let words = shell::words(command.strip_prefix(shell::CALL).unwrap_or(command))?;
    match &*words {
        [program, word] if word.text == WORD && entry::is_attest(&program.text) => {
            Some(program.text.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts;
    use crate::settings::{CallForm, Program, Scope};

    const PROGRAM: &str = "/opt/some tools/attest";

    fn with(content: &str, program: Option<&str>) -> String {
        let file = hosts::usual().wiring().any_file().unwrap();
        let changed = file.with_status_line(content.as_bytes(), program).unwrap();
        String::from_utf8(changed.unwrap()).unwrap()
    }

    fn whose(content: &str) -> StatusLine {
        let file = hosts::usual().wiring().any_file().unwrap();
        file.status_line(content.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn the_line_comes_and_goes_and_leaves_everything_else() {
        for before in [
            "",
            "{}\n",
            "{\n  \"model\": \"x\" // mine\n}\n",
            "\u{feff}{\n  // nothing but this\n}\n",
        ] {
            assert_eq!(whose(before), StatusLine::None);
            let on = with(before, Some(PROGRAM));
            assert!(on.contains("\"statusLine\""), "{on}");
            assert_eq!(whose(&on), StatusLine::Own(PROGRAM.to_owned()), "{on}");
            assert_eq!(with(&on, Some(PROGRAM)), on);
            let moved = with(&on, Some("/other/attest"));
            assert_eq!(whose(&moved), StatusLine::Own("/other/attest".to_owned()));
            let off = with(&on, None).replace(char::is_whitespace, "");
            let plain = if before.is_empty() { "{}" } else { before };
            assert_eq!(off, plain.replace(char::is_whitespace, ""));
        }
    }

    #[test]
    fn a_line_of_the_person_stays() {
        for line in [
            "{\"type\": \"command\", \"command\": \"~/line.sh\"}",
            "{\"type\": \"command\", \"command\": \"~/line.sh; attest statusline\"}",
            "{\"type\": \"command\", \"command\": \"attest statusline | head -1\"}",
            "{\"type\": \"command\", \"command\": \"attest stats\"}",
            "{\"type\": \"command\", \"command\": \"my-attest statusline\"}",
            "{\"type\": \"command\"}",
            "null",
        ] {
            let content = format!("{{\"statusLine\": {line}}}");
            assert_eq!(whose(&content), StatusLine::Other, "{line}");
            assert_eq!(with(&content, Some(PROGRAM)), content);
            assert_eq!(with(&content, None), content);
        }
    }

    #[test]
    fn an_uninstallation_takes_the_line_as_well() {
        let file = hosts::usual().wiring().any_file().unwrap();
        let program = Program {
            path: PROGRAM,
            form: CallForm::HERE,
        };
        let before = b"{ \"model\" : \"x\" }\n";
        let hooks = file.install(before, Scope::All, program).unwrap().bytes;
        let changed = file.with_status_line(&hooks, Some(PROGRAM)).unwrap();
        let both = changed.unwrap();
        let backups = vec![before.to_vec(), hooks.clone()];
        let removed = file.uninstall(&both, &mut backups.into_iter()).unwrap();
        assert_eq!(removed.bytes.as_deref(), Some(&before[..]));
        assert!(removed.events.contains(&"statusLine".to_owned()));
        assert!(removed.events.contains(&"SubagentStop".to_owned()));
        let alone = with("{\n  \"model\": \"x\"\n}\n", Some(PROGRAM));
        let removed = file.uninstall(alone.as_bytes(), &mut Vec::new().into_iter());
        let removed = removed.unwrap();
        assert_eq!(removed.events, ["statusLine"]);
        assert_eq!(
            whose(&String::from_utf8(removed.bytes.unwrap()).unwrap()),
            StatusLine::None
        );
        let made = with("", Some(PROGRAM));
        let removed = file.uninstall(made.as_bytes(), &mut Vec::new().into_iter());
        assert_eq!(removed.unwrap().bytes, None, "attest had made the file");
    }
}
