//! From a claim and what was seen of its paths to a verdict.

mod whose;

use std::collections::{BTreeMap, BTreeSet};

use attest_claim::{Claim, Kind, Status};
use attest_evidence::{Change, EvidenceSource, RepoPath};

use crate::claim_finding::RestsOn;
use crate::facts::{Earlier, Facts, Since, Unseen};
use crate::namesakes::find_apart;
use crate::{ClaimFinding, Doubt, Finding, Outcome, Strict, TakenBack, Whereabouts, path_finding};
use crate::{may_write, quoted_command};

pub(crate) use whose::asked_text;

/// Everything that one stop showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The claimed status.
    pub status: Option<Status>,
    /// One finding per claimed path, sorted by path, and behind them those of the other kinds of claims.
    pub findings: Vec<ClaimFinding>,
    /// What changed in the work tree, sorted by path.
    pub observed: Vec<(RepoPath, Change)>,
    /// Of that, what no claimed path accounts for.
    pub unclaimed: Vec<RepoPath>,
    /// The findings that disprove a DONE, as indices into `findings`.
    proofs: Vec<usize>,
    /// What may disprove it beside what always does.
    strict: Strict,
    /// Whether it has no status and says all the same what was done to its files.
    is_told_without_status: bool,
}

/// Weighs a claim by what is known of its paths. `observed` is what changed, sorted by path.
pub fn weigh(
    claim: &Claim,
    observed: Vec<(RepoPath, Change)>,
    strict: Strict,
    evidence: &dyn EvidenceSource,
) -> Verdict {
    let mut findings: Vec<_> = claim
        .entries
        .iter()
        .map(|entry| path_finding::find(entry, strict, evidence))
        .collect();
    find_apart(&claim.entries, &mut findings, strict, evidence);
    // A path that is claimed twice is one claim, and the best that is known of it counts.
    findings.sort_by(|a, b| {
        a.claimed
            .cmp(&b.claimed)
            .then(b.finding.rank().cmp(&a.finding.rank()))
    });
    findings.dedup_by(|worse, best| {
        let is_same = worse.claimed == best.claimed;
        if is_same {
            best.accounts_for.append(&mut worse.accounts_for);
            best.is_plain &= worse.is_plain;
            best.may_say_gone |= worse.may_say_gone;
            best.is_deletion &= worse.is_deletion;
        }
        is_same
    });
    let accounted: BTreeSet<_> = findings.iter().flat_map(|f| &f.accounts_for).collect();
    let folders: Vec<_> = findings.iter().filter(|found| found.is_folder()).collect();
    let is_claimed = |path: &RepoPath| {
        accounted.contains(path) || folders.iter().any(|folder| folder.is_folder_above(path))
    };
    let paths = observed.iter().map(|(path, _)| path);
    let unclaimed = paths.filter(|path| !is_claimed(path)).cloned().collect();
    let mut verdict = Verdict {
        status: claim.status.filter(|_| claim.is_claim()),
        findings,
        observed,
        unclaimed,
        proofs: Vec::new(),
        strict,
        is_told_without_status: claim.says_what_was_done
            && matches!(claim.status, None | Some(Status::DoneWithConcerns)),
    };
    verdict.find_proofs();
    verdict
}

