//! How the finding for one claimed path is made.

mod goal;

use attest_claim::{
    Certainty, Entry, Meaning, Operation, Reading, Remark, Sense, Target, Unresolvable,
};
use attest_evidence::{
    Change, ChangedElsewhere, EvidenceSource, PathEvidence, Touch, ends_in, fold,
};

use crate::claim_finding::RestsOn;
use crate::{ClaimFinding, Doubt, Finding, Strict, quoted};

/// Judges one entry: the best of its readings wins. A reading that is only likely speaks for the agent or not
/// at all, so the entry is absent only if it has certain readings and all of them are.
pub(crate) fn find(entry: &Entry, strict: Strict, evidence: &dyn EvidenceSource) -> ClaimFinding {
    let readings = match &entry.meaning {
        Meaning::Paths(readings) => readings,
        Meaning::Unresolvable(why) => {
            return ClaimFinding {
                why: Some(why.to_string()),
                ..ClaimFinding::of(&entry.raw, Finding::Unresolvable)
            };
        }
    };
    let mut best: Option<ClaimFinding> = None;
    for reading in readings {
        let found = if is_certain(reading, evidence) {
            Some(find_target(&reading.target, entry, strict, evidence))
        } else {
            find_exactly(&reading.target, entry.operation, strict, evidence)
        };
        let Some(found) = found else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|best| found.finding.rank() > best.finding.rank())
        {
            best = Some(found);
        }
        if best
            .as_ref()
            .is_some_and(|best| best.finding == Finding::Changed)
        {
            break;
        }
    }
    let Some(mut best) = best else {
        return not_found(entry, readings, evidence);
    };
    if best.finding == Finding::StillThere && !entry.says_that_it_is_gone() {
        best.finding = Finding::Changed;
    }
    if let Some(from) = entry.moved_from().filter(|_| best.finding.holds()) {
        best = moved(best, from, strict, evidence);
    }
    if best.is_gone() && says_that_it_is_there(entry) {
        best.miss(attest_evidence::Doubt::KnownAtStart.into());
    }
    if best.finding == Finding::Absent && readings.iter().any(|it| is_several(it, evidence)) {
        best.doubt(attest_evidence::Doubt::Pattern.into());
    }
    let is_kept = best.finding == Finding::Untouched && entry.says_that_it_went();
    if is_kept {
        best.finding = Finding::NotDeleted;
    } else if let Some(doubt) = Doubt::of(entry).filter(|_| !strict.remarks) {
        best.doubt(doubt);
    }
    if entry.is_of_git() && evidence.differed_at_start(&best.claimed) {
        best.doubt(Doubt::ListedBefore);
    }
    let goals = entry.remark.as_ref().filter(|_| best.is_gone());
    let goals = goals.map_or_else(Vec::new, Remark::goals);
    for goal in goals {
        let found = goal::find(goal, &best, strict, evidence);
        best.accounts_for.extend(found.accounts_for.iter().cloned());
        if !found.is_there() {
            return instead(best, found);
        }
    }
    // An alternative reading explains the finding; the report names what the agent meant first.
    if let (Some(Target::File(first)), Finding::Absent | Finding::Unproven) = (
        readings.first().map(|reading| &reading.target),
        best.finding,
    ) {
        best.claimed = evidence.name(first);
    }
    best.is_plain = is_plain(entry, readings);
    best.may_say_gone = !entry.says_that_content_is_there();
    best.is_deletion = entry.operation == Operation::Deleted;
    best
}

/// Whether the entry is of a file that is said to be there, in words by which it is not empty.
fn is_plain(entry: &Entry, readings: &[Reading]) -> bool {
    let is_file = |reading: &Reading| matches!(reading.target, Target::File(_));
    entry.operation != Operation::Deleted
        && readings.iter().all(is_file)
        && entry.says_that_some_is_there()
}

/// Whether the file cannot be gone by what is said of it: "new", "M src/a.py", "fixed the date picker". A list that says
/// only what changed may be of what was deleted.
fn says_that_it_is_there(entry: &Entry) -> bool {
    let work = entry.remark.as_ref().map(|remark| remark.sense);
    let is_told = matches!(work, Some(Sense::Work(Operation::Changed))) || entry.is_of_git();
    let is_changed = entry.operation == Operation::Changed && is_told;
    (entry.operation == Operation::Created || is_changed) && entry.says_that_content_is_there()
}

/// Whether it may be several names that are written as one, all of them of files that changed.
fn is_several(reading: &Reading, evidence: &dyn EvidenceSource) -> bool {
    matches!(&reading.target, Target::File(text) if evidence.names_several(text))
}

fn is_certain(reading: &Reading, evidence: &dyn EvidenceSource) -> bool {
    match (reading.certainty, &reading.target) {
        (Certainty::Certain, _) => true,
        (Certainty::Folder, Target::File(text) | Target::Dir(text)) => has_place(text, evidence),
        (Certainty::Folder, Target::Rename { from, to }) => {
            has_place(from, evidence) && has_place(to, evidence)
        }
        (Certainty::Likely, _) => false,
    }
}

