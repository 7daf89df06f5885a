use jiff::SignedDuration;

use super::*;

/// A Tuesday.
fn now() -> Zoned {
    "2026-03-10T12:00:00+01:00[Europe/Berlin]".parse().unwrap()
}

fn at(text: &str) -> Option<String> {
    Some(read(text, &now())?.at.to_string())
}

#[test]
fn moments_are_ages_days_or_times() {
    for (text, expected) in [
        ("2h", "2026-03-10T09:00:00Z"),
        ("3 minutes ago", "2026-03-10T10:57:00Z"),
        ("2 weeks ago", "2026-02-24T11:00:00Z"),
        ("a week ago", "2026-03-03T11:00:00Z"),
        ("an hour ago", "2026-03-10T10:00:00Z"),
        ("1 month ago", "2026-02-10T11:00:00Z"),
        ("now", "2026-03-10T11:00:00Z"),
        ("today", "2026-03-09T23:00:00Z"),
        ("Yesterday", "2026-03-08T23:00:00Z"),
        ("yesterday 15:00", "2026-03-09T14:00:00Z"),
        ("yesterday at 3 PM", "2026-03-09T14:00:00Z"),
        ("3pm yesterday", "2026-03-09T14:00:00Z"),
        ("today 17:00", "2026-03-10T16:00:00Z"),
        ("2026-01-31", "2026-01-30T23:00:00Z"),
        ("2026-01-31T01:00:00Z", "2026-01-31T01:00:00Z"),
        ("2026-01-31T01:00:00+02:00", "2026-01-30T23:00:00Z"),
        ("2026-01-31 01:00:05", "2026-01-31T00:00:05Z"),
        ("2026-01-31 1am", "2026-01-31T00:00:00Z"),
        ("08:15:01", "2026-03-10T07:15:01Z"),
        ("8:15", "2026-03-10T07:15:00Z"),
        ("03-09 08:15", "2026-03-09T07:15:00Z"),
        ("12-31 08:15", "2025-12-31T07:15:00Z"),
        ("march 3", "2026-03-02T23:00:00Z"),
        ("3rd Mar, noon", "2026-03-03T11:00:00Z"),
        ("24 dec 6pm", "2025-12-24T17:00:00Z"),
        ("this week", "2026-03-08T23:00:00Z"),
        ("last week", "2026-03-01T23:00:00Z"),
        ("this month", "2026-02-28T23:00:00Z"),
        ("last month", "2026-01-31T23:00:00Z"),
    ] {
        assert_eq!(at(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_name_that_returns_is_the_last_one() {
    for (text, last, next) in [
        ("tuesday", "2026-03-09T23:00:00Z", "2026-03-16T23:00:00Z"),
        ("tue 11:00", "2026-03-10T10:00:00Z", "2026-03-17T10:00:00Z"),
        (
            "Tuesday 15:00",
            "2026-03-03T14:00:00Z",
            "2026-03-10T14:00:00Z",
        ),
        ("friday", "2026-03-05T23:00:00Z", "2026-03-12T23:00:00Z"),
        ("3pm", "2026-03-09T14:00:00Z", "2026-03-10T14:00:00Z"),
        ("11am", "2026-03-10T10:00:00Z", "2026-03-11T10:00:00Z"),
        ("midnight", "2026-03-09T23:00:00Z", "2026-03-10T23:00:00Z"),
        (
            "03-28 12:00",
            "2025-03-28T11:00:00Z",
            "2026-03-28T11:00:00Z",
        ),
    ] {
        let moment = read(text, &now()).unwrap();
        assert_eq!(moment.at.to_string(), last, "{text}");
        let following = moment.next.map(|at| at.to_string());
        assert_eq!(following.as_deref(), Some(next), "{text}");
        assert_eq!(moment.after(None), moment.at);
    }
    for (text, expected) in [
        ("last tuesday", "2026-03-02T23:00:00Z"),
        ("last monday", "2026-03-08T23:00:00Z"),
    ] {
        let moment = read(text, &now()).unwrap();
        assert_eq!(
            (moment.at.to_string().as_str(), moment.next),
            (expected, None)
        );
    }
}

#[test]
fn an_end_follows_its_beginning_if_its_name_returns() {
    let end = |since: &str, until: &str| {
        let since = read(since, &now()).unwrap().at;
        read(until, &now()).unwrap().after(Some(since)).to_string()
    };
    assert_eq!(end("monday", "friday"), "2026-03-12T23:00:00Z");
    assert_eq!(end("friday", "monday"), "2026-03-08T23:00:00Z");
    assert_eq!(end("9:00", "17:00"), "2026-03-10T16:00:00Z");
    assert_eq!(end("yesterday", "2 weeks ago"), "2026-02-24T11:00:00Z");
}

#[test]
fn what_is_no_moment_is_said_with_what_was_meant() {
    for bad in [
        "someday",
        "-1h",
        "2026-13-01",
        "",
        "13-01 00:00",
        "13pm",
        "0am",
        "25:00",
        "3",
        "march",
        "feb 30",
        "tuesday 15",
        "last 3pm",
        "mo",
        "a",
        "tomorrow",
        "next week",
        "1:2:3:4",
        "+3pm",
        "today yesterday",
        "12-31 -08:15",
    ] {
        assert_eq!(at(bad), None, "{bad}");
    }
    for (typed, expected) in [
        ("yesteday", "did you mean `yesterday`?"),
        ("wendesday 15:00", "did you mean `wednesday`?"),
        ("2 wekes ago", "did you mean `weeks`?"),
    ] {
        let error = Moment::parse(typed).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    let error = Moment::parse("whenever").unwrap_err().to_string();
    assert!(!error.contains("mean"), "{error}");
}

#[test]
fn every_time_that_a_list_prints_can_be_typed() {
    use crate::time::Clock;
    let now = Zoned::now();
    for width in [Some(80), None] {
        let clock = Clock::new(width);
        for ago in ["1m", "11h", "20h", "40d", "100d", "900d"] {
            let at = read(ago, &now).unwrap().at;
            let shown = clock.show(at);
            let read = read(&shown, &now).unwrap().at;
            assert!(read <= at, "{shown}");
            assert!(
                at.duration_since(read) < SignedDuration::from_hours(24),
                "{shown}"
            );
        }
    }
}
