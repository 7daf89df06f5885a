//! What changes the shell itself: its folder, its variables, its commands.

use crate::programs;

use crate::places::Unknown;
use crate::text::last_part;
use crate::tree::is_name;
use crate::writes::argument::{ANY, Argument};
use crate::writes::reader::Reader;

impl Reader<'_> {
    pub(super) fn change_folder(&mut self, name: &str, words: &[Argument]) {
        let is_certain = self.is_certain();
        let count = words
            .iter()
            .flat_map(|word| &word.values)
            .map(Vec::len)
            .max();
        self.keep_folders(count.unwrap_or(1) * 2);
        self.keep_otherwise();
        let target = words.iter().find(|word| !word.is_option());
        match (name, target) {
            ("popd", _) | ("pushd", None) => self.folders.back(),
            (_, Some(word)) if word.text() == Some("-") => self.folders.back(),
            (_, Some(word)) => {
                let values = word
                    .values
                    .as_deref()
                    .filter(|values| !values.iter().any(|it| it.contains(ANY)));
                self.folders.change(values, is_certain);
            }
            (_, None) => self.folders.change(Some(&["~".to_owned()]), is_certain),
        }
    }

    pub(super) fn source(&mut self, words: &[Argument]) {
        let Some(file) = words.first() else {
            return;
        };
        let names = file.values.iter().flatten().map(|path| last_part(path));
        let mut base = names.peekable();
        let ends = ["activate", "nvm.sh", "/env"];
        let is_known = base.peek().is_some()
            && base.all(|name| programs::of(name).is_some_and(|it| it.is("set-up")))
            || file.values.is_none() && ends.iter().any(|end| file.shown.ends_with(end));
        if !is_known {
            self.places.miss(Unknown::Script, &file.shown);
        }
    }

    /// A variable that gets a line of names of files is one of them.
    pub(super) fn set(&mut self, name: &str, words: &[Argument]) {
        let names: Vec<_> = words.iter().filter_map(Argument::text).collect();
        let mut variables = names.iter().filter(|text| is_name(text));
        if let (Some(fed), "read", Some(variable), None) =
            (&self.fed, name, variables.next(), variables.next())
            && !names.iter().any(|text| text.starts_with("-u"))
        {
            let values = fed.to_vec();
            return self.assign(variable, Some(values));
        }
        for word in words {
            if let Some(name) = word.text() {
                self.assign(name.split('=').next().unwrap_or(name), None);
            }
        }
    }

    pub(super) fn declare(&mut self, words: &[Argument]) {
        for word in words {
            let all = word.values.as_deref().unwrap_or_default();
            let pairs: Vec<_> = all
                .iter()
                .filter_map(|value| value.split_once('='))
                .collect();
            match pairs.first() {
                Some((name, _)) => {
                    let values = pairs.iter().map(|(_, value)| (*value).to_owned()).collect();
                    self.assign(name, Some(values));
                    let is_list = name.ends_with("PATH") || name.ends_with("HOME");
                    if !is_list {
                        self.named(word);
                    }
                }
                None => {
                    if let Some((name, _)) =
                        word.shown.split_once('=').filter(|_| word.values.is_none())
                    {
                        self.assign(name, None);
                    }
                }
            }
        }
    }

    pub(super) fn evaluate(&mut self, name: &str, words: &[Argument]) {
        let words = if name == "trap" {
            &words[..words.len().min(1)]
        } else {
            words
        };
        if let Some(texts) = words.iter().map(Argument::text).collect::<Option<Vec<_>>>() {
            self.inline_text(&texts.join(" "));
        } else {
            let shown: Vec<_> = words.iter().map(|word| word.shown.as_str()).collect();
            self.places.miss(Unknown::Script, &shown.join(" "));
        }
    }
}
