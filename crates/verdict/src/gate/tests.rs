use proptest::prelude::*;

use super::*;

fn reason(text: &str) -> Reason {
    Reason::new(Printable::new(text)).unwrap()
}

fn revise(text: &str) -> Decision {
    Decision::Revise {
        reason: reason(text),
    }
}

fn finalize(text: &str) -> Decision {
    let reason = Reason::new(Printable::new(text));
    Decision::Finalize { reason }
}

/// Few texts, so that some are the same.
fn decisions() -> impl Strategy<Value = Decision> {
    let text = prop::sample::select(vec!["a", "b", "a\n\nb", "a ", "c\nd"]);
    prop_oneof![
        Just(Decision::Continue),
        text.clone().prop_map(revise),
        text.prop_map(finalize),
        Just(finalize("")),
    ]
}

fn merged(all: &[Decision]) -> Decision {
    all.iter().cloned().fold(Decision::Continue, Decision::then)
}

/// The reasons that decisions of one kind give, in order and each once.
fn reasons(all: &[Decision], kind: &str) -> Vec<Printable> {
    let mut reasons: Vec<Printable> = Vec::new();
    let of_kind = all.iter().filter(|decision| decision.as_str() == kind);
    for text in of_kind.filter_map(|decision| decision.reason().map(Reason::text)) {
        if !reasons.contains(&text) {
            reasons.push(text);
        }
    }
    reasons
}

#[test]
fn a_reason_is_not_blank() {
    for blank in ["", " ", "\n", " \n \n"] {
        assert_eq!(Reason::new(Printable::new(blank)), None, "{blank:?}");
    }
    assert_eq!(&*reason(" a\n").text(), " a\n");
}

#[test]
fn reasons_are_joined_by_a_blank_line_and_told_once() {
    let all = revise("first\nline").then(revise("b")).then(revise("b"));
    assert_eq!(&*all.reason().unwrap().text(), "first\nline\n\nb");
}

#[test]
fn an_end_waits_for_whoever_asks_for_more() {
    for (higher, lower) in [
        (finalize("enough"), revise("more")),
        (revise("more"), finalize("enough")),
    ] {
        assert_eq!(higher.then(lower), revise("more"));
    }
    assert_eq!(Decision::Continue.then(finalize("")), finalize(""));
}

proptest! {
    #[test]
    fn it_does_not_matter_which_two_are_merged_first(a in decisions(), b in decisions(), c in decisions()) {
        let left = a.clone().then(b.clone()).then(c.clone());
        prop_assert_eq!(left, a.then(b.then(c)));
    }

    #[test]
    fn who_has_nothing_to_say_changes_nothing(decision in decisions()) {
        prop_assert_eq!(Decision::Continue.then(decision.clone()), decision.clone());
        prop_assert_eq!(decision.clone().then(Decision::Continue), decision);
    }

    #[test]
    fn a_revision_survives_any_order_and_no_reason_is_lost(all in prop::collection::vec(decisions(), 0..6)) {
        let merged = merged(&all);
        let has = |kind: &str| all.iter().any(|decision| decision.as_str() == kind);
        let kind = ["revise", "finalize", "continue"].into_iter().find(|kind| has(kind));
        let kind = kind.unwrap_or("continue");
        prop_assert_eq!(merged.as_str(), kind);
        let told = merged.reason().map_or_else(Vec::new, |reason| reason.0.clone());
        prop_assert_eq!(&told, &reasons(&all, kind));
        prop_assert!(told.iter().all(|text| !text.trim().is_empty()));
        let text = merged.reason().map(|reason| reason.text().to_string());
        let texts: Vec<&str> = told.iter().map(|text| &**text).collect();
        prop_assert_eq!(text.unwrap_or_default(), texts.join("\n\n"));
    }
}