/// Weighs a claim by what a start shows, and takes away the proofs for which there is an excuse: a place that a call of
/// the agent names, work that was done before this start, a command that still runs.
pub(crate) fn weigh_since(
    claim: &Claim,
    strict: Strict,
    since: &mut dyn Since,
    facts: &dyn Facts,
) -> Result<Verdict, Unseen> {
    let is_contradicted = |verdict: &Verdict| verdict.contradictions().next().is_some();
    let mut verdict = weigh_with_calls(claim, strict, since);
    if !is_contradicted(&verdict) {
        return Ok(verdict);
    }
    let is_whole = facts.since_earlier(&mut |whose, earlier| {
        let earlier = weigh_with_calls(claim, strict, earlier);
        match whose {
            Earlier::Own => verdict.excuse(&earlier),
            Earlier::OfAnother => {
                verdict.doubt(|found| earlier.holds(found).then_some(Doubt::EarlierAgent));
            }
        }
        is_contradicted(&verdict)
    })?;
    if !is_whole {
        // What is not there, nobody has made.
        verdict.doubt(|found| (found.finding != Finding::Absent).then_some(Doubt::PerhapsOthers));
    }
    verdict.doubt(|found| {
        let is_made_again =
            found.finding == Finding::StillThere && facts.others_at_work() != Some(0);
        is_made_again.then_some(Doubt::OthersAtWork)
    });
    let running = facts.running();
    if !running.is_empty() {
        verdict.doubt(|found| {
            let mut commands = running.iter();
            let command = commands.find(|command| may_write(command, &found.claimed))?;
            Some(Doubt::Background(quoted_command(command)))
        });
    }
    verdict.doubt(|found| {
        let is_absent = found.finding == Finding::Absent;
        let before = is_absent.then(|| since.paths().check_before(&found.claimed));
        before?.err().map(Doubt::Seen)
    });
    if let Some(title) = &claim.review
        && is_contradicted(&verdict)
        && !whose::has_called_a_writer(facts)
    {
        verdict.doubt(|_| Some(Doubt::Review(title.clone())));
    }
    if is_contradicted(&verdict)
        && let Some(doubt) = whose::of_others(claim, facts)
    {
        verdict.doubt(|_| Some(doubt.clone()));
    }
    let of_others = claim.study.clone().map(Doubt::Study);
    let of_others = of_others.or_else(|| claim.unwritten.clone().map(Doubt::NothingWritten));
    if let Some(doubt) = of_others
        && is_contradicted(&verdict)
    {
        let own = whose::beside_own_work(claim, &verdict, since.paths(), facts);
        verdict.doubt(|found| (!own.contains(&found.claimed)).then(|| doubt.clone()));
    }
    Ok(verdict)
}

/// Weighs a claim by what a start shows, and by the agent's calls where that is not enough: reading them costs.
fn weigh_with_calls(claim: &Claim, strict: Strict, since: &mut dyn Since) -> Verdict {
    let weighed = |since: &dyn Since| {
        let mut verdict = weigh(claim, since.changes(), strict, since.paths());
        verdict.is_told_without_status |= claim.study.is_some();
        verdict
    };
    let verdict = weighed(&*since);
    if verdict.contradictions().next().is_none() && !since.has_left_out() {
        return verdict;
    }
    since.add_calls();
    weighed(&*since)
}

impl Verdict {
    /// A DONE that at least one finding disproves.
    #[must_use]
    pub fn is_false_done(&self) -> bool {
        !self.proofs.is_empty()
    }

    /// The findings that disprove it.
    pub fn proofs(&self) -> impl Iterator<Item = &ClaimFinding> {
        self.proofs.iter().map(|index| &self.findings[*index])
    }

    /// Whether a claimed file was written in another work tree.
    #[must_use]
    pub fn has_another_tree(&self) -> bool {
        let mut files = self.findings.iter();
        files.any(|found| found.rests_on == RestsOn::AnotherTree)
    }

    /// Every finding, and whether it is one of those.
    pub fn weighed(&self) -> impl Iterator<Item = (&ClaimFinding, bool)> {
        let findings = self.findings.iter().enumerate();
        findings.map(|(index, found)| (found, self.proofs.binary_search(&index).is_ok()))
    }

