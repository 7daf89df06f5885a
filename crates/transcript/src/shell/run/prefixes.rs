//! Programs that run the one which their words name.

use super::files::edits_in_place;
use super::git::only_reads;
use crate::places::Unknown;
use crate::shell::argument::Argument;
use crate::shell::programs::{Class, class, is_one_of};
use crate::shell::reader::{Command, Reader};

impl Reader<'_> {
    /// A program that runs the one among its words.
    pub(super) fn prefix(&mut self, name: &str, words: &[Argument], command: &Command) {
        let before = self.folders.clone();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            let text = word.text().unwrap_or_default();
            let sets_variable =
                is_one_of("env sudo doas cross-env", name) && word.shown.contains('=');
            let is_duration = is_one_of("timeout gtimeout", name)
                && text.starts_with(|it: char| it.is_ascii_digit());
            rest = if is_one_of(options_with_value(name), text) {
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
        self.dispatch(rest, command);
        if name != "exec" {
            self.folders = before;
        }
    }

    /// A command whose last words come from standard input.
    pub(super) fn with_input(&mut self, words: &[Argument]) {
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            rest = match word.text() {
                Some(text) if is_one_of("-I -n -P -L -d -a -E -s -j", text) => {
                    more.get(1..).unwrap_or_default()
                }
                _ if word.is_option() => more,
                _ => break,
            };
        }
        let Some((program, words)) = rest.split_first() else {
            return;
        };
        let name = program
            .text()
            .map(|path| path.rsplit('/').next().unwrap_or(path));
        let is_reader = match name.map(class) {
            Some(Class::Reads) => true,
            Some(Class::Edits) => !edits_in_place(words),
            Some(Class::Git) => words
                .first()
                .and_then(Argument::text)
                .is_some_and(only_reads),
            _ => false,
        };
        if !is_reader {
            let shown = format!("xargs {}", program.shown);
            self.places.miss(Unknown::Expansion, &shown);
        }
    }
}

pub(in crate::shell) fn options_with_value(name: &str) -> &'static str {
    match name {
        "sudo" | "doas" => "-u -g -h -p -D --chdir --user",
        "env" => "-u -C --chdir --unset",
        "nice" | "ionice" => "-n -c -p",
        "timeout" | "gtimeout" => "-s -k",
        "stdbuf" => "-i -o -e",
        "exec" => "-a",
        "npx" | "bunx" | "uvx" | "pnpx" => "-p --package --from --with --python",
        "watch" => "-n --interval",
        "strace" | "ltrace" => "-e -o -p",
        "dotenv" => "-e -f",
        _ => "",
    }
}
