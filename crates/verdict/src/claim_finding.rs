//! One claimed thing with what was found of it.

use attest_claim::Kind;
use attest_evidence::RepoPath;
use serde::Serialize;

use crate::{Doubt, Finding, Strict, Whereabouts};

/// A claimed thing with its finding, of whatever kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimFinding {
    /// What the claim is about.
    #[serde(skip_serializing_if = "is_of_files")]
    pub kind: Kind,
    /// What is claimed, as the agent wrote it: of a path, the path, cleaned.
    pub claimed: String,
    /// The finding.
    pub finding: Finding,
    /// What the finding rests on, where the finding alone does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Why it proves nothing, if there is a doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// What the agent's tools say of the path, where a transcript tells. It explains the finding
    /// and never makes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub testimony: Option<String>,
    /// The paths of the delta that the claim accounts for.
    #[serde(skip)]
    pub accounts_for: Vec<RepoPath>,
    /// Whether it is of a file that is said to be there, in words that say nothing of content that is not.
    #[serde(skip)]
    pub(crate) is_plain: bool,
    /// Whether words beside it, or above it, may say that it is not there any more.
    #[serde(skip)]
    pub(crate) may_say_gone: bool,
    /// Whether it is of a file that is said to be gone.
    #[serde(skip)]
    pub(crate) is_deletion: bool,
    /// What it rests on that it does not say.
    #[serde(skip)]
    pub(crate) rests_on: RestsOn,
}

/// What a finding of a path rests on that it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RestsOn {
    /// Nothing more.
    #[default]
    Itself,
    /// What changed is that it is gone.
    Deletion,
    /// It was written in another work tree.
    AnotherTree,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_of_files(kind: &Kind) -> bool {
    *kind == Kind::Files
}

impl ClaimFinding {
    /// The finding for a claimed path.
    pub(crate) fn of(claimed: &str, finding: Finding) -> Self {
        Self::of_kind(Kind::Files, claimed, finding)
    }

    /// The finding for something that is claimed.
    pub(crate) fn of_kind(kind: Kind, claimed: &str, finding: Finding) -> Self {
        Self {
            kind,
            claimed: claimed.to_owned(),
            finding,
            why: None,
            doubt: None,
            testimony: None,
            accounts_for: Vec::new(),
            is_plain: false,
            may_say_gone: false,
            is_deletion: false,
            rests_on: RestsOn::Itself,
        }
    }

    /// A finding for a path that proves nothing because of a doubt.
    pub(crate) fn doubted(claimed: &str, finding: Finding, doubt: Doubt) -> Self {
        Self::of(claimed, finding).with_doubt(doubt)
    }

    /// The same with a doubt as what it rests on.
    pub(crate) fn with_doubt(self, doubt: Doubt) -> Self {
        Self {
            why: Some(doubt.to_string()),
            doubt: Some(doubt),
            ..self
        }
    }

    /// The same with what it rests on.
    pub(crate) fn because(self, why: String) -> Self {
        Self {
            why: Some(why),
            ..self
        }
    }

    /// Whether what changed is that it is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.rests_on == RestsOn::Deletion
    }

    /// Whether anything is there, or is known to be somewhere.
    pub(crate) fn is_there(&self) -> bool {
        let is_found = self.finding.holds() && !self.is_gone();
        is_found || matches!(self.finding, Finding::Present | Finding::Untouched)
    }

    /// Says that it is missing, which proves nothing.
    pub(crate) fn miss(&mut self, doubt: Doubt) {
        self.finding = Finding::Unproven;
        self.why = Some(doubt.to_string());
        self.doubt = Some(doubt);
        self.rests_on = RestsOn::Itself;
    }

    /// Takes the proof away, and says why. The words of the report say more than that a text may not be a path.
    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        self.finding = match self.finding {
            Finding::Absent => Finding::Unproven,
            Finding::Untouched | Finding::NotDeleted | Finding::StillThere => Finding::Present,
            finding if self.doubt.as_ref().is_some_and(Doubt::is_of_the_text) => finding,
            _ => return,
        };
        self.why = Some(doubt.to_string());
        self.doubt = Some(doubt);
    }

    /// Whether it disproves a DONE. What is absent or lost may be in doubt, and is told all the same.
    pub(crate) fn disproves(&self, strict: Strict) -> bool {
        let may_be_doubted = matches!(self.finding, Finding::Absent | Finding::Lost);
        self.finding.disproves(strict) && !(may_be_doubted && self.doubt.is_some())
    }

    /// Whether it is of a path that is claimed to be there and is not on disk.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.kind == Kind::Files
            && !self.is_deletion
            && match self.finding {
                Finding::Absent => true,
                Finding::Unproven => self.doubt.as_ref().is_some_and(Doubt::leaves_a_file),
                _ => false,
            }
    }

    /// Puts what is known of the whereabouts in the place of the finding.
    pub(crate) fn locate(&mut self, known: Whereabouts) {
        match known {
            Whereabouts::Lost(lost) => {
                self.finding = Finding::Lost;
                self.why = Some(lost.to_string());
                self.doubt = if self.may_say_gone {
                    Some(Doubt::SaidGone)
                } else {
                    lost.doubt
                };
            }
            Whereabouts::Moved { to, path } => {
                self.finding = Finding::LandedElsewhere;
                self.why = Some(to);
                self.doubt = None;
                self.accounts_for.extend(path);
            }
            Whereabouts::Doubted(
                doubt @ (Doubt::Temporary | Doubt::SaidGone | Doubt::PerhapsMoved(_)),
            ) => self.doubt(doubt),
            Whereabouts::Doubted(doubt) if self.finding == Finding::Absent => {
                self.why = Some(doubt.to_string());
                self.doubt = Some(doubt);
            }
            Whereabouts::Doubted(_) => {}
        }
    }

    /// Whether a transcript may tell what could not be judged without one.
    #[must_use]
    pub fn asks_for_transcript(&self) -> bool {
        self.doubt == Some(Doubt::NoTranscript)
    }

    /// Whether it is a claimed path for which no work was seen.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.kind == Kind::Files && self.finding.shows_no_change() && self.accounts_for.is_empty()
    }

    /// Whether a folder is claimed, which accounts for everything in it.
    pub(crate) fn is_folder(&self) -> bool {
        self.kind == Kind::Files && self.claimed.ends_with('/')
    }

    /// Whether this folder has the path in it.
    pub(crate) fn is_folder_above(&self, path: &RepoPath) -> bool {
        let folder = self.claimed.trim_start_matches("./").as_bytes();
        self.is_folder() && path.as_bytes().starts_with(folder)
    }
}
