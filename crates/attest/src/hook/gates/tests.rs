use super::*;

fn decision(answer: &str) -> Result<Decision, String> {
    read(answer.as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn an_answer_is_one_object_with_a_known_word() {
    for (answer, word) in [
        (r#"{"decision":"continue"}"#, "continue"),
        (
            r#" {"decision":"continue","reason":"fine","more":1} "#,
            "continue",
        ),
        (r#"{"decision":"revise","reason":"lint"}"#, "revise"),
        (r#"{"decision":"finalize"}"#, "finalize"),
        (r#"{"decision":"finalize","reason":""}"#, "finalize"),
    ] {
        assert_eq!(decision(answer).unwrap().as_str(), word, "{answer}");
    }
    for answer in [
        "",
        "{}",
        "[]",
        "continue",
        r#"{"decision":"Revise","reason":"lint"}"#,
        r#"{"decision":"revise","reason":7}"#,
        r#"{"decision":"continue"} {"decision":"revise","reason":"lint"}"#,
    ] {
        assert_eq!(
            decision(answer).unwrap_err(),
            "its answer is not valid",
            "{answer}"
        );
    }
    for blank in [r"\n ", r"\u200b", r"\u202e \u2066", r"\u3164"] {
        let answer = format!(r#"{{"decision":"revise","reason":"{blank}"}}"#);
        let why = decision(&answer).unwrap_err();
        assert!(why.contains("gives no reason"), "{blank}: {why}");
        let seen = format!(r#"{{"decision":"revise","reason":"{blank}x"}}"#);
        assert_eq!(decision(&seen).unwrap().as_str(), "revise", "{blank}");
    }
}

#[test]
fn the_time_is_shared_by_those_that_are_still_to_be_asked() {
    let end = Instant::now() + Duration::from_secs(4);
    assert!(share(Some(end), 2) <= Duration::from_secs(2));
    assert!(share(Some(end), 2) > Duration::from_millis(1900));
    assert_eq!(share(Some(Instant::now()), 3), Duration::ZERO);
    assert_eq!(share(None, 1), Duration::MAX);
}
