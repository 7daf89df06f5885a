//! Whether the speaker of a text without a status says to have done work.
//!
//! A sentence of prose counts only if it is the speaker's own: "I fixed a.py", or "Fixed a.py" where nothing
//! in front of it says that others are spoken of. "The parser is implemented in a.py" says where something is.
//! One word of the guard in a sentence, and the sentence says nothing.

mod behind;

use std::cell::OnceCell;

use attest_shell::text::is_one_of;

pub(crate) use self::behind::is_part_of_another;
use crate::words::{KEYS, PROSE};

/// Words that may stand between the speaker and the verb, at most.
const MOST_LEADS: usize = 4;
/// The most words of a sentence: nobody writes a longer one, and each verb of it is looked for in all of it.
const MOST_WORDS: usize = 400;
/// Words of a sentence that says no more than that all is done.
const SHORT: usize = 4;
/// The shortest abbreviation of a commit's name.
const SHORTEST_COMMIT: usize = 7;

/// Whether a sentence says that the speaker changed something or studied it.
#[must_use]
pub fn tells_of_work(text: &str) -> bool {
    own(text).any(|(sentence, of_others)| {
        sentence.starts_with("all tests pass")
            || sentence.starts_with("all tests passed")
            || sentence.is_own(&["change", "study"], of_others)
    })
}

/// Whether a sentence says that the speaker changed something, or has come to the end.
#[must_use]
pub fn tells_of_change(text: &str) -> bool {
    !sentences(text).any(|sentence| sentence.has("others"))
        && own(text).any(|(sentence, of_others)| {
            !sentence.has("study")
                && (sentence.says_all_is_done() || sentence.is_own(&["change"], of_others))
        })
}

/// The sentences that say something, each with whether others are spoken of in front of it.
fn own(text: &str) -> impl Iterator<Item = (Sentence<'_>, bool)> {
    let mut of_others = false;
    sentences(text).filter_map(move |sentence| {
        let before = of_others;
        of_others |= sentence.is_ascribed();
        (!sentence.is_guarded()).then_some((sentence, before))
    })
}

/// A word, in lower case and without the marks around it.
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    pub(crate) word: String,
    pub(crate) is_file: bool,
    /// Whether a dash stands in front of it.
    pub(crate) follows_dash: bool,
    /// The kinds that `words/prose.txt` has of it, and of it with the word behind it, once they were asked for.
    kinds: OnceCell<&'static str>,
    phrase_kinds: OnceCell<&'static str>,
}

pub(crate) struct Sentence<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
}

