use std::fs;
use std::rc::Rc;

use attest_snapshot::Budget;
use attest_snapshot::{PathEvidence, RepoPath};
use attest_transcript::{Session, Whose};
use attest_verdict::{
    EvidenceSource, Policy, Report, Side, Source, StopInput, Tools, Unmet, conclude, weigh,
};

use super::*;

/// A work tree in which nothing is or was.
struct Nothing;

impl EvidenceSource for Nothing {
    fn name(&self, text: &str) -> String {
        text.to_owned()
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        PathEvidence::Absent(RepoPath::from_git(text.as_bytes()).unwrap())
    }

    fn exact_evidence_for(&self, _: &str) -> Option<PathEvidence> {
        None
    }

    fn has_folder(&self, _: &str) -> bool {
        true
    }

    fn differed_at_start(&self, _: &str) -> bool {
        false
    }
}

/// The tools of an agent that called none, and ended with this message.
fn no_calls(message: &str) -> Tools {
    let line = serde_json::json!({"type": "assistant", "message": {
        "content": [{"type": "text", "text": message}]}});
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), format!("{line}\n")).unwrap();
    let budget = Budget::default();
    let forms = attest_host::hosts::usual().profile().transcripts;
    let session = Session::read(file.path(), forms, &budget, &mut |_| Whose::Own);
    Tools {
        tool_calls: session.unwrap().tool_calls,
        names: [].into(),
        lost: [].into(),
        warns: true,
        may_write: true,
    }
}

/// A stop in a tree that was dirty, with a criterion that is not met.
fn stop(message: &str) -> StopInput {
    let claim = attest_claim::parse(message);
    let verdict = weigh(&claim, Vec::new(), "".parse().unwrap(), &Nothing);
    let side = Side {
        taken_at: 1,
        head: None,
        branch: None,
        differing: 1,
        of_hosts: 0,
    };
    let compared = Compared {
        repository: "/repo/.git".into(),
        start: side.clone(),
        stop: side,
        verdict,
    };
    let report = Report {
        agent_type: None,
        has_agent_id: true,
        is_main: false,
        message: message.into(),
        source: Source::Payload,
        claim,
        told: Rc::default(),
    };
    StopInput {
        tools: Some(no_calls(message)),
        asked: vec![Unmet {
            name: "a.md".into(),
            why: "it is not on disk".into(),
            is_of_prompt: true,
        }],
        ..StopInput::of(report, Evidence::Compared(Box::new(compared)))
    }
}

fn said(input: StopInput, policy: &Policy) -> Vec<String> {
    let lines = of(&conclude(input, policy).checked(None, policy), "a\n1").into_iter();
    let texts = lines.map(|(_, text)| {
        text.strip_prefix("attest: stop: a\\u{a}1: ")
            .map(str::to_owned)
    });
    texts.map(Option::unwrap).collect()
}

const LIE: &str = "Status: DONE\nFiles changed: ghost.py";
const UNMET: &str = "CRITERIA not met: of the prompt: a.md (it is not on disk)";
const ADVICE: &str =
    "ADVICE: the report says that work is done, and the agent made no tool call at all";

#[test]
fn all_that_is_said_of_a_claim_has_one_order() {
    let claimed = "CLAIMED [ghost.py] OBSERVED [(none)] -> MISMATCH: ghost.py \
                   claimed-but-unchanged (would block in enforce mode) \
                   [source=payload]";
    let warning = "WARNING: the work tree had uncommitted changes at the start";
    let tools = "TOOLS: \"ghost.py\": no tool call touched it, the file is not on disk";
    assert_eq!(
        said(stop(LIE), &Policy::default()),
        [UNMET, claimed, warning, tools, ADVICE]
    );
}

#[test]
fn a_block_that_is_refused_says_why() {
    let enforcing = Policy {
        enforce: true,
        ..Policy::default()
    };
    let said = said(stop(LIE), &enforcing);
    assert_eq!(
        said[1],
        "detected false DONE but NOT blocking (decision=ALLOW_AMBIGUOUS)"
    );
}

#[test]
fn a_report_without_a_claim_has_the_same_order() {
    let input = StopInput {
        evidence: Evidence::NoClaim,
        ..stop("I fixed it.")
    };
    let none = "claim source=none — cannot verify (never treating as false DONE)";
    assert_eq!(said(input, &Policy::default()), [UNMET, none, ADVICE]);
}

#[test]
fn a_stop_that_could_not_be_read_says_nothing() {
    let input = StopInput {
        evidence: Evidence::Failed("why".into()),
        ..stop(LIE)
    };
    assert_eq!(said(input, &Policy::default()), [""; 0]);
}
