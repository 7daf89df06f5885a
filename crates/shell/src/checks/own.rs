//! Commands that a person says are checks.

use crate::parser::parse;
use crate::programs;
use crate::tree::{Script, Word};

use super::kinds::of_no_concern;
use crate::programs::Of;
use crate::run::Run;
use crate::tasks::of_task;

/// What a person adds to the programs that are known to run checks: each a command by its first words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnChecks(Vec<Vec<String>>);

impl OwnChecks {
    /// These commands. What is not one simple command without variables, such as `./check.sh --fast`, is left out.
    #[must_use]
    pub fn of(commands: &[String]) -> Self {
        let known = commands.iter().filter_map(|command| plain_words(command));
        Self(known.collect())
    }

    /// The run of the longest of them that these words begin with.
    pub(crate) fn run(&self, words: &[&str]) -> Option<Run> {
        let begins = |own: &&Vec<String>| {
            own.len() <= words.len() && own.iter().zip(words).all(|(own, word)| own == word)
        };
        let own = self.0.iter().filter(begins).max_by_key(|own| own.len())?;
        let family = own.join(" ");
        let program = own.first().and_then(|name| programs::of(name));
        let rest = words[own.len()..]
            .iter()
            .filter(|word| !of_no_concern(program, word));
        Some(Run {
            of: of_task(&family).unwrap_or(Of::Anything),
            family,
            words: rest.map(|word| (*word).to_owned()).collect(),
            is_task: true,
            ..Run::default()
        })
    }
}

/// The words of a text that is one simple command, all of which are known.
fn plain_words(text: &str) -> Option<Vec<String>> {
    let Script { list, is_whole } = parse(text);
    let simple = list.only().filter(|_| is_whole)?;
    let words: Vec<_> = simple.words.iter().map(Word::text).collect::<Option<_>>()?;
    (simple.input().is_none() && !words.is_empty()).then_some(words)
}