impl Sentence<'_> {
    /// Whether it says that the speaker changed something, and names a file.
    pub(crate) fn tells_of_changed_file(&self, of_others: bool) -> bool {
        let tokens = &self.tokens;
        let is_of_itself = |at: usize| tokens[at].is_file && !is_part_of_another(tokens, at);
        (0..tokens.len()).any(is_of_itself)
            && !self.is_guarded()
            && !self.has("study")
            && (self.is_own(&["change"], of_others) || self.tests_own_change())
    }

    /// Whether others are spoken of, or another time.
    pub(crate) fn is_ascribed(&self) -> bool {
        self.has("others") || self.names_a_version()
    }

    /// Whether it says that the speaker did what one of `verbs` says.
    fn is_own(&self, verbs: &[&str], of_others: bool) -> bool {
        let is_key = self.tokens.iter().take(2);
        if is_key
            .into_iter()
            .any(|token| token.word == "files" || token.word.starts_with("files_"))
        {
            return false;
        }
        let is_ascribed = of_others || self.is_ascribed();
        self.by_first_person(verbs, is_ascribed) || !is_ascribed && self.by_nobody(verbs)
    }

    /// "I have now fixed …"; "we" are also the people of the project.
    fn by_first_person(&self, verbs: &[&str], is_ascribed: bool) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        (0..self.tokens.len()).any(|at| {
            let is_speaker = match word(at) {
                "i" | "i've" => true,
                "we" | "we've" => !is_ascribed && (at == 0 || !self.tokens[at - 1].is("relative")),
                _ => false,
            };
            is_speaker && (self.does(at + 1, verbs) || self.does_later(at + 1, verbs))
        })
    }

    /// "… looked at it and fixed …": what follows has an object, or it might be an adjective.
    fn does_later(&self, from: usize, verbs: &[&str]) -> bool {
        let and = (from..self.tokens.len()).filter(|at| self.tokens[*at].word == "and");
        and.map(|and| self.after_leads(and))
            .any(|verb| self.does(verb, verbs) && self.has_object(verb + 1))
    }

    /// "Fixed …", or "a.py: fixed …".
    fn by_nobody(&self, verbs: &[&str]) -> bool {
        let of_file = self.tokens.first().is_some_and(|token| token.is_file);
        let at = self.after_leads(usize::from(of_file));
        let Some(verb) = self.tokens.get(at) else {
            return false;
        };
        if !verb.word.ends_with("ed") && !matches!(&*verb.word, "rewrote" | "wrote") {
            return false;
        }
        self.does(at, verbs) && (of_file && at + 1 == self.tokens.len() || self.has_object(at + 1))
    }

    /// Whether a verb stands here, behind no more than leads, that is done to something else than the report.
    fn does(&self, at: usize, verbs: &[&str]) -> bool {
        let at = self.after_leads(at);
        let Some(verb) = self.tokens.get(at) else {
            return false;
        };
        verbs.iter().any(|kind| verb.is(kind)) && !self.is_done_to_the_report(at)
    }

    pub(crate) fn after_leads(&self, at: usize) -> usize {
        let leads = self.tokens[at.min(self.tokens.len())..].iter();
        let leads = leads
            .take(MOST_LEADS)
            .take_while(|token| !token.is_file && (token.is("lead") || token.word.ends_with("ly")));
        at + leads.count()
    }

    /// Whether what follows the verb at `at` is a part of the report, or the reading itself, and not put into a file.
    pub(crate) fn is_done_to_the_report(&self, at: usize) -> bool {
        let rest = &self.tokens[at + 1..];
        let end = rest.iter().position(|token| token.is_file);
        let object = &rest[..end.unwrap_or(rest.len())];
        // "my notes on src/a.py"
        let is_about = matches!(object, [.., of, on] if of.is("report") && on.word == "on");
        let is_into = object.last().is_some_and(|token| token.is("into"));
        let is_put = end.is_some() && is_into && !is_about;
        let is_end = self.tokens[at].is("end") && self.tokens[at].word != "complete";
        let is_reading = is_end && object.first().is_some_and(|it| it.word.ends_with("ing"));
        is_reading || !is_put && object.iter().any(|token| token.is("report"))
    }

    /// Whether the verb in front of `at` is one, and no adjective or passive.
    pub(crate) fn has_object(&self, at: usize) -> bool {
        let rest = &self.tokens[at.min(self.tokens.len())..];
        let (Some(verb), Some(next)) = (self.tokens.get(at.wrapping_sub(1)), rest.first()) else {
            return false;
        };
        if verb.text.ends_with([':', ',']) || next.is("passive") {
            return false;
        }
        if next.is("object") || next.is_file {
            let after = rest.get(1).filter(|_| next.is_file);
            // "Created → a.py"
            return !next.follows_dash && !after.is_some_and(|token| token.is("state"));
        }
        let end = rest.iter().position(|token| token.is_file);
        let before = &rest[..end.map_or(rest.len(), |end| (end + 2).min(rest.len()))];
        let clause = before.iter().position(|token| token.text.ends_with(','));
        let before = &before[..clause.unwrap_or(before.len())];
        let is_label = end.is_some_and(|end| rest[..end].iter().any(is_label));
        !is_label && !before.iter().any(|token| token.is("state"))
    }

    /// "Done", "The task is complete".
    pub(crate) fn says_all_is_done(&self) -> bool {
        let end = self.tokens.iter().position(|token| token.is("end"));
        let Some(end) = end else {
            return false;
        };
        let before = &self.tokens[..end];
        let is_of_all = before.iter().any(|token| token.is("whole"));
        is_of_all || end == 0 && self.tokens.len() <= SHORT
    }

    /// "All tests pass with the new …".
    fn tests_own_change(&self) -> bool {
        self.has_any(&["all tests pass", "all tests passed"])
            && self.has_any(&["my", "the new", "these changes"])
    }

    /// Whether it is a question.
    pub(crate) fn is_asked(&self) -> bool {
        self.tokens.last().is_some_and(|it| it.text.ends_with('?'))
    }

    /// Whether what stands behind a semicolon belongs to it.
    pub(crate) fn goes_on(&self) -> bool {
        self.tokens.last().is_some_and(|it| it.text.ends_with(';'))
    }

    /// Whether nobody writes such a long one.
    pub(crate) fn is_too_long(&self) -> bool {
        self.tokens.len() > MOST_WORDS
    }

    /// Whether it takes back what it tells, or is too long to be understood.
    pub(crate) fn is_guarded(&self) -> bool {
        self.is_guarded_before(self.tokens.len())
    }

    /// The same of what stands in front of a token.
    pub(crate) fn is_guarded_before(&self, end: usize) -> bool {
        let tokens = &self.tokens[..end];
        self.is_too_long()
            || has(tokens, "guard")
            || tokens.iter().any(|token| token.word.ends_with("n't"))
    }

    /// Whether it has the name of a commit, of a version, of a day or of an issue.
    fn names_a_version(&self) -> bool {
        self.tokens
            .iter()
            .any(|token| !token.is_file && is_version(token))
    }

    fn starts_with(&self, phrase: &str) -> bool {
        let mut words = self.tokens.iter().map(|token| token.word.as_str());
        phrase.split(' ').all(|word| words.next() == Some(word))
    }

    /// Whether it has a word of a kind, or a phrase of two.
    pub(crate) fn has(&self, kind: &str) -> bool {
        has(&self.tokens, kind)
    }

    /// Whether it has one of these phrases.
    fn has_any(&self, list: &[&str]) -> bool {
        let is_here = |at: usize, phrase: &str| {
            let mut words = self.tokens[at..].iter().map(|token| token.word.as_str());
            phrase.split(' ').all(|word| words.next() == Some(word))
        };
        (0..self.tokens.len()).any(|at| list.iter().any(|phrase| is_here(at, phrase)))
    }
}

