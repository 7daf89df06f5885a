//! What gates decide about a stop, and what follows if there are several.

use attest_evidence::Printable;

/// What is between two reasons for the same thing.
const BETWEEN: &str = "\n\n";

/// What a gate makes of a stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Decision {
    /// It has nothing against it.
    #[default]
    Continue,
    /// The agent is to go back to work.
    Revise {
        /// What it is told.
        reason: Reason,
    },
    /// The agent is to end, whatever other hooks of the host would have it do.
    Finalize {
        /// What the person is told.
        reason: Option<Reason>,
    },
}

impl Decision {
    /// What both come to, if this gate comes before the other one. A revision outweighs everything, whatever
    /// the order, and of two equal decisions all reasons stay.
    #[must_use]
    pub fn then(self, lower: Self) -> Self {
        match (self, lower) {
            (Self::Revise { reason }, Self::Revise { reason: lower }) => Self::Revise {
                reason: reason.and(lower),
            },
            (Self::Finalize { reason: first }, Self::Finalize { reason: lower }) => {
                Self::Finalize {
                    reason: match (first, lower) {
                        (Some(first), Some(lower)) => Some(first.and(lower)),
                        (first, lower) => first.or(lower),
                    },
                }
            }
            (revise @ Self::Revise { .. }, _) | (_, revise @ Self::Revise { .. }) => revise,
            (Self::Continue, decision) | (decision, Self::Continue) => decision,
        }
    }

    /// The word for it, which gates use too.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Revise { .. } => "revise",
            Self::Finalize { .. } => "finalize",
        }
    }

    /// Why, if it says.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Continue => None,
            Self::Revise { reason } => Some(reason),
            Self::Finalize { reason } => reason.as_ref(),
        }
    }

    /// Whether the agent is to go back to work.
    #[must_use]
    pub const fn is_revise(&self) -> bool {
        matches!(self, Self::Revise { .. })
    }
}

/// What somebody is told. It says something: there is no blank one.
///
/// Several are kept apart until they are shown, so that none is told twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(Vec<Printable>);

impl Reason {
    /// `None` if the text is blank.
    #[must_use]
    pub fn new(text: Printable) -> Option<Self> {
        (!text.trim().is_empty()).then(|| Self(vec![text]))
    }

    fn and(mut self, lower: Self) -> Self {
        for text in lower.0 {
            if !self.0.contains(&text) {
                self.0.push(text);
            }
        }
        self
    }

    /// All of it, with a blank line between one reason and the next.
    #[must_use]
    pub fn text(&self) -> Printable {
        let texts: Vec<&str> = self.0.iter().map(|text| &**text).collect();
        Printable::new(&texts.join(BETWEEN))
    }
}

/// What one command that a person named as a gate said of a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAnswer {
    /// What the gate is called.
    pub gate: String,
    /// Its decision, or why it has none.
    pub decision: Result<Decision, NoAnswer>,
}

/// Why a gate has no decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    /// In words.
    pub why: String,
    /// Whether it was still at work when its time was over.
    pub is_late: bool,
}

impl GateAnswer {
    /// Whether it was still at work when its time was over.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(&self.decision, Err(none) if none.is_late)
    }
}

#[cfg(test)]
mod tests;
