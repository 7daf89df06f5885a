//! Final messages as agents write them: of those that only read, of whom nothing may be said, and of those that
//! tell of files although they wrote none.

use super::*;

/// What each of its messages is of, with the message.
fn messages(file: &'static str) -> Vec<(&'static str, &'static str)> {
    let parts = file.split("=== ").skip(1);
    let parts = parts.filter_map(|part| part.split_once('\n'));
    parts.map(|(kind, text)| (kind, text.trim())).collect()
}

/// The messages of which anything is said, of an agent that made these calls.
fn told(file: &'static str, calls: &[String]) -> Vec<&'static str> {
    let messages = messages(file).into_iter().map(|(_, message)| message);
    messages
        .filter(|message| !check(calls, message).is_empty())
        .collect()
}

const READ_ONLY: [&str; 3] = [
    include_str!("../../../../../fixtures/reports/read-only-first.txt"),
    include_str!("../../../../../fixtures/reports/read-only-second.txt"),
    include_str!("../../../../../fixtures/reports/read-only-third.txt"),
];
const IDLE: [&str; 3] = [
    include_str!("../../../../../fixtures/reports/idle-first.txt"),
    include_str!("../../../../../fixtures/reports/idle-second.txt"),
    include_str!("../../../../../fixtures/reports/idle-third.txt"),
];

#[test]
fn of_agents_that_only_read_nothing_is_said() {
    for file in READ_ONLY {
        assert!(messages(file).len() >= 10);
        assert_eq!(told(file, &[read(1)]), [""; 0]);
    }
}

#[test]
fn who_tells_of_files_and_wrote_none_is_told_of() {
    for file in IDLE {
        assert!(messages(file).len() >= 10);
        let told = told(file, &[read(1)]);
        let all = messages(file).into_iter().map(|(_, message)| message);
        let missed: Vec<_> = all.filter(|message| !told.contains(message)).collect();
        assert_eq!(missed, [""; 0]);
    }
}