/// Whether the folders that the text names are there, so that it may be a path: "api/orders/refund" is a
/// route if there is no folder `api/orders`. A name with a dot is that of a file, wherever it stands.
fn has_place(text: &str, evidence: &dyn EvidenceSource) -> bool {
    let parts = text.trim_end_matches(['/', '\\']).rsplit_once(['/', '\\']);
    let deep = parts.filter(|(folder, name)| folder.contains(['/', '\\']) && !name.contains('.'));
    evidence.has_folder(text)
        && deep.is_none_or(|(folder, _)| evidence.exact_evidence_for(folder).is_some())
}

/// No reading is certain, and none was found. A word that has nothing of a path is not even missing.
fn not_found(entry: &Entry, readings: &[Reading], evidence: &dyn EvidenceSource) -> ClaimFinding {
    let doubt = Doubt::of(entry).unwrap_or(Doubt::NotAPath);
    match readings.first().map(|reading| &reading.target) {
        // It lies in no work tree of the repository.
        Some(Target::File(text) | Target::Dir(text)) if text.starts_with("~/") => ClaimFinding {
            why: Some(Unresolvable::HomeOrVariable.to_string()),
            ..ClaimFinding::of(&entry.raw, Finding::Unresolvable)
        },
        Some(target @ (Target::File(text) | Target::Dir(text)))
            if text.contains(['.', '/', '\\']) =>
        {
            missing(&text_of(target, evidence), doubt)
        }
        _ => ClaimFinding::doubted(&entry.raw, Finding::Unresolvable, Doubt::NotAPath),
    }
}

/// What a reading that is only likely has to say for the agent.
fn find_exactly(
    target: &Target,
    operation: Operation,
    strict: Strict,
    evidence: &dyn EvidenceSource,
) -> Option<ClaimFinding> {
    let found = |text: &str| {
        let seen = evidence.exact_evidence_for(text)?;
        let found = of_evidence(&evidence.name(text), operation, strict, seen);
        // That it is there and was not written says nothing of a text that may not be a path.
        Some(match found.finding {
            Finding::Untouched | Finding::NotDeleted => {
                unchanged(&found.claimed, Doubt::PerhapsNoPath)
            }
            _ => found,
        })
    };
    match target {
        Target::File(text) | Target::Dir(text) => found(text),
        Target::Rename { from, to } => match (found(to), found(from)) {
            (Some(mut new), Some(old)) => {
                new.accounts_for.extend(old.accounts_for);
                Some(new)
            }
            (new, old) => new.or(old),
        },
    }
}

fn find_target(
    target: &Target,
    entry: &Entry,
    strict: Strict,
    evidence: &dyn EvidenceSource,
) -> ClaimFinding {
    let find = |text: &str, operation| {
        of_evidence(
            &evidence.name(text),
            operation,
            strict,
            evidence.evidence_for(text),
        )
    };
    match target {
        Target::File(text) => find(text, entry.operation),
        Target::Dir(text) => find_folder(text, find(text, entry.operation)),
        Target::Rename { from, to } => {
            let mut new = find(to, Operation::Created);
            if new.is_gone() {
                new.miss(attest_evidence::Doubt::KnownAtStart.into());
            }
            let old = find(from, Operation::Deleted);
            new.accounts_for.extend(old.accounts_for.iter().cloned());
            let is_kept = matches!(old.finding, Finding::NotDeleted | Finding::StillThere);
            // That the old name is gone does not make the new one, and a file of which there is a copy has not moved.
            let is_copy = is_left_behind(&old, &new.claimed);
            match new.finding {
                finding if finding.holds() && is_copy => {
                    if entry.says_that_it_moved() {
                        return instead(new, old);
                    }
                    // An arrow need not say that it moved.
                    new.finding = Finding::Present;
                    new.why = Some(format!("{} is there as it was", quoted(&old.claimed)));
                }
                Finding::Absent => return new,
                Finding::Unproven => {}
                finding if finding.holds() && is_kept => return new,
                finding if old.finding.rank() > finding.rank() => new.finding = old.finding,
                _ => {}
            }
            new.claimed = text_of(target, evidence);
            new
        }
    }
}

/// What is found of a file that is said to have had another name before.
fn moved(
    mut new: ClaimFinding,
    from: &str,
    strict: Strict,
    evidence: &dyn EvidenceSource,
) -> ClaimFinding {
    let seen = evidence.evidence_for(from);
    let old = of_evidence(&evidence.name(from), Operation::Deleted, strict, seen);
    new.accounts_for.extend(old.accounts_for.iter().cloned());
    if is_left_behind(&old, &new.claimed) {
        instead(new, old)
    } else {
        new
    }
}

