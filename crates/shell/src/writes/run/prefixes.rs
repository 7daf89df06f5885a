//! Programs that run the one which their words name.

use crate::programs::{self, Effect, Program};

use super::files::edits_in_place;
use super::texts;
use crate::places::Unknown;
use crate::text::{is_one_of, last_part};
use crate::writes::argument::Argument;
use crate::writes::reader::{Input, Reader};

impl Reader<'_> {
    /// A program that runs the one among its words.
    pub(super) fn prefix(
        &mut self,
        name: &str,
        program: Program,
        words: &[Argument],
        input: Input<'_>,
    ) {
        let before = self.folders.clone();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            let text = word.text().unwrap_or_default();
            let sets_variable = program.is("env") && word.shown.contains('=');
            let is_duration =
                program.is("later") && text.starts_with(|it: char| it.is_ascii_digit());
            rest = if program.list("valued").any(|it| it == text) {
                if is_one_of("-C -D --chdir", text) {
                    let to = more.first().and_then(|word| word.values.as_deref());
                    self.folders.change(to, true);
                }
                more.get(1..).unwrap_or_default()
            } else if let Some(to) = word.behind("--chdir") {
                self.folders.change(to.values.as_deref(), true);
                more
            } else if (name, text) == ("env", "-S") {
                return self.evaluate(name, more);
            } else if word.is_option() || is_duration {
                more
            } else if sets_variable {
                self.named(word);
                more
            } else {
                break;
            };
        }
        self.dispatch(rest, input);
        if !is_one_of("exec command builtin", name) {
            self.folders = before;
        }
    }

    /// A command of which words come from standard input: the last ones, or those with the text that `-I` names.
    pub(super) fn with_input(&mut self, name: &str, words: &[Argument]) {
        let (mut rest, mut replaced) = (words, None);
        let mut names = self.fed.clone();
        while let Some((word, more)) = rest.split_first() {
            let text = word.text().unwrap_or_default();
            if text.starts_with("-a") || text.starts_with("--arg-file") {
                names = None;
            }
            rest = if text == "-I" {
                replaced = Some(more.first().and_then(Argument::text).unwrap_or_default());
                more.get(1..).unwrap_or_default()
            } else if is_one_of("-n -P -L -d -a -E -s -j", text) {
                more.get(1..).unwrap_or_default()
            } else if word.is_option() {
                replaced = text.strip_prefix("-I").or(replaced);
                more
            } else {
                break;
            };
        }
        let Some((program, words)) = rest.split_first() else {
            return;
        };
        let given = Argument {
            values: names.map(|names| names.to_vec()),
            shown: format!("{name} {}", program.shown),
            in_new_folder: None,
        };
        if name != "xargs" && !reads(program, words) {
            return self.places.miss(Unknown::Expansion, &given.shown);
        }
        let is_shell = program.text().and_then(programs::of);
        let is_shell = is_shell.is_some_and(|it| it.effect(&[]) == Effect::Shell);
        let mut all = vec![program.clone()];
        for word in words {
            let is_text = is_shell && all.last().and_then(Argument::text) == Some("-c");
            all.push(match word.text().zip(replaced) {
                Some((text, part)) if text.contains(part) => {
                    if is_text && !part.is_empty() {
                        with_unknown(text, part)
                    } else {
                        with_names(text, part, &given)
                    }
                }
                _ => word.clone(),
            });
        }
        if replaced.is_none() {
            // There may be several, and of two files the second is where a copy goes.
            all.extend([given.clone(), given]);
        }
        self.deeper(|reader| reader.dispatch(&all, Input::default()));
    }
}

/// A word in which each of the names stands for a part.
fn with_names(text: &str, part: &str, given: &Argument) -> Argument {
    let values = given.values.iter().flatten();
    let values = values.map(|name| text.replace(part, name));
    Argument {
        values: given.values.is_some().then(|| values.collect()),
        ..given.clone()
    }
}

/// A text of a shell in which something that nobody knows stands for a part.
fn with_unknown(text: &str, part: &str) -> Argument {
    let is_plain = !text.contains(['\'', '\\', '$', '`']);
    Argument {
        values: is_plain.then(|| vec![text.replace(part, "${UNKNOWN}")]),
        shown: text.to_owned(),
        in_new_folder: None,
    }
}

/// Whether the program only reads with these words.
fn reads(program: &Argument, words: &[Argument]) -> bool {
    let program = program.text().map(last_part).and_then(programs::of);
    match program.map(|it| it.effect(&texts(words))) {
        Some(Effect::Reads) => true,
        Some(Effect::Edits) => !edits_in_place(words),
        _ => false,
    }
}
