//! Whether a text without a status tells of finished work.
//!
//! The lists are fixed, and docs/DESIGN.md has them too. Whole words count, in any case, sentence by
//! sentence: one word of the guard in a sentence, and the sentence says nothing.

/// Words that tell of a file that is now different.
pub(super) const CHANGE: [&str; 23] = [
    "added",
    "all tests pass",
    "all tests passed",
    "changed",
    "complete",
    "completed",
    "created",
    "deleted",
    "done",
    "edited",
    "finished",
    "fixed",
    "implemented",
    "modified",
    "refactored",
    "removed",
    "renamed",
    "replaced",
    "rewritten",
    "rewrote",
    "updated",
    "written",
    "wrote",
];

/// Words that tell of work which changes nothing.
pub(super) const STUDY: [&str; 20] = [
    "analysed",
    "analysis",
    "analyzed",
    "audit",
    "audited",
    "checked",
    "examined",
    "exploration",
    "explored",
    "inspected",
    "inspection",
    "investigated",
    "investigation",
    "read",
    "research",
    "researched",
    "review",
    "reviewed",
    "searched",
    "studied",
];

/// Words that take the telling back: a negation, a wish, a condition, a past that was not the
/// agent's own. Every word that ends in `n't` is one of them.
pub(super) const GUARD: [&str; 38] = [
    "already",
    "by",
    "can",
    "cannot",
    "could",
    "fail",
    "failed",
    "fails",
    "if",
    "incomplete",
    "itself",
    "may",
    "might",
    "must",
    "need",
    "needed",
    "needs",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "partially",
    "previously",
    "should",
    "themselves",
    "todo",
    "unable",
    "unless",
    "until",
    "was",
    "were",
    "will",
    "without",
    "would",
];

/// Whether a sentence tells of work, on files or in reading them.
pub(super) fn tells_of_work(text: &str) -> bool {
    sentences(text).any(|sentence| sentence.says(&CHANGE) || sentence.says(&STUDY))
}

/// Whether a sentence tells of a change.
pub(super) fn tells_of_change(text: &str) -> bool {
    sentences(text).any(|sentence| sentence.tells_of_change())
}

/// Whether a sentence tells of a change and names a file.
pub(super) fn tells_of_changed_file(text: &str) -> bool {
    sentences(text).any(|sentence| sentence.tells_of_change() && sentence.names_a_file)
}

/// The words of a sentence, in lower case and without the marks around them.
struct Sentence {
    words: Vec<String>,
    names_a_file: bool,
}

impl Sentence {
    fn tells_of_change(&self) -> bool {
        self.says(&CHANGE) && !self.has_any(&STUDY) && !self.is_key()
    }

    /// Whether it begins with the key of a list, "Files changed": whose changes they are it does
    /// not say.
    fn is_key(&self) -> bool {
        self.words
            .iter()
            .take(2)
            .any(|word| word == "files" || word.starts_with("files_"))
    }

    fn says(&self, list: &[&str]) -> bool {
        let is_denial = |word: &String| word.ends_with("n't");
        self.has_any(list) && !self.has_any(&GUARD) && !self.words.iter().any(is_denial)
    }

    fn has_any(&self, list: &[&str]) -> bool {
        list.iter().any(|phrase| {
            let phrase: Vec<_> = phrase.split(' ').collect();
            self.words
                .windows(phrase.len())
                .any(|words| words == phrase)
        })
    }
}

fn sentences(text: &str) -> impl Iterator<Item = Sentence> {
    text.lines().flat_map(|line| {
        let mut sentences = Vec::new();
        let (mut words, mut names_a_file) = (Vec::new(), false);
        for token in line.split_whitespace() {
            names_a_file |= is_file(token);
            let word = token.trim_matches(|c: char| !c.is_alphanumeric());
            if !word.is_empty() {
                words.push(word.to_lowercase().replace('\u{2019}', "'"));
            }
            if token.ends_with(['.', '!', '?', ';']) {
                let words = std::mem::take(&mut words);
                sentences.push(Sentence {
                    words,
                    names_a_file,
                });
                names_a_file = false;
            }
        }
        sentences.push(Sentence {
            words,
            names_a_file,
        });
        sentences
    })
}