impl Token<'_> {
    /// Whether the word is of a kind that `words/prose.txt` has.
    pub(crate) fn is(&self, kind: &str) -> bool {
        let look_up = || PROSE.classes(&self.word).filter(|_| is_plain(&self.word));
        let kinds = self.kinds.get_or_init(|| look_up().unwrap_or_default());
        is_one_of(kinds, kind)
    }

    /// Whether the phrase is of a kind that it makes with the word behind it.
    fn is_with(&self, next: &Self, kind: &str) -> bool {
        let look_up = || {
            let is_plain = is_plain(&self.word) && is_plain(&next.word);
            let phrase = is_plain.then(|| format!("{}_{}", self.word, next.word))?;
            PROSE.classes(&phrase)
        };
        let kinds = self
            .phrase_kinds
            .get_or_init(|| look_up().unwrap_or_default());
        is_one_of(kinds, kind)
    }

    /// Whether it is a word for a file, which may stand behind the name of one: "the `a.py` file".
    pub(crate) fn is_noun(&self) -> bool {
        !self.is_file && KEYS.class(&self.word) == Some("noun")
    }
}

fn has(tokens: &[Token<'_>], kind: &str) -> bool {
    let is_phrase = |pair: &[Token<'_>]| matches!(pair, [first, next] if first.is_with(next, kind));
    tokens.iter().any(|token| token.is(kind)) || tokens.windows(2).any(is_phrase)
}

/// In the list, an underscore joins the words of a phrase.
fn is_plain(word: &str) -> bool {
    !word.contains('_')
}

/// "Fixed costs:" in front of a file may be about those that are fixed.
fn is_label(token: &Token<'_>) -> bool {
    token.text.trim_end_matches(['*', '_']).ends_with(':') && !token.is_noun()
}

fn is_version(token: &Token<'_>) -> bool {
    let word = token.word.strip_prefix('v').unwrap_or(&token.word);
    let has = |test: fn(char) -> bool| word.contains(test);
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_release = word.contains('.') && word.split('.').all(is_number);
    let is_day = word.split('-').count() == 3 && word.split('-').all(is_number);
    let is_commit = word.len() >= SHORTEST_COMMIT
        && word.chars().all(|c| c.is_ascii_hexdigit())
        && has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_alphabetic());
    let is_issue = token.text.trim_start_matches('(').starts_with('#') && is_number(word);
    is_release || is_day || is_commit || is_issue
}

pub(crate) fn sentences(text: &str) -> impl Iterator<Item = Sentence<'_>> {
    text.lines().flat_map(|line| {
        let mut sentences = Vec::new();
        let mut tokens = Vec::new();
        let mut follows_dash = false;
        for text in line.split_whitespace() {
            let word = text.trim_matches(|c: char| !c.is_alphanumeric());
            if word.is_empty() {
                follows_dash = matches!(text, "-" | "--" | "–" | "—" | "→" | ":");
            } else {
                tokens.push(Token {
                    text,
                    word: word.to_lowercase().replace('\u{2019}', "'"),
                    is_file: is_file(text),
                    follows_dash: std::mem::take(&mut follows_dash),
                    kinds: OnceCell::new(),
                    phrase_kinds: OnceCell::new(),
                });
            }
            if text.ends_with(['.', '!', '?', ';']) {
                sentences.push(Sentence {
                    tokens: std::mem::take(&mut tokens),
                });
            }
        }
        sentences.push(Sentence { tokens });
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
    use crate::tells_of_changed_file;

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
            "src/a.py: fixed the loop",
            "I wrote the plan to docs/plan.md",
            "I then also quickly renamed src/a.py",
            "I fixed routing in src/a.py",
            "I moved it out and updated src/a.py",
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

    /// Each beside a sentence of the speaker's own that is most like it.
    #[test]
    fn what_is_there_and_what_others_did_is_not_told() {
        for (of_others, own) in [
            (
                "The parser is implemented in src/p.py",
                "I implemented the parser in src/p.py",
            ),
            ("Implemented in src/p.py", "Implemented it in src/p.py"),
            (
                "Deleted rows are filtered in src/q.py",
                "Deleted the rows in src/q.py",
            ),
            (
                "Updated orders go through src/o.py",
                "Updated orders in src/o.py",
            ),
            (
                "We added it in commit 1a2b3c4, src/a.py",
                "We added it to src/a.py",
            ),
            (
                "What we added to src/a.py is old",
                "We added to src/a.py what is old",
            ),
            (
                "Release notes:\n- Added src/a.py",
                "My changes:\n- Added src/a.py",
            ),
            ("In 2.1.0:\n- Fixed src/a.py", "Changes:\n- Fixed src/a.py"),
            (
                "I wrote a summary of src/a.py",
                "I wrote a summary to src/a.md",
            ),
            ("I finished tracing src/a.py", "I finished src/a.py"),
            ("Done: src/a.py has it", "I have done src/a.py"),
            (
                "I see the cache and updated rows are in src/a.py",
                "I see the cache and updated the rows in src/a.py",
            ),
            ("It created src/a.py", "I created src/a.py"),
        ] {
            assert!(!tells_of_changed_file(of_others), "{of_others}");
            assert!(tells_of_changed_file(own), "{own}");
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
        assert!(tells_of_work("I reviewed everything."));
        assert!(!tells_of_work("I could not review the module."));
        assert!(!tells_of_work("4"));
        assert!(!tells_of_work("Read the module, it is reviewed."));
        assert!(!tells_of_change("I reviewed the changed module."));
        assert!(tells_of_change("All done."));
    }

    proptest! {
        #[test]
        fn any_text_is_an_answer(text in "\\PC{0,200}") {
            let _ = (tells_of_changed_file(&text), tells_of_change(&text), tells_of_work(&text));
        }
    }
}
