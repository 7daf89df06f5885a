//! What a message is to be checked against that only the lines of a transcript show.

use std::collections::BTreeSet;

use attest_claim::{Kind, Says, aside};

use crate::Report;
use crate::aside::may_say_that_checks_pass;
use crate::assertions::{PASSED, text_of};

/// What is looked for in them, which is known before they are read.
#[derive(Debug, Default)]
pub struct AskedOfLines<'c> {
    /// Texts that somebody may have shown the agent: names of commits and branches, and how a check went.
    pub texts: Vec<String>,
    /// Files that it says it read, and may know otherwise.
    pub files: Vec<&'c str>,
}

impl<'c> AskedOfLines<'c> {
    /// What may be asked of a message and of the claim in it.
    #[must_use]
    pub fn of(report: &'c Report) -> Self {
        let (claim, message) = (&report.claim, &report.message);
        let aside = aside(Kind::Commits, claim, message, || report.told());
        let said = claim.assertions.iter().chain(&aside);
        let texts = said.filter_map(|it| text_of(&it.says));
        let passed = may_say_that_checks_pass(message).then_some(PASSED);
        // Each is looked for in every line.
        let texts: BTreeSet<_> = texts.chain(passed).collect();
        let files = claim.assertions.iter().filter_map(|it| match &it.says {
            Says::Read { file } => Some(file.as_str()),
            _ => None,
        });
        Self {
            texts: texts.into_iter().map(str::to_owned).collect(),
            files: files.collect(),
        }
    }
}