/// Whether a token of prose is the name of a file: the last part has an extension that begins with a
/// letter, and it is no address, no call and no abbreviation.
fn is_file(token: &str) -> bool {
    if token.contains("://") || token.contains("()") || token.starts_with("www.") {
        return false;
    }
    // The target of a link in Markdown.
    let token = token.rsplit("](").next().unwrap_or(token);
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let name = token.rsplit(['/', '\\']).next().unwrap_or(token);
    // The number of a line behind the name, "a.py:12".
    let name = name.split(':').next().unwrap_or(name);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_extension = extension.len() <= 8
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.chars().all(|c| c.is_ascii_alphanumeric());
    // "e.g." and "i.e." are no files.
    is_extension
        && !stem.is_empty()
        && !stem.contains(['(', '@'])
        && (stem.len() > 1 || extension.len() > 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn finished_work_is_told_in_whole_words() {
        for text in [
            "I fixed src/a.py.",
            "Created `parser.py`",
            "- **Updated** the front page in web/front.html",
            "Rewrote the environment in config/env.toml; all is well",
            "Implemented it in a.py:12, ready to merge",
            "All tests pass with the new src/lib.rs",
            "Nothing else to say. I've added docs/x.md!",
            "Fixed the loop (src/a.py).",
            "Created [the parser](./src/__init__.py)",
            "Edited C:\\work\\a.py",
        ] {
            assert!(tells_of_changed_file(text), "{text}");
        }
    }

    #[test]
    fn what_is_denied_wished_or_read_is_not_told() {
        for text in [
            "Not all tests pass in src/a.py",
            "The bug in src/a.py fixed itself.",
            "I haven't fixed src/a.py",
            "I haven’t changed src/a.py",
            "src/a.py should be updated",
            "src/a.py was fixed in an earlier commit",
            "I could not complete src/a.py",
            "The review of src/a.py is complete",
            "I read the updated src/a.py",
            "Prefixed names in src/a.py, unfinished business",
            "The front of web/front.html has a form",
            "The environment in config/env.toml has three keys",
            "Done. See src/a.py",
            "I fixed it, see https://example.com/a.py",
            "I fixed it, e.g. the loop and str.format() or open(a.py)",
            "I fixed it and wrote to me@example.com",
            "Upgraded to version 1.2",
            "Files changed: src/a.py",
            "## Modified files in src/a.py",
            "",
        ] {
            assert!(!tells_of_changed_file(text), "{text}");
        }
    }

    #[test]
    fn a_token_with_an_extension_is_a_file_unless_it_is_something_else() {
        for token in ["a.py", "src/bb.C", "(aa.h).", "page.properti", "`a.rs:12`"] {
            assert!(is_file(token), "{token}");
        }
        for token in [
            "https://example.com/a.py",
            "str.format()",
            "www.example.com",
            "open(a.py",
            "me@a.py",
            "e.g.",
            "a.properties",
            "1.2",
            "a.py_b",
            "v1.x-y",
        ] {
            assert!(!is_file(token), "{token}");
        }
    }

    #[test]
    fn a_study_is_work_but_no_change() {
        assert!(tells_of_work("I reviewed the module and it is sound."));
        assert!(!tells_of_work("I could not review the module."));
        assert!(!tells_of_work("4"));
        assert!(!tells_of_change("I reviewed the changed module."));
        assert!(tells_of_change("All done."));
    }

    #[test]
    fn the_lists_are_sorted_and_lower_case() {
        for list in [&CHANGE[..], &STUDY, &GUARD] {
            assert!(list.is_sorted());
        }
        let all = CHANGE.iter().chain(&STUDY).chain(&GUARD);
        assert!(all.into_iter().all(|word| *word == word.to_lowercase()));
    }

    #[test]
    fn the_lists_are_those_of_the_documentation() {
        let design = include_str!("../../../../docs/DESIGN.md");
        let design = design.split_whitespace().collect::<Vec<_>>().join(" ");
        for (name, list) in [
            ("change", &CHANGE[..]),
            ("study", &STUDY),
            ("guard", &GUARD),
        ] {
            let line = format!("- *{name}*: {} ", list.join(", "));
            assert!(design.contains(&line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_answer(text in "\\PC{0,200}") {
            let told = tells_of_changed_file(&text);
            prop_assert!(!told || tells_of_change(&text));
            prop_assert!(!tells_of_change(&text) || tells_of_work(&text));
        }
    }
}