    /// The gravest thing that it shows, as the field's tools rank it. Never
    /// [`Outcome::Blocked`], which is a decision.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.is_false_done() {
            Outcome::Mismatch
        } else if self
            .unchanged()
            .chain(self.contradictions())
            .next()
            .is_some()
        {
            Outcome::Warn
        } else if !self.unclaimed.is_empty() {
            Outcome::ScopeCreep
        } else {
            Outcome::Ok
        }
    }

    /// The findings that stand against a DONE, whether or not they may count as proof; without one those against a
    /// list of files of which it says what was done to them.
    pub fn contradictions(&self) -> impl Iterator<Item = &ClaimFinding> {
        let findings = self.findings.iter();
        findings.filter(|found| self.counts(found) && found.finding.contradicts())
    }

    /// Whether the report says that the thing was done: with a DONE, or as a list of files does.
    pub(crate) fn counts(&self, found: &ClaimFinding) -> bool {
        self.status == Some(Status::Done)
            || self.is_told_without_status && matches!(found.kind, Kind::Files | Kind::Content)
    }

    /// Takes the proof away from the findings that `doubt` doubts, among those that stand against a DONE.
    pub(crate) fn doubt(&mut self, doubt: impl Fn(&ClaimFinding) -> Option<Doubt>) {
        for found in &mut self.findings {
            if found.finding.contradicts()
                && let Some(why) = doubt(found)
            {
                found.doubt(why);
            }
        }
        self.find_proofs();
    }

    /// Puts what is known of the whereabouts of claimed paths that are not on disk in the place of their findings.
    pub(crate) fn locate(&mut self, known: &BTreeMap<String, Whereabouts>) {
        for found in self.findings.iter_mut().filter(|it| it.is_missing()) {
            if let Some(known) = known.get(&found.claimed) {
                found.locate(known.clone());
            }
        }
        let findings = &self.findings;
        self.unclaimed
            .retain(|path| !findings.iter().any(|it| it.accounts_for.contains(path)));
        self.find_proofs();
    }

    /// Takes the proof from what was there and is not, where the report itself says so.
    pub(crate) fn believe_of_lost(&mut self, is_said: impl Fn(&str) -> bool) {
        let lost =
            |found: &&mut ClaimFinding| found.finding == Finding::Lost && found.doubt.is_none();
        for found in self.findings.iter_mut().filter(lost) {
            found.doubt = is_said(&found.claimed).then_some(Doubt::SaidGone);
        }
        self.find_proofs();
    }

    /// What was there and is not, whether or not it may count as proof, and what was taken back.
    pub fn lost(&self) -> impl Iterator<Item = &ClaimFinding> {
        let findings = self.findings.iter();
        findings.filter(|found| found.finding.tells_what_became())
    }

    /// Puts what the agent took back itself in the place of the findings that only say that it is there.
    pub(crate) fn take_back(&mut self, known: &BTreeMap<String, TakenBack>) {
        for found in &mut self.findings {
            if let Some(taken) = known.get(&found.claimed) {
                found.finding = Finding::TakenBack;
                found.why = Some(taken.to_string());
            }
        }
    }

    /// Puts what an earlier start shows in the place of the findings that stand against a DONE, where that speaks for
    /// the agent: what was done before this start was done all the same.
    pub(crate) fn excuse(&mut self, earlier: &Self) {
        let better = |found: &ClaimFinding| {
            let mut others = earlier.findings.iter();
            let other = others.find(|other| other.claimed == found.claimed)?;
            (!other.finding.contradicts()).then(|| other.clone())
        };
        for found in &mut self.findings {
            if found.finding.contradicts()
                && let Some(better) = better(found)
            {
                *found = better;
            }
        }
        self.find_proofs();
    }

    /// Whether what is claimed there holds here.
    fn holds(&self, found: &ClaimFinding) -> bool {
        let mut own = self.findings.iter();
        own.any(|own| own.claimed == found.claimed && own.finding.holds())
    }

    /// Adds what was found of the claims that are not about files, in the order of their kinds.
    pub fn add(&mut self, mut found: Vec<ClaimFinding>) {
        found.sort_by(|a, b| (a.kind, &a.claimed).cmp(&(b.kind, &b.claimed)));
        found.dedup();
        self.findings.append(&mut found);
        self.find_proofs();
    }

    /// Finds out again which findings disprove the claim.
    fn find_proofs(&mut self) {
        let is_done = self.status == Some(Status::Done);
        let findings = self.findings.iter().enumerate();
        let proofs = findings.filter(|(_, found)| is_done && found.disproves(self.strict));
        self.proofs = proofs.map(|(index, _)| index).collect();
    }

    /// Adds to every path for which no work was seen what the agent's tools say of it.
    pub(crate) fn testify(&mut self, testimony: impl Fn(&str) -> Option<String>) {
        for found in &mut self.findings {
            if found.is_unchanged() && !found.finding.tells_what_became() {
                found.testimony = testimony(&found.claimed);
            }
        }
    }

    /// The claimed paths for which no work was seen.
    pub fn unchanged(&self) -> impl Iterator<Item = &ClaimFinding> {
        self.findings.iter().filter(|found| found.is_unchanged())
    }
}

#[cfg(test)]
mod tests;
