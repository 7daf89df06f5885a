use std::fs;
use std::rc::Rc;

use attest_evidence::Budget;
use attest_evidence::Printable;
use attest_transcript::forms::ClaudeCode;
use attest_transcript::{Session, Whose};

use super::*;
use crate::ReasonCode as Code;
use crate::path_finding::tests::Seen;
use crate::{NoAnswer, Report, Side, Source, Strict, Tools, Unchecked, weigh};

const LIE: &str = "Status: DONE\nFiles changed: ghost.py";
/// It claims no file.
const TRUTH: &str = "Status: DONE";

/// A repository without a commit and without changes.
pub(crate) fn clean_side() -> Side {
    Side {
        taken_at: 1,
        head: None,
        branch: None,
        differing: 0,
        of_hosts: 0,
    }
}

/// A stop with this message, of an agent with an id, in a tree in which nothing is or was.
fn stop(message: &str) -> StopInput {
    let claim = attest_claim::parse(message);
    let side = clean_side();
    let compared = Compared {
        repository: "/repo/.git".into(),
        start: side.clone(),
        stop: side,
        verdict: weigh(&claim, Vec::new(), Strict::default(), &Seen(&[])),
    };
    let report = Report {
        agent_type: Some("Explore".into()),
        has_agent_id: true,
        is_main: false,
        message: message.into(),
        source: Source::Payload,
        claim,
        told: Rc::default(),
    };
    StopInput::of(report, Evidence::Compared(Box::new(compared)))
}

fn with_evidence(evidence: Evidence) -> StopInput {
    StopInput {
        evidence,
        ..stop(LIE)
    }
}

fn without_id(mut input: StopInput) -> StopInput {
    input.report.has_agent_id = false;
    input
}

fn dirty(mut input: StopInput) -> StopInput {
    if let Evidence::Compared(compared) = &mut input.evidence {
        compared.start.differing = 1;
    }
    input
}

fn waiting(input: StopInput) -> StopInput {
    StopInput {
        has_subagent_at_work: true,
        ..input
    }
}

fn enforcing() -> Policy {
    Policy {
        enforce: true,
        ..Policy::default()
    }
}

fn for_others() -> Policy {
    Policy {
        agents: Some(["plan".to_owned()].into()),
        ..enforcing()
    }
}

fn unmet() -> Criteria {
    Criteria::Unmet(vec![Unmet {
        name: "tests".into(),
        why: "status 1".into(),
        is_of_prompt: false,
    }])
}

