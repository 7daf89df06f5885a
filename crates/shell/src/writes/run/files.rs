//! Programs that write the files which their words name.

use crate::programs::{self, Effect, Program};

use crate::places::{Place, Unknown};
use crate::text::{is_one_of, is_short_option, last_part};
use crate::writes::argument::Argument;
use crate::writes::reader::{Input, Reader};

/// What `find` does with what it finds, other than to name it. What it deletes is no place.
const ACTIONS: &str = "-exec -execdir -ok -okdir -fprint -fprintf -fls";

impl Reader<'_> {
    pub(super) fn copy(&mut self, name: &str, words: &[Argument]) {
        let (operands, Some(target)) = sources_and_target(words) else {
            return;
        };
        let is_deep = is_one_of("rsync ditto", name) || words.iter().any(is_deep);
        let sources: Option<Vec<_>> = operands.iter().map(Argument::text).collect();
        let mut targets = target.values.iter().flatten();
        let remote = targets.find_map(|value| {
            let (host, path) = value.split_once(':')?;
            (host.len() > 1 && !host.contains('/')).then(|| path.to_owned())
        });
        if let Some(path) = remote.filter(|_| is_one_of("scp rsync", name)) {
            let sources = sources.filter(|_| !is_deep);
            return self.sent(sources.as_deref(), path, &target.shown);
        }
        self.exact(&target);
        if name == "mv" {
            for word in &operands {
                self.removed(word);
            }
        }
        // What is moved may be a folder, and what a copy is of is there still.
        let is_lost = name == "mv" && target.in_new_folder.is_some();
        match sources {
            Some(sources) if !is_deep && !is_lost => {
                for source in sources {
                    self.copied(name, source, &target);
                }
            }
            _ => self.around(&target),
        }
        if name == "install" && is_deep {
            for word in &operands {
                self.exact(word);
            }
        }
    }

    /// Files that another machine is given, each by its name or by `path`.
    fn sent(&mut self, sources: Option<&[&str]>, path: String, shown: &str) {
        let Some(sources) = sources else {
            return self.places.miss(Unknown::Machine, shown);
        };
        let names = sources.iter().map(|source| last_part(source).to_owned());
        for name in names.chain([path]) {
            self.places.add(Place::Elsewhere(name));
        }
    }

    /// What `source` is in the folder `target`.
    pub(super) fn copied(&mut self, name: &str, source: &str, target: &Argument) {
        let source = source.trim_end_matches('/');
        let base = last_part(source);
        let inside = target
            .values
            .iter()
            .flatten()
            .map(|value| format!("{value}/{base}"))
            .collect();
        let inside = Argument {
            values: Some(inside),
            shown: target.shown.clone(),
            in_new_folder: target
                .in_new_folder
                .as_ref()
                .map(|path| format!("{path}/{base}")),
        };
        self.exact(&inside);
        if name != "mv" {
            return;
        }
        for to in [&inside, target] {
            for value in to.values.iter().flatten() {
                let (from, to): (Vec<_>, Vec<_>) = (
                    self.folders.joined(source).collect(),
                    self.folders.joined(value).collect(),
                );
                for (from, to) in from.into_iter().zip(to) {
                    self.places.add(Place::Moved { from, to });
                }
            }
        }
    }

    /// A program that writes what some of its options name.
    pub(super) fn options(&mut self, name: &str, program: Program, words: &[Argument]) {
        let options: Vec<_> = program.list("into").collect();
        for (at, word) in words.iter().enumerate() {
            let text = word.text().unwrap_or_default();
            let is_short = is_short_option(text);
            let takes_next =
                options.contains(&text) || name == "curl" && is_short && text.ends_with('o');
            if takes_next {
                words
                    .iter()
                    .skip(at + 1)
                    .take(1)
                    .for_each(|word| self.around(word));
            } else if let Some(value) = options.iter().find_map(|option| word.behind(option)) {
                self.around(&value);
            } else if name == "curl" && is_short && text.contains('O') {
                self.here(name);
            } else if let Some(glued) = text.strip_prefix("-o").filter(|glued| !glued.is_empty()) {
                self.around(&Argument::of(glued));
            }
        }
    }

    pub(super) fn edit(&mut self, name: &str, words: &[Argument]) {
        if !edits_in_place(words) && name != "sd" {
            return;
        }
        let is_long = |text: &str| text.starts_with("--expression=") || text.starts_with("--file=");
        let takes_script = |text: &str| {
            is_one_of("--expression --file", text)
                || is_short_option(text) && text.ends_with(['e', 'f'])
        };
        // The first is what is done, unless options give it.
        let (mut is_given, mut files, mut rest) = (false, Vec::new(), words.iter());
        while let Some(word) = rest.next() {
            match word.text() {
                Some(text) if takes_script(text) => {
                    is_given = true;
                    rest.next();
                }
                Some(text) if is_long(text) => is_given = true,
                _ if word.is_option() => {}
                _ => files.push(word),
            }
        }
        for file in files.into_iter().skip(usize::from(!is_given)) {
            self.exact(file);
        }
    }

    pub(super) fn find(&mut self, words: &[Argument], input: Input<'_>) {
        let is_action = |word: &Argument| word.text().is_some_and(|it| is_one_of(ACTIONS, it));
        let is_end = |word: &Argument| matches!(word.text(), Some(";" | "+"));
        // Each file is below one of these.
        let mut roots = Some(words.iter().take_while(|word| !word.is_option()));
        let mut rest = words;
        while let Some(at) = rest.iter().position(is_action) {
            let is_file = rest[at].text().is_some_and(|text| text.starts_with("-f"));
            rest = &rest[at + 1..];
            if is_file {
                rest.iter().take(1).for_each(|word| self.exact(word));
                continue;
            }
            let (program, behind) =
                rest.split_at(rest.iter().position(is_end).unwrap_or(rest.len()));
            rest = behind;
            let name = program.first().and_then(Argument::text).unwrap_or_default();
            let known = programs::of(last_part(name));
            if known.is_some_and(|it| it.effect(&[]) == Effect::Reads) {
                continue;
            }
            if words.first().is_none_or(Argument::is_option) {
                self.here("find");
            }
            roots
                .take()
                .into_iter()
                .flatten()
                .for_each(|root| self.around(root));
            let program = program.iter().filter(|word| word.text() != Some("{}"));
            let program: Vec<_> = program.cloned().collect();
            self.deeper(|reader| reader.dispatch(&program, input));
        }
    }
}

/// What the words of a copy say: what is copied, and to where.
fn sources_and_target(words: &[Argument]) -> (Vec<Argument>, Option<Argument>) {
    let (mut operands, mut target) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.text() {
            Some("-t" | "--target-directory") => target = words.next().cloned(),
            Some("-m" | "-o" | "-g" | "-e" | "-S" | "--exclude" | "--include") => {
                words.next();
            }
            _ => match word.behind("--target-directory") {
                Some(named) => target = Some(named),
                None if !word.is_option() => operands.push(word.clone()),
                None => {}
            },
        }
    }
    let target = target.or_else(|| operands.pop());
    (operands, target)
}

/// Whether an option copies whole folders.
fn is_deep(option: &Argument) -> bool {
    let text = option.text().unwrap_or_default();
    is_short_option(text) && text.contains(['r', 'R', 'a', 'd'])
        || is_one_of("--recursive --archive --directory --parents", text)
}

pub(super) fn edits_in_place(words: &[Argument]) -> bool {
    words.iter().any(|word| {
        let text = word
            .values
            .as_ref()
            .and_then(|values| values.first())
            .map_or("", String::as_str);
        is_short_option(text) && text.contains('i')
            || text.starts_with("--in-place")
            || text == "--inplace"
    })
}
