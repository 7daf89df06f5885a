//! What witnesses were asked and say in the end, each text read once for all files that it is asked about.

use std::cell::OnceCell;

use attest_claim::{Named, TakingBack, parse};
use attest_verdict::SaidGone;

use super::alike::is_same;

/// A prompt, and what it says of files, once somebody asks.
pub(super) struct Asked {
    text: String,
    named: OnceCell<Named>,
    taking_back: OnceCell<TakingBack>,
}

impl Asked {
    pub(super) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            named: OnceCell::new(),
            taking_back: OnceCell::new(),
        }
    }

    /// Its bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether it names the file, or a folder above it.
    pub(super) fn names(&self, name: &str) -> bool {
        self.named.get_or_init(|| Named::of(&self.text)).has(name)
    }

    /// Whether it may ask to take back what was done to the file.
    pub(super) fn may_take_back(&self, name: &str) -> bool {
        let taking_back = || TakingBack::of(&self.text);
        self.taking_back.get_or_init(taking_back).may_be_of(name)
    }
}

/// A report, and what it says of files, once somebody asks.
pub(super) struct Said {
    text: String,
    claimed: OnceCell<Vec<String>>,
    gone: OnceCell<SaidGone>,
    taking_back: OnceCell<TakingBack>,
}

impl Said {
    pub(super) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            claimed: OnceCell::new(),
            gone: OnceCell::new(),
            taking_back: OnceCell::new(),
        }
    }

    /// Whether it names the file among those that the agent worked on, or says that it is gone or was taken back.
    pub(super) fn answers_for(&self, name: &str) -> bool {
        let claimed = || parse(&self.text).names();
        let taking_back = || TakingBack::of(&self.text);
        let mut claimed = self.claimed.get_or_init(claimed).iter();
        claimed.any(|claimed| is_same(claimed, name))
            || self
                .gone
                .get_or_init(|| SaidGone::of(&self.text))
                .is_of(name)
            || self.taking_back.get_or_init(taking_back).may_be_of(name)
    }
}
