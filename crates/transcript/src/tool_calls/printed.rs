//! What calls printed, as far as it is kept.

use super::ToolCalls;
use crate::printed::Printed;
use crate::summary;

/// The fewest bytes of a name that no other word is.
const SHORTEST_NAME: usize = 6;

impl ToolCalls {
    /// Whether what a call printed counts so many of what this word says, as far as its beginning and its end are kept:
    /// with no word, of tests that passed.
    #[must_use]
    pub fn says_so_many(&self, call: usize, number: u32, word: &str) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(|text| summary::says_so_many(text, number, word))
    }

    /// The same of any line, also if another one counts otherwise.
    #[must_use]
    pub fn names_so_many(&self, call: usize, number: u32, word: &str) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(|text| summary::names_so_many(text, number, word))
    }

    /// Whether what a call printed is known to tell of no test that did not run.
    #[must_use]
    pub fn ran_all(&self, call: usize) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        printed.is_some_and(|it| it.whole_lines().iter().all(|text| summary::ran_all(text)))
    }

    /// Whether what a call printed says that there are none of what this word says; `None` if it does not tell of them, as
    /// far as that is known.
    #[must_use]
    pub fn says_none(&self, call: usize, word: &str) -> Option<bool> {
        let printed = self.calls.get(call)?.printed.as_ref()?;
        let is_none = summary::says_none(&printed.whole_lines().join("\n"), word)?;
        // What is cut may tell of some.
        (!is_none || printed.whole().is_some()).then_some(is_none)
    }

    /// Whether what a call printed counts any that failed, as far as it is kept.
    #[must_use]
    pub fn counts_failed(&self, call: usize) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let mut texts = printed.into_iter().flat_map(Printed::whole_lines);
        texts.any(summary::counts_failed)
    }

    /// Whether what a call printed says in the end that some tests failed.
    #[must_use]
    pub fn says_that_some_failed(&self, call: usize) -> bool {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        printed.is_some_and(|it| summary::failed(it.ending()).is_some())
    }

    /// The names of tests in the lines of what a call printed that tell of failures, as far as they are kept: words that can
    /// be nothing else, such as `test_net` or `TestNet`.
    #[must_use]
    pub fn names_of_failed(&self, call: usize) -> Vec<String> {
        let printed = self.calls.get(call).and_then(|call| call.printed.as_ref());
        let lines = printed.into_iter().flat_map(Printed::whole_lines);
        let lines = lines
            .flat_map(str::lines)
            .filter(|line| summary::tells_of_failure(line));
        let words = lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        words.filter(|it| is_name(it)).map(str::to_owned).collect()
    }

    /// Whether the answer of a call has this text, as far as its beginning and its end are kept.
    #[must_use]
    pub fn was_answered_with(&self, text: &str) -> bool {
        let printed = self.calls.iter().filter_map(|call| call.printed.as_ref());
        let mut texts = printed.flat_map(|it| [&it.first, &it.last]);
        texts.any(|it| it.contains(text))
    }
}

/// Whether a word is put together as names in programs are.
fn is_name(word: &str) -> bool {
    let inside = word.trim_matches('_').get(1..).unwrap_or_default();
    let is_joined = inside.contains('_') || inside.contains(char::is_uppercase);
    word.len() >= SHORTEST_NAME && is_joined && word.contains(char::is_lowercase)
}
