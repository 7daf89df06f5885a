use attest_claim::{Certainty, Claim, Entry, Form, Meaning, Operation, Reading, Status, Target};

use super::*;
use crate::Finding;
use crate::path_finding::tests::Seen;
use crate::weigh;

fn claim(status: Status) -> Claim {
    Claim {
        form: Form::Lines,
        says_what_was_done: false,
        review: None,
        study: None,
        others: None,
        unwritten: None,
        status: Some(status),
        entries: vec![Entry {
            raw: "ghost.py".into(),
            operation: Operation::Changed,
            meaning: Meaning::Paths(vec![Reading {
                target: Target::File("ghost.py".into()),
                certainty: Certainty::Certain,
            }]),
            remark: None,
            title: None,
        }],
        blockers: None,
        assertions: Vec::new(),
        ran_tests: None,
        raw: String::new(),
    }
}

/// Whether a claim of a file that is gone is a false DONE.
fn is_false(status: Status) -> bool {
    let nothing = Seen(&[]);
    weigh(&claim(status), Vec::new(), Strict::default(), &nothing).is_false_done()
}

fn enforcing() -> Policy {
    Policy {
        enforce: true,
        ..Policy::default()
    }
}

#[test]
fn scope_is_without_regard_to_case() {
    let scoped = Policy {
        agents: Some(["explore".to_owned()].into()),
        ..enforcing()
    };
    assert_eq!(may_send_back(&scoped, Some("EXPLORE"), true), Ok(()));
}

#[test]
fn strict_dirty_trusts_a_dirty_start() {
    let strict = "dirty".parse().unwrap();
    let lie = is_false(Status::Done);
    assert_eq!(disproves(strict, Some(lie), true), Ok(()));
}

#[test]
fn strict_words() {
    let strict: Strict = " Untouched , deleted ,".parse().unwrap();
    assert!(strict.untouched && strict.deleted && !strict.dirty && !strict.basename);
    let all: Strict = "all".parse().unwrap();
    assert!(all.untouched && all.deleted && all.dirty && all.basename && all.lost);
    // A denial that is not understood proves nothing unless it is asked for.
    assert!(!all.remarks);
    for both in ["all,remarks", "remarks,all"] {
        assert!(both.parse::<Strict>().unwrap().remarks, "{both}");
    }
    assert!("dirty,typo".parse::<Strict>().is_err());
}

const CODES: [ReasonCode; 16] = [
    ReasonCode::AllowNotEnforcing,
    ReasonCode::AllowAgentNotInScope,
    ReasonCode::AllowNoAgentId,
    ReasonCode::AllowNotFalseDone,
    ReasonCode::AllowDeltaUnreliable,
    ReasonCode::AllowAmbiguous,
    ReasonCode::AllowSubagentAtWork,
    ReasonCode::AllowDisputed,
    ReasonCode::AllowRetryCap,
    ReasonCode::AllowSessionCeiling,
    ReasonCode::AllowStopHookActive,
    ReasonCode::AllowAlreadySent,
    ReasonCode::AllowCounterNotDurable,
    ReasonCode::AllowDeadline,
    ReasonCode::BlockFalseDone,
    ReasonCode::BlockGate,
];

#[test]
fn log_and_json_name_a_code_alike() {
    for code in CODES {
        assert_eq!(serde_json::to_value(code).unwrap(), code.to_string());
    }
}

#[test]
fn the_name_of_a_code_says_whether_it_is_a_block() {
    for code in CODES {
        let name = code.to_string();
        assert_eq!(code.is_block(), name.starts_with("BLOCK_"), "{name}");
        assert_eq!(!code.is_block(), name.starts_with("ALLOW_"), "{name}");
    }
}

#[test]
fn each_code_has_a_meaning_of_its_own() {
    let meanings = BTreeSet::from(CODES.map(ReasonCode::meaning));
    assert_eq!(meanings.len(), CODES.len());
    assert!(meanings.iter().all(|meaning| meaning.contains(' ')));
}

#[test]
fn each_proof_counts_only_where_it_is_wanted() {
    let all = [
        Finding::Changed,
        Finding::LandedElsewhere,
        Finding::Present,
        Finding::Unresolvable,
        Finding::Untouched,
        Finding::NotDeleted,
        Finding::Absent,
    ];
    for (words, proofs) in [
        ("", &[Finding::Absent][..]),
        ("dirty, basename", &[Finding::Absent]),
        ("untouched", &[Finding::Untouched, Finding::Absent]),
        ("deleted", &[Finding::NotDeleted, Finding::Absent]),
        (
            "all",
            &[Finding::Untouched, Finding::NotDeleted, Finding::Absent],
        ),
    ] {
        let strict: Strict = words.parse().unwrap();
        let proven: Vec<_> = all.into_iter().filter(|f| f.disproves(strict)).collect();
        assert_eq!(proven, proofs, "{words:?}");
    }
}