/// Whether the old name of a file that is said to have moved is there as it was. Where the case of names does not count,
/// both may be the same.
fn is_left_behind(old: &ClaimFinding, new: &str) -> bool {
    old.finding == Finding::NotDeleted && !old.claimed.eq_ignore_ascii_case(new)
}

/// The second in the place of the first, for what both account for.
fn instead(first: ClaimFinding, second: ClaimFinding) -> ClaimFinding {
    ClaimFinding {
        accounts_for: first.accounts_for,
        ..second
    }
}

pub(crate) fn of_evidence(
    text: &str,
    operation: Operation,
    strict: Strict,
    seen: PathEvidence,
) -> ClaimFinding {
    let is_deletion = operation == Operation::Deleted;
    match seen {
        PathEvidence::Changed { path, change } => {
            let finding = match change {
                Change::Written if is_deletion => Finding::StillThere,
                _ => Finding::Changed,
            };
            ClaimFinding {
                accounts_for: vec![path],
                rests_on: match change {
                    Change::Deleted => RestsOn::Deletion,
                    Change::Written => RestsOn::Itself,
                },
                ..ClaimFinding::of(text, finding)
            }
        }
        PathEvidence::ChangedElsewhere(place) => ClaimFinding {
            rests_on: match place {
                ChangedElsewhere::Worktree(_) | ChangedElsewhere::Written(_) => {
                    RestsOn::AnotherTree
                }
                ChangedElsewhere::History(_) | ChangedElsewhere::Object(_) => RestsOn::Itself,
            },
            ..ClaimFinding::of(text, Finding::LandedElsewhere)
        },
        PathEvidence::OnDisk {
            touch, namesakes, ..
        } => {
            let is_short = namesakes
                .first()
                .is_some_and(|it| ends_in(&fold(&it.to_string()), &fold(text)));
            let is_excluded = strict.basename && !namesakes.is_empty() && !is_short;
            let is_still = touch == Touch::Untouched || is_excluded;
            match (is_still, is_deletion) {
                (true, true) => ClaimFinding::of(text, Finding::NotDeleted),
                (true, false) => ClaimFinding::of(text, Finding::Untouched),
                (false, _) => ClaimFinding::of(text, Finding::Present),
            }
        }
        // It is told, and no proof.
        PathEvidence::Inconclusive(doubt) if doubt.is_told() && !is_deletion => ClaimFinding {
            finding: Finding::Absent,
            ..missing(text, doubt.into())
        },
        PathEvidence::Inconclusive(doubt) => missing(text, doubt.into()),
        PathEvidence::EndOf { path, touch } if !is_deletion => {
            let finding = match touch {
                Touch::Untouched => Finding::Untouched,
                Touch::Possible => Finding::Present,
            };
            let path = quoted(&path.to_string());
            ClaimFinding::of(text, finding).because(format!("{path} ends in it"))
        }
        _ if is_deletion => missing(text, Doubt::NeverSeen),
        // What is gone cannot be what was made.
        PathEvidence::SameBasename {
            doubt: None,
            is_gone: true,
            ..
        } if operation == Operation::Created => ClaimFinding::of(text, Finding::Absent),
        PathEvidence::SameBasename {
            changed,
            is_suffix,
            doubt,
            ..
        } => match (changed.into_iter().next(), doubt) {
            (Some(changed), _) if is_suffix || !strict.basename => ClaimFinding {
                accounts_for: vec![changed.clone()],
                ..missing(text, Doubt::SameName(changed))
            },
            (_, Some(doubt)) => missing(text, doubt.into()),
            (_, None) => ClaimFinding::of(text, Finding::Absent),
        },
        PathEvidence::EndOf { .. } | PathEvidence::Absent(_) => {
            ClaimFinding::of(text, Finding::Absent)
        }
    }
}

/// A folder that nobody wrote in may hold a file that somebody did, and a word with a slash behind it may be
/// the name of a part of the project.
fn find_folder(text: &str, found: ClaimFinding) -> ClaimFinding {
    let is_single = !text.trim_end_matches(['/', '\\']).contains(['/', '\\']);
    match found.finding {
        Finding::Untouched => unchanged(&found.claimed, Doubt::OlderFolder),
        Finding::Absent if is_single => missing(&found.claimed, Doubt::PerhapsNoFolder),
        _ => found,
    }
}

/// On the disk without a change, which proves nothing.
fn unchanged(text: &str, doubt: Doubt) -> ClaimFinding {
    ClaimFinding::doubted(text, Finding::Present, doubt)
}

/// Not on the disk, which proves nothing.
fn missing(text: &str, doubt: Doubt) -> ClaimFinding {
    ClaimFinding::doubted(text, Finding::Unproven, doubt)
}

fn text_of(target: &Target, evidence: &dyn EvidenceSource) -> String {
    match target {
        Target::File(text) | Target::Dir(text) => evidence.name(text),
        Target::Rename { from, to } => format!("{} -> {}", evidence.name(from), evidence.name(to)),
    }
}

#[cfg(test)]
pub(crate) mod tests;
