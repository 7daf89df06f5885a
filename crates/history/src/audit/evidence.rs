//! What is known today of the paths in one report.

use std::path::PathBuf;

use attest_claim::{Claim, Meaning, Target};
use attest_snapshot::{ChangedElsewhere, Doubt, LookingBack, Meanings, PathEvidence};
use attest_verdict::EvidenceSource;

use super::read::Session;
use super::touched::Touched;

/// What is known of the paths in the reports of a session.
pub(super) struct Today<'a> {
    pub(super) back: &'a LookingBack,
    pub(super) touched: &'a Touched,
    pub(super) session: &'a Session,
}

impl Today<'_> {
    fn meanings(&self, text: &str) -> Meanings {
        self.back.meanings(text, &self.session.about.folders)
    }

    /// The paths of a claim that have to be searched for: those of which nothing is known without.
    pub(super) fn unknown(&self, claim: &Claim) -> Vec<Meanings> {
        let meanings = texts(claim).map(|text| self.meanings(text));
        let is_unknown = |meanings: &Meanings| {
            self.back.place(meanings).is_none() && !self.touched.has(meanings, self.session)
        };
        meanings.filter(is_unknown).collect()
    }

    /// Why it proves nothing that this is not found.
    fn doubt_about(&self, meanings: &Meanings) -> Option<Doubt> {
        let mut folders = meanings.folders().peekable();
        let is_alone = folders.peek().is_none();
        let is_around = |folder: &str| self.session.around.contains(folder);
        if is_around("") || is_alone && is_around(".") || folders.any(is_around) {
            let why = "a command may have written in a folder above it, or beside one";
            return Some(Doubt::UnknownPlace(why.to_owned()));
        }
        self.session.doubt.clone()
    }
}

/// That an agent was seen to write it.
fn written(text: &str) -> PathEvidence {
    PathEvidence::ChangedElsewhere(ChangedElsewhere::Written(PathBuf::from(text)))
}

/// All that a claim may name.
fn texts(claim: &Claim) -> impl Iterator<Item = &str> {
    let readings = claim
        .entries
        .iter()
        .filter_map(|entry| match &entry.meaning {
            Meaning::Paths(readings) => Some(readings),
            Meaning::Unresolvable(_) => None,
        });
    readings
        .flatten()
        .flat_map(|reading| match &reading.target {
            Target::File(text) | Target::Dir(text) => vec![text.as_str()],
            Target::Rename { from, to } => vec![from.as_str(), to.as_str()],
        })
}

impl EvidenceSource for Today<'_> {
    fn name(&self, text: &str) -> String {
        let is_folder = text.ends_with(['/', '\\']);
        let end = if is_folder { "/" } else { "" };
        let name = self.meanings(text).name().map(|name| name + end);
        name.unwrap_or_else(|| text.to_owned())
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        let meanings = self.meanings(text);
        if self.touched.has(&meanings, self.session) {
            return written(text);
        }
        let seen = self.back.evidence(&meanings);
        if !matches!(seen, PathEvidence::Absent(_)) {
            return seen;
        }
        self.doubt_about(&meanings)
            .map_or(seen, PathEvidence::Inconclusive)
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        let meanings = self.meanings(text);
        if self.touched.has_exactly(&meanings) {
            return Some(written(text));
        }
        self.back.seen(&meanings)
    }

    fn has_folder(&self, text: &str) -> bool {
        self.back.has_folder(text, &self.session.about.folders)
    }

    // Nobody noted what the work tree was.
    fn differed_at_start(&self, _: &str) -> bool {
        false
    }
}
