//! The finding for one claimed path.

use attest_claim::{Entry, Meaning, Operation, Target};
use attest_snapshot::{RepoPath, Sighting, Touch};
use serde::{Deserialize, Serialize};

use crate::Strict;

/// What is known of one claimed path. Only the last three can ever count against a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Finding {
    /// It changed in the agent's work tree.
    Changed,
    /// The work is in a commit, a stash or another work tree.
    LandedElsewhere,
    /// There is no change, and nothing more can be proven.
    Present,
    /// No path can be read from the entry.
    Unresolvable,
    /// It is on the disk, and it was not written since the start.
    Untouched,
    /// It was claimed as deleted, and it is there as it was.
    NotDeleted,
    /// It is not there, never was, and nobody worked on it.
    Absent,
}

/// A claimed path with its finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathFinding {
    /// The path as the agent wrote it, cleaned.
    pub claimed: String,
    /// The finding.
    pub finding: Finding,
    /// What the finding rests on, where the finding alone does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What the agent's tools say of the path, where a transcript tells. It explains the finding
    /// and never makes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub testimony: Option<String>,
    /// The paths of the delta that the entry accounts for.
    #[serde(skip)]
    pub accounts_for: Vec<RepoPath>,
}

/// Judges one entry: the best of its readings wins, so it is absent only if all of them are.
pub(crate) fn find(
    entry: &Entry,
    strict: Strict,
    name: &impl Fn(&str) -> String,
    sight: &impl Fn(&str) -> Sighting,
) -> PathFinding {
    let targets = match &entry.meaning {
        Meaning::Paths(targets) => targets,
        Meaning::Unresolvable(why) => {
            return PathFinding {
                claimed: entry.raw.clone(),
                finding: Finding::Unresolvable,
                why: Some(why.to_string()),
                testimony: None,
                accounts_for: Vec::new(),
            };
        }
    };
    let mut best: Option<PathFinding> = None;
    for target in targets {
        let found = find_target(target, entry.operation, strict, name, sight);
        if is_joined(target, &targets[0]) && is_doubt(&found) {
            continue;
        }
        let is_better = best
            .as_ref()
            .is_none_or(|best| merit(found.finding) > merit(best.finding));
        if is_better {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|b| b.finding == Finding::Changed) {
            break;
        }
    }
    let mut best = best.unwrap_or_else(|| present(&entry.raw, "no reading"));
    // An alternative reading explains the finding; the report names what the agent meant first.
    if let (Some(first), Finding::Absent) = (targets.first(), best.finding) {
        best.claimed = text_of(first, name);
    }
    best
}

/// Whether the reading takes a whole list for one name, "/tmp/notes, ghost.py". It is tried in case
/// a file is called that; that such a file cannot be ruled out somewhere is no doubt worth having.
fn is_joined(target: &Target, first: &Target) -> bool {
    let (Target::File(whole) | Target::Dir(whole)) = target else {
        return false;
    };
    let (Target::File(part) | Target::Dir(part)) = first else {
        return false;
    };
    let rest = whole.split_once(part.as_str());
    rest.is_some_and(|(before, after)| {
        [before, after].iter().any(|side| {
            side.contains([',', ';']) || side.starts_with(" and ") || side.ends_with(" and ")
        })
    })
}

/// Nothing is there, and only that proves nothing.
fn is_doubt(found: &PathFinding) -> bool {
    found.finding == Finding::Present && found.why.is_some() && found.accounts_for.is_empty()
}

/// Findings in the order in which they speak for the agent.
fn merit(finding: Finding) -> u8 {
    match finding {
        Finding::Absent => 0,
        Finding::NotDeleted => 1,
        Finding::Unresolvable => 2,
        Finding::Present => 3,
        Finding::Untouched => 4,
        Finding::LandedElsewhere => 5,
        Finding::Changed => 6,
    }
}

fn find_target(
    target: &Target,
    operation: Operation,
    strict: Strict,
    name: &impl Fn(&str) -> String,
    sight: &impl Fn(&str) -> Sighting,
) -> PathFinding {
    match target {
        Target::File(text) => of_sighting(&name(text), operation, strict, sight(text)),
        Target::Dir(text) => never_absent(
            of_sighting(&name(text), operation, strict, sight(text)),
            "a folder proves nothing",
        ),
        Target::Rename { from, to } => {
            let mut new = of_sighting(&name(to), Operation::Changed, strict, sight(to));
            let old = of_sighting(&name(from), Operation::Deleted, strict, sight(from));
            new.accounts_for.extend(old.accounts_for);
            if merit(old.finding) > merit(new.finding) {
                new.finding = old.finding;
            }
            new.claimed = text_of(target, name);
            never_absent(new, "a rename proves nothing")
        }
    }
}

fn of_sighting(
    text: &str,
    operation: Operation,
    strict: Strict,
    sighting: Sighting,
) -> PathFinding {
    let is_deletion = operation == Operation::Deleted;
    match sighting {
        Sighting::Changed { path, .. } => PathFinding {
            accounts_for: vec![path],
            ..plain(text, Finding::Changed)
        },
        Sighting::Landed(_) => plain(text, Finding::LandedElsewhere),
        Sighting::OnDisk { .. } if is_deletion => plain(text, Finding::NotDeleted),
        Sighting::OnDisk { touch, .. } => match touch {
            Touch::Untouched => plain(text, Finding::Untouched),
            Touch::Possible => plain(text, Finding::Present),
        },
        Sighting::Unproven(doubt) => present(text, &doubt.to_string()),
        _ if is_deletion => present(text, "not there, as claimed"),
        Sighting::Namesake {
            changed, is_suffix, ..
        } if is_suffix || !strict.basename => PathFinding {
            accounts_for: vec![changed.clone()],
            ..present(text, &format!("{changed} of the same name changed"))
        },
        Sighting::Namesake { .. } | Sighting::Gone(_) => plain(text, Finding::Absent),
    }
}

fn never_absent(found: PathFinding, why: &str) -> PathFinding {
    match found.finding {
        Finding::Absent | Finding::Untouched => PathFinding {
            finding: Finding::Present,
            why: Some(why.to_owned()),
            ..found
        },
        _ => found,
    }
}

fn plain(text: &str, finding: Finding) -> PathFinding {
    PathFinding {
        claimed: text.to_owned(),
        finding,
        why: None,
        testimony: None,
        accounts_for: Vec::new(),
    }
}

fn present(text: &str, why: &str) -> PathFinding {
    PathFinding {
        why: Some(why.to_owned()),
        ..plain(text, Finding::Present)
    }
}

fn text_of(target: &Target, name: &impl Fn(&str) -> String) -> String {
    match target {
        Target::File(text) | Target::Dir(text) => name(text),
        Target::Rename { from, to } => format!("{} -> {}", name(from), name(to)),
    }
}

#[cfg(test)]
mod tests;
