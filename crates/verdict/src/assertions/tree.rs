//! Whether the work tree is as clean, and the work as committed, as it is said to be.

use attest_claim::{Assertion, Claim, Kind, Named, Says};
use attest_evidence::{RepoPath, ends_in, escaped};
use attest_shell::Place;
use attest_shell::text::is_one_of;
use attest_transcript::{ToolCalls, Written};

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding, quoted};

/// Words of a sentence by which a file that it names is none of what was committed.
const LEFT: &str = "uncommitted unstaged untracked left leave leaving remain remains except excluding excluded besides apart \
    only modified not aside";

/// What was not committed when the agent began is not the agent's, and what others write is not either: only what the
/// report claims counts, and what a call of the agent wrote by its name.
pub(super) fn find(assertion: &Assertion, claim: &Claim, sources: Sources<'_>) -> ClaimFinding {
    let (raw, says) = (&assertion.raw, assertion.says.to_string());
    // Of "yes" nobody could tell what it is an answer to.
    let is_answer = raw.to_ascii_lowercase().contains("yes");
    let claimed = if is_answer { &says } else { raw };
    let found = |finding| ClaimFinding::of_kind(Kind::Tree, claimed, finding);
    let doubted = |doubt| found(Finding::NotJudged).with_doubt(doubt);
    let uncommitted = sources.repository.uncommitted();
    if uncommitted.is_empty() {
        return if sources.has_another_tree {
            doubted(Doubt::AnotherTree)
        } else if let Some(path) = sources.repository.left_before() {
            doubted(Doubt::DirtyBefore(path))
        } else {
            found(Finding::TreeClean)
        };
    }
    if !sources.is_alone {
        return doubted(Doubt::OthersAtWork);
    }
    let own = own(&uncommitted, claim, sources);
    let Some(first) = own.first() else {
        return doubted(match sources.transcript.calls() {
            Some(_) => Doubt::PerhapsOthers,
            None => Doubt::NoTranscript,
        });
    };
    found(Finding::TreeDirty).because(left(first, own.len()))
}

/// Those that the report claims, or that a call of the agent wrote by its name.
fn own<'p>(paths: &'p [RepoPath], claim: &Claim, sources: Sources<'_>) -> Vec<&'p RepoPath> {
    let (claimed, calls) = (claim.names(), sources.transcript.calls());
    let is_own = |path: &&RepoPath| {
        let name = escaped(path.as_bytes());
        claimed.iter().any(|file| is_end(&name, file))
            || calls.is_some_and(|calls| writes(calls, &name))
    };
    paths.iter().filter(is_own).collect()
}

/// That claimed files are not committed which are said to be. Of all else that a report may leave out nothing is said.
pub(super) fn uncommitted(
    assertion: &Assertion,
    claim: &Claim,
    sources: Sources<'_>,
) -> Option<ClaimFinding> {
    let (uncommitted, claimed) = (sources.repository.uncommitted(), claim.names());
    let is_claimed = |path: &&RepoPath| {
        let name = escaped(path.as_bytes());
        claimed.iter().any(|file| is_end(file, &name))
    };
    let left_out: Vec<_> = uncommitted.iter().filter(is_claimed).collect();
    let first = left_out.first().filter(|_| sources.is_alone)?;
    let says = assertion.says.to_string();
    let found = |finding| ClaimFinding::of_kind(Kind::Tree, &says, finding);
    if assertion.says == Says::Pushed {
        match sources.transcript.calls() {
            None => return Some(found(Finding::NotJudged).with_doubt(Doubt::NoTranscript)),
            // It may be on a server, and in no commit here.
            Some(calls) if calls.may_have_sent() => return None,
            Some(_) => {}
        }
    }
    let found = found(Finding::TreeDirty);
    Some(found.because(left(first, left_out.len())))
}

/// The same of what only a sentence says, and of the whole tree. "The changes are committed" may be said of some: it is
/// untrue if nothing is. What was committed and differs again others may have changed since.
pub(super) fn untrue(
    assertion: &Assertion,
    claim: &Claim,
    sources: Sources<'_>,
) -> Option<ClaimFinding> {
    let repository = sources.repository;
    let lower = assertion.raw.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    let is_of_all =
        assertion.says == Says::CleanTree || words.any(|word| matches!(word, "all" | "everything"));
    let mut uncommitted = repository.uncommitted();
    let is_untrue = is_of_all || repository.changed().len() == uncommitted.len();
    if uncommitted.is_empty() || !is_untrue || !sources.is_alone || sources.has_another_tree {
        return None;
    }
    // By the API of a server, it is in no commit here.
    let calls = sources.transcript.calls();
    if assertion.says == Says::Committed && calls.is_some_and(ToolCalls::may_have_sent) {
        return None;
    }
    uncommitted.retain(|path| !repository.may_be_committed(path));
    let left_out = said_to_be_left(sources.message);
    uncommitted.retain(|path| !left_out.has(&escaped(path.as_bytes())));
    let own = own(&uncommitted, claim, sources);
    let found = ClaimFinding::of_kind(Kind::Tree, &assertion.raw, Finding::TreeDirty);
    own.first()
        .map(|first| found.because(left(first, own.len())))
}

/// The files that a message itself says to be left: "I left `src/b.py` uncommitted, as you asked."
fn said_to_be_left(message: &str) -> Named {
    let mut named = Named::default();
    let sentences = message.lines().flat_map(|line| line.split(". "));
    let is_left = |text: &&str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| is_one_of(LEFT, &word.to_lowercase()))
    };
    for sentence in sentences.filter(is_left) {
        named.add(sentence);
    }
    named
}

fn left(first: &RepoPath, count: usize) -> String {
    let name = quoted(&escaped(first.as_bytes()));
    match count {
        1 => format!("{name} changed and is not committed"),
        count => format!("{count} paths changed and are not committed, such as {name}"),
    }
}

/// Whether a call writes the file by its name.
fn writes(calls: &ToolCalls, name: &str) -> bool {
    let written = calls.written();
    written.found().iter().any(|written| match written {
        Written::File(path) => is_end(path, name),
        Written::Place(Place::Exact(path) | Place::Moved { to: path, .. }) => {
            is_end(path, name) || is_end(name, path)
        }
        Written::Elsewhere(_) | Written::Place(_) => false,
    })
}

/// Whether a path is this file, or ends in it.
fn is_end(path: &str, file: &str) -> bool {
    ends_in(path, file.trim_start_matches("./"))
}