/// What the tools did, with a write of a file of which nothing is left, and the report as its end.
fn tools(message: &str, path: &str) -> Tools {
    let lines = [
        serde_json::json!({"type": "assistant", "timestamp": "2026-01-01T12:01:02Z", "message": {
            "content": [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": path}}]}}),
        serde_json::json!({"type": "user", "timestamp": "2026-01-01T12:01:03Z", "message": {
            "content": [{"type": "tool_result", "tool_use_id": "t"}]}}),
        serde_json::json!({"type": "assistant", "message": {
            "content": [{"type": "text", "text": message}]}}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n") + "\n";
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let budget = Budget::default();
    let session = Session::read(file.path(), &[&ClaudeCode], &budget, &mut |_| Whose::Own);
    let tool_calls = session.unwrap().tool_calls;
    Tools {
        tool_calls,
        names: [(path.to_owned(), "ghost.py".to_owned())].into(),
        lost: [(path.to_owned(), None)].into(),
        warns: true,
        may_write: true,
    }
}

/// What an agent is sent back with.
fn told_with(decision: &Decision) -> String {
    assert!(decision.is_revise(), "{decision:?}");
    decision.reason().unwrap().text().to_string()
}

fn says(gate: &str, decision: Decision) -> GateAnswer {
    GateAnswer {
        gate: gate.into(),
        decision: Ok(decision),
    }
}

fn revise(text: &str) -> Decision {
    Decision::Revise {
        reason: Reason::new(Printable::new(text)).unwrap(),
    }
}

/// The table in docs/DESIGN.md, as far as it needs no counter.
#[test]
fn every_row_lets_the_agent_stop_but_the_last() {
    let no_id = without_id(stop(LIE));
    let (honest, why) = ("Status: BLOCKED\nFiles changed: ghost.py", "gone");
    let unreadable = with_evidence(Evidence::Unreadable(why.into()));
    let failed = with_evidence(Evidence::Failed(why.into()));
    let strict = Policy {
        strict: "dirty".parse().unwrap(),
        ..enforcing()
    };
    let rows = [
        (Policy::default(), stop(LIE), Code::AllowNotEnforcing),
        (for_others(), stop(LIE), Code::AllowAgentNotInScope),
        (enforcing(), no_id, Code::AllowNoAgentId),
        (enforcing(), stop(honest), Code::AllowNotFalseDone),
        (enforcing(), stop("Status: DONE"), Code::AllowNotFalseDone),
        (
            enforcing(),
            with_evidence(Evidence::NoSnapshot),
            Code::AllowNotFalseDone,
        ),
        (
            enforcing(),
            with_evidence(Evidence::NoClaim),
            Code::AllowNotFalseDone,
        ),
        (enforcing(), unreadable, Code::AllowDeltaUnreliable),
        (enforcing(), failed, Code::AllowDeltaUnreliable),
        (enforcing(), dirty(stop(LIE)), Code::AllowAmbiguous),
        (strict, dirty(stop(LIE)), Code::BlockFalseDone),
        (enforcing(), waiting(stop(LIE)), Code::AllowSubagentAtWork),
        (enforcing(), stop(LIE), Code::BlockFalseDone),
    ];
    for (policy, input, reason) in rows {
        let text = format!("{policy:?} {input:?}");
        let outcome = conclude(input, &policy);
        assert_eq!(outcome.reason, reason, "{text}");
        assert_eq!(outcome.is_block(), reason == Code::BlockFalseDone, "{text}");
        assert_eq!(
            outcome.word() == Outcome::Blocked,
            outcome.is_block(),
            "{text}"
        );
    }
}

#[test]
fn the_first_row_that_applies_decides() {
    let mut policy = Policy {
        enforce: false,
        ..for_others()
    };
    let mut input = without_id(dirty(stop(LIE)));
    let reason = |input: &StopInput, policy: &Policy| conclude(input.clone(), policy).reason;
    assert_eq!(reason(&input, &policy), ReasonCode::AllowNotEnforcing);
    policy.enforce = true;
    assert_eq!(reason(&input, &policy), ReasonCode::AllowAgentNotInScope);
    policy.agents = Some(["explore".to_owned()].into());
    assert_eq!(reason(&input, &policy), ReasonCode::AllowNoAgentId);
    input.report.has_agent_id = true;
    assert_eq!(reason(&input, &policy), ReasonCode::AllowAmbiguous);
    policy.strict.dirty = true;
    assert_eq!(reason(&input, &policy), ReasonCode::BlockFalseDone);
}

/// The rows that a counter or the clock decides.
#[test]
fn a_block_that_is_refused_lets_the_agent_stop() {
    for reason in [
        ReasonCode::AllowDeadline,
        ReasonCode::AllowDisputed,
        ReasonCode::AllowRetryCap,
        ReasonCode::AllowSessionCeiling,
        ReasonCode::AllowStopHookActive,
        ReasonCode::AllowAlreadySent,
        ReasonCode::AllowCounterNotDurable,
    ] {
        let outcome = conclude(stop(LIE), &enforcing()).refused(reason);
        assert_eq!(outcome.reason, reason);
        assert!(!outcome.is_block());
        assert_eq!(outcome.is_end(), reason != ReasonCode::AllowAlreadySent);
        assert_eq!(outcome.word(), Outcome::Mismatch);
        let told = outcome.told().unwrap();
        // Of an agent that a person called honest nobody is told.
        let is_told = told.iter().any(|line| line.starts_with("\"ghost.py\": "));
        assert_eq!(is_told, reason != ReasonCode::AllowDisputed, "{told:?}");
    }
}

#[test]
fn detect_mode_knows_what_enforcement_would_do() {
    let would = |input, policy: &Policy| conclude(input, policy).if_enforced;
    let off = Policy::default();
    assert_eq!(would(stop(LIE), &off), Ok(()));
    // What turns it on has a dirty start count as a clean one; who has it on otherwise has said so.
    assert_eq!(would(dirty(stop(LIE)), &off), Ok(()));
    let lenient = would(dirty(stop(LIE)), &enforcing());
    assert_eq!(lenient, Err(ReasonCode::AllowAmbiguous));
}

#[test]
fn the_block_says_who_else_was_there() {
    let block = |others_at_work| {
        let input = StopInput {
            others_at_work,
            ..stop(LIE)
        };
        told_with(&conclude(input, &enforcing()).decision)
    };
    assert!(block(0).contains("\"ghost.py\"") && !block(0).contains("Other agents"));
    assert!(block(2).contains("Other agents"));
}

#[test]
fn a_gate_may_send_back_whom_the_verdict_would_let_go() {
    let honest = || conclude(stop("Status: DONE"), &enforcing());
    let outcome = honest().heard(says("lint", revise("run the linter")));
    assert_eq!(outcome.reason, ReasonCode::BlockGate);
    assert_eq!(told_with(&outcome.decision), "run the linter");
    assert_eq!(
        (outcome.word(), outcome.is_end()),
        (Outcome::SentBack, false)
    );
    let let_go = outcome.refused(ReasonCode::AllowRetryCap);
    let told = vec!["gate \"lint\": \"run the linter\"".to_owned()];
    assert_eq!(let_go.word(), Outcome::Ok);
    assert_eq!(let_go.told(), Some(told));

    let silent = honest()
        .heard(says("lint", Decision::Continue))
        .heard(GateAnswer {
            gate: "broken".into(),
            decision: Err(NoAnswer {
                why: "timed out".into(),
                is_late: true,
            }),
        });
    assert_eq!(silent.reason, ReasonCode::AllowNotFalseDone);
    assert_eq!(
        (silent.decision.clone(), silent.told()),
        (Decision::Continue, Some(vec![]))
    );
    assert!(silent.is_end());
    // What no report is to blame for is for the person alone.
    let late = "the gate \"broken\" gave no answer in time, so it has no say (GATE_LATE)";
    assert_eq!(silent.remarks(), [late]);
    assert_eq!(honest().remarks(), [""; 0]);
}

#[test]
fn the_verdict_comes_before_the_gates_and_none_takes_it_back() {
    let lie = conclude(stop(LIE), &enforcing());
    let alone = told_with(&lie.decision);
    let end = Decision::Finalize { reason: None };
    let outcome = lie
        .heard(says("end", end.clone()))
        .heard(says("lint", revise("run the linter")));
    assert_eq!(outcome.reason, ReasonCode::BlockFalseDone);
    assert_eq!(
        told_with(&outcome.decision),
        format!("{alone}\n\nrun the linter")
    );
    let honest = conclude(stop("Status: DONE"), &enforcing()).heard(says("end", end.clone()));
    assert_eq!(
        (honest.decision, honest.reason),
        (end, ReasonCode::AllowNotFalseDone)
    );
}

#[test]
fn a_gate_sends_nobody_back_whom_the_person_did_not_mean() {
    let no_id = without_id(stop("Status: DONE"));
    for (policy, input, reason) in [
        (
            Policy::default(),
            stop("Status: DONE"),
            Code::AllowNotEnforcing,
        ),
        (
            for_others(),
            stop("Status: DONE"),
            Code::AllowAgentNotInScope,
        ),
        (enforcing(), no_id, Code::AllowNoAgentId),
        (
            enforcing(),
            waiting(stop("Status: DONE")),
            Code::AllowSubagentAtWork,
        ),
    ] {
        let outcome = conclude(input, &policy).heard(says("lint", revise("more")));
        assert_eq!(
            (outcome.reason, outcome.decision),
            (reason, Decision::Continue)
        );
    }
}

/// Only a gate that asks for something is refused; the reason of the others stays that of the report.
#[test]
fn a_gate_that_asks_for_nothing_changes_no_reason() {
    let end = Decision::Finalize { reason: None };
    for answer in [Decision::Continue, end] {
        let waits = conclude(waiting(stop("Status: DONE")), &enforcing());
        let outcome = waits.heard(says("lint", answer));
        assert_eq!(outcome.reason, Code::AllowNotFalseDone);
    }
}

#[test]
fn each_kind_of_evidence_has_its_word() {
    let why = String::new;
    for (evidence, word) in [
        (Evidence::NoSnapshot, Outcome::NoSnapshot),
        (Evidence::NoClaim, Outcome::NoClaim),
        (Evidence::Unreadable(why()), Outcome::Unverifiable),
        (Evidence::Failed(why()), Outcome::Unverifiable),
    ] {
        let outcome = conclude(with_evidence(evidence), &enforcing());
        assert_eq!(outcome.word(), word);
        assert_eq!(outcome.told(), None, "{word}: nothing was checked");
    }
    let verified = conclude(stop("Status: DONE"), &enforcing());
    assert_eq!(verified.told(), Some(Vec::new()));
}

/// With `ATTEST_ENFORCE=1` and `ATTEST_CHECK=block`.
fn sending_back() -> Policy {
    Policy {
        criteria_send_back: true,
        ..enforcing()
    }
}

#[test]
fn criteria_send_a_done_back_only_if_that_is_wanted() {
    let judged = |message: &str, policy: &Policy| {
        conclude(stop(message), policy).checked(Some(unmet()), policy)
    };
    let sent = judged("Status: DONE", &sending_back());
    assert!(told_with(&sent.decision).contains("- \"tests\": status 1\n"));
    assert_eq!(
        (sent.reason, sent.word()),
        (ReasonCode::BlockGate, Outcome::SentBack)
    );
    let told = Some(vec!["criterion \"tests\": status 1".to_owned()]);
    let lenient = judged("Status: DONE", &enforcing());
    assert_eq!((lenient.is_block(), lenient.told()), (false, told));
    for status in ["BLOCKED", "DONE_WITH_CONCERNS", "NEEDS_CONTEXT"] {
        let text = format!("Status: {status}\nFiles changed: none");
        let open = judged(&text, &sending_back());
        assert_eq!((open.is_block(), open.told()), (false, Some(Vec::new())));
    }
    let unsaid = judged("Files changed: none", &sending_back());
    assert!(!unsaid.is_block(), "it does not say that it is done");
}

/// As any gate they need leave to send back, and a dirty start takes none away.
#[test]
fn criteria_are_a_gate() {
    let detecting = Policy {
        enforce: false,
        ..sending_back()
    };
    let judged = conclude(stop(TRUTH), &detecting).checked(Some(unmet()), &detecting);
    assert_eq!(
        (judged.reason, judged.is_block()),
        (ReasonCode::AllowNotEnforcing, false)
    );
    let policy = sending_back();
    let judged = conclude(dirty(stop(TRUTH)), &policy).checked(Some(unmet()), &policy);
    assert_eq!(judged.reason, ReasonCode::BlockGate);
    let judged = conclude(stop(LIE), &policy)
        .checked(Some(unmet()), &policy)
        .heard(says("lint", revise("run the linter")));
    assert_eq!(judged.reason, ReasonCode::BlockFalseDone);
    let text = told_with(&judged.decision);
    let parts: Vec<_> = text.split("\n\n").collect();
    assert_eq!(parts.len(), 3, "{text}");
    for (part, words) in parts
        .iter()
        .zip(["ghost.py", "criteria of .attest", "linter"])
    {
        assert!(part.contains(words), "{text}");
    }
}

#[test]
fn what_the_prompt_asks_for_is_told_as_its_own() {
    let asked = Unmet {
        name: "a.py contains \"x\"".into(),
        why: "the file does not contain it".into(),
        is_of_prompt: true,
    };
    let input = StopInput {
        asked: vec![asked],
        ..stop("Status: DONE")
    };
    let policy = sending_back();
    let judged = conclude(input, &policy).checked(Some(unmet()), &policy);
    let of_prompt = r#""a.py contains \"x\"": the file does not contain it"#;
    let told = [
        r#"criterion "tests": status 1"#.to_owned(),
        format!("criterion of the prompt {of_prompt}"),
    ];
    assert_eq!(judged.told().unwrap(), told);
    let expected = format!(
        "attest: the report says Status: DONE, but criteria of .attest/criteria.yaml are not met:\n\
         - \"tests\": status 1\n\
         and criteria of the prompt (\"Done when:\") are not met:\n\
         - {of_prompt}\n\
         Make the missing change"
    );
    let sent = told_with(&judged.decision);
    assert!(sent.starts_with(&expected), "{sent}");
}

#[test]
fn what_the_tools_say_explains_a_finding_and_is_told_once() {
    let mut input = StopInput {
        tools: Some(tools(LIE, "/repo/ghost.py")),
        ..stop(LIE)
    };
    let outcome = conclude(input.clone(), &Policy::default());
    let found = &outcome.compared().unwrap().verdict.findings[0];
    let testimony = found.testimony.as_deref().unwrap();
    assert_eq!(testimony, "Write reported success at 12:01:03");
    assert_eq!(outcome.warnings, [], "the finding is about the same path");
    assert_eq!(outcome.told().unwrap().len(), 1, "{:?}", outcome.told());
    input.tools = input.tools.map(|tools| Tools {
        warns: false,
        may_write: true,
        ..tools
    });
    let outcome = conclude(input, &Policy::default());
    assert_eq!(outcome.warnings, []);
    assert!(outcome.told().unwrap()[0].contains("Write reported success"));
}

#[test]
fn a_write_that_was_lost_hides_no_finding_about_another_path() {
    let mut tools = tools(LIE, "/repo/other.py");
    tools.names = [("/repo/other.py".to_owned(), "other.py".to_owned())].into();
    let input = StopInput {
        tools: Some(tools),
        ..stop(LIE)
    };
    let told = conclude(input, &Policy::default()).told().unwrap();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("\"ghost.py\": "), "{told:?}");
    assert!(told[1].starts_with("\"other.py\" was written"), "{told:?}");
}

#[test]
fn tools_never_make_or_take_a_block() {
    let tools = Some(tools(LIE, "/repo/ghost.py"));
    for input in [stop(LIE), stop("Status: DONE"), dirty(stop(LIE))] {
        let without = conclude(input.clone(), &enforcing());
        let with = StopInput {
            tools: tools.clone(),
            ..input
        };
        assert_eq!(conclude(with, &enforcing()).reason, without.reason);
    }
}

/// While the last calls may be missing, no more is said than an error of the host.
#[test]
fn a_transcript_that_lacks_its_end_warns_of_nothing() {
    let input = StopInput {
        tools: Some(tools("something else", "/repo/ghost.py")),
        ..stop(LIE)
    };
    assert_eq!(conclude(input, &Policy::default()).warnings, []);
}

#[test]
fn reports_have_one_word_for_each_thing() {
    assert_eq!(Source::Payload.as_str(), "payload");
    assert_eq!(Source::Transcript.as_str(), "transcript");
    for outcome in [Outcome::Ok, Outcome::Mismatch, Outcome::NoSnapshot] {
        let word = outcome.to_string();
        assert_eq!(word.parse(), Ok(outcome), "{word}");
        assert!(format!("{outcome:>30}").ends_with(&format!(" {word}")));
    }
}

/// A DONE that was not checked against its criteria is let through, and the person hears why; an agent that says it is
/// not done had nothing to be checked against.
#[test]
fn criteria_that_were_not_checked_are_a_remark_with_what_mends_it() {
    let command = "attest trust /r/.attest/criteria.yaml".to_owned();
    let with = |text: &str, why: Unchecked| {
        let policy = sending_back();
        conclude(stop(text), &policy).checked(Some(Criteria::NotChecked(why)), &policy)
    };
    let outcome = with(TRUTH, Unchecked::Untrusted { command });
    assert_eq!(outcome.reason, ReasonCode::AllowNotFalseDone);
    assert_eq!(outcome.told(), Some(vec![]));
    let remark = "completion criteria were not run: the criteria file is not trusted \
        (CRITERIA_UNTRUSTED); `attest trust /r/.attest/criteria.yaml` allows its commands";
    assert_eq!(outcome.remarks(), [remark]);
    let open = TRUTH.replace("DONE", "BLOCKED");
    assert_eq!(with(&open, Unchecked::Changed).remarks(), [""; 0]);
}

/// The reason of a gate that ends the agent is kept only where the agent does end.
#[test]
fn what_a_gate_says_to_the_end_is_kept() {
    let end = |text: &str| Decision::Finalize {
        reason: Reason::new(Printable::new(text)),
    };
    let honest = || conclude(stop(TRUTH), &enforcing());
    let outcome = honest()
        .heard(says("end", end("enough")))
        .heard(says("quiet", end("")));
    assert_eq!(outcome.endings(), ["gate \"end\": \"enough\""]);
    let goes_on = honest()
        .heard(says("end", end("enough")))
        .heard(says("lint", revise("no")));
    assert_eq!(goes_on.endings(), [""; 0]);
}
